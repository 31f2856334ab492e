"""The curve that Voorhees and Buckley fitted: error rate = b1 exp(-b2 n), one for each bin.

Least squares of the rates, all cardinalities counting the same. Voorhees and Buckley read rates at
more topics than they had off such curves; `extrapolation` shows what that is worth.

References
----------
.. [1] E. M. Voorhees, C. Buckley. The effect of topic set size on retrieval experiment error.
   SIGIR 2002, 316-323. https://doi.org/10.1145/564376.564432
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.analyses.error_rate.counts import ErrorRates, Floats

_GRID = np.concatenate([[0.0], np.geomspace(1e-6, 10.0, 400)])
"""Decays among which the best is looked for first; at 10 the second topic leaves nothing."""

_GOLDEN = (np.sqrt(5.0) - 1) / 2
_STEPS = 80  # each shortens the bracket to .618 of itself; 80 leave no digit


@dataclass(frozen=True, kw_only=True)
class ExponentialFit:
    """One fitted curve.

    Parameters
    ----------
    bin : int
        From 0; bin k holds differences in (0.01 k, 0.01 (k + 1)], bin 20 those above .2.
    b1 : float
        Rate that the curve starts from, at n = 0.
    b2 : float
        Decay, from 0.
    largest_residual : float
        Largest absolute difference between a rate and the curve.
    n_points : int
        Cardinalities whose bin is not empty.
    """

    bin: int
    b1: float
    b2: float
    largest_residual: float
    n_points: int

    def at(self, n_topics: ArrayLike) -> Floats:
        """Return the curve at any number of topics."""
        return np.asarray(self.b1 * np.exp(-self.b2 * np.asarray(n_topics, dtype=np.float64)))


def exponential_fits(counted: ErrorRates) -> tuple[ExponentialFit | None, ...]:
    """Return the fit of each of the 21 bins; None with fewer than three cardinalities to fit, or no error."""
    sizes = np.array(counted.cardinalities, dtype=np.float64)
    return tuple(_fit(place, sizes, rates) for place, rates in enumerate(counted.error_rates.T))


def _fit(place: int, sizes: Floats, rates: Floats) -> ExponentialFit | None:
    there = np.isfinite(rates)
    n, y = sizes[there], rates[there]
    if n.size < 3 or not y.any():
        return None
    best = int(np.argmin(_squares(_GRID, n, y)))
    low, high = float(_GRID[max(best - 1, 0)]), float(_GRID[min(best + 1, _GRID.size - 1)])
    for _ in range(_STEPS):  # golden section: one valley between the neighbours of the best
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        at_left, at_right = _squares(np.array([left, right]), n, y)
        if at_left <= at_right:
            high = right
        else:
            low = left
    b2 = (low + high) / 2
    b1 = _start(b2, n, y)
    residual = float(np.max(np.abs(y - b1 * np.exp(-b2 * n))))
    return ExponentialFit(bin=place, b1=b1, b2=float(b2), largest_residual=residual, n_points=n.size)


def _start(decay: float, n: Floats, y: Floats) -> float:
    """Return the b1 that fits best for a given b2: a linear problem."""
    # Counted from the smallest n, so that nothing underflows; then carried back to n = 0.
    falling = np.exp(-decay * (n - n.min()))
    return float(falling @ y / (falling @ falling) * np.exp(decay * n.min()))


def _squares(decays: Floats, n: Floats, y: Floats) -> Floats:
    """Return the sum of squared residuals for each decay, each with the b1 that fits best."""
    falling = np.exp(-decays[:, np.newaxis] * (n - n.min()))
    share = falling @ y / np.sum(np.square(falling), axis=1)
    return np.asarray(np.sum(np.square(y - share[:, np.newaxis] * falling), axis=1))
