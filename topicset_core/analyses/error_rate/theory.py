"""Theory over the experiment, in three forms.

Eq. 8 of Lin and Hauptmann (2005) gives the error rate at a **true** difference. The bins of Voorhees and
Buckley go by the difference **observed** on one of the two sets. Pairs observed
.09 to .10 apart include pairs whose true difference is small and was observed as large by
chance; the other set will often reverse them. Therefore Eq. 8 at the bin's midpoint is too low for large
differences, by an order of magnitude at .10, and a little too high for small ones. With the variances
of independent scores, as the paper has them, it is far too high instead, as systems that run on the
same topics have much in common.

The form that fits averages over pairs, given that the observed difference falls in the bin: with
delta the pair's difference, D_1 and D_2 independent and normal around it with the pair's own
variance / n,

    sum over pairs of Pr{|D_1| in bin, D_1 D_2 < 0} / sum over pairs of Pr{|D_1| in bin}.

The normal distribution has no ties. On discrete scores, such as P@10, the experiment counts half an error for each
and then agrees with it (docs/evidence/error-rate.md).

Two things it leaves out. The differences of the matrix replace the true ones, though they spread
wider (`Pairs.deflated_differences` mends that). And disjoint halves of 50 topics are not
independent draws: given the 50, any excess in one half is missing in the other, and with
n = 25 the one decides the other. Over all topics that might have been in the matrix the two halves
are independent, and it is that average which the theory describes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.error_rate.experiment import BIN_WIDTH, N_BINS, Floats
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.distributions import normal_cdf
from topicset_core.designs.error_rate import reer
from topicset_core.errors import InputError
from topicset_core.variance.estimates import require_two_systems

EDGES = np.concatenate([np.arange(N_BINS + 1) / 100, [np.inf]])
"""Edges of the 21 bins, 22 of them."""

_FEWEST_PAIRS = 1e-9
"""Expected pairs below which a bin counts as empty."""

_OWN_ROUNDING = 1e-12
"""Share of the runs' own variances below which a variance of their difference is rounding."""

LEVELS = (0.01, 0.02, 0.03, 0.04)
"""Edges of the levels in table 1, closed below, unlike the bins of Voorhees and Buckley."""

_SUM_ROUNDING = 1e-12  # means of equal scores that were summed in another order


@dataclass(frozen=True, kw_only=True, eq=False)
class Pairs:
    """What theory needs to know of every pair that differs at all."""

    n_topics: int  # topics that the moments come from
    differences: Floats  # (n_pairs,): absolute difference of the two means
    paired_variances: Floats  # (n_pairs,): unbiased variance over topics of the per-topic difference, from 0
    independent_variances: Floats  # (n_pairs,): sum of the two runs' unbiased variances over topics
    n_constant: int  # pairs left out, as the two runs score the same on every topic

    @property
    def mean_paired_variance(self) -> float:
        """Mean over pairs of the variance of the per-topic difference."""
        return float(self.paired_variances.mean())

    @property
    def mean_independent_variance(self) -> float:
        """Mean over pairs of the sum of the two runs' variances."""
        return float(self.independent_variances.mean())

    @property
    def f_statistic(self) -> float:
        """mean(difference^2) n / mean(variance): of all pairs of runs, the F statistic of runs in two-way ANOVA."""
        noise = self.mean_paired_variance / self.n_topics
        square = float(np.mean(np.square(self.differences)))
        return square / noise if noise > 0 else np.inf

    def differences_at(self, quantile: float) -> Floats:
        """Return differences that spread as the true ones do where F is so many times its expectation.

        With a spread of theta times mean(variance) / n between true differences, F / (1 + theta) has an F
        distribution. So theta is F / quantile - 1, from 0, and differences times sqrt(theta / F) have this spread.
        """
        f = self.f_statistic
        scale = 1.0 if np.isinf(f) else max(1.0 / quantile - 1.0 / f, 0.0) if f > 0 else 0.0
        return np.asarray(self.differences * np.sqrt(scale))

    @property
    def deflated_differences(self) -> Floats:
        """Differences times sqrt(1 - 1 / F): they spread as the true ones do."""
        return self.differences_at(1.0)


def pairs_of(matrix: ScoreMatrix) -> Pairs:
    """Return the moments of all pairs of runs."""
    require_two_systems(matrix)
    return pairs_of_scores(matrix.scores)


