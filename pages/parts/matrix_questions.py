"""Files that leave a choice open: what is missing or there twice, and what the user wants done about it.

Their content is kept in the session until the user has answered, and no longer.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.parts import frame
from topicset_core.parsing import Choices, MissingScores, RepeatedScores

_OPEN, _COUNTER = "score_matrices/questions", "score_matrices/questions/counter"
_MOST_OPEN = 3
_NAMED_IN_ERROR = 5

SPOKEN = {
    "missing": {
        "refuse": "refuse the file and list them",
        "drop-topics": "leave out those topics",
        "drop-runs": "leave out those runs",
        "zero": "count them as 0",
    },
    "repeats": {
        "refuse": "refuse the file and list them",
        "average": "average them, and say how far apart they were",
    },
}
"""Choices as a person would say them."""


@dataclass(frozen=True)
class Question:
    """Files read together, and what is open about them.

    Parameters
    ----------
    files : tuple of (str, bytes or str)
        Name and content of each.
    choices : Choices
        How they were read.
    errors : tuple of MissingScores or RepeatedScores
        What the user is to decide on.
    read : frozenset of (str, str)
        Names and digests of the matrices that came out already; the user may have changed them since.
    said : frozenset of str
        Other errors that the user was told.
    number : int
        Tells it from other questions of this session; 0 where it was not asked yet.
    """

    files: tuple[tuple[str, bytes | str], ...]
    choices: Choices
    errors: tuple[MissingScores | RepeatedScores, ...] = ()
    read: frozenset[tuple[str, str]] = frozenset()
    said: frozenset[str] = frozenset()
    number: int = 0


def open_ones() -> tuple[Question, ...]:
    """Return the questions that wait for an answer, oldest first."""
    found: tuple[Question, ...] = st.session_state.get(_OPEN, ())
    return found


def keep(
    question: Question,
    errors: tuple[MissingScores | RepeatedScores, ...],
    *,
    read: frozenset[tuple[str, str]],
    said: frozenset[str],
    refused: bool,
) -> None:
    """Keep a question after a reading: what is still open, or all of it where the answer led nowhere."""
    others = tuple(other for other in open_ones() if other.number != question.number)
    if refused and question.errors:
        before = next((asked for asked in open_ones() if asked.number == question.number), question)
        errors, question = before.errors, before
    if errors:
        number = question.number or st.session_state.get(_COUNTER, 0) + 1
        st.session_state[_COUNTER] = max(number, st.session_state.get(_COUNTER, 0))
        others += (replace(question, errors=errors, read=read, said=said, number=number),)
    # The contents of files are large: an old question that was never answered gives way.
    st.session_state[_OPEN] = others[-_MOST_OPEN:]


def draw(question: Question, on_answer: Callable[[Question], None]) -> None:
    """Draw what is open, with the choices and a button that reads the same files again."""
    with st.container(border=True):
        for place, error in enumerate(question.errors):
            st.error(frame.plain(str(error)))
            if error.n_cells > _NAMED_IN_ERROR:
                _list_cells(error, f"score_matrices/cells-{question.number}-{place}")
        kinds = {type(error) for error in question.errors}
        chosen: dict[str, Any] = {}
        if MissingScores in kinds:
            spoken = SPOKEN["missing"]
            chosen["missing"] = st.selectbox(
                "These missing scores",
                [choice for choice in spoken if choice != "refuse"],
                key=f"score_matrices/answer-{question.number}",
                format_func=spoken.__getitem__,
            )
        if RepeatedScores in kinds:
            st.markdown("Repeated scores will be averaged, and it will be said how far apart they were.")
            chosen["repeats"] = "average"
        with st.container(horizontal=True):
            st.button(
                "Read it so",
                key=f"score_matrices/read-{question.number}",
                type="primary",
                on_click=on_answer,
                args=(replace(question, choices=replace(question.choices, **chosen)),),
            )
            st.button(
                "Leave it out",
                key=f"score_matrices/leave-{question.number}",
                on_click=_forget,
                args=(question.number,),
            )


def _list_cells(error: MissingScores | RepeatedScores, key: str) -> None:
    what = "missing scores" if isinstance(error, MissingScores) else "repeated scores"
    shown = "" if error.n_cells == len(error.cells) else f", the first {len(error.cells):,} of them"
    with st.expander(f"All {error.n_cells:,} {what}{shown}", on_change="rerun", key=key) as more:
        if more.open:
            topics, runs = zip(*error.cells, strict=True)
            st.dataframe({"topic": topics, "run": runs}, hide_index=True, alt=f"Topic and run of {what}")


def _forget(number: int) -> None:
    st.session_state[_OPEN] = tuple(asked for asked in open_ones() if asked.number != number)
