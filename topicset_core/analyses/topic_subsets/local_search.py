"""Search by swaps: from many starts, exchange one topic for another while that gains.

Starts are of two kinds. Two chains go through all cardinalities, one up from nothing and one down from all
topics; each takes in (gives up) the best topic and then swaps. Random subsets follow, as many as the effort
allows. The ten best are picked among the sets where searches ended and all sets one swap away from these.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.topic_subsets.judge import Judge, Valued, best_of
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.execution.batches import in_batches
from topicset_core.progress import Report

MOST_STARTS = 2000
"""Random starts for each cardinality; finds every proved optimum of TREC-8's 50 topics by correlation."""

_TASK_SECONDS = 0.3
_NEIGHBOURS_PER_SECOND = 3e7  # sorting them takes longer than judging them
_ROUNDS = 3  # times that the neighbours of the ten best are looked at


@dataclass(frozen=True)
class ChainTask:
    """One step of a chain."""

    judge: Judge
    start: tuple[int, ...]
    cardinality: int
    sign: int


@dataclass(frozen=True)
class LocalTask:
    """The search at one cardinality in one direction."""

    judge: Judge
    cardinality: int
    sign: int
    ends: tuple[Valued, ...]  # of the chains
    n_starts: int
    n_looks: float  # for neighbours
    seed: int


def chain_step(task: ChainTask) -> Valued | None:
    """Return the next set of a chain; None where no set of that size has a correlation."""
    starts = np.array([task.start], dtype=np.int64).reshape(1, -1)
    found = task.judge.settle(starts, task.cardinality, task.sign)
    return found[0] if found else None


def chained(
    judge: Judge, cardinalities: Sequence[int], report: Report, executor: Executor | None
) -> dict[tuple[int, int], list[Valued]]:
    """Go up from nothing and down from all topics, for the best and for the worst, side by side.

    Returns
    -------
    dict
        From cardinality and sign to the sets that chains came by there; cardinalities ascend.
    """
    ends: dict[tuple[int, int], list[Valued]] = {(c, sign): [] for c in cardinalities for sign in (1, -1)}
    everything = tuple(range(judge.n_topics))
    at = {(sign, up): () if up else everything for sign in (1, -1) for up in (True, False)}
    for step, (lower, upper) in enumerate(zip(cardinalities, reversed(cardinalities), strict=True)):
        tasks = [ChainTask(judge, start, lower if up else upper, sign) for (sign, up), start in at.items()]
        work = in_batches(
            chain_step,
            tasks,
            [1.0] * len(tasks),
            lambda part, step=step: report((step + part) / len(cardinalities)),  # type: ignore[misc]
            executor,
        )
        for (key, _), (task, end) in zip(list(at.items()), work, strict=True):
            if end is not None:
                at[key] = end.topics
                ends[task.cardinality, task.sign].append(end)
    return ends


def seconds_of(n_tasks: int, effort: float) -> float:
    """Return about how long the searches take, in CPU seconds."""
    return n_tasks * min(_TASK_SECONDS, effort / n_tasks)


def local_task(
    judge: Judge, cardinality: int, sign: int, ends: Sequence[Valued], request: Request, n_tasks: int
) -> LocalTask:
    """Return the search with the effort that `n_tasks` of them leave to each."""
    seconds = seconds_of(n_tasks, request.effort) / n_tasks
    return LocalTask(
        judge=judge,
        cardinality=cardinality,
        sign=sign,
        ends=tuple(ends),
        n_starts=min(MOST_STARTS, int(seconds / judge.seconds_per_start(cardinality))),
        n_looks=0.3 * seconds * min(judge.looks_per_second, _NEIGHBOURS_PER_SECOND),
        seed=request.seed,
    )


def local_search(task: LocalTask) -> tuple[Valued, ...]:
    """Return up to ten best (worst) sets."""
    judge, sign = task.judge, task.sign
    found = {end.topics: end for end in task.ends}
    if task.n_starts:
        key = (1, task.cardinality, int(sign > 0))
        rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(task.seed, spawn_key=key)))
        every = np.tile(np.arange(judge.n_topics), (task.n_starts, 1))
        starts = np.ascontiguousarray(rng.permuted(every, axis=1)[:, : task.cardinality])
        found |= {end.topics: end for end in judge.settle(starts, task.cardinality, sign)}
    looked: set[tuple[int, ...]] = set()
    allowed = max(1, int(task.n_looks / max(1, task.cardinality * (judge.n_topics - task.cardinality))))
    for _ in range(_ROUNDS):
        for one in best_of(list(found.values()), sign):
            if one.topics not in looked and len(looked) < allowed:
                looked.add(one.topics)
                found |= {near.topics: near for near in judge.neighbours(one.topics, sign)}
    return best_of(list(found.values()), sign)
