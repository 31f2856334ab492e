"""How much the difference of two runs' scores varies over topics, for every pair of runs.

This is the variance that a paired test meets. Over all pairs of a complete matrix its mean is
exactly twice the two-way estimate, while the paper's choice is twice the one-way estimate:

    mean Var(x_i - x_i')  = 2 V_E of two-way ANOVA
    mean (s_i^2 + s_i'^2) = 2 V_E of one-way ANOVA

The gap between the two lines is the mean covariance of two runs, which they owe to the topics that
they share: hard topics are hard for both. On TREC data it makes 2 sigma^2 one and a half to four times the
mean over pairs.

References
----------
.. [1] T. Sakai. Topic set size design. Information Retrieval Journal 19, 256-283 (2016), section 3.4.
   https://doi.org/10.1007/s10791-015-9273-z
.. [2] W. Webber, A. Moffat, J. Zobel. Statistical power in retrieval experimentation. CIKM 2008,
   571-580. https://doi.org/10.1145/1458082.1458158
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.collection.score_matrix import pair_of
from topicset_core.errors import InputError
from topicset_core.variance.estimates import less_system_means, one_way, require_two_systems

WEBBER_PERCENTILE = 95.0
"""The percentile over pairs that [2] plans with, so that nearly all pairs vary less."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PairDifferenceVariances:
    """The variances of all pairs of one matrix."""

    # Columns of the two runs of each pair, first < second, n_pairs = m (m - 1) / 2
    first: NDArray[np.intp]  # (n_pairs,)
    second: NDArray[np.intp]  # (n_pairs,)
    variances: NDArray[np.float64]  # (n_pairs,): unbiased variance over topics of the difference, from 0


def pair_difference_variances(matrix: ScoreMatrix) -> PairDifferenceVariances:
    """Return Var(x_i - x_i') over topics for every pair of runs, from their covariances."""
    require_two_systems(matrix)
    centred = less_system_means(matrix)
    covariance = centred.T @ centred / (matrix.n_topics - 1)
    first, second = np.triu_indices(matrix.n_systems, k=1)
    own = np.diagonal(covariance)
    # Var(x_i - x_i') = Var(x_i) + Var(x_i') - 2 Cov(x_i, x_i'). Of runs that are identical nothing is
    # left but rounding, which may fall below 0.
    variances = np.maximum(own[first] + own[second] - 2 * covariance[first, second], 0.0)
    return PairDifferenceVariances(first=first, second=second, variances=variances)


def mean_pair_difference_variance(matrix: ScoreMatrix) -> float:
    """Return the variance over topics of the difference of two systems, averaged over all pairs."""
    # It equals twice `two_way`, and is computed another way here so that each can be checked by the other.
    return float(pair_difference_variances(matrix).variances.mean())


def percentile_pair_difference_variance(matrix: ScoreMatrix, percentile: float = WEBBER_PERCENTILE) -> float:
    """Return a percentile over pairs of the variance of their difference, as Webber et al. plan with."""
    # NumPy's default, type 7 of Hyndman and Fan: that of k values v_1 <= ... <= v_k lies at position
    # 1 + (k - 1) percentile / 100. [2] does not name its definition; with the thousands of pairs of a TREC matrix
    # definitions agree to about a thousandth of the value.
    check_percentile(percentile)
    return float(np.percentile(pair_difference_variances(matrix).variances, percentile))


def chosen_pair_difference_variance(matrix: ScoreMatrix, first: str, second: str) -> float:
    """Return the variance over topics of the difference of two runs that are named."""
    return one_way(difference_of(matrix, first, second))


def difference_of(matrix: ScoreMatrix, first: str, second: str) -> ScoreMatrix:
    """Return the per-topic differences of two runs, as a matrix of one column."""
    one, other = pair_of(matrix.systems, first, second)
    columns = matrix.scores[:, one] - matrix.scores[:, other]
    return replace(matrix, scores=columns[:, np.newaxis], systems=(f"{first} - {second}",))


def check_percentile(percentile: float) -> None:
    """Refuse a value that is not a percentile."""
    if isinstance(percentile, bool) or not isinstance(percentile, int | float) or not 0 <= percentile <= 100:
        raise InputError("percentile", percentile, "must be a number from 0 to 100")
