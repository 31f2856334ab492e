"""The estimates without each topic in turn, in closed form.

With r_ij the scores less the means of their systems, q_j = sum_i r_ij^2 and S = sum_j q_j, the sum of squares about
the means of the other n - 1 topics is S - n / (n - 1) q_j. This holds of every sum of squares over topics here: of
the residuals of two-way ANOVA, as topic means do not change, and of the differences of each pair of runs.
"""

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.variance.estimates import less_system_means, require_two_systems

Floats = NDArray[np.float64]

_ROUNDING = 4 * float(np.finfo(np.float64).eps)
"""Of a sum of squares, per topic: a difference below that is nothing but rounding."""

_MOST_VALUES = 4_000_000
"""Values of pairs of runs in memory at a time: 32 MB."""


def one_way_without(matrix: ScoreMatrix) -> Floats:
    """Return the one-way variance (Sakai 2016, Eq. 36) without each topic, (n_topics,); from 3 topics on."""
    of_topics = np.square(less_system_means(matrix)).sum(axis=1)
    return _others(of_topics) / (matrix.n_systems * (matrix.n_topics - 2))


def two_way_without(matrix: ScoreMatrix) -> Floats:
    """Return the two-way variance (Sakai 2016, Eq. 37) without each topic, (n_topics,); from 3 topics on."""
    require_two_systems(matrix)
    residuals = less_system_means(matrix)
    residuals -= residuals.mean(axis=1, keepdims=True)
    of_topics = np.square(residuals).sum(axis=1)
    return _others(of_topics) / ((matrix.n_systems - 1) * (matrix.n_topics - 2))


def total_without(matrix: ScoreMatrix) -> Floats:
    """Return the total variance without each topic, (n_topics,); from 3 topics on."""
    centred = matrix.scores - matrix.scores.mean()
    centred -= centred.mean()  # twice, as in `less_system_means`
    cells = matrix.n_systems * (matrix.n_topics - 1)  # that are left
    of_topics, sums = np.square(centred).sum(axis=1), centred.sum(axis=1)
    # The scores that are left sum to minus the sum of the topic, as all sum to 0.
    return np.asarray(np.maximum(of_topics.sum() - of_topics - np.square(sums) / cells, 0) / (cells - 1))


def pair_percentile_without(matrix: ScoreMatrix, percentile: float) -> Floats:
    """Return a percentile over pairs of Var(x_i - x_i') without each topic, (n_topics,); from 3 topics on."""
    require_two_systems(matrix)
    centred, n = less_system_means(matrix), matrix.n_topics
    first, second = np.triu_indices(matrix.n_systems, k=1)
    gram = centred.T @ centred
    own = np.diagonal(gram)
    sums = np.maximum(own[first] + own[second] - 2 * gram[first, second], 0)
    step = max(_MOST_VALUES // first.size, 1)  # topics at a time
    chosen = []
    for start in range(0, n, step):
        some = centred[start : start + step]
        others = sums - n / (n - 1) * np.square(some[:, first] - some[:, second])
        chosen.append(np.percentile(others, percentile, axis=1, overwrite_input=True))
    return np.maximum(np.concatenate(chosen), 0) / (n - 2)


def _others(of_topics: Floats) -> Floats:
    """Return S - n / (n - 1) q_j; exactly 0 where rounding is all that is left of it."""
    n, total = of_topics.size, of_topics.sum()
    result = total - n / (n - 1) * of_topics
    return np.asarray(np.where(result > _ROUNDING * n * total, result, 0.0))
