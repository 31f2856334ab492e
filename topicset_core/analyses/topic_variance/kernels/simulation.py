"""Drawing the scores of simulated runs, compiled.

A simulated list is never sorted. A binary measure needs the ranks of relevant documents only, and the
rank of the i-th is i plus the number of non-relevant documents above it. So what is drawn is how many
non-relevant documents fall into each gap between relevant ones: binomials, one gap after another. Where
gaps are small, at the top of lists, drawing every document and counting it by gap is faster: then one
binomial says how many there are. All have the distribution of the plain way.

Numba's cache sees a change in this file and not in the files called from here. So this file holds their
digest: whoever changes them changes it too, and a test holds that.
"""

import numpy as np
from numba import njit

from topicset_core.analyses.topic_variance.kernels.counts import (
    binomial,
    count_by_gap,
    draw_gaps,
    number_gaps,
    poisson,
)
from topicset_core.analyses.topic_variance.kernels.streams import below, start
from topicset_core.analyses.topic_variance.kernels.tails import draw_tails

CALLED = ("streams", "counts", "tails")
DIGEST = "2b2d4bc30301e6f3"
"""First 16 digits of the SHA-256 of these files, one after the other."""

NOTHING, RESAMPLED, DENSITY = 0, 1, 2  # how a cell is drawn: without relevant documents, BST, KDE
AP, PRECISION, RECALL, RR, NDCG = 0, 1, 2, 3, 4  # measures


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
def simulate(cells, starts, ranks, above_each, densities, numbers, sums, measure, key, trials):  # type: ignore[no-untyped-def]
    """Return the scores of all cells in consecutive trials, float64 of shape (n_trials, n_cells).

    Parameters
    ----------
    cells : ndarray of int64, shape (n_cells, 6)
        How each is drawn, documents retrieved, relevant documents of its topic, where its rows of
        `numbers` begin and end, and for BST the relevant documents, from the best, above which documents
        are drawn and counted.
    starts, ranks : ndarray of int64, shapes (n_cells + 1,) and (n_relevant,)
        Ranks of relevant documents, from 1 and ascending, cell after cell.
    above_each : (ndarray, ndarray) of float64, shape (n_relevant,) each
        Share of the non-relevant documents of the cell above each relevant one, p, and log(1 - p).
    densities : (ndarray, ndarray, ndarray, ndarray)
        Shapes (n_relevant,), (n_cells,), (n_cells + 1,) and (n_knots, 3): relevant scores, in bandwidths
        of the density of the others from its first knot; bandwidth of the relevant scores, in this
        unit; where the table of each cell starts; `density.density_table` of cell after cell.
    numbers : (ndarray, ndarray)
        Cumulated probabilities of Poisson numbers, and for each of as many equal parts of 0 to 1 the
        first row that may be meant.
    sums : ndarray of float64, shape (3, most documents + 1)
        Sums of discounts 1 / log2(rank + 1) down to each rank, logarithms of factorials, reciprocals.
    measure : (int, int, bool)
        One of those above, the ranks it looks at, and whether the topic keeps its number of relevant
        documents in every trial.
    key, trials : uint64, (int, int)
        From the seed; the first trial, and the one after the last.
    """
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
        own, found = slice(starts[cell], starts[cell + 1]), starts[cell + 1] - starts[cell]
        p, log_q = above_each[0][own], above_each[1][own]
        scores, first_knot, last_knot = relevant[own], table_starts[cell], table_starts[cell + 1] - 1
        cumulated, guide = numbers[0][first:last], numbers[1][first:last]
        on_top = number_gaps(gap_of, ranks[own][:counted])
        for trial in range(n_trials):
            start(state, key, first_trial + trial, cell)
            drawn = min(poisson(cumulated, guide, state), depth)
            if drawn == 0:
                continue
            left = depth - drawn if found < depth else 0
            if way == DENSITY:
                groups, places, chances, log_chances = (
                    copies[:drawn],
                    above[:drawn],
                    tails[:drawn],
                    logs[:drawn],
                )
                groups[:] = 1
                draw_tails(
                    chances, log_chances, room, scores, widths[cell], table, first_knot, last_knot, state
                )
            else:
                groups, places, chances, log_chances = copies[:found], above[:found], p, log_q
                groups[:] = 0
                for _ in range(drawn):
                    groups[below(found, state)] += 1
            places[:] = 0
            top = 0
            if counted > 0:
                top = binomial(left, p[counted - 1], log_q[counted - 1], state, sums)
                count_by_gap(places, on_top, top, gap_of, state)
            draw_gaps(places, groups, chances, log_chances, counted, left - top, cutoff - top, state, sums)
            divisor = n_relevant if fixed else n_relevant - found + drawn
            out[trial, cell] = _score(kind, cutoff, groups, places, divisor, sums[0])
    return out
