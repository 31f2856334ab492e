"""Criteria that score and search subsets of topics: one base for all measures of goodness.

Inside the analysis goodness is oriented so that more is better: correlation, tau, minus the error rate.
Subsets are arrays of ascending topic numbers, counted from 0.

A set of c of n topics has c (n - c) neighbours, twelve million at half of 7,000 topics. Of more than a thousand
topics one evaluation is of the gain or loss by each topic alone, n values. Steps to another size take in (give
up) a fiftieth of the set at a time. Up to `EXCHANGES` follow while they gain: the best of all for sets of up to
40 topics; of more, the best topic to give up and then the best to take in, or in the opposite order. So numbers
of topics, runs and sizes bound the work for any scores.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from topicset_core.errors import InputError

Floats = NDArray[np.float64]
Topics = NDArray[np.int64]

KEPT = 10
"""Best and worst subsets that are kept at each cardinality, as in the paper's section 5.5."""

UNDEFINED = -5.0
"""Above: a goodness. Criteria and kernels give -8 or less for "no correlation", and -4 or more else."""

MOST_SWAPPED = 1000
"""Topics up to which local search tries all swaps, and subsets may be enumerated."""

EXCHANGES = 25
"""Of one topic for another, at most, before a search of that many topics ends."""

_TOGETHER = 50  # a step takes this part of the set at a time
_FEW = 40  # topics of a set of which each is tried to leave
_LEAVING = 6  # topics whose exchange for any other is tried for neighbours
_LEAST_GAIN = 1e-12  # as in the kernels: rounding must not lead in circles


class Valued(NamedTuple):
    """A subset with its oriented goodness."""

    value: float
    topics: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Enumerated:
    """The result of a part of an enumeration at one cardinality."""

    # Up to ten, the most extreme first
    best: tuple[Valued, ...]
    worst: tuple[Valued, ...]
    total: float  # sum of the oriented goodness of all subsets that have one
    n_undefined: int  # subsets without a correlation


@dataclass(frozen=True, kw_only=True)
class EnumerationTask:
    """A part of an enumeration of under half a second: all subsets that begin in certain ways."""

    cardinality: int  # size of the subsets, or of the largest
    sizes: tuple[int, ...]  # cardinalities to report, complements included
    prefixes: tuple[tuple[tuple[int, ...], bool], ...]  # first topics of subsets, and whether more may follow
    mean: bool  # whether to add goodness up
    cost: float

    @property
    def prefix_arrays(self) -> tuple[Topics, Topics, NDArray[np.bool_]]:
        """Prefixes, (k, longest), their lengths, and whether more topics may follow."""
        lengths = np.array([len(prefix) for prefix, _ in self.prefixes])
        prefixes = np.zeros((len(lengths), max(1, int(lengths.max()))), dtype=np.int64)
        for row, (prefix, _) in enumerate(self.prefixes):
            prefixes[row, : len(prefix)] = prefix
        return prefixes, lengths, np.array([extends for _, extends in self.prefixes])


class Evaluation(Protocol):
    """Gives the goodness of subsets."""

    def value(self, topics: Sequence[int]) -> float | None:
        """Return the oriented goodness of one subset, None where it has no correlation."""

    def walk(self, orders: Topics, cardinalities: Topics) -> Floats:
        """Return the goodness of the first c topics of each order, (k, n_sizes); -9 or less if undefined."""


class Criterion(Evaluation, Protocol):
    """Scores and searches subsets by one measure: by compiled loops, or by sums of rows of many topics."""

    @property
    def evaluations_per_second(self) -> float:
        """About how many subsets it can evaluate."""

    def seconds_per_start(self, cardinality: int) -> float:
        """Return roughly the seconds of `local_search` from one random start of that size."""

    @property
    def rows(self) -> NDArray[Any]:
        """What is added up over topics, (n_topics, n_columns)."""

    def with_one_changed(self, sums: NDArray[Any], *, less: bool) -> Floats:
        """Return the goodness of the set with these sums with each topic more, or less; -8 if undefined."""

    @property
    def kernels(self) -> Any:
        """Module of the loops, imported where they are used: Numba takes half a second to import."""

    @property
    def search_arguments(self) -> tuple[Any, ...]:
        """What these searches take first."""

    def plan(self, sizes: Mapping[int, bool]) -> list[EnumerationTask]:
        """Return the parts of an enumeration of these cardinalities; True for those with their mean."""

    def enumerate(self, task: EnumerationTask) -> dict[int, Enumerated]:
        """Do a part of an enumeration."""

    @property
    def n_topics(self) -> int:
        """Topics in all."""
        return len(self.rows)

    def exact(self, results: list[Valued]) -> list[Valued]:
        """Return results of the loops with exact values."""
        return results

    def local_search(self, starts: Topics, cardinality: int, sign: int) -> list[Valued]:
        """Bring starts, (k, size), to a size and exchange topics while that gains; `sign` -1 for the worst."""
        if self.n_topics > MOST_SWAPPED:
            ends = sorted({fixed_stepwise(self, start, cardinality, sign) for start in starts.tolist()})
            return [Valued(value, end) for end in ends if (value := self.value(end)) is not None]
        starts = np.ascontiguousarray(starts)
        values, members = self.kernels.local_search(*self.search_arguments, starts, cardinality, float(sign))
        return self.exact(valued_subsets(values, members, sign))

    def neighbours(self, topics: Sequence[int], sign: int) -> list[Valued]:
        """Return the ten best (or worst) sets that differ by one exchange."""
        if self.n_topics > MOST_SWAPPED:
            return self.exact(nearby(self, topics, sign))
        values = self.kernels.neighbours(*self.search_arguments, np.array(topics))
        return self.exact(best_exchanges(values, topics, sign))

    def extend(self, topics: Sequence[int], removed: Topics, sign: int) -> Valued | None:
        """Return the best (or worst) set of one more topic: places `removed`, (k, 2), go, up to 3 topics come."""
        members = np.array(topics, dtype=np.int64)
        value, change = self.kernels.extend(*self.search_arguments, members, removed, float(sign))
        results = [Valued(sign * float(value), changed(topics, change))] if change[2] >= 0 else []
        return next(iter(self.exact(results)), None)


