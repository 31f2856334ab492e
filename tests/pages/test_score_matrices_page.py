"""Bringing scores: upload, paste, wrong files, and that nobody else sees them."""

from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, errors, go, healthy, open_app
from topicset_core.designs import one_way_anova
from topicset_core.parsing import read_scores
from topicset_core.variance import one_way

PAGE, ANOVA = "pages/score_matrices.py", "pages/one_way_anova.py"

MINE = "topic,x,y\n401,0.10,0.20\n402,0.30,0.35\n403,0.55,0.60\n404,0.05,0.15\n"
BROKEN = "topic,x,y\n401,0.10,0.20\n402,high,0.35\n"


def _upload(app: AppTest, **files: str) -> AppTest:
    for name, text in files.items():
        app.file_uploader[0].upload(f"{name}.csv", text.encode(), "text/csv")
        healthy(app.run())
    return app


def _one_way(text: str) -> float:
    (matrix,) = read_scores(text, "mine").matrices
    return one_way(matrix)


def test_uploaded_scores_are_used_by_the_design_pages() -> None:
    app = _upload(open_app(PAGE), mine_ap=MINE)
    variance = _one_way(MINE)
    assert big_number(app) == f"σ² = {variance:.4g}"
    go(app, ANOVA)
    wanted = one_way_anova.Requirements(
        alpha=0.05, beta=0.20, min_d=0.10, within_system_variance=variance, n_systems=10
    )
    assert big_number(app) == f"{one_way_anova.required_topics(wanted).required_topics} topics"
    go(app, PAGE)
    assert big_number(app) == f"σ² = {variance:.4g}"


def test_pasted_scores_are_used() -> None:
    app = open_app(PAGE)
    app.text_area[0].set_value(MINE)
    (read,) = [button for button in app.button if button.label == "Read pasted scores"]
    healthy(read.click().run())
    assert big_number(app) == f"σ² = {_one_way(MINE):.4g}"


def test_a_wrong_file_is_named_with_its_line_and_nothing_loaded_is_lost() -> None:
    app = _upload(open_app(PAGE), mine_ap=MINE, broken=BROKEN)
    (error,) = errors(app)
    assert error.startswith("broken.csv, line 3: ")
    assert "high" in error
    assert big_number(app) == f"σ² = {_one_way(MINE):.4g}"


def test_pasted_text_that_cannot_be_read_stays_to_be_mended() -> None:
    app = open_app(PAGE)
    app.text_area[0].set_value(BROKEN)
    (read,) = [button for button in app.button if button.label == "Read pasted scores"]
    healthy(read.click().run())
    assert errors(app)[0].startswith("pasted text, line 3: ")
    assert app.text_area[0].value == BROKEN


def test_the_same_scores_twice_are_kept_once() -> None:
    app = _upload(open_app(PAGE), mine_ap=MINE)
    _upload(app, mine_ap=MINE)
    assert [info.value for info in app.info] == [r"mine\_ap\: these AP scores are loaded already."]
    assert len([button for button in app.button if button.label == "Remove"]) == 1


def test_removing_the_last_matrix_brings_the_sample_back() -> None:
    app = open_app(PAGE)
    sample = big_number(app)
    _upload(app, mine_ap=MINE)
    (remove,) = [button for button in app.button if button.label == "Remove"]
    healthy(remove.click().run())
    assert big_number(app) == sample


def test_two_users_never_see_each_others_scores() -> None:
    alice, bob = open_app(PAGE), open_app(PAGE)
    sample = big_number(bob)
    _upload(alice, mine_ap=MINE)
    healthy(bob.run())
    assert big_number(alice) == f"σ² = {_one_way(MINE):.4g}"
    assert big_number(bob) == sample


def test_scores_without_variance_are_refused_by_the_design_pages_and_named() -> None:
    app = _upload(open_app(PAGE), flat_ap="topic,x,y\n1,0.5,0.5\n2,0.5,0.5\n")
    assert big_number(app) == "σ² = 0"
    go(app, ANOVA)
    (error,) = errors(app)
    assert error == "These scores cannot be planned with: σ² = 0 must be a number above 0."
    go(app, "pages/start.py")
    assert "within_system_variance" in errors(app)[0]


def test_scores_on_another_scale_are_planned_with_as_they_are() -> None:
    # Variances over topics 8 and 2, their mean 5: ratings, not scores from 0 to 1.
    app = _upload(open_app(PAGE), ratings="topic,x,y\n1,1,3\n2,5,5\n")
    assert big_number(app) == "σ² = 5"
    wanted = one_way_anova.Requirements(
        alpha=0.05, beta=0.20, min_d=0.10, within_system_variance=5.0, n_systems=10
    )
    go(app, ANOVA)
    assert big_number(app) == f"{one_way_anova.required_topics(wanted).required_topics:,} topics"
