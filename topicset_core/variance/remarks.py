"""What to know about a matrix before its variance is used."""

from collections.abc import Iterable

from topicset_core.collection import ScoreMatrix
from topicset_core.variance.estimates import one_way

FEW_TOPICS = 25
"""At this many a nominal 90 % interval of normal scores covers 84 %, at fewer still less (`coverage`)."""


def remarks(matrix: ScoreMatrix) -> tuple[str, ...]:
    """Return sentences for the user about unusual scores, () otherwise.

    They concern problems that the estimates cannot show: a single run, few topics, no variance at all.

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores that a variance is taken from.
    """
    results = []
    if matrix.n_systems == 1:
        results.append(
            f"{matrix.name} has one run: its one-way variance (Sakai 2016, Eq. 36) is no estimate for other "
            "systems, whose variances may differ; the two-way variance (Eq. 37) and differences of systems need "
            "at least two runs."
        )
    if matrix.n_topics < FEW_TOPICS:
        results.append(
            f"{matrix.name} has {matrix.n_topics} topics: with fewer than {FEW_TOPICS}, intervals from resampling "
            "are too narrow, and mostly too low."
        )
    if one_way(matrix) == 0:
        results.append(
            f"In {matrix.name} every run has the same score on all topics: there is no variance to plan with."
        )
    return tuple(results)


PER_CENT = 100.0


def scale_question(matrices: Iterable[ScoreMatrix], symbol: str, difference: float) -> str:
    """Return a question about a difference below one point on scores that look like per cent; "" for others.

    Parameters
    ----------
    matrices : iterable of ScoreMatrix
        The scores, all of one measure.
    symbol : str
        Of the difference.
    difference : float
        In units of the scores.
    """
    high = [float(one.scores.max()) for one in matrices if looks_like_per_cent(one)]
    if not high or abs(difference) >= 1:
        return ""
    return (
        f"Scores run up to {max(high):g}: is their scale 0 to 100? Then {symbol} = {difference:g} is "
        f"{difference:g} of 100 points; did you mean {PER_CENT * difference:g}?"
    )


def looks_like_per_cent(matrix: ScoreMatrix) -> bool:
    """Return whether scores go above 1, but not above 100 nor below 0."""
    return bool(matrix.scores.min() >= 0 and 1 < matrix.scores.max() <= PER_CENT)
