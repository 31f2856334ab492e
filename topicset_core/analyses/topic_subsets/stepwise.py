"""The search on more than a thousand topics, where to try all swaps takes hours.

A set of c of n topics has c (n - c) neighbours: twelve million at half of 7,000 topics, and a local search
evaluates all of them for each swap. Here one evaluation is of the gain or loss by each topic alone, n values.
Steps to another size take in (give up) a fiftieth of the set at a time, the topics that add (take away) most.
Exchanges follow, `EXCHANGES` at most, while they gain: the best of all for sets of up to 40 topics; of more,
the best topic to give up and then the best to take in, or these two in the opposite order. Therefore the work
is bounded by the numbers of topics, runs and sizes, for any scores and on any machine.
"""

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_subsets.criterion import KEPT, Floats, Topics, Valued

MOST_SWAPPED = 1000
"""Topics up to which local search tries all swaps, and subsets may be enumerated."""

MOST_LISTED = 100
"""Topics of a set up to which, where there are more topics than are swapped, ten sets are kept and not one."""

EXCHANGES = 25
"""Of one topic for another, at most, before a search of that many topics ends."""

_TOGETHER = 50  # a step takes this part of the set at a time
_FEW = 40  # topics of a set of which each is tried to leave
_LEAVING = 6  # topics whose exchange for any other is tried for neighbours
_LEAST_GAIN = 1e-12  # as in the kernels: rounding must not lead in circles


class SumCriterion(Protocol):
    """Evaluates subsets by sums of rows over their topics, and all sets of one topic more or less at once."""

    @property
    def rows(self) -> NDArray[Any]:
        """What is added up, (n_topics, n_columns)."""

    def with_one_changed(self, sums: NDArray[Any], *, less: bool) -> Floats:
        """Return the goodness of the set with these sums with each topic more, or less; -8 if undefined."""


def evaluations_of(n_topics: int, cardinality: int) -> int:
    """Return how many evaluations of all topics `fixed_stepwise` takes to reach a size, at most."""
    few = min(cardinality, _TOGETHER)
    steps = few + math.ceil(_TOGETHER * math.log(max(cardinality, few) / few))
    return min(steps, n_topics) + EXCHANGES * (cardinality if cardinality <= _FEW else 4) + 1


class _Set:
    """A subset as it grows and shrinks."""

    def __init__(self, criterion: SumCriterion, topics: Sequence[int]) -> None:
        self.criterion = criterion
        self.inside = np.zeros(len(criterion.rows), dtype=np.bool_)
        self.inside[list(topics)] = True
        self.sums = criterion.rows[self.inside].sum(axis=0)

    @property
    def size(self) -> int:
        """Topics in it."""
        return int(np.count_nonzero(self.inside))

    def move(self, topics: Topics, *, less: bool) -> None:
        """Give up topics, or take them in."""
        self.inside[topics] = not less
        change = self.criterion.rows[topics].sum(axis=0)
        self.sums = self.sums - change if less else self.sums + change

    def best(self, n: int, sign: int, *, less: bool) -> tuple[Topics, Floats]:
        """Return the topics whose going (coming) is best, the best first, and how good the set is after each."""
        values = sign * self.criterion.with_one_changed(self.sums, less=less)
        there = np.flatnonzero(self.inside if less else ~self.inside)
        # No correlation is worse than any, for either sign.
        oriented = np.where(np.abs(values[there]) < _NO_VALUE, values[there], -np.inf)
        if n == 1:
            order = np.array([np.argmax(oriented)])  # the first of equal ones
        else:
            n = min(n, there.size)
            able = np.flatnonzero(oriented >= np.partition(oriented, -n)[-n])
            order = able[np.argsort(-oriented[able], kind="stable")][:n]
        return there[order], oriented[order]

    def goodness(self, sign: int) -> float:
        """Return how good it is; -inf without a correlation, or without topics."""
        if not self.inside.any():
            return -math.inf
        first = int(np.argmax(self.inside))
        value = float(
            self.criterion.with_one_changed(self.sums - self.criterion.rows[first], less=False)[first]
        )
        return sign * value if abs(value) < _NO_VALUE else -math.inf

    def exchange(self, sign: int, current: float, *, leave_first: bool) -> float:
        """Exchange one topic if that gains; return the goodness then, or as it was."""
        if not self.inside.any() or self.inside.all():
            return current
        first, _ = self.best(1, sign, less=leave_first)
        self.move(first, less=leave_first)
        second, values = self.best(1, sign, less=not leave_first)
        if values[0] > current + _LEAST_GAIN and second[0] != first[0]:
            self.move(second, less=not leave_first)
            return float(values[0])
        self.move(first, less=not leave_first)
        return current

    def best_exchange(self, sign: int, current: float) -> float:
        """Make the best of all exchanges of one topic if that gains; return the goodness then, or as it was."""
        chosen = None
        for leaving in np.flatnonzero(self.inside).reshape(-1, 1):
            self.move(leaving, less=True)
            coming, values = self.best(1, sign, less=False)
            if values[0] > current + _LEAST_GAIN and coming[0] != leaving[0]:
                chosen, current = (leaving, coming), float(values[0])
            self.move(leaving, less=False)
        if chosen is not None:
            self.move(chosen[0], less=True)
            self.move(chosen[1], less=False)
        return current

    @property
    def topics(self) -> tuple[int, ...]:
        """The topics, ascending."""
        return tuple(np.flatnonzero(self.inside).tolist())


_NO_VALUE = 5.0  # goodness is from -1 to 1; criteria give -8 or less for none


def fixed_stepwise(
    criterion: SumCriterion, start: Sequence[int], cardinality: int, sign: int
) -> tuple[int, ...]:
    """Bring a start to a cardinality and exchange topics while that gains."""
    one = _Set(criterion, start)
    while (size := one.size) != cardinality:
        less = size > cardinality
        together = min(abs(size - cardinality), max(1, size // _TOGETHER))
        one.move(one.best(together, sign, less=less)[0], less=less)
    current = one.goodness(sign)
    for _ in range(EXCHANGES):
        before = current
        if cardinality <= _FEW:
            current = one.best_exchange(sign, current)
        else:
            current = one.exchange(sign, current, leave_first=True)
            if current == before:
                current = one.exchange(sign, current, leave_first=False)
        if current == before:
            break
    return one.topics


def nearby(criterion: SumCriterion, topics: Sequence[int], sign: int) -> list[Valued]:
    """Return the ten best (worst) sets found by giving up one of a few topics for any other."""
    one = _Set(criterion, topics)
    results = []
    for leaving in one.best(_LEAVING, sign, less=True)[0].tolist():
        gone = np.array([leaving])
        one.move(gone, less=True)
        coming, values = one.best(KEPT + 1, sign, less=False)
        for topic, value in zip(coming.tolist(), values.tolist(), strict=True):
            if topic != leaving and math.isfinite(value):
                swapped = (*(kept for kept in topics if kept != leaving), topic)
                results.append(Valued(sign * value, tuple(sorted(swapped))))
        one.move(gone, less=False)
    return sorted(results, key=lambda valued: (-sign * valued.value, valued.topics))[:KEPT]
