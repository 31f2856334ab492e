"""Documents counted by gap, and binomial numbers at a scale at which a constant that is a little off shows."""

import numpy as np
import pytest
import scipy
from numba import njit

from topicset_core.analyses.topic_variance.kernels import counts

ERROR = 1e-4  # each chi-square test fails for that share of seeds; the seeds are fixed
RANKS = np.array([3, 7, 13])  # relevant documents; of the others 2 stand above the first, then 3, then 5


@njit
def _counted(times, others, left, gap_of, state):
    above = np.zeros((times, 3), np.int64)
    for row in above:
        counts.count_by_gap(row, others, left, gap_of, state)
    return above


@pytest.mark.parametrize("left", range(8))
def test_every_document_that_is_drawn_is_counted_in_its_gap(left: int) -> None:
    gap_of = np.empty(20, dtype=np.int32)
    others = counts.number_gaps(gap_of, RANKS)
    assert others == 10
    assert gap_of[:others].tolist() == [0] * 2 + [1] * 3 + [2] * 5
    above = _counted(20_000, others, left, gap_of, np.array([left, 1], dtype=np.uint64))
    assert (above.sum(axis=1) == left).all()
    if left:
        drawn = above.sum(axis=0)
        assert scipy.stats.chisquare(drawn, drawn.sum() * np.array([0.2, 0.3, 0.5])).pvalue > ERROR


@njit
def _histogram(n, number, p, state, sums):
    found = np.zeros(number + 1, np.int64)
    for _ in range(n):
        found[counts.binomial(number, p, np.log1p(-p), state, sums)] += 1
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("number", "p"), [(950, 0.3), (950, 0.65), (200, 0.1), (60, 0.5)])
def test_binomial_numbers_by_rejection_against_theory(number: int, p: float) -> None:
    """Four million: were the quick acceptance of Hörmann (1993) .1 too wide, it would show at 1e-200."""
    sums = np.zeros((3, number + 2))
    k = np.arange(1, number + 2)
    sums[1, 1:], sums[2, 1:] = np.cumsum(np.log(k)), 1 / k
    n = 4_000_000
    drawn = _histogram(n, number, p, np.array([number, 1], dtype=np.uint64), sums)
    expected = n * scipy.stats.binom.pmf(np.arange(number + 1), number, p)
    often = expected >= 20
    seen = np.append(drawn[often], n - drawn[often].sum())
    theory = np.append(expected[often], n - expected[often].sum())
    assert scipy.stats.chisquare(seen, theory * n / theory.sum()).pvalue > ERROR
