"""Rows and columns that sum up others: `all` of trec_eval, `amean` of gdeval, a row of means."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.parsing.reading import Scores
from topicset_core.parsing.table import plain
from topicset_core.wording import counted, listed

SUMMARY_WORDS = frozenset(
    ("all", "mean", "amean", "gmean", "average", "avg", "total", "sum", "median", "overall", "map")
)
"""Ids that name a summary rather than a topic or a run, as `plain` leaves them."""

ROUNDING = 1e-3
"""Half a unit in the third decimal, twice: a column of means may be rounded, and so may the scores."""


class Kept(NamedTuple):
    """Which rows stay, and sentences on those that do not."""

    rows: list[int]
    said: tuple[str, ...]


def is_summary(name: str) -> bool:
    """Say whether a name is that of a summary."""
    # Most topic ids are numbers, and no number is a word.
    return not name.isdecimal() and plain(name) in SUMMARY_WORDS


def without_summary_topics(topics: Sequence[str], noun: str = "row") -> Kept:
    """Leave out the rows (or columns) whose topic id is the name of a summary."""
    summaries = {topic for topic in dict.fromkeys(topics) if is_summary(topic)}
    if not summaries:
        return Kept(list(range(len(topics))), ())
    rows = [index for index, topic in enumerate(topics) if topic not in summaries]
    taken_out = counted(len(topics) - len(rows), f"summary {noun}")
    names = listed(tuple(topic for topic in dict.fromkeys(topics) if topic in summaries))
    return Kept(
        rows, (f"{taken_out} taken out: {names}, which {'is' if len(summaries) == 1 else 'are'} no topic.",)
    )


def without_summary_runs(scores: Scores) -> tuple[Scores, list[str]]:
    """Leave out columns that are named as a summary and hold the mean, median or sum of the runs.

    The name alone does not do: fused runs are called sum or all. What is kept is remarked on.
    """
    named = [column for column, system in enumerate(scores.systems) if is_summary(system)]
    others = [column for column in range(len(scores.systems)) if column not in named]
    said, taken_out = [], []
    for column in named:
        name = repr(scores.systems[column])
        kind = _summary_of(scores.values[:, column], scores.values[:, others]) if len(others) > 1 else None
        if kind:
            taken_out.append(column)
            said.append(f"Column {name} taken out: it holds the {kind} of the runs on each topic.")
        else:
            said.append(f"Run {name} was kept, but its name is that of a summary: is it one?")
    kept = [column for column in range(len(scores.systems)) if column not in taken_out]
    systems = tuple(scores.systems[column] for column in kept)
    return Scores(scores.values[:, kept], scores.topics, systems), said


def _summary_of(column: NDArray[np.float64], runs: NDArray[np.float64]) -> str | None:
    candidates = {"mean": runs.mean(axis=1), "median": np.median(runs, axis=1), "sum": runs.sum(axis=1)}
    return next(
        (
            kind
            for kind, values in candidates.items()
            if np.allclose(column, values, rtol=ROUNDING, atol=ROUNDING)
        ),
        None,
    )
