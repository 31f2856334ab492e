"""Charts of designs and comparisons: what each draws are the numbers of the answers, and it can be read."""

import math
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.charts.figure_checks import check, layout_of, named, traces, yours
from topicset_core.analyses.sizing import MethodLine, method_lines
from topicset_core.analyses.sizing.charts import (
    equal_topics_chart,
    methods_by_topics,
    power_by_topics,
    topics_by_design,
    topics_by_difference,
    topics_by_measure,
    value_by_topics,
)
from topicset_core.analyses.sizing.curves import (
    EqualTopics,
    SizeCurve,
    TopicsCurve,
    equal_topics,
    size_curve,
    topics_curves,
)
from topicset_core.designs import confidence_interval, one_way_anova, paired_t
from topicset_core.exports.colours import PALETTES
from topicset_core.parameters import MAX_WIDTH, MIN_D

SYSTEMS = (2, 10, 30, 100)
TOPICS = {"alpha-nDCG@10": 191, "D-nDCG@10": 79, "<b>I-rec</b>": 1311}
INTERVAL = confidence_interval.DESIGN.plan(alpha=0.05, max_width=0.10, difference_variance=0.0942)
DESIGNS = {"paired": (76, "σₜ²"), "<i>blocks</i>": (42, "σₑ²"), "all pairs": (44, "σₑ²")}


def anova_curves() -> tuple[TopicsCurve, ...]:
    given: dict[str, Any] = {"alpha": 0.05, "beta": 0.20, "min_d": 0.10, "within_system_variance": 0.0471}
    plans = [one_way_anova.DESIGN.plan(**given, n_systems=m) for m in SYSTEMS]
    return topics_curves(plans, plans[1])


def draw() -> Any:
    # 149 topics: tests/reference/sizes_interval_and_anova.csv
    return topics_by_difference(anova_curves(), of=MIN_D, difference=0.10, required_topics=149, measure="AP")


def equal_lines() -> tuple[EqualTopics, ...]:
    return equal_topics(paired_t.DESIGN.plan(alpha=0.05, beta=0.20, difference_variance=0.0942), 76)


def draw_equal() -> Any:
    return equal_topics_chart(
        equal_lines(),
        of=MIN_D,
        difference=0.10,
        variance=0.0942,
        required_topics=76,  # tests/reference/sizes_t_and_anova_of_two.csv
        symbol="σₜ²",
        measure="AP",
    )


THREE = one_way_anova.DESIGN.plan(alpha=0.05, beta=0.20, n_systems=3, min_d=0.5, within_system_variance=0.25)
"""Sakai 2016, section 3.2; powers: tests/reference/anova_worked_example.csv."""


@cache
def power_curve() -> SizeCurve:
    return size_curve(THREE, 21)


@cache
def width_curve() -> SizeCurve:
    return size_curve(INTERVAL, 147)


def draw_power(curve: SizeCurve | None = None) -> Any:
    return power_by_topics(curve or power_curve(), THREE.required_topics())


def draw_width() -> Any:
    return value_by_topics(width_curve(), INTERVAL.required_topics(), measure="AP")


def comparison_lines() -> tuple[MethodLine, ...]:
    return method_lines(0.1206, alpha=0.05, beta=0.20)


def draw_methods() -> Any:
    return methods_by_topics(comparison_lines(), variance=0.1206, measure="nERR")


def draw_interval() -> Any:
    curves = topics_curves([INTERVAL], INTERVAL)
    given: dict[str, Any] = {"of": MAX_WIDTH, "difference": 0.10, "measure": "nDCG@10"}
    return topics_by_difference(curves, required_topics=147, **given)


def draw_equal_widths() -> Any:
    lines = equal_topics(INTERVAL, 147)
    given: dict[str, Any] = {"of": MAX_WIDTH, "difference": 0.10, "variance": 0.0942, "measure": "P@10"}
    return equal_topics_chart(lines, required_topics=147, symbol="σ²", **given)


def draw_measures() -> Any:
    return topics_by_measure(TOPICS, method="METHOD", difference="minD = 0.1")


def draw_designs() -> Any:
    return topics_by_design(DESIGNS, variances={"σₜ²": 0.0942, "σₑ²": 0.01285}, title="AP")


FIGURES: dict[str, tuple[Callable[[], Any], str, str]] = {
    "difference": (draw, "minD", "n"),
    "width": (draw_interval, "nDCG@10", "n"),
    "equal": (draw_equal, "σₜ²", "minD"),
    "equal widths": (draw_equal_widths, "P@10", "δ"),
    "power": (draw_power, "n", "minD"),
    "widths": (draw_width, "n", "AP"),
    "methods": (draw_methods, "n", "nERR"),
    "measures": (draw_measures, "n", "measure"),
    "designs": (draw_designs, "n", "design"),
}


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_can_be_read(name: str) -> None:
    drawing, x, y = FIGURES[name]
    check(drawing(), x=x, y=y)


