"""Drawing the scores of simulated runs, compiled.

A simulated list is never sorted. A binary measure needs the ranks of relevant documents only, and the
rank of the i-th is i plus the number of non-relevant documents above it. So what is drawn is how many
non-relevant documents fall into each gap between relevant ones: binomials, one gap after another, or,
where there are many gaps, every document, counted by gap. Both have the distribution of the plain way.

Random numbers: xoroshiro128++ (Blackman and Vigna, ACM TOMS 47(4), 2021), a stream for each trial and
cell, started by SplitMix64; so no number depends on what is drawn beside it. No compiled function here calls
one of another file, as Numba's cache does not see a change there.
"""

import numpy as np
from numba import njit

NOTHING, GAPS, COUNTS, DENSITY = 0, 1, 2, 3  # how a cell is drawn: without relevant documents, BST twice, KDE
AP, PRECISION, RECALL, RR, NDCG = 0, 1, 2, 3, 4  # measures

_KNOTS_PER_BANDWIDTH = 4  # as in `density`
_SORTED_AT_ONCE = 48  # values up to which insertion is faster than sorting
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_11, _15, _17, _21, _27, _28, _30, _31, _32, _36, _43, _47, _49 = (
    np.uint64(bits) for bits in (11, 15, 17, 21, 27, 28, 30, 31, 32, 36, 43, 47, 49)
)
_LOWER = np.uint64(0xFFFFFFFF)


