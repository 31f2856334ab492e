"""Scores changed by hand; rows and columns swapped."""

from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.refusals import refused
from tests.variance.matrices import of
from tests.words import numbers_in
from topicset_core.preparation import transpose
from topicset_core.preparation.editing import EditedCell, edit

MATRIX = of([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], topics="123", systems="AB")


def changed(**cells: float) -> np.ndarray:
    """The scores with cells such as ``A2`` changed."""
    scores = MATRIX.scores.copy()
    for cell, value in cells.items():
        scores[int(cell[1:]) - 1, "AB".index(cell[0])] = value
    return scores


def test_changed_cells_are_recorded_topic_by_topic(golden: SnapshotAssertion) -> None:
    edited, record = edit(MATRIX, changed(B3=0.7, A2=0.0))
    assert edited.scores.tolist() == [[0.1, 0.2], [0.0, 0.4], [0.5, 0.7]]
    assert replace(edited, scores=MATRIX.scores) == MATRIX
    assert record.cells == (
        EditedCell(topic="2", system="A", before=0.3, after=0.0),
        EditedCell(topic="3", system="B", before=0.6, after=0.7),
    )
    (note,) = record.notes
    # The number of cells; then each with its topic, score before and score after.
    assert numbers_in(note) == [2, 2, 0.3, 0, 3, 0.6, 0.7]
    assert note == golden
    assert edit(MATRIX, changed(B3=0.7))[1].summary == golden  # in the singular


def test_more_than_ten_cells_are_counted(golden: SnapshotAssertion) -> None:
    _, record = edit(of(np.zeros((2, 6)), topics="12", systems="ABCDEF"), np.ones((2, 6)))
    assert len(record.cells) == 12
    # All 12, of which 10 are written out: 6 of topic 1 and 4 of topic 2, from 0 to 1; 2 more.
    assert numbers_in(record.notes[0]) == [12, *[1, 0, 1] * 6, *[2, 0, 1] * 4, 2]
    assert record.notes[0] == golden


@pytest.mark.parametrize(
    ("scores", "value"),
    [
        pytest.param(changed(B2=np.nan), "empty", id="empty"),
        pytest.param(changed(A1=np.inf, B3=np.nan), "inf", id="infinite-and-empty"),
        pytest.param(changed(A1=-1e101), "-1e+101", id="too-large"),
        pytest.param(changed(), "as before", id="as-before"),
        pytest.param(np.zeros((3, 3)), (3, 3), id="another-shape"),
    ],
)
def test_invalid_edits_are_refused(scores: np.ndarray, value: object, golden: SnapshotAssertion) -> None:
    error = refused(edit, MATRIX, scores)
    assert error.value == value
    assert str(error) == golden


def test_each_score_keeps_its_two_names() -> None:
    transposed = transpose(of([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]))
    assert (transposed.topics, transposed.systems) == (("s0", "s1", "s2"), ("t0", "t1"))
    assert transposed.scores.tolist() == [[0.1, 0.4], [0.2, 0.5], [0.3, 0.6]]


def test_a_single_run_cannot_be_transposed(golden: SnapshotAssertion) -> None:
    error = refused(transpose, of([[0.1], [0.2]]))
    assert (error.parameter, error.value) == ("topics", 1)
    assert str(error) == golden
