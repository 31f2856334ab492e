"""After an upload each column shows its role, and a change reads the files again."""

from typing import Any

from streamlit.testing.v1 import AppTest

from tests.pages.app import errors, open_app, press, uploaders
from tests.pages.uploading import upload
from tests.parsing.test_cases import CASES

SCORES, START, JUDGES = "pages/score_matrices.py", "pages/start.py", "pages/judges.py"
ARM = (CASES / "per_query_arm.csv").read_text()


def _menus(app: AppTest) -> dict[str, Any]:
    """The menus of roles by the names of columns."""
    return {one.label.replace("\\", ""): one for one in app.selectbox if "last-reading" in str(one.key)}


def _loaded(app: AppTest) -> list[str]:
    return [one.value.replace("\\", "") for one in app.success]


def test_a_role_is_changed_in_its_menu() -> None:
    app = upload(open_app(SCORES), arm=ARM)
    assert {name: one.value for name, one in _menus(app).items()} == {
        "query_id": "topic",
        "arm": "run",
        "ndcg@10": "scores",
        "recall@10": "scores",
    }
    assert _loaded(app) == ["arm: nDCG@10, 10 topics × 3 runs.", "arm: recall@10, 10 topics × 3 runs."]
    _menus(app)["recall@10"].set_value("left out").run()
    assert errors(app) == []
    assert _loaded(app) == ["arm: nDCG@10, 10 topics × 3 runs."]
    assert _menus(app)["recall@10"].value == "left out"
    # Without the column of runs, the rows of a topic are repeats: asked, and the matrix of before stays.
    _menus(app)["arm"].set_value("left out").run()
    assert any("choose to average repeats" in one.value for one in app.error)
    assert [one.matrix.measure for one in app.session_state["loaded_scores"]] == ["nDCG@10"]
    _menus(app)["arm"].set_value("run").run()
    assert errors(app) == []
    assert _loaded(app) == ["arm: nDCG@10, 10 topics × 3 runs."]


def test_start_shows_roles_too() -> None:
    app = upload(open_app(START), arm=ARM)
    assert _menus(app)["arm"].value == "run"


def test_two_words_are_asked_once() -> None:
    app = upload(open_app(SCORES), words=(CASES / "PASSFAIL_words.csv").read_text())
    assert any("'PASS' and 'FAIL'" in one.value for one in app.error)
    press(app, "score_matrices/read-1")
    assert errors(app) == []
    assert _loaded(app) == ["words: score, 12 topics × 2 runs."]


def test_a_table_of_means_is_refused_and_its_columns_are_shown() -> None:
    app = upload(open_app(SCORES), means=(CASES / "pt_no_baseline.csv").read_text())
    assert any("one row per system" in one.value for one in app.error)
    assert _menus(app)["name"].value == "topic"
    _menus(app)["name"].set_value("run").run()
    assert any("one row per system" in one.value for one in app.error)
    # Whoever knows better states it: the rows are topics.
    _menus(app)["name"].set_value("topic").run()
    assert errors(app) == []
    assert _loaded(app) == ["means: AP, 4 topics × 1 run.", "means: nDCG, 4 topics × 1 run."]


LABELS = "case,engine,gpt4_score,annotator_score,latency\n" + "".join(
    f"c{at // 3},{'abc'[at % 3]},{at * 7 % 10 / 10},{at * 3 % 10 / 10 if at < 30 else ''},{at}\n"
    for at in range(60)
)


def test_columns_of_labels_are_stated_on_judges() -> None:
    app = open_app(JUDGES)
    uploaders(app)[0].upload("labels.csv", LABELS.encode(), "text/csv").run()
    assert any("found none for judge and human" in one.value for one in app.error)
    _menus(app)["gpt4_score"].set_value("judge").run()
    _menus(app)["annotator_score"].set_value("people").run()
    assert errors(app) == []
    assert any("20 topics" in one.value for one in app.markdown)
    assert app.session_state["judges/own-judge"].systems == ("a", "b", "c")
