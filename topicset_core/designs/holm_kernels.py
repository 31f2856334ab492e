"""Compiled loops of Holm's procedure: all jitted code of `holm` in this file, as Numba's cache wants it."""

import numpy as np

from topicset_core.designs.search import Floats
from topicset_core.execution.compiling import kernel


@kernel()
def all_reached(tails: Floats) -> Floats:  # pragma: no cover - compiled
    """Return the probability that, for each level i of K, i or more of K statistics reach c_i."""
    n_levels, n_nodes = tails.shape
    result = np.empty(n_nodes)
    ways = np.zeros((n_levels + 1, n_levels + 1))  # binomial coefficients
    for rest in range(n_levels + 1):
        ways[rest, 0] = 1.0
        for more in range(1, rest + 1):
            ways[rest, more] = ways[rest - 1, more - 1] + ways[rest - 1, more]
    yes, no = np.ones(n_levels + 1), np.ones(n_levels + 1)  # powers of the share and of 1 less it
    for node in range(n_nodes):
        state = np.zeros(n_levels + 1)  # probability of each number that reaches the value of this level
        state[0] = 1.0
        before = 0.0
        for level in range(n_levels):
            tail = tails[level, node]
            share = min((tail - before) / (1.0 - before), 1.0) if before < 1.0 else 1.0
            before = tail
            following = np.zeros(n_levels + 1)
            if share >= 1.0:
                for k in range(n_levels + 1):
                    following[n_levels] += state[k]
            else:
                for power in range(n_levels):
                    yes[power + 1] = yes[power] * share
                    no[power + 1] = no[power] * (1.0 - share)
                for k in range(n_levels + 1):
                    if state[k] == 0.0:
                        continue
                    rest = n_levels - k
                    for more in range(rest + 1):
                        following[k + more] += state[k] * ways[rest, more] * yes[more] * no[rest - more]
            following[: level + 1] = 0.0
            state = following
        result[node] = state.sum()
    return result


@kernel()
def pairs_found(
    means: Floats, needed: Floats, spread: Floats, levels: Floats
) -> int:  # pragma: no cover - compiled
    """Return in how many trials Holm's procedure over all pairs finds two (ascending) means `needed` apart."""
    m, n_pairs = means.shape[1], levels.size
    hits = 0
    for trial in range(len(means)):
        y, rejected = means[trial], 0
        while rejected < n_pairs:
            reach, count, low = levels[rejected] * spread[trial], 0, 0
            for high in range(m):
                while low < high and y[high] - y[low] >= reach:
                    low += 1
                count += low  # the first `low` are that far below
            if count <= rejected:
                break
            rejected = count
        if rejected == n_pairs or needed[trial] >= levels[rejected] * spread[trial]:
            hits += 1
    return hits
