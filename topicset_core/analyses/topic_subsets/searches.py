"""Searches for the best and worst subsets: by local search, and the paper's own heuristic.

Local search exchanges one topic for another while that gains. Two chains go through all cardinalities, one up
from nothing and one down from all topics; random starts follow, as many as the effort allows. The ten best are
picked among sets where searches ended and all sets one exchange away from these.

A set of c of n topics has c (n - c) neighbours, twelve million at half of 7,000 topics. Of more than a thousand
topics one evaluation is of the gain or loss by each topic alone, n values. Steps to another size take in (give
up) a fiftieth of the set at a time. Up to `EXCHANGES` follow while they gain: the best of all for sets of up to
40 topics; of more, the best topic to give up and then the best to take in, or in the opposite order. So numbers
of topics, runs and sizes bound the work for any scores.

The paper's own heuristic (Guiver et al. 2009, section 4.6) seeks "the best for cardinality c + 1 among sets which
differ from the best c set by not more than 3 topics", read as: one topic comes in; or one goes and two come; or
two go and three come. It starts from the best single topic.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_subsets.criterion import (
    KEPT,
    UNDEFINED,
    Criterion,
    Floats,
    Topics,
    Valued,
    best_exchanges,
    best_of,
    changed,
    generator,
    random_subsets,
    valued_subsets,
)
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.progress import ReportProgress, part

MOST_STARTS = 2000
"""Random starts for each cardinality; finds every proved optimum of TREC-8's 50 topics by correlation."""

_TASK_SECONDS = 0.3
_NEIGHBOURS_PER_SECOND = 3e7  # sorting them takes longer than evaluating them
_ROUNDS = 3  # times that the neighbours of the ten best are evaluated


@dataclass(frozen=True)
class LocalTask:
    """The search at one cardinality in one direction."""

    criterion: Criterion
    cardinality: int
    sign: int
    ends: tuple[Valued, ...]  # of the chains
    n_starts: int
    n_looks: float  # for neighbours
    seed: int


def _chain_step(criterion: Criterion, task: tuple[tuple[int, ...], int, int]) -> Valued | None:
    """Return the next set of a chain from start, size and sign; None where no such set has a correlation."""
    start, cardinality, sign = task
    result = criterion.local_search(np.array([start], dtype=np.int64).reshape(1, -1), cardinality, sign)
    return result[0] if result else None


def chained(
    criterion: Criterion, cardinalities: Sequence[int], report: ReportProgress, executor: Executor | None
) -> dict[tuple[int, int], list[Valued]]:
    """Go up from nothing and down from all topics, for the best and for the worst, side by side."""
    ends: dict[tuple[int, int], list[Valued]] = {(c, sign): [] for c in cardinalities for sign in (1, -1)}
    everything = tuple(range(criterion.n_topics))
    at = {(sign, up): () if up else everything for sign in (1, -1) for up in (True, False)}
    for step, (lower, upper) in enumerate(zip(cardinalities, reversed(cardinalities), strict=True)):
        tasks = [(start, lower if up else upper, sign) for (sign, up), start in at.items()]
        progress = part(report, step / len(cardinalities), 1 / len(cardinalities))
        work = in_batches(partial(_chain_step, criterion), tasks, [1.0] * len(tasks), progress, executor)
        for key, ((_, cardinality, sign), end) in zip(list(at), work, strict=True):
            if end is not None:
                at[key] = end.topics
                ends[cardinality, sign].append(end)
    return ends


def seconds_of(n_tasks: int, effort: float) -> float:
    """Return about how long the searches take, in CPU seconds."""
    return n_tasks * min(_TASK_SECONDS, effort / n_tasks)


def local_task(
    criterion: Criterion, cardinality: int, sign: int, ends: Sequence[Valued], request: Request, n_tasks: int
) -> LocalTask:
    """Return the search with the effort that `n_tasks` of them leave to each."""
    seconds = seconds_of(n_tasks, request.effort) / n_tasks
    return LocalTask(
        criterion=criterion,
        cardinality=cardinality,
        sign=sign,
        ends=tuple(ends),
        n_starts=min(MOST_STARTS, int(seconds / criterion.seconds_per_start(cardinality))),
        n_looks=0.3 * seconds * min(criterion.evaluations_per_second, _NEIGHBOURS_PER_SECOND),
        seed=request.seed,
    )


def local_search(task: LocalTask) -> tuple[Valued, ...]:
    """Return up to ten best (worst) sets; one of large sets of thousands of topics, as ten would fill memory."""
    criterion, sign = task.criterion, task.sign
    result = {end.topics: end for end in task.ends}
    if task.n_starts:
        rng = generator(task.seed, 1, task.cardinality, int(sign > 0))
        starts = random_subsets(rng, criterion.n_topics, task.cardinality, task.n_starts)
        result |= {end.topics: end for end in criterion.local_search(starts, task.cardinality, sign)}
    if criterion.n_topics > MOST_SWAPPED and task.cardinality > MOST_LISTED:
        return best_of(list(result.values()), sign)[:1]
    visited: set[tuple[int, ...]] = set()
    allowed = max(1, int(task.n_looks / max(1, task.cardinality * (criterion.n_topics - task.cardinality))))
    for _ in range(_ROUNDS):
        for one in best_of(list(result.values()), sign):
            if one.topics not in visited and len(visited) < allowed:
                visited.add(one.topics)
                result |= {near.topics: near for near in criterion.neighbours(one.topics, sign)}
    return best_of(list(result.values()), sign)


