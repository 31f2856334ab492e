"""Topics against the difference, as drawn."""

import math
from typing import Any

import numpy as np
import pytest

from tests.charts.figure_checks import MODES, check, named, yours
from topicset_core.charts.style import PALETTES, Mode
from topicset_core.charts.topics_by_difference import topics_by_difference
from topicset_core.designs import confidence_interval, one_way_anova
from topicset_core.designs.curves import TopicsCurve, topics_curves

each_mode = pytest.mark.parametrize("mode", MODES)
SYSTEMS = (2, 10, 30, 100)


def anova_curves() -> tuple[TopicsCurve, ...]:
    views = [one_way_anova.DESIGN.view(alpha=0.05, beta=0.20, n_systems=m) for m in SYSTEMS]
    return topics_curves(views, 0.10, 0.0471, views[1])


def draw(mode: Mode = "light", **changes: Any) -> Any:
    given: dict[str, Any] = {
        "kind": "power",
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
def test_yours_is_ringed_on_your_curve_in_your_colour(mode: Mode) -> None:
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


def test_notes_stand_where_they_belong_on_the_log_axis() -> None:
    figure = draw()
    notes = {note.text: note for note in figure.layout.annotations}
    assert notes["<b>149</b>"].x == 0.10
    assert notes["<b>149</b>"].y == pytest.approx(math.log10(149))
    assert notes["50 topics"].y == pytest.approx(math.log10(50))
    for curve in anova_curves():
        label = notes[curve.label]
        assert label.x == curve.difference[-1]
        assert label.y == pytest.approx(math.log10(curve.topics[-1]))
    (rule,) = figure.layout.shapes
    assert rule.y0 == rule.y1 == 50
    assert figure.layout.yaxis.type == "log"


@each_mode
def test_an_interval_has_one_curve_without_a_name(mode: Mode) -> None:
    view = confidence_interval.DESIGN.view(alpha=0.05)
    curves = topics_curves([view], 0.10, 0.0942, view)
    figure = topics_by_difference(
        curves, kind="width", difference=0.10, required_topics=147, measure="nDCG@10", mode=mode
    )
    check(figure, mode, x="δ", y="n")
    assert "nDCG@10" in figure.layout.xaxis.title.text
    assert yours(figure) == (0.10, 147)  # tests/reference/sizes_interval_and_anova.csv
    assert {note.text for note in figure.layout.annotations} == {"50 topics", "<b>147</b>"}


def test_thousands_have_a_comma() -> None:
    assert "<b>12,345</b>" in {note.text for note in draw(required_topics=12_345).layout.annotations}
