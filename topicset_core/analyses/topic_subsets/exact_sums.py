"""Sums of scores over topics without rounding: ties, correlations and covariances that keep their digits.

Two runs whose scores are the same numbers on other topics tie over these topics, but sums in binary floating
point may differ in the last bit. Scores with a few decimals are whole numbers of their last decimal; others are
rounded to the finest power of two of which sums over all topics are exact, 2^-53 of their range. What that leaves
of the scores, at most half a unit, `RunSums` adds up beside: only differences of sums between runs are rounded.

Q(S) and b(S) of `kernels.pearson` are sums of covariances, of which little may be left where topics cancel. Whole
scores x have whole covariances over the m runs, m sum x x' - sum x sum x'. Where all their sizes together are
below 2^53 every sum is exact, and subsets are ranked right to the last digits of a division: fifty topics, 129
runs and 4 decimals are far below.

Elsewhere sums are rounded. With u = 2^-53 and L_c the sum of the c largest lengths of rows of centred scores, a
dot product of m numbers is off by (m + 4) u of both lengths, and Q adds up products of which each passes through
2c + 8 additions at most: so Q is off by (m + 2c + 12) u L_c^2, and a correlation by about half that share of Q.
Where topics do not cancel that is about 1e-12 at most; else it grows as 1 / Q, and a set better by that much may
be missed. Correlations that are shown come from the scores themselves (`RunSums`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_subsets.criterion import Floats, Topics

_MOST_DECIMALS = 12
LARGEST_EXACT = 2.0**53
"""Whole numbers up to this are exact in double precision."""


def whole_numbers(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores, (n_topics, n_systems), as whole numbers from 0 that add up exactly over topics."""
    return whole_and_rest(scores)[0]


def whole_and_rest(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return whole numbers, the lowest of each topic 0, and what they leave of the scores in the same unit."""
    scores = scores + 0.0  # no negative zeros
    whole = _in_decimals(scores)
    if whole is not None:
        return np.asarray(whole - whole.min(axis=1, keepdims=True)), np.zeros_like(whole)
    return _on_grid(scores)


def _on_grid(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return scores in units of the finest power of two of which sums are exact, and the remainder."""
    least = scores.min(axis=1, keepdims=True)
    spread = float((scores.max(axis=1) - least[:, 0]).sum())
    above = scores - least
    # What that difference lost: Knuth's two-sum.
    back = above - scores
    lost = (scores - (above - back)) - (least + back)
    # Half of the exact range, as rounding up may add a unit per topic.
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


@dataclass(frozen=True, kw_only=True, eq=False)
class RunSums:
    """Scores of all topics, ready to be added up."""

    # Scores in units of their own: see `whole_and_rest`
    whole: Floats  # (n_topics, n_systems)
    rest: Floats  # (n_topics, n_systems)
    full: Floats  # (n_systems,): sums over all topics, less their mean over runs
    square: float  # sum of squares of `full`
    # Subsets whose sums less their mean have squares that add up to at most this have no correlation
    tolerance: float

    @classmethod
    def of(cls, scores: Floats, tolerance: float) -> "RunSums":
        """Prepare scores, (n_topics, n_systems); `tolerance` is a share of the largest square of a topic."""
        whole, rest = whole_and_rest(scores)
        full = _above_first(whole.sum(axis=0)) + _above_first(rest.sum(axis=0))
        full = full - full.mean()
        largest = float(np.square(centred(whole, rest)).sum(axis=1).max())
        return cls(
            whole=whole, rest=rest, full=full, square=float(full @ full), tolerance=tolerance * largest
        )

    def correlation(self, topics: Sequence[int]) -> float | None:
        """Return the correlation of a subset, None where its run means are all the same."""
        return self.correlations(np.array([topics], dtype=np.int64))[0]

    def correlations(self, subsets: Topics) -> list[float | None]:
        """Return the correlation of each subset, (n_subsets, cardinality), to the last bit as of it alone."""
        sums = _above_first(self.whole[subsets].sum(axis=1))
        if self.rest.any():
            sums = sums + _above_first(self.rest[subsets].sum(axis=1))
        sums = sums - sums.mean(axis=1, keepdims=True)
        squares = np.square(sums).sum(axis=1)
        products = (sums * self.full).sum(axis=1)
        return [
            # Rounding may leave 1 + 1e-16.
            max(-1.0, min(1.0, product / math.sqrt(square * self.square)))
            if square > self.tolerance
            else None
            for square, product in zip(squares.tolist(), products.tolist(), strict=True)
        ]


def centred(whole: Floats, rest: Floats) -> Floats:
    """Return scores less their mean over runs, (n_topics, n_systems)."""
    above = _above_first(whole) + _above_first(rest)
    return np.asarray(above - above.mean(axis=1, keepdims=True))


def _above_first(sums: Floats) -> Floats:
    """Return sums, (..., n_systems), above the first run's; whole numbers are subtracted exactly."""
    return np.asarray(sums - sums[..., :1])


@dataclass(frozen=True, kw_only=True, eq=False)
class Covariances:
    """Covariances scaled by a power of 2 so that T is from 1 to 4."""

    # C and its row sums
    cov: Floats
    b: Floats
    tolerance: float  # a subset with Q of at most this has no correlation
    are_exact: bool  # whether all sums of them are

    @classmethod
    def of(cls, sums: RunSums) -> "Covariances":
        """Return the covariances of scores."""
        cov, tolerance = None if sums.rest.any() else _exact(sums.whole), sums.tolerance * sums.whole.shape[1]
        are_exact = cov is not None
        if cov is None:
            rows = centred(sums.whole, sums.rest)
            cov, tolerance = rows @ rows.T, sums.tolerance
        scale = 4.0 ** (-(math.frexp(float(cov.sum()))[1] - 1) // 2)
        cov = cov * scale
        return cls(cov=cov, b=cov.sum(axis=1), tolerance=tolerance * scale, are_exact=are_exact)


def _exact(whole: Floats) -> Floats | None:
    """Return the covariances of whole scores, None where not all sums of them are exact."""
    m = whole.shape[1]
    if (m * float(whole.max())) ** 2 > LARGEST_EXACT:
        return None
    sums = whole.sum(axis=1)
    cov = np.asarray(m * (whole @ whole.T) - np.outer(sums, sums))
    # Q of a complement is Q + T - 2 b: at most four of these sums.
    return cov if 4 * float(np.abs(cov).sum()) <= LARGEST_EXACT else None
