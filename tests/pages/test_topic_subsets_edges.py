"""The topic subsets page with few topics or runs, scores without an answer, and targets out of reach."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, errors, go, healthy, open_app, open_page
from tests.pages.test_topic_subsets_page import PAGE, chart, says


def small(app: AppTest, text: str) -> AppTest:
    app.file_uploader[0].upload("mine_ap.csv", text.encode(), "text/csv")
    healthy(app.run())
    return go(app, PAGE)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "topic,x,y\n1,0.5,0.4\n2,0.4,0.5\n3,0.3,0.3\n",
            "must give the runs different means over all topics",
        ),
        ("topic,x\n1,0.5\n2,0.1\n3,0.3\n", "must be at least 2 runs"),
    ],
    ids=["equal means", "one run"],
)
def test_scores_without_an_answer_are_refused_in_words(text: str, said: str) -> None:
    app = small(open_app("pages/score_matrices.py"), text)
    (error,) = errors(app)
    assert error.startswith("These scores cannot be compared over subsets of topics")
    assert said in error


def test_two_topics_two_runs_and_a_constant_topic_have_an_answer() -> None:
    app = small(open_app("pages/score_matrices.py"), "topic,x,y\n1,0.1,0.2\n2,0.3,0.3\n")
    assert not errors(app)
    assert big_number(app) == "1 topic"


def test_a_first_look_at_all_there_is_is_the_whole_analysis() -> None:
    text = "topic,x,y,z\n1,0.1,0.2,0.9\n2,0.3,0.3,0.8\n3,0.3,0.1,0.4\n4,0.5,0.6,0.2\n"
    app = small(open_app("pages/score_matrices.py"), text)
    assert says(app, "4 sizes, 4 of them looked at in full.")
    assert not says(app, "A first look")
    assert not [button for button in app.button if button.label == "Look thoroughly"]
    # Sets of 12 topics are asked for at first.
    assert says(app, "Sets of 12 are all that these 4 topics have, or more: sets of 2 are shown.")
    assert chart(app, 2)["layout"]["title"]["text"] == "The 6 best and 6 worst subsets of 2 topics"
    healthy(app.radio(key="topic-subsets/method").set_value("guiver").run())  # which finds fewer
    assert [button for button in app.button if button.label == "Look thoroughly"]


def test_one_topic_is_named_as_one() -> None:
    app = small(open_app("pages/score_matrices.py"), "topic,x,y\n1,0.1,0.2\n2,0.3,0.3\n")
    assert says(app, "none is better. It is 1.")


def test_no_number_of_topics_where_none_is_enough() -> None:
    app = open_page(PAGE, goodness="error-rate", target="-0.5")
    assert big_number(app) == "no number of topics"
