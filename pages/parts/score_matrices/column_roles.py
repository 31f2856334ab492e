"""How the columns of the last upload were read, with a menu for each, which reads the files again."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import get_args

import streamlit as st

from pages.parts import frame
from topicset_core.parsing.choices import Choices, Role
from topicset_core.parsing.roles import Column, Roles
from topicset_core.parsing.scores.score_files import ReadTable
from topicset_core.wording import counted

LAST = "score_matrices/last-reading"
"""Begins the names in the session: the last upload of each place where files are taken."""
SCORES = "scores"
"""The place of uploads of scores."""
MOST_BYTES = 20_000_000
"""Bytes of an upload that are kept to be read again."""
_MOST_MENUS = 12
_MOST_TABLES = 3
_WORDS: dict[Role, str] = {
    "topic": "topic ids",
    "run": "names of runs",
    "measure": "names of measures",
    "scores": "scores",
    "repeat": "repeats",
    "group": "groups of topics",
    "judge": "scores by a judge",
    "people": "labels by people",
    "left out": "left out",
}
_OF = {"runs": "one run per column of scores", "measures": "one measure per column of scores"}


@dataclass(frozen=True)
class LastReading:
    """Files that were read together, how, and the roles of their columns."""

    files: tuple[tuple[str, bytes | str], ...]
    choices: Choices
    tables: tuple[ReadTable, ...]
    is_refused: bool
    number: int
    place: str = SCORES
    stated: Mapping[str, Role] = field(default_factory=dict)  # by the user, in the menus

    @property
    def origin(self) -> str:
        """What the matrices of this upload are known by."""
        return f"upload {self.number}"

    @property
    def offered(self) -> tuple[Role, ...]:
        """The roles that columns of this place may have."""
        labels = ("judge", "people")
        if self.place == SCORES:
            return tuple(role for role in get_args(Role) if role not in labels)
        return get_args(Role)


def last(place: str = SCORES) -> LastReading | None:
    """Return the last upload of a place."""
    result: LastReading | None = st.session_state.get(f"{LAST}/{place}")
    return result


def keep(reading: LastReading) -> None:
    """Keep an upload to be read again, if it has tables with a header and is small."""
    size = sum(len(content) for _, content in reading.files)
    if reading.tables and size <= MOST_BYTES:
        st.session_state[f"{LAST}/{reading.place}"] = reading
    else:
        st.session_state.pop(f"{LAST}/{reading.place}", None)


def forget(place: str = SCORES) -> None:
    """Forget the last upload of a place."""
    st.session_state.pop(f"{LAST}/{place}", None)


def draw(read_again: Callable[[LastReading], None], *, opens: bool, place: str = SCORES) -> None:
    """Draw the roles of the columns of the last upload, open where they are unsure; a change reads again."""
    reading = last(place)
    if reading is None:
        return
    shown = list(_different(reading.tables))
    names = ", ".join(table.file for table in shown[:1])
    more = f" and {counted(len(reading.tables) - 1, 'more table')}" if len(reading.tables) > 1 else ""
    is_unsure = any(_is_unsure(column) for table in shown for column in table.roles.columns)
    is_open = reading.is_refused or (opens and is_unsure)
    with st.expander(
        f"Columns of {frame.plain(names)}{more}",
        expanded=is_open,
        key=f"{LAST}-open-{reading.place}-{reading.number}",
    ):
        for at, table in enumerate(shown[:_MOST_TABLES]):
            _draw_table(reading, table, at, read_again)


def _different(tables: tuple[ReadTable, ...]) -> Iterator[ReadTable]:
    """Yield the first table of each header."""
    seen: set[tuple[str, ...]] = set()
    for table in tables:
        names = tuple(column.name for column in table.roles.columns)
        if names not in seen:
            seen.add(names)
            yield table


def _is_unsure(column: Column) -> bool:
    """Return whether a role follows from cells, and not from the name of the column."""
    return column.role in ("topic", "run", "repeat") and column.reason not in ("its name", "as stated")


def _draw_table(
    reading: LastReading, table: ReadTable, place: int, read_again: Callable[[LastReading], None]
) -> None:
    columns, roles = table.roles.columns, reading.offered
    others = [column for column in columns if column.role != "scores"]
    menus = columns if len(columns) <= _MOST_MENUS else others[:_MOST_MENUS]
    with st.container(horizontal=True, gap="small"):
        for one in menus:
            at = columns.index(one)
            with st.container(width=190, gap=None):
                key = f"{LAST}-{reading.place}-{reading.number}-{place}-{at}"
                st.selectbox(
                    frame.plain(one.name) or "(no name)",
                    roles,
                    index=roles.index(one.role),
                    format_func=_WORDS.__getitem__,
                    key=key,
                    on_change=_change,
                    args=(reading, one.name, key, read_again),
                )
                example = " ".join(one.example.split())[:24]
                st.markdown(f":small[{frame.plain(example) or 'empty'}; {frame.plain(one.reason)}]")
    if len(menus) < len(columns):
        st.markdown(f":small[And {counted(len(columns) - len(menus), 'more column')} of scores.]")
    if (
        reading.place == SCORES
        and table.roles.of != "rows"
        and not table.roles.places("run")
        and len(table.roles.places("scores")) > 1
    ):
        key = f"{LAST}-{reading.place}-{reading.number}-{place}-of"
        st.selectbox(
            "Each column of scores is of",
            list(_OF),
            index=list(_OF).index(table.roles.of),
            format_func=_OF.__getitem__,
            key=key,
            on_change=_change_of,
            args=(reading, table.roles, key, read_again),
        )


def _change(reading: LastReading, column: str, key: str, read_again: Callable[[LastReading], None]) -> None:
    stated = {**reading.stated, column: st.session_state[key]}
    choices = replace(reading.choices, roles={**reading.choices.roles, **stated})
    read_again(replace(reading, choices=choices, stated=stated))


def _change_of(
    reading: LastReading, roles: Roles, key: str, read_again: Callable[[LastReading], None]
) -> None:
    are_measures = st.session_state[key] == "measures"
    scores = tuple(column.name for column in roles.columns if column.role == "scores")
    choices = replace(
        reading.choices,
        columns=scores if are_measures else None,
        orientation="auto" if are_measures else "topics-by-runs",
    )
    read_again(replace(reading, choices=choices))
