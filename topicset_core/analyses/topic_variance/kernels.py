"""Compiled loops: drawing the scores of simulated runs, and comparing all pairs of runs.

A simulated list is never sorted. A binary measure needs the ranks of relevant documents only, and the
rank of the i-th is i plus the number of non-relevant documents above it. Therefore what is drawn is how many
non-relevant documents fall into each gap between relevant ones: binomials, one gap after another. Where
gaps are small, at the top of lists, drawing every document and counting it by gap is faster: then one
binomial gives how many there are. All have the distribution of the plain way. Binomials are by W. Hörmann, The
generation of binomial random variates, J. Stat. Comput. Simul. 46 (1993), 101-110; normal numbers by J. A. Doornik,
An improved ziggurat method to generate normal random samples, Oxford 2005.

`simulate_shared` draws documents once for all runs of a topic, so it draws every one that is above a
relevant document of some run, and adds up along each list, `LANES` trials side by side.

Random numbers come from xoroshiro128++ (Blackman and Vigna, ACM TOMS 47(4), 2021), started by SplitMix64
(Steele, Lea and Flood, OOPSLA 2014): a stream for each trial and cell, or topic, so that none depends on what
is drawn at the same time.

Pair p of runs is (i, j) with j < i, in the order (1, 0), (2, 0), (2, 1), (3, 0), ... Sums run over topics in
their order, for all pairs side by side, so that they are the same on every machine.

Numba, which takes half a second to import, is imported with this module: import it where it is used.
"""

import numpy as np
from numba import njit

from topicset_core.execution.compiling import kernel

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_12, _15, _17, _21, _27, _28, _30, _31, _32, _36, _47, _49 = (
    np.uint64(bits) for bits in (12, 15, 17, 21, 27, 28, 30, 31, 32, 36, 47, 49)
)
_LAYER = np.uint64(127)
_GRAIN = 2.0**-52  # with 53 bits a half added to the largest number would round to 1
_EDGE, _AREA = 3.442619855899, 9.91256303526217e-3  # of 128 layers: where the tail begins, and their area


def _layers() -> tuple[np.ndarray, np.ndarray]:
    """Return the widths of the layers under the normal density, and each one's share that is inside it."""
    widths = np.zeros(129)
    height = np.exp(-0.5 * _EDGE**2)
    widths[0], widths[1] = _AREA / height, _EDGE
    for i in range(2, 128):
        height = _AREA / widths[i - 1] + height
        widths[i] = np.sqrt(-2.0 * np.log(height))
    return widths, widths[1:] / widths[:-1]


_WIDTHS, _INSIDE = _layers()


@njit(nogil=True)
def _mixed(z):  # type: ignore[no-untyped-def]
    """Return the output function of SplitMix64."""
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return z ^ (z >> _31)


@njit(nogil=True)
def start(state, key, trial, cell):  # type: ignore[no-untyped-def]
    """Start the stream of one trial and cell: 128 bits, mixed from all three numbers."""
    mixed = _mixed(_mixed(key + _STEP * np.uint64(trial + 1)) + _STEP * np.uint64(cell + 1))
    state[0] = _mixed(mixed + _STEP)
    state[1] = _mixed(mixed + _STEP + _STEP) | np.uint64(1)  # never all zeros


@njit(nogil=True)
def bits(state):  # type: ignore[no-untyped-def]
    """Return 64 random bits."""
    a, b = state[0], state[1]
    total = a + b
    result = ((total << _17) | (total >> _47)) + a
    b ^= a
    state[0] = ((a << _49) | (a >> _15)) ^ b ^ (b << _21)
    state[1] = (b << _28) | (b >> _36)
    return result


@njit(nogil=True)
def uniform(state):  # type: ignore[no-untyped-def]
    """Return a number between 0 and 1, never one of them."""
    return (np.float64(bits(state) >> _12) + 0.5) * _GRAIN


@njit(nogil=True)
def below(bound, state):  # type: ignore[no-untyped-def]
    """Return a whole number from 0 to below `bound`; none is likelier by more than bound / 2^32."""
    return np.int64(((bits(state) >> _32) * np.uint64(bound)) >> _32)


