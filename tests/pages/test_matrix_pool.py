"""What goes into the pool: matrices left out stay loaded, and designs do not use them."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, go, heading, healthy, open_app, press, text_of, tile, uploaders
from tests.pages.uploading import (
    ANOVA,
    PAGE,
    anova_topics,
    choose,
    opened,
    shows_variance,
    small_matrix,
    with_small,
)
from tests.words import numbers_in
from topicset_core.variance import one_way


def _pool(app: AppTest, number: int, *, used: bool) -> AppTest:
    return healthy(app.checkbox(key=f"score_matrices/pool-{number}").set_value(used).run())


@pytest.mark.slow
def test_designs_use_only_matrices_in_the_pool_and_report_it() -> None:
    first, second = small_matrix("first_ap"), small_matrix("second_ap")
    app = with_small("first_ap", "second_ap")
    assert shows_variance(app, first, second)
    assert numbers_in(text_of(app, "data-in-use")) == [2]
    _pool(app, 1, used=False)
    assert shows_variance(app, second)
    assert numbers_in(text_of(app, "data-in-use")) == [1, 2]  # in the pool, and in all
    go(app, ANOVA)
    assert big_number(app) == anova_topics(one_way(second), second.n_systems)
    assert numbers_in(text_of(app, "data-in-use")) == [1, 2]
    go(app, PAGE)
    assert [box.value for box in app.checkbox] == [False, True]
    _pool(app, 1, used=True)
    assert shows_variance(app, first, second)
    assert numbers_in(text_of(app, "data-in-use")) == [2]


def test_an_empty_pool_is_replaced_by_the_sample_with_a_note() -> None:
    app = open_app(PAGE)
    sample = heading(app)
    ordinary = text_of(app, "data-in-use")
    app = _pool(with_small("first_ap"), 1, used=False)
    assert heading(app) == sample
    in_use = text_of(app, "data-in-use")
    assert in_use != ordinary
    go(app, ANOVA)
    assert text_of(app, "data-in-use") == in_use
    go(app, PAGE)
    assert [frame.value["scores"].tolist() for frame in app.dataframe if "scores" in frame.value.columns] == [
        ["first_ap"]
    ]


def test_removing_a_matrix_keeps_the_choices_of_the_others() -> None:
    app = _pool(with_small("first_ap", "second_ap", "second_err20"), 2, used=False)
    press(app, "score_matrices/remove-1")
    assert [box.value for box in app.checkbox] == [False, True]
    assert shows_variance(app, small_matrix("second_err20"))
    press(app, "score_matrices/forget")
    assert not app.checkbox
    assert heading(app) == heading(open_app(PAGE))


def test_many_matrices_are_counted_at_first_and_shown_on_demand() -> None:
    app = open_app(PAGE)
    for number in range(13):
        text = f"topic,x\n1,0.1\n2,0.{number + 11}\n"
        uploaders(app)[0].upload(f"round{number}_ap.csv", text.encode(), "text/csv")
    healthy(app.run())
    assert len(app.success) == 5
    assert len(app.checkbox) == 0
    assert 13 in numbers_in(text_of(app, "answer"))
    assert len(opened(app, "cards").checkbox) == 13
    _pool(app, 13, used=False)
    assert 12 in numbers_in(text_of(app, "answer"))


def test_removing_the_displayed_matrix_shows_another() -> None:
    app = choose(with_small("first_ap", "second_ap"), "closer", 2)
    press(app, "score_matrices/remove-2")
    assert tile(app, "runs") == small_matrix("first_ap").n_systems
