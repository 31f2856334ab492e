"""Cases at the edge, by hand: ties, short lists of many relevant documents, streams, quantiles and places."""

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy

from tests.analyses.topic_variance.plain_simulation import Floats, track
from tests.analyses.topic_variance.simulations import FIRST, JUDGED, RUNS, SECOND, simulate_collections, usual
from topicset_core.analyses.topic_variance import Request, conclusions, kernels, topic_variance
from topicset_core.analyses.topic_variance.cells import cells_of
from topicset_core.analyses.topic_variance.conclusions import (
    TOLERATED,
    Estimate,
    components,
    resampled,
)
from topicset_core.analyses.topic_variance.request import Model
from topicset_core.analyses.topic_variance.simulation import preview_trials, resampled_topics


def test_tau_is_tau_b_where_means_tie() -> None:
    raw, means = np.array([0.1, 0.1, 0.2, 0.3, 0.5]), np.array([0.2, 0.1, 0.1, 0.4, 0.3])
    sums = np.zeros((kernels.N_CELLS, kernels.N_SUMS), dtype=np.int64)
    counts = np.zeros((3, 10), dtype=np.int64)
    tau, n_reversed_signs, _ = kernels.compare(raw, means, np.ones(10), 2.0, 1.0, counts, sums)
    assert tau == pytest.approx(scipy.stats.kendalltau(raw, means, variant="b")[0], rel=1e-14)
    assert tau != pytest.approx(scipy.stats.kendalltau(raw, means, variant="c")[0], rel=1e-3)
    # (2, 0) and (4, 3) are reversed; (1, 0) is tied in the raw data and (2, 1) in the trial: neither can be
    # reversed.
    assert (n_reversed_signs, np.flatnonzero(counts[0]).tolist()) == (2, [1, 9])
    assert np.flatnonzero(counts[1]).tolist() == [2]  # tied in the trial; (1, 0) is in the raw data
    assert sums[0].tolist() == [1, 0, 1, 0, 0]


def test_differences_within_rounding_are_ties_and_never_rejected() -> None:
    raw, means = np.array([0.1, 0.2]), np.array([0.3, 0.1 + 0.2])
    sums = np.zeros((kernels.N_CELLS, kernels.N_SUMS), dtype=np.int64)
    counts = np.zeros((3, 1), dtype=np.int64)
    tau, *_ = kernels.compare(raw, means[::-1].copy(), np.zeros(1), 2.0, 1.0, counts, sums)
    assert math.isnan(tau)
    assert (counts.tolist(), sums[:, 0].tolist()) == ([[0], [1], [0]], [1] + [0] * 21)
    t = conclusions.t_statistics(np.array([1e-17, -1e-17, 0.1, -0.1]), np.zeros(4), 5)
    assert t.tolist() == [0.0, 0.0, math.inf, -math.inf]


def test_components_that_would_be_negative_are_zero() -> None:
    """Scores 0 1 / 1 0: all means are equal, and the residual mean square is 4 x .5^2 / 1 = 1."""
    usual = ([3.0, 2.0, 1.0], [1])
    runs, judged = track([[usual, usual], [usual, usual]])
    simulation = simulate_collections(judged, Request(model="bst", n_trials=2), runs)
    crossed = replace(
        simulation, raw=np.array([[0.0, 1.0], [1.0, 0.0]]), cell_variances=np.full((2, 2), 1.25)
    )
    result = components(crossed)
    assert (result.topic, result.system, result.interaction) == (0.0, 0.0, 0.0)
    assert (result.collection, result.residual) == (1.25, 1.0)


def test_standard_error_of_the_mean_absolute_shift_by_hand() -> None:
    """48 cells of variance .04, 200 trials: the mean of independent cells has sqrt(48 x .04 / 200) / 48."""
    even = replace(usual(), cell_variances=np.full((8, 6), 0.04))
    result = conclusions.mean_absolute_shift(even).standard_error
    assert result == pytest.approx(math.sqrt(48 * 0.04 / 200) / 48, rel=1e-13)


def test_standard_errors_of_the_shifts_of_runs_against_numpy() -> None:
    for one in conclusions.run_shifts(usual()):
        means = usual().means[:, usual().cells.systems.index(one["system"])]
        assert one["shift"].standard_error == pytest.approx(means.std(ddof=1) / math.sqrt(200), rel=1e-13)


