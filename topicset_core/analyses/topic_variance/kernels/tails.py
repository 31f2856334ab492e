"""Scores drawn from densities, compiled: the chance that another document stands above each."""

import numpy as np
from numba import njit

from topicset_core.analyses.topic_variance.kernels.streams import below, normal

_KNOTS_PER_BANDWIDTH = 4  # as in `density`
_FEW = 12  # values up to which insertion alone is faster


@njit(cache=True, nogil=True)
def upper_tail(table, first, last, x):  # type: ignore[no-untyped-def]
    """Return the probability above x, in bandwidths from the first knot, from rows `first` to `last`.

    Quintic Hermite interpolation of value, slope and curvature: at most 1.3e-8 from the sum of kernels.
    """
    x *= _KNOTS_PER_BANDWIDTH
    if x <= 0.0:
        return 1.0
    if x >= last - first:
        return 0.0
    k = int(x)
    t = x - k
    k += first
    f, g, h = table[k, 0], table[k, 1], 0.5 * table[k, 2]
    to_f = table[k + 1, 0] - f - g - h
    to_g = table[k + 1, 1] - g - 2.0 * h
    to_h = 0.5 * table[k + 1, 2] - h
    third = 10.0 * to_f - 4.0 * to_g + to_h
    fourth = -15.0 * to_f + 7.0 * to_g - 2.0 * to_h
    fifth = 6.0 * to_f - 3.0 * to_g + to_h
    p = f + t * (g + t * (h + t * (third + t * (fourth + t * fifth))))
    return min(max(p, 0.0), 1.0)


@njit(nogil=True)
def sort_falling(values, found, counts):  # type: ignore[no-untyped-def]
    """Write the values into `found`, the largest first; they are spread over as many boxes beforehand."""
    n = values.size
    if n > _FEW:
        low, high = values[0], values[0]
        for value in values:
            low, high = min(low, value), max(high, value)
        scale = (n - 0.5) / (high - low) if high > low else 0.0
        counts[: n + 1] = 0
        for value in values:
            counts[int((high - value) * scale) + 1] += 1
        for box in range(n):
            counts[box + 1] += counts[box]
        for value in values:
            box = int((high - value) * scale)
            found[counts[box]] = value
            counts[box] += 1
    else:
        found[:] = values
    for i in range(1, n):
        value, j = found[i], i
        while j > 0 and found[j - 1] < value:
            found[j] = found[j - 1]
            j -= 1
        found[j] = value


@njit(nogil=True, error_model="numpy")
def draw_tails(tails, logs, counts, relevant, width, table, first, last, state):  # type: ignore[no-untyped-def]
    """Draw relevant scores from their density; write, ascending, the chance that another is above each.

    `logs` become log(1 - tails); `counts` is room for one more number than there are tails.
    """
    for i in range(tails.size):
        logs[i] = relevant[below(relevant.size, state)] + width * normal(state)
    sort_falling(logs, tails, counts)
    for i in range(tails.size):
        tails[i] = upper_tail(table, first, last, tails[i])
        logs[i] = np.log(1.0 - tails[i])
