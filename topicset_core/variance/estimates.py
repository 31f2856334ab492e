"""Estimates of a within-system variance from one score matrix.

==============  ==========================================
paper           here
==============  ==========================================
x_ij            ``matrix.scores[j, i]``: system i, topic j
m_C, n_C        ``n_systems``, ``n_topics``
==============  ==========================================

References
----------
T. Sakai, "Topic set size design", Information Retrieval Journal 19 (2016) 256-283,
https://doi.org/10.1007/s10791-015-9273-z
"""

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError


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
    """Return the variance of all scores taken together. For comparison only; never plan with it.

    Sakai's 2014 papers took this for the within-system variance by mistake. It also counts the
    differences between systems, and so asks for too many topics.

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores of one collection.
    """
    centred: NDArray[np.float64] = matrix.scores - matrix.scores.mean()
    return _sum_of_squares(centred) / (centred.size - 1)


def conservative_difference_variance(within_system_variance: float) -> float:
    """Return sigma_t^2 = 2 sigma^2, the paper's choice where only past scores are known.

    It takes both systems to have the same variance and ignores that they share their topics, so on
    TREC data it is one and a half to four times the mean variance of real paired differences (Sakai 2016, section
    3.4). It is no bound: with RR of TREC-8 and ERR@20 of Web 2012 3 % of the pairs vary more.

    Parameters
    ----------
    within_system_variance : float
        sigma^2, in squared units of the measure.
    """
    return 2 * within_system_variance


def require_two_systems(matrix: ScoreMatrix) -> None:
    """Refuse a matrix in which systems cannot be compared."""
    if matrix.n_systems < 2:
        raise InputError(
            "systems", matrix.n_systems, "must be at least 2, because this estimate compares systems"
        )


def less_system_means(matrix: ScoreMatrix) -> NDArray[np.float64]:
    """Return x_ij - xbar_i. ; centring before squaring keeps the digits of scores with a large mean."""
    centred: NDArray[np.float64] = matrix.scores - matrix.scores.mean(axis=0)
    # Subtracted twice: the first mean is off by a rounding error that a large common value makes visible.
    centred -= centred.mean(axis=0)
    return centred


def _sum_of_squares(values: NDArray[np.float64]) -> float:
    return float(np.square(values).sum())
