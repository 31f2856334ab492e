"""Missing scores: refused with their list, or closed as the user chooses."""

from collections.abc import Callable
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from topicset_core.errors import ParseError
from topicset_core.parsing.alike import alike
from topicset_core.parsing.choices import Missing
from topicset_core.parsing.numerals import Place
from topicset_core.parsing.reading import Scores
from topicset_core.parsing.refusals import MOST_CARRIED, MissingScores
from topicset_core.wording import counted, listed, shown

MOST_NAMED = 5
"""Missing scores are named up to this many, and counted beyond."""

MOST_DROPPED = 20
"""Topics or runs that were dropped are named up to this many, and counted beyond."""


class Grid(NamedTuple):
    """A topics x systems table and which of its scores are there."""

    values: NDArray[np.float64]
    there: NDArray[np.bool_]
    topics: tuple[str, ...]
    systems: tuple[str, ...]


def close_gaps(
    grid: Grid,
    file: str,
    of_measure: str,
    missing: Missing,
    empty_cells: Callable[[], dict[tuple[int, int], Place]],
) -> tuple[Scores, list[str]]:
    """Return a complete table, and sentences on what was done about missing scores.

    Parameters
    ----------
    grid : Grid
        The table as far as it is known.
    file : str
        The file or files as the user named them.
    of_measure : str
        The measure as it follows in a message, with a comma before; or nothing.
    missing : {"refuse", "drop-topics", "drop-runs", "zero"}
        What becomes of topics and runs without a score for each other.
    empty_cells : callable
        Gives the places of cells that stand in the file but are empty.

    Raises
    ------
    MissingScores
        If scores are missing and no choice was made.
    ParseError
        If fewer than 2 topics or no run are left.
    """
    gaps = ~grid.there
    n_missing = int(gaps.sum())
    if n_missing == 0:
        _refuse_too_few(grid.topics, grid.systems, file, of_measure)
        return Scores(grid.values, grid.topics, grid.systems), []
    if missing == "refuse":
        _refuse_gaps(grid, file, of_measure, n_missing, empty_cells())
    were = "was" if n_missing == 1 else "were"
    if missing == "zero":
        _refuse_too_few(grid.topics, grid.systems, file, of_measure)
        first = np.argwhere(gaps)[:MOST_NAMED].tolist()
        more = f"; and {n_missing - len(first):,} more" if n_missing > len(first) else ""
        return Scores(np.where(grid.there, grid.values, 0.0), grid.topics, grid.systems), [
            f"{counted(n_missing, 'missing score')} {were} counted as 0, as chosen: "
            f"{'; '.join(_named(grid, *cell) for cell in first)}{more}."
        ]
    drops_topics = missing == "drop-topics"
    dropped: NDArray[np.bool_] = np.any(gaps, axis=1 if drops_topics else 0)
    ids, noun, others = (grid.topics, "topic", "runs") if drops_topics else (grid.systems, "run", "topics")
    names = tuple(one for one, out in zip(ids, dropped.tolist(), strict=True) if out)
    said = (
        f"{counted(len(names), noun)} dropped, as chosen, because scores of some {others} were missing "
        f"({n_missing:,} in all): {listed(names, MOST_DROPPED)}."
    )
    kept = tuple(one for one, out in zip(ids, dropped.tolist(), strict=True) if not out)
    topics, systems = (kept, grid.systems) if drops_topics else (grid.topics, kept)
    values = grid.values[~dropped] if drops_topics else grid.values[:, ~dropped]
    _refuse_too_few(topics, systems, file, f" once those {noun}s with missing scores are dropped")
    return Scores(values, topics, systems), [said]


def _named(grid: Grid, topic: int, system: int) -> str:
    return f"topic {shown(grid.topics[topic])}, run {shown(grid.systems[system])}"


def _refuse_gaps(
    grid: Grid, file: str, of_measure: str, n_missing: int, empty: dict[tuple[int, int], Place]
) -> NoReturn:
    """Refuse a table in which a run has no score on a topic that another run has."""
    positions = np.argwhere(~grid.there)[:MOST_CARRIED].tolist()
    cells = tuple((grid.topics[topic], grid.systems[system]) for topic, system in positions)
    first = [(topic, system) for topic, system in positions[:MOST_NAMED]]
    named = [
        f"{empty[cell].words} (line {empty[cell].line})" if cell in empty else _named(grid, *cell)
        for cell in first
    ]
    more = f"; and {n_missing - len(first):,} more" if n_missing > len(first) else ""
    missing = "1 is missing" if n_missing == 1 else f"{n_missing:,} are missing"
    at = empty.get(first[0])
    raise MissingScores(
        at.file if at else file,
        at.line if at else None,
        f"expected a score of every run on every topic{of_measure}, but {missing}: {'; '.join(named)}{more}. "
        f"{_alike(grid)}Choose to drop those topics, to drop those runs or to count them as 0",
        cells,
        n_missing,
    )


def _alike(grid: Grid) -> str:
    """Say that topics may be one, as where files of different runs write 1 and 001."""
    pairs = alike(grid.topics)
    if not pairs:
        return ""
    return f"Are {shown(pairs[0][0])} and {shown(pairs[0][1])} one topic? Then write it alike everywhere. "


def _refuse_too_few(topics: tuple[str, ...], systems: tuple[str, ...], file: str, when: str) -> None:
    if not systems:
        raise ParseError(file, None, f"expected at least 1 run, found none{when}")
    if len(topics) < 2:
        found = f"only {shown(topics[0])}" if topics else "none"
        raise ParseError(file, None, f"expected at least 2 topics, found {found}{when}")
