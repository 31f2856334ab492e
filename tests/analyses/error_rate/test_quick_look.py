"""Which sizes a curve has, how many trials a moment allows, and the surface around a question."""

import numpy as np
import pytest

from topicset_core.analyses.error_rate.experiment import (
    MOST_SIZES,
    affordable_trials,
    curve_sizes,
    estimated_seconds,
)
from topicset_core.analyses.error_rate.prediction import Predictor, surface
from topicset_core.samples import simulated_task

MATRIX = simulated_task()[0]


@pytest.mark.parametrize(
    ("n_topics", "with_replacement", "expected"),
    [(2, False, (1,)), (7, False, (1, 2, 3)), (3, True, (1, 2, 3)), (100, False, tuple(range(1, 51)))],
)
def test_few_sizes_are_all_there(n_topics: int, with_replacement: bool, expected: tuple[int, ...]) -> None:
    assert curve_sizes(n_topics, with_replacement=with_replacement) == expected


def test_many_sizes_are_thinned_evenly_from_end_to_end() -> None:
    sizes = curve_sizes(1153)
    assert (len(sizes), sizes[0], sizes[-1]) == (MOST_SIZES, 1, 576)
    assert set(np.diff(sizes).tolist()) == {11, 12}  # 575 / 49 = 11.7


def test_trials_fit_the_time_within_their_limits() -> None:
    sizes = curve_sizes(MATRIX.n_topics)
    each = estimated_seconds(MATRIX, sizes, 1)
    assert affordable_trials(MATRIX, sizes, 100.5 * each) == 100
    assert affordable_trials(MATRIX, sizes, 0.0) == 5
    assert affordable_trials(MATRIX, sizes, 1e9 * each) == 2000
    assert affordable_trials(MATRIX, sizes, 1e9 * each, 30) == 30


def test_the_surface_holds_the_question_and_the_predictions() -> None:
    predictor = Predictor(MATRIX)
    found = surface(predictor, n_topics=400, difference=0.3)
    assert found.rates.shape == (found.differences.size, found.sizes.size)
    assert (found.sizes[0], found.sizes[-1]) == (1, 800)
    assert found.differences[0] < 0.05
    assert 0.55 < found.differences[-1] < 0.6
    assert found.rates[7, 9] == predictor.error(float(found.differences[7]), float(found.sizes[9]))
    usual = surface(predictor, n_topics=MATRIX.n_topics, difference=0.05)
    assert usual.sizes[-1] == 4 * MATRIX.n_topics
    assert 0.19 < usual.differences[-1] < 0.2
