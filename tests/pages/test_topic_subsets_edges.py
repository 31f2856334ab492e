"""The topic subsets page with few topics or runs, scores without an answer, and targets out of reach."""

import pytest

from tests.pages.app import big_number, blocks, charts, errors, healthy, is_offered, open_page, text_of
from tests.pages.test_topic_subsets_page import KEY, PAGE
from tests.pages.uploading import with_scores
from tests.words import numbers_in


def test_two_topics_with_one_constant_have_an_answer_that_names_the_topic() -> None:
    app = with_scores(PAGE, "topic,x,y\n1,0.1,0.2\n2,0.3,0.3\n")
    assert not errors(app)
    assert big_number(app) == 1
    assert "All 2 subsets of 1 topic were evaluated" in text_of(app, "answer")
    assert blocks(app)["answer-set"].code[0].value == "1"  # its name


def test_a_preview_of_everything_is_the_full_analysis() -> None:
    scores = "topic,x,y,z\n1,0.1,0.2,0.9\n2,0.3,0.3,0.8\n3,0.3,0.1,0.4\n4,0.5,0.6,0.2\n"
    app = with_scores(PAGE, scores)
    assert not text_of(app, "preview")
    assert not is_offered(app, f"{KEY}/run")
    # Sets of 12 topics are requested at first.
    assert numbers_in(text_of(app, "other-size")) == [12, 4, 2]
    assert numbers_in(charts(app)["ten"]["layout"]["title"]["text"]) == [6, 6, 2]
    healthy(app.radio(key=f"{KEY}/method").set_value("local").run())  # which is never certain
    assert text_of(app, "preview")
    assert is_offered(app, f"{KEY}/run")


@pytest.mark.slow
def test_no_number_of_topics_if_no_subset_is_enough() -> None:
    app = open_page(PAGE, goodness="error-rate", target="-0.5")
    assert big_number(app) is None
    assert text_of(app, "answer")
    assert "answer-set" not in blocks(app)
