"""Compiled loops of Holm's procedure: all jitted code of `holm` in this file, as Numba's cache wants it."""

import numpy as np
from numba import njit

from topicset_core.designs.search import Floats


@njit(cache=True, nogil=True)
def surviving(tails: Floats, n_equal: int) -> Floats:  # pragma: no cover - compiled
    """Return, per level i, the probability that i or more statistics reach c_i, and so at each level before."""
    n_levels, n_nodes = tails.shape
    result = np.empty((n_levels + 1, n_nodes))
    ways = np.zeros((n_equal + 1, n_equal + 1))  # binomial coefficients
    for rest in range(n_equal + 1):
        ways[rest, 0] = 1.0
        for more in range(1, rest + 1):
            ways[rest, more] = ways[rest - 1, more - 1] + ways[rest - 1, more]
    yes, no = np.ones(n_equal + 1), np.ones(n_equal + 1)  # powers of the share and of 1 less it
    for node in range(n_nodes):
        state = np.zeros(n_equal + 1)  # how many reach the value of this level
        state[0] = 1.0
        result[0, node] = 1.0
        before = 0.0
        for level in range(n_levels):
            tail = tails[level, node]
            share = min((tail - before) / (1.0 - before), 1.0) if before < 1.0 else 1.0
            before = tail
            following = np.zeros(n_equal + 1)
            if share >= 1.0:
                for k in range(n_equal + 1):
                    following[n_equal] += state[k]
            else:
                for power in range(n_equal):
                    yes[power + 1] = yes[power] * share
                    no[power + 1] = no[power] * (1.0 - share)
                for k in range(n_equal + 1):
                    if state[k] == 0.0:
                        continue
                    rest = n_equal - k
                    for more in range(rest + 1):
                        following[k + more] += state[k] * ways[rest, more] * yes[more] * no[rest - more]
            total = 0.0
            for k in range(n_equal + 1):
                if k <= level:
                    following[k] = 0.0
                total += following[k]
            state = following
            result[level + 1, node] = total
    return result


@njit(cache=True, nogil=True)
def survivors_among_pairs(
    normals: Floats, offsets: Floats, spread: Floats, levels: Floats, target: int
) -> int:  # pragma: no cover - compiled
    """Return in how many trials Holm's procedure over all pairs finds its target and Bonferroni's does not."""
    n_trials, m = normals.shape
    n_pairs = levels.size
    middle = (offsets[0] + offsets[m - 1]) / 2
    hits = 0
    for trial in range(n_trials):
        y = normals[trial] + offsets
        if target == 0:
            apart = abs(y[m - 1] - y[0])
        else:
            apart = np.inf
            if target == 1:
                for j in range(m - 1):
                    apart = min(apart, abs(y[m - 1] - y[j]))
            elif target == 2:
                lower, upper = -np.inf, np.inf
                for j in range(m):
                    if offsets[j] < middle:
                        lower = max(lower, y[j])
                    else:
                        upper = min(upper, y[j])
                apart = upper - lower
            else:
                for j in range(m - 1):
                    apart = min(apart, y[j + 1] - y[j])
        if apart >= levels[0] * spread[trial] or apart < levels[n_pairs - 1] * spread[trial]:
            continue  # found by both, or by neither
        y.sort()
        rejected = 0
        while rejected < n_pairs:
            reach = levels[rejected] * spread[trial]
            count, low = 0, 0
            for high in range(m):
                while low < high and y[high] - y[low] >= reach:
                    low += 1
                count += low  # the first `low` are that far below
            if count <= rejected:
                break
            rejected = count
        if rejected == n_pairs or apart >= levels[rejected] * spread[trial]:
            hits += 1
    return hits


@njit(cache=True, nogil=True)
def survivors_against_baseline(
    normals: Floats, offsets: Floats, spread: Floats, levels: Floats, target: int
) -> int:  # pragma: no cover - compiled
    """Return in how many trials Holm's procedure against the first system finds its target, Bonferroni's not."""
    n_trials, m = normals.shape
    hits = 0
    for trial in range(n_trials):
        y = normals[trial] + offsets
        apart = np.abs(y[1:] - y[0])
        needed = apart[m - 2] if target == 0 else apart.min()
        if needed >= levels[0] * spread[trial] or needed < levels[m - 2] * spread[trial]:
            continue
        apart.sort()
        rejected = 0
        while rejected < m - 1 and apart[m - 2 - rejected] >= levels[rejected] * spread[trial]:
            rejected += 1
        if rejected > 0 and needed >= apart[m - 1 - rejected]:
            hits += 1
    return hits
