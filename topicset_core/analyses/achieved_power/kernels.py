"""Decisions of tests, signed ranks and permutations within topics, compiled.

All that Numba compiles for this analysis is in this file, but for `number_below`, which never changes: its cache
does not see a change in another file.
Trials are side by side in the last axis of every array, so that the inner loops run over adjacent numbers.
"""

import numpy as np

from topicset_core.execution.compiling import kernel
from topicset_core.execution.random_numbers import number_below

F_STATISTIC, PAIR, ANY_PAIR = 0, 1, 2
"""What `decisions` compares with the critical value: F, the first two systems, or the two furthest apart."""

NO_VARIANCE = 1e-12
"""A residual sum of squares below this share of the sum of squares is rounding: 0 / 0 is not significant."""


@kernel()
def tally(drawn, signs, n_topics):  # type: ignore[no-untyped-def]
    """Count how often each trial has each topic."""
    weights = np.zeros((n_topics, drawn.shape[0]))
    for trial in range(drawn.shape[0]):
        for place in range(drawn.shape[1]):
            weights[drawn[trial, place], trial] += signs[trial, place]
    return weights


@kernel()
def decisions(sums, members, squares, n, critical, shift, has_blocks, compared):  # type: ignore[no-untyped-def]
    """Decide by F or by |t| with a pooled variance, for each set of systems and each trial.

    The residual variance is ``(squares - n sum (mean_i - centre)^2) / df`` with the mean of the means as centre and
    (m - 1)(n - 1) degrees of freedom where topics are blocks, and with centre 0 and m (n - 1) where they are not.
    """
    n_sets, m = members.shape
    n_trials = sums.shape[1]
    result = np.zeros((n_sets, n_trials), np.bool_)
    df = float((m - 1) * (n - 1) if has_blocks else m * (n - 1))
    if m == 2:  # F is t^2, and there is one pair; without branches the loop runs over several trials at once
        for p in range(n_sets):
            first, second, of_set, significant = (
                sums[members[p, 0]],
                sums[members[p, 1]],
                squares[p],
                result[p],
            )
            moved_by, shared = n * shift[p], 0.0 if has_blocks else 1.0
            for t in range(n_trials):
                apart, together = first[t] - second[t], first[t] + second[t]
                rest = of_set[t] - (apart * apart + shared * together * together) / (2 * n)
                moved = apart + moved_by
                is_far = moved * moved * df >= critical * 2 * n * rest
                significant[t] = is_far & (rest > NO_VARIANCE * of_set[t])
        return result
    for p in range(n_sets):
        half = 0.5 * shift[p]
        for t in range(n_trials):
            total, second = 0.0, 0.0
            for i in range(m):
                total += sums[members[p, i], t] / n
            centre = total / m
            origin = centre if has_blocks else 0.0
            between, low, high = 0.0, np.inf, -np.inf
            for i in range(m):
                mean = sums[members[p, i], t] / n
                second += (mean - origin) * (mean - origin)
                moved = mean + half if i == 0 else mean - half if i == 1 else mean
                between += (moved - centre) * (moved - centre)
                low = min(low, moved)
                high = max(high, moved)
            rest = squares[p, t] - n * second
            if rest <= NO_VARIANCE * squares[p, t]:
                continue
            if compared == F_STATISTIC:
                result[p, t] = n * between * df >= critical * (m - 1) * rest
            else:
                apart = high - low
                if compared == PAIR:
                    apart = (sums[members[p, 0], t] - sums[members[p, 1], t]) / n + shift[p]
                result[p, t] = n * apart * apart * df >= critical * 2 * rest
    return result


@kernel()
def own_sums(column, drawn):  # type: ignore[no-untyped-def]
    """Return sums and sums of squares of one system's scores over the topics of each trial."""
    n_trials, n = drawn.shape
    sums, squares = np.zeros(n_trials), np.zeros(n_trials)
    for t in range(n_trials):
        total, second = 0.0, 0.0
        for place in range(n):
            x = column[drawn[t, place]]
            total += x
            second += x * x
        sums[t] = total
        squares[t] = second
    return sums, squares


@kernel()
def signed_ranks(sizes, is_positive, which, weights):  # type: ignore[no-untyped-def]
    """Return the standardised signed rank of each trial, of differences without zeros, corrected for ties."""
    n_trials = weights.shape[1]
    below, positive_sum, ties = np.zeros(n_trials), np.zeros(n_trials), np.zeros(n_trials)
    count, positive = np.zeros(n_trials), np.zeros(n_trials)
    first = 0
    while first < sizes.size:
        count[:] = 0.0
        positive[:] = 0.0
        after = first
        while after < sizes.size and sizes[after] == sizes[first]:
            row = weights[which[after]]
            for t in range(n_trials):
                count[t] += row[t]
            if is_positive[after]:
                for t in range(n_trials):
                    positive[t] += row[t]
            after += 1
        for t in range(n_trials):
            positive_sum[t] += positive[t] * (below[t] + 0.5 * (count[t] + 1.0))
            ties[t] += count[t] * (count[t] * count[t] - 1.0)
            below[t] += count[t]
        first = after
    z = np.zeros(n_trials)
    for t in range(n_trials):
        n = below[t]
        variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties[t] / 48.0
        if variance > 0.0:
            z[t] = (positive_sum[t] - n * (n + 1.0) / 4.0) / np.sqrt(variance)
    return z


@kernel()
def gathered(rows, drawn, is_swapped, seed):  # type: ignore[no-untyped-def]
    """Return the scores of each trial, permuted over systems within each topic if that is asked for."""
    n_trials, n = drawn.shape
    m = rows.shape[1]
    state = np.full(1, seed, np.uint64)
    result = np.empty((n, m, n_trials))
    order = np.arange(m)
    for t in range(n_trials):
        for place in range(n):
            topic = drawn[t, place]
            if is_swapped:
                for i in range(m - 1, 0, -1):
                    other = number_below(i + 1, state)
                    order[i], order[other] = order[other], order[i]
            for i in range(m):
                result[place, i, t] = rows[topic, order[i]]
    return result


@kernel()
def permuted_ranges(scores, n_permutations, shift, observed, seed):  # type: ignore[no-untyped-def]
    """Count permutations within topics, the same for all trials, whose range reaches the observed difference."""
    n, m, n_trials = scores.shape
    state = np.full(1, seed, np.uint64)
    counts = np.zeros(n_trials, np.int64)
    order = np.arange(m)
    sums = np.zeros((m, n_trials))
    low, high = np.zeros(n_trials), np.zeros(n_trials)
    for _ in range(n_permutations):
        sums[:] = 0.0
        for place in range(n):
            for i in range(m - 1, 0, -1):
                other = number_below(i + 1, state)
                order[i], order[other] = order[other], order[i]
            for i in range(m):
                source = scores[place, order[i]]
                total = sums[i]
                for t in range(n_trials):
                    total[t] += source[t]
                if order[i] < 2:
                    added = 0.5 * shift if order[i] == 0 else -0.5 * shift
                    for t in range(n_trials):
                        total[t] += added
        for t in range(n_trials):
            low[t] = sums[0, t]
            high[t] = sums[0, t]
        for i in range(1, m):
            total = sums[i]
            for t in range(n_trials):
                low[t] = min(low[t], total[t])
                high[t] = max(high[t], total[t])
        for t in range(n_trials):
            counts[t] += high[t] - low[t] >= observed[t]
    return counts
