"""Figures of topic subsets: the numbers drawn are those of the result; missing values are gaps."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_subsets.plain import constant_rows, random_matrix
from tests.charts.figure_checks import layout_of, traces
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets.answer import TopicTable, topic_table
from topicset_core.analyses.topic_subsets.charts import (
    MARKS,
    MOST_MARKS,
    goodness_by_cardinality,
    ten_sets,
    topic_hardness,
    topics_by_use,
)
from topicset_core.analyses.topic_subsets.curve import SubsetCurve, subset_curve
from topicset_core.analyses.topic_subsets.goodness import measure_of
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.colours import PALETTES

MATRIX = random_matrix(12, 8, seed=51)


@cache
def result(goodness: str = "pearson", matrix: ScoreMatrix = MATRIX) -> tuple[SubsetCurve, TopicTable]:
    request = Request(goodness=goodness, cardinalities=tuple(range(1, matrix.n_topics + 1)))  # type: ignore[arg-type]
    curve = subset_curve(matrix, request)
    return curve, topic_table(matrix, curve, 4)


def rings(figure: Any) -> list[Any]:
    """Return what marks where the lines cross the target."""
    return [trace for trace in traces(figure) if trace.marker.symbol == "circle-open"]


def bounds(figure: Any) -> list[Any]:
    """Return the bars from unproven sets to the bound of all subsets."""
    return [trace for trace in traces(figure) if trace.error_y.array is not None]


def test_lines_bands_and_crossings_are_those_of_the_curve() -> None:
    curve, _ = result()
    figure = goodness_by_cardinality(curve, target=0.9, of_what="AP", alt="ALT")
    (best,), (mean,), (worst,) = (traces(figure, name) for name in ("best", "average", "worst"))
    assert list(best.x) == list(range(1, 13))
    assert list(best.y) == [point.best.value for point in curve.points if point.best]
    assert list(mean.y) == [point.mean for point in curve.points]
    assert list(worst.y) == [point.worst.value for point in curve.points if point.worst]
    wide, narrow = (trace for trace in traces(figure) if trace.fill == "toself")
    for band, percentiles in ((wide, [5, 95]), (narrow, [25, 75])):
        assert numbers_in(band.name) == percentiles
        assert list(band.y[:12]) == [point.percentiles[percentiles[1]] for point in curve.points]
    (ring,) = rings(figure)
    crossings = curve.crossings(0.9)
    assert list(ring.x) == [crossings.best, crossings.mean, crossings.worst]
    assert layout_of(figure).xaxis.title.text
    assert curve.measure.short in layout_of(figure).yaxis.title.text


def test_a_proof_has_a_diamond_and_a_gap_a_bar_to_its_bound(golden: SnapshotAssertion) -> None:
    curve, _ = result()
    first, second, third, *rest = curve.points
    assert first.best is not None
    assert second.worst is not None
    assert third.best is not None
    proved = replace(first, ten_best=(replace(first.best, status="proved"),))
    gap = replace(second, ten_worst=(replace(second.worst, status="gap", bound=second.worst.value - 0.25),))
    found = replace(third, ten_best=(replace(third.best, status="heuristic"),))
    figure = goodness_by_cardinality(
        replace(curve, points=(proved, gap, found, *rest)), target=0.9, of_what="AP", alt="ALT"
    )
    (best,), (worst,), (bars,) = traces(figure, "best"), traces(figure, "worst"), bounds(figure)
    palette = PALETTES["print"]
    assert (best.marker.symbol[0], best.marker.color[0]) == ("diamond", palette.series[0])
    assert (best.marker.symbol[2], best.marker.color[2]) == ("circle", palette.page)  # not certain: hollow
    assert (worst.marker.symbol[1], worst.marker.color[1]) == ("diamond", palette.page)
    assert numbers_in(worst.text[1]) == [round(second.worst.value - 0.25, 5)]
    assert (list(bars.x), list(bars.y)) == ([2], [second.worst.value])
    assert list(bars.error_y.arrayminus) == pytest.approx([0.25])
    assert list(bars.error_y.array) == [0]
    assert layout_of(figure).yaxis.range[0] < second.worst.value - 0.25
    legend = [trace.name for trace in traces(figure) if trace.showlegend]
    assert legend == [MARKS[status][2] for status in ("exhaustive", "proved", "gap", "heuristic")]
    assert legend == golden


def test_marks_of_many_sizes_do_not_touch() -> None:
    sizes = tuple(range(1, 131))
    request = Request(goodness="pearson", cardinalities=sizes, method="local", n_trials=20, effort=0.0)
    curve = subset_curve(random_matrix(130, 5, seed=53), request)
    figure = goodness_by_cardinality(curve, target=0.9, of_what="AP", alt="ALT")
    (worst,) = traces(figure, "worst")
    assert len(worst.x) == 130
    assert worst.marker.maxdisplayed == MOST_MARKS


def test_the_name_of_a_line_that_begins_on_the_axis_has_room() -> None:
    curve, _ = result()
    figure = goodness_by_cardinality(curve, target=0.9, of_what="AP", alt="ALT")
    low, high = layout_of(figure).yaxis.range
    lowest = min(point.worst.value for point in curve.points if point.worst)
    # A line of text is 13 pixels high and ends 14 below its point; the chart is 480 with 130 of frame.
    assert (lowest - low) / (high - low) > 0.06


def test_a_partial_curve_is_open_where_it_is_not_done_and_shows_no_crossing() -> None:
    curve, _ = result()
    part = replace(curve, points=(*curve.points[:3], *curve.points[6:9]))
    figure = goodness_by_cardinality(part, target=0.5, of_what="AP", alt="ALT")
    assert [list(trace.x) for trace in traces(figure, "best")] == [[1, 2, 3], [7, 8, 9]]
    assert not rings(figure)
    empty = replace(curve, points=())
    assert not traces(goodness_by_cardinality(empty, target=0.5, of_what="AP", alt="ALT"), "best")


def test_undefined_correlations_leave_a_gap() -> None:
    curve, _ = result()
    first = replace(curve.points[0], ten_best=(), ten_worst=(), mean=None, percentiles={})
    figure = goodness_by_cardinality(
        replace(curve, points=(first, *curve.points[1:])), target=0.9, of_what="AP", alt="ALT"
    )
    (best,) = traces(figure, "best")
    assert np.isnan(best.y[0])
    assert not np.isnan(best.y[1])


def test_ten_best_are_drawn_above_ten_worst() -> None:
    curve, table = result()
    (cells,) = traces(ten_sets(curve, table))
    point = curve.at(4)
    assert point is not None
    assert list(cells.x) == topics_by_use(table)
    assert sorted(cells.x) == sorted(MATRIX.topics)
    assert list(cells.y)[:2] == ["best 1", "best 2"]
    assert list(cells.y)[-1] == "worst 1"
    rows = np.asarray(cells.z)
    order = list(cells.x)
    assert rows.shape == (20, 12)
    assert {order[place] for place in np.flatnonzero(rows[0])} == set(point.ten_best[0].topics)
    assert set(np.unique(rows[0])) == {0, 1}
    assert {order[place] for place in np.flatnonzero(rows[-1])} == set(point.ten_worst[0].topics)
    assert set(np.unique(rows[-1])) == {0, 2}


def test_hardness_draws_every_topic_with_a_goodness_once() -> None:
    matrix = constant_rows(MATRIX, 1)
    curve, table = result("pearson", matrix)
    figure = topic_hardness(table, measure=curve.measure, scores="AP")
    drawn = {
        (name, x, y)
        for trace in traces(figure)
        for name, x, y in zip(trace.text, trace.x, trace.y, strict=True)
    }
    assert drawn == {
        (row["topic"], row["mean_score"], row["alone"]) for row in table.rows if row["alone"] is not None
    }
    assert len(drawn) == 11
    assert "AP" in layout_of(figure).xaxis.title.text
    excluded = [row["topic"] for row in table.rows if row["advice"] == "exclude"]
    assert list(traces(figure, "to exclude")[0].text) == excluded


def test_names_are_shown_unchanged() -> None:
    topics = tuple(f"<b>{place}</b>" for place in range(12))
    matrix = ScoreMatrix(
        scores=MATRIX.scores, topics=topics, systems=MATRIX.systems, measure="<i>x</i>", name="x"
    )
    curve, table = result("pearson", matrix)
    (cells,) = traces(ten_sets(curve, table))
    assert "&lt;b&gt;" in cells.text[0][0]
    figure = topic_hardness(table, measure=measure_of("pearson"), scores="<i>x</i>")
    assert "&lt;i&gt;x" in layout_of(figure).xaxis.title.text


def test_thousands_of_topics_are_cut_on_charts() -> None:
    """First and last topics of the maps, evenly chosen points; both charts report this."""
    rng = np.random.default_rng(3)
    scores = np.clip(rng.normal(0.4, 0.1, (1200, 4)) + np.array([0.0, 0.02, 0.04, 0.06]), 0, 1)
    matrix = ScoreMatrix(
        scores=scores,
        topics=tuple(f"t{n}" for n in range(1200)),
        systems=tuple("abcd"),
        measure="AP",
        name="m",
    )
    request = Request(goodness="pearson", cardinalities=(5,), n_trials=10, effort=0.05)
    curve = subset_curve(matrix, request)
    table = topic_table(matrix, curve, 5)
    drawn: Any = traces(ten_sets(curve, table))[0]
    order = topics_by_use(table)
    assert list(drawn.x) == order[:300] + order[-300:]
    (point,) = curve.points
    for one in (point.best, point.worst):
        assert one is not None
        assert set(one.topics) <= set(drawn.x)
    hardness = topic_hardness(table, measure=measure_of("pearson"), scores="AP")
    others: Any = traces(hardness)[0]
    assert len(others.x) == 1000
    assert "1,000 of 1," in others.name