def pairs_of_scores(scores: Floats) -> Pairs:
    """Return the moments for scores, (n_topics, n_systems), that are checked already."""
    n_topics, n_systems = scores.shape
    means = scores.mean(axis=0)
    centred = scores - means
    covariance = centred.T @ centred / (n_topics - 1)
    own = np.diagonal(covariance)
    first, second = np.triu_indices(n_systems, k=1)
    differences = np.abs(means[first] - means[second])
    independent = own[first] + own[second]
    paired = independent - 2 * covariance[first, second]
    paired[paired < _OWN_ROUNDING * independent] = 0.0
    # Means of equal columns are equal to the last bit, because they are summed in the same order.
    differs = (differences > 0) | (paired > 0)
    if not differs.any():
        raise InputError(
            "systems",
            n_systems,
            "must not all have equal scores on every topic: no pair has an order to reverse",
        )
    return Pairs(
        n_topics=n_topics,
        differences=differences[differs],
        paired_variances=paired[differs],
        independent_variances=independent[differs],
        n_constant=int(np.count_nonzero(~differs)),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Theory:
    """Error rates that theory expects, by cardinality and bin."""

    cardinalities: tuple[int, ...]  # topics in each of the two sets
    independent: Floats  # (n_cardinalities, 20)
    paired: Floats  # (n_cardinalities, 20)
    conditional: Floats  # (n_cardinalities, 21): averaged over pairs, given the observed difference


def theory(matrix: ScoreMatrix, cardinalities: Iterable[int]) -> Theory:
    """Return what theory expects of the experiment."""
    pairs = pairs_of(matrix)
    sizes = tuple(cardinalities)
    return Theory(
        cardinalities=sizes,
        independent=_at_midpoints(pairs.mean_independent_variance, sizes),
        paired=_at_midpoints(pairs.mean_paired_variance, sizes),
        conditional=np.array([conditional_rates(pairs, pairs.differences, size) for size in sizes]),
    )


def conditional_rates(pairs: Pairs, differences: Floats, n_topics: float) -> Floats:
    """Return the error rate of each of the 21 bins, given that the observed difference falls in it."""
    spread = np.maximum(np.sqrt(pairs.paired_variances / n_topics), np.finfo(np.float64).tiny)
    with np.errstate(over="ignore"):
        centre = differences / spread
        edges = EDGES[:, np.newaxis] / spread
        same = np.diff(normal_cdf(edges - centre), axis=0)
        other = -np.diff(normal_cdf(-edges - centre), axis=0)
    wrong = normal_cdf(-centre)
    expected = np.sum(same + other, axis=1)
    reversed_ = np.sum(same * wrong + other * (1 - wrong), axis=1)
    empty: Floats = np.full(N_BINS + 1, np.nan)
    there: NDArray[np.bool_] = expected > _FEWEST_PAIRS
    return np.asarray(np.divide(reversed_, expected, out=empty, where=there))


@dataclass(frozen=True, kw_only=True)
class LevelVariance:
    """One row of the table."""

    # The level, low <= difference < high
    low: float
    high: float
    n_pairs: int  # pairs of runs whose means differ by that much
    variance: float | None  # mean over them of the variance of their mean difference, Var(d) / n


def level_variances(matrix: ScoreMatrix) -> tuple[LevelVariance, ...]:
    """Return the mean variance of the difference of means, Var(d) / n, at each level of table 1 of the paper."""
    pairs = pairs_of(matrix)
    differences = pairs.differences + _SUM_ROUNDING
    rows = []
    for low, high in pairwise(LEVELS):
        inside = (low <= differences) & (differences < high)
        n_pairs = int(inside.sum())
        mean = float(pairs.paired_variances[inside].mean()) / pairs.n_topics if n_pairs else None
        rows.append(LevelVariance(low=low, high=high, n_pairs=n_pairs, variance=mean))
    return tuple(rows)


def _at_midpoints(variance: float, sizes: tuple[int, ...]) -> Floats:
    """Return Eq. 8 at the midpoints of the 20 bins; 0 where differences do not vary."""
    midpoints = BIN_WIDTH * (np.arange(N_BINS) + 0.5)
    if variance == 0:
        return np.zeros((len(sizes), N_BINS))
    return reer(difference=midpoints, difference_variance=variance, n_topics=np.array(sizes)[:, np.newaxis])
