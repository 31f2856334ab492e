"""Resampled variances against a plain loop over the same draws, and against theory."""

from itertools import product

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.reference_data import reference_matrix
from tests.variance.matrices import of
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.variance import (
    ESTIMATES,
    ONE_WAY,
    PAIR_PERCENTILE,
    TOTAL,
    TWO_WAY,
    Estimate,
    chosen_pair,
    pair_difference_variances,
    pair_percentile,
    pooled,
    resampled_pooled,
    resampled_variances,
)
from topicset_core.variance.resampling import BLOCK_TRIALS, block_of_variances, resampled_counts

EXACT = [one for one in (*ESTIMATES, chosen_pair("s0", "s2")) if one is not PAIR_PERCENTILE]
"""Estimates whose resamples are the estimates of resamples; those of a percentile are so to first order."""
RNG = np.random.default_rng(11)
SMALL = of(RNG.random((12, 5)) + RNG.random((12, 1)))


def drawn_again(matrix: ScoreMatrix, counts: np.ndarray) -> ScoreMatrix:
    """The resample as a matrix of its own, topic by topic."""
    return of(np.repeat(matrix.scores, counts.astype(int), axis=0))


def total_factor(scores: np.ndarray) -> float:
    """S_T / (S_T - S_B / n), from the sums of squares themselves."""
    n, m = scores.shape
    total_sum = np.square(scores - scores.mean()).sum()
    between_topics = m * np.square(scores.mean(axis=1) - scores.mean()).sum()
    return float(total_sum / (total_sum - between_topics / n))


@pytest.mark.parametrize("estimate", EXACT, ids=lambda estimate: estimate.name)
def test_matrix_products_against_a_loop_over_the_same_draws(estimate: Estimate) -> None:
    counts = resampled_counts(12, 60, np.random.default_rng(3))
    factor = total_factor(SMALL.scores) if estimate is TOTAL else 12 / 11
    expected = [factor * estimate(drawn_again(SMALL, row)) for row in counts]
    # The same sums of 60 products in another order: errors of some 1e-15.
    assert estimate.resampled(SMALL, counts).tolist() == pytest.approx(expected, rel=1e-12)


@pytest.mark.reference_data
@pytest.mark.parametrize("estimate", EXACT[:-1], ids=lambda estimate: estimate.name)
def test_matrix_products_against_a_loop_on_trec3(estimate: Estimate) -> None:
    matrix = reference_matrix("trec3_adhoc_ap")
    counts = resampled_counts(50, 5, np.random.default_rng(4))
    factor = total_factor(matrix.scores) if estimate is TOTAL else 50 / 49
    expected = [factor * estimate(drawn_again(matrix, row)) for row in counts]
    assert estimate.resampled(matrix, counts).tolist() == pytest.approx(expected, rel=1e-12)  # as above


@pytest.mark.parametrize(
    "estimate",
    [*EXACT, PAIR_PERCENTILE, pair_percentile(50)],
    ids=lambda estimate: estimate.name,
)
@pytest.mark.parametrize("shape", [(4, 3), (5, 4)])
def test_the_mean_over_all_resamples_is_the_estimate(estimate: Estimate, shape: tuple[int, int]) -> None:
    """Theory, by enumeration: all n^n equally likely draws, so no simulation error is left."""
    n = shape[0]
    matrix = of(np.random.default_rng(8).random(shape))
    counts = np.array([np.bincount(draw, minlength=n) for draw in product(range(n), repeat=n)], dtype=float)
    # A mean of up to 3125 terms of either sign of rounding.
    assert estimate.resampled(matrix, counts).mean() == pytest.approx(estimate(matrix), rel=1e-12)


def test_counts_are_draws_with_replacement() -> None:
    counts = resampled_counts(6, 20_000, np.random.default_rng(5))
    assert counts.shape == (20_000, 6)
    assert (counts.sum(axis=1) == 6).all()
    # Multinomial: variance n (1/n)(1 - 1/n) = 5/6, covariance -1/6; standard errors below .01.
    covariance = np.cov(counts.T)
    assert np.diagonal(covariance) == pytest.approx(np.full(6, 5 / 6), abs=0.04)
    assert covariance[np.triu_indices(6, k=1)] == pytest.approx(np.full(15, -1 / 6), abs=0.04)


def test_a_longer_run_begins_with_a_shorter_one_and_blocks_are_independent() -> None:
    long = resampled_variances([SMALL], n_trials=2 * BLOCK_TRIALS + 7, seed=3)
    assert long.shape == (2 * BLOCK_TRIALS + 7, 1)
    assert np.array_equal(resampled_variances([SMALL], n_trials=40, seed=3), long[:40])
    second = block_of_variances([SMALL], ONE_WAY, block=1, seed=3)
    assert np.array_equal(second, long[BLOCK_TRIALS : 2 * BLOCK_TRIALS])
    assert not np.array_equal(second, long[:BLOCK_TRIALS])
    assert not np.array_equal(resampled_variances([SMALL], n_trials=40, seed=4), long[:40])


def test_collections_are_resampled_independently() -> None:
    both = resampled_variances([SMALL, SMALL], n_trials=4000, seed=1)
    assert np.array_equal(both[:, :1], resampled_variances([SMALL], n_trials=4000, seed=1))
    # Independent: a correlation of 4000 pairs has a standard error of .016.
    assert abs(np.asarray(np.corrcoef(both.T))[0, 1]) < 0.06


