"""Scores changed by hand."""

import numpy as np
import pytest

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.preparation import EditedCell, edit

MATRIX = ScoreMatrix(
    scores=np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]),
    topics=("1", "2", "3"),
    systems=("A", "B"),
    measure="AP",
    name="x",
)


def changed(**cells: float) -> np.ndarray:
    """The scores with cells such as ``A2`` changed."""
    scores = MATRIX.scores.copy()
    for cell, value in cells.items():
        scores[int(cell[1:]) - 1, "AB".index(cell[0])] = value
    return scores


def test_changed_cells_are_recorded_topic_by_topic() -> None:
    edited, record = edit(MATRIX, changed(B3=0.7, A2=0.0))
    assert edited.scores.tolist() == [[0.1, 0.2], [0.0, 0.4], [0.5, 0.7]]
    assert (edited.topics, edited.systems, edited.measure, edited.name) == (
        MATRIX.topics,
        MATRIX.systems,
        "AP",
        "x",
    )
    assert record.cells == (
        EditedCell(topic="2", system="A", before=0.3, after=0.0),
        EditedCell(topic="3", system="B", before=0.6, after=0.7),
    )
    assert record.said == ("Edited by hand: 2 cells (topic 2, run A: 0.3 to 0; topic 3, run B: 0.6 to 0.7).",)


def test_one_cell_is_no_cells() -> None:
    assert edit(MATRIX, changed(B3=0.7))[1].summary == "1 cell edited"


def test_beyond_ten_cells_are_counted() -> None:
    wide = ScoreMatrix(
        scores=np.zeros((2, 6)), topics=("1", "2"), systems=tuple("ABCDEF"), measure="AP", name="x"
    )
    _, record = edit(wide, np.ones((2, 6)))
    assert record.said[0].startswith("Edited by hand: 12 cells (topic 1, run A: 0 to 1; ")
    assert record.said[0].endswith("topic 2, run D: 0 to 1; and 2 more).")


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        (changed(B2=np.nan), "score of run B on topic 2 = 'empty': must be a number"),
        (
            changed(A1=np.inf, B3=np.nan),
            "score of run A on topic 1 = 'inf': must be a number, and so must 1 more",
        ),
        (changed(A1=-1e101), "score of run A on topic 1 = '-1e+101': must be a number"),
        (changed(), "scores = 'as before': must differ in at least one cell"),
        (np.zeros((3, 3)), "scores = (3, 3): must have the shape (3, 2), topics x systems"),
    ],
)
def test_refused_edits_are_named(scores: np.ndarray, said: str) -> None:
    with pytest.raises(InputError) as caught:
        edit(MATRIX, scores)
    assert str(caught.value) == said
