"""Two runs chosen by name: their difference, how often other topics reverse it, and the power of a t test.

Found d apart on N topics, with their own variance s^2 of a per-topic difference, they have a true difference
that is not known. The differences of all pairs of runs in the matrix, of both signs, are its possible values
(`prediction`), each weighted by how likely d is with it; then n other topics reverse the sign with probability

    sum over pairs, of both signs of delta, of phi((d - delta) / s_N) Phi(-delta / s_n)
    ----------------------------------------------------------------------------------- ,  s_k = s / sqrt(k).
    sum over pairs, of both signs of delta, of phi((d - delta) / s_N)

This is `prediction` with the variance of these two runs in place of each pair's own. The intervals are its
delete-a-group jackknife over topics, d held; that of the power is by the variance alone.

How good it is: all 5,995 pairs of 110 runs were judged from 50 of the 249 topics of Robust 2004 and then by 50
others (20 cuts, seed 0). Rates predicted below 1, from 1 to 5, 5 to 20 and 20 to 50 % were .16, 2.6, 11.5 and
34.4 % on average, and .26, 3.1, 10.9 and 33.2 % of these pairs reversed. The mean squared error is .0828, that
of `prediction`, which does not know the two runs, .0837.

How often the 90 % intervals hold the value by all topics (the formula with the true differences and variances, d
held): docs/statements.md. The rate is an average over pairs as far apart: that of the very pair, which no sample
shows, was inside in .16 to .59.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from topicset_core.analyses.error_rate.experiment import Floats
from topicset_core.analyses.error_rate.prediction import (
    LEVEL,
    Interval,
    Predictor,
    critical_t,
    interval_of,
    jackknife_error,
    percent,
)
from topicset_core.analyses.error_rate.theory import Pairs
from topicset_core.collection.score_matrix import pair_of
from topicset_core.designs import paired_t
from topicset_core.designs.distributions import normal_cdf
from topicset_core.designs.error_rate import SET_SIZE
from topicset_core.exports.records import fields_of
from topicset_core.parameters import ALPHA, N_TOPICS
from topicset_core.wording import in_units

RATE_COVERS, POWER_COVERS = (0.84, 0.97), (0.79, 0.93)
"""Least and most coverage of the intervals of both, measured: docs/statements.md."""


def intervals_held(unit: str = "topic") -> str:
    """Return what pages and the command line say of both intervals."""
    rate, power = (f"{100 * low:g} to {100 * high:g} %" for low, high in (RATE_COVERS, POWER_COVERS))
    text = (
        f"In simulations with 10 to 50 topics, {100 * LEVEL:g} % intervals of the probability for two named runs "
        f"contained the true one in {rate} of cases, and those of the power in {power}."
    )
    return in_units(text, unit)


_ROUNDING = 1e-12
"""Means that differ by no more are equal."""


@dataclass(frozen=True, kw_only=True)
class TwoRuns:
    """Comparison of two runs."""

    # Their names, the one with the higher mean first
    better: str
    worse: str
    measure: str
    # Topics of the scores, and topics of the next comparison
    topics_of_matrix: int
    n_topics: int
    difference: float  # between both means, from 0
    variance: float  # of a per-topic difference, unbiased
    # Significance level, and the two-sided p-value of the paired t test on these topics
    alpha: float
    p_value: float
    error: float  # how often n other topics reverse their order, 0 to .5
    interval: Interval | None
    power: float | None  # of a paired t test with n topics if the true difference is the one that was found
    power_interval: tuple[float, float] | None
    unit: str = "topic"  # what topics are: "group" where the scores are of whole groups

    @property
    def sentence(self) -> str:
        """The answer in words."""
        if not self.difference:
            return (
                f"{self.better} and {self.worse} have equal mean {self.measure} on {self.topics_of_matrix:,} "
                f"{self.unit}s, so there is no order to reverse."
            )
        text = (
            f"{self.better} is {self.difference:.3g} {self.measure} above {self.worse} on "
            f"{self.topics_of_matrix:,} {self.unit}s (paired t test: p = {self.p_value:.2g}). Probability that "
            f"{self.n_topics:,} other {self.unit}s reverse this order: {percent(self.error)}"
        )
        if self.interval is not None:
            text += f" ({self.interval.words})"
        text += "."
        if self.power is not None:
            between = ""
            if self.power_interval is not None:
                low, high = (f"{100 * end:.0f}" for end in self.power_interval)
                between = f" ({low} to {high} % by the confidence interval of the variance)"
            text += (
                f" If this is the true difference, a paired t test with {self.n_topics:,} {self.unit}s (α = "
                f"{self.alpha:g}) has {100 * self.power:.0f} % power{between}."
            )
        return text

    def record(self) -> dict[str, Any]:
        """Return the answer for a record."""
        return fields_of(self, "unit") | {"sentence": self.sentence}


def two_runs(
    predictor: Predictor,
    first: str,
    second: str,
    *,
    n_topics: int | None = None,
) -> TwoRuns:
    """Compare two runs of a matrix."""
    from scipy.special import stdtr

    matrix = predictor.matrix
    one, other = pair_of(matrix.systems, first, second, "runs_pair")
    size = int(SET_SIZE.check(matrix.n_topics if n_topics is None else n_topics))
    apart = matrix.scores[:, one] - matrix.scores[:, other]
    if apart.mean() < 0:
        first, second, apart = second, first, -apart
    mean = float(apart.mean())
    difference = mean if mean > _ROUNDING else 0.0
    variance = float(apart.var(ddof=1))
    p_value = 0.0 if difference else 1.0
    if difference and variance > 0:
        p_value = 2 * float(stdtr(apart.size - 1, -difference / math.sqrt(variance / apart.size)))
    error = _error(predictor.pairs, difference, variance, apart.size, size)
    interval = between = None
    groups = predictor.left_out
    if groups and variance > 0:
        without = [float(apart[kept].var(ddof=1)) for kept, _ in groups]
        errors = [
            _error(pairs, difference, one, apart.size, size)
            for (_, pairs), one in zip(groups, without, strict=True)
        ]
        interval = interval_of(error, np.array(errors), level=predictor.level)
        if min(without) > 0:
            reach = critical_t(len(groups), predictor.level) * jackknife_error(np.log(without))
            powers = [_power(difference, variance * math.exp(side * reach), size) for side in (1, -1)]
            between = None if powers[0] is None or powers[1] is None else (powers[0], powers[1])
    return TwoRuns(
        better=first,
        worse=second,
        measure=matrix.measure,
        topics_of_matrix=apart.size,
        n_topics=size,
        difference=difference,
        variance=variance,
        alpha=ALPHA.default,
        p_value=p_value,
        error=error,
        interval=interval,
        power=_power(difference, variance, size),
        power_interval=between,
        unit=matrix.unit,
    )


def _error(pairs: Pairs, difference: float, variance: float, n_found: int, n_topics: int) -> float:
    """Return the error rate; in logarithms, so that far tails hold."""
    if difference == 0:
        return 0.5
    if variance <= 0:
        return 0.0
    delta = np.concatenate([pairs.deflated_differences, -pairs.deflated_differences])
    found, again = math.sqrt(variance / n_found), math.sqrt(variance / n_topics)
    likely = -np.square((difference - delta) / found) / 2
    weights: Floats = np.exp(likely - likely.max())
    return float(weights @ normal_cdf(-delta / again) / weights.sum())


def _power(difference: float, variance: float, n_topics: int) -> float | None:
    """Return the power of the paired t test; None if not available."""
    if n_topics < N_TOPICS.lower or variance <= 0 or difference == 0:
        return None
    return float(paired_t.power(n_topics, difference / math.sqrt(variance), alpha=ALPHA.default))
