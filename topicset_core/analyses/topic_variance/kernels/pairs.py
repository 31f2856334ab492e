"""All pairs of runs at once: differences of means, their deviations, reversals and ranks, compiled.

Pair p is (i, j) with j < i, in the order (1, 0), (2, 0), (2, 1), (3, 0), ... Sums run over topics in
their order, for all pairs side by side, so that they are the same on every machine.
"""

import numpy as np
from numba import njit

TIE = 1e-12
"""Means that differ by no more are equal: that much comes from rounding."""

N_CELLS = 22
"""Cell 0 holds differences of 0, cells 1 to 20 those in [0.01 (k - 1), 0.01 k), cell 21 those from .2 on."""

N_SUMS = 5
"""Sums over trials for each cell: pairs, reversals, and the squares and product of the two."""


@njit(cache=True, nogil=True)
def means_and_deviations(scores, weights):  # type: ignore[no-untyped-def]
    """Return means of runs, and for each pair the standard deviation of its differences over topics."""
    n_topics, n_systems = scores.shape
    means = np.zeros(n_systems)
    for topic in range(n_topics):
        if weights[topic] > 0:
            for system in range(n_systems):
                means[system] += weights[topic] * scores[topic, system]
    means /= n_topics
    squares = np.zeros(n_systems * (n_systems - 1) // 2)
    centred = np.empty(n_systems)
    for topic in range(n_topics):
        weight = float(weights[topic])
        if weight == 0.0:
            continue
        for system in range(n_systems):
            centred[system] = scores[topic, system] - means[system]
        begin = 0
        for i in range(1, n_systems):
            mine = centred[i]
            row = squares[begin : begin + i]
            for j in range(i):
                away = mine - centred[j]
                row[j] += weight * (away * away)
            begin += i
    return means, np.sqrt(squares / (n_topics - 1))


@njit(cache=True, nogil=True)
def compare(raw, means, deviations, critical, root_n, counts, sums):  # type: ignore[no-untyped-def]
    """Compare all pairs of runs in one trial with the raw data, and add up the results."""
    n_systems = raw.size
    pairs_in, reversals_in = np.zeros(N_CELLS, np.int64), np.zeros(N_CELLS, np.int64)
    agreed, untied_raw, untied, p, n_rejected = 0, 0, 0, 0, 0
    for i in range(1, n_systems):
        for j in range(i):
            reference, observed = raw[i] - raw[j], means[i] - means[j]
            sign = 0 if abs(reference) <= TIE else (1 if reference > 0.0 else -1)
            result = 0 if abs(observed) <= TIE else (1 if observed > 0.0 else -1)
            cell = 0 if result == 0 else min(int((abs(observed) + TIE) * 100.0) + 1, N_CELLS - 1)
            pairs_in[cell] += 1
            if sign * result < 0:
                reversals_in[cell] += 1
                counts[0, p] += 1
            if sign != 0 and result == 0:
                counts[1, p] += 1
            agreed += sign * result
            untied_raw += sign * sign
            untied += result * result
            if result != 0 and abs(observed) * root_n > critical * deviations[p]:
                counts[2, p] += 1
                n_rejected += 1
            p += 1
    for cell in range(N_CELLS):
        pairs, reversals = pairs_in[cell], reversals_in[cell]
        sums[cell, 0] += pairs
        sums[cell, 1] += reversals
        sums[cell, 2] += pairs * pairs
        sums[cell, 3] += pairs * reversals
        sums[cell, 4] += reversals * reversals
    tau = np.nan
    if untied_raw > 0 and untied > 0:
        tau = agreed / np.sqrt(float(untied_raw) * float(untied))
    return tau, reversals_in.sum(), n_rejected


@njit(cache=True, nogil=True)
def compare_trials(raw, raw_means, scores, weights, critical, root_n, counts, sums):  # type: ignore[no-untyped-def]
    """Compare all pairs of runs in each of some trials.

    One call for all of them: between calls a thread waits for its turn to run Python, which takes longer
    than the call while a page is being drawn.
    """
    n_trials, n_topics, n_systems = scores.shape
    n_kept, n_pairs = weights.shape[0], n_systems * (n_systems - 1) // 2
    means, result = np.empty((n_trials, n_systems)), np.empty((n_trials, 3))
    kept = (
        np.empty((n_kept, n_pairs)),
        np.empty((n_kept, n_systems)),
        np.empty((n_kept, n_pairs)),
        np.empty((n_kept, n_systems)),
        np.empty((n_kept, n_pairs)),
    )
    ones = np.ones(n_topics, np.int64)
    for trial in range(n_trials):
        means[trial], deviations = means_and_deviations(scores[trial], ones)
        tau, n_reversed, n_rejected = compare(
            raw_means, means[trial], deviations, critical, root_n, counts, sums
        )
        result[trial, 0], result[trial, 1], result[trial, 2] = tau, n_reversed, n_rejected
        if trial < n_kept:
            kept[0][trial] = deviations
            kept[1][trial], kept[2][trial] = means_and_deviations(raw, weights[trial])
            kept[3][trial], kept[4][trial] = means_and_deviations(scores[trial], weights[trial])
    return means, result, kept
