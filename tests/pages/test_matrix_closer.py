"""Every score, run means and rounds: on demand, and the numbers of the core."""

import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import healthy, open_app
from tests.pages.uploading import PAGE, choose, opened, texts, with_public
from tests.reference_data import reference_matrix
from topicset_core.analyses.preparation_effect import standard_rule
from topicset_core.analyses.run_means import run_means
from topicset_core.analyses.variance_rounds import rounds
from topicset_core.samples.simulated import simulated_task

pytestmark = pytest.mark.reference_data


def _charts(app: AppTest) -> dict[str, dict[str, object]]:
    """Charts by the beginning of their text for those who cannot see them."""
    return {chart.proto.alt.split()[0]: json.loads(chart.proto.spec) for chart in app.get("plotly_chart")}


def _table(app: AppTest, column: str) -> dict[str, list[object]]:
    (found,) = [frame.value for frame in app.dataframe if column in frame.value.columns]
    table: dict[str, list[object]] = found.to_dict("list")
    return table


def test_nothing_is_drawn_before_it_is_asked_for() -> None:
    app = with_public("web2011_ap", "web2012_ap")
    assert set(_charts(app)) == {"Within-system"}


def test_every_score_of_the_chosen_matrix_in_either_order() -> None:
    app = opened(with_public("web2011_ap", "web2012_ap"), "closer-map")
    choose(app, "closer", 2)
    matrix = reference_matrix("web2012_ap")
    (cells,) = _charts(app)["Heat"]["data"]  # type: ignore[misc]
    assert cells["x"][0] == matrix.topics[int(np.argmin(matrix.scores.mean(axis=1)))]
    assert cells["y"][0] == matrix.systems[int(np.argmax(matrix.scores.mean(axis=0)))]
    healthy(app.toggle(key="score_matrices/closer-order").set_value(False).run())
    (cells,) = _charts(app)["Heat"]["data"]  # type: ignore[misc]
    assert tuple(cells["x"]) == matrix.topics
    assert tuple(cells["y"]) == matrix.systems


def test_run_means_in_sentence_chart_and_table() -> None:
    app = opened(with_public("web2011_ap"), "closer-means")
    found = run_means(reference_matrix("web2011_ap"))
    assert f"The best run, {found.systems[0]}, has a mean of **{found.means[0]:.4f}** ± " in texts(app)
    table = _table(app, "mean AP")
    assert table["run"] == list(found.systems)
    assert table["from"] == found.lower.tolist()
    assert table["to"] == found.upper.tolist()
    assert _charts(app)["Mean"]["data"][0]["hovertext"] == list(found.systems)  # type: ignore[index]


def test_the_sample_can_be_looked_at_but_not_changed() -> None:
    app = opened(opened(open_app(PAGE), "closer-map"), "closer-means")
    assert {"Heat", "Mean"} <= set(_charts(app))
    labels = [expander.label for expander in app.expander]
    assert "Every score: topics and runs" in labels
    assert not {"Prepare", "Edit scores"} & set(labels)


def test_rounds_in_the_order_of_loading_then_in_the_users() -> None:
    app = opened(with_public("web2011_ap", "web2012_ap"), "rounds")
    matrices = [reference_matrix(name) for name in ("web2011_ap", "web2012_ap")]
    for order in ([0, 1], [1, 0], [1]):
        (field,) = [found for found in app.multiselect if found.label == "Rounds, in their order"]
        healthy(field.set_value(order).run())
        expected = rounds([matrices[place] for place in order], standard_rule())
        table = _table(app, "σ² so far")
        assert table["round"] == [each.name for each in expected]
        assert table["σ²"] == [each.own.variance for each in expected]
        assert table["σ² so far"] == [each.so_far.variance for each in expected]
        last = expected[-1].so_far
        assert f"**σ² = {last.variance:.4g}**, which asks for {last.sentence}" in texts(app)
        low, high = last.topics_interval
        assert table["n so far"][-1] == f"{last.topics} ({low} to {high})"
        interval = last.interval
        assert table["interval so far"][-1] == f"{interval.low:.4g} to {interval.high:.4g}"


def test_rounds_of_the_sample_by_measure() -> None:
    app = opened(open_app(PAGE), "rounds")
    measures = list(dict.fromkeys(matrix.measure for matrix in simulated_task()))
    choose(app, "rounds/measure", measures[-1])
    expected = rounds(
        [matrix for matrix in simulated_task() if matrix.measure == measures[-1]], standard_rule()
    )
    assert _table(app, "σ² so far")["σ² so far"] == [each.so_far.variance for each in expected]


def test_one_matrix_has_no_rounds() -> None:
    app = with_public("web2011_ap", "web2011_p10")
    assert "Rounds: how the variance settles" not in [expander.label for expander in app.expander]
