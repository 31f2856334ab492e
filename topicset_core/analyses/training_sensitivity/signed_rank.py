"""The Wilcoxon matched-pairs signed-ranks test of tables 2 and 3, exact with ties.

Differences of 0 are left out (Wilcoxon 1945), equal absolute differences share their mean rank, and the
distribution of the rank sum is that over all signs given these ranks, counted and not approximated.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NEGLIGIBLE = 1e-12
"""Absolute differences up to this are 0, and such that differ by less tie: rounding of sums."""

LARGEST_EXACT = 400
"""Pairs up to which all signs are counted; beyond, the normal approximation is good to four digits."""


@dataclass(frozen=True)
class SignedRank:
    """One test.

    Parameters
    ----------
    n : int
        Pairs that differ.
    p_value : float
        Two-sided; 1 where no pair differs.
    """

    n: int
    p_value: float


def signed_rank(differences: NDArray[np.float64]) -> SignedRank:
    """Test whether differences are symmetric about 0.

    Parameters
    ----------
    differences : ndarray of float64, shape (n,)
        One a pair.
    """
    kept = differences[np.abs(differences) > NEGLIGIBLE]
    if not kept.size:
        return SignedRank(0, 1.0)
    doubled = doubled_ranks(np.abs(kept))
    positive, total = int(doubled[kept > 0].sum()), int(doubled.sum())
    extreme = min(positive, total - positive)
    if kept.size > LARGEST_EXACT:
        return SignedRank(kept.size, _approximate(extreme, doubled))
    # ways[s]: share of all signs with a doubled rank sum of s.
    ways = np.zeros(extreme + 1)
    ways[0] = 1.0
    for rank in doubled.tolist():
        moved = np.zeros_like(ways)
        moved[rank:] = ways[: max(ways.size - rank, 0)]
        ways = (ways + moved) / 2
    return SignedRank(kept.size, min(1.0, 2 * float(ways.sum())))


def doubled_ranks(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return twice the rank of each value, lowest 1, equal ones sharing their mean rank."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    begins = np.concatenate([[0], np.flatnonzero(np.diff(ordered) > NEGLIGIBLE) + 1])
    ends = np.concatenate([begins[1:], [values.size]])
    ranks = np.empty(values.size, dtype=np.int64)
    # Places begin to end - 1 have the ranks begin + 1 to end; twice their mean is begin + 1 + end.
    ranks[order] = np.repeat(begins + ends + 1, ends - begins)
    return ranks


def _approximate(extreme: int, doubled: NDArray[np.int64]) -> float:
    from scipy.special import ndtr

    mean, variance = doubled.sum() / 2, (doubled.astype(np.float64) ** 2).sum() / 4
    return min(1.0, 2 * float(ndtr((extreme - mean) / np.sqrt(variance))))