def lines_of(curves: Iterable[TopicsCurve]) -> dict[str, tuple[Any, Any]]:
    return {curve.label: (curve.difference, curve.topics) for curve in curves}


@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        (draw, lambda: lines_of(anova_curves())),
        (draw_equal, lambda: {f"{one.n_topics}": (one.variance, one.difference) for one in equal_lines()}),
        (draw_power, lambda: {"exact": (power_curve().n_topics, 100 * power_curve().exact)}),
        (draw_width, lambda: {"exact": (width_curve().n_topics, width_curve().exact)}),
        (draw_width, lambda: {"published": (width_curve().n_topics, width_curve().published)}),
        (draw_methods, lambda: {one.label: (one.n_topics, one.difference) for one in comparison_lines()}),
    ],
)
def test_traces_are_the_numbers_of_the_answer(
    drawing: Callable[[], Any], expected: Callable[[], dict[str, tuple[Any, Any]]]
) -> None:
    figure = drawing()
    for name, (x, y) in expected().items():
        np.testing.assert_array_equal(named(figure, name).x, x)
        np.testing.assert_array_equal(named(figure, name).y, y)


@pytest.mark.parametrize(
    ("drawing", "point", "target"),
    [
        (draw, (0.10, 149), 50),
        (draw_interval, (0.10, 147), 50),  # tests/reference/sizes_interval_and_anova.csv
        (draw_equal, (0.0942, 0.10), None),
        (draw_power, (21, pytest.approx(81.4769692771219)), 80),
        (draw_width, (147, pytest.approx(0.099888625)), 0.10),
    ],
)
def test_the_users_point_and_the_target_are_marked(
    drawing: Callable[[], Any], point: tuple[Any, Any], target: float | None
) -> None:
    figure = drawing()
    assert yours(figure) == point
    assert [rule.y0 for rule in layout_of(figure).shapes if rule.y0 == rule.y1] == (
        [target] if target else []
    )


def test_notes_are_placed_on_the_log_axis() -> None:
    notes = {note.text: note for note in layout_of(draw()).annotations}
    assert notes["<b>149</b>"].x == 0.10
    assert notes["<b>149</b>"].y == pytest.approx(math.log10(149))
    curves = sorted(anova_curves(), key=lambda curve: curve.topics[-1])
    places = [notes[curve.label].y for curve in curves]
    span = math.log10(max(one.topics.max() for one in curves) / min(one.topics.min() for one in curves))
    line = 16 / 330 * span  # of text, in pixels of the plot
    assert min(np.diff(places)) > line
    for curve, place in zip(curves, places, strict=True):
        assert place == pytest.approx(math.log10(curve.topics[-1]), abs=2 * line)


def test_the_published_line_begins_where_it_rises_for_good() -> None:
    """With the minus sign Eq. 18 has no value for 2 and 3 topics here: a gap in it would not be JSON."""
    assert np.isnan(power_curve().published[:2]).any()
    first = int(np.nanargmin(power_curve().published))
    published = named(draw_power(), "published")
    np.testing.assert_array_equal(published.x, power_curve().n_topics[first:])
    np.testing.assert_array_equal(published.y, 100 * power_curve().published[first:])
    # Eq. 6 gives 2 topics more power than 5; no power does that.
    n = np.arange(2, 7)
    curve = SizeCurve(n, np.linspace(0.1, 0.9, 5), np.array([0.5, 0.4, 0.3, 0.6, 0.8]))
    assert list(named(draw_power(curve=curve), "published").x) == [4, 5, 6]
    nowhere = SizeCurve(n, curve.exact, np.full(5, np.nan))
    assert "published" not in {line.name for line in traces(draw_power(curve=nowhere))}


def test_bars_are_the_numbers_without_highlight() -> None:
    figure = draw_measures()
    (bars,) = traces(figure)
    assert list(bars.x) == [1311, 191, 79]
    assert layout_of(figure).yaxis.ticktext[0] == "&lt;b&gt;I-rec&lt;/b&gt;"
    assert bars.marker.color == PALETTES["print"].accent  # few topics make no measure the best
    assert layout_of(figure).xaxis.range[0] == 0  # bars are lengths


def test_designs_are_bars_of_their_variance_under_their_names() -> None:
    figure = draw_designs()
    assert {trace.name: list(trace.x) for trace in traces(figure)} == {
        "σₜ² = 0.0942": [76],
        "σₑ² = 0.01285": [44, 42],
    }
    names = {note.y: note.text for note in layout_of(figure).annotations}
    assert names == {2: "paired", 1: "&lt;i&gt;blocks&lt;/i&gt;", 0: "all pairs"}  # the first on top
