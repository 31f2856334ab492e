"""Estimates of a within-system variance from one score matrix, and the same without each topic or group in turn.

==============  ==========================================
paper           here
==============  ==========================================
x_ij            ``matrix.scores[j, i]``: system i, topic j
m_C, n_C        ``n_systems``, ``n_topics``
==============  ==========================================

With r_ij the scores less the means of their systems, q_j = sum_i r_ij^2 and S = sum_j q_j, the sum of squares about
the means of the other n - 1 topics is S - n / (n - 1) q_j. This holds of every sum of squares over topics here: of
the residuals of two-way ANOVA, as topic means do not change, and of the differences of each pair of runs. Where
topics have groups, whole groups are left out: the sum of squares about the means of the topics that are left is

    S - sum_{j in g} q_j - sum_i (sum_{j in g} r_ij)^2 / (n - n_g).

References
----------
T. Sakai, "Topic set size design", Information Retrieval Journal 19 (2016) 256-283,
https://doi.org/10.1007/s10791-015-9273-z
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError

Floats = NDArray[np.float64]

_ROUNDING = 4 * float(np.finfo(np.float64).eps)
"""Of a sum of squares, per topic: a difference below that is nothing but rounding."""

_MOST_VALUES = 4_000_000
"""Values of pairs of runs in memory at a time: 32 MB."""


def one_way(matrix: ScoreMatrix) -> float:
    """Return the within-system variance: the residual variance of one-way ANOVA.

    It is the mean of the systems' unbiased variances over topics. Differences in difficulty
    between topics count as noise, as they do for the designs that take this variance.

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores of one collection.
    """
    residuals = less_system_means(matrix)
    # Sakai 2016, Eq. 36: sum_i sum_j (x_ij - xbar_i.)^2 / (m_C (n_C - 1))
    return _sum_of_squares(residuals) / (matrix.n_systems * (matrix.n_topics - 1))


def two_way(matrix: ScoreMatrix) -> float:
    """Return the residual variance of two-way ANOVA without replication.

    The difficulty that a topic has equally for all systems is removed, so the estimate is smaller
    than `one_way`, by a factor of 3 to 4 on TREC data, and it does not change when every score
    of a topic is raised by the same amount. It is half the mean variance of the difference of
    two systems (`pair_differences.mean_pair_difference_variance`).

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores of at least 2 systems.

    Raises
    ------
    InputError
        If the matrix has fewer than 2 systems.
    """
    require_two_systems(matrix)
    residuals = less_system_means(matrix)
    # With system means taken out, a topic's mean is xbar_.j - xbar.
    residuals -= residuals.mean(axis=1, keepdims=True)
    # Sakai 2016, Eq. 37: sum_i sum_j (x_ij - xbar_i. - xbar_.j + xbar)^2 / ((m_C - 1)(n_C - 1))
    return _sum_of_squares(residuals) / ((matrix.n_systems - 1) * (matrix.n_topics - 1))


def total(matrix: ScoreMatrix) -> float:
    """Return the variance of all scores, for comparison only: it also counts the differences between systems."""
    centred: Floats = matrix.scores - matrix.scores.mean()
    return _sum_of_squares(centred) / (centred.size - 1)


def conservative_difference_variance(within_system_variance: float) -> float:
    """Return sigma_t^2 = 2 sigma^2, the choice of Sakai (2016, section 3.4) where only past scores are known."""
    # It ignores that systems share their topics, so on TREC data it is one and a half to four times the mean
    # variance of real paired differences. It is no bound: with RR of TREC-8 and ERR@20 of Web 2012 3 % of the
    # pairs vary more.
    return 2 * within_system_variance


def require_two_systems(matrix: ScoreMatrix) -> None:
    """Refuse a matrix in which systems cannot be compared."""
    if matrix.n_systems < 2:
        raise InputError(
            "systems", matrix.n_systems, "must be at least 2, because this estimate compares systems"
        )


def why_no_variance(matrices: Sequence[ScoreMatrix]) -> str:
    """Return why a variance from these scores is 0."""
    if any(map(one_way, matrices)):
        return "the runs differ by the same amount on all topics"
    of_one = all(matrix.n_systems == 1 for matrix in matrices)
    return f"{'the' if of_one else 'each'} run has the same score on all topics"


def less_system_means(matrix: ScoreMatrix) -> Floats:
    """Return x_ij - xbar_i. ; centring before squaring keeps the digits of scores with a large mean."""
    centred: Floats = matrix.scores - matrix.scores.mean(axis=0)
    # Subtracted twice: the first mean is off by a rounding error that a large common value makes visible.
    centred -= centred.mean(axis=0)
    return centred


def _sum_of_squares(values: Floats) -> float:
    return float(np.square(values).sum())


def has_groups(matrix: ScoreMatrix) -> bool:
    """Return whether groups are what was sampled; of a single group its topics are."""
    return len(matrix.group_sizes) > 1


def per_part(matrix: ScoreMatrix, rows: Floats) -> Floats:
    """Return the sums of rows over each group; the rows themselves, one per topic, without groups."""
    return np.asarray(membership(matrix).T @ rows) if has_groups(matrix) else rows


def membership(matrix: ScoreMatrix) -> Any:
    """Return 1 where a topic is in a group, (n_topics, n_groups), as a sparse array; refuse a single group."""
    if matrix.groups is None:
        raise InputError("groups", None, f"must be given: topics of {matrix.name} have none")
    from scipy.sparse import csr_array

    n_groups = len(matrix.group_sizes)
    if n_groups < 2:
        raise InputError("groups", n_groups, "must be at least 2: one group has no variance between groups")
    places = {group: place for place, group in enumerate(matrix.group_sizes)}
    columns = [places[group] for group in matrix.groups]
    return csr_array((np.ones(matrix.n_topics), columns, np.arange(matrix.n_topics + 1)))


def left(matrix: ScoreMatrix) -> Floats:
    """Return how many topics are left without each part."""
    return matrix.n_topics - per_part(matrix, np.ones(matrix.n_topics))


def one_way_without(matrix: ScoreMatrix) -> Floats:
    """Return the one-way variance (Sakai 2016, Eq. 36) without each topic or group; from 3 of them on."""
    return others(matrix, less_system_means(matrix)) / (matrix.n_systems * (left(matrix) - 1))


def two_way_without(matrix: ScoreMatrix) -> Floats:
    """Return the two-way variance (Sakai 2016, Eq. 37) without each topic or group; from 3 of them on."""
    require_two_systems(matrix)
    residuals = less_system_means(matrix)
    residuals -= residuals.mean(axis=1, keepdims=True)
    return others(matrix, residuals) / ((matrix.n_systems - 1) * (left(matrix) - 1))


def total_without(matrix: ScoreMatrix) -> Floats:
    """Return the total variance without each topic or group; from 3 of them on."""
    centred = matrix.scores - matrix.scores.mean()
    centred -= centred.mean()  # twice, as in `less_system_means`
    cells = matrix.n_systems * left(matrix)  # that are left
    squares, sums = (
        per_part(matrix, values) for values in (np.square(centred).sum(axis=1), centred.sum(axis=1))
    )
    # All scores sum to 0, so those that remain sum to minus the sum of the omitted ones.
    return np.asarray(np.maximum(squares.sum() - squares - np.square(sums) / cells, 0) / (cells - 1))


def pair_percentile_without(matrix: ScoreMatrix, percentile: float) -> Floats:
    """Return a percentile over pairs of Var(x_i - x_i') without each topic or group; from 3 of them on."""
    require_two_systems(matrix)
    centred, n = less_system_means(matrix), matrix.n_topics
    first, second = np.triu_indices(matrix.n_systems, k=1)
    gram = centred.T @ centred
    own = np.diagonal(gram)
    sums = np.maximum(own[first] + own[second] - 2 * gram[first, second], 0)
    step = max(_MOST_VALUES // first.size, 1)  # topics at a time
    chosen = []
    for start in range(0, n, step) if not has_groups(matrix) else ():
        some = centred[start : start + step]
        without = sums - n / (n - 1) * np.square(some[:, first] - some[:, second])
        chosen.append(np.percentile(without, percentile, axis=1, overwrite_input=True))
    # Topics of a group follow each other.
    by_group = membership(matrix).tocsc() if has_groups(matrix) else None
    for rows in np.split(by_group.indices, by_group.indptr[1:-1]) if by_group is not None else ():
        some = centred[rows]
        some = np.vstack([some, some.sum(axis=0) / math.sqrt(n - len(some))])
        taken = some.T @ some
        own = np.diagonal(taken)
        without = sums - (own[first] + own[second] - 2 * taken[first, second])
        chosen.append(np.percentile(without, [percentile], overwrite_input=True))
    return np.maximum(np.concatenate(chosen), 0) / (left(matrix) - 1)


def others(matrix: ScoreMatrix, residuals: Floats) -> Floats:
    """Return the sum of squares without each part; exactly 0 where rounding is all that is left of it."""
    squares, n = np.square(residuals).sum(axis=1), matrix.n_topics
    total, of_parts = squares.sum(), per_part(matrix, squares)
    if has_groups(matrix):
        of_parts = of_parts + np.square(per_part(matrix, residuals)).sum(axis=1) / left(matrix)
    else:
        of_parts = n / (n - 1) * of_parts
    result = total - of_parts
    return np.asarray(np.where(result > _ROUNDING * n * total, result, 0.0))
