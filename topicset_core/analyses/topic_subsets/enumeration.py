"""Which cardinalities can be looked at in full, and what all parts of an enumeration found together."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from topicset_core.analyses.topic_subsets.judge import Enumerated, EnumerationTask, Judge, Valued
from topicset_core.analyses.topic_subsets.local_search import best_of
from topicset_core.analyses.topic_subsets.request import Method
from topicset_core.errors import InputError

_QUICK_SECONDS = 3.0  # CPU time that is worth knowing a cardinality's best for certain
_MOST_SECONDS = 7200.0
_FEW = 10_000  # subsets that are looked at in full whatever was asked
_MEAN_SUBSETS = 6e8  # up to so many goodness is added up too, which takes eight times as long


@dataclass(frozen=True)
class EnumerateTask:
    """A part of an enumeration with its judge."""

    judge: Judge
    part: EnumerationTask


def exhaustive_cardinalities(judge: Judge, cardinalities: Sequence[int], method: Method) -> tuple[int, ...]:
    """Return those of the cardinalities whose subsets are all looked at.

    Raises
    ------
    InputError
        If all were asked for and would take more than two hours of CPU time.
    """
    n = judge.n_topics
    counts = {c: math.comb(n, c) for c in cardinalities}
    if method == "guiver":
        return tuple(c for c in cardinalities if c in (1, n))
    if method == "local":
        return tuple(c for c in cardinalities if counts[c] <= _FEW)
    if method == "auto":
        limit = max(_QUICK_SECONDS * judge.looks_per_second, _FEW)
        return tuple(c for c in cardinalities if counts[c] <= limit)
    most = max(counts, key=lambda c: counts[c])
    # A complement is looked at together with its subset.
    total = sum({min(c, n - c): count for c, count in counts.items()}.values())
    if total > _MOST_SECONDS * judge.looks_per_second:
        rule = (
            f"would look at {total:.1e} subsets ({most:,} of {n:,} topics: {counts[most]:.1e}); "
            "ask for auto or local"
        )
        raise InputError("method", "exhaustive", rule)
    return tuple(cardinalities)


def enumerate_tasks(judge: Judge, cardinalities: Sequence[int]) -> list[EnumerateTask]:
    """Return the parts of the enumeration of these cardinalities; all topics together need none."""
    n = judge.n_topics
    wanted = {c: math.comb(n, c) <= _MEAN_SUBSETS for c in cardinalities if c < n}
    return [EnumerateTask(judge, part) for part in judge.plan(wanted)] if wanted else []


def enumerate_part(task: EnumerateTask) -> dict[int, Enumerated]:
    """Do one part."""
    return task.judge.enumerate(task.part)


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
