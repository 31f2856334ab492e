"""Which subsets of a size are evaluated: all of them, enumerated in parts of bounded size, or random ones.

Enumerated subsets are grown topic by topic in ascending order; a prefix represents all subsets that begin with it.
A prefix with too many continuations is taken as it is, without them, and cut into longer ones.

Of random orders of all topics, each serves all cardinalities c with its first c topics, and takes one pass. Values
of neighbouring cardinalities go together; each alone is what independent draws give.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import numpy as np

from topicset_core.analyses.topic_subsets.criterion import (
    KEPT,
    MOST_SWAPPED,
    UNDEFINED,
    Criterion,
    Enumerated,
    EnumerationTask,
    Floats,
    Valued,
    best_of,
    generator,
    random_orders,
)
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.errors import InputError

Prefix = tuple[tuple[int, ...], bool]
"""First topics, and whether more may follow."""


Item = TypeVar("Item")


def packed(items: Iterable[tuple[Item, float]], limit: float) -> list[tuple[list[Item], float]]:
    """Put neighbours together into parts of up to a limit of cost, with the cost of each."""
    parts: list[tuple[list[Item], float]] = []
    for item, cost in items:
        if parts and parts[-1][1] + cost <= limit:
            together, so_far = parts[-1]
            parts[-1] = ([*together, item], so_far + cost)
        else:
            parts.append(([item], cost))
    return parts


def parts(
    n: int, sizes: Sequence[int], inner: int, limit: float, starts: Iterable[tuple[int, ...]] = ((),)
) -> list[tuple[list[Prefix], float]]:
    """Cut the subsets of n topics of some sizes by the outer ones, all but `inner`, and count each part."""
    outer = n - inner

    def count(free: int, prefix: tuple[int, ...]) -> int:
        return sum(math.comb(free, size - len(prefix)) for size in sizes if size >= len(prefix))

    def cut(prefix: tuple[int, ...]) -> Iterator[tuple[Prefix, int]]:
        first = prefix[-1] + 1 if prefix else 0
        whole, alone = count(outer - first + inner, prefix), count(inner, prefix)
        if whole == 0:
            return
        if whole <= limit or len(prefix) == sizes[-1] or first == outer:
            yield (prefix, True), whole
            return
        if alone > 0:
            yield (prefix, False), alone
        for topic in range(first, outer):
            yield from cut((*prefix, topic))

    return packed((found for start in starts for found in cut(start)), limit)


_QUICK_SECONDS = 3.0  # CPU time that is worth knowing a cardinality's best for certain
_MOST_SECONDS = 7200.0
_MEAN_SUBSETS = 6e8  # up to this number goodness is added up too, which takes eight times as long


def exhaustive_cardinalities(criterion: Criterion, request: Request) -> tuple[int, ...]:
    """Return the cardinalities at which all subsets are evaluated."""
    n, cardinalities = criterion.n_topics, request.sizes(criterion.n_topics)
    counts = {c: math.comb(n, c) for c in cardinalities}
    few = {c for c in cardinalities if are_few(n, c, request.n_trials)}
    if request.method == "guiver":
        return tuple(c for c in cardinalities if c in (1, n))
    if request.method == "local" or (request.method == "auto" and n > MOST_SWAPPED):
        return tuple(sorted(few))
    proves = request.method == "exact" and request.goodness == "pearson"
    if request.method == "auto" or proves:
        limit = _QUICK_SECONDS * criterion.evaluations_per_second
        return tuple(c for c in cardinalities if c in few or counts[c] <= limit)
    most = max(counts, key=lambda c: counts[c])
    # A complement is evaluated together with its subset.
    total = sum({min(c, n - c): count for c, count in counts.items()}.values())
    if total > _MOST_SECONDS * criterion.evaluations_per_second:
        largest = f"{most:,} of {n:,} topics: {counts[most]:.1e}"
        rule = f"would evaluate {total:.1e} subsets ({largest}); choose auto or local"
        if request.method == "exact":
            rule = f"has a proof for Pearson's correlation only, and else {rule}"
        raise InputError("method", request.method, rule)
    return tuple(cardinalities)


def enumerate_tasks(criterion: Criterion, cardinalities: Sequence[int]) -> list[EnumerationTask]:
    """Return the parts of the enumeration of these cardinalities; all topics together need no search."""
    n = criterion.n_topics
    has_mean = {c: math.comb(n, c) <= _MEAN_SUBSETS for c in cardinalities if c < n}
    return criterion.plan(has_mean) if has_mean else []


def merged(parts: Iterable[Enumerated]) -> Enumerated:
    """Return what parts found together, given in their order."""
    best: list[Valued] = []
    worst: list[Valued] = []
    totals, n_undefined = [], 0
    for part in parts:
        best += part.best
        worst += part.worst
        totals.append(part.total)
        n_undefined += part.n_undefined
        if len(best) + len(worst) > 1000:  # keep it short
            best, worst = list(best_of(best, 1)), list(best_of(worst, -1))
    return Enumerated(
        best=best_of(best, 1),
        worst=best_of(worst, -1),
        total=math.fsum(totals),
        n_undefined=n_undefined,
    )


PERCENTILES = (5, 25, 50, 75, 95)
"""Of the goodness of random subsets."""

_BLOCK = 50  # orders that share a seed of their own; part of the meaning of a seed, so never to be changed
_ALWAYS_ALL = 2000  # subsets that are evaluated all, however few random ones are asked for
_TASK_SECONDS = 0.2
_TASK_PLACES = 1_000_000  # of orders that are held at once, eight bytes each
_WALK_ROUNDING = 1e-7
"""A sum of c centred scores is off by c^2 2^-53 of the largest, and subsets with a correlation have run means of at
least 2^-23 of that: c^2 2^-30 at most."""


@dataclass(frozen=True, kw_only=True)
class Sampled:
    """Goodness at one cardinality, oriented so that more is better."""

    mean: float | None  # None where no subset has a correlation
    standard_error: float  # 0 where all subsets were evaluated
    # Subsets with a correlation and without
    n_averaged: int
    n_undefined: int
    percentiles: dict[int, float]


class WalkTask(NamedTuple):
    """Some blocks of random orders, or all subsets of one cardinality."""

    cardinalities: tuple[int, ...]
    blocks: tuple[int, ...]  # none: all subsets


def are_few(n_topics: int, cardinality: int, n_trials: int) -> bool:
    """Return whether all subsets are evaluated, as that is less work than random ones, or hardly more."""
    n_subsets = math.comb(n_topics, cardinality)
    if n_topics > MOST_SWAPPED and n_subsets * cardinality > _TASK_PLACES:
        return False  # 6,999 of 7,000 topics: few sets, but each of many topics
    return n_subsets <= max(n_trials, _ALWAYS_ALL)


def walk_tasks(criterion: Criterion, cardinalities: Sequence[int], n_trials: int) -> list[WalkTask]:
    """Return the work to do; the same values come out however blocks are grouped."""
    n = criterion.n_topics
    many = tuple(c for c in cardinalities if not are_few(n, c, n_trials))
    tasks = [WalkTask((c,), ()) for c in cardinalities if c not in many]
    if many:
        # A single evaluation takes longer.
        per_block = 3 * _BLOCK * many[-1] / criterion.evaluations_per_second
        together = max(1, min(int(_TASK_SECONDS / per_block), _TASK_PLACES // (_BLOCK * n)))
        blocks = range(-(-n_trials // _BLOCK))
        tasks += [WalkTask(many, tuple(blocks[start : start + together])) for start in blocks[::together]]
    return tasks


def walk(criterion: Criterion, seed: int, n_trials: int, task: WalkTask) -> Floats:
    """Return the oriented goodness, one column per cardinality."""
    n, cardinalities = criterion.n_topics, np.array(task.cardinalities, dtype=np.int64)
    if not task.blocks:
        subsets = list(itertools.combinations(range(n), task.cardinalities[0]))
        return criterion.walk(np.array(subsets, dtype=np.int64), cardinalities)
    orders = []
    for block in task.blocks:
        size = min(_BLOCK, n_trials - block * _BLOCK)
        orders.append(random_orders(generator(seed, 0, block), n, _BLOCK)[:size])
    return criterion.walk(np.concatenate(orders), cardinalities)


def summarised(values: Floats, *, exact: bool) -> Sampled:
    """Return mean and percentiles of the goodness of subsets, (k,)."""
    defined = values[values > UNDEFINED]
    if defined.size == 0:
        return Sampled(mean=None, standard_error=0.0, n_averaged=0, n_undefined=values.size, percentiles={})
    error = 0.0
    if not exact and defined.size > 1:
        error = float(defined.std(ddof=1)) / math.sqrt(defined.size)
    return Sampled(
        mean=float(defined.mean()),
        standard_error=error,
        n_averaged=defined.size,
        n_undefined=values.size - defined.size,
        percentiles=dict(zip(PERCENTILES, np.percentile(defined, PERCENTILES).tolist(), strict=True)),
    )


def extremes(
    criterion: Criterion, cardinality: int, values: Floats
) -> tuple[tuple[Valued, ...], tuple[Valued, ...]]:
    """Return the ten best and ten worst of all subsets of a cardinality, given their values in order."""
    defined = np.flatnonzero(values > UNDEFINED)
    order = defined[np.argsort(-values[defined], kind="stable")]
    # Values of a walk are rounded: where topics all but cancel, at 1e-7.
    ranked = values[order]
    n_best, n_worst = 2 * KEPT, 2 * KEPT
    if len(order) > KEPT:
        n_best = max(n_best, int(np.count_nonzero(ranked >= ranked[KEPT - 1] - _WALK_ROUNDING)))
        n_worst = max(n_worst, int(np.count_nonzero(ranked <= ranked[-KEPT] + _WALK_ROUNDING)))
    ends = {*order[:n_best].tolist(), *order[-n_worst:].tolist()}
    every = itertools.combinations(range(criterion.n_topics), cardinality)
    chosen = [topics for place, topics in enumerate(every) if place in ends]
    results = [Valued(value, topics) for topics in chosen if (value := criterion.value(topics)) is not None]
    return best_of(results, 1), best_of(results, -1)


def with_mean(sampled: Sampled, result: Enumerated | None, n_topics: int, cardinality: int) -> Sampled:
    """Put the mean of all subsets in place of a sample's, where there is one; percentiles stay the sample's."""
    if result is None or sampled.standard_error == 0:
        return sampled
    n_defined = math.comb(n_topics, cardinality) - result.n_undefined
    mean = result.total / n_defined
    return replace(
        sampled, mean=mean, standard_error=0.0, n_averaged=n_defined, n_undefined=result.n_undefined
    )
