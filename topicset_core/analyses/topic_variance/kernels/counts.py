"""How many documents fall where, compiled: Poisson and binomial numbers, and documents counted by gap."""

import numpy as np
from numba import njit

from topicset_core.analyses.topic_variance.kernels.streams import below, bits, uniform

_32 = np.uint64(32)
_LOWER = np.uint64(0xFFFFFFFF)
_FROM_REJECTION = 10.0  # mean from which rejection is allowed, and faster


@njit(nogil=True)
def poisson(cumulated, guide, state):  # type: ignore[no-untyped-def]
    """Return a Poisson number from its cumulated probabilities, and where to begin in them."""
    u = uniform(state)
    k = guide[int(u * guide.size)]
    while cumulated[k] < u:
        k += 1
    return k


@njit(nogil=True, error_model="numpy")
def binomial(number, p, log_q, state, sums):  # type: ignore[no-untyped-def]
    """Return a binomial number: inversion where its mean is below 10, else BTRS.

    W. Hörmann, The generation of binomial random variates, J. Stat. Comput. Simul. 46 (1993), 101-110.
    `log_q` is log(1 - p); `sums` are those of `simulation.simulate`.
    """
    if number <= 0 or p <= 0.0:
        return 0
    if p >= 1.0:
        return number
    turned = p > 0.5
    if turned:
        log_q = np.log(p)
        p = 1.0 - p
    odds = p / (1.0 - p)
    if number * p < _FROM_REJECTION:
        share, left, k = np.exp(number * log_q), uniform(state), 0
        while left > share and k < number:
            left -= share
            k += 1
            share *= odds * (number - k + 1) * sums[2, k]
        return number - k if turned else k
    root = np.sqrt(number * p * (1.0 - p))
    b = 1.15 + 2.53 * root
    a = -0.0873 + 0.0248 * b + 0.01 * p
    centre, ready = number * p + 0.5, 0.92 - 4.2 / b
    while True:
        v, u = uniform(state), uniform(state) - 0.5
        s = 0.5 - abs(u)
        k = int(np.floor((2.0 * a / s + b) * u + centre))
        if s >= 0.07 and v <= ready:
            break
        if k < 0 or k > number:
            continue
        mode = int((number + 1) * p)
        v = np.log(v * (2.83 + 5.1 / b) * root / (a / (s * s) + b))
        limit = sums[1, mode] + sums[1, number - mode]
        limit -= sums[1, k] + sums[1, number - k]
        if v <= limit + (k - mode) * np.log(odds):
            break
    return number - k if turned else k


@njit(nogil=True)
def number_gaps(gap_of, ranks):  # type: ignore[no-untyped-def]
    """Write how many relevant documents stand above each other one, down to the last of `ranks`.

    Returns
    -------
    int
        Documents above the last of `ranks` that are not relevant.
    """
    place = 0
    for j in range(ranks.size):
        end = ranks[j] - 1 - j
        gap_of[place:end] = j
        place = end
    return place


@njit(nogil=True)
def count_by_gap(above, others, left, gap_of, state):  # type: ignore[no-untyped-def]
    """Draw `left` of the first `others` non-relevant documents, with replacement, and count them by gap."""
    bound = np.uint64(others)
    for _ in range(left >> 1):  # two of 32 bits at a time
        drawn = bits(state)
        above[gap_of[((drawn & _LOWER) * bound) >> _32]] += 1
        above[gap_of[((drawn >> _32) * bound) >> _32]] += 1
    if left & 1:
        above[gap_of[below(others, state)]] += 1


@njit(nogil=True)
def draw_gaps(above, copies, tails, logs, begin, left, cutoff, state, sums):  # type: ignore[no-untyped-def]
    """Draw how many of `left` others fall between relevant ones, from the relevant one `begin` on.

    `tails` are the chances to be above each, ascending, and `logs` are log(1 - tails); no other is above
    the relevant one before `begin`. A gap has one binomial, and gaps without a relevant document that
    was drawn between them are one gap.
    """
    before, log_before, drawn = 0.0, 0.0, 0
    if begin > 0:
        before, log_before = tails[begin - 1], logs[begin - 1]
    for j in range(begin, copies.size):
        if left == 0 or drawn >= cutoff:
            return
        if copies[j] > 0 and tails[j] > before:
            p = (tails[j] - before) / (1.0 - before)
            above[j] = binomial(left, p, logs[j] - log_before, state, sums)
            left -= above[j]
            drawn += above[j]
            before, log_before = tails[j], logs[j]
