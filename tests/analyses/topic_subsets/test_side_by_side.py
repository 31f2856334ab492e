"""Several measures side by side are the curves of each measure alone."""

import numpy as np
import pytest

from topicset_core.analyses.topic_subsets.curve import SubsetCurve, subset_curve
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.analyses.topic_subsets.side_by_side import (
    CURVES,
    NEEDED,
    curve_rows,
    needed_rows,
    side_by_side,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError

Measured = list[tuple[ScoreMatrix, SubsetCurve]]


REQUEST = Request(goodness="pearson", cardinalities=(1, 4, 8), n_trials=50)


@pytest.fixture(scope="module")
def measured() -> Measured:
    results = []
    for seed, measure in enumerate(("AP", "P@10", "RR")):
        scores = np.random.default_rng(seed).uniform(size=(8, 6)) + np.linspace(0, 1, 6)
        topics, systems = tuple("12345678"), tuple("abcdef")
        matrix = ScoreMatrix(scores=scores, topics=topics, systems=systems, measure=measure, name="scores")
        results.append((matrix, subset_curve(matrix, REQUEST)))
    return results


def test_numbers_are_those_of_each_curve(measured: Measured) -> None:
    answer = side_by_side(measured, REQUEST)
    assert [one["measure"] for one in answer.results()] == ["AP", "P@10", "RR"]
    table = CURVES.table(curve_rows(measured))
    assert table["topics"] == [1, 4, 8] * 3
    assert table["mean"] == [point.mean for _, curve in measured for point in curve.points]
    assert NEEDED.table(needed_rows(measured, 0.95))["best"] == [
        curve.crossings(0.95).best for _, curve in measured
    ]
    (figure,) = answer.figures()
    # A line each for best, average and worst per measure.
    assert len(figure.drawn.data) == 9
    assert [matrix.digest for matrix in answer.matrices] == [matrix.digest for matrix, _ in measured]


@pytest.mark.parametrize("n", [0, 1, 9])
def test_one_measure_or_too_many_are_refused(measured: Measured, n: int) -> None:
    with pytest.raises(InputError) as caught:
        side_by_side((measured * 3)[:n], REQUEST)
    assert caught.value.parameter == "measures"
