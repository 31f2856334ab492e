"""The charts of scores: every score in its cell, means of runs, variances round after round."""

import base64

import numpy as np
import pytest

from tests.charts.figure_checks import layout_of, traces
from tests.reference_data import reference_matrix
from tests.words import numbers_in
from topicset_core.analyses.score_variance.charts import run_means_chart, score_heat_map, variance_by_round
from topicset_core.analyses.score_variance.preparation_effect import standard_rule
from topicset_core.analyses.score_variance.run_means import run_means
from topicset_core.analyses.score_variance.uncertainty import rounds
from topicset_core.charts.labels import LONGEST
from topicset_core.collection import ScoreMatrix


def small(**names: tuple[str, ...]) -> ScoreMatrix:
    return ScoreMatrix(
        scores=np.array([[0.9, 0.5], [0.1, 0.3], [0.2, 0.7]]),
        topics=names.get("topics", ("1", "2", "3")),
        systems=names.get("systems", ("A", "B")),
        measure="AP",
        name="x",
    )


def test_sorted_by_means_the_hardest_topic_and_the_best_run_are_first() -> None:
    # Topic means .7, .2, .45; run means .4, .5.
    (cells,) = traces(score_heat_map(small(), by_means=True, mode="light"))
    assert list(cells.x) == ["2", "3", "1"]
    assert list(cells.y) == ["B", "A"]
    assert np.array(cells.z).tolist() == np.array([[0.3, 0.7, 0.5], [0.1, 0.2, 0.9]], np.float32).tolist()


def test_in_the_order_of_the_file() -> None:
    (cells,) = traces(score_heat_map(small(), by_means=False, mode="dark"))
    assert list(cells.x) == ["1", "2", "3"]
    assert np.array(cells.z).tolist() == small().scores.T.astype(np.float32).tolist()


@pytest.mark.reference_data
@pytest.mark.parametrize(
    ("name", "shape"), [("mq2007_top26_statap", (1153, 26)), ("trec8_adhoc_ap", (50, 129))]
)
def test_every_score_of_a_public_matrix_is_in_the_figure_sent(name: str, shape: tuple[int, int]) -> None:
    matrix = reference_matrix(name)
    assert matrix.scores.shape == shape
    figure = score_heat_map(matrix, by_means=True, mode="print")
    sent = figure.to_plotly().to_plotly_json()["data"][0]
    z = sent["z"]
    values = np.frombuffer(base64.b64decode(z["bdata"]), dtype="<f4").reshape(shape[::-1])
    for topic, run in ((0, 0), (shape[0] // 2, 5), (shape[0] - 1, shape[1] - 1)):
        row, column = matrix.topics.index(sent["x"][topic]), matrix.systems.index(sent["y"][run])
        assert values[run, topic] == np.float32(matrix.scores[row, column])
    assert sorted(values.ravel().tolist()) == sorted(matrix.scores.astype(np.float32).ravel().tolist())
    assert np.all(np.diff(values.mean(axis=0, dtype=float)) >= -1e-6)  # means of single precision


def test_topics_called_by_numbers_are_names_and_not_places() -> None:
    figure = score_heat_map(small(topics=("3", "1", "2")), by_means=False, mode="light")
    assert layout_of(figure).xaxis.type == "category"
    assert list(traces(figure)[0].x) == ["3", "1", "2"]


def test_long_names_are_shortened_on_the_axis_and_whole_on_hovering() -> None:
    run = "a-very-long-name-of-a-run-that-says-it-all-v2"
    figure = score_heat_map(small(systems=(run, "B")), by_means=False, mode="light")
    label = layout_of(figure).yaxis.labelalias[run]
    assert len(label) == LONGEST
    assert (label[:5], label[-2:]) == ("a-ver", "v2")
    assert numbers_in(traces(figure)[0].text[0][1])[0] == 2  # the topic
    assert run in traces(figure)[0].text[0][1]


def test_names_with_markup_are_shown_unchanged() -> None:
    """Plotly reads <b> and its like in labels and on hovering; the places keep the names as given."""
    figure = score_heat_map(small(systems=("<b>A</b>", "B")), by_means=False, mode="light")
    (cells,) = traces(figure)
    assert list(cells.y) == ["<b>A</b>", "B"]
    assert layout_of(figure).yaxis.labelalias == {"<b>A</b>": "&lt;b&gt;A&lt;/b&gt;"}
    assert "&lt;b&gt;A&lt;/b&gt;" in cells.text[0][1]


@pytest.mark.reference_data
def test_points_and_bars_are_the_numbers_of_the_analysis() -> None:
    result = run_means(reference_matrix("trec8_adhoc_ap"))
    figure = run_means_chart(result, mode="light")
    (points,) = traces(figure)
    assert np.array_equal(points.y, result.means)
    assert np.array_equal(points.error_y.array, result.half_widths)
    assert list(points.hovertext) == list(result.systems)
    assert np.array_equal(points.customdata[:, 0], result.means - result.half_widths)
    assert np.array_equal(points.customdata[:, 1], result.means + result.half_widths)
    assert "95 % intervals" in layout_of(figure).title.text.replace("<br>", " ")
    assert layout_of(figure).xaxis.type == "category"
    assert list(points.x) == list(result.systems)


@pytest.mark.reference_data
def test_points_and_bars_are_the_numbers_of_the_rounds() -> None:
    result = rounds([reference_matrix("web2011_ap"), reference_matrix("web2012_ap")], standard_rule())
    own, so_far = traces(variance_by_round(result, mode="dark"))
    assert list(own.y) == [each.own.variance for each in result]
    assert list(so_far.y) == [each.so_far.variance for each in result]
    for drawn, values in ((own, [each.own for each in result]), (so_far, [each.so_far for each in result])):
        for place, one in enumerate(values):
            # A sum and a difference of the same numbers: the last bit may differ.
            assert drawn.y[place] + drawn.error_y.array[place] == pytest.approx(one.interval.high, rel=1e-14)
            assert drawn.y[place] - drawn.error_y.arrayminus[place] == pytest.approx(
                one.interval.low, rel=1e-14
            )
