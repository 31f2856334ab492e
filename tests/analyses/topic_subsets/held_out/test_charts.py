"""Figures of held-out subsets and audits: the numbers drawn are those found, with their intervals."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_subsets.plain import random_matrix
from tests.charts.figure_checks import layout_of, named, traces
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets.goodness import number
from topicset_core.analyses.topic_subsets.held_out.audit import SubsetAudit, audit_subset
from topicset_core.analyses.topic_subsets.held_out.audit_report import audit_place, rank_changes
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, held_out_curve
from topicset_core.analyses.topic_subsets.held_out.report import held_out_goodness
from topicset_core.analyses.topic_subsets.request import AuditRequest, HeldOutRequest, HoldOut
from topicset_core.exports.colours import PALETTES
from topicset_core.exports.figures import Figure

MATRIX = random_matrix(12, 10, seed=71)
FEW = {"n_splits": 5, "n_starts": 2, "n_trials": 20}
ON_ALL = ("yours", "best", "worst", "average")
"""Marks over all runs; on halves of the runs there is another, of a set chosen on the other half."""


@cache
def curve(hold_out: HoldOut = "runs", **more: object) -> HeldOutCurve:
    request = HeldOutRequest(hold_out=hold_out, **({"goodness": "pearson"} | FEW | more))  # type: ignore[arg-type]
    return held_out_curve(MATRIX, request)


@cache
def audited() -> SubsetAudit:
    return audit_subset(MATRIX, AuditRequest(topics=MATRIX.topics[:4], **FEW))  # type: ignore[arg-type]


def drawn(figure: Figure, colour: str, dash: str) -> Any:
    """Return the line that is drawn so; the legend shows another, without points."""
    (result,) = [
        trace
        for trace in traces(figure)
        if trace.mode == "lines+markers" and (trace.line.color, trace.line.dash) == (colour, dash)
    ]
    return result


def test_lines_and_bands_of_held_out_runs_are_those_of_the_curve() -> None:
    result = curve(cardinality=4)
    figure = held_out_goodness(result)
    points = result.points
    first, second = PALETTES["print"].series[:2]
    lines = []
    for colour, dash, spreads in (
        (first, "solid", [point.chosen.best for point in points]),
        (second, "solid", [point.chosen.worst for point in points]),
        (PALETTES["print"].text, "solid", [point.chosen.average for point in points]),
        (first, "dash", [point.own.best for point in points]),
        (second, "dash", [point.own.worst for point in points]),
    ):
        line = drawn(figure, colour, dash)
        assert list(line.x) == list(range(1, 13))
        assert list(line.y) == [spread.mean for spread in spreads if spread]
        lines.append(line.name)
        # Percentiles, their share of 90 %, the standard error; the best one's also reversed pairs in per cent.
        shares = [one.reversed_pairs.mean for one in points if one.reversed_pairs]
        if line.name == lines[0]:
            assert [numbers_in(text)[-1] for text in line.text] == [round(100 * one, 1) for one in shares]
        else:
            assert not any("reversed" in text for text in line.text)
    best = [point.chosen.best for point in points]
    (band,) = [trace for trace in traces(figure) if trace.fill == "toself" and trace.fillcolor == first]
    assert list(band.y[:12]) == [spread.high for spread in best if spread]
    assert list(band.y[12:]) == [spread.low for spread in best if spread][::-1]
    ring = named(figure, "yours")
    assert best[3] is not None
    assert (list(ring.x), list(ring.y)) == ([4], [best[3].mean])
    assert numbers_in(layout_of(figure).yaxis.title.text) == [5, 95, 5]  # percentiles, splits
    (label,) = [one for one in layout_of(figure).annotations if one.yref == "paper"]
    assert numbers_in(label.text)[0] == 4
    assert number(best[3].mean, result.evaluated_by) in label.text


def test_held_out_topics_have_two_averages_and_end_at_half_the_topics(golden: SnapshotAssertion) -> None:
    result = curve("topics", choose_by="kendall", cardinality=6)
    figure = held_out_goodness(result)
    average = PALETTES["print"].text
    own = drawn(figure, average, "dash")
    assert list(own.x) == list(range(1, 7))
    assert list(own.y) == [point.own.average.mean for point in result.points if point.own.average]
    other = [point.chosen.average.mean for point in result.points if point.chosen.average]
    assert list(drawn(figure, average, "solid").y) == other != list(own.y)
    assert list(named(figure, "yours").x) == [6]
    assert layout_of(figure).title.text == golden


@pytest.mark.parametrize(("cardinality", "anchor"), [(1, "left"), (7, "center"), (11, "right")])
def test_the_label_of_a_size_stays_within_the_chart(cardinality: int, anchor: str) -> None:
    figure = held_out_goodness(curve(cardinality=cardinality))
    (label,) = [one for one in layout_of(figure).annotations if one.yref == "paper"]
    assert numbers_in(label.text)[0] == cardinality
    assert label.xanchor == anchor


def test_sizes_without_a_split_are_left_out() -> None:
    result = curve(cardinality=1)
    first = replace(result.points[0], chosen=replace(result.points[0].chosen, best=None))
    figure = held_out_goodness(
        replace(result, points=(first, *result.points[1:])),
    )
    assert list(drawn(figure, PALETTES["print"].series[0], "solid").x) == list(range(2, 13))
    assert "yours" not in {trace.name for trace in traces(figure)}


def test_one_strip_per_measure_with_the_set_between_worst_and_best() -> None:
    result = audited()
    figure = audit_place(result)
    for row, by in enumerate(result.goodness):
        axis = f"x{row + 1}" if row else "x"
        here = {(trace.name, trace.y[0]): trace for trace in traces(figure) if (trace.xaxis or "x") == axis}
        assert by.best is not None
        assert by.worst is not None
        assert by.held_out is not None
        assert by.held_out_chosen is not None
        assert here["yours", 1].x[0] == by.value
        assert here["best", 1].x[0] == by.best.value
        assert here["worst", 1].x[0] == by.worst.value
        assert here["average", 1].x[0] == by.average
        (chosen,) = [trace for (name, y), trace in here.items() if y == 0 and name not in ON_ALL]
        assert chosen.x[0] == by.held_out_chosen.mean
        halves = here["yours", 0]
        assert halves.x[0] == by.held_out.mean
        assert halves.x[0] + halves.error_x.array[0] == pytest.approx(by.held_out.high)
        assert halves.x[0] - halves.error_x.arrayminus[0] == pytest.approx(by.held_out.low)
    assert layout_of(figure).xaxis3.autorange == "reversed"  # error rates: better is to the right
    legend = [trace.name for trace in traces(figure) if trace.showlegend]
    assert len(legend) == 5
    assert {*legend} == {*ON_ALL, chosen.name}


def test_a_measure_without_a_value_has_no_strip() -> None:
    result = audited()
    tied = replace(result.goodness[0], value=None)
    figure = audit_place(replace(result, goodness=(tied, *result.goodness[1:])))
    assert layout_of(figure).xaxis.title.text == result.goodness[1].measure.label
    none = replace(result, goodness=tuple(replace(by, value=None) for by in result.goodness))
    assert not traces(audit_place(none))


def test_ranks_are_those_of_the_runs_and_the_largest_changes_are_named() -> None:
    ranking = audited().ranking
    figure = rank_changes(audited())
    (largest,) = [trace for trace in traces(figure) if "text" in trace.mode]
    (others,) = [trace for trace in traces(figure) if trace.mode == "markers"]
    places = {xy for trace in (largest, others) for xy in zip(trace.x, trace.y, strict=True)}
    assert places == {(run["rank_all"], run["rank_subset"]) for run in ranking.changes}
    assert list(largest.text) == [run["run"] for run in ranking.changes[:5]]
    assert np.abs(np.array(largest.x) - np.array(largest.y)).min() > 0
    n = len(ranking.changes)
    for axis in (layout_of(figure).xaxis, layout_of(figure).yaxis):
        assert tuple(axis.range) == (0.5, n + 0.5)  # no rank 0
        assert axis.dtick == 1
