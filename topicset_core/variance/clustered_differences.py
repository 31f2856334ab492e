"""Standard errors of mean differences of systems where topics come in groups.

The mean difference of two systems over N topics in g groups is the coefficient of a regression on an intercept.
Its cluster-robust variance CR2 [1, 2], with E_i the sum of group i's residuals and h_i = n_i / N its leverage, and
Satterthwaite's degrees of freedom, both with independent topics as working model, have closed forms:

    V = sum E_i^2 / (1 - h_i) / N^2,
    nu = 1 / (sum h_i^2 + (sum a_i)^2 - sum a_i^2),    a_i = h_i^2 / (1 - h_i).

(I - H_ii)^(-1/2), with H_ii = J / N, multiplies a sum of residuals by (1 - h_i)^(-1/2). The products p_i' p_j of
[2] are h_i / N on the diagonal and -h_i h_j / (N sqrt((1 - h_i) (1 - h_j))) elsewhere. Groups of equal size give
the t test on their means, with g - 1 degrees of freedom.

Type I error probabilities in simulation are in docs/evidence/variance.md.

References
----------
.. [1] R. M. Bell, D. F. McCaffrey. Bias reduction in standard errors for linear regression with multi-stage
   samples. Survey Methodology 28, 169-181 (2002).
.. [2] J. E. Pustejovsky, E. Tipton. Small-sample methods for cluster-robust variance estimation and hypothesis
   testing in fixed effects models. Journal of Business and Economic Statistics 36, 672-683 (2018).
   https://doi.org/10.1080/07350015.2016.1247004
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.variance.estimates import Floats, less_system_means, membership, require_two_systems
from topicset_core.variance.pair_differences import pair_difference_variances


@dataclass(frozen=True, kw_only=True, eq=False)
class ClusteredDifferences:
    """Mean differences of all pairs of systems with their cluster-robust standard errors.

    Parameters
    ----------
    first, second : ndarray of int, shape (n_pairs,)
        Columns of the two systems of each pair.
    differences : ndarray of float64, shape (n_pairs,)
        Mean of the first less mean of the second.
    standard_errors, independent_errors : ndarray of float64, shape (n_pairs,)
        CR2, and as if topics were independent.
    df : float
        nu, one for all pairs.
    n_groups : int
        g.
    """

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    differences: Floats
    standard_errors: Floats
    independent_errors: Floats
    df: float
    n_groups: int

    @property
    def p_values(self) -> Floats:
        """Two-sided p of each pair by the t distribution with nu degrees of freedom; 1 of equal systems."""
        from scipy.special import stdtr

        equal = self.differences == 0
        with np.errstate(divide="ignore"):
            t = np.abs(self.differences) / np.where(equal, 1.0, self.standard_errors)
        return np.asarray(2 * stdtr(self.df, -t))


def clustered_differences(matrix: ScoreMatrix) -> ClusteredDifferences:
    """Return the mean difference of each pair of systems with its cluster-robust standard error.

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores of at least 2 systems with the group of each topic, from 2 groups.

    Raises
    ------
    InputError
        If there are fewer than 2 systems, or topics have no groups, or only one.
    """
    require_two_systems(matrix)
    n = matrix.n_topics
    sums, leverages = _residual_sums(matrix)
    pairs = pair_difference_variances(matrix)
    means = matrix.scores.mean(axis=0)
    gram = sums.T @ sums
    own = np.diagonal(gram)
    squared = own[pairs.first] + own[pairs.second] - 2 * gram[pairs.first, pairs.second]
    return ClusteredDifferences(
        first=pairs.first,
        second=pairs.second,
        differences=means[pairs.first] - means[pairs.second],
        standard_errors=np.sqrt(np.maximum(squared, 0.0)),
        independent_errors=np.sqrt(pairs.variances / n),
        df=satterthwaite_df(leverages),
        n_groups=leverages.size,
    )


def clustered_errors(matrix: ScoreMatrix) -> tuple[Floats, float]:
    """Return the standard error CR2 of the mean of each system, and its degrees of freedom."""
    sums, leverages = _residual_sums(matrix)
    return np.sqrt(np.square(sums).sum(axis=0)), satterthwaite_df(leverages)


def _residual_sums(matrix: ScoreMatrix) -> tuple[Floats, Floats]:
    """Return E_i / N / sqrt(1 - h_i) of each system, (n_groups, n_systems), and h_i."""
    members = membership(matrix)
    leverages = members.sum(axis=0) / matrix.n_topics
    sums = members.T @ less_system_means(matrix) / matrix.n_topics
    return sums / np.sqrt(1 - leverages)[:, np.newaxis], leverages


def satterthwaite_df(leverages: Floats) -> float:
    """Return nu of groups with these shares of the topics."""
    parts = np.square(leverages) / (1 - leverages)
    return float(1 / (np.square(leverages).sum() + parts.sum() ** 2 - np.square(parts).sum()))
