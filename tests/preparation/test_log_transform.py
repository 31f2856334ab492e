"""Logarithms of scores against trec_eval's gm_map, and values without a logarithm."""

import math

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.preparation.test_drop_runs import matrix_of
from tests.reference_data import reference_file
from tests.words import numbers_in
from topicset_core.errors import InputError
from topicset_core.parsing import Choices, read_scores
from topicset_core.preparation import log_transform


@pytest.mark.reference_data
def test_geometric_mean_against_trec_eval() -> None:
    # gm_map of the summary of the same output, to its 4 digits; AP itself is rounded to 4 digits,
    # which moves the geometric mean of values such as 0.0324 by less than 0.0001.
    file = "expected_all_trec_per_topic.txt"
    content = reference_file("trec", "trec_eval_test", file).read_bytes()
    (matrix,) = read_scores(content, file, choices=Choices(measure="map")).matrices
    prepared, record = log_transform(matrix)
    assert record.geometric_means[0] == pytest.approx(0.1051, abs=1e-4)
    assert prepared.measure == "log AP"
    assert prepared.topics == ("301", "302", "303")


def test_scores_below_the_floor_count_as_the_floor(golden: SnapshotAssertion) -> None:
    prepared, record = log_transform(matrix_of([[0.0, 1.0], [1e-6, 1e-5]]))
    assert prepared.scores.tolist() == [[math.log(1e-5), 0.0], [math.log(1e-5), math.log(1e-5)]]
    assert (record.n_floored, record.n_scores, record.floor) == (2, 4, 1e-5)
    assert record.geometric_means == pytest.approx((1e-5, math.sqrt(1e-5)))
    assert numbers_in(record.notes[0]) == [2, 4, 1e-5]
    assert record.notes[0] == golden


@pytest.mark.parametrize(
    ("scores", "floor", "parameter", "value"),
    [
        ([[0.5], [0.2]], 0.0, "floor", 0.0),
        ([[0.5], [0.2]], math.nan, "floor", math.nan),
        ([[0.5], [-0.5]], 1e-5, "scores", -0.5),
    ],
)
def test_what_has_no_logarithm_is_refused(
    scores: list[list[float]], floor: float, parameter: str, value: float, golden: SnapshotAssertion
) -> None:
    with pytest.raises(InputError) as caught:
        log_transform(matrix_of(scores), floor)
    assert (caught.value.parameter, str(caught.value.value)) == (parameter, str(value))
    assert str(caught.value) == golden