@njit(nogil=True)
def normal(state):  # type: ignore[no-untyped-def]
    """Return a normal number by the ziggurat method of Doornik (2005)."""
    while True:
        drawn = bits(state)
        layer = np.int64(drawn & _LAYER)
        u = (np.float64(drawn >> _12) + 0.5) * (2.0 * _GRAIN) - 1.0
        if abs(u) < _INSIDE[layer]:
            return u * _WIDTHS[layer]
        if layer == 0:  # the tail
            while True:
                x, y = np.log(uniform(state)) / _EDGE, np.log(uniform(state))
                if -2.0 * y >= x * x:
                    return x - _EDGE if u < 0.0 else _EDGE - x
        x = u * _WIDTHS[layer]
        low = np.exp(-0.5 * (_WIDTHS[layer] ** 2 - x * x))
        high = np.exp(-0.5 * (_WIDTHS[layer + 1] ** 2 - x * x))
        if high + uniform(state) * (low - high) < 1.0:
            return x


# How many documents fall where: Poisson and binomial numbers, and documents counted by gap.

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
    """Return a binomial number, `log_q` being log(1 - p): by inversion below a mean of 10, else Hörmann's BTRS."""
    if number <= 0 or p <= 0.0:
        return 0
    if p >= 1.0:
        return number
    is_reversed = p > 0.5
    if is_reversed:
        log_q = np.log(p)
        p = 1.0 - p
    odds = p / (1.0 - p)
    if number * p < _FROM_REJECTION:
        share, left, k = np.exp(number * log_q), uniform(state), 0
        while left > share and k < number:
            left -= share
            k += 1
            share *= odds * (number - k + 1) * sums[2, k]
        return number - k if is_reversed else k
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
    return number - k if is_reversed else k


@njit(nogil=True)
def number_gaps(gap_of, ranks):  # type: ignore[no-untyped-def]
    """Write how many relevant documents are above each other one, down to the last of `ranks`."""
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
    """Draw how many of `left` others fall between relevant ones from `begin` on, by chances to be above each."""
    # `logs` are log(1 - tails). Gaps without a relevant document that was drawn between them are one gap.
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


# Densities: the upper tail at evenly spaced knots, and the chance that another document is above a drawn score.

KNOTS_PER_BANDWIDTH = 4
"""Knots of a table per bandwidth."""

_FEW = 12  # values up to which insertion alone is faster


@kernel()
def density_table(values, n_knots, taps):  # type: ignore[no-untyped-def]
    """Tabulate the upper tail of a Gaussian kernel density, with slope and curvature."""
    # Values next to a knot are summed up by the moments of their distances from it. A Taylor series carries these
    # to the other knots, by coefficients that depend only on how many knots lie between.
    n_moments, reach = taps.shape[1], taps.shape[2] // 2
    moments = np.zeros((n_knots, n_moments))
    for value in values:
        knot = int(np.floor(value * KNOTS_PER_BANDWIDTH + 0.5))
        away = value - knot / KNOTS_PER_BANDWIDTH
        power = 1.0
        for k in range(n_moments):
            moments[knot, k] += power
            power *= away
    table = np.zeros((n_knots, 3))
    farther = 0.0
    for at in range(n_knots - 1 - reach - 1, -1, -1):
        farther += moments[at + reach + 1, 0]
        table[at, 0] = farther
    for knot in range(n_knots):
        if moments[knot, 0] > 0.0:
            for at in range(max(knot - reach, 0), min(knot + reach + 1, n_knots)):
                for derivative in range(3):
                    total = 0.0
                    for k in range(n_moments):
                        total += moments[knot, k] * taps[derivative, k, knot - at + reach]
                    table[at, derivative] += total
    return table / values.size


@kernel()
def upper_tail(table, first, last, x):  # type: ignore[no-untyped-def]
    """Return the probability above x, in bandwidths from the first knot, from rows `first` to `last`."""
    # Quintic Hermite interpolation of value, slope and curvature: at most 1.3e-8 from the sum of kernels.
    x *= KNOTS_PER_BANDWIDTH
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


@njit(nogil=True)
def sort_falling(values, result, counts):  # type: ignore[no-untyped-def]
    """Write the values into `result`, the largest first; they are spread over as many boxes beforehand."""
    n = values.size
    if n > _FEW:
        low, high = values[0], values[0]
        for value in values:
            low, high = min(low, value), max(high, value)
        scale = (n - 0.5) / (high - low) if high > low else 0.0
        counts[: n + 1] = 0
        for value in values:
            counts[int((high - value) * scale) + 1] += 1
        for box in range(n):
            counts[box + 1] += counts[box]
        for value in values:
            box = int((high - value) * scale)
            result[counts[box]] = value
            counts[box] += 1
    else:
        result[:] = values
    for i in range(1, n):
        value, j = result[i], i
        while j > 0 and result[j - 1] < value:
            result[j] = result[j - 1]
            j -= 1
        result[j] = value