@pytest.mark.parametrize("weights", ["topics", "degrees-of-freedom"])
def test_pooled_resamples_against_the_weights(weights: str) -> None:
    other = of(RNG.random((7, 9)))
    apart = resampled_variances([SMALL, other], TWO_WAY, n_trials=30, seed=2)
    shares = (11, 6) if weights == "topics" else (11 * 4, 6 * 8)
    expected = (apart * shares).sum(axis=1) / sum(shares)
    result = resampled_pooled([SMALL, other], TWO_WAY, weights=weights, n_trials=30, seed=2)  # type: ignore[arg-type]
    assert result.tolist() == pytest.approx(expected.tolist(), rel=1e-14)
    # On average it is the pooled estimate: within 4 standard errors.
    many = resampled_pooled([SMALL, other], TWO_WAY, weights=weights, n_trials=4000, seed=2)  # type: ignore[arg-type]
    error = 4 * many.std() / np.sqrt(many.size)
    assert many.mean() == pytest.approx(pooled([SMALL, other], TWO_WAY, weights), abs=error)  # type: ignore[arg-type]


@pytest.mark.parametrize("estimate", EXACT, ids=lambda estimate: estimate.name)
def test_a_topic_drawn_every_time_leaves_exactly_no_variance(estimate: Estimate) -> None:
    counts = np.diag(np.full(12, 12.0))
    result = estimate.resampled(SMALL, counts)
    if estimate is TOTAL:  # systems still differ
        assert (result > 0).all()
    else:
        assert result.tolist() == [0.0] * 12


def test_a_common_value_changes_nothing() -> None:
    """Centring first: at 2 ** 26 sums of raw squares would have lost all digits."""
    scores = RNG.integers(0, 64, (20, 4)) / 64
    for estimate in ESTIMATES:
        near = resampled_variances([of(scores)], estimate, n_trials=20)
        far = resampled_variances([of(scores + 2.0**26)], estimate, n_trials=20)
        assert far == pytest.approx(near, rel=1e-12)


def test_resamples_of_a_percentile_are_the_mean_of_the_pairs_next_to_it() -> None:
    """A plain twin: of 45 pairs the percentile is at place 41.8, and two pairs are within 1.1 places (2.5 %)."""
    matrix = of(np.random.default_rng(9).random((12, 10)))
    counts = resampled_counts(12, 60, np.random.default_rng(3))
    pairs = pair_difference_variances(matrix)
    near = np.argsort(pairs.variances)[41:43]

    def mean(counted: ScoreMatrix) -> float:
        return float(pair_difference_variances(counted).variances[near].mean())

    scale = 12 / 11 * PAIR_PERCENTILE(matrix) / mean(matrix)
    expected = [scale * mean(drawn_again(matrix, row)) for row in counts]
    assert PAIR_PERCENTILE.resampled(matrix, counts).tolist() == pytest.approx(
        expected, rel=1e-12
    )  # as above


@pytest.mark.slow
@pytest.mark.reference_data
def test_intervals_of_a_percentile_cover_that_of_all_topics() -> None:
    """Robust 2004, every third run, 150 draws of 50 of its 249 topics: .94 of 200 draws in a longer run.

    Percentiles of the resamples themselves covered .77. The bound is .94 less 4 standard errors of .019.
    """
    matrix = reference_matrix("robust2004_ap")
    matrix = matrix.select(systems=matrix.systems[::3])
    target, generator, covered = PAIR_PERCENTILE(matrix), np.random.default_rng(1), 0
    for _ in range(150):
        drawn = of(matrix.scores[generator.integers(matrix.n_topics, size=50)])
        values = PAIR_PERCENTILE.resampled(drawn, resampled_counts(50, 400, generator))
        low, high = np.quantile(values, [0.05, 0.95])
        assert low < PAIR_PERCENTILE(drawn) < high
        covered += bool(low <= target <= high)
    assert covered / 150 > 0.94 - 4 * 0.019


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        *(("n_trials", value) for value in (0, -1, 1.5, True, 1_000_001)),
        ("seed", -1),
        ("seed", 0.5),
        ("seed", False),
    ],
)
def test_numbers_out_of_range_are_refused(parameter: str, value: object, golden: SnapshotAssertion) -> None:
    with pytest.raises(InputError) as caught:
        resampled_variances([SMALL], **{parameter: value})  # type: ignore[arg-type]
    assert caught.value.parameter == parameter
    assert caught.value.value is value
    assert str(caught.value) == golden


@pytest.mark.parametrize(
    ("matrices", "parameter", "value"),
    [
        pytest.param([], "matrices", 0, id="no-matrix"),
        pytest.param([of([[0.5], [0.25]])], "systems", 1, id="one-run"),
    ],
)
def test_matrices_without_two_way_variance_are_refused(
    matrices: list[ScoreMatrix], parameter: str, value: int, golden: SnapshotAssertion
) -> None:
    with pytest.raises(InputError) as caught:
        resampled_variances(matrices, TWO_WAY)
    assert (caught.value.parameter, caught.value.value) == (parameter, value)
    assert str(caught.value) == golden


def test_many_topics_are_drawn_in_parts_with_the_same_counts() -> None:
    n_topics, n_trials = 20_000, 7  # two resamples at a time
    drawn = np.random.default_rng(4).integers(n_topics, size=(n_trials, n_topics))
    counts = resampled_counts(n_topics, n_trials, np.random.default_rng(4))
    assert counts.tolist() == [np.bincount(row, minlength=n_topics).tolist() for row in drawn]
