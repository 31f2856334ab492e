"""All pairs of runs of a matrix: how far apart their means are, and how much their difference varies."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.variance.estimates import require_two_systems

Floats = NDArray[np.float64]

_ROUNDING = 1e-12
"""Share of the runs' own variances below which a variance of their difference is rounding."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Pairs:
    """What theory needs to know of every pair that differs at all.

    Parameters
    ----------
    n_topics : int
        Topics that the moments come from.
    differences : ndarray of float64, shape (n_pairs,)
        Absolute difference of the two means.
    paired_variances : ndarray of float64, shape (n_pairs,)
        Unbiased variance over topics of the per-topic difference, from 0.
    independent_variances : ndarray of float64, shape (n_pairs,)
        Sum of the two runs' unbiased variances over topics.
    n_alike : int
        Pairs left out, as the two runs score the same on every topic.
    """

    n_topics: int
    differences: Floats
    paired_variances: Floats
    independent_variances: Floats
    n_alike: int

    @property
    def mean_paired_variance(self) -> float:
        """Mean over pairs of the variance of the per-topic difference."""
        return float(self.paired_variances.mean())

    @property
    def mean_independent_variance(self) -> float:
        """Mean over pairs of the sum of the two runs' variances."""
        return float(self.independent_variances.mean())

    @property
    def deflated_differences(self) -> Floats:
        """Differences shrunk by one factor, so that they spread as the true ones do.

        The mean square of observed differences is that of the true ones plus the mean variance of a
        mean difference, paired variance / n. Taking the second from the first leaves the factor
        sqrt(1 - mean(variance / n) / mean(difference^2)), 0 where topics explain all there is.
        """
        noise = self.mean_paired_variance / self.n_topics
        square = float(np.mean(np.square(self.differences)))
        return np.asarray(self.differences * np.sqrt(max(1.0 - noise / square, 0.0)) if square > 0 else 0.0)


def pairs_of(matrix: ScoreMatrix) -> Pairs:
    """Return the moments of all pairs of runs.

    Raises
    ------
    InputError
        If there are fewer than 2 runs, or all of them are alike.
    """
    require_two_systems(matrix)
    return pairs_of_scores(matrix.scores)


def pairs_of_scores(scores: Floats) -> Pairs:
    """Return the moments for scores, (n_topics, n_systems), that are checked already.

    Raises
    ------
    InputError
        If all runs are alike.
    """
    n_topics, n_systems = scores.shape
    means = scores.mean(axis=0)
    centred = scores - means
    covariance = centred.T @ centred / (n_topics - 1)
    own = np.diagonal(covariance)
    first, second = np.triu_indices(n_systems, k=1)
    differences = np.abs(means[first] - means[second])
    independent = own[first] + own[second]
    paired = independent - 2 * covariance[first, second]
    paired[paired < _ROUNDING * independent] = 0.0
    # Means of equal columns are equal to the last bit, as they are summed in the same order.
    differs = (differences > 0) | (paired > 0)
    if not differs.any():
        raise InputError("systems", n_systems, "must not all score the same on every topic: nothing can err")
    return Pairs(
        n_topics=n_topics,
        differences=differences[differs],
        paired_variances=paired[differs],
        independent_variances=independent[differs],
        n_alike=int(np.count_nonzero(~differs)),
    )
