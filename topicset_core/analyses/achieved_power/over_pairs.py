"""For which share of run pairs the stated power holds, and what rank tests need, in closed form.

A design takes one variance, but each pair has its own. With the variance of its own per-topic difference, a pair
has the power of the noncentral t distribution at minD and n, or of McNemar's test. This needs no simulation.

Rank tests have no design: their power depends on the shape of the differences, not on minD and a variance alone.
For given scores, with each pair's differences made symmetric around a shift, Noether's formulas (JASA 82,
645-647, 1987) give their topics. Differences are centred by their mean. Centred by their median, the sign test
needs fewer topics.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from topicset_core.analyses.achieved_power.resampling import NO_DIFFERENCE
from topicset_core.analyses.achieved_power.significance_tests import test_named
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import Plan, paired_t
from topicset_core.designs.distributions import upper_normal
from topicset_core.designs.search import Floats
from topicset_core.errors import InputError, NoSolution

CLOSED_FORMS = ("paired-t", "two-sample-t", "mcnemar", "mcnemar-mid-p")
"""Tests with a power that follows from a variance."""

CAREFUL = 0.95
"""Quantile of the variances over pairs that a careful design plans with (Webber et al. 2008)."""

_DEGREE = 300
"""Of the polynomial in the variance that gives McNemar's power of more pairs: its error is below 1e-6 with up to
5,000 topics, and below .0002 with 20,000."""

_NO_VARIANCE = 1e-12  # times the squared range of the scores


@dataclass(frozen=True, kw_only=True, eq=False)
class PowerOverPairs:
    """Power of each pair of runs."""

    n_topics: int
    min_d: float  # True difference, in units of the measure
    target_power: float  # power that is stated, 1 - beta
    # (n_pairs,): of the per-topic difference of each pair, or with separate topics the mean of both systems'
    # variances
    variances: Floats = field(repr=False)
    powers: Floats = field(repr=False)  # (n_pairs,): power of each, in the same order
    careful_topics: int | None  # topics by the 95th percentile of the variances

    @property
    def n_pairs(self) -> int:
        """Pairs of runs."""
        return self.powers.size

    @property
    def share(self) -> float:
        """Share of the pairs with at least the stated power, 0 to 1."""
        return float(np.mean(self.powers >= self.target_power))

    def quantile(self, probability: float) -> float:
        """Return a quantile of the power over pairs."""
        return float(np.quantile(self.powers, probability))

    def relative_variance(self, probability: float) -> float:
        """Return a quantile of the variance over pairs, in units of its mean."""
        return float(np.quantile(self.variances, probability) / self.variances.mean())


def power_over_pairs(
    matrix: ScoreMatrix,
    *,
    min_d: float,
    n_topics: int,
    alpha: float,
    beta: float,
    test: str,
) -> PowerOverPairs:
    """Return the power of all pairs of runs."""
    chosen = test_named(test)
    if test not in CLOSED_FORMS:
        raise InputError("test", test, f"must be {' or '.join(CLOSED_FORMS)}")
    plan = chosen.plan(alpha, beta, 2, chosen.topics[0])
    scores = matrix.scores
    i, k = np.triu_indices(scores.shape[1], 1)
    covariance = np.atleast_2d(np.cov(scores, rowvar=False, ddof=1))
    own = np.diag(covariance)
    variances = own[i] + own[k] - 2 * covariance[i, k]
    scale = float(matrix.scores.max() - matrix.scores.min()) ** 2
    good = variances > _NO_VARIANCE * scale
    if not good.any() or scale == 0:
        raise InputError("scores", matrix.name, NO_DIFFERENCE)
    variances = variances[good] if chosen.variance == "difference" else ((own[i] + own[k]) / 2)[good]
    careful: int | None = None
    with suppress(NoSolution):
        careful = int(plan.topics(min_d, float(np.quantile(variances, CAREFUL))))
    return PowerOverPairs(
        n_topics=n_topics,
        min_d=min_d,
        target_power=1 - beta,
        variances=variances,
        powers=_powers(plan, n_topics, min_d, variances, is_slow=chosen.is_of_shares),
        careful_topics=careful,
    )


def _powers(plan: Plan, n_topics: int, min_d: float, variances: Floats, *, is_slow: bool) -> Floats:
    """Return the power by each variance; one that takes long at many of them is interpolated (Chebyshev)."""
    if not is_slow or variances.size <= _DEGREE:
        return plan.power(n_topics, min_d, variances)
    # Scores of 0 and 1 that differ by minD have no variances beyond these, and `shares` takes the nearest.
    within = np.clip(variances, min_d * (1 - min_d), 1 - min_d**2)
    ends = float(within.min()), float(within.max())
    if ends[0] == ends[1]:
        return plan.power(n_topics, min_d, within)
    curve = np.polynomial.Chebyshev.interpolate(
        lambda at: plan.power(n_topics, min_d, at), _DEGREE, domain=ends
    )
    return np.asarray(np.clip(curve(within), 0.0, 1.0))


class RankTestTopics(NamedTuple):
    """Median over pairs of the topics that rank tests need."""

    wilcoxon: float
    sign: float


def rank_test_topics(
    matrix: ScoreMatrix, pairs: Sequence[Sequence[str]], n_topics: int, *, alpha: float, beta: float
) -> RankTestTopics:
    """Return the topics of rank tests where the paired t test needs n, by Noether's formulas."""
    effect = float(paired_t.detectable_delta(n_topics, alpha=alpha, beta=beta))
    place = {system: column for column, system in enumerate(matrix.systems)}
    results = []
    for first, second in pairs:
        differences = matrix.scores[:, place[first]] - matrix.scores[:, place[second]]
        results.append(_topics(differences - differences.mean(), effect, alpha, beta))
    return RankTestTopics(*np.median(results, axis=0).tolist())


def _topics(centred: Floats, effect: float, alpha: float, beta: float) -> tuple[float, float]:
    """Return the topics of both tests for differences around 0, made symmetric, plus `effect` deviations."""
    values = np.sort(np.concatenate([centred, -centred]))
    shift = effect * float(np.sqrt(np.mean(values**2)))
    walsh, above = _share_above(values, -2 * shift - values), _share_above(values, np.array([-shift]))
    deviates = float(upper_normal(alpha / 2) + upper_normal(beta)) ** 2
    with np.errstate(divide="ignore"):
        return float(deviates / np.float64(3 * (walsh - 0.5) ** 2)), float(
            deviates / np.float64(4 * (above - 0.5) ** 2)
        )


def _share_above(values: Floats, bounds: Floats) -> float:
    """Return the share of values above bounds, over all of both; one that equals a bound counts half."""
    below = np.searchsorted(values, bounds, "left") + np.searchsorted(values, bounds, "right")
    return float(1 - below.mean() / (2 * values.size))
