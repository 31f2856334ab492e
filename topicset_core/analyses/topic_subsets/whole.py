"""Scores as whole numbers, so that ties between sums over topics are exact.

Two runs whose scores are the same numbers on other topics tie over these topics, but sums in binary
floating point may differ in the last bit. Scores with a few decimals, as they are released, are whole
numbers of their last decimal; others are rounded to the finest power of two of which sums over all
topics are exact, 2^-53 of their range: about sixteen digits.
"""

import numpy as np
from numpy.typing import NDArray

_MOST_DECIMALS = 12
LARGEST_EXACT = 2.0**53
"""Whole numbers up to this are exact in double precision."""


def whole_numbers(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores, (n_topics, n_systems), as whole numbers from 0 that add up exactly over topics.

    The lowest score of each topic becomes 0, which changes no difference between runs.
    """
    scores = scores + 0.0  # no negative zeros
    whole = _in_decimals(scores)
    if whole is not None:
        return np.asarray(whole - whole.min(axis=1, keepdims=True))
    return _on_grid(scores)[0]


def whole_and_rest(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return whole numbers as `whole_numbers` does, and what they leave of the scores, in the same unit.

    Nothing is left of decimals; of others up to half a unit, so that both together are the very numbers given.
    """
    whole = _in_decimals(scores + 0.0)
    if whole is not None:
        return np.asarray(whole - whole.min(axis=1, keepdims=True)), np.zeros_like(whole)
    return _on_grid(scores + 0.0)


def _on_grid(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return scores in units of the finest power of two of which sums are exact, and what is left of them."""
    least = scores.min(axis=1, keepdims=True)
    spread = float((scores.max(axis=1) - least[:, 0]).sum())
    above = scores - least
    # What that difference lost: Knuth's two-sum.
    back = above - scores
    lost = (scores - (above - back)) - (least + back)
    # Half of what is exact, as rounding up may add a unit a topic.
    exponent = int(np.floor(np.log2(LARGEST_EXACT / 2 / spread))) if spread > 0 else 0
    scaled = np.ldexp(above, exponent)
    whole = np.rint(scaled)
    return whole, (scaled - whole) + np.ldexp(lost, exponent)


def _in_decimals(scores: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return scores in units of the last decimal, or None where twelve decimals are not enough."""
    for decimals in range(_MOST_DECIMALS + 1):
        scale = 10.0**decimals
        whole = np.rint(scores * scale)
        if np.abs(whole).max() * len(scores) * 2 > LARGEST_EXACT:
            return None
        # The double nearest to a decimal is whole / 10^decimals, rounded once.
        if np.array_equal(whole / scale, scores):
            return whole
    return None
