"""The charts of scores: every score in its cell, means of runs, variances round after round."""

import base64

import numpy as np
import pytest

from tests.charts.figure_checks import layout_of, traces
from tests.reference_data import reference_matrix
from tests.variance.matrices import of
from topicset_core.analyses.score_variance.report import (
    run_means,
    scores_chart,
    variance_by_round,
)
from topicset_core.analyses.score_variance.uncertainty import rounds, standard_plan
from topicset_core.charts.labels import LONGEST

LONG = "a-very-long-name-of-a-run-that-says-it-all-v2"
SMALL = of([[0.9, 0.5], [0.1, 0.3], [0.2, 0.7]], topics="312", systems=(LONG, "<b>B</b>"))


@pytest.mark.parametrize(
    ("by_means", "topics", "runs"),
    [
        (False, [0, 1, 2], [0, 1]),
        (
            True,
            [1, 2, 0],
            [1, 0],
        ),  # topic means .7, .2, .45, run means .4, .5: the hardest and the best first
    ],
)
def test_every_score_is_in_the_cell_of_its_names(by_means: bool, topics: list[int], runs: list[int]) -> None:
    figure = scores_chart(SMALL, by_means=by_means)
    cells, means = traces(figure)
    assert list(cells.x) == [SMALL.topics[place] for place in topics]
    assert list(cells.y) == [SMALL.systems[place] for place in runs]
    assert np.array(cells.z).tolist() == SMALL.scores[topics][:, runs].T.astype(np.float32).tolist()
    assert layout_of(figure).xaxis.type == "category"  # topics called by numbers are names and not places
    assert (means.yaxis or "y") == (cells.yaxis or "y")  # a row per run in both
    assert dict(zip(means.y, means.x, strict=True)) == pytest.approx({LONG: 0.4, "<b>B</b>": 0.5})


def test_long_names_are_shortened_on_the_axis_and_markup_is_shown_as_written() -> None:
    """Plotly reads <b> and its like in labels and on hovering; the places keep the names as given."""
    figure = scores_chart(SMALL, by_means=False)
    cells, means = traces(figure)
    labels = layout_of(figure).yaxis.labelalias
    assert len(labels[LONG]) == LONGEST
    assert (labels[LONG][:5], labels[LONG][-2:]) == ("a-ver", "v2")
    assert LONG in cells.text[0][1]
    assert labels["<b>B</b>"] == "&lt;b&gt;B&lt;/b&gt;"
    assert "&lt;b&gt;B&lt;/b&gt;" in cells.text[1][1]
    assert means.hovertext[0] == "&lt;b&gt;B&lt;/b&gt;"


@pytest.mark.reference_data
def test_every_score_of_a_public_matrix_is_in_the_figure_sent() -> None:
    matrix, shape = reference_matrix("mq2007_top26_statap"), (1153, 26)
    figure = scores_chart(matrix, by_means=True)
    sent = figure.drawn.to_plotly_json()["data"][0]
    z = sent["z"]
    values = np.frombuffer(base64.b64decode(z["bdata"]), dtype="<f4").reshape(shape[::-1])
    for topic, run in ((0, 0), (shape[0] // 2, 5), (shape[0] - 1, shape[1] - 1)):
        row, column = matrix.topics.index(sent["x"][topic]), matrix.systems.index(sent["y"][run])
        assert values[run, topic] == np.float32(matrix.scores[row, column])
    assert sorted(values.ravel().tolist()) == sorted(matrix.scores.astype(np.float32).ravel().tolist())
    assert np.all(np.diff(values.mean(axis=0, dtype=float)) >= -1e-6)  # means of single precision


@pytest.mark.reference_data
def test_points_and_bars_are_the_numbers_of_the_analysis() -> None:
    matrix = reference_matrix("trec8_adhoc_ap")
    result, figure = run_means(matrix), scores_chart(matrix, by_means=True)
    points = traces(figure)[1]
    assert np.array_equal(points.x, result.means)
    assert np.array_equal(points.error_x.array, result.upper - result.means)
    assert np.array_equal(points.error_x.arrayminus, result.means - result.lower)
    assert layout_of(figure).yaxis.type == "category"
    assert list(points.y) == list(result.systems)
    assert layout_of(figure).height <= 500  # 129 runs on the first screen


@pytest.mark.reference_data
def test_points_and_bars_are_the_numbers_of_the_rounds() -> None:
    result = rounds([reference_matrix("web2011_ap"), reference_matrix("web2012_ap")], standard_plan())
    own, so_far = traces(variance_by_round(result))
    assert list(own.y) == [each.own.variance for each in result]
    assert list(so_far.y) == [each.so_far.variance for each in result]
    for drawn, values in ((own, [each.own for each in result]), (so_far, [each.so_far for each in result])):
        for place, one in enumerate(values):
            # A sum and a difference of the same numbers: the last bit may differ.
            assert drawn.y[place] + drawn.error_y.array[place] == pytest.approx(one.interval.high, rel=1e-14)
            assert drawn.y[place] - drawn.error_y.arrayminus[place] == pytest.approx(
                one.interval.low, rel=1e-14
            )
