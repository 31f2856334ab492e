"""Scores as whole numbers, so that ties and the edges of bins are exact.

A mean difference of .05 lies in the bin (.04, .05] and not in the next one; in binary floating point
either may come out. Scores are released with a few decimals, so in units of the last one they and their sums
are whole. Scores with more decimals than nine are rounded to nine; differences of
means that this rounding could have made then count as none.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError

BIN_WIDTH = 0.01
N_BINS = 20
"""Bins (0.01 (k - 1), 0.01 k], k = 1 .. 20; one more holds all differences above .2."""

UPPER_EDGES: tuple[float | None, ...] = (*(round(0.01 * k, 2) for k in range(1, N_BINS + 1)), None)
"""Upper edge of each bin; the last is open."""

Floats = NDArray[np.float64]

_FEWEST_DECIMALS, _MOST_DECIMALS = 2, 9  # from 2 on, a bin is a whole number of units wide
_LARGEST_SUM = 2.0**53


@dataclass(frozen=True, kw_only=True, eq=False)
class WholeScores:
    """Scores in units of their last decimal."""

    scores: NDArray[np.float64] | NDArray[np.int32]  # (n_topics, n_systems)
    decimals: int  # a unit is 10^-decimals
    exact: bool  # whether the scores have no more decimals than that

    def narrow(self, cardinality: int) -> "WholeScores":
        """Return them in 32 bits if sums over that many topics fit, which add up twice as fast."""
        fits = float(np.abs(self.scores).max()) * cardinality < 2.0**31
        return replace(self, scores=self.scores.astype(np.int32)) if fits else self

    def slack(self, cardinality: int) -> float:
        """Return up to where a difference of sums over that many topics may be rounding alone."""
        return 0.0 if self.exact else float(cardinality)  # half a unit for each score of either run

    def bins_per_unit(self, cardinality: int) -> float:
        """Return 1 / (width of a bin as a difference of sums over that many topics)."""
        return 1.0 / (cardinality * 10.0 ** (self.decimals - 2))


def whole_scores(matrix: ScoreMatrix, largest_cardinality: int) -> WholeScores:
    """Return the scores as whole numbers."""
    largest = float(np.abs(matrix.scores).max()) * largest_cardinality
    for decimals in range(_FEWEST_DECIMALS, _MOST_DECIMALS + 1):
        if largest * 10.0**decimals >= _LARGEST_SUM:
            break
        scaled = matrix.scores * 10.0**decimals
        whole = np.rint(scaled)
        # A decimal as read is off by half a unit of 2e-16 of itself, and again when multiplied.
        if np.all(np.abs(scaled - whole) <= 4e-16 * np.abs(scaled)):
            return WholeScores(scores=whole, decimals=decimals, exact=True)
    else:
        decimals += 1
    decimals -= 1
    if decimals < _FEWEST_DECIMALS:
        rule = (
            "must be small enough to resolve differences of .01; error rates are for scores of about 0 to 1"
        )
        raise InputError("scores", float(np.abs(matrix.scores).max()), rule)
    whole = np.rint(matrix.scores * 10.0**decimals)
    return WholeScores(scores=whole, decimals=decimals, exact=False)


def bin_label(place: int) -> str:
    """Return the difference in a bin as ".04–.05", or "above .20" for the last."""
    edge = UPPER_EDGES[place]
    if edge is None:
        return f"above {_short(N_BINS / 100)}"
    return f"{_short(place / 100)}–{_short(edge)}"


def _short(value: float) -> str:
    return "0" if value == 0 else f"{value:.2f}".lstrip("0")
