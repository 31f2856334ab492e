"""Scores one after the other to a complete topics x systems table: repeats, then gaps.

Repeated and missing scores are refused with their list, or averaged, dropped or filled as the user chooses.
"""

from collections.abc import Sequence
from itertools import chain, compress
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import ParseError
from topicset_core.parsing.choices import MOST_CARRIED, Choices, MissingScores, RepeatedScores
from topicset_core.parsing.names import lookalikes
from topicset_core.parsing.numerals import Place
from topicset_core.parsing.scores.entries import Entries
from topicset_core.wording import counted, listed, quoted

LARGEST_TABLE = 20_000_000
"""Cells of a table that is filled: ids of a small file can span a table of any size."""


class _Flat(NamedTuple):
    """All entries of all parts: the cell of the table that each goes to, and its value."""

    cells: NDArray[np.intp]
    values: NDArray[np.float64]
    empty: NDArray[np.bool_]


def fill(
    parts: Sequence[Entries], file: str, choices: Choices, measure: str, name: str
) -> tuple[ScoreMatrix, list[str]]:
    """Put every score of one measure in its place; return the matrix, and a sentence on each change."""
    topics = tuple(dict.fromkeys(chain.from_iterable(part.topics for part in parts)))
    systems = tuple(dict.fromkeys(chain.from_iterable(part.systems for part in parts)))
    of_measure = "" if parts[0].measure is None else f", measure {quoted(parts[0].measure)}"
    if len(topics) * len(systems) > LARGEST_TABLE:
        raise ParseError(
            file,
            None,
            f"expected a table of at most {LARGEST_TABLE:,} scores{of_measure}, found {len(topics):,} topic ids "
            f"and {len(systems):,} run names; are they the right columns?",
        )
    flat = _flatten(parts, topics, systems)
    as_given = flat.cells
    counts = np.bincount(flat.cells, minlength=len(topics) * len(systems))
    notes: list[str] = []
    if counts.max(initial=0) > 1:
        if choices.repeats == "refuse":
            _refuse_repeats(parts, flat, counts, topics, systems, of_measure)
        flat, sentence = _average(flat, topics, systems)
        notes.append(sentence)
    values = np.full((len(topics), len(systems)), np.nan)
    values.flat[flat.cells[~flat.empty]] = flat.values[~flat.empty]
    gaps = np.isnan(values)
    when = of_measure
    if gaps.any():
        if choices.missing == "refuse":
            empty = _places_of_empty(parts, as_given, len(systems))
            _refuse_gaps(gaps, topics, systems, file, of_measure, empty)
        if choices.missing == "zero":
            values[gaps] = 0.0
            notes.append(_counted_as_0(gaps, topics, systems))
        else:
            drops_topics = choices.missing == "drop-topics"
            dropped = gaps.any(axis=1 if drops_topics else 0)
            ids, noun, others = (topics, "topic", "runs") if drops_topics else (systems, "run", "topics")
            names = tuple(compress(ids, dropped))
            notes.append(
                f"{counted(len(names), noun)} dropped, as chosen, because scores of some {others} were missing "
                f"({int(gaps.sum()):,} in all): {listed(names, MOST_DROPPED)}."
            )
            kept = tuple(compress(ids, ~dropped))
            topics, systems = (kept, systems) if drops_topics else (topics, kept)
            values = values[~dropped] if drops_topics else values[:, ~dropped]
            when = f" once those {noun}s with missing scores are dropped"
    _refuse_too_few(topics, systems, file, when)
    return ScoreMatrix(scores=values, topics=topics, systems=systems, measure=measure, name=name), notes


def _flatten(parts: Sequence[Entries], topics: Sequence[str], systems: Sequence[str]) -> _Flat:
    rows = {topic: index * len(systems) for index, topic in enumerate(topics)}
    columns = {system: index for index, system in enumerate(systems)}
    cells = [
        np.fromiter(map(rows.__getitem__, part.topics), dtype=np.intp, count=part.values.size)
        + np.fromiter(map(columns.__getitem__, part.systems), dtype=np.intp, count=part.values.size)
        for part in parts
    ]
    values = np.concatenate([part.values for part in parts])
    return _Flat(np.concatenate(cells), values, np.concatenate([part.empty for part in parts]))


