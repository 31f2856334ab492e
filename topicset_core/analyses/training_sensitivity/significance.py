"""Tests of the paper's tables, exact and two-sided: signs (tables 4 and 5), signed ranks (2 and 3).

The sign test leaves ties out. The Wilcoxon matched-pairs signed-ranks test leaves differences of 0 out
(Wilcoxon 1945), equal absolute differences share their mean rank, and the distribution of the rank sum is
that over all signs given these ranks, counted and not approximated.
"""

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

SIGNIFICANT, HIGHLY_SIGNIFICANT = 0.05, 0.01
"""Levels of the paper's marks > and ≫."""

NEGLIGIBLE = 1e-12
"""Absolute differences up to this are 0, and differences closer than this tie: rounding of sums."""

LARGEST_EXACT = 400
"""Pairs up to which all signs are counted; beyond, the normal approximation is good to four digits."""


@dataclass(frozen=True)
class SignTest:
    """Cases that favour one of two sides."""

    # Cases for and against
    more: int
    less: int
    tied: int = 0  # cases that favour neither

    @cached_property
    def p_value(self) -> float:
        """Probability of a split at least as uneven, were both signs equally likely; 1 without cases.

        All marks of the paper's tables follow from this two-sided test; one-sided the 17/7 of table 5
        would be marked.
        """
        n = self.more + self.less
        extreme = sum(comb(n, k) for k in range(min(self.more, self.less) + 1))
        return min(1.0, float(2 * extreme / 2**n))

    @property
    def mark(self) -> str:
        """As in the paper: ≫ at .01, > at .05, nothing otherwise; ≪ and < where fewer cases favour."""
        signs = ("≫", ">") if self.more > self.less else ("≪", "<")
        if self.p_value <= HIGHLY_SIGNIFICANT:
            return signs[0]
        return signs[1] if self.p_value <= SIGNIFICANT else ""

    @property
    def text(self) -> str:
        """As in the paper, "24/0 ≫"; with ties "20/3 (1 tied) ≫"."""
        tied = f" ({self.tied} tied)" if self.tied else ""
        return f"{self.more}/{self.less}{tied}{' ' + self.mark if self.mark else ''}"


@dataclass(frozen=True)
class SignedRank:
    """One test."""

    n: int  # pairs that differ
    p_value: float  # two-sided


def signed_rank(differences: NDArray[np.float64]) -> SignedRank:
    """Test whether differences are symmetric about 0."""
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


def holm(p_values: list[float]) -> list[float]:
    """Return p values adjusted for their number (Holm 1979), in their order."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted
