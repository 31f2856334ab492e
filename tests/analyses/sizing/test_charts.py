"""Charts of designs and comparisons: what each draws are the numbers of the answers, and it can be read."""

import math
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.charts.figure_checks import MODES, check, layout_of, named, traces, yours
from tests.words import numbers_in
from topicset_core.analyses.sizing import MethodLine, method_lines
from topicset_core.analyses.sizing.charts import (
    equal_topics_chart,
    methods_by_topics,
    power_by_topics,
    topics_by_design,
    topics_by_difference,
    topics_by_measure,
    width_by_topics,
)
from topicset_core.analyses.sizing.curves import (
    EqualTopics,
    SizeCurve,
    TopicsCurve,
    equal_topics,
    size_curve,
    topics_curves,
)
from topicset_core.charts.style import PALETTES, Mode
from topicset_core.designs import confidence_interval, one_way_anova, paired_t
from topicset_core.parameters import MAX_WIDTH, MIN_D

each_mode = pytest.mark.parametrize("mode", MODES)
SYSTEMS = (2, 10, 30, 100)
TOPICS = {"alpha-nDCG@10": 191, "D-nDCG@10": 79, "<b>I-rec</b>": 1311}
DESIGNS = {"paired": (76, "σₜ²"), "<i>blocks</i>": (42, "σₑ²"), "all pairs": (44, "σₑ²")}


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


@cache
def power_curve() -> SizeCurve:
    """Return the curve of the worked example of Sakai 2016, section 3.2: m 3, minD .5, sigma^2 .25.

    Exactly 21 topics have power .814770 (tests/reference/anova_worked_example.csv).
    """
    return size_curve(one_way_anova.DESIGN.view(alpha=0.05, beta=0.20, n_systems=3), 0.5, 0.25, 21)


@cache
def width_curve() -> SizeCurve:
    return size_curve(confidence_interval.DESIGN.view(alpha=0.05), 0.10, 0.0942, 147)


def draw_power(mode: Mode = "light", curve: SizeCurve | None = None) -> Any:
    return power_by_topics(
        curve or power_curve(), required_topics=21, attained_power=0.814769692771219, target=0.80, mode=mode
    )


def draw_width(mode: Mode = "light") -> Any:
    return width_by_topics(
        width_curve(), required_topics=147, attained_width=0.099888625, target=0.10, measure="AP", mode=mode
    )


def comparison_lines() -> tuple[MethodLine, ...]:
    return method_lines(0.1206, alpha=0.05, beta=0.20)


def draw_methods(mode: Mode = "light") -> Any:
    return methods_by_topics(comparison_lines(), variance=0.1206, measure="nERR", mode=mode)


def draw_interval(mode: Mode = "light") -> Any:
    view = confidence_interval.DESIGN.view(alpha=0.05)
    curves = topics_curves([view], 0.10, 0.0942, view)
    given: dict[str, Any] = {"of": MAX_WIDTH, "difference": 0.10, "measure": "nDCG@10", "mode": mode}
    return topics_by_difference(curves, required_topics=147, **given)


def draw_equal_widths(mode: Mode = "light") -> Any:
    lines = equal_topics(confidence_interval.DESIGN.view(alpha=0.05), 0.0942, 147)
    given: dict[str, Any] = {"of": MAX_WIDTH, "difference": 0.10, "variance": 0.0942, "measure": "P@10"}
    return equal_topics_chart(lines, required_topics=147, symbol="σ²", mode=mode, **given)


def draw_measures(mode: Mode = "light") -> Any:
    return topics_by_measure(TOPICS, method="METHOD", difference="minD = 0.1", mode=mode)


def draw_designs(mode: Mode = "light") -> Any:
    return topics_by_design(DESIGNS, variances={"σₜ²": 0.0942, "σₑ²": 0.01285}, title="AP", mode=mode)


FIGURES: dict[str, tuple[Callable[[Mode], Any], str, str]] = {
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


@each_mode
@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_can_be_read(name: str, mode: Mode) -> None:
    drawing, x, y = FIGURES[name]
    check(drawing(mode), mode, x=x, y=y)


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


def test_an_interval_has_one_curve_without_a_name() -> None:
    assert yours(draw_interval()) == (0.10, 147)  # tests/reference/sizes_interval_and_anova.csv
    notes = {note.text for note in layout_of(draw_interval()).annotations}
    assert notes == {"50 topics", "<b>147</b>"}


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


def test_power_is_in_per_cent_by_both_methods() -> None:
    figure = draw_power()
    exact, published = named(figure, "exact"), named(figure, "published")
    np.testing.assert_array_equal(exact.x, power_curve().n_topics)
    np.testing.assert_array_equal(exact.y, 100 * power_curve().exact)
    by_size = dict(zip(published.x, published.y, strict=True))
    assert by_size[20] == pytest.approx(81.35, abs=0.005)  # as published, .813487
    assert yours(figure) == (21, pytest.approx(81.4769692771219))
    assert dict(zip(exact.x, exact.y, strict=True))[21] == pytest.approx(81.4769692771219)
    assert layout_of(figure).yaxis.range == (0, 104)


def test_the_required_power_and_width_are_drawn_as_lines() -> None:
    (rule,) = layout_of(draw_power()).shapes
    assert rule.y0 == rule.y1 == 80
    assert [80] in [numbers_in(note.text) for note in layout_of(draw_power()).annotations]
    (rule,) = layout_of(draw_width()).shapes
    assert rule.y0 == rule.y1 == 0.10
    assert [0.1] in [numbers_in(note.text) for note in layout_of(draw_width()).annotations]


def test_the_published_line_begins_where_it_has_a_value() -> None:
    """With the minus sign Eq. 18 has no value for 2 and 3 topics here: a gap in it would not be JSON."""
    assert np.isnan(power_curve().published[:2]).any()
    published = named(draw_power(), "published")
    kept = np.isfinite(power_curve().published)
    first = int(np.nanargmin(power_curve().published))
    kept[:first] = False
    np.testing.assert_array_equal(published.x, power_curve().n_topics[kept])
    np.testing.assert_array_equal(published.y, 100 * power_curve().published[kept])


def test_the_published_line_is_not_drawn_where_it_falls() -> None:
    """Eq. 6 gives 2 topics more power than 5; no power does that."""
    n = np.arange(2, 7)
    curve = SizeCurve(n, np.linspace(0.1, 0.9, 5), np.array([0.5, 0.4, 0.3, 0.6, 0.8]))
    published = named(draw_power(curve=curve), "published")
    assert list(published.x) == [4, 5, 6]
    np.testing.assert_allclose(published.y, [30, 60, 80], rtol=1e-15)
    nowhere = SizeCurve(n, curve.exact, np.full(5, np.nan))
    assert [
        line.name for line in traces(draw_power(curve=nowhere)) if line.name in ("published", "exact")
    ] == ["exact"]
    assert len(named(draw_power(curve=nowhere), "exact").x) == 5


def test_widths_are_in_units_of_the_measure() -> None:
    figure = draw_width()
    np.testing.assert_array_equal(named(figure, "exact").y, width_curve().exact)
    np.testing.assert_array_equal(named(figure, "published").y, width_curve().published)
    assert yours(figure) == (147, 0.099888625)
    exact = dict(zip(named(figure, "exact").x, named(figure, "exact").y, strict=True))
    assert exact[147] == pytest.approx(0.099888625, abs=0.5e-9)
    assert layout_of(figure).yaxis.range == (0, 0.40)


@each_mode
def test_lines_and_their_key_have_the_same_colours(mode: Mode) -> None:
    palette = PALETTES[mode]
    for figure in (draw_power(mode), draw_width(mode)):
        (key,) = [note for note in layout_of(figure).annotations if "exact" in note.text]
        assert re.findall(r"color:(#\w+)", key.text) == [palette.accent, palette.quiet]
        assert named(figure, "exact").line.color == palette.accent
        assert named(figure, "published").line.color == palette.quiet
        assert named(figure, "published").line.dash == "dash"


def test_lines_are_the_numbers_of_the_comparison() -> None:
    figure = draw_methods()
    assert [trace.name for trace in traces(figure)] == [line.label for line in comparison_lines()]
    for line in comparison_lines():
        trace = named(figure, line.label)
        np.testing.assert_array_equal(trace.x, line.n_topics)
        np.testing.assert_array_equal(trace.y, line.difference)
        assert (trace.line.dash == "solid") == ("ANOVA" in line.label)
    assert "σ² = 0.1206" in layout_of(figure).title.text
    assert layout_of(figure).xaxis.type == "log"


@each_mode
def test_each_method_has_a_unique_colour_and_name(mode: Mode) -> None:
    figure = draw_methods(mode)
    assert (
        len({trace.line.color for trace in traces(figure)}) == len(traces(figure)) == len(comparison_lines())
    )
    for trace in traces(figure):
        (label,) = [one for one in layout_of(figure).annotations if one.text == trace.name]
        assert label.font.color == trace.line.color


def test_bars_are_the_numbers_without_highlight() -> None:
    figure = draw_measures()
    (bars,) = traces(figure)
    assert list(bars.x) == [1311, 191, 79]
    assert list(bars.text) == ["1,311", "191", "79"]
    assert list(layout_of(figure).yaxis.ticktext) == [
        "&lt;b&gt;I-rec&lt;/b&gt;",
        "alpha-nDCG@10",
        "D-nDCG@10",
    ]
    assert bars.marker.color == PALETTES["light"].accent  # few topics make no measure the best
    assert layout_of(figure).xaxis.range[0] == 0  # bars are lengths


def test_designs_are_bars_of_their_variance_under_their_names() -> None:
    figure = draw_designs()
    assert {trace.name: list(trace.x) for trace in traces(figure)} == {
        "σₜ² = 0.0942": [76],
        "σₑ² = 0.01285": [44, 42],
    }
    names = {note.y: note.text for note in layout_of(figure).annotations}
    assert names == {2: "paired", 1: "&lt;i&gt;blocks&lt;/i&gt;", 0: "all pairs"}  # the first on top
