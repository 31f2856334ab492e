"""Every score, run means and rounds: the numbers of the core; and the numbers of the pages to go to next."""

import math
from collections.abc import Hashable
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import charts, emphasised, go, healthy, in_tab, open_app, planned, texts, tile
from tests.pages.uploading import PAGE, choose, small_matrix, with_small
from tests.words import numbers_in
from topicset_core.analyses.rank_resolution import Request, resolve
from topicset_core.analyses.score_variance.report import run_means
from topicset_core.analyses.score_variance.uncertainty import rounds, standard_plan
from topicset_core.samples.simulated import simulated_task
from topicset_core.variance import one_way


def _table(app: AppTest, column: str) -> dict[Hashable, Any]:
    (result,) = [frame.value for frame in app.dataframe if column in frame.value.columns]
    return result.to_dict("list")


def test_every_score_of_the_chosen_matrix_in_either_order() -> None:
    app = with_small("first_ap", "second_ap")
    assert set(charts(app)) == {"heat-map", "variances"}
    choose(app, "closer", 2)
    matrix = small_matrix("second_ap")
    cells, _ = charts(app)["heat-map"]["data"]
    assert cells["x"][0] == matrix.topics[int(np.argmin(matrix.scores.mean(axis=1)))]
    assert cells["y"][0] == matrix.systems[int(np.argmax(matrix.scores.mean(axis=0)))]
    healthy(app.toggle(key="score_matrices/closer-order").set_value(False).run())
    cells, _ = charts(app)["heat-map"]["data"]
    assert tuple(cells["x"]) == matrix.topics
    assert tuple(cells["y"]) == matrix.systems


def test_run_means_in_chart_and_table() -> None:
    app = with_small("first_ap")
    result = run_means(small_matrix("first_ap"))
    table = _table(app, "mean AP")
    assert table["run"] == list(result.systems)
    assert table["from"] == result.lower.tolist()
    assert table["to"] == result.upper.tolist()
    assert charts(app)["heat-map"]["data"][1]["hovertext"] == list(result.systems)


def test_tiles_and_next_steps_have_the_numbers_of_the_pages_they_lead_to() -> None:
    app = with_small("first_ap")
    matrix = small_matrix("first_ap")
    assert tile(app, "runs") == matrix.n_systems
    assert tile(app, "topics") == matrix.n_topics
    assert tile(app, "SD over topics") == pytest.approx(math.sqrt(one_way(matrix)), rel=0.01)
    assert next_steps(app, "leaderboard") == [len(resolve(matrix, Request()).candidates(1))]
    before = next_steps(app, "two-way-anova")  # topics with both ends of their interval
    assert _headline(go(app, "pages/topics_as_blocks.py")) == before
    planned(app, min_d=0.07)
    now = _headline(app)
    assert next_steps(go(app, PAGE), "two-way-anova") == now != before
    assert len(before) == len(now) == 3


def _headline(app: AppTest) -> list[float]:
    """The numbers that a page answers with."""
    (text,) = emphasised(app)
    return numbers_in(text)


def next_steps(app: AppTest, page: str) -> list[float]:
    """The numbers on the links to a page."""
    links = [one.proto for one in app.get("page_link")]
    return [number for one in links if one.page == page for number in numbers_in(one.label)]


def test_the_sample_can_be_viewed_but_not_changed() -> None:
    assert tabs(open_app(PAGE)) == ["Variance", "Run means", "Rounds"]
    assert tabs(with_small("first_ap")) == [
        "Variance",
        "Run means",
        "Prepare",
        "Groups",
        "Edit",
        "Files and pool",
    ]
    assert "Rounds" in tabs(with_small("first_ap", "second_ap"))


def tabs(app: AppTest) -> list[str]:
    """The tabs before the one on how it is computed."""
    return [tab.label for tab in app.tabs][:-1]


@pytest.mark.slow
def test_rounds_in_the_order_of_loading_then_in_the_users() -> None:
    app = in_tab(with_small("first_ap", "second_ap"), "Rounds")
    matrices = [small_matrix(name) for name in ("first_ap", "second_ap")]
    for order in ([0, 1], [1, 0], [1]):
        (field,) = [
            box for box in app.multiselect if (box.key or "").startswith("score_matrices/rounds/order")
        ]
        healthy(field.set_value(order).run())
        expected = rounds([matrices[place] for place in order], standard_plan())
        table = _table(app, "σ² so far")
        assert table["round"] == [each.name for each in expected]
        assert table["σ²"] == [each.own.variance for each in expected]
        assert table["σ² so far"] == [each.so_far.variance for each in expected]
        last = expected[-1].so_far
        assert last.sentence in texts(app)
        low, high = last.topics_interval
        assert numbers_in(str(table["n so far"][-1])) == [last.topics, low, high]
        interval = [float(f"{bound:.3g}") for bound in (last.interval.low, last.interval.high)]
        assert numbers_in(str(table["interval so far"][-1])) == interval


def test_rounds_of_the_sample_by_measure() -> None:
    app = in_tab(open_app(PAGE), "Rounds")
    measures = list(dict.fromkeys(matrix.measure for matrix in simulated_task()))
    choose(app, "rounds/measure", measures[-1])
    expected = rounds(
        [matrix for matrix in simulated_task() if matrix.measure == measures[-1]], standard_plan()
    )
    assert _table(app, "σ² so far")["σ² so far"] == [each.so_far.variance for each in expected]
