"""What the experiment of Voorhees and Buckley counted, and the error rates in it."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.error_rate.units import N_BINS, UPPER_EDGES

N_CELLS = N_BINS + 2
"""Cell 0 holds the ties, cells 1 to 20 the bins, cell 21 what is above the last of them."""

N_SUMS = 5
"""Sums over trials for each cell: pairs, reversals, and the squares and product of the two."""

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class ErrorRates:
    """Counts over trials by cardinality and bin; 21 bins, the last of them above .2.

    Parameters
    ----------
    measure, name : str
        Of the scores.
    n_topics, n_systems : int
        Of the matrix.
    cardinalities : tuple of int
        Topics in each of the two sets, in the order asked.
    n_trials, seed : int
        Pairs of sets for each cardinality, and what they were drawn with.
    with_replacement : bool
        Whether topics were drawn with replacement, so that it is a bootstrap.
    decimals : int
        Decimals of the scores as they were compared.
    scores_are_exact : bool
        Whether the scores have no more decimals; else means that differ by rounding only are ties.
    counts : ndarray of int64, shape (n_cardinalities, N_CELLS, N_SUMS)
        Sums over trials.
    """

    measure: str
    name: str
    n_topics: int
    n_systems: int
    cardinalities: tuple[int, ...]
    n_trials: int
    seed: int
    with_replacement: bool
    decimals: int
    scores_are_exact: bool
    counts: Counts = field(repr=False)

    @property
    def n_pairs(self) -> int:
        """Pairs of runs compared in each trial."""
        return self.n_systems * (self.n_systems - 1) // 2

    @property
    def pairs(self) -> Counts:
        """Pairs that fell into each bin over all trials, (n_cardinalities, 21)."""
        return self.counts[:, 1:, 0]

    @property
    def reversals(self) -> Counts:
        """Those of them that the other set ordered the other way round, (n_cardinalities, 21)."""
        return self.counts[:, 1:, 1]

    @property
    def ties(self) -> Counts:
        """Pairs without a difference on the truth, which are in no bin, (n_cardinalities,)."""
        return self.counts[:, 0, 0]

    @property
    def error_rates(self) -> Floats:
        """Reversals / pairs, 0 to 1, (n_cardinalities, 21); NaN where no pair fell into the bin."""
        return _ratio(self.reversals, self.pairs)

    @property
    def standard_errors(self) -> Floats:
        """Standard error of each error rate over trials, (n_cardinalities, 21); NaN where there is none.

        Pairs of one trial share its topics, so the trial is the unit: the error of a ratio of two sums
        over independent trials. It says how well the trials settle the rate on these topics, not how
        other topics would change it.
        """
        rate = self.error_rates
        pairs_squared, product, reversals_squared = (self.counts[:, 1:, place] for place in (2, 3, 4))
        residual = reversals_squared - 2 * rate * product + rate**2 * pairs_squared
        if self.n_trials == 1:
            return np.full_like(rate, np.nan)
        unbiased = self.n_trials / (self.n_trials - 1)
        return _ratio(np.asarray(np.sqrt(np.maximum(residual, 0.0) * unbiased)), self.pairs)

    @property
    def overall(self) -> Floats:
        """Error rate over all pairs with a difference, whatever the bin, (n_cardinalities,)."""
        return _ratio(self.reversals.sum(axis=1), self.pairs.sum(axis=1))

    def largest_standard_error(self, n_bins: int) -> float | None:
        """Return the largest standard error of the first bins over all cardinalities; None without any."""
        errors = self.standard_errors[:, :n_bins]
        return float(np.nanmax(errors)) if np.isfinite(errors).any() else None

    def record(self) -> dict[str, Any]:
        """Return what was counted as plain values for JSON."""
        return {
            "with_replacement": self.with_replacement,
            "n_trials": self.n_trials,
            "bins": list(UPPER_EDGES),
            "cardinalities": list(self.cardinalities),
            "pairs": self.pairs.tolist(),
            "reversals": self.reversals.tolist(),
            "ties": self.ties.tolist(),
        }


def _ratio(above: NDArray[np.float64] | Counts, below: Counts) -> Floats:
    """Divide; NaN where there is nothing to divide by."""
    empty: Floats = np.full(below.shape, np.nan)
    return np.asarray(np.divide(above, below, out=empty, where=below > 0), dtype=np.float64)
