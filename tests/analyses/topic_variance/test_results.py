"""Results and orders of runs in simulated collections against the definitions; errors against other seeds."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import scipy

from tests.analyses.topic_variance.plain_simulation import random_list, track
from tests.analyses.topic_variance.simulations import FIRST, JUDGED, SECOND, simulate_collections, usual
from topicset_core.analyses.topic_variance import Request, conclusions, findings, kernels
from topicset_core.analyses.topic_variance.conclusions import Estimate, of_trials
from topicset_core.analyses.topic_variance.simulation import Simulation
from topicset_core.designs.paired_t import Requirements, required_topics
from topicset_core.exports.records import plain


def test_standard_error_of_a_mean_ignores_undefined_values() -> None:
    result = of_trials(np.array([1.0, math.nan, 3.0]))
    assert result == Estimate(value=2.0, standard_error=1.0)  # sqrt(2) / sqrt(2)
    assert of_trials(np.array([math.nan])) == Estimate(value=None, standard_error=None)


def test_rejection_rates_and_their_shares_against_their_definitions() -> None:
    rates = usual().rejected_pairs.sum(axis=0) / usual().request.n_trials
    mean = findings(usual()).mean_rejection_rate
    assert mean.value == pytest.approx(rates.mean(), rel=1e-14)
    assert conclusions.almost_never_significant_share(usual()).value == (rates < 0.05).mean()
    assert conclusions.often_significant_share(usual()).value == (rates >= 0.5).mean()
    assert conclusions.often_significant_share(usual(), 0.95).value == (rates >= 0.95).mean()
    raw = [
        scipy.stats.ttest_rel(usual().raw[:, i], usual().raw[:, j])
        for i, j in zip(FIRST, SECOND, strict=True)
    ]
    assert conclusions.raw_t(usual()) == pytest.approx([result.statistic for result in raw], rel=1e-11)
    share = conclusions.raw_significant_share(usual()).value
    assert share == np.mean([result.pvalue < 0.05 for result in raw])


def test_shares_of_rejection_rates_at_the_bounds_themselves() -> None:
    """Of 200 trials: 10 rejections are 5 % and not fewer, 100 are half, 190 are 95 %."""
    rejected = np.zeros_like(usual().rejected_pairs)
    rejected[0, :6] = [9, 10, 99, 100, 189, 190]
    simulation = replace(usual(), rejected_pairs=rejected)
    n_pairs = rejected.shape[1]
    never = conclusions.almost_never_significant_share(simulation)
    assert never.value == (n_pairs - 5) / n_pairs
    assert conclusions.often_significant_share(simulation).value == 3 / n_pairs
    assert conclusions.often_significant_share(simulation, 0.95).value == 1 / n_pairs


def test_achieved_levels_against_their_definition() -> None:
    """Sakai 2006: how often |t| of a resample of differences less their mean reaches |t| of the data."""
    root, t = math.sqrt(8), np.abs(conclusions.raw_t(usual()))
    for documents, means, deviations, centre in (
        (False, usual().topics_means, usual().topics_deviations, usual().raw_means),
        (True, usual().both_means, usual().both_deviations, usual().means.mean(axis=0)),
    ):
        shifted = (means[:, FIRST] - means[:, SECOND]) - (centre[FIRST] - centre[SECOND])
        levels = (np.abs(shifted) * root / deviations >= t).mean(axis=0)
        bounds = [level for level in levels.tolist() if 0.0 < level < 1.0]
        assert bounds
        for level in (0.05, *bounds):  # a rate equal to alpha is not below it
            simulation = replace(usual(), request=replace(usual().request, alpha=level))
            share = conclusions.significant_share(simulation, documents=documents)
            assert share.value == (levels < level).mean()


STATISTICS: dict[str, Callable[[Simulation], Estimate]] = {
    "krcc": lambda simulation: of_trials(simulation.taus),
    "overall": conclusions.overall_error_rate,
    "first bin": lambda simulation: conclusions.error_rates(simulation)[0],
    "mean rejection": lambda simulation: of_trials(simulation.n_rejected / simulation.reversed_pairs.size),
    "almost never": conclusions.almost_never_significant_share,
    "topics": partial(conclusions.significant_share, documents=False),
    "both": partial(conclusions.significant_share, documents=True),
    "shift": lambda simulation: next(
        one["shift"] for one in conclusions.run_shifts(simulation) if one["system"] == "run2"
    ),
    "as printed": conclusions.estimated_difference,
    "shifted": partial(conclusions.estimated_difference_shifted, documents=True),
}


@pytest.mark.slow
def test_standard_errors_against_other_seeds() -> None:
    """40 seeds: the deviation of each number, against its standard error."""
    result: dict[str, list[Estimate]] = {name: [] for name in STATISTICS}
    for seed in range(40):
        simulation = simulate_collections(JUDGED, Request(model="bst", n_trials=200, seed=seed))
        for name, statistic in STATISTICS.items():
            result[name].append(statistic(simulation))
    for name, estimates in result.items():
        values = np.array([estimate.value for estimate in estimates], dtype=np.float64)
        errors = np.array([estimate.standard_error for estimate in estimates], dtype=np.float64)
        ratio = math.sqrt(np.square(errors).mean()) / values.std(ddof=1)
        # A deviation of 40 values is off by 11 % (39 % at 3.5 of these). Means must meet that; for shares beyond
        # a threshold and quantiles a resampled error is a rough one, and must be within a factor of two.
        low, high = (0.5, 2.0) if name in list(STATISTICS)[4:] else (0.68, 1.6)
        assert low < ratio < high, (name, ratio)


def test_equal_runs_are_tied_in_the_raw_data_and_never_significant_there() -> None:
    rng = np.random.default_rng(7)
    lists = [random_list(rng, 30, 5) for _ in range(4)]
    other = [random_list(rng, 30, 5) for _ in range(4)]
    runs, judged = track([lists, lists, other])
    simulation = simulate_collections(judged, Request(model="bst", n_trials=100), runs)
    assert simulation.raw_deviations[0] == 0.0
    assert conclusions.raw_t(simulation)[0] == 0.0
    # Every resample reaches a t of 0: so at any alpha only the two other pairs may be significant.
    lenient = replace(simulation, request=replace(simulation.request, alpha=0.999))
    assert conclusions.significant_share(lenient, documents=False).value == 2 / 3
    assert simulation.reversed_pairs[0] == 0


def test_components_against_their_definitions() -> None:
    result = conclusions.components(usual())
    assert result.collection == pytest.approx(usual().cell_variances.mean(), rel=1e-14)
    assert result.interaction + result.collection == pytest.approx(
        max(result.residual, result.collection), rel=1e-12
    )
    raw = usual().raw
    residuals = raw - raw.mean(axis=0) - raw.mean(axis=1, keepdims=True) + raw.mean()
    assert result.residual == pytest.approx(np.square(residuals).sum() / (7 * 5), rel=1e-12)
    # Expected mean squares of the two-way model: n times the variance of means less that of the rest.
    of_topics, of_systems = raw.mean(axis=1).var(ddof=1), raw.mean(axis=0).var(ddof=1)
    assert result.topic == pytest.approx(max(of_topics - result.residual / 6, 0.0), rel=1e-12)
    assert result.system == pytest.approx(max(of_systems - result.residual / 8, 0.0), rel=1e-12)
    assert result.system > 0
    assert result.total == result.topic + result.system + result.interaction + result.collection
    topics = conclusions.unstable_topics(usual())
    for one in topics:
        place = usual().cells.topics.index(one["topic"])
        expected = math.sqrt(usual().cell_variances[place].mean())
        assert one["standard_deviation"] == pytest.approx(expected, rel=1e-14)
    assert sum(topic["share"] for topic in topics) == pytest.approx(1.0, rel=1e-12)
    assert [topic["standard_deviation"] for topic in topics] == sorted(
        (topic["standard_deviation"] for topic in topics), reverse=True
    )


def test_closeness_against_its_definition() -> None:
    away = np.abs(usual().cell_means - usual().raw)
    assert conclusions.mean_absolute_shift(usual()).value == pytest.approx(away.mean(), rel=1e-14)
    shifts = conclusions.run_shifts(usual())
    assert {one["system"] for one in shifts} == set(usual().cells.systems)
    sizes = [abs(one["shift"].value or 0.0) for one in shifts]
    assert sizes == sorted(sizes, reverse=True)
    first = usual().cells.systems.index(shifts[0]["system"])
    assert shifts[0]["shift"].value == pytest.approx(
        usual().means[:, first].mean() - usual().raw_means[first], rel=1e-12
    )


def test_topics_needed_against_the_design() -> None:
    new = conclusions.Components(topic=0.03, system=0.004, interaction=0.006, collection=0.004, residual=0.01)
    needed = conclusions.topics_needed(new, min_d=0.05)
    for variance, topics in ((0.01, needed["with_noise"]), (0.006, needed["without_noise"])):
        requirements = Requirements(alpha=0.05, beta=0.20, min_d=0.05, difference_variance=2 * variance)
        assert topics == required_topics(requirements).required_topics
    noise_alone = conclusions.Components(
        topic=0.0, system=0.0, interaction=0.0, collection=0.02, residual=0.01
    )
    assert conclusions.topics_needed(noise_alone, min_d=0.05)["without_noise"] is None


def test_a_single_trial_has_no_standard_errors() -> None:
    simulation = simulate_collections(JUDGED, Request(model="bst", n_trials=1))
    result = plain(findings(simulation))
    for name, value in result.items():
        if isinstance(value, dict) and "standard_error" in value and name != "raw_significant_share":
            assert value["standard_error"] is None, name
    assert result["raw_significant_share"]["standard_error"] == 0.0


def test_error_rates_and_tau_against_their_definitions() -> None:
    rates = conclusions.error_rates(usual())
    assert len(rates) == conclusions.N_BINS == 21
    in_bins = findings(usual()).pairs_by_bin
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
    tau = findings(usual()).rank_correlation
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
    assert [intervals[run]["raw_rank"] for run in order] == [1, 2, 3, 4, 5, 6]
    turning = conclusions.reversed_pairs(usual(), 0.0)
    # A pair that is reversed as often as the bound is one of them.
    bound = turning[0]["share"].value or 0.0
    assert conclusions.reversed_pairs(usual(), bound)[:1] == turning[:1]
    shares = [pair["share"].value for pair in turning]
    assert shares == sorted(shares, key=lambda share: -(share or 0.0))
    assert len(turning) == np.count_nonzero(usual().reversed_pairs)
    systems = usual().cells.systems
    for pair in turning:
        better, worse = systems.index(pair["better"]), systems.index(pair["worse"])
        is_reversed = usual().means[:, better] < usual().means[:, worse]
        assert pair["share"].value == is_reversed.mean()
        error = is_reversed.std(ddof=1) / math.sqrt(200)
        assert pair["share"].standard_error == pytest.approx(error, rel=1e-12)
        assert pair["raw_difference"] == usual().raw_means[better] - usual().raw_means[worse] > 0
