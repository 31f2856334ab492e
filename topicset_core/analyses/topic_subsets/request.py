"""What is asked of the subsets of a matrix, checked before any work begins."""

import math
from dataclasses import dataclass
from numbers import Integral
from typing import Literal, get_args

from topicset_core.analyses.topic_subsets.goodness import Goodness, measure_of
from topicset_core.errors import InputError
from topicset_core.execution.seed import SEED

Method = Literal["auto", "exact", "exhaustive", "local", "guiver"]

DEFAULT_SEED = int(SEED.default)
DEFAULT_TRIALS = 10_000
DEFAULT_EFFORT = 15.0
DEFAULT_NODES = 50_000_000
MOST_TRIALS = 1_000_000
MOST_NODES = 10**12
MOST_PROVED = 128
"""Topics of which subsets are proved; a set-up grows with their fourth power."""

_LARGE = 100  # more topics than this: pairs of runs are looked at on a grid of cardinalities


@dataclass(frozen=True, kw_only=True)
class Request:
    """One question about the subsets of a matrix.

    Parameters
    ----------
    goodness : {"pearson", "kendall", "error-rate"}
        How subsets are judged.
    cardinalities : tuple of int
        Sizes of the subsets, ascending, each once.
    method : {"auto", "exact", "exhaustive", "local", "guiver"}
        ``exhaustive`` looks at all subsets; ``local`` swaps topics from many starts; ``guiver`` is the
        paper's heuristic; ``auto`` looks at all where that is quick, and swaps elsewhere. ``exact`` goes on from
        ``auto`` and proves what swaps found by branch and bound, or says what no set exceeds. That is for
        Pearson's correlation on up to 128 topics; no bound is known for pairs of runs, where ``exact`` is
        ``exhaustive``.
    n_trials : int
        Random subsets of each cardinality behind percentiles, and behind means that are not exact.
    seed : int
        Of random subsets and starts.
    effort : float
        CPU seconds for swaps over all cardinalities, about; more means more random starts.
    nodes : int
        With ``exact``: parts of the tree that branch and bound looks at for a proof, for each cardinality and side,
        at most. Sets of fifty topics took up to 19 million on 14 real matrices, at some million a second; the
        best sets of a hundred topics mostly end as a gap.

    Raises
    ------
    InputError
        If a value breaks its rule.
    """

    goodness: Goodness
    cardinalities: tuple[int, ...]
    method: Method = "auto"
    n_trials: int = DEFAULT_TRIALS
    seed: int = DEFAULT_SEED
    effort: float = DEFAULT_EFFORT
    nodes: int = DEFAULT_NODES

    def __post_init__(self) -> None:
        measure_of(self.goodness)
        if self.method not in get_args(Method):
            raise InputError("method", self.method, f"must be one of {', '.join(get_args(Method))}")
        _whole("n_trials", self.n_trials, 2, MOST_TRIALS)
        _whole("seed", self.seed, 0, None)
        _whole("nodes", self.nodes, 1, MOST_NODES)
        if not 0 <= self.effort <= 1e6:
            raise InputError("effort", self.effort, "must be from 0 to 1,000,000 seconds")
        if not self.cardinalities:
            raise InputError("cardinality", self.cardinalities, "must be at least one number of topics")
        for cardinality in self.cardinalities:
            _whole("cardinality", cardinality, 1, None)
        object.__setattr__(self, "cardinalities", tuple(sorted({int(c) for c in self.cardinalities})))

    def check(self, n_topics: int) -> None:
        """Check against the number of topics of a matrix.

        Raises
        ------
        InputError
            If a cardinality is larger, or there are too many topics for the method.
        """
        _whole("cardinality", self.cardinalities[-1], 1, n_topics)
        if self.method == "exact" and self.goodness == "pearson" and n_topics > MOST_PROVED:
            rule = f"is for up to {MOST_PROVED} topics, not {n_topics:,}; ask for auto"
            raise InputError("method", self.method, rule)


def default_cardinalities(n_topics: int, goodness: Goodness) -> tuple[int, ...]:
    """Return all cardinalities, or for pairs of runs of more than 100 topics a grid.

    The grid has every cardinality up to 10 and the last 5, and between them steps of about a fifth: 12,
    15, 18, 22, ...
    """
    if goodness == "pearson" or n_topics <= _LARGE:
        return tuple(range(1, n_topics + 1))
    grid = {*range(1, 11), *range(n_topics - 4, n_topics + 1)}
    place = 10
    while (place := math.ceil(place * 1.2)) < n_topics - 4:
        grid.add(place)
    return tuple(sorted(grid))


def cardinalities_of(text: str) -> tuple[int, ...]:
    """Read "1-50", "5,10,20" or both mixed.

    Raises
    ------
    InputError
        If it is neither, or has no end within a million.
    """
    found: set[int] = set()
    for part in text.split(","):
        first, dash, last = (piece.strip() for piece in part.partition("-"))
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise InputError("cardinality", text, 'must be numbers and ranges like "1-10,20,30"')
        low, high = int(first), int(last) if dash else int(first)
        if not 1 <= low <= high <= 1_000_000:
            raise InputError("cardinality", text, "must be ascending ranges of whole numbers from 1")
        found.update(range(low, high + 1))
    return tuple(sorted(found))


def _whole(parameter: str, value: object, low: int, high: int | None) -> None:
    rule = (
        f"must be a whole number from {low:,} to {high:,}" if high else f"must be a whole number from {low}"
    )
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or int(value) < low or (high is not None and int(value) > high):  # type: ignore[call-overload]
        raise InputError(parameter, value, rule)
