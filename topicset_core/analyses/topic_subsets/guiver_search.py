"""The paper's own heuristic (section 4.6).

    "having identified the best set for cardinality c, to seek the best for cardinality c + 1 among sets
    which differ from the best c set by not more than 3 topics"

read as: at most 3 topics of the new set are not in the old one. So one topic comes in; or one goes and two
come; or two go and three come; and the best of all these sets is taken. It starts from the best single
topic.
"""

import itertools
import math
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass

from topicset_core.analyses.topic_subsets.judge import Judge, Valued, best_of
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.progress import Report

_TASK_SECONDS = 0.2
_MOST_SECONDS = 1800.0


@dataclass(frozen=True)
class ExtendTask:
    """A part of the sets one topic larger: those that give up certain topics."""

    judge: Judge
    topics: tuple[int, ...]
    removed: tuple[tuple[int, int], ...]
    sign: int
    cost: float


def looks_at(n: int, cardinality: int) -> int:
    """Return how many sets of one more topic the heuristic looks at."""
    outside = n - cardinality
    return sum(math.comb(cardinality, gone) * math.comb(outside, gone + 1) for gone in range(3))


def check_effort(judge: Judge, last: int) -> None:
    """Refuse what would take more than half an hour of CPU time.

    Raises
    ------
    InputError
        With the number of sets.
    """
    looks = 2 * sum(looks_at(judge.n_topics, c) for c in range(1, last))
    if looks > _MOST_SECONDS * judge.looks_per_second:
        rule = f"would look at {looks:.1e} subsets of these {judge.n_topics:,} topics; ask for local"
        raise InputError("method", "guiver", rule)


def extend_tasks(judge: Judge, topics: tuple[int, ...], sign: int) -> Iterator[ExtendTask]:
    """Cut the next step of the heuristic into parts."""
    places, outside = range(len(topics)), judge.n_topics - len(topics)
    together: list[tuple[int, int]] = []
    cost = 0.0
    ways = itertools.chain([(-1, -1)], ((place, -1) for place in places), itertools.combinations(places, 2))
    for way in ways:
        together.append(way)
        cost += math.comb(outside, 1 + sum(place >= 0 for place in way))
        if cost > _TASK_SECONDS * judge.looks_per_second:
            yield ExtendTask(judge, topics, tuple(together), sign, cost)
            together, cost = [], 0.0
    if together:
        yield ExtendTask(judge, topics, tuple(together), sign, cost)


def extended(task: ExtendTask) -> Valued | None:
    """Return the best (worst) set of a part."""
    import numpy as np

    return task.judge.extend(task.topics, np.array(task.removed, dtype=np.int64), task.sign)


def followed(
    judge: Judge, last: int, report: Report, executor: Executor | None
) -> Iterator[tuple[int, tuple[Valued, ...], tuple[Valued, ...]]]:
    """Follow the heuristic from the best and from the worst single topic up to `last` topics.

    Yields
    ------
    tuple
        A cardinality from 2 on, the best set that was come by there and the worst: none where no set of
        that size has a correlation.
    """
    at = {sign: _first(judge, sign) for sign in (1, -1)}
    total = float(sum(2 * looks_at(judge.n_topics, c) for c in range(1, last)))
    done = 0.0
    for cardinality in range(2, last + 1):
        for sign, start in at.items():
            if start is None:
                continue
            tasks = list(extend_tasks(judge, start.topics, sign))
            costs = [task.cost for task in tasks]
            share = sum(costs) / total
            before, done = done, done + share
            work = in_batches(
                extended,
                tasks,
                costs,
                lambda part, before=before, share=share: report(before + part * share),  # type: ignore[misc]
                executor,
            )
            found = [one for _, one in work if one is not None]
            at[sign] = best_of(found, sign)[0] if found else None
        best, worst = ((one,) if (one := at[sign]) is not None else () for sign in (1, -1))
        yield cardinality, best, worst


def _first(judge: Judge, sign: int) -> Valued | None:
    """Return the best (worst) single topic."""
    values = [(judge.value((topic,)), (topic,)) for topic in range(judge.n_topics)]
    found = [Valued(value, topics) for value, topics in values if value is not None]
    return best_of(found, sign)[0] if found else None
