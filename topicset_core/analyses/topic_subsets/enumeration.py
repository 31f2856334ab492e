"""Which cardinalities can be looked at in full, and what all parts of an enumeration found together."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from topicset_core.analyses.topic_subsets.judge import Enumerated, EnumerationTask, Judge, Valued, best_of
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.analyses.topic_subsets.sampling import are_few
from topicset_core.errors import InputError

_QUICK_SECONDS = 3.0  # CPU time that is worth knowing a cardinality's best for certain
_MOST_SECONDS = 7200.0
_MEAN_SUBSETS = 6e8  # up to so many goodness is added up too, which takes eight times as long


@dataclass(frozen=True)
class EnumerateTask:
    """A part of an enumeration with its judge."""

    judge: Judge
    part: EnumerationTask


def exhaustive_cardinalities(judge: Judge, request: Request) -> tuple[int, ...]:
    """Return those of the cardinalities whose subsets are all looked at.

    Raises
    ------
    InputError
        If all were asked for, or are all that is certain, and would take more than two hours of CPU time.
    """
    n, cardinalities = judge.n_topics, request.cardinalities
    counts = {c: math.comb(n, c) for c in cardinalities}
    few = {c for c in cardinalities if are_few(n, c, request.n_trials)}
    if request.method == "guiver":
        return tuple(c for c in cardinalities if c in (1, n))
    if request.method == "local":
        return tuple(sorted(few))
    proves = request.method == "exact" and request.goodness == "pearson"
    if request.method == "auto" or proves:
        limit = _QUICK_SECONDS * judge.looks_per_second
        return tuple(c for c in cardinalities if c in few or counts[c] <= limit)
    most = max(counts, key=lambda c: counts[c])
    # A complement is looked at together with its subset.
    total = sum({min(c, n - c): count for c, count in counts.items()}.values())
    if total > _MOST_SECONDS * judge.looks_per_second:
        rule = (
            f"would look at {total:.1e} subsets ({most:,} of {n:,} topics: {counts[most]:.1e}); "
            "ask for auto or local"
        )
        if request.method == "exact":
            rule = f"has a proof for Pearson's correlation only, and else {rule}"
        raise InputError("method", request.method, rule)
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
