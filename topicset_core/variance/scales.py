"""Scores whose scale is 0 to 100, and differences that fit 0 to 1."""

from collections.abc import Iterable

from topicset_core.collection import ScoreMatrix

PER_CENT = 100.0


def scale_question(matrices: Iterable[ScoreMatrix], symbol: str, difference: float) -> str:
    """Return a question about a difference below one point on scores that look like per cent; "" for others."""
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
