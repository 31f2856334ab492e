"""Sign flips of whole topics and permutations within topics: the inner loops of rank resolution, compiled.

All code that Numba compiles for this analysis is in this file, but for `number_below`, which never changes: its
cache does not see a change in another file.

The statistic of a pair grows with w = t c, where t is the mean difference and c = 1 / sqrt(V0 + F) belongs to the
pair (see `pairs`). Therefore a flip costs a subtraction and a product per pair; nothing is divided.
"""

import numpy as np

from topicset_core.execution.compiling import kernel
from topicset_core.execution.random_numbers import number_below

LANES = 64
"""Flips that go through the pairs side by side: their means stay in the cache next to the processor."""


@kernel()
def pair_moments(columns):  # type: ignore[no-untyped-def]
    """Return moments of the per-topic difference of each pair of systems."""
    m, n = columns.shape
    result = np.empty((4, m * (m - 1) // 2))
    place = 0
    for i in range(m):
        for k in range(i + 1, m):
            total = 0.0
            for j in range(n):
                total += columns[i, j] - columns[k, j]
            mean = total / n
            second, squares, fourth = 0.0, 0.0, 0.0
            for j in range(n):
                d = columns[i, j] - columns[k, j]
                second += (d - mean) * (d - mean)
                squares += d * d
                fourth += d * d * d * d
            result[0, place] = mean
            result[1, place] = second / n
            result[2, place] = squares / n
            result[3, place] = fourth / n
            place += 1
    return result


@kernel()
def flipped_means(values, signs):  # type: ignore[no-untyped-def]
    """Return the mean score of each system after the signs of some topics were flipped.

    Eight topics have 256 patterns of signs, whose sums are tabled: a flip adds one row of it per eight topics.
    """
    n, m = values.shape
    n_flips, n_bytes = signs.shape
    sums = np.zeros((n_flips, m))
    table = np.empty((256, m))
    for group in range(n_bytes):
        first = 8 * group
        for i in range(m):
            table[0, i] = 0.0
            for k in range(first, min(first + 8, n)):
                table[0, i] -= values[k, i]
        size = 1
        for k in range(8):
            for row in range(size):
                for i in range(m):
                    twice = 2.0 * values[first + k, i] if first + k < n else 0.0
                    table[size + row, i] = table[row, i] + twice
            size *= 2
        for flip in range(n_flips):
            row = signs[flip, group]
            for i in range(m):
                sums[flip, i] += table[row, i]
    for flip in range(n_flips):
        for i in range(m):
            sums[flip, i] /= n
    return sums


@kernel()
def _run(lanes, width, winners, losers, scales, thresholds, counts, largest):  # type: ignore[no-untyped-def]
    """Walk up one family of pairs for some flips; add to `counts`, write the largest statistic of each flip."""
    n_pairs = winners.size
    low, high = np.zeros(LANES), np.zeros(LANES)
    for pair in range(n_pairs):
        a, b, c = winners[pair], losers[pair], scales[pair]
        for k in range(width):
            w = (lanes[a, k] - lanes[b, k]) * c
            low[k] = w if w < low[k] else low[k]
            high[k] = w if w > high[k] else high[k]
    for k in range(width):
        largest[k] = high[k] if high[k] > -low[k] else -low[k]
    for k in range(width):
        low[k] = -low[k]
    for pair in range(n_pairs):
        a, b, c, threshold = winners[pair], losers[pair], scales[pair], thresholds[pair]
        hits = 0
        for k in range(width):
            w = (lanes[a, k] - lanes[b, k]) * c
            low[k] = w if w > low[k] else low[k]
            hits += low[k] >= threshold
        counts[pair] += hits


@kernel()
def count_flips(  # type: ignore[no-untyped-def]
    means, winners, losers, scales, thresholds, own_winners, own_losers, own_scales, own_thresholds
):
    """Count for each pair the flips whose maximum reaches it, over all pairs and within each system's family."""
    n_flips, m = means.shape
    counts = np.zeros(winners.size, np.int64)
    own_counts = np.zeros(own_winners.shape, np.int64)
    largest, ignored = np.zeros(n_flips), np.zeros(LANES)
    lanes = np.zeros((m, LANES))
    used = np.zeros(own_winners.shape[0], np.int64)
    for i in range(own_winners.shape[0]):
        for place in range(own_winners.shape[1]):
            used[i] += own_winners[i, place] >= 0
    for first in range(0, n_flips, LANES):
        width = min(LANES, n_flips - first)
        for k in range(width):
            for i in range(m):
                lanes[i, k] = means[first + k, i]
        _run(lanes, width, winners, losers, scales, thresholds, counts, largest[first : first + width])
        for i in range(used.size):
            n = used[i]
            _run(
                lanes,
                width,
                own_winners[i, :n],
                own_losers[i, :n],
                own_scales[i, :n],
                own_thresholds[i, :n],
                own_counts[i],
                ignored,
            )
    return counts, own_counts, largest


@kernel()
def ranges_of_permutations(values, n_trials, seed):  # type: ignore[no-untyped-def]
    """Return the range of the system means after the scores of every topic were permuted over systems."""
    n, m = values.shape
    result = np.empty(n_trials)
    state = np.full(1, seed, np.uint64)
    sums = np.empty(m)
    for trial in range(n_trials):
        sums[:] = 0.0
        for j in range(n):
            for i in range(m - 1, 0, -1):
                other = number_below(i + 1, state)
                values[j, i], values[j, other] = values[j, other], values[j, i]
            for i in range(m):
                sums[i] += values[j, i]
        result[trial] = (sums.max() - sums.min()) / n
    return result
