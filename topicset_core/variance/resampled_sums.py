"""The variance of every resample of topics at once, by matrix products.

A resample draws n topics of a matrix with replacement and keeps the runs. It is known by how often
it drew each topic: `counts`, shape (n_trials, n_topics), each row with the sum n. All estimates need
only weighted sums. With k_j the counts and y_ij any values whose weighted mean is ybar_i,

    sum_j k_j (y_ij - ybar_i)^2 = sum_j k_j y_ij^2 - n ybar_i^2 ,

and both terms, for all resamples, are products of `counts` with a matrix. The values are centred on
the means of the whole matrix first, so that the subtraction loses no digits that matter.

**The factor n / (n - 1).** Within a resample topics are drawn from the n observed ones, so the
population that it samples has the variance (n - 1)/n s^2 where s^2, with its denominator n - 1, is
the estimate from the matrix. A resample's own estimate, again with n - 1, is unbiased for that, so on
average over resamples it is (n - 1)/n s^2: low by (n - 1)/n. The values here are multiplied by
n / (n - 1), and so have the mean s^2. (It is another form of the plug-in variance's bias; at 50
topics it is 2 %, three topics of 149.)
"""

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.variance.estimates import less_system_means, require_two_systems
from topicset_core.variance.pair_differences import pair_difference_variances

Floats = NDArray[np.float64]

_ROUNDING = 4 * float(np.finfo(np.float64).eps)
"""Of a weighted sum of squares, per topic: a difference below that is nothing but rounding."""

_NEAR = 0.025
"""Pairs next to a percentile: those within this share of all pairs, below and above."""


def resampled_one_way(matrix: ScoreMatrix, counts: Floats) -> Floats:
    """Return the one-way variance (Sakai 2016, Eq. 36) of each resample, times n / (n - 1).

    Parameters
    ----------
    matrix : ScoreMatrix
        The collection that was resampled.
    counts : ndarray of float64, shape (n_trials, n_topics)
        How often each resample drew each topic.

    Returns
    -------
    ndarray of float64, shape (n_trials,)
        From 0; exactly 0 where a resample drew topics that are all equal.
    """
    sums = _within_sums(less_system_means(matrix), counts)
    return _corrected(sums / (matrix.n_systems * (matrix.n_topics - 1)), matrix)


def resampled_two_way(matrix: ScoreMatrix, counts: Floats) -> Floats:
    """Return the two-way variance (Sakai 2016, Eq. 37) of each resample, times n / (n - 1).

    Parameters and returned value as in `resampled_one_way`.

    Raises
    ------
    InputError
        If the matrix has fewer than 2 systems.
    """
    require_two_systems(matrix)
    residuals = less_system_means(matrix)
    # A topic's mean over systems is the same in every resample, so it can be taken out beforehand;
    # the residuals have topic means of zero, hence a grand mean of zero, in every resample too.
    residuals -= residuals.mean(axis=1, keepdims=True)
    degrees_of_freedom = (matrix.n_systems - 1) * (matrix.n_topics - 1)
    return _corrected(_within_sums(residuals, counts) / degrees_of_freedom, matrix)


def resampled_total(matrix: ScoreMatrix, counts: Floats) -> Floats:
    """Return the total variance of each resample, corrected so that their mean is the estimate.

    The factor is not n / (n - 1): only the topics are drawn, so a resample's total sum of squares
    falls short of S_T by the variance of its grand mean alone, S_B / n on average (S_B between
    topics), and the factor is S_T / (S_T - S_B / n). With one run the two are the same.

    Parameters and returned value as in `resampled_one_way`.
    """
    centred = matrix.scores - matrix.scores.mean()
    centred -= centred.mean()
    cells = centred.size
    topic_means = centred.mean(axis=1)
    squares = counts @ np.square(centred).sum(axis=1)
    grand_means = counts @ topic_means / matrix.n_topics
    sums = _less_rounding(squares, cells * np.square(grand_means), matrix.n_topics)
    total_sum = float(np.square(centred).sum())
    expected = total_sum - matrix.n_systems * float(np.square(topic_means).sum()) / matrix.n_topics
    factor = total_sum / expected if expected > 0 else 1.0
    return np.asarray(sums / (cells - 1) * factor)


def resampled_pair_percentile(matrix: ScoreMatrix, counts: Floats, percentile: float) -> Floats:
    """Return a percentile over pairs of Var(x_i - x_i') in each resample, to first order, times n / (n - 1).

    A small change of the weights of topics changes a percentile by the mean of the changes of the variances next to
    it. So the variances of these pairs, 5 % of all, are resampled, and their mean is scaled to the percentile. The
    percentile of each resample itself would lie above that of the matrix, as the noise of a resample spreads pairs.

    Raises
    ------
    InputError
        If the matrix has fewer than 2 systems.
    """
    pairs = pair_difference_variances(matrix)
    value, last = np.percentile(pairs.variances, percentile), pairs.variances.size - 1
    distance = np.abs(np.arange(last + 1) - percentile / 100 * last)
    near = np.argsort(pairs.variances)[distance <= max(_NEAR * last, distance.min())]
    level = float(pairs.variances[near].mean())
    if level == 0:
        return np.zeros(len(counts))
    centred = less_system_means(matrix)
    sums = _within_sums(centred[:, pairs.first[near]] - centred[:, pairs.second[near]], counts)
    return _corrected(sums / (near.size * (matrix.n_topics - 1)) * (value / level), matrix)


def _within_sums(values: Floats, counts: Floats) -> Floats:
    """Return sum_i sum_j k_j (y_ij - ybar_i)^2 of each resample, `values` (n_topics, any)."""
    squares = counts @ np.square(values).sum(axis=1)
    means = counts @ values / len(values)
    return _less_rounding(squares, len(values) * np.square(means).sum(axis=1), len(values))


def _less_rounding(squares: Floats, correction: Floats, n_topics: int) -> Floats:
    """Return squares - correction; exactly 0 where rounding is all that is left of it.

    A resample of a small collection may contain one topic n times and has no variance then. A tiny
    number instead of 0 would pass for one and ask for 2 topics.
    """
    differences = squares - correction
    return np.asarray(np.where(differences > _ROUNDING * n_topics * squares, differences, 0.0))


def _corrected(variances: Floats, matrix: ScoreMatrix) -> Floats:
    return variances * (matrix.n_topics / (matrix.n_topics - 1))
