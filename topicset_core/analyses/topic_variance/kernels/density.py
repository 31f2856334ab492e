"""The upper tail of a Gaussian kernel density at evenly spaced knots, compiled.

No value is compared with every knot: values next to a knot are summed up by the moments of their
distances from it, and a Taylor series carries these to the other knots, by coefficients that depend
only on how many knots lie between. They are made once, in `topicset_core.analyses.topic_variance.densities`.
"""

import numpy as np
from numba import njit

KNOTS_PER_BANDWIDTH = 4
"""Knots of a table to a bandwidth."""


@njit(cache=True, nogil=True)
def density_table(values, n_knots, taps):  # type: ignore[no-untyped-def]
    """Tabulate the upper tail of a Gaussian kernel density, with slope and curvature.

    Parameters
    ----------
    values : ndarray of float64, shape (n_values,)
        In bandwidths from the first knot.
    n_knots : int
        Knots, `KNOTS_PER_BANDWIDTH` to a bandwidth.
    taps : ndarray of float64, shape (3, n_moments, 2 * reach + 1)
        What the k-th moment of the values next to a knot adds to value, slope and curvature at the knot
        j - reach knots lower.

    Returns
    -------
    ndarray of float64, shape (n_knots, 3)
        Probability above the knot; its first two derivatives by the number of the knot.
    """
    n_moments, reach = taps.shape[1], taps.shape[2] // 2
    moments = np.zeros((n_knots, n_moments))
    for value in values:
        knot = int(np.floor(value * KNOTS_PER_BANDWIDTH + 0.5))
        away = value - knot / KNOTS_PER_BANDWIDTH
        power = 1.0
        for k in range(n_moments):
            moments[knot, k] += power
            power *= away
    table = np.zeros((n_knots, 3))
    farther = 0.0
    for at in range(n_knots - 1 - reach - 1, -1, -1):
        farther += moments[at + reach + 1, 0]
        table[at, 0] = farther
    for knot in range(n_knots):
        if moments[knot, 0] > 0.0:
            for at in range(max(knot - reach, 0), min(knot + reach + 1, n_knots)):
                for derivative in range(3):
                    total = 0.0
                    for k in range(n_moments):
                        total += moments[knot, k] * taps[derivative, k, knot - at + reach]
                    table[at, derivative] += total
    return table / values.size
