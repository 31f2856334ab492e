"""A quick search for the best and worst subset, the same on any machine.

As in `local_search`, topics are swapped while that gains; here from the set that takes in one best topic at
a time, from the one that gives up one at a time, and from a set number of random ones, never as many as
time allows. Each cardinality is searched by itself, so that none depends on which others are asked. There
may be better subsets: what is found is heuristic, and a hundred splits average over where it fell short.
"""

from collections.abc import Sequence

import numpy as np

from topicset_core.analyses.topic_subsets.judge import Judge, Topics, Valued, best_of

_TASK_SECONDS = 0.25
_OTHER_STARTS = 2  # from nothing and from everything


def random_starts(rng: np.random.Generator, n_topics: int, cardinality: int, n_starts: int) -> Topics:
    """Return random subsets, (n_starts, cardinality)."""
    every = np.tile(np.arange(n_topics), (n_starts, 1))
    return np.ascontiguousarray(rng.permuted(every, axis=1)[:, :cardinality])


def searched(judge: Judge, cardinality: int, sign: int, starts: Topics) -> Valued | None:
    """Return the best (`sign` 1) or worst (-1) subset found; None where none has a correlation."""
    everything = np.arange(judge.n_topics)
    found = []
    for start in (everything[:0], everything):
        found += judge.settle(start.reshape(1, -1), cardinality, sign)
    if len(starts):
        found += judge.settle(starts, cardinality, sign)
    return best_of(found, sign)[0] if found else None


def seconds_of(judge: Judge, cardinality: int, n_starts: int) -> float:
    """Return about how long the search for the best and the worst takes."""
    return 2 * (n_starts + _OTHER_STARTS) * judge.seconds_per_start(cardinality)


def grouped(sizes: Sequence[int], costs: Sequence[float]) -> tuple[list[tuple[int, ...]], list[float]]:
    """Put neighbouring sizes together into parts of up to a quarter of a second, with the seconds of each."""
    groups: list[tuple[int, ...]] = []
    seconds: list[float] = []
    for size, cost in zip(sizes, costs, strict=True):
        if groups and seconds[-1] + cost <= _TASK_SECONDS:
            groups[-1] = (*groups[-1], size)
            seconds[-1] += cost
        else:
            groups.append((size,))
            seconds.append(cost)
    return groups, seconds
