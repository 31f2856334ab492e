"""The experiment of Voorhees and Buckley: against a plain twin, against published shapes, at its edges."""

import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.reference_data import reference_matrix
from tests.variance.matrices import of as matrix_of
from topicset_core.analyses.error_rate import experiment
from topicset_core.analyses.error_rate.experiment import (
    affordable_trials,
    curve_sizes,
    error_rates,
    estimated_seconds,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.progress import Cancelled
from topicset_core.samples.simulated import simulated_task

# The twin, in plain Python and NumPy, counts another way: whole numbers and sorted edges.
_MASK = 2**64 - 1


def split_mix(seed: int) -> Iterator[int]:
    """SplitMix64 in Python's own integers (Steele, Lea and Flood 2014, figure 16 and its constants)."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        yield z ^ (z >> 31)


def sets_of_block(
    n_topics: int, size: int, n_trials: int, replace: bool, seed: int, block: int
) -> Iterator[tuple[list[int], list[int]]]:
    """The two sets of each trial of one block."""
    stream = np.random.SeedSequence(seed, spawn_key=(int(replace), size, block)).generate_state(1, np.uint64)
    numbers = split_mix(int(stream[0]))
    order = list(range(n_topics))
    for _ in range(n_trials):
        if replace:
            drawn = [((next(numbers) >> 32) * n_topics) >> 32 for _ in range(2 * size)]
        else:
            for place in range(2 * size):
                other = place + (((next(numbers) >> 32) * (n_topics - place)) >> 32)
                order[place], order[other] = order[other], order[place]
            drawn = order[: 2 * size]
        yield drawn[:size], drawn[size : 2 * size]


def counts(
    matrix: ScoreMatrix,
    size: int,
    *,
    decimals: int,
    n_trials: int,
    seed: int,
    replace: bool = False,
    rounded: bool = False,
    block_trials: int = 100,
) -> NDArray[np.int64]:
    """Pairs, reversals and ties on the other set of each of 22 cells at one cardinality, (22, 3)."""
    scores = np.rint(matrix.scores * 10**decimals).astype(np.int64)
    slack = size if rounded else 0
    edges = slack + size * 10 ** (decimals - 2) * np.arange(21)  # the first is the edge of the ties
    first, second = np.triu_indices(matrix.n_systems, k=1)
    result = np.zeros((22, 3), dtype=np.int64)
    for block, start in enumerate(range(0, n_trials, block_trials)):
        trials = min(block_trials, n_trials - start)
        for one, two in sets_of_block(matrix.n_topics, size, trials, replace, seed, block):
            reference, seen = (scores[chosen].sum(axis=0) for chosen in (one, two))
            d, e = reference[first] - reference[second], seen[first] - seen[second]
            # Edge k - 1 < |d| <= edge k is what searchsorted from the left finds.
            cells = np.searchsorted(edges, np.abs(d), side="left")
            wrong = ((d > 0) & (e < -slack)) | ((d < 0) & (e > slack))
            result[:, 0] += np.bincount(cells, minlength=22)
            result[:, 1] += np.bincount(cells[wrong], minlength=22)
            result[:, 2] += np.bincount(cells[np.abs(e) <= slack], minlength=22)
    return result


SAMPLE = simulated_task()[0]


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("size", [1, 2, 7, 25])
def test_counts_against_the_plain_twin(size: int, replace: bool) -> None:
    result = error_rates(SAMPLE, cardinalities=[size], n_trials=230, seed=3, with_replacement=replace)
    twin = counts(SAMPLE, size, decimals=4, n_trials=230, seed=3, replace=replace)
    assert result.counts[0, :, :3].tolist() == twin.tolist()
    assert result.scores_are_exact


def test_counts_of_scores_with_many_decimals_against_the_plain_twin() -> None:
    # Thirds and sevenths: means that are equal as fractions differ in the last digits of a float.
    rng = np.random.default_rng(4)
    matrix = matrix_of(rng.integers(0, 4, (12, 9)) / 3 + rng.integers(0, 2, (12, 9)) / 7)
    result = error_rates(matrix, cardinalities=[3], n_trials=300, seed=1)
    assert not result.scores_are_exact
    assert result.decimals == 9
    twin = counts(matrix, 3, decimals=9, n_trials=300, seed=1, rounded=True)
    assert result.counts[0, :, :3].tolist() == twin.tolist()
    assert twin[0, 0] > 0  # there were ties on the reference
    assert twin[1:, 2].sum() > 0  # and on the other set


def test_a_tie_on_the_other_set_is_half_an_error() -> None:
    # Two topics, two runs: one topic has them .3 apart, the other ties them. Where the tie is the reference the
    # pair has no order and is in no bin; where it is the other set, a coin decides: a rate of 1/2.
    result = error_rates(matrix_of([[0.5, 0.2], [0.4, 0.4]]), cardinalities=[1], n_trials=60, seed=0)
    assert result.ties[0] + result.pairs[0, 20] == 60
    assert 0 < result.ties[0] < 60
    assert result.half_errors[0, 20] == result.pairs[0, 20]
    assert (result.error_rates[0, 20], result.overall[0], result.reversals.sum()) == (0.5, 0.5, 0)
    assert result.standard_errors[0, 20] == 0  # every trial with the pair says 1/2


def test_standard_errors_with_ties_against_the_rates_of_trials() -> None:
    # One block of a trial each gives the rate and the pairs of every trial; the ratio estimator's formula on them.
    matrix = matrix_of(np.random.default_rng(5).integers(0, 3, (12, 6)) / 2)
    result = error_rates(matrix, cardinalities=[2], n_trials=40, seed=2)
    scores = np.rint(matrix.scores * 2).astype(int)
    first, second = np.triu_indices(6, k=1)
    pairs, errors = [], []
    for one, two in sets_of_block(12, 2, 40, False, 2, 0):
        d, e = (scores[rows].sum(axis=0)[first] - scores[rows].sum(axis=0)[second] for rows in (one, two))
        pairs.append(np.count_nonzero(np.abs(d) > 0))  # differences of 1/4 and more are all above .2
        errors.append(np.sum((d != 0) * np.where(e == 0, 0.5, d * e < 0)))
    n, x = np.array(pairs), np.array(errors)
    rate = x.sum() / n.sum()
    expected = np.sqrt(np.sum((x - rate * n) ** 2) * 40 / 39) / n.sum()
    assert result.error_rates[0, 20] == pytest.approx(rate, abs=1e-15)
    assert result.standard_errors[0, 20] == pytest.approx(expected, rel=1e-12)


@pytest.mark.reference_data
def test_ties_of_trec_8_change_no_published_digit() -> None:
    # Published rates count a tie as no error. AP of TREC-8 has four decimals: with 5 topics or more the two
    # conventions differ by less than .05 points, half the last digit of 9.2, in every bin that it prints.
    result = error_rates(
        reference_matrix("trec8_adhoc_top96_ap"), n_trials=1000, cardinalities=list(EXPECTED)
    )
    published = result.reversals / result.pairs
    assert np.abs(100 * (result.error_rates - published))[:, [0, 4, 9]].max() < 0.05


# formulas-and-expected-values 9.2: per cent in bins 1, 5 and 10, from 3,000 trials; within half a point.
EXPECTED = {
    5: (48.2, 37.4, 26.7),
    10: (47.3, 28.7, 14.2),
    15: (46.4, 22.4, 7.6),
    20: (45.6, 17.8, 4.0),
    25: (45.0, 14.3, 2.4),
}


@pytest.mark.reference_data
def test_error_rates_of_trec_8_against_9_2() -> None:
    matrix = reference_matrix("trec8_adhoc_top96_ap")
    result = error_rates(matrix, cardinalities=list(EXPECTED), n_trials=3000, seed=0)
    for rates, expected in zip(result.error_rates, EXPECTED.values(), strict=True):
        assert 100 * rates[[0, 4, 9]] == pytest.approx(expected, abs=0.5)


@pytest.mark.reference_data
def test_same_seed_gives_same_counts_for_any_workers_and_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = reference_matrix("trec8_adhoc_top96_ap")
    settings: dict[str, Any] = {"cardinalities": [25, 3, 10], "n_trials": 450, "seed": 7}
    alone = error_rates(matrix, **settings)
    monkeypatch.setattr(experiment, "_BATCH_SECONDS", 1e-9)  # one block a batch
    for workers in (1, 2, 5):
        with ThreadPoolExecutor(workers) as executor:
            result = error_rates(matrix, **settings, executor=executor)
        assert np.array_equal(result.counts, alone.counts)
    single = error_rates(matrix, cardinalities=[10], n_trials=450, seed=7)
    assert np.array_equal(single.counts[0], alone.counts[2])  # other requests make no difference
    assert not np.array_equal(
        error_rates(matrix, cardinalities=[10], n_trials=450, seed=8).counts, single.counts
    )


def test_standard_errors_against_repeated_experiments() -> None:
    # 200 experiments with seeds of their own: their spread is known to 1 / sqrt(2 x 199) = 5 %; four
    # of these are allowed, and 5 % for the rates not being quite normal.
    runs = [error_rates(SAMPLE, cardinalities=[8], n_trials=100, seed=seed) for seed in range(200)]
    rates = np.array([run.error_rates[0, :12] for run in runs])
    text = np.sqrt(np.mean([np.square(run.standard_errors[0, :12]) for run in runs], axis=0))
    assert text / rates.std(axis=0, ddof=1) == pytest.approx(np.ones(12), abs=0.25)


def test_a_single_trial_has_no_standard_error() -> None:
    result = error_rates(SAMPLE, cardinalities=[8], n_trials=1)
    assert np.isnan(result.standard_errors).all()
    assert result.largest_standard_error(10) is None
    assert result.pairs.sum() + result.ties.sum() == result.n_pairs


@pytest.mark.parametrize(
    "scores",
    [
        [[0.1, 0.2], [0.3, 0.2], [0.5, 0.1]],  # 3 topics, 2 runs
        np.zeros((6, 4)),  # nothing found by anyone
        np.tile([[0.1], [0.4], [0.3], [0.9]], 3),  # the same run thrice
        np.vstack([np.zeros((4, 3)), [[0.1, 0.2, 0.3]] * 4]),  # topics without an answer of any run
    ],
    ids=["three topics", "all zero", "identical runs", "zero topics"],
)
def test_small_and_empty_matrices_are_counted(scores: object) -> None:
    matrix = matrix_of(scores)
    result = error_rates(matrix, n_trials=50)
    assert result.cardinalities == tuple(range(1, matrix.n_topics // 2 + 1))
    assert (result.pairs.sum(axis=1) + result.ties == 50 * result.n_pairs).all()
    assert (result.reversals <= result.pairs).all()
    assert np.isnan(result.error_rates[result.pairs == 0]).all()


@pytest.mark.parametrize(
    ("settings", "parameter"),
    [
        ({"n_trials": 0}, "n_trials"),
        ({"seed": -1}, "seed"),
        ({"cardinalities": [26]}, "cardinalities"),
        ({"cardinalities": [0]}, "cardinalities"),
        ({"cardinalities": []}, "cardinalities"),
        ({"cardinalities": [3, 3]}, "cardinalities"),
        ({"cardinalities": [10_001], "with_replacement": True}, "cardinalities"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, object], parameter: str) -> None:
    with pytest.raises(InputError) as caught:
        error_rates(SAMPLE, **settings)  # type: ignore[arg-type]
    assert caught.value.parameter == parameter


def test_one_run_and_scores_too_large_are_refused() -> None:
    with pytest.raises(InputError, match="2"):
        error_rates(matrix_of([[0.1], [0.2]]))
    with pytest.raises(InputError, match=r"differences of \.01"):
        error_rates(matrix_of([[1e14, 2.0], [3.0, 4.0]]))


def test_large_scores_with_fewer_decimals_are_taken() -> None:
    result = error_rates(matrix_of(np.array([[1e9, 2e9 + 1 / 3], [3e9, 1e9]] * 4)), n_trials=10)
    assert result.decimals < 9
    assert result.pairs[:, 20].sum() > 0


def test_reports_rise_to_1_and_an_exception_from_there_ends_the_work() -> None:
    seen: list[float] = []
    error_rates(SAMPLE, n_trials=8_000, report_progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1.0)

    def stop(fraction: float) -> None:
        if fraction > 0.5:
            raise Cancelled

    with ThreadPoolExecutor(2) as executor, pytest.raises(Cancelled):
        error_rates(SAMPLE, n_trials=8_000, report_progress=stop, executor=executor)


@pytest.mark.reference_data
def test_a_thousand_topics_run_in_bounded_memory() -> None:
    matrix = reference_matrix("mq2007_top26_statap")
    experiment.error_rates(matrix, cardinalities=[2], n_trials=1)  # compiled
    tracemalloc.start()
    error_rates(matrix, cardinalities=[1, 100, 576], n_trials=1000)
    few = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    error_rates(matrix, cardinalities=[1, 100, 576], n_trials=4000)
    many = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # The matrix is 0.24 MB and is converted to whole numbers with a few copies.
    assert few < 8 * matrix.scores.nbytes
    assert many < few + 2**16  # more trials are more batches to list, and nothing else


def test_trials_fit_the_time_within_their_limits() -> None:
    sizes = curve_sizes(SAMPLE.n_topics)
    each = estimated_seconds(SAMPLE, sizes, 1)
    assert affordable_trials(SAMPLE, sizes, 100.5 * each) == 100
    assert affordable_trials(SAMPLE, sizes, 0.0) == 5
    assert affordable_trials(SAMPLE, sizes, 1e9 * each) == 2000
    assert affordable_trials(SAMPLE, sizes, 1e9 * each, 30) == 30


def test_default_sizes_of_very_many_topics_are_allowed() -> None:
    many = matrix_of(np.random.default_rng(1).random((30_000, 2)))
    counted = error_rates(many, n_trials=5)
    assert max(counted.cardinalities) == counted.largest_size == 10_000
    with pytest.raises(InputError, match=r"from 1 to 10,000$"):
        error_rates(many, n_trials=5, cardinalities=[10_001])
