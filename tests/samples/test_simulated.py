"""The simulated task against its documentation."""

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.words import numbers_in
from topicset_core.collection import ScoreMatrix
from topicset_core.samples import DEFAULT_SEED, simulated_task


@pytest.fixture(scope="module")
def task() -> tuple[ScoreMatrix, ...]:
    return simulated_task()


def correlation(first: np.ndarray, second: np.ndarray) -> float:
    return float(np.corrcoef(first.ravel(), second.ravel())[0, 1])


def test_names_and_shapes(task: tuple[ScoreMatrix, ...], golden: SnapshotAssertion) -> None:
    measures = ["AP", "nDCG@10", "RR"]
    assert [(*numbers_in(matrix.name), matrix.measure) for matrix in task] == [
        (number, measure) for number in (1, 2) for measure in measures
    ]
    assert "\n".join(matrix.name for matrix in task) == golden
    for index, matrix in enumerate(task):
        assert matrix.scores.shape == (50, 20)
        assert matrix.systems == tuple(f"sim{number:02d}" for number in range(1, 21))
        assert matrix.topics == tuple(f"{1 + index // 3}-{number:02d}" for number in range(1, 51))


def test_scores_are_in_the_unit_interval_with_four_decimals(task: tuple[ScoreMatrix, ...]) -> None:
    for matrix in task:
        assert matrix.scores.min() >= 0
        assert matrix.scores.max() <= 1
        assert np.array_equal(matrix.scores, np.round(matrix.scores, 4))


def test_measures_correlate_as_documented(task: tuple[ScoreMatrix, ...]) -> None:
    """About .87 between AP and nDCG@10, .6 with RR; run means .86 to .99. As in the module's docstring."""
    for average_precision, gain, reciprocal_rank in (task[:3], task[3:]):
        assert correlation(average_precision.scores, gain.scores) == pytest.approx(0.87, abs=0.03)
        for other in (average_precision, gain):
            assert correlation(other.scores, reciprocal_rank.scores) == pytest.approx(0.6, abs=0.05)
            means = correlation(other.scores.mean(axis=0), reciprocal_rank.scores.mean(axis=0))
            assert 0.855 <= means <= 0.99


def test_more_than_half_of_the_reciprocal_ranks_are_one(task: tuple[ScoreMatrix, ...]) -> None:
    for matrix in (task[2], task[5]):
        assert 0.5 < np.mean(matrix.scores == 1) < 0.6
        # All of them 1 / k, to the 4 decimals kept.
        ranks = np.round(1 / matrix.scores[matrix.scores > 0.02])
        assert np.abs(1 / ranks - matrix.scores[matrix.scores > 0.02]).max() < 5.001e-5


def test_the_seed_determines_the_sample(task: tuple[ScoreMatrix, ...]) -> None:
    assert simulated_task(DEFAULT_SEED) == task
    other = simulated_task(DEFAULT_SEED + 1)
    assert all(mine.digest != theirs.digest for mine, theirs in zip(task, other, strict=True))
    assert simulated_task(np.int64(3)) == simulated_task(3)  # type: ignore[arg-type]
