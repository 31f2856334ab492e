"""The difference of two systems in each group of topics, and for other topics of the same groups.

**These groups.** For other topics of the same groups the mean difference varies by the variance within groups
alone: the standard error of the mean over topics is sqrt(MS_w / N), with N - g degrees of freedom; that of the mean
of group means is in `topicset_core.preparation.means`. For other groups like these see `comparison`. Which one
counts is a matter of the claim: of these datasets, or of datasets like these.

**Each group** of n_i topics has the t interval of its own mean at level 1 - alpha / g, so that all hold at once
(Bonferroni), and a p value adjusted for g groups by Holm (1979). What its topics detect with power 1 - beta is that
of a paired t test at alpha / g. Where this is above the margin, a difference that is not shown may still matter:
the group has not enough topics. A group of several topics with the same difference on each has no variance to
test by.
"""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.designs import Plan, paired_t
from topicset_core.designs.distributions import critical_t, f_tail
from topicset_core.designs.holm import adjusted
from topicset_core.errors import NoSolution
from topicset_core.preparation import means

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


def for_same_groups(differences: ScoreMatrix, alpha: float, mean: str | None) -> tuple[float, float] | None:
    """Return the interval of the mean for other topics of these groups; None without a variance within them."""
    if mean == "groups":
        of_means = means.for_same_groups(differences)
        if of_means is None:
            return None
        centre = float(means.system_means(differences, mean)[0])
        reach = float(critical_t(float(of_means.df[0]), alpha)) * float(of_means.errors[0])
        return centre - reach, centre + reach
    n, parts = differences.n_topics, _parts(differences)
    df = n - len(parts)
    if df == 0:
        return None
    inside = sum(float(np.square(part - part.mean()).sum()) for part in parts) / df
    centre, reach = float(differences.scores.mean()), float(critical_t(df, alpha)) * math.sqrt(inside / n)
    return centre - reach, centre + reach


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
    detected = _detected(plan, [part.size for part in parts], variances)
    critical = {n: float(critical_t(n - 1, each)) for n in {part.size for part in parts} - {1}}
    results = []
    for name, part, variance, adjusted_p, least in zip(
        names, parts, variances, adjusted(p), detected, strict=True
    ):
        mean, n = float(part.mean()), part.size
        low = high = detectable = None
        finding: Finding = "not enough topics" if n == 1 else "no variance"
        if adjusted_p is not None:
            reach = critical[n] * math.sqrt(variance / n)
            low, high, detectable = mean - reach, mean + reach, least
            if adjusted_p <= alpha:
                finding = "better" if mean > 0 else "worse"
            else:
                is_enough = least is not None and (margin is None or least <= margin)
                finding = "not shown" if is_enough else "not enough topics"
        results.append(
            OfGroup(
                group=name,
                topics=n,
                difference=mean,
                low=low,
                high=high,
                adjusted_p=adjusted_p,
                detectable=detectable,
                finding=finding,
            )
        )
    return tuple(results)


def _detected(plan: Plan, sizes: Sequence[int], variances: Sequence[float]) -> list[float | None]:
    """Return what each group detects; None without a variance, or where it is beyond all effects."""
    result: list[float | None] = [None] * len(sizes)
    by_size: dict[int, list[int]] = {}
    for place, (n, variance) in enumerate(zip(sizes, variances, strict=True)):
        if variance > 0:
            by_size.setdefault(n, []).append(place)
    for n, places in by_size.items():
        with suppress(NoSolution):
            detected = plan.detected(n, [variances[place] for place in places]).tolist()
            for place, least in zip(places, detected, strict=True):
                result[place] = least
    return result


def _parts(differences: ScoreMatrix) -> list[NDArray[np.float64]]:
    """Return the differences in each group, in the order in which groups come first."""
    places = {name: place for place, name in enumerate(differences.group_sizes)}
    of = np.array([places[group] for group in differences.groups or ()])
    ends = np.cumsum([*differences.group_sizes.values()])[:-1]
    return np.split(differences.scores[np.argsort(of, kind="stable"), 0], ends)
