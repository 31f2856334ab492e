"""Counting reversals of given sets of topics against random ones: the inner loop, compiled.

All code that Numba compiles for this part is in this file: its cache does not see a change in another file. Sums
come as whole numbers in floating point, so every comparison is exact.
"""

import numpy as np
from numba import njit

N_CELLS = 22
"""Cell 0 holds the ties, cells 1 to 20 the bins, cell 21 all above the last of them."""

N_SUMS = 4
"""Pairs, and reversals by the best, the random and the worst set."""


@njit(cache=True, nogil=True)
def count_against(reference, best, drawn, worst, slack, bins_per_unit):  # type: ignore[no-untyped-def]
    """Return for each cell the pairs of runs and how many of them each set has in the opposite order."""
    n_trials, n_systems = reference.shape
    sums = np.zeros((N_CELLS, N_SUMS), np.int64)
    below = slack + 0.5
    for trial in range(n_trials):
        for run in range(1, n_systems):
            for other in range(run):
                right = reference[trial, run] - reference[trial, other]
                # ceil(|right| / width), and 0 for a tie. Differences are integers, so the value
                # before rounding is at least half a unit away from where rounding would err.
                cell = np.int64(min((abs(right) - below) * bins_per_unit + 1.0, N_CELLS - 1.0))
                sums[cell, 0] += 1
                seen = best[run] - best[other]
                sums[cell, 1] += (right * seen < 0.0) & (abs(seen) > slack)
                seen = drawn[trial, run] - drawn[trial, other]
                sums[cell, 2] += (right * seen < 0.0) & (abs(seen) > slack)
                seen = worst[run] - worst[other]
                sums[cell, 3] += (right * seen < 0.0) & (abs(seen) > slack)
    return sums