@pytest.mark.parametrize("alpha", [0.01, 0.2])
def test_significance_is_at_the_requested_level(alpha: float) -> None:
    simulation = simulate_collections(JUDGED, Request(model="bst", n_trials=40, alpha=alpha, seed=5))
    raw = scipy.stats.ttest_rel(simulation.raw[:, FIRST], simulation.raw[:, SECOND]).pvalue < alpha
    assert conclusions.raw_significant_share(simulation).value == raw.mean()
    away = np.abs(simulation.means[:, FIRST] - simulation.means[:, SECOND]) * math.sqrt(8)
    rejected = away / simulation.deviations > scipy.stats.t.isf(alpha / 2, 7)
    assert simulation.n_rejected.tolist() == rejected.sum(axis=1).tolist()
    at_5 = scipy.stats.ttest_rel(simulation.raw[:, FIRST], simulation.raw[:, SECOND]).pvalue < 0.05
    assert raw.sum() != at_5.sum()


def test_pairs_reversed_in_a_twentieth_of_the_trials_are_listed() -> None:
    """10 of 200 trials are, and 9 are not; `conclusions.TOLERATED` is that share."""
    is_reversed = np.zeros_like(usual().reversed_pairs)
    is_reversed[:3] = [9, 10, 50]
    named = conclusions.reversed_pairs(replace(usual(), reversed_pairs=is_reversed))
    assert [pair["share"].value for pair in named] == [50 / 200, 10 / 200]
    assert named == conclusions.reversed_pairs(replace(usual(), reversed_pairs=is_reversed), TOLERATED)


def test_a_level_counts_values_of_t_within_rounding() -> None:
    """Resamples that shift to the raw differences themselves reach |t|, also if a little is lost; none of less."""
    deviations = np.tile(usual().raw_deviations, (200, 1))
    shares = []
    for factor in (1.0, 1 + 1e-12, 1 + 1e-6):
        again = replace(
            usual(),
            topics_means=np.tile(2 * usual().raw_means, (200, 1)),
            topics_deviations=deviations * factor,
        )
        shares.append(conclusions.significant_share(again, documents=False).value)
    assert shares == [0.0, 0.0, 1.0]


def test_a_resample_has_all_units_and_its_error_is_their_deviation() -> None:
    seen: list[np.ndarray] = []

    def statistic(weights: np.ndarray) -> Floats:
        seen.append(weights)
        return np.asarray(weights @ np.arange(7.0) / 7)

    result = resampled(statistic, 7, 3)
    assert seen[0].tolist() == [[1] * 7]
    assert seen[1].shape == (200, 7)  # a deviation of 200 is off by 1 / sqrt(400), the 5 % that are named
    assert (seen[1].sum(axis=1) == 7).all()
    values = seen[1] @ np.arange(7.0) / 7
    assert result == Estimate(value=3.0, standard_error=float(values.std(ddof=1)))
    # Its expectation is sqrt(4 / 7), of numbers from 0 to 6 with variance 4; four times 5 % of that.
    assert result.standard_error == pytest.approx(math.sqrt(4 / 7), rel=0.2)


