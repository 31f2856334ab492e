"""Random numbers, compiled: a stream for each trial and cell, so that none depends on what is drawn beside it.

Numbers come from xoroshiro128++ (Blackman and Vigna, ACM TOMS 47(4), 2021), started by SplitMix64 (Steele,
Lea and Flood, OOPSLA 2014).
"""

import numpy as np
from numba import njit

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_12, _15, _17, _21, _27, _28, _30, _31, _32, _36, _47, _49 = (
    np.uint64(bits) for bits in (12, 15, 17, 21, 27, 28, 30, 31, 32, 36, 47, 49)
)
_LAYER = np.uint64(127)
_GRAIN = 2.0**-52  # with 53 bits a half added to the largest number would round to 1
_EDGE, _AREA = 3.442619855899, 9.91256303526217e-3  # of 128 layers: where the tail begins, and their area


def _layers() -> tuple[np.ndarray, np.ndarray]:
    """Return the widths of the layers under the normal density, and each one's share that is inside it."""
    widths = np.zeros(129)
    height = np.exp(-0.5 * _EDGE**2)
    widths[0], widths[1] = _AREA / height, _EDGE
    for i in range(2, 128):
        height = _AREA / widths[i - 1] + height
        widths[i] = np.sqrt(-2.0 * np.log(height))
    return widths, widths[1:] / widths[:-1]


_WIDTHS, _INSIDE = _layers()


@njit(nogil=True)
def _mixed(z):  # type: ignore[no-untyped-def]
    """Return the output function of SplitMix64."""
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return z ^ (z >> _31)


@njit(nogil=True)
def start(state, key, trial, cell):  # type: ignore[no-untyped-def]
    """Start the stream of one trial and cell: 128 bits, mixed from all three numbers."""
    mixed = _mixed(_mixed(key + _STEP * np.uint64(trial + 1)) + _STEP * np.uint64(cell + 1))
    state[0] = _mixed(mixed + _STEP)
    state[1] = _mixed(mixed + _STEP + _STEP) | np.uint64(1)  # never all zeros


@njit(nogil=True)
def bits(state):  # type: ignore[no-untyped-def]
    """Return 64 random bits."""
    a, b = state[0], state[1]
    total = a + b
    found = ((total << _17) | (total >> _47)) + a
    b ^= a
    state[0] = ((a << _49) | (a >> _15)) ^ b ^ (b << _21)
    state[1] = (b << _28) | (b >> _36)
    return found


@njit(nogil=True)
def uniform(state):  # type: ignore[no-untyped-def]
    """Return a number between 0 and 1, never one of them."""
    return (np.float64(bits(state) >> _12) + 0.5) * _GRAIN


@njit(nogil=True)
def below(bound, state):  # type: ignore[no-untyped-def]
    """Return a whole number from 0 to below `bound`; none is likelier by more than bound / 2^32."""
    return np.int64(((bits(state) >> _32) * np.uint64(bound)) >> _32)


@njit(nogil=True)
def normal(state):  # type: ignore[no-untyped-def]
    """Return a normal number by the ziggurat method.

    J. A. Doornik, An improved ziggurat method to generate normal random samples, Oxford 2005.
    """
    while True:
        drawn = bits(state)
        layer = np.int64(drawn & _LAYER)
        u = (np.float64(drawn >> _12) + 0.5) * (2.0 * _GRAIN) - 1.0
        if abs(u) < _INSIDE[layer]:
            return u * _WIDTHS[layer]
        if layer == 0:  # the tail
            while True:
                x, y = np.log(uniform(state)) / _EDGE, np.log(uniform(state))
                if -2.0 * y >= x * x:
                    return x - _EDGE if u < 0.0 else _EDGE - x
        x = u * _WIDTHS[layer]
        low = np.exp(-0.5 * (_WIDTHS[layer] ** 2 - x * x))
        high = np.exp(-0.5 * (_WIDTHS[layer + 1] ** 2 - x * x))
        if high + uniform(state) * (low - high) < 1.0:
            return x
