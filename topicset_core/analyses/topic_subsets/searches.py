"""Searches for the best and worst subsets: by local search, and the paper's own heuristic.

Local search exchanges one topic for another while that gains. Two chains go through all cardinalities, one up
from nothing and one down from all topics; random starts follow, as many as the effort allows. The ten best are
picked among sets where searches ended and all sets one exchange away from these.

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

import numpy as np

from topicset_core.analyses.topic_subsets.criterion import (
    MOST_SWAPPED,
    Criterion,
    Topics,
    Valued,
    best_of,
    generator,
    random_subsets,
)
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.progress import ReportProgress, part

MOST_STARTS = 2000
"""Random starts for each cardinality; finds every proved optimum of TREC-8's 50 topics by correlation."""

MOST_LISTED = 100
"""Topics of a set up to which, where there are more topics than are swapped, ten sets are kept and not one."""

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
        for subset in best_of(list(result.values()), sign):
            if subset.topics not in visited and len(visited) < allowed:
                visited.add(subset.topics)
                result |= {near.topics: near for near in criterion.neighbours(subset.topics, sign)}
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
        n = criterion.n_topics
        rule = f"would evaluate {evaluations:.1e} subsets of these {n:,} topics; choose local"
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
            results = [valued for _, valued in work if valued is not None]
            at[sign] = best_of(results, sign)[0] if results else None
        best, worst = ((valued,) if (valued := at[sign]) is not None else () for sign in (1, -1))
        yield cardinality, best, worst


def _first(criterion: Criterion, sign: int) -> Valued | None:
    """Return the best (worst) single topic."""
    values = [(criterion.value((topic,)), (topic,)) for topic in range(criterion.n_topics)]
    results = [Valued(value, topics) for value, topics in values if value is not None]
    return best_of(results, sign)[0] if results else None