@njit(nogil=True, error_model="numpy")
def draw_tails(tails, logs, counts, relevant, width, table, first, last, state):  # type: ignore[no-untyped-def]
    """Draw relevant scores from their density; write, ascending, the chances `tails` that another one is above."""
    for i in range(tails.size):
        logs[i] = relevant[below(relevant.size, state)] + width * normal(state)
    sort_falling(logs, tails, counts)
    for i in range(tails.size):
        tails[i] = upper_tail(table, first, last, tails[i])
        logs[i] = np.log(1.0 - tails[i])


# Whole lists, and their scores.

NOTHING, RESAMPLED, DENSITY = 0, 1, 2  # how a cell is drawn: without relevant documents, BST, KDE
AP, PRECISION, RECALL, RR, NDCG = 0, 1, 2, 3, 4  # measures


@kernel()
def _score(measure, cutoff, copies, above, n_relevant, discounts):  # type: ignore[no-untyped-def]
    """Return the score of a list: above each group of relevant documents there are some that are not."""
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


@kernel()
def simulate(cells, starts, ranks, above_each, densities, numbers, sums, measure, key, trials):  # type: ignore[no-untyped-def]
    """Return the scores of all cells in consecutive trials, float64 of shape (n_trials, n_cells)."""
    n_cells, first_trial, n_trials = cells.shape[0], trials[0], trials[1] - trials[0]
    relevant, widths, table_starts, table = densities
    kind, cutoff, fixed = measure
    out = np.zeros((n_trials, n_cells))
    deepest = cells[:, 1].max()
    gap_of, copies = np.empty(deepest, np.int32), np.empty(deepest, np.int64)
    above, room = np.empty(deepest + 1, np.int64), np.empty(deepest + 1, np.int64)
    tails, logs, state = np.empty(deepest), np.empty(deepest), np.empty(2, np.uint64)
    for cell in range(n_cells):
        way, depth, n_relevant, first, last, counted = cells[cell]
        if way == NOTHING:
            continue
        own, n_found = slice(starts[cell], starts[cell + 1]), starts[cell + 1] - starts[cell]
        p, log_q = above_each[0][own], above_each[1][own]
        scores, first_knot, last_knot = relevant[own], table_starts[cell], table_starts[cell + 1] - 1
        cumulated, guide = numbers[0][first:last], numbers[1][first:last]
        on_top = number_gaps(gap_of, ranks[own][:counted])
        for trial in range(n_trials):
            start(state, key, first_trial + trial, cell)
            drawn = min(poisson(cumulated, guide, state), depth)
            if drawn == 0:
                continue
            left = depth - drawn if n_found < depth else 0
            if way == DENSITY:
                groups, places = copies[:drawn], above[:drawn]
                chances, log_chances = tails[:drawn], logs[:drawn]
                groups[:] = 1
                draw_tails(
                    chances, log_chances, room, scores, widths[cell], table, first_knot, last_knot, state
                )
            else:
                groups, places, chances, log_chances = copies[:n_found], above[:n_found], p, log_q
                groups[:] = 0
                for _ in range(drawn):
                    groups[below(n_found, state)] += 1
            places[:] = 0
            top = 0
            if counted > 0:
                top = binomial(left, p[counted - 1], log_q[counted - 1], state, sums)
                count_by_gap(places, on_top, top, gap_of, state)
            draw_gaps(places, groups, chances, log_chances, counted, left - top, cutoff - top, state, sums)
            divisor = n_relevant if fixed else n_relevant - n_found + drawn
            out[trial, cell] = _score(kind, cutoff, groups, places, divisor, sums[0])
    return out


LANES = 16
"""Trials whose documents are drawn side by side; the numbers do not depend on it."""


