"""Which topics and which runs to take: by name, by range, by pattern, or all but some.

A selection is text. Its items are ids, ranges such as ``601-650`` or ``t051..t100``, and patterns such as
``uogTr*`` (``*`` any characters, ``?`` one, ``[ab]`` one of these), separated by commas, semicolons or
spaces. An item that begins with ``!`` is left out; where all do, the selection begins with everything. An id
is taken for itself, whatever characters it has, and a range takes the ids that exist within it. Chosen ids
keep the order it has.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from topicset_core.errors import InputError
from topicset_core.wording import GROUPS_OF_ONE, counted, first_few

Which = str | Path | Sequence[str]
"""A selection: text, a file of it, or several texts. Lines of a file that begin with # are comments."""

MOST_NAMED = 5
"""Items of a selection and ids that it could have named are shown up to this many."""

_SEPARATORS = tuple(re.compile(pattern) for pattern in (",", ";", "[,;]", "[,; ]"))
_QUOTED = re.compile(r'"([^"]*)"|([^,;"]+)')
_NUMBERED = re.compile(r"(?P<stem>.*?)(?P<number>\d+)", re.ASCII | re.DOTALL)
_BOUNDS = re.compile(r"\.\.|-")


def pieces(line: str, is_meant: Callable[[str], bool]) -> list[str]:
    """Cut a line into ids, and where that is not possible, into other words in their places."""
    ways = [[line], *(separator.split(line) for separator in _SEPARATORS)]
    ways.append([quoted or bare for quoted, bare in _QUOTED.findall(line)])
    cut = [[piece for part in parts if (piece := part.strip())] for parts in ways]
    whole = next((result for result in cut if all(map(is_meant, result))), None)
    if whole is not None:
        return whole
    by_commas, by_spaces = cut[3:5]
    return by_spaces if any(map(is_meant, by_spaces)) else by_commas


def lines_of(text: str) -> list[str]:
    """Return the lines of a list of ids, without comments and text after a tab, as in lists with their text."""
    lines = (line.partition("\t")[0].strip() for line in re.split(r"\r\n|\n|\r", text))
    return [line for line in lines if line and not line.startswith("#")]


class Chosen(NamedTuple):
    """Places of the ids that were chosen, ascending, and numbers of ranges that no id has."""

    places: tuple[int, ...]
    absent: tuple[str, ...]


def choose(which: Which, ids: Sequence[str], parameter: str, noun: str) -> Chosen:
    """Find the items that a selection takes."""
    known = {name: place for place, name in enumerate(ids)}
    texts = [which] if isinstance(which, str) else which
    if isinstance(texts, Path):
        texts = lines_of(texts.read_text(encoding="utf-8-sig"))

    def find(item: str) -> tuple[set[int], list[str]]:
        if item in known:
            return {known[item]}, []
        result = _in_range(item, ids)
        return result or ({place for name, place in known.items() if fnmatchcase(name, item)}, [])

    def is_meant(item: str) -> bool:
        return item in known or bool(find(item.removeprefix("!"))[0])

    items = [item for text in texts for line in lines_of(text) for item in pieces(line, is_meant)]
    ids_in_words = f"{counted(len(ids), noun)} ({', '.join(ids[:3])}{', ...' if len(ids) > 3 else ''})"
    if not items:
        raise InputError(parameter, which, f"must name some of the {ids_in_words}")
    taken: set[int] = set()
    left_out: set[int] = set()
    absent: list[str] = []
    for item in items:
        is_left_out = item not in known and item.startswith("!")
        result, missing = find(item.removeprefix("!") if is_left_out else item)
        if not result:
            raise InputError(
                parameter, item, f"must be an id, a range or a pattern that fits some of the {ids_in_words}"
            )
        (left_out if is_left_out else taken).update(result)
        absent += [] if is_left_out else missing
    if not taken:
        taken = set(known.values())
    if not taken - left_out:
        raise InputError(parameter, which, f"must leave some of the {ids_in_words}")
    return Chosen(tuple(sorted(taken - left_out)), tuple(dict.fromkeys(absent)))


