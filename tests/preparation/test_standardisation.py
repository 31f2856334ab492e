"""Standardised scores against their definition, by hand and on real matrices."""

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.preparation.test_drop_runs import matrix_of
from topicset_core.errors import InputError
from topicset_core.preparation import standardise


def test_z_by_hand() -> None:
    # Topic 0: mean 0.2, sd 0.1. Topic 1: mean 0.5, sd 0.5.
    matrix = matrix_of([[0.1, 0.2, 0.3], [0.0, 0.5, 1.0]])
    prepared, record = standardise(matrix)
    assert prepared.scores == pytest.approx(np.array([[-1, 0, 1], [-1, 0, 1]]))
    assert prepared.measure == "z AP"
    assert record.reference == matrix.systems
    assert (record.n_clipped, record.n_beyond_3, record.left_out_topics) == (0, 0, ())


def test_std_ab_by_hand_with_the_ends_of_the_scale(golden: SnapshotAssertion) -> None:
    # A and B are the reference: sd sqrt(0.02)/... = 0.1 * sqrt(2), mean 0.2; C lies 5 sd above, D 4 below.
    sd = 0.1 * np.sqrt(2)
    matrix = matrix_of([[0.1, 0.3, 0.2 + 5 * sd, 0.2 - 4 * sd], [0.1, 0.3, 0.2 + 3.2 * sd, 0.2]])
    prepared, record = standardise(matrix, "std-AB", ["A", "B"])
    half = 0.15 / np.sqrt(2)
    expected = np.array([[0.5 - half, 0.5 + half, 1.0, 0.0], [0.5 - half, 0.5 + half, 0.98, 0.5]])
    assert prepared.scores == pytest.approx(expected)
    assert (record.n_clipped, record.n_beyond_3) == (2, 3)
    assert "\n".join(record.notes) == golden


def test_topics_without_variance_are_dropped_and_reported(golden: SnapshotAssertion) -> None:
    # 0.1 three times has a standard deviation of 1.7e-17 in floating point: detected by comparison instead.
    matrix = matrix_of([[0.1, 0.1, 0.1], [0.0, 0.5, 1.0], [0.3, 0.2, 0.1]])
    prepared, record = standardise(matrix)
    assert prepared.topics == ("t1", "t2")
    assert record.left_out_topics == ("t0",)
    assert (record.n_topics_before, record.n_topics_after) == (3, 2)
    assert "\n".join(record.notes) == golden


@pytest.mark.parametrize(
    ("method", "reference", "parameter"),
    [
        ("cdf", None, "method"),
        ("z", ["A"], "reference"),
        ("z", ["A", "A"], "reference"),
        ("z", ["A", "Z"], "reference"),
        ("z", ["A", "B"], "reference"),  # equal on every topic
    ],
)
def test_invalid_standardisations_are_refused(
    method: str, reference: list[str] | None, parameter: str
) -> None:
    matrix = matrix_of([[0.1, 0.1, 0.3], [0.2, 0.2, 0.5]])
    with pytest.raises(InputError) as caught:
        standardise(matrix, method, reference)  # type: ignore[arg-type]
    assert caught.value.parameter == parameter