@kernel()
def simulate_shared(topics, lists, starts, ranks, numbers, sums, measure, key, trials):  # type: ignore[no-untyped-def]
    """Return the scores of all cells in consecutive trials, documents drawn once for all runs of a topic."""
    n_topics, n_cells = topics.shape[0], starts.size - 1
    n_systems, first_trial, n_trials = n_cells // n_topics, trials[0], trials[1] - trials[0]
    kind, cutoff, fixed = measure
    documents, list_starts = lists
    all_cumulated, all_begin, ones, guide = numbers
    out, state = np.zeros((n_trials, n_cells)), np.empty(2, np.uint64)
    copies_of = np.zeros((topics[:, 2].max(), LANES), np.uint8)
    deepest = np.diff(starts).max()
    above, copies = np.empty((LANES, deepest), np.int64), np.empty((LANES, deepest), np.int64)
    running, totals = np.zeros(LANES, np.int32), np.zeros(LANES, np.int64)
    for topic in range(n_topics):
        n_relevant, listed, n_documents, first, last = topics[topic]
        if listed == 0:
            continue
        cumulated, begin_at = all_cumulated[first:last], all_begin[first:last]
        for begin in range(0, n_trials, LANES):
            lanes = min(LANES, n_trials - begin)
            for lane in range(lanes):
                start(state, key, first_trial + begin + lane, topic)
                total = 0
                while total == 0:
                    total = poisson(cumulated, begin_at, state) if listed < n_relevant else 0
                    for document in range(listed):
                        drawn = poisson(ones, guide, state)
                        copies_of[document, lane] = drawn
                        total += drawn
                totals[lane] = n_relevant if fixed else total
                for document in range(listed, n_documents):
                    copies_of[document, lane] = poisson(ones, guide, state)
            for cell in range(topic * n_systems, (topic + 1) * n_systems):
                n_found, at = starts[cell + 1] - starts[cell], list_starts[cell]
                for j in range(n_found):
                    end = list_starts[cell] + ranks[starts[cell] + j] - 1
                    running[:] = 0
                    for place in range(at, end):
                        row = copies_of[documents[place]]
                        for lane in range(LANES):
                            running[lane] += row[lane]
                    row = copies_of[documents[end]]
                    for lane in range(lanes):
                        above[lane, j] = running[lane]
                        copies[lane, j] = row[lane]
                    at = end + 1
                if n_found > 0:
                    for lane in range(lanes):
                        out[begin + lane, cell] = _score(
                            kind, cutoff, copies[lane, :n_found], above[lane, :n_found], totals[lane], sums[0]
                        )
    return out


# All pairs of runs at once.

TIE = 1e-12
"""Means that differ by no more are equal: that much comes from rounding."""

N_CELLS = 22
"""Cell 0 holds differences of 0, cells 1 to 20 those in [0.01 (k - 1), 0.01 k), cell 21 those from .2 on."""

N_SUMS = 5
"""Sums over trials for each cell: pairs, reversals, and the squares and product of the two."""


@kernel()
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


@kernel()
def compare(raw, means, deviations, critical, root_n, counts, sums):  # type: ignore[no-untyped-def]
    """Compare all pairs of runs in one trial with the raw data, and add up the results."""
    n_systems = raw.size
    pairs_in, reversals_in = np.zeros(N_CELLS, np.int64), np.zeros(N_CELLS, np.int64)
    agreed, untied_raw, untied, p, n_rejected = 0, 0, 0, 0, 0
    for i in range(1, n_systems):
        for j in range(i):
            reference, observed = raw[i] - raw[j], means[i] - means[j]
            sign = 0 if abs(reference) <= TIE else (1 if reference > 0.0 else -1)
            sign_here = 0 if abs(observed) <= TIE else (1 if observed > 0.0 else -1)
            cell = 0 if sign_here == 0 else min(int((abs(observed) + TIE) * 100.0) + 1, N_CELLS - 1)
            pairs_in[cell] += 1
            if sign * sign_here < 0:
                reversals_in[cell] += 1
                counts[0, p] += 1
            if sign != 0 and sign_here == 0:
                counts[1, p] += 1
            agreed += sign * sign_here
            untied_raw += sign * sign
            untied += sign_here * sign_here
            if sign_here != 0 and abs(observed) * root_n > critical * deviations[p]:
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


@kernel()
def compare_trials(raw, raw_means, scores, weights, critical, root_n, counts, sums):  # type: ignore[no-untyped-def]
    """Compare all pairs of runs in each of some trials."""
    # One call for all: between calls a thread waits for its turn to run Python, longer than a call takes.
    n_trials, n_topics, n_systems = scores.shape
    n_kept, n_pairs = weights.shape[0], n_systems * (n_systems - 1) // 2
    means, counted = np.empty((n_trials, n_systems)), np.empty((n_trials, 3))
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
        counted[trial, 0], counted[trial, 1], counted[trial, 2] = tau, n_reversed, n_rejected
        if trial < n_kept:
            kept[0][trial] = deviations
            kept[1][trial], kept[2][trial] = means_and_deviations(raw, weights[trial])
            kept[3][trial], kept[4][trial] = means_and_deviations(scores[trial], weights[trial])
    return means, counted, kept
