"""Rows and columns swapped."""

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.preparation import transpose


def matrix_of(scores: list[list[float]]) -> ScoreMatrix:
    values = np.array(scores)
    return ScoreMatrix(
        scores=values,
        topics=tuple(f"t{place}" for place in range(values.shape[0])),
        systems=tuple(f"r{place}" for place in range(values.shape[1])),
        measure="AP",
        name="x",
    )


def test_each_score_keeps_its_two_names() -> None:
    transposed = transpose(matrix_of([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]))
    assert (transposed.topics, transposed.systems) == (("r0", "r1", "r2"), ("t0", "t1"))
    assert transposed.scores.tolist() == [[0.1, 0.4], [0.2, 0.5], [0.3, 0.6]]


def test_a_single_run_cannot_be_transposed(golden: SnapshotAssertion) -> None:
    with pytest.raises(InputError) as caught:
        transpose(matrix_of([[0.1], [0.2]]))
    assert (caught.value.parameter, caught.value.value) == ("topics", 1)
    assert str(caught.value) == golden
