"""Random whole numbers for compiled loops.

Numba's cache of a loop does not see a change here: the numbers never change.
"""

import numpy as np

from topicset_core.execution.compiling import kernel

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@kernel()
def number_below(bound, state):  # type: ignore[no-untyped-def]
    """Return a whole number from 0 to below `bound`, by SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    state[0] += _STEP
    z = state[0]
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    z = z ^ (z >> _31)
    return np.int64(((z >> _32) * np.uint64(bound)) >> _32)
