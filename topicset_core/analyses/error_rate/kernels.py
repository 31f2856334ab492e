"""Counting reversals: the inner loops of the Voorhees-Buckley experiment, compiled.

All code that Numba compiles for this analysis is in this file, but for `number_below`, which never changes: its
cache does not see a change in another file. Scores come as whole numbers in floating point, so every sum and
every comparison is exact.
"""

import numpy as np

from topicset_core.execution.compiling import kernel
from topicset_core.execution.random_numbers import number_below

N_CELLS = 22
"""Cell 0 holds the ties, cells 1 to 20 the bins, cell 21 all above the last of them."""

N_SUMS = 6
"""Sums over trials for each cell: pairs, those reversed, those tied on the other set; then pairs squared, times E,
and E squared, E being twice the reversed pairs plus the tied ones: twice the errors."""


@kernel()
def count_reversals(scores, cardinality, replace, n_trials, seed, slack, bins_per_unit):  # type: ignore[no-untyped-def]
    """Run trials at one cardinality and return sums over them for each cell."""
    n_topics, n_systems = scores.shape
    state = np.full(1, seed, np.uint64)
    chosen = np.arange(max(n_topics, 2 * cardinality))
    first_sums, second_sums = np.empty(n_systems, scores.dtype), np.empty(n_systems, scores.dtype)
    first, second = np.empty(n_systems), np.empty(n_systems)
    place_of = np.empty(n_systems, np.int32)
    even, odd = np.empty(3 * N_CELLS, np.int64), np.empty(3 * N_CELLS, np.int64)
    sums = np.zeros((N_CELLS, N_SUMS), np.int64)
    below = slack + 0.5
    for _ in range(n_trials):
        for place in range(2 * cardinality):
            if replace:
                chosen[place] = number_below(n_topics, state)
            else:  # Fisher and Yates, as far as needed; the order left by the last trial does not matter
                other = place + number_below(n_topics - place, state)
                chosen[place], chosen[other] = chosen[other], chosen[place]
        first_sums[:] = 0
        second_sums[:] = 0
        for place in range(cardinality):
            topic = chosen[place]
            for run in range(n_systems):
                first_sums[run] += scores[topic, run]
            topic = chosen[cardinality + place]
            for run in range(n_systems):
                second_sums[run] += scores[topic, run]
        first[:] = first_sums
        second[:] = second_sums
        even[:] = 0
        odd[:] = 0
        for run in range(1, n_systems):
            reference_of_run, observed_of_run = first[run], second[run]
            for other in range(run):
                reference, observed = reference_of_run - first[other], observed_of_run - second[other]
                # ceil(|reference| / width), and 0 for a tie. Differences are whole, so the term before
                # the rounding is half a unit or more away from where rounding would err.
                spot = min((abs(reference) - below) * bins_per_unit + 1.0, N_CELLS - 1.0)
                tie = abs(observed) <= slack
                reversal = (reference * observed < 0.0) & (not tie)
                place_of[other] = 3 * np.int32(spot) + np.int32(2 * reversal + tie)
            # Two histograms alternate, as an addition must wait for the one before it in the same cell.
            for other in range(0, run - 1, 2):
                even[place_of[other]] += 1
                odd[place_of[other + 1]] += 1
            if run % 2 == 1:
                even[place_of[run - 1]] += 1
        for cell in range(N_CELLS):
            tied = even[3 * cell + 1] + odd[3 * cell + 1]
            reversals = even[3 * cell + 2] + odd[3 * cell + 2]
            pairs = even[3 * cell] + odd[3 * cell] + tied + reversals
            doubled = 2 * reversals + tied
            sums[cell, 0] += pairs
            sums[cell, 1] += reversals
            sums[cell, 2] += tied
            sums[cell, 3] += pairs * pairs
            sums[cell, 4] += pairs * doubled
            sums[cell, 5] += doubled * doubled
    return sums
