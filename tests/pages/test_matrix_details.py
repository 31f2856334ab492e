"""Every score, run means and rounds: on demand, and the numbers of the core."""

from collections.abc import Hashable
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import charts, healthy, open_app, texts
from tests.pages.uploading import PAGE, choose, opened, small_matrix, with_small
from tests.words import numbers_in
from topicset_core.analyses.score_variance.report import run_means
from topicset_core.analyses.score_variance.uncertainty import rounds, standard_plan
from topicset_core.samples.simulated import simulated_task


def _table(app: AppTest, column: str) -> dict[Hashable, Any]:
    (result,) = [frame.value for frame in app.dataframe if column in frame.value.columns]
    return result.to_dict("list")


def _expanders(app: AppTest) -> set[str]:
    """The expanders whose content is drawn on demand, by their keys."""
    return {block.key.removeprefix("score_matrices/") for block in app.expander if block.key}


def test_every_score_of_the_chosen_matrix_in_either_order() -> None:
    app = with_small("first_ap", "second_ap")
    assert set(charts(app)) == {"heat-map", "variances"}
    choose(app, "closer", 2)
    matrix = small_matrix("second_ap")
    (cells,) = charts(app)["heat-map"]["data"]
    assert cells["x"][0] == matrix.topics[int(np.argmin(matrix.scores.mean(axis=1)))]
    assert cells["y"][0] == matrix.systems[int(np.argmax(matrix.scores.mean(axis=0)))]
    healthy(app.toggle(key="score_matrices/closer-order").set_value(False).run())
    (cells,) = charts(app)["heat-map"]["data"]
    assert tuple(cells["x"]) == matrix.topics
    assert tuple(cells["y"]) == matrix.systems


def test_run_means_in_sentence_chart_and_table() -> None:
    app = opened(with_small("first_ap"), "closer-means")
    result = run_means(small_matrix("first_ap"))
    (best,) = [line for line in texts(app).splitlines() if result.systems[0] in line]
    assert float(f"{result.means[0]:.4f}") in numbers_in(best)
    table = _table(app, "mean AP")
    assert table["run"] == list(result.systems)
    assert table["from"] == result.lower.tolist()
    assert table["to"] == result.upper.tolist()
    assert charts(app)["run-means"]["data"][0]["hovertext"] == list(result.systems)


def test_the_sample_can_be_viewed_but_not_changed() -> None:
    app = opened(open_app(PAGE), "closer-means")
    assert {"heat-map", "run-means"} <= set(charts(app))
    assert _expanders(app) == {"rounds", "closer-means"}


@pytest.mark.slow
def test_rounds_in_the_order_of_loading_then_in_the_users() -> None:
    app = opened(with_small("first_ap", "second_ap"), "rounds")
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
    app = opened(open_app(PAGE), "rounds")
    measures = list(dict.fromkeys(matrix.measure for matrix in simulated_task()))
    choose(app, "rounds/measure", measures[-1])
    expected = rounds(
        [matrix for matrix in simulated_task() if matrix.measure == measures[-1]], standard_plan()
    )
    assert _table(app, "σ² so far")["σ² so far"] == [each.so_far.variance for each in expected]


def test_one_matrix_of_each_measure_has_no_rounds() -> None:
    app = with_small("first_ap", "second_err20")
    assert "rounds" not in _expanders(app)
    assert "closer-means" in _expanders(app)
