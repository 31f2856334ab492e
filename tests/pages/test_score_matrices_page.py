"""Uploading scores: upload, paste, wrong files, and that no one else sees them."""

from tests.pages.app import big_number, errors, go, is_offered, open_app, press, text_of, tile
from tests.pages.uploading import ANOVA, PAGE, anova_topics, shows_variance, upload
from tests.words import numbers_in
from topicset_core.parsing import read_scores
from topicset_core.variance import one_way

MINE = "topic,x,y\n401,0.10,0.20\n402,0.30,0.35\n403,0.55,0.60\n404,0.05,0.15\n"
(MATRIX,) = read_scores(MINE, "mine").matrices
BROKEN = "topic,x,y\n401,0.10,0.20\n402,high,0.35\n"


def test_uploaded_scores_are_used_by_the_design_pages() -> None:
    app = upload(open_app(PAGE), mine_ap=MINE)
    assert shows_variance(app, MATRIX)
    go(app, ANOVA)
    # Four topics are worth too few pilot topics for one number: the headline is the interval around it.
    assert tile(app, "at the estimate") == anova_topics(one_way(MATRIX), MATRIX.n_systems)
    go(app, PAGE)
    assert shows_variance(app, MATRIX)


def test_pasted_scores_are_used_and_unreadable_text_stays_for_correction() -> None:
    app = open_app(PAGE)
    app.text_area[0].set_value(BROKEN)
    press(app, "score_matrices/read-pasted")
    (error,) = errors(app)
    assert 3 in numbers_in(error)  # the line
    assert app.text_area[0].value == BROKEN
    app.text_area[0].set_value(MINE)
    press(app, "score_matrices/read-pasted")
    assert shows_variance(app, MATRIX)
    assert app.text_area[0].value == ""


def test_a_wrong_file_is_named_with_its_line_and_nothing_loaded_is_lost() -> None:
    app = upload(open_app(PAGE), mine_ap=MINE, broken=BROKEN)
    (error,) = errors(app)
    assert error.startswith("broken.csv, line 3: ")
    assert "high" in error
    assert shows_variance(app, MATRIX)


def test_the_same_scores_twice_are_kept_once_and_the_sample_comes_back_with_the_last() -> None:
    app = open_app(PAGE)
    sample = big_number(app)
    upload(app, mine_ap=MINE)
    upload(app, mine_ap=MINE)
    assert not app.success
    assert ["mine" in info.value for info in app.info] == [True]
    assert is_offered(app, "score_matrices/remove-1")
    assert not is_offered(app, "score_matrices/remove-2")
    press(app, "score_matrices/remove-1")
    assert big_number(app) == sample


def test_two_users_never_see_each_others_scores() -> None:
    alice, bob = open_app(PAGE), open_app(PAGE)
    sample = big_number(bob)
    upload(alice, mine_ap=MINE)
    bob.run()
    assert shows_variance(alice, MATRIX)
    assert big_number(bob) == sample


def test_scores_without_variance_are_refused_by_the_design_pages_and_named() -> None:
    app = upload(open_app(PAGE), flat_ap="topic,x,y\n1,0.5,0.5\n2,0.5,0.5\n")
    assert big_number(app) == 0
    for page in (ANOVA, "pages/start.py"):  # their texts in the golden record
        go(app, page)
        assert not [text.value for text in app.markdown if text.value.startswith("# ")]
        assert text_of(app, "refusal")


def test_scores_on_another_scale_are_used_unchanged() -> None:
    # Variances over topics 8 and 2, their mean 5: ratings, not scores from 0 to 1.
    app = upload(open_app(PAGE), ratings="topic,x,y\n1,1,3\n2,5,5\n")
    assert big_number(app) == 5
    go(app, ANOVA)
    assert tile(app, "at the estimate") == anova_topics(5.0, n_systems=2)


def test_all_links_of_the_sample_go_to_answers_about_the_sample() -> None:
    """The design page once planned for a similar task by another measure: 72 topics for nDCG@10."""
    app = open_app("pages/score_matrices.py")
    (link,) = (one for one in app.button if one.label.startswith("How many topics?"))
    number = link.label.removeprefix("How many topics? ").partition(" ")[0]
    link.click().run()
    go(app, "pages/topics_as_blocks.py")
    assert app.session_state["planning/scores"] == "AP"
    assert big_number(app) == float(number)
