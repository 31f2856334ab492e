"""The difference of two systems in each group of topics, and for other topics of the same groups.

**These groups.** For other topics of the same groups the mean difference varies by the variance within groups
alone: its standard error is sqrt(MS_w / N), with N - g degrees of freedom. For other groups like these it is CR2
(`comparison`). Which one counts is a matter of the claim: of these datasets, or of datasets like these.

**Each group** of n_i topics has the t interval of its own mean at level 1 - alpha / g, so that all hold at once
(Bonferroni), and a p value adjusted for g groups by Holm (1979). What its topics detect with power 1 - beta is that
of a paired t test at alpha / g. Where this is above the margin, a difference that is not shown may still matter:
the group has not enough topics. A group of several topics with the same difference on each has no variance to
test by.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.designs import paired_t
from topicset_core.designs.distributions import critical_t, f_tail

Finding = Literal["better", "worse", "not shown", "not enough topics", "no variance"]


@dataclass(frozen=True, kw_only=True)
class OfGroup:
    """The difference in one group of topics."""

    group: str
    topics: int
    difference: float  # in favour of the new system
    # Ends of its interval, the p value adjusted by Holm, and what as many topics detect; None without a variance
    low: float | None
    high: float | None
    adjusted_p: float | None
    detectable: float | None
    finding: Finding


def for_same_groups(differences: ScoreMatrix, alpha: float) -> tuple[float, float] | None:
    """Return the interval of the mean for other topics of these groups; None if each has one topic."""
    n, parts = differences.n_topics, _parts(differences)
    df = n - len(parts)
    if df == 0:
        return None
    inside = sum(float(np.square(part - part.mean()).sum()) for part in parts) / df
    mean, reach = float(differences.scores.mean()), float(critical_t(df, alpha)) * math.sqrt(inside / n)
    return mean - reach, mean + reach


def by_group(
    differences: ScoreMatrix, alpha: float, beta: float, margin: float | None = None, rounding: float = 0.0
) -> tuple[OfGroup, ...]:
    """Return the difference in each group, in the order in which groups come first; `rounding` is no variance."""
    names, parts = list(differences.group_sizes), _parts(differences)
    each = alpha / len(parts)
    plan = paired_t.DESIGN.plan(alpha=each, beta=beta)
    variances = [float(part.var(ddof=1)) if np.ptp(part) > rounding else 0.0 for part in parts]
    p = [
        f_tail(part.mean() ** 2 * part.size / variance, 1, part.size - 1) if variance > 0 else None
        for part, variance in zip(parts, variances, strict=True)
    ]
    results = []
    for name, part, variance, adjusted in zip(names, parts, variances, _holm(p), strict=True):
        mean, n = float(part.mean()), part.size
        low = high = detectable = None
        finding: Finding = "not enough topics" if n == 1 else "no variance"
        if adjusted is not None:
            reach = float(critical_t(n - 1, each)) * math.sqrt(variance / n)
            low, high = mean - reach, mean + reach
            detectable = float(plan.detected(n, variance))
            if adjusted <= alpha:
                finding = "better" if mean > 0 else "worse"
            else:
                finding = "not shown" if margin is None or detectable <= margin else "not enough topics"
        results.append(
            OfGroup(
                group=name,
                topics=n,
                difference=mean,
                low=low,
                high=high,
                adjusted_p=adjusted,
                detectable=detectable,
                finding=finding,
            )
        )
    return tuple(results)


def _parts(differences: ScoreMatrix) -> list[NDArray[np.float64]]:
    groups = np.array(differences.groups)
    return [differences.scores[groups == name, 0] for name in differences.group_sizes]


def _holm(p: Sequence[float | None]) -> list[float | None]:
    """Return p values adjusted by Holm's procedure; groups without one count, too."""
    order = sorted((value, place) for place, value in enumerate(p) if value is not None)
    result: list[float | None] = [None] * len(p)
    largest = 0.0
    for rank, (value, place) in enumerate(order):
        largest = max(largest, min(1.0, (len(p) - rank) * value))
        result[place] = largest
    return result