_STEP_SECONDS = 0.2
_MOST_SECONDS = 1800.0


def n_extensions(n: int, cardinality: int) -> int:
    """Return how many sets of one more topic the heuristic evaluates."""
    outside = n - cardinality
    return sum(math.comb(cardinality, gone) * math.comb(outside, gone + 1) for gone in range(3))


def heuristic_evaluations(n: int, last: int) -> int:
    """Return how many sets of up to `last` topics it evaluates for the best and the worst."""
    return 2 * sum(n_extensions(n, cardinality) for cardinality in range(1, last))


def check_effort(criterion: Criterion, last: int) -> None:
    """Refuse what would take more than half an hour of CPU time."""
    evaluations = heuristic_evaluations(criterion.n_topics, last)
    if evaluations > _MOST_SECONDS * criterion.evaluations_per_second:
        rule = (
            f"would evaluate {evaluations:.1e} subsets of these {criterion.n_topics:,} topics; choose local"
        )
        raise InputError("method", "guiver", rule)


def extend_tasks(criterion: Criterion, cardinality: int) -> Iterator[tuple[Topics, float]]:
    """Cut the next step of the heuristic: places of topics that go, (k, 2), -1 for none, and the number of sets."""
    places, outside = range(cardinality), criterion.n_topics - cardinality
    together: list[tuple[int, int]] = []
    cost = 0.0
    ways = itertools.chain([(-1, -1)], ((place, -1) for place in places), itertools.combinations(places, 2))
    for way in ways:
        together.append(way)
        cost += math.comb(outside, 1 + sum(place >= 0 for place in way))
        if cost > _STEP_SECONDS * criterion.evaluations_per_second:
            yield np.array(together, dtype=np.int64), cost
            together, cost = [], 0.0
    if together:
        yield np.array(together, dtype=np.int64), cost


def followed(
    criterion: Criterion, last: int, report: ReportProgress, executor: Executor | None
) -> Iterator[tuple[int, tuple[Valued, ...], tuple[Valued, ...]]]:
    """Follow the heuristic from the best and from the worst single topic up to `last` topics."""
    at = {sign: _first(criterion, sign) for sign in (1, -1)}
    total = float(heuristic_evaluations(criterion.n_topics, last))
    done = 0.0
    for cardinality in range(2, last + 1):
        for sign, start in at.items():
            if start is None:
                continue
            tasks, costs = zip(*extend_tasks(criterion, len(start.topics)), strict=True)
            share = sum(costs) / total
            before, done = done, done + share
            extend = partial(criterion.extend, start.topics, sign=sign)
            work = in_batches(extend, tasks, costs, part(report, before, share), executor)
            results = [one for _, one in work if one is not None]
            at[sign] = best_of(results, sign)[0] if results else None
        best, worst = ((one,) if (one := at[sign]) is not None else () for sign in (1, -1))
        yield cardinality, best, worst


def _first(criterion: Criterion, sign: int) -> Valued | None:
    """Return the best (worst) single topic."""
    values = [(criterion.value((topic,)), (topic,)) for topic in range(criterion.n_topics)]
    results = [Valued(value, topics) for value, topics in values if value is not None]
    return best_of(results, sign)[0] if results else None


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


class CompiledSearch(SumCriterion, Protocol):
    """Searches by compiled loops, and of more topics than are swapped by sums; see `Criterion` for its methods."""

    @property
    def n_topics(self) -> int:
        """Topics in all."""
        return len(self.rows)

    @property
    def kernels(self) -> Any:
        """Module of the loops, imported where they are used: Numba takes half a second to import."""

    @property
    def search_arguments(self) -> tuple[Any, ...]:
        """What its searches take first."""

    def value(self, topics: Sequence[int]) -> float | None:
        """Return the oriented goodness of one subset, None where it has no correlation."""

    def exact(self, results: list[Valued]) -> list[Valued]:
        """Return results of the loops with exact values."""
        return results

    def local_search(self, starts: Topics, cardinality: int, sign: int) -> list[Valued]:
        """Bring starts to a size and exchange topics while that gains."""
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
        """Return the best (or worst) set of one more topic."""
        members = np.array(topics, dtype=np.int64)
        value, change = self.kernels.extend(*self.search_arguments, members, removed, float(sign))
        results = [Valued(sign * float(value), changed(topics, change))] if change[2] >= 0 else []
        return next(iter(self.exact(results)), None)


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