def refuse_equal_means() -> InputError:
    """Return the error for runs that all have the same mean."""
    return InputError("scores", "equal means", "must not give all runs the same mean over all topics")


def valued_subsets(values: Floats, members: NDArray[Any], sign: int) -> list[Valued]:
    """Convert kernel results, sign times goodness, to subsets with their goodness; leave out undefined ones."""
    return [
        Valued(sign * float(value), tuple(topics.tolist()))
        for value, topics in zip(values, members, strict=True)
        if value > UNDEFINED
    ]


def best_exchanges(values: Floats, topics: Sequence[int], sign: int) -> list[Valued]:
    """Return the ten best exchanges of a table, (c, n), of goodness: topic k out, topic q in."""
    oriented = np.where(values > UNDEFINED, sign * values, -np.inf).ravel()
    least = -np.partition(-oriented, KEPT - 1)[KEPT - 1] if oriented.size > KEPT else -np.inf
    places = np.nonzero((oriented >= least) & np.isfinite(oriented))[0]
    results = []
    for place in places[np.argsort(-oriented[places], kind="stable")][:KEPT].tolist():
        leaves, comes = divmod(place, values.shape[1])
        swapped = (*topics[:leaves], *topics[leaves + 1 :], comes)
        results.append(Valued(float(values[leaves, comes]), tuple(sorted(swapped))))
    return results


def changed(topics: Sequence[int], change: Topics) -> tuple[int, ...]:
    """Return the topics after a change: two that may leave, three that may enter, -1 for no topic."""
    return tuple(sorted({*topics, *change[2:].tolist()} - {*change[:2].tolist(), -1}))


def best_of(result: Sequence[Valued], sign: int) -> tuple[Valued, ...]:
    """Return the ten best (worst), ties in the order of their topics."""
    return tuple(sorted(result, key=lambda valued: (-sign * valued.value, valued.topics))[:KEPT])


def generator(seed: int, *key: int) -> np.random.Generator:
    """Return the random numbers of one purpose, which are the same whatever else is drawn."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def random_orders(rng: np.random.Generator, n_topics: int, n_orders: int) -> Topics:
    """Return random orders of all topics, (n_orders, n_topics); the first c are a random subset, for every c."""
    return rng.permuted(np.tile(np.arange(n_topics), (n_orders, 1)), axis=1)


def random_subsets(rng: np.random.Generator, n_topics: int, cardinality: int, n_subsets: int) -> Topics:
    """Return random subsets, (n_subsets, cardinality)."""
    return np.ascontiguousarray(random_orders(rng, n_topics, n_subsets)[:, :cardinality])


def evaluations_of(n_topics: int, cardinality: int) -> int:
    """Return how many evaluations of all topics `fixed_stepwise` takes to reach a size, at most."""
    few = min(cardinality, _TOGETHER)
    steps = few + math.ceil(_TOGETHER * math.log(max(cardinality, few) / few))
    return min(steps, n_topics) + EXCHANGES * (cardinality if cardinality <= _FEW else 4) + 1


class _Set:
    """A subset as it grows and shrinks."""

    def __init__(self, criterion: Criterion, topics: Sequence[int]) -> None:
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
        there = np.flatnonzero(self.inside if less else ~self.inside)
        values = self.criterion.with_one_changed(self.sums, less=less)[there]
        # No correlation is worse than any, for either sign.
        oriented = np.where(values > UNDEFINED, sign * values, -np.inf)
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
        others = self.sums - self.criterion.rows[first]
        value = float(self.criterion.with_one_changed(others, less=False)[first])
        return sign * value if value > UNDEFINED else -math.inf

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


def fixed_stepwise(
    criterion: Criterion, start: Sequence[int], cardinality: int, sign: int
) -> tuple[int, ...]:
    """Bring a start to a cardinality and exchange topics while that gains."""
    subset = _Set(criterion, start)
    while (size := subset.size) != cardinality:
        less = size > cardinality
        together = min(abs(size - cardinality), max(1, size // _TOGETHER))
        subset.move(subset.best(together, sign, less=less)[0], less=less)
    current = subset.goodness(sign)
    for _ in range(EXCHANGES):
        before = current
        if cardinality <= _FEW:
            current = subset.best_exchange(sign, current)
        else:
            current = subset.exchange(sign, current, leave_first=True)
            if current == before:
                current = subset.exchange(sign, current, leave_first=False)
        if current == before:
            break
    return subset.topics


def nearby(criterion: Criterion, topics: Sequence[int], sign: int) -> list[Valued]:
    """Return the ten best (worst) sets found by giving up one of a few topics for any other."""
    subset = _Set(criterion, topics)
    results = []
    for leaving in subset.best(_LEAVING, sign, less=True)[0].tolist():
        gone = np.array([leaving])
        subset.move(gone, less=True)
        coming, values = subset.best(KEPT + 1, sign, less=False)
        for topic, value in zip(coming.tolist(), values.tolist(), strict=True):
            if topic != leaving and math.isfinite(value):
                swapped = (*(kept for kept in topics if kept != leaving), topic)
                results.append(Valued(sign * value, tuple(sorted(swapped))))
        subset.move(gone, less=False)
    return sorted(results, key=lambda valued: (-sign * valued.value, valued.topics))[:KEPT]