def _place_of(parts: Sequence[Entries], index: int) -> Place:
    for part in parts:
        if index < len(part.values):
            return part.place(index)
        index -= len(part.values)
    raise IndexError(index)


def _refuse_repeats(
    parts: Sequence[Entries],
    flat: _Flat,
    counts: NDArray[np.intp],
    topics: Sequence[str],
    systems: Sequence[str],
    of_measure: str,
) -> None:
    seen: dict[int, int] = {}
    for index, cell in enumerate(flat.cells.tolist()):
        if cell in seen:
            break
        seen[cell] = index
    here, before = _place_of(parts, index), _place_of(parts, seen[cell])
    topic, system = divmod(cell, len(systems))
    repeated = np.flatnonzero(counts > 1)
    in_all = "" if repeated.size == 1 else f" ({repeated.size:,} cells are repeated in all)"
    cells = tuple(
        (topics[c // len(systems)], systems[c % len(systems)]) for c in repeated[:MOST_CARRIED].tolist()
    )
    # Where most topics of the only run come again, the outputs of several runs were put together.
    together = len(systems) == 1 and here.file == before.file and here.line != before.line
    together = together and repeated.size > 1 and 2 * repeated.size >= len(topics)
    several = "save each run to a separate file if there are several, " if together else ""
    # The same score at the same place is a file given twice.
    also = (
        "" if here == before else "; the page Judges and repeats and the command repeats take them one by one"
    )
    raise RepeatedScores(
        here.file,
        here.line,
        f"expected one score for topic {quoted(topics[topic])}, run {quoted(systems[system])}{of_measure}, found "
        f"{_other(here, before)}{in_all}; remove them",
        cells,
        int(repeated.size),
        f", {several}or choose to average repeats (--repeats average){also}",
        here.unit,
    )


def _other(here: Place, before: Place) -> str:
    """Return the place of the other score of a cell."""
    if here == before:
        return "the same score again; was the file uploaded twice?"
    if here.file != before.file:
        return f"another {before.where} of {before.file}"
    if here.line == before.line:
        return f"another in {before.words.rpartition(', ')[2]} of the same {here.unit}"
    return f"another {before.where}"


def _average(flat: _Flat, topics: Sequence[str], systems: Sequence[str]) -> tuple[_Flat, str]:
    """Average the scores of each repeated cell, and state the spread within cells."""
    full = ~flat.empty
    cells, index, counts = np.unique(flat.cells[full], return_inverse=True, return_counts=True)
    values = flat.values[full]
    means = np.bincount(index, weights=values, minlength=len(cells)) / counts
    lowest = np.full(len(cells), np.inf)
    highest = np.full(len(cells), -np.inf)
    np.minimum.at(lowest, index, values)
    np.maximum.at(highest, index, values)
    # A cell whose scores are all the same keeps exactly that score.
    means = np.where(lowest == highest, lowest, means)
    several = counts > 1
    only_empty = np.setdiff1d(flat.cells, cells)
    averaged = _Flat(
        np.concatenate([cells, only_empty]).astype(np.intp),
        np.concatenate([means, np.zeros(len(only_empty))]),
        np.concatenate([np.zeros(len(cells), np.bool_), np.ones(len(only_empty), np.bool_)]),
    )
    if not several.any():
        return averaged, "Repeated cells contain at most one score; that score was used."
    squares = np.bincount(index, weights=(values - means[index]) ** 2, minlength=len(cells))[several]
    deviation = float(np.sqrt(squares.sum() / (counts[several] - 1).sum()))
    widest = int(np.argmax(np.where(several, highest - lowest, -1.0)))
    topic, system = divmod(int(cells[widest]), len(systems))
    fewest, most = int(counts[several].min()), int(counts[several].max())
    times = f"{most:,}" if fewest == most else f"{fewest:,} to {most:,}"
    return averaged, (
        f"{counted(int(several.sum()), 'cell')} with repeated scores ({times} each) averaged: the standard "
        f"deviation within a cell is {deviation:.4g}; the widest range is {highest[widest] - lowest[widest]:.4g}, "
        f"{_named(topics[topic], systems[system])}."
    )


MOST_NAMED = 5
"""Missing scores are named up to this many, and counted beyond."""

MOST_DROPPED = 20
"""Topics or runs that were dropped are named up to this many, and counted beyond."""


def _places_of_empty(
    parts: Sequence[Entries], cells: NDArray[np.intp], n_systems: int
) -> dict[tuple[int, int], Place]:
    """Return the places of empty cells in the file."""
    places = {}
    offset = 0
    for part in parts:
        for index in np.flatnonzero(part.empty)[:MOST_CARRIED]:
            topic, system = divmod(int(cells[offset + index]), n_systems)
            places[topic, system] = part.place(int(index))
        offset += len(part.values)
    return places


def _counted_as_0(gaps: NDArray[np.bool_], topics: Sequence[str], systems: Sequence[str]) -> str:
    n_missing = int(gaps.sum())
    first = np.argwhere(gaps)[:MOST_NAMED].tolist()
    named = "; ".join(_named(topics[topic], systems[system]) for topic, system in first)
    more = f"; and {n_missing - len(first):,} more" if n_missing > len(first) else ""
    were = "was" if n_missing == 1 else "were"
    return f"{counted(n_missing, 'missing score')} {were} counted as 0, as chosen: {named}{more}."


def _named(topic: str, system: str) -> str:
    return f"topic {quoted(topic)}, run {quoted(system)}"


def _refuse_gaps(
    gaps: NDArray[np.bool_],
    topics: Sequence[str],
    systems: Sequence[str],
    file: str,
    of_measure: str,
    empty: dict[tuple[int, int], Place],
) -> NoReturn:
    """Refuse a table in which a run has no score on a topic that another run has."""
    n_missing = int(gaps.sum())
    positions = np.argwhere(gaps)[:MOST_CARRIED].tolist()
    cells = tuple((topics[topic], systems[system]) for topic, system in positions)
    first = [(topic, system) for topic, system in positions[:MOST_NAMED]]
    named = [
        f"{empty[cell].words}, {empty[cell].unit} {empty[cell].line}" if cell in empty else _named(*of_cell)
        for cell, of_cell in zip(first, cells, strict=False)
    ]
    more = f"; and {n_missing - len(first):,} more" if n_missing > len(first) else ""
    missing = f"{counted(n_missing, 'score')} {'is' if n_missing == 1 else 'are'} missing"
    at = empty.get(first[0])
    raise MissingScores(
        at.file if at else file,
        at.line if at else None,
        f"{missing}{of_measure} ({'; '.join(named)}{more}){_equal_ids(topics)}",
        cells,
        n_missing,
        ". Drop those topics, drop those runs, or count them as 0?",
        at.unit if at else "line",
    )


def _equal_ids(topics: Sequence[str]) -> str:
    """Return a note that topics may be one, as where files of different runs write 1 and 001."""
    pairs = lookalikes(topics)
    if not pairs:
        return ""
    first, second = map(quoted, pairs[0])
    return f". Are {first} and {second} the same topic? Then write its id in the same way everywhere"


def _refuse_too_few(topics: tuple[str, ...], systems: tuple[str, ...], file: str, when: str) -> None:
    if not systems:
        raise ParseError(file, None, f"expected at least 1 run, found none{when}")
    if len(topics) < 2:
        actual = f"only {quoted(topics[0])}" if topics else "none"
        raise ParseError(file, None, f"expected at least 2 topics, found {actual}{when}")
