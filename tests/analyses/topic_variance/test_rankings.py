"""Orders of runs in simulated collections, against the definitions: error rates, tau, ranks, reversed pairs."""

import math

import numpy as np
import pytest
import scipy

from tests.analyses.topic_variance.simulations import FIRST, SECOND, usual
from topicset_core.analyses.topic_variance import (
    conclusions,
    kernels,
)
from topicset_core.analyses.topic_variance.conclusions import Estimate


def test_error_rates_and_tau_against_their_definitions() -> None:
    rates = conclusions.error_rates(usual())
    assert len(rates) == conclusions.N_BINS == 21
    in_bins = conclusions.pairs_by_bin(usual())
    reference = usual().raw_means[FIRST] - usual().raw_means[SECOND]
    seen = usual().means[:, FIRST] - usual().means[:, SECOND]
    for place, rate in enumerate(rates):
        low, high = 0.01 * place, 0.01 * (place + 1) if place < 20 else math.inf
        inside = (np.abs(seen) >= low) & (np.abs(seen) < high) & (seen != 0)
        assert in_bins[place] == inside.sum()
        if inside.any():
            assert rate.value == pytest.approx(
                ((reference * seen < 0) & inside).sum() / inside.sum(), rel=1e-14
            )
        else:
            assert rate == Estimate(value=None, standard_error=None)
    overall = conclusions.overall_error_rate(usual())
    assert overall.value == pytest.approx((reference * seen < 0).mean(), rel=1e-14)
    tau = conclusions.rank_correlation(usual())
    assert tau.value == pytest.approx(usual().taus.mean(), rel=1e-14)
    # Without ties tau is one less twice the share of reversed pairs.
    assert tau.value == pytest.approx(1 - 2 * (reference * seen < 0).mean(), rel=1e-12)


def test_standard_errors_of_bins_against_the_residuals_of_trials() -> None:
    """A ratio of two sums over independent trials: its residuals have the error of their sum."""
    reference = usual().raw_means[FIRST] - usual().raw_means[SECOND]
    seen = usual().means[:, FIRST] - usual().means[:, SECOND]
    inside = (np.abs(seen) < 0.01) & (seen != 0)
    in_bin, reversals = inside.sum(axis=1), (inside & (reference * seen < 0)).sum(axis=1)
    residuals = reversals - reversals.sum() / in_bin.sum() * in_bin
    expected = residuals.std(ddof=1) * math.sqrt(in_bin.size) / in_bin.sum()
    # Residuals add up to 0, so that both sums of squares are the same but for rounding.
    assert conclusions.error_rates(usual())[0].standard_error == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("hundredths", [1, 3, 7, 19, 20, 29])
@pytest.mark.parametrize("lower", [0.0, 0.1, 0.7])
def test_a_difference_on_an_edge_belongs_to_the_bin_above(hundredths: int, lower: float) -> None:
    """Bins contain their lower edge, though 0.8 - 0.7 is a little less than 0.1; the last has all from .2 on."""
    means = np.array([lower, lower + hundredths / 100])
    sums = np.zeros((kernels.N_CELLS, kernels.N_SUMS), dtype=np.int64)
    counts = np.zeros((3, 1), dtype=np.int64)
    kernels.compare(means, means, np.ones(1), 2.0, 1.0, counts, sums)
    assert np.flatnonzero(sums[:, 0]).tolist() == [min(hundredths, 20) + 1]


@pytest.mark.parametrize(
    ("difference", "is_rejected"), [(0.51, True), (-0.51, True), (0.49, False), (-0.49, False)]
)
def test_a_test_is_two_sided(difference: float, is_rejected: bool) -> None:
    """|t| = 0.51 x 4 / 1 is above the critical value of 2, whichever run is the better one."""
    sums = np.zeros((kernels.N_CELLS, kernels.N_SUMS), dtype=np.int64)
    counts = np.zeros((3, 1), dtype=np.int64)
    means = np.array([1.0, 1.0 + difference])
    kernels.compare(means, means, np.ones(1), 2.0, 4.0, counts, sums)
    assert counts[2].tolist() == [int(is_rejected)]


@pytest.mark.parametrize("n_values", [1, 2, 5, 1000])
def test_ranks_against_scipy(n_values: int) -> None:
    """From all tied to hardly any; sevenths, so that rounding to twelve decimals does something."""
    means = np.random.default_rng(n_values).integers(0, n_values, (60, 9)) / 7
    assert (conclusions.ranks(means) == scipy.stats.rankdata(-means, axis=1)).all()
    assert (conclusions.ranks(means[0]) == scipy.stats.rankdata(-means[0])).all()
    assert conclusions.ranks(np.array([0.3, 0.1 + 0.2, 0.5])).tolist() == [2.5, 2.5, 1.0]


def test_rank_intervals_and_reversed_pairs() -> None:
    intervals = conclusions.rank_intervals(usual())
    order = np.argsort(-usual().raw_means)
    assert [intervals[run].raw_rank for run in order] == [1, 2, 3, 4, 5, 6]
    result = conclusions.ranks(usual().means)
    for run, interval in enumerate(intervals):
        inside = (result[:, run] >= interval.low) & (result[:, run] <= interval.high)
        assert inside.mean() >= 0.95
        assert (result[:, run] < interval.low).mean() <= 0.025
        assert (result[:, run] > interval.high).mean() <= 0.025
    turning = conclusions.reversed_pairs(usual(), 0.0)
    # A pair that is reversed as often as the bound is one of them.
    bound = turning[0].share.value or 0.0
    assert conclusions.reversed_pairs(usual(), bound)[:1] == turning[:1]
    shares = [pair.share.value for pair in turning]
    assert shares == sorted(shares, key=lambda share: -(share or 0.0))
    assert len(turning) == np.count_nonzero(usual().reversed_pairs)
    systems = usual().cells.systems
    for pair in turning:
        better, worse = systems.index(pair.better), systems.index(pair.worse)
        is_reversed = usual().means[:, better] < usual().means[:, worse]
        assert pair.share.value == is_reversed.mean()
        error = is_reversed.std(ddof=1) / math.sqrt(200)
        assert pair.share.standard_error == pytest.approx(error, rel=1e-12)
        assert pair.raw_difference == usual().raw_means[better] - usual().raw_means[worse] > 0