def _in_range(item: str, ids: Sequence[str]) -> tuple[set[int], list[str]] | None:
    """Return places of the ids within a range and its numbers without one; None where it is no range with ids."""
    for bound in _BOUNDS.finditer(item):
        first = _NUMBERED.fullmatch(item[: bound.start()].strip())
        last = _NUMBERED.fullmatch(item[bound.end() :].strip())
        if first is None or last is None or last["stem"] not in ("", first["stem"]):
            continue
        low, high = int(first["number"]), int(last["number"])
        numbers: dict[int, list[int]] = {}
        for place, text in enumerate(ids):
            match = _NUMBERED.fullmatch(text)
            if match and match["stem"] == first["stem"] and low <= int(match["number"]) <= high:
                numbers.setdefault(int(match["number"]), []).append(place)
        if numbers:
            width = len(first["number"])
            absent = (
                [] if high - low > 10 * len(ids) else [n for n in range(low, high + 1) if n not in numbers]
            )
            places = {place for of_number in numbers.values() for place in of_number}
            return places, [f"{first['stem']}{number:0{width}d}" for number in absent]
    return None


@dataclass(frozen=True, kw_only=True)
class Selected:
    """What `select` did."""

    # The selections, as they were given
    topics: tuple[str, ...] | None
    systems: tuple[str, ...] | None
    # How many were chosen
    n_topics: int
    # How many there were
    of_topics: int
    n_systems: int
    of_systems: int
    # Numbers within ranges that no id has
    absent_topics: tuple[str, ...] = ()
    absent_systems: tuple[str, ...] = ()
    is_ungrouped: bool = False  # whether topics had groups of which each has one topic left

    @property
    def notes(self) -> tuple[str, ...]:
        """The selection in sentences."""
        results = []
        for which, count, of, noun, absent in (
            (self.topics, self.n_topics, self.of_topics, "topic", self.absent_topics),
            (self.systems, self.n_systems, self.of_systems, "run", self.absent_systems),
        ):
            if which is not None:
                none = f"; there is no {noun} {first_few(absent, MOST_NAMED)}" if absent else ""
                results.append(
                    f"{count:,} of {counted(of, noun)} chosen: {first_few(which, MOST_NAMED)}{none}."
                )
        return (*results, *([GROUPS_OF_ONE] if self.is_ungrouped else []))

    def entry(self) -> dict[str, Any]:
        """Return the selection as an entry of a record; empty where nothing was selected."""
        values = {name: value for name, value in asdict(self).items() if name != "is_ungrouped"}
        return {"selection": {**values, "notes": self.notes}} if self.notes else {}

    @property
    def summary(self) -> str:
        """The same in a few words, to be shown next to a name."""
        parts = []
        if self.topics is not None:
            parts.append(f"{self.n_topics:,} of {counted(self.of_topics, 'topic')}")
        if self.systems is not None:
            parts.append(f"{self.n_systems:,} of {counted(self.of_systems, 'run')}")
        return ", ".join(parts)


class Selectable(Protocol):
    """Collections with topics and systems: score matrices, and runs joined with judgments."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Topic ids."""

    @property
    def systems(self) -> tuple[str, ...]:
        """Run names."""

    def taken(self, topics: Sequence[int], systems: Sequence[int]) -> Self:
        """Return the same of some topics and systems, by their places."""


_Source = TypeVar("_Source", bound=Selectable)


def select(
    source: _Source,
    topics: Which | None = None,
    systems: Which | None = None,
    names: tuple[str, str] = ("topics", "systems"),
) -> tuple[_Source, Selected]:
    """Take some topics and some runs.

    Parameters
    ----------
    source : ScoreMatrix or JudgedRuns
        What to take them from.
    topics, systems : str, Path or sequence of str, optional
        What to take; by default all. See `topicset_core.collection.selection`.
    names : (str, str), optional
        Names of the two selections in errors.

    Returns
    -------
    tuple of ScoreMatrix or JudgedRuns, Selected
        The same with fewer topics and runs in their order, and the record.

    Raises
    ------
    InputError
        As `choose` does, or if fewer topics or runs are left than the source must have.
    OSError
        If a file cannot be read.
    """
    every = Chosen(tuple(range(len(source.topics))), ()), Chosen(tuple(range(len(source.systems))), ())
    rows = every[0] if topics is None else choose(topics, source.topics, names[0], "topic")
    columns = every[1] if systems is None else choose(systems, source.systems, names[1], "run")
    taken = source.taken(rows.places, columns.places)
    had_groups, has_groups = (getattr(scores, "groups", None) is not None for scores in (source, taken))
    record = Selected(
        topics=_items(topics),
        systems=_items(systems),
        n_topics=len(rows.places),
        of_topics=len(source.topics),
        n_systems=len(columns.places),
        of_systems=len(source.systems),
        absent_topics=rows.absent,
        absent_systems=columns.absent,
        is_ungrouped=had_groups and not has_groups,
    )
    return taken, record


def _items(which: Which | None) -> tuple[str, ...] | None:
    """Return a selection in the form for records."""
    if which is None:
        return None
    return (str(which),) if isinstance(which, str | Path) else tuple(which)
