"""Topics against the difference, and lines of equal n, as drawn."""

import math
from typing import Any

import numpy as np
import pytest

from tests.charts.figure_checks import MODES, check, layout_of, named, traces, yours
from topicset_core.analyses.sizing.charts import equal_topics_chart, topics_by_difference
from topicset_core.analyses.sizing.curves import EqualTopics, TopicsCurve, equal_topics, topics_curves
from topicset_core.charts.style import PALETTES, Mode
from topicset_core.designs import confidence_interval, one_way_anova, paired_t
from topicset_core.parameters import MAX_WIDTH, MIN_D

each_mode = pytest.mark.parametrize("mode", MODES)
SYSTEMS = (2, 10, 30, 100)


def anova_curves() -> tuple[TopicsCurve, ...]:
    views = [one_way_anova.DESIGN.view(alpha=0.05, beta=0.20, n_systems=m) for m in SYSTEMS]
    return topics_curves(views, 0.10, 0.0471, views[1])


def draw(mode: Mode = "light", **changes: Any) -> Any:
    given: dict[str, Any] = {
        "of": MIN_D,
        "difference": 0.10,
        "required_topics": 149,  # tests/reference/sizes_interval_and_anova.csv
        "measure": "AP",
    }
    return topics_by_difference(anova_curves(), **(given | changes), mode=mode)


@each_mode
def test_the_figure_can_be_read(mode: Mode) -> None:
    check(draw(mode), mode, x="minD", y="n")


def test_curves_are_the_numbers_of_the_design() -> None:
    figure = draw()
    for curve in anova_curves():
        trace = named(figure, curve.label)
        assert trace.mode == "lines"
        np.testing.assert_array_equal(trace.x, curve.difference)
        np.testing.assert_array_equal(trace.y, curve.topics)


@each_mode
def test_the_users_point_is_marked_on_the_users_curve(mode: Mode) -> None:
    figure = draw(mode)
    assert yours(figure) == (0.10, 149)
    mine = named(figure, "m = 10")
    assert float(mine.y[list(mine.x).index(0.10)]) == 149
    assert mine.line.color == PALETTES[mode].accent
    others = [named(figure, f"m = {m}").line.color for m in (2, 30, 100)]
    assert len({*others, mine.line.color}) == 4
    assert [PALETTES[mode].ramp.index(colour) for colour in others] == sorted(
        PALETTES[mode].ramp.index(colour) for colour in others
    )


def test_notes_are_placed_on_the_log_axis() -> None:
    figure = draw()
    notes = {note.text: note for note in layout_of(figure).annotations}
    assert notes["<b>149</b>"].x == 0.10
    assert notes["<b>149</b>"].y == pytest.approx(math.log10(149))
    assert notes["50 topics"].y == pytest.approx(math.log10(50))
    curves = sorted(anova_curves(), key=lambda curve: curve.topics[-1])
    places = [notes[curve.label].y for curve in curves]
    assert places == sorted(places)
    span = math.log10(max(one.topics.max() for one in curves) / min(one.topics.min() for one in curves))
    line = 16 / 330 * span  # of text, in pixels of the plot
    assert min(np.diff(places)) > line
    for curve, place in zip(curves, places, strict=True):
        assert notes[curve.label].x == curve.difference[-1]
        assert place == pytest.approx(math.log10(curve.topics[-1]), abs=2 * line)
    (rule,) = layout_of(figure).shapes
    assert rule.y0 == rule.y1 == 50
    assert layout_of(figure).yaxis.type == "log"


@each_mode
def test_an_interval_has_one_curve_without_a_name(mode: Mode) -> None:
    view = confidence_interval.DESIGN.view(alpha=0.05)
    curves = topics_curves([view], 0.10, 0.0942, view)
    figure = topics_by_difference(
        curves, of=MAX_WIDTH, difference=0.10, required_topics=147, measure="nDCG@10", mode=mode
    )
    check(figure, mode, x="δ", y="n")
    assert "nDCG@10" in layout_of(figure).xaxis.title.text
    assert yours(figure) == (0.10, 147)  # tests/reference/sizes_interval_and_anova.csv
    assert {note.text for note in layout_of(figure).annotations} == {"50 topics", "<b>147</b>"}


def equal_lines() -> tuple[EqualTopics, ...]:
    return equal_topics(paired_t.DESIGN.view(alpha=0.05, beta=0.20), 0.0942, 76)


def draw_equal(mode: Mode = "light") -> Any:
    return equal_topics_chart(
        equal_lines(),
        of=MIN_D,
        difference=0.10,
        variance=0.0942,
        required_topics=76,  # tests/reference/sizes_t_and_anova_of_two.csv
        symbol="σₜ²",
        measure="AP",
        mode=mode,
    )


@each_mode
def test_lines_of_equal_n_can_be_read(mode: Mode) -> None:
    check(draw_equal(mode), mode, x="σₜ²", y="minD")


def test_lines_are_the_numbers_of_the_design_and_named_at_their_ends() -> None:
    figure = draw_equal()
    notes = {note.text: note for note in layout_of(figure).annotations}
    for line in equal_lines():
        trace = named(figure, f"{line.n_topics}")
        np.testing.assert_array_equal(trace.x, line.variance)
        np.testing.assert_array_equal(trace.y, line.difference)
        label = notes[f"{line.n_topics:,} topics"]
        assert (label.x, label.y) == (line.variance[-1], line.difference[-1])
    assert len(traces(figure)) == len(equal_lines()) + 1


def test_the_users_line_lies_between_its_neighbours() -> None:
    figure = draw_equal()
    assert yours(figure) == (0.0942, 0.10)
    assert "<b>76</b>" in {note.text for note in layout_of(figure).annotations}
    # 76 topics: above the line of 100, which detect less than .10, and below that of 75.
    at = {n: float(np.interp(0.0942, named(figure, f"{n}").x, named(figure, f"{n}").y)) for n in (75, 100)}
    assert at[100] < 0.10 < at[75]


@each_mode
def test_a_width_is_labelled_as_width(mode: Mode) -> None:
    figure = equal_topics_chart(
        equal_topics(confidence_interval.DESIGN.view(alpha=0.05), 0.0942, 147),
        of=MAX_WIDTH,
        difference=0.10,
        variance=0.0942,
        required_topics=147,
        symbol="σ²",
        measure="P@10",
        mode=mode,
    )
    check(figure, mode, x="σ²", y="δ")
    for axis in (layout_of(figure).xaxis, layout_of(figure).yaxis):
        assert "P@10" in axis.title.text
