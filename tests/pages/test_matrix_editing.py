"""Scores are edited cell by cell; a wrong cell is named and costs nothing."""

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from pages.parts.score_matrices.uploaded_matrices import MOST_CELLS
from tests.pages.app import errors, go, healthy, in_tab, is_offered, open_app, press, text_of, texts
from tests.pages.uploading import ANOVA, PAGE, shows_variance, small_matrix, upload, with_small
from tests.words import numbers_in
from topicset_core.preparation.editing import edit

EDIT = "score_matrices/edit"


def _type(app: AppTest, **cells: float | None) -> AppTest:
    """Type into cells such as ``x0y1``: row and column by their places."""
    matrix = app.session_state["loaded_scores"][0].matrix
    resets = app.session_state[f"{EDIT}/resets"]
    rows: dict[int, dict[str, float | None]] = {}
    for cell, value in cells.items():
        topic, run = map(int, cell.removeprefix("x").split("y"))
        rows.setdefault(topic, {})[f"run {run}"] = value
    app.session_state[f"{EDIT}/1-{matrix.digest[:16]}-{resets}"] = {
        "edited_rows": rows,
        "added_rows": [],
        "deleted_rows": [],
    }
    return healthy(app.run())


def test_edited_scores_become_the_matrix_and_can_be_undone() -> None:
    raw = small_matrix("first_ap")
    target = raw.scores.copy()
    target[0, 1], target[11, 2] = 0.875, 0.0
    edited, record = edit(raw, target)
    app = _type(in_tab(with_small("first_ap"), "Edit"), x0y1=0.875, x11y2=0.0)
    assert shows_variance(app, raw)  # nothing yet
    press(app, f"{EDIT}/use")
    assert shows_variance(app, edited)
    assert record.notes[0] in texts(app)
    go(app, ANOVA)
    assert f"({record.summary})" in text_of(app, "answer")  # the source names the edit
    go(app, PAGE)
    press(app, "score_matrices/restore-1")
    assert shows_variance(app, raw)


def test_an_emptied_cell_is_named_and_the_other_edits_stay(golden: SnapshotAssertion) -> None:
    raw = small_matrix("first_ap")
    app = _type(in_tab(with_small("first_ap"), "Edit"), x0y1=0.875, x2y0=None)
    press(app, f"{EDIT}/use")
    (error,) = errors(app)
    assert raw.systems[0] in error
    assert raw.topics[2] in error
    assert error == golden
    assert shows_variance(app, raw)
    _type(app, x0y1=0.875)
    press(app, f"{EDIT}/use")
    target = raw.scores.copy()
    target[0, 1] = 0.875
    assert shows_variance(app, edit(raw, target)[0])


def test_reset_discards_unapplied_edits(golden: SnapshotAssertion) -> None:
    app = _type(in_tab(with_small("first_ap"), "Edit"), x0y1=0.875)
    press(app, f"{EDIT}/reset")
    press(app, f"{EDIT}/use")
    assert errors(app) == golden


@pytest.mark.parametrize(("n_runs", "is_edited"), [(40, True), (41, False)])
def test_a_large_matrix_is_not_edited_here(n_runs: int, is_edited: bool) -> None:
    runs = range(n_runs)
    header = ",".join(["topic", *(f"r{run}" for run in runs)])
    rows = [",".join([f"q{topic}", *(f"0.{(topic * 7 + run) % 9}" for run in runs)]) for topic in range(50)]
    app = in_tab(upload(open_app(PAGE), large="\n".join([header, *rows])), "Edit")
    assert is_offered(app, f"{EDIT}/use") == is_edited
    limits = [line for line in texts(app).splitlines() if numbers_in(line) == [50 * n_runs, MOST_CELLS]]
    assert len(limits) == (not is_edited)
