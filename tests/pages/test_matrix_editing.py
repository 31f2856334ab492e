"""Scores are edited cell by cell; a wrong cell is named and costs nothing."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, errors, go, healthy
from tests.pages.uploading import ANOVA, opened, press, texts, with_public
from tests.reference_data import reference_matrix
from topicset_core.preparation import edit
from topicset_core.variance import one_way

pytestmark = pytest.mark.reference_data


def _type(app: AppTest, **cells: float | None) -> AppTest:
    """Type into cells such as ``x0y1``: row and column by their places."""
    matrix = app.session_state["loaded_scores"][0].matrix
    resets = app.session_state["score_matrices/edit/resets"]
    rows: dict[int, dict[str, float | None]] = {}
    for cell, value in cells.items():
        topic, run = map(int, cell.removeprefix("x").split("y"))
        rows.setdefault(topic, {})[f"run {run}"] = value
    app.session_state[f"score_matrices/edit/1-{matrix.digest[:16]}-{resets}"] = {
        "edited_rows": rows,
        "added_rows": [],
        "deleted_rows": [],
    }
    return healthy(app.run())


def test_edited_scores_become_the_matrix_and_can_be_undone() -> None:
    raw = reference_matrix("sakai_20x3", "score")
    wanted = raw.scores.copy()
    wanted[0, 1], wanted[19, 2] = 0.875, 0.0
    edited, record = edit(raw, wanted)
    app = _type(opened(with_public("sakai_20x3"), "closer-edit"), x0y1=0.875, x19y2=0.0)
    assert big_number(app) == f"σ² = {one_way(raw):.4g}"  # nothing yet
    press(app, "Use the edited scores")
    assert big_number(app) == f"σ² = {one_way(edited):.4g}"
    assert record.said[0] in texts(app)
    go(app, ANOVA)
    assert "20 topics × 3 runs (2 cells edited)" in texts(app)
    go(app, "pages/score_matrices.py")
    press(app, "Undo changes")
    assert big_number(app) == f"σ² = {one_way(raw):.4g}"


def test_an_emptied_cell_is_named_and_the_other_edits_stay() -> None:
    raw = reference_matrix("sakai_20x3", "score")
    app = _type(opened(with_public("sakai_20x3"), "closer-edit"), x0y1=0.875, x2y0=None)
    press(app, "Use the edited scores")
    (error,) = errors(app)
    assert error == (
        f"score of run {raw.systems[0]} on topic {raw.topics[2]}, empty: must be a number. Your edits are still "
        "there."
    )
    assert big_number(app) == f"σ² = {one_way(raw):.4g}"
    _type(app, x0y1=0.875)
    press(app, "Use the edited scores")
    wanted = raw.scores.copy()
    wanted[0, 1] = 0.875
    assert big_number(app) == f"σ² = {one_way(edit(raw, wanted)[0]):.4g}"


def test_reset_forgets_edits_that_were_not_used() -> None:
    app = _type(opened(with_public("sakai_20x3"), "closer-edit"), x0y1=0.875)
    press(app, "Reset")
    press(app, "Use the edited scores")
    assert "must differ in at least one cell" in errors(app)[0]


def test_a_large_matrix_is_not_edited_here() -> None:
    app = opened(with_public("web2011_ap"), "closer-edit")
    assert "3,100 scores are too many to edit here; the limit is 2,000." in texts(app)
    assert "Use the edited scores" not in [button.label for button in app.button]
