"""Simulated collections: the same bits however the work is cut up, and sums that equal their definitions."""

from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
import scipy

from tests.analyses.topic_variance.plain_simulation import random_track
from tests.analyses.topic_variance.simulations import scores, simulate_collections
from topicset_core.analyses.topic_variance import Request, findings
from topicset_core.analyses.topic_variance import simulation as module
from topicset_core.analyses.topic_variance.cells import cells_of
from topicset_core.analyses.topic_variance.request import Model
from topicset_core.analyses.topic_variance.simulation import Simulation, resampled_topics
from topicset_core.exports.records import plain
from topicset_core.progress import Cancelled

RUNS, JUDGED = random_track(1, 5, 6)
MODELS: tuple[Model, ...] = ("shared", "bst", "kde")
N_TRIALS = 130  # not a multiple of the groups


def run(model: Model = "bst", n_trials: int = N_TRIALS, executor: Executor | None = None) -> Simulation:
    request = Request(model=model, n_trials=n_trials, seed=3)
    return simulate_collections(JUDGED, request, RUNS, executor=executor)


def same(first: Simulation, second: Simulation) -> None:
    """Equal to the last bit in everything."""
    assert plain(findings(first)) == plain(findings(second))
    for name in (
        "raw", "means", "taus", "n_reversed", "n_rejected", "reversed_pairs", "rejected_pairs", "sums",
        "deviations", "topics_means", "topics_deviations", "both_means", "both_deviations", "cell_means",
        "cell_variances",
    ):  # fmt: skip
        assert np.array_equal(getattr(first, name), getattr(second, name)), name


