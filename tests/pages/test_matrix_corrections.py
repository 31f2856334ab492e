"""Recognised formats can be corrected: before the next import, and in loaded matrices."""

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from tests.pages.app import big_number, errors, go, healthy, in_tab, open_app, press, text_of, texts
from tests.pages.uploading import ANOVA, PAGE, choose, small_matrix, upload, with_small
from topicset_core.collection import ScoreMatrix
from topicset_core.preparation import transpose
from topicset_core.variance import one_way

SQUARE = "x,a,b,c\np,0.1,0.2,0.4\nq,0.3,0.3,0.9\n"
CORRECT = "score_matrices/correct"


def _matrix(app: AppTest) -> ScoreMatrix:
    (uploads,) = app.session_state["loaded_scores"]
    result: ScoreMatrix = uploads.matrix
    return result


@pytest.mark.parametrize(
    ("orientation", "topics"), [("topics-by-runs", ("p", "q")), ("runs-by-topics", ("a", "b", "c"))]
)
def test_the_orientation_of_the_next_file_is_chosen(orientation: str, topics: tuple[str, ...]) -> None:
    app = choose(open_app(PAGE), "orientation", orientation)
    upload(app, square=SQUARE)
    assert _matrix(app).topics == topics


def test_measure_and_collection_of_the_next_file_are_chosen() -> None:
    app = open_app(PAGE)
    app.text_input(key="score_matrices/measure").set_value("nERR")
    app.text_input(key="score_matrices/collection").set_value("NTCIR-9")
    healthy(app.run())
    upload(app, table="topic,x\n1,0.1\n2,0.5\n")
    assert (_matrix(app).measure, _matrix(app).name) == ("nERR", "NTCIR-9")


def test_score_columns_are_selected_and_omitted_columns_reported() -> None:
    app = open_app(PAGE)
    healthy(app.multiselect(key="score_matrices/columns").set_value(["faithfulness"]).run())
    upload(app, rag="question,faithfulness,latency\nwhy,0.1,7\nhow,0.5,9\n")
    assert (_matrix(app).measure, _matrix(app).n_systems) == ("faithfulness", 1)
    assert "'latency'" in texts(app)


def test_a_loaded_matrix_is_renamed_and_the_designs_follow() -> None:
    app = in_tab(with_small("first_ap"), "Edit")
    app.text_input(key=f"{CORRECT}/name-1-first_ap").set_value("TREC 2011 web")
    app.text_input(key=f"{CORRECT}/measure-1-AP").set_value("MAP")
    press(app, f"{CORRECT}/rename-1")
    assert (_matrix(app).name, _matrix(app).measure) == ("TREC 2011 web", "MAP")
    go(app, ANOVA)
    assert "TREC 2011 web, MAP" in text_of(app, "answer")


def test_a_renamed_matrix_that_was_prepared_is_restored_under_its_new_name() -> None:
    app = in_tab(with_small("first_ap"), "Prepare")
    app.number_input(key="score_matrices/prepare/percent").set_value(25.0)
    press(app, "score_matrices/prepare/apply")
    assert _matrix(app).n_systems < 9
    in_tab(app, "Edit")
    app.text_input(key=f"{CORRECT}/name-1-first_ap").set_value("A")
    press(app, f"{CORRECT}/rename-1")
    press(app, "score_matrices/restore-1")
    assert (_matrix(app).name, _matrix(app).n_systems) == ("A", 9)


def test_an_empty_name_is_refused_and_nothing_changes(golden: SnapshotAssertion) -> None:
    app = in_tab(upload(open_app(PAGE), square=SQUARE), "Edit")
    app.text_input(key=f"{CORRECT}/name-1-square").set_value("  ")
    press(app, f"{CORRECT}/rename-1")
    assert errors(app) == golden
    assert _matrix(app).name == "square"


def test_a_matrix_is_transposed_and_transposed_back() -> None:
    raw = small_matrix("first_ap")
    app = in_tab(with_small("first_ap"), "Edit")
    press(app, f"{CORRECT}/swap-1")
    assert big_number(app) == pytest.approx(one_way(transpose(raw)), rel=1e-3)
    assert (_matrix(app).topics, _matrix(app).systems) == (raw.systems, raw.topics)
    press(app, "score_matrices/restore-1")
    assert big_number(app) == pytest.approx(one_way(raw), rel=1e-3)
    assert _matrix(app).digest == raw.digest


def test_a_single_run_cannot_become_a_single_topic(golden: SnapshotAssertion) -> None:
    app = in_tab(upload(open_app(PAGE), one="topic,x\n1,0.1\n2,0.5\n"), "Edit")
    press(app, f"{CORRECT}/swap-1")
    assert errors(app) == golden
    assert _matrix(app).n_topics == 2