@pytest.mark.parametrize(("model", "drawn_from"), [("bst", (0, 0)), ("kde", (0, 1)), ("shared", (0, 2))])
def test_each_use_of_random_numbers_has_a_separate_stream(
    model: Model, drawn_from: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    requested: set[tuple[int, tuple[int, ...]]] = set()
    plain = np.random.SeedSequence

    def recorded(seed: int, *, spawn_key: tuple[int, ...]) -> np.random.SeedSequence:
        requested.add((seed, spawn_key))
        return plain(seed, spawn_key=spawn_key)

    monkeypatch.setattr(np.random, "SeedSequence", recorded)
    topic_variance(JUDGED, Request(model=model, n_trials=5, seed=9), RUNS)
    # Lists; topics; errors; intervals; halves.
    keys = {drawn_from, *((1, trial) for trial in range(5)), (2,), (3,)} | (
        {(4,)} if model == "shared" else set()
    )
    assert requested == {(9, key) for key in keys}


def test_each_topic_is_drawn_equally_often() -> None:
    drawn = np.sum([resampled_topics(6, 1, trial) for trial in range(600)], axis=0)
    # 3,600 draws of one in six: 600, standard deviation sqrt(3600 x 5 / 36) = 22.4; four of them.
    assert np.abs(drawn - 600).max() < 4 * 22.4


@pytest.mark.parametrize(
    ("n_trials", "alpha", "place"),
    [
        (100, 0.29, 29),  # 28.999999999999996 in floats
        (150, 0.05, 7),  # 7.5
        (10, 0.05, 1),  # at least the first
    ],
)
def test_the_place_of_the_estimated_difference_and_its_resamples(
    n_trials: int, alpha: float, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Algorithm 4 with the (B alpha)-th largest |t|, sorted in full, of all trials and of resamples of them."""
    simulation = simulate_collections(JUDGED, Request(model="bst", n_trials=n_trials, alpha=alpha, seed=2))

    def plain(weights: np.ndarray) -> float:
        rows = np.repeat(np.arange(n_trials), weights)
        order = rows[np.argsort(-t[rows], axis=0, kind="stable")][place - 1]
        return float(np.abs(shifted[order, np.arange(order.size)]).max())

    statistics = []

    def kept(statistic, n_units, seed):
        statistics.append(statistic)
        return resampled(statistic, n_units, seed)

    monkeypatch.setattr(conclusions, "resampled", kept)
    weights = np.random.default_rng(1).multinomial(n_trials, np.full(n_trials, 1 / n_trials), 40)
    for documents in (False, True):
        t, shifted = conclusions.shifted(simulation, documents=documents)
        t = np.abs(t)
        result = conclusions.estimated_difference_shifted(simulation, documents=documents)
        assert result.value == plain(np.ones(n_trials, dtype=np.int64))
        assert statistics.pop()(weights).tolist() == [plain(one) for one in weights]
    shifted = simulation.means[:, FIRST] - simulation.means[:, SECOND]  # as printed
    t = np.abs(shifted) / simulation.deviations
    assert conclusions.estimated_difference(simulation).value == plain(np.ones(n_trials, dtype=np.int64))


@pytest.mark.parametrize(
    ("n_first", "n_last", "interval", "high_of_next"),
    [(6, 6, (1.0, 6.0), 2.0), (4, 6, (3.0, 6.0), 1.0), (5, 5, (3.0, 3.0), 1.0)],
)
def test_rank_intervals_leave_out_a_fortieth_on_either_side(
    n_first: int, n_last: int, interval: tuple[float, float], high_of_next: float
) -> None:
    """Of 200 trials 2.5 % are 5: a rank that more have is in the interval; ends are ranks that occurred."""
    means = np.tile([2.5, 4.0, 3.0, 2.0, 1.0, 0.0], (200, 1))  # the first run is third
    means[:n_first, 0] = 9.0  # first, which moves the second run from the first rank to the second
    means[n_first : n_first + n_last, 0] = -1.0  # last
    result = conclusions.rank_intervals(replace(usual(), means=means))
    assert (result[0]["low"], result[0]["high"]) == interval
    assert (result[1]["low"], result[1]["high"]) == (1.0, high_of_next)


def test_trials_of_a_preview_by_hand() -> None:
    """A cell is 0.1 us, a relevant document .05 or .12, a pair and topic 3 ns; densities of a cell 120 us, once."""
    cells = cells_of(JUDGED, 1)
    many = replace(cells, systems=("run",) * 400, depths=np.zeros((8, 400), dtype=np.int64))
    # .32 ms of cells and 8 x 79,800 x 3 ns = 1.9152 ms of pairs: 2.24 ms with 96 documents, so 89 trials.
    few = replace(many, ranks=np.zeros(96, dtype=np.int64))
    assert preview_trials(few, "bst") == 80
    # 50,000 relevant documents: 4.735 ms by bst, so 42; 8.235 ms by kde, so 24.
    richer = replace(many, ranks=np.zeros(50_000, dtype=np.int64))
    assert (preview_trials(richer, "bst"), preview_trials(richer, "kde")) == (40, 20)
    # 12,000 cells take 1.44 s of densities, more than there is; without them 5.6 ms a trial, so 35.
    wide = replace(richer, depths=np.zeros((30, 400), dtype=np.int64))
    assert preview_trials(wide, "kde") is None
    assert preview_trials(wide, "bst") == 30
