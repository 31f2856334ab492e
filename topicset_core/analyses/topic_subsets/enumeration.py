"""Enumeration of subsets: which cardinalities allow it, its parts of bounded size, and what these found together.

Subsets are grown topic by topic in ascending order; a prefix represents all subsets that begin with it. A
prefix with too many continuations is taken as it is, without them, and cut into longer ones.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from topicset_core.analyses.topic_subsets.criterion import (
    Criterion,
    Enumerated,
    EnumerationTask,
    Valued,
    best_of,
)
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.analyses.topic_subsets.sampling import are_few
from topicset_core.analyses.topic_subsets.searches import MOST_SWAPPED
from topicset_core.errors import InputError

Prefix = tuple[tuple[int, ...], bool]
"""First topics, and whether more may follow."""


@dataclass(frozen=True)
class Part:
    """Prefixes that are enumerated together."""

    prefixes: tuple[Prefix, ...]  # in ascending order
    n_subsets: int  # number of subsets that they represent


def parts(n: int, cardinality: int, inner: int, limit: float) -> list[Part]:
    """Cut the c-subsets of n topics, `inner` of them tabulated, by the others: about `limit` subsets in a part."""
    outer = n - inner

    def continuations(prefix: tuple[int, ...]) -> int:
        following = outer - (prefix[-1] + 1 if prefix else 0)
        return math.comb(following + inner, cardinality - len(prefix))

    def alone(prefix: tuple[int, ...]) -> int:
        return math.comb(inner, cardinality - len(prefix))

    return _grouped(_cut((), outer, cardinality, limit, continuations, alone), limit)


def parts_of_all(n: int, deepest: int, limit: float) -> list[Part]:
    """Cut all subsets of 1 to `deepest` of n topics."""

    def continuations(prefix: tuple[int, ...]) -> int:
        following = n - prefix[-1] - 1
        return sum(math.comb(following, more) for more in range(deepest - len(prefix) + 1))

    def alone(_: tuple[int, ...]) -> int:
        return 1

    prefixes = (
        result for topic in range(n) for result in _cut((topic,), n, deepest, limit, continuations, alone)
    )
    return _grouped(prefixes, limit)


def _cut(
    prefix: tuple[int, ...],
    n: int,
    longest: int,
    limit: float,
    continuations: Callable[[tuple[int, ...]], int],
    alone: Callable[[tuple[int, ...]], int],
) -> Iterator[tuple[Prefix, int]]:
    count = continuations(prefix)
    if count == 0:
        return
    first = prefix[-1] + 1 if prefix else 0
    if count <= limit or len(prefix) == longest or first == n:
        yield (prefix, True), count
        return
    if (own := alone(prefix)) > 0:
        yield (prefix, False), own
    for topic in range(first, n):
        yield from _cut((*prefix, topic), n, longest, limit, continuations, alone)


def _grouped(prefixes: Iterator[tuple[Prefix, int]], limit: float) -> list[Part]:
    results: list[Part] = []
    together: list[Prefix] = []
    size = 0
    for prefix, count in prefixes:
        if together and size + count > limit:
            results.append(Part(tuple(together), size))
            together, size = [], 0
        together.append(prefix)
        size += count
    return [*results, Part(tuple(together), size)] if together else results


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
        rule = (
            f"would evaluate {total:.1e} subsets ({most:,} of {n:,} topics: {counts[most]:.1e}); choose auto "
            "or local"
        )
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