@njit(cache=True, nogil=True)
def _mixed(z):  # type: ignore[no-untyped-def]
    """Return the output function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return z ^ (z >> _31)


@njit(cache=True, nogil=True)
def _start(state, key, trial, cell):  # type: ignore[no-untyped-def]
    """Start the stream of one trial and cell: 128 bits, mixed from all three numbers."""
    mixed = _mixed(_mixed(key + _STEP * np.uint64(trial + 1)) + _STEP * np.uint64(cell + 1))
    state[0] = _mixed(mixed + _STEP)
    state[1] = _mixed(mixed + _STEP + _STEP) | np.uint64(1)  # never all zeros


@njit(cache=True, nogil=True)
def _bits(state):  # type: ignore[no-untyped-def]
    """Return 64 random bits."""
    a, b = state[0], state[1]
    total = a + b
    found = ((total << _17) | (total >> _47)) + a
    b ^= a
    state[0] = ((a << _49) | (a >> _15)) ^ b ^ (b << _21)
    state[1] = (b << _28) | (b >> _36)
    return found


@njit(cache=True, nogil=True)
def _uniform(state):  # type: ignore[no-untyped-def]
    """Return a number between 0 and 1, never one of them."""
    return (np.float64(_bits(state) >> _11) + 0.5) * (1.0 / 9007199254740992.0)


@njit(cache=True, nogil=True)
def _below(bound, state):  # type: ignore[no-untyped-def]
    """Return a whole number from 0 to below `bound`; none is likelier by more than bound / 2^32."""
    return np.int64(((_bits(state) >> _32) * np.uint64(bound)) >> _32)


@njit(cache=True, nogil=True)
def _poisson(mean, state):  # type: ignore[no-untyped-def]
    """Return a Poisson number by inversion, in parts of mean 60 as exp(-mean) must not vanish."""
    total = 0
    while mean > 0.0:
        part = min(mean, 60.0)
        mean -= part
        share, left, number = np.exp(-part), _uniform(state), 0
        while left > share and number < 500:  # P(more than 500) < 1e-280
            left -= share
            number += 1
            share *= part / number
        total += number
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def _binomial(number, p, state, log_factorials):  # type: ignore[no-untyped-def]
    """Return a binomial number: inversion where its mean is below 12, else BTRS.

    W. Hörmann, The generation of binomial random variates, J. Stat. Comput. Simul. 46 (1993), 101-110.
    """
    if number <= 0 or p <= 0.0:
        return 0
    if p >= 1.0:
        return number
    q = min(p, 1.0 - p)
    if number * q < 12.0:
        odds, share, left, k = q / (1.0 - q), (1.0 - q) ** number, _uniform(state), 0
        while left > share and k < number:
            left -= share
            k += 1
            share *= odds * (number - k + 1) / k
    else:
        root = np.sqrt(number * q * (1.0 - q))
        b = 1.15 + 2.53 * root
        a = -0.0873 + 0.0248 * b + 0.01 * q
        centre, ready = number * q + 0.5, 0.92 - 4.2 / b
        alpha, mode, log_odds = (2.83 + 5.1 / b) * root, int((number + 1) * q), np.log(q / (1.0 - q))
        at_mode = log_factorials[mode] + log_factorials[number - mode]
        while True:
            v, u = _uniform(state), _uniform(state) - 0.5
            s = 0.5 - abs(u)
            k = int(np.floor((2.0 * a / s + b) * u + centre))
            if s >= 0.07 and v <= ready:
                break
            if k < 0 or k > number:
                continue
            v = np.log(v * alpha / (a / (s * s) + b))
            if v <= at_mode - log_factorials[k] - log_factorials[number - k] + (k - mode) * log_odds:
                break
    return number - k if p > 0.5 else k


@njit(cache=True, nogil=True)
def upper_tail(table, first, last, x):  # type: ignore[no-untyped-def]
    """Return the probability above x, in bandwidths from the first knot, from rows `first` to `last`.

    Quintic Hermite interpolation of value, slope and curvature: at most 1.3e-8 from the sum of kernels.
    """
    x *= _KNOTS_PER_BANDWIDTH
    if x <= 0.0:
        return 1.0
    if x >= last - first:
        return 0.0
    k = int(x)
    t = x - k
    k += first
    f, g, h = table[k, 0], table[k, 1], 0.5 * table[k, 2]
    to_f = table[k + 1, 0] - f - g - h
    to_g = table[k + 1, 1] - g - 2.0 * h
    to_h = 0.5 * table[k + 1, 2] - h
    third = 10.0 * to_f - 4.0 * to_g + to_h
    fourth = -15.0 * to_f + 7.0 * to_g - 2.0 * to_h
    fifth = 6.0 * to_f - 3.0 * to_g + to_h
    p = f + t * (g + t * (h + t * (third + t * (fourth + t * fifth))))
    return min(max(p, 0.0), 1.0)


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_gaps(gap_of, tails, ranks, depth):  # type: ignore[no-untyped-def]
    """Write how many relevant documents stand above each other one, and the share of others above each."""
    place, others = 0, depth - ranks.size
    for j in range(ranks.size):
        end = ranks[j] - 1 - j
        tails[j] = end / others
        gap_of[place:end] = j
        place = end
    gap_of[place:others] = ranks.size


@njit(cache=True, nogil=True)
def _count_by_gap(above, others, left, gap_of, state):  # type: ignore[no-untyped-def]
    """Draw `left` of the non-relevant documents, with replacement, and count them by gap."""
    above[:] = 0
    bound = np.uint64(others)
    for _ in range(left >> 1):  # two of 32 bits at a time
        bits = _bits(state)
        above[gap_of[((bits & _LOWER) * bound) >> _32]] += 1
        above[gap_of[((bits >> _32) * bound) >> _32]] += 1
    if left & 1:
        above[gap_of[_below(others, state)]] += 1


@njit(cache=True, nogil=True)
def _draw_tails(tails, relevant, width, table, first, last, state):  # type: ignore[no-untyped-def]
    """Draw relevant scores from their density; write, ascending, the chance that another is above each."""
    drawn = tails.size
    for i in range(0, drawn, 2):
        u, v, s = 0.0, 0.0, 1.0
        while s >= 1.0:  # the polar method: two normal numbers at a time
            u, v = 2.0 * _uniform(state) - 1.0, 2.0 * _uniform(state) - 1.0
            s = u * u + v * v
        s = width * np.sqrt(-2.0 * np.log(s) / s)
        tails[i] = upper_tail(table, first, last, relevant[_below(relevant.size, state)] + s * u)
        if i + 1 < drawn:
            tails[i + 1] = upper_tail(table, first, last, relevant[_below(relevant.size, state)] + s * v)
    if drawn > _SORTED_AT_ONCE:
        tails[:] = np.sort(tails)
        return
    for i in range(1, drawn):
        tail, j = tails[i], i
        while j > 0 and tails[j - 1] > tail:
            tails[j] = tails[j - 1]
            j -= 1
        tails[j] = tail


@njit(cache=True, nogil=True)
def _draw_between(above, tails, left, cutoff, state, log_factorials):  # type: ignore[no-untyped-def]
    """Draw how many of `left` others fall between relevant ones, given the chance to be above each."""
    above[:] = 0
    before, drawn = 0.0, 0
    for j in range(tails.size):
        if tails[j] > before:
            number = _binomial(left, (tails[j] - before) / (1.0 - before), state, log_factorials)
            above[j] = number
            left -= number
            drawn += number
            before = tails[j]
        if left == 0 or drawn >= cutoff:
            return


@njit(cache=True, nogil=True)
def _score(measure, cutoff, copies, above, n_relevant, discounts):  # type: ignore[no-untyped-def]
    """Return the score of a list: above each group of relevant documents stand some that are not."""
    total, nth, others = 0.0, 0, 0
    for j in range(copies.size):
        others += above[j]
        for _ in range(copies[j]):
            nth += 1
            rank = nth + others
            if rank > cutoff:
                break
            if measure == AP:
                total += nth / rank
            elif measure == NDCG:
                total += discounts[rank] - discounts[rank - 1]
            elif measure == RR:
                return 1.0 / rank
            else:
                total += 1.0
        if nth + others >= cutoff:
            break
    ideal = discounts[min(n_relevant, cutoff)] if measure == NDCG else float(n_relevant)
    return total / (cutoff if measure == PRECISION else ideal)


@njit(cache=True, nogil=True)
def simulate(cells, starts, ranks, relevant, widths, tables, sums, measure, key, trials):  # type: ignore[no-untyped-def]
    """Return the scores of all cells in consecutive trials, float64 of shape (n_trials, n_cells).

    Parameters
    ----------
    cells : ndarray of int64, shape (n_cells, 3)
        How each is drawn, documents retrieved, relevant documents of its topic.
    starts, ranks, relevant : ndarray, shapes (n_cells + 1,) and twice (n_relevant,)
        Ranks of relevant documents, from 1 and ascending, cell after cell, and their scores in
        bandwidths of the density of the others, from its first knot.
    widths : ndarray of float64, shape (n_cells,)
        Bandwidth of the density of the relevant scores, in the same unit.
    tables : (ndarray, ndarray), shapes (n_cells + 1,) and (n_knots, 3)
        `density.density_table` of cell after cell, and where each starts.
    sums : ndarray of float64, shape (2, most documents + 1)
        Sums of discounts 1 / log2(rank + 1) down to each rank, and logarithms of factorials.
    measure : (int, int, bool)
        One of those above, the ranks it looks at, and whether the topic keeps its number of relevant
        documents in every trial.
    key, trials : uint64, (int, int)
        From the seed; the first trial, and the one after the last.
    """
    n_cells, first_trial, n_trials = cells.shape[0], trials[0], trials[1] - trials[0]
    table_starts, table = tables
    kind, cutoff, fixed = measure
    discounts, log_factorials = sums[0], sums[1]
    out = np.zeros((n_trials, n_cells))
    deepest = cells[:, 1].max()
    gap_of, above, tails = np.empty(deepest, np.int32), np.empty(deepest + 1, np.int64), np.empty(deepest)
    copies, state = np.empty(deepest, np.int64), np.empty(2, np.uint64)
    for cell in range(n_cells):
        way, depth, n_relevant = cells[cell, 0], cells[cell, 1], cells[cell, 2]
        if way == NOTHING:
            continue
        own = ranks[starts[cell] : starts[cell + 1]]
        found, others = own.size, depth - own.size
        if way != DENSITY:
            _fill_gaps(gap_of, tails, own, depth)
        for trial in range(n_trials):
            _start(state, key, first_trial + trial, cell)
            drawn = min(_poisson(float(found), state), depth)
            if drawn == 0:
                continue
            left, n_gaps = (depth - drawn if others > 0 else 0), found
            copies[:found] = 0
            if way == DENSITY:
                n_gaps = drawn
                copies[:drawn] = 1
                scores = relevant[starts[cell] : starts[cell + 1]]
                first, last = table_starts[cell], table_starts[cell + 1] - 1
                _draw_tails(tails[:drawn], scores, widths[cell], table, first, last, state)
            else:
                for _ in range(drawn):
                    copies[_below(found, state)] += 1
            if way == COUNTS:
                _count_by_gap(above[: found + 1], others, left, gap_of, state)
            else:
                _draw_between(above[:n_gaps], tails[:n_gaps], left, cutoff, state, log_factorials)
            divisor = n_relevant if fixed else n_relevant - found + drawn
            out[trial, cell] = _score(kind, cutoff, copies[:n_gaps], above[:n_gaps], divisor, discounts)
    return out