@pytest.mark.parametrize("model", MODELS)
def test_batches_and_executors_change_no_bit(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = run(model)
    with ThreadPoolExecutor(3) as threads:
        same(plain, run(model, executor=threads))
    monkeypatch.setattr(module, "_BATCH_SECONDS", 1e-9)  # a trial at a time
    same(plain, run(model))


@pytest.mark.cluster
def test_other_processes_change_no_bit() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        for model in MODELS:
            same(run(model), run(model, executor=process))


def test_more_trials_begin_with_the_same_trials_and_other_seeds_differ() -> None:
    few, many = run(n_trials=20), run(n_trials=70)
    assert np.array_equal(few.means, many.means[:20])
    assert np.array_equal(few.both_deviations, many.both_deviations[:20])
    other = simulate_collections(JUDGED, Request(model="bst", n_trials=20, seed=4), RUNS)
    assert not (few.means == other.means).any()


@pytest.mark.parametrize("model", MODELS)
def test_sums_against_numpy_and_scipy(model: Model) -> None:
    simulation = run(model)
    drawn, raw = scores(simulation), simulation.raw
    means = drawn.mean(axis=1)
    # Sums of six scores may be rounded otherwise.
    assert simulation.means == pytest.approx(means, rel=1e-14)
    # Scores are summed in units of 2^-32.
    assert simulation.cell_means == pytest.approx(drawn.mean(axis=0), abs=2**-32)
    assert simulation.cell_variances == pytest.approx(drawn.var(axis=0, ddof=1), abs=2**-30)
    first, second = simulation.pairs
    assert list(zip(first.tolist(), second.tolist(), strict=True))[:4] == [(1, 0), (2, 0), (2, 1), (3, 0)]
    reference = np.sign(raw.mean(axis=0)[first] - raw.mean(axis=0)[second])
    rejected = scipy.stats.ttest_rel(drawn[:, :, first], drawn[:, :, second], axis=1).pvalue < 0.05
    cells = np.zeros((22, 5), dtype=np.int64)
    for trial in range(N_TRIALS):
        assert simulation.taus[trial] == pytest.approx(
            scipy.stats.kendalltau(raw.mean(axis=0), means[trial])[0], rel=1e-12
        )
        pairs, reversals = np.zeros(22, dtype=np.int64), np.zeros(22, dtype=np.int64)
        for pair, (i, j) in enumerate(zip(first, second, strict=True)):
            difference = means[trial, i] - means[trial, j]
            assert simulation.deviations[trial, pair] == pytest.approx(
                (drawn[trial, :, i] - drawn[trial, :, j]).std(ddof=1), rel=1e-12
            )
            cell = min(int(abs(difference) // 0.01), 20) + 1
            pairs[cell] += 1
            reversals[cell] += np.sign(difference) * reference[pair] < 0
        cells += np.stack([pairs, reversals, pairs**2, pairs * reversals, reversals**2], axis=1)
        assert simulation.n_reversed[trial] == reversals.sum()
    assert simulation.sums.tolist() == cells.tolist()
    assert simulation.n_rejected.tolist() == rejected.sum(axis=1).tolist()
    assert simulation.rejected_pairs.sum(axis=0).tolist() == rejected.sum(axis=0).tolist()
    groups = np.split(rejected, np.cumsum(simulation.group_sizes)[:-1])
    assert simulation.rejected_pairs.tolist() == [group.sum(axis=0).tolist() for group in groups]
    is_reversed = np.sign(means[:, first] - means[:, second]) * reference < 0
    assert simulation.reversed_pairs.tolist() == is_reversed.sum(axis=0).tolist()


def test_partial_results_equal_a_run_of_as_many_trials() -> None:
    shown: list[Simulation] = []
    whole = simulate_collections(
        JUDGED, Request(model="bst", n_trials=N_TRIALS, seed=3), show_partial=shown.append
    )
    assert [part.request.n_trials for part in shown] == [N_TRIALS * k // 50 for k in range(1, 50)]
    for part in (shown[0], shown[20], shown[-1]):
        alone = run(n_trials=part.request.n_trials)
        result, expected = plain(findings(part)), plain(findings(alone))
        for name in (
            "rank_correlation",
            "error_rates",
            "components",
            "rank_intervals",
            "unstable_topics",
            "reversed_pairs",
        ):
            assert result[name] == expected[name], name
        # Groups of trials are other ones, so standard errors from resampling them are, and nothing else.
        for name in ("almost_never_significant_share", "estimated_difference", "significant_share_both"):
            assert result[name]["value"] == expected[name]["value"], name
        assert np.array_equal(part.cell_variances, alone.cell_variances)
    assert np.array_equal(shown[-1].means, whole.means[: shown[-1].request.n_trials])


def test_resampled_topics_against_numpy() -> None:
    simulation = run()
    drawn, (first, second) = scores(simulation), simulation.pairs
    for trial in (0, 1, 50, N_TRIALS - 1):
        weights = resampled_topics(6, 3, trial)
        assert weights.sum() == 6
        topics = np.repeat(np.arange(6), weights)
        for table, means, deviations in (
            (simulation.raw, simulation.topics_means, simulation.topics_deviations),
            (drawn[trial], simulation.both_means, simulation.both_deviations),
        ):
            chosen = table[topics]
            assert means[trial] == pytest.approx(chosen.mean(axis=0), rel=1e-12)
            expected = (chosen[:, first] - chosen[:, second]).std(axis=0, ddof=1)
            assert deviations[trial] == pytest.approx(expected, rel=1e-10, abs=1e-15)


def test_progress_rises_to_the_end_and_stops_the_work() -> None:
    reported: list[float] = []
    simulate_collections(JUDGED, Request(model="kde", n_trials=60), RUNS, report_progress=reported.append)
    assert reported == sorted(reported)
    assert reported[-1] == pytest.approx(1.0)

    def stop(fraction: float) -> None:
        if fraction > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        simulate_collections(JUDGED, Request(model="bst", n_trials=60), report_progress=stop)


def test_the_number_of_stored_trials_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = run()
    assert plain.n_kept == N_TRIALS
    monkeypatch.setattr(module, "MOST_KEPT", 40)
    fewer = run()
    assert fewer.n_kept == 40
    assert np.array_equal(fewer.both_deviations, plain.both_deviations[:40])
    assert np.array_equal(fewer.rejected_pairs, plain.rejected_pairs)
    monkeypatch.setattr(module, "_MOST_KEPT_VALUES", 100)  # of 10 pairs
    assert run().n_kept == 10
    assert cells_of(JUDGED, 1).n_found.min() >= 2
