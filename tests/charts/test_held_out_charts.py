"""Figures of held-out subsets and audits: the numbers drawn are those found, with their intervals."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.analyses.topic_subsets.plain import random_matrix
from tests.charts.figure_checks import MODES
from topicset_core.analyses.error_rate.units import N_BINS
from topicset_core.analyses.topic_subsets.held_out.answers import number
from topicset_core.analyses.topic_subsets.held_out.audit import audit
from topicset_core.analyses.topic_subsets.held_out.audit_result import SubsetAudit
from topicset_core.analyses.topic_subsets.held_out.error_rates import held_out_error_rates
from topicset_core.analyses.topic_subsets.held_out.error_rates_result import THREE_BINS, HeldOutErrorRates
from topicset_core.analyses.topic_subsets.held_out.experiment import held_out_curve
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest, HoldOut
from topicset_core.analyses.topic_subsets.held_out.result import HeldOutCurve
from topicset_core.charts.audit_place import audit_place
from topicset_core.charts.held_out_error_rates import error_rates_of_best_sets, error_rates_of_three_bins
from topicset_core.charts.held_out_goodness import held_out_goodness
from topicset_core.charts.rank_changes import rank_changes
from topicset_core.charts.style import PALETTES, Mode

MATRIX = random_matrix(12, 10, seed=71)
FEW = {"n_splits": 5, "n_starts": 2, "n_trials": 20}


def curve(hold_out: HoldOut = "runs", **more: object) -> HeldOutCurve:
    request = HeldOutRequest(hold_out=hold_out, **({"goodness": "pearson"} | FEW | more))  # type: ignore[arg-type]
    return held_out_curve(MATRIX, request)


def rates() -> HeldOutErrorRates:
    return held_out_error_rates(
        MATRIX,
        HeldOutRequest(hold_out="topics", goodness="error-rate", choose_by="pearson", **FEW),  # type: ignore[arg-type]
    )


def audited() -> SubsetAudit:
    return audit(MATRIX, MATRIX.topics[:4], **FEW)  # type: ignore[arg-type]


def one(figure: go.Figure, name: str) -> go.Scatter:
    (found,) = [trace for trace in figure.data if trace.name == name]
    return found


@pytest.mark.parametrize("mode", MODES)
def test_lines_and_bands_of_held_out_runs_are_those_of_the_curve(mode: Mode) -> None:
    found = curve()
    figure = held_out_goodness(found, target=0.9, cardinality=4, of_what="AP", mode=mode)
    points = found.points
    for name, spreads in {
        "best, chosen on the other half": [point.chosen.best for point in points],
        "worst, chosen on the other half": [point.chosen.worst for point in points],
        "average": [point.chosen.average for point in points],
        "best for these runs themselves": [point.own.best for point in points],
        "worst for these runs themselves": [point.own.worst for point in points],
    }.items():
        line = one(figure, name)
        assert list(line.x) == list(range(1, 13))
        assert list(line.y) == [spread.mean for spread in spreads if spread]
        assert line.line.dash == ("dash" if "themselves" in name else "solid")
    best = [point.chosen.best for point in points]
    band = one(figure, "5th to 95th percentile over splits, best, chosen on the other half")
    assert list(band.y[:12]) == [spread.high for spread in best if spread]
    assert list(band.y[12:]) == [spread.low for spread in best if spread][::-1]
    ring = one(figure, "yours")
    assert best[3] is not None
    assert (list(ring.x), list(ring.y)) == ([4], [best[3].mean])
    assert ring.marker.color == PALETTES[mode].accent
    assert figure.layout.yaxis.title.text == "Correlation r, mean over 5 splits"
    (label,) = [one for one in figure.layout.annotations if "topics: " in one.text]
    assert label.text == f"<b>4 topics: {number(best[3].mean, found.judge_by)}</b>"
    assert (label.x, label.y, label.yref, label.yanchor) == (4, 1, "paper", "bottom")  # above all lines
    assert [one.x0 for one in figure.layout.shapes if one.x0 == one.x1] == [4]
    assert {trace.name for trace in figure.data if trace.showlegend is not False} == {
        line.name for line in figure.data if "chosen" in line.name and "percentile" not in line.name
    } | {"average", "best for these runs themselves", "worst for these runs themselves"}


def test_held_out_topics_have_two_averages_and_end_at_half_the_topics() -> None:
    found = curve("topics", choose_by="kendall")
    figure = held_out_goodness(found, target=0.9, cardinality=50, of_what="AP", mode="light")
    own = one(figure, "average, of these topics")
    assert list(own.x) == list(range(1, 7))
    assert list(own.y) == [point.own.average.mean for point in found.points if point.own.average]
    assert list(one(figure, "average, of the other half").y) != list(own.y)
    assert list(one(figure, "yours").x) == [6]
    assert "on topics that were held out, chosen by Kendall's tau-b" in figure.layout.title.text


@pytest.mark.parametrize(
    ("cardinality", "anchor", "words"),
    [(1, "left", "1 topic: "), (7, "center", "7 topics: "), (12, "right", "12 ")],
)
def test_the_label_of_a_size_stays_within_the_chart(cardinality: int, anchor: str, words: str) -> None:
    figure = held_out_goodness(curve(), target=0.9, cardinality=cardinality, of_what="AP", mode="light")
    (label,) = [one for one in figure.layout.annotations if one.text.startswith(f"<b>{words}")]
    assert label.xanchor == anchor


def test_the_target_is_written_at_its_rule() -> None:
    figure = held_out_goodness(curve(), target=0.9, cardinality=3, of_what="AP", mode="light")
    (label,) = [one for one in figure.layout.annotations if one.y == 0.9]
    assert (label.text, label.xref, label.x, label.xanchor) == (".9", "paper", 1, "left")


def test_what_no_split_has_is_left_out() -> None:
    found = curve()
    first = replace(found.points[0], chosen=replace(found.points[0].chosen, best=None))
    figure = held_out_goodness(
        replace(found, points=(first, *found.points[1:])),
        target=0.9,
        cardinality=1,
        of_what="AP",
        mode="dark",
    )
    assert list(one(figure, "best, chosen on the other half").x) == list(range(2, 13))
    assert "yours" not in {trace.name for trace in figure.data}


@pytest.mark.parametrize("mode", MODES)
def test_three_bins_and_their_average_are_those_found(mode: Mode) -> None:
    found = rates()
    figure = error_rates_of_three_bins(found, of_what="AP", mode=mode)
    for place, name in zip(THREE_BINS, ("0 to 0.01", "0.04 to 0.05", "0.09 to 0.1"), strict=True):
        for side, word in (("best", "best"), ("average", "random"), ("worst", "worst")):
            spreads = [getattr(point.bins[place], side) for point in found.points]
            drawn = one(figure, f"{word} sets, difference {name}")
            assert list(drawn.y) == [100 * spread.mean for spread in spreads if spread is not None]
            assert list(drawn.x) == [
                point.cardinality for point, spread in zip(found.points, spreads, strict=True) if spread
            ]
    average = one(figure, "random sets, average of the bins to 0.2")
    assert list(average.y) == [
        100 * point.average_of_bins.average.mean for point in found.points if point.average_of_bins.average
    ]
    legend = [trace.name for trace in figure.data if trace.showlegend is not False]
    assert legend == [
        "difference 0 to 0.01",
        "difference 0.04 to 0.05",
        "difference 0.09 to 0.1",
        "average of the bins to 0.2",
        "best sets",
        "random sets",
        "worst sets",
    ]
    assert "chosen by Pearson's correlation" in figure.layout.title.text


def test_the_family_has_a_curve_a_bin() -> None:
    found = rates()
    figure = error_rates_of_best_sets(found, of_what="AP", mode="print")
    assert len(figure.data) == N_BINS
    last = one(figure, "difference 0.19 to 0.2")
    spreads = [point.bins[19].best for point in found.points]
    assert list(last.y) == [100 * spread.mean for spread in spreads if spread is not None]


@pytest.mark.parametrize("mode", MODES)
def test_a_strip_a_measure_with_the_set_between_worst_and_best(mode: Mode) -> None:
    found = audited()
    figure = audit_place(found, mode=mode)
    for row, by in enumerate(found.goodness):
        axis = f"x{row + 1}" if row else "x"
        here = {(trace.name, trace.y[0]): trace for trace in figure.data if (trace.xaxis or "x") == axis}
        assert by.best is not None
        assert by.worst is not None
        assert by.held_out is not None
        assert by.held_out_chosen is not None
        assert here["yours", 1].x[0] == by.value
        assert here["best", 1].x[0] == by.best.value
        assert here["worst", 1].x[0] == by.worst.value
        assert here["average", 1].x[0] == by.average
        assert here["chosen on the other half", 0].x[0] == by.held_out_chosen.mean
        halves = here["yours", 0]
        assert halves.x[0] == by.held_out.mean
        assert halves.x[0] + halves.error_x.array[0] == pytest.approx(by.held_out.high)
        assert halves.x[0] - halves.error_x.arrayminus[0] == pytest.approx(by.held_out.low)
        assert halves.marker.color == PALETTES[mode].accent
    assert figure.layout.xaxis3.autorange == "reversed"  # error rates: better is to the right
    legend = [trace.name for trace in figure.data if trace.showlegend]
    assert sorted(legend) == ["average", "best", "chosen on the other half", "worst", "yours"]


def test_a_measure_without_a_value_has_no_strip() -> None:
    found = audited()
    tied = replace(found.goodness[0], value=None)
    figure = audit_place(replace(found, goodness=(tied, *found.goodness[1:])), mode="light")
    assert figure.layout.xaxis.title.text == "Kendall's tau-b"
    none = replace(found, goodness=tuple(replace(by, value=None) for by in found.goodness))
    assert not audit_place(none, mode="light").data


def test_ranks_are_those_of_the_runs_and_the_largest_changes_are_named() -> None:
    ranking = audited().ranking
    figure = rank_changes(ranking, of_what="AP", mode="light")
    drawn = {
        (x, y)
        for name in ("other runs", "largest changes")
        for x, y in zip(one(figure, name).x, one(figure, name).y, strict=True)
    }
    assert drawn == {(run.rank_all, run.rank_subset) for run in ranking.changes}
    named = one(figure, "largest changes")
    assert list(named.text) == [run.system for run in ranking.changes[:5]]
    assert "text" in named.mode
    assert np.abs(np.array(named.x) - np.array(named.y)).min() > 0
    n = len(ranking.changes)
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert tuple(axis.range) == (0.5, n + 0.5)  # no rank 0
        assert axis.dtick == 1
