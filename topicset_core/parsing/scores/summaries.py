"""Rows and columns that sum up others: `all` of trec_eval, `amean` of gdeval, a row of means."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.parsing.scores.entries import Scores
from topicset_core.parsing.table import plain
from topicset_core.wording import counted, listed, shown

SUMMARY_WORDS = frozenset(
    ("all", "mean", "amean", "gmean", "average", "avg", "total", "sum", "median", "overall", "map")
)
"""Ids that name a summary rather than a topic or a run, as `plain` leaves them."""

WORDS_BESIDE = frozenset(
    (
        *("min", "minimum", "max", "maximum", "count", "range"),
        *("sd", "std", "stdev", "stdevs", "stdevp", "stddev", "standarddeviation", "var", "variance"),
        *("se", "sem", "stderr", "standarderror", "ci", "ci95", "95ci"),
    )
)
"""What stands below or beside means in spreadsheets; alone, such a word may be an id, as SE is of Sweden."""

_IN_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]$")

ROUNDING = 1e-3
"""Half a unit in the third decimal, twice: a column of means may be rounded, and so may the scores."""


class Kept(NamedTuple):
    """Which rows stay, and sentences on those that do not."""

    rows: list[int]
    said: tuple[str, ...]


def is_summary(name: str) -> bool:
    """Say whether a name is that of a summary."""
    # Most topic ids are numbers, and no number is a word.
    return not name.isdecimal() and _word(name) in SUMMARY_WORDS


def may_be_summary(name: str) -> bool:
    """Say whether a name is that of a summary where there are others."""
    return not name.isdecimal() and _word(name) in WORDS_BESIDE


def _word(name: str) -> str:
    return plain(_IN_BRACKETS.sub("", name))  # Mean (n=50)


def without_summary_topics(topics: Sequence[str], noun: str = "row") -> Kept:
    """Leave out the rows (or columns) whose topic id is the name of a summary.

    What stands beside means, such as a standard deviation, goes with them; without any it stays, which is said.
    """
    different = dict.fromkeys(topics)
    summaries = {topic for topic in different if is_summary(topic)}
    beside = [topic for topic in different if may_be_summary(topic)]
    if not summaries:
        kept = [
            f"Topic {shown(topic)} was kept, but its name is that of a summary: is it one?"
            for topic in beside
        ]
        return Kept(list(range(len(topics))), tuple(kept))
    summaries.update(beside)
    rows = [index for index, topic in enumerate(topics) if topic not in summaries]
    taken_out = counted(len(topics) - len(rows), f"summary {noun}")
    names = listed(tuple(topic for topic in dict.fromkeys(topics) if topic in summaries))
    return Kept(
        rows, (f"{taken_out} taken out: {names}, which {'is' if len(summaries) == 1 else 'are'} no topic.",)
    )


def without_summary_runs(scores: Scores) -> tuple[Scores, list[str]]:
    """Leave out columns that are named as a summary and hold one of the runs: their mean, sum, deviation ...

    The name alone does not do: fused runs are called sum or all. What is kept is remarked on.
    """
    named = [column for column, name in enumerate(scores.systems) if is_summary(name) or may_be_summary(name)]
    others = [column for column in range(len(scores.systems)) if column not in named]
    said, taken_out = [], []
    for column in named:
        name = repr(scores.systems[column])
        of_runs = _spreads if may_be_summary(scores.systems[column]) else _centres
        kind = None
        if len(others) > 1:
            kind = _summary_of(scores.values[:, column], of_runs(scores.values[:, others]))
        if kind:
            taken_out.append(column)
            said.append(f"Column {name} taken out: it holds the {kind} of the runs on each topic.")
        else:
            said.append(f"Run {name} was kept, but its name is that of a summary: is it one?")
    kept = [column for column in range(len(scores.systems)) if column not in taken_out]
    systems = tuple(scores.systems[column] for column in kept)
    return Scores(scores.values[:, kept], scores.topics, systems), said


def _centres(runs: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    return {"mean": runs.mean(axis=1), "median": np.median(runs, axis=1), "sum": runs.sum(axis=1)}


def _spreads(runs: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    return {
        "minimum": runs.min(axis=1),
        "maximum": runs.max(axis=1),
        "standard deviation": runs.std(axis=1, ddof=1),
        "variance": runs.var(axis=1, ddof=1),
    }


def _summary_of(column: NDArray[np.float64], candidates: dict[str, NDArray[np.float64]]) -> str | None:
    return next(
        (
            kind
            for kind, values in candidates.items()
            if np.allclose(column, values, rtol=ROUNDING, atol=ROUNDING)
        ),
        None,
    )
