"""Charts of designs and comparisons: what each draws are the numbers of the answers, and it can be read."""

import math
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.charts.figure_checks import check, layout_of, named, traces, yours
from topicset_core.analyses.planning.assurance import pilot_totals
from topicset_core.analyses.planning.charts import (
    design_figures,
    power_by_topics,
    topics_by_difference,
    totals_by_pilot,
)
from topicset_core.analyses.planning.curves import Curves, SizeCurve, curves_around
from topicset_core.analyses.sizing import comparison_charts
from topicset_core.analyses.sizing.cells import Cell
from topicset_core.analyses.sizing.comparison import MethodLine, method_lines
from topicset_core.analyses.sizing.comparison_charts import methods_by_topics, topics_by_measure
from topicset_core.designs import confidence_interval, design_named, non_inferiority, one_way_anova, paired_t
from topicset_core.exports.colours import PALETTES
from topicset_core.exports.figures import Figure

TOPICS = {"alpha-nDCG@10": 191, "D-nDCG@10": 79, "<b>I-rec</b>": 1311}
LEVELS = {"alpha": 0.05, "beta": 0.20}
DESIGNS: dict[str, tuple[Any, dict[str, float], str]] = {
    # 149, 147: tests/reference/sizes_interval_and_anova.csv; 76: tests/reference/sizes_t_and_anova_of_two.csv
    "anova": (
        one_way_anova,
        LEVELS | {"min_d": 0.10, "n_systems": 10, "within_system_variance": 0.0471},
        "AP",
    ),
    "paired": (paired_t, LEVELS | {"min_d": 0.10, "difference_variance": 0.0942}, "AP"),
    "interval": (
        confidence_interval,
        {"alpha": 0.05, "max_width": 0.10, "difference_variance": 0.0942},
        "P@10",
    ),
    # Sakai 2016, section 3.2; powers: tests/reference/anova_worked_example.csv
    "few": (paired_t, LEVELS | {"min_d": 0.20, "difference_variance": 0.0942}, "AP"),
    "example": (one_way_anova, LEVELS | {"min_d": 0.5, "n_systems": 3, "within_system_variance": 0.25}, "AP"),
}


@cache
def answer(name: str) -> tuple[Any, Curves]:
    design, values, _ = DESIGNS[name]
    plan = design.DESIGN.plan(**values)
    exact = plan.required_topics()
    return exact, curves_around(plan, exact.required_topics)


@cache
def drawn(name: str) -> list[Figure]:
    """Return the charts of a design: by difference, by topics, and lines of equal topics."""
    return list(design_figures(*answer(name), DESIGNS[name][2]))


def comparison_lines() -> tuple[MethodLine, ...]:
    return method_lines(0.1206, alpha=0.05, beta=0.20)


def draw_methods() -> Figure:
    return methods_by_topics(comparison_lines(), variance=0.1206, measure="nERR")


def draw_measures() -> Figure:
    return topics_by_measure(TOPICS, method="METHOD", difference="minD = 0.1")


FIGURES: dict[str, tuple[Callable[[], Any], str, str]] = {
    "difference": (lambda: drawn("anova")[0], "minD", "n"),
    "width": (lambda: drawn("interval")[0], "P@10", "n"),
    "equal": (lambda: drawn("paired")[2], "σₜ²", "minD"),
    "equal widths": (lambda: drawn("interval")[2], "P@10", "δ"),
    "power": (lambda: drawn("example")[1], "n", "minD"),
    "widths": (lambda: drawn("interval")[1], "n", "P@10"),
    "methods": (draw_methods, "n", "nERR"),
    "measures": (draw_measures, "n", "measure"),
    "pilot": (
        lambda: totals_by_pilot({"LABEL": pilot_totals(50, certainty=0.8)}, topics=50),
        "pilot",
        "topics",
    ),
}


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_can_be_read(name: str) -> None:
    drawing, x, y = FIGURES[name]
    check(drawing(), x=x, y=y)


def test_traces_are_the_numbers_of_the_answer() -> None:
    by_difference, power, _ = drawn("example")
    _, curves = answer("example")
    expected: list[tuple[Figure, dict[str, tuple[Any, Any]]]] = [
        (by_difference, {one.label: one.drawn() for one in curves.topics}),
        (power, {"exact": (curves.sizes.n_topics, 100 * curves.sizes.exact)}),
        (draw_methods(), {one.label: (one.n_topics, one.difference) for one in comparison_lines()}),
    ]
    _, curves = answer("interval")
    for name in ("exact", "published"):
        expected.append((drawn("interval")[1], {name: (curves.sizes.n_topics, getattr(curves.sizes, name))}))
    equal = {f"{one.n_topics}": (one.variance, one.difference) for one in curves.equal}
    expected.append((drawn("interval")[2], equal))
    for figure, lines in expected:
        for name, (x, y) in lines.items():
            np.testing.assert_array_equal(named(figure, name).x, x)
            np.testing.assert_array_equal(named(figure, name).y, y)


@pytest.mark.parametrize(
    ("name", "place", "point", "target"),
    [
        ("anova", 0, (0.10, 149), 50),
        ("interval", 0, (0.10, 147), 50),
        ("paired", 2, (0.0942, 0.10), None),
        ("example", 1, (21, pytest.approx(81.4769692771219)), 80),
        ("interval", 1, (147, pytest.approx(0.099888625)), 0.10),
    ],
)
def test_the_users_point_and_the_target_are_marked(
    name: str, place: int, point: tuple[Any, Any], target: float | None
) -> None:
    figure = drawn(name)[place]
    assert yours(figure) == point
    assert [rule.y0 for rule in layout_of(figure).shapes if rule.xref == "x domain"] == (
        [target] if target else []
    )


def test_notes_are_placed_on_the_log_axis() -> None:
    notes = {note.text: note for note in layout_of(drawn("anova")[0]).annotations}
    (guide,) = (one for one in layout_of(drawn("anova")[0]).shapes if one.xref == "x")
    assert (guide.x1, guide.y0, guide.y1) == (0.10, 149, 149)
    assert notes["<b>149</b>"].x == pytest.approx(math.log10(guide.x0))
    assert notes["<b>149</b>"].y == pytest.approx(math.log10(149))
    curves = sorted(answer("anova")[1].topics, key=lambda curve: curve.topics[-1])
    texts = [notes[curve.label] for curve in curves]
    places = [one.ay if one.showarrow else one.y for one in texts]
    span = math.log10(max(one.topics.max() for one in curves) / min(one.topics.min() for one in curves))
    line = 16 / 330 * span  # of text, in pixels of the plot
    assert min(np.diff(places)) > line
    for curve, place in zip(curves, places, strict=True):
        assert place == pytest.approx(math.log10(curve.topics[-1]), abs=2 * line)


@pytest.mark.parametrize(("name", "anchors"), [("anova", ("bottom", "top")), ("few", ("top", "bottom"))])
def test_the_size_of_most_topic_sets_is_named_at_its_line_away_from_the_answer(
    name: str, anchors: tuple[str, str]
) -> None:
    figure = drawn(name)[0]
    answered = f"<b>{answer(name)[0].required_topics:,}</b>"
    notes = {note.text: note for note in layout_of(figure).annotations}
    assert (notes[answered].yanchor, notes["50 topics"].yanchor) == anchors
    assert notes["50 topics"].y == pytest.approx(math.log10(50))
    assert (notes["50 topics"].xref, notes["50 topics"].x) == ("paper", 0)


@pytest.mark.parametrize(
    ("slug", "values"),
    [
        ("paired-t", {"min_d": 0.1, "difference_variance": 0.05}),
        ("non-inferiority", {"margin": 0.1, "true_difference": 0.0, "difference_variance": 0.05}),
        ("ci", {"max_width": 0.1, "difference_variance": 0.05}),
        ("mcnemar", {"min_d": 0.3, "difference_variance": 0.4}),
    ],
)
@pytest.mark.parametrize("measure", ["nDCG@10", "the share of right topics"])
def test_the_title_of_the_difference_is_one_line(slug: str, values: dict[str, Any], measure: str) -> None:
    alpha: dict[str, Any] = {"alpha": 0.05} | ({} if "max_width" in values else {"beta": 0.2})
    plan = design_named(slug).plan(**alpha, **values)
    exact = plan.required_topics()
    figure = topics_by_difference(exact, curves_around(plan, exact.required_topics).topics, measure)
    title = layout_of(figure).xaxis.title.text
    assert "<br>" not in title
    assert f"{measure.removeprefix('the ')}, " in title


@pytest.mark.parametrize(("true_difference", "times"), [(0.0, "3.8"), (0.02, "2.8"), (-0.02, "6.9")])
def test_the_title_of_the_curve_is_true_for_margins_too(true_difference: float, times: str) -> None:
    """n is about (margin + d)^-2: for a margin of .1 that is halved ((.1 + d) / (.05 + d))^2: 4, 2.9 and 7.1."""
    values: dict[str, Any] = LEVELS | {
        "margin": 0.1,
        "true_difference": true_difference,
        "difference_variance": 0.0471,
    }
    plan = non_inferiority.DESIGN.plan(**values)
    exact = plan.required_topics()
    first = next(design_figures(exact, curves_around(plan, exact.required_topics), "AP"))
    assert f"takes {times} times the topics" in str(first.drawn.layout.title.text)


def test_the_published_line_begins_where_it_rises_for_good() -> None:
    """With the minus sign Eq. 18 has no value for 2 and 3 topics here: a gap in it would not be JSON."""
    exact, curves = answer("example")
    power = curves.sizes
    assert np.isnan(power.published[:2]).any()
    first = int(np.nanargmin(power.published))
    published = named(drawn("example")[1], "published")
    np.testing.assert_array_equal(published.x, power.n_topics[first:])
    np.testing.assert_array_equal(published.y, 100 * power.published[first:])
    # Eq. 6 gives 2 topics more power than 5; no power does that.
    n = np.arange(2, 7)
    curve = SizeCurve(n, np.linspace(0.1, 0.9, 5), np.array([0.5, 0.4, 0.3, 0.6, 0.8]))
    assert list(named(power_by_topics(exact, curve), "published").x) == [4, 5, 6]
    nowhere = SizeCurve(n, curve.exact, np.full(5, np.nan))
    assert "published" not in {line.name for line in traces(power_by_topics(exact, nowhere))}


def test_names_of_methods_have_the_colours_of_their_lines() -> None:
    """Also where two lines end at one place."""
    figure = draw_methods()
    colours = {note.text: note.font.color for note in layout_of(figure).annotations}
    assert colours == {trace.name: trace.line.color for trace in traces(figure)}


def test_bars_are_the_numbers_without_highlight() -> None:
    figure = draw_measures()
    (bars,) = traces(figure)
    assert list(bars.x) == [1311, 191, 79]
    assert layout_of(figure).yaxis.ticktext[0] == "&lt;b&gt;I-rec&lt;/b&gt;"
    assert bars.marker.color == PALETTES["print"].accent  # few topics make no measure the best
    assert layout_of(figure).xaxis.range[0] == 0  # bars are lengths


def test_designs_are_bars_of_their_variance_under_their_names() -> None:
    planned = {"paired": (76, "difference"), "<i>blocks</i>": (42, "residual"), "all pairs": (44, "residual")}
    tables = [
        SimpleNamespace(
            slug=name,
            is_width=False,
            n_systems=None,
            variance=f"{of}_variance",
            levels=(0.05, 0.2),
            design_label=name,
            planned={"AP": Cell(0.1, n)},
            group_sizes={},
        )
        for name, (n, of) in planned.items()
    ]
    given: Any = tables
    (figure,) = comparison_charts.designs_figures(given, {"σₜ²": 0.0942, "σₑ²": 0.01285}, "AP")
    check(figure, x="n", y="design")
    assert (
        layout_of(figure).title.text == "Required topics by design (AP, minD = 0.1)"
    )  # not the headline again
    assert layout_of(figure).yaxis.ticks == ""  # names are above their bars
    assert {trace.name: list(trace.x) for trace in traces(figure)} == {
        "variance of differences σₜ² = 0.0942": [76],
        "residual variance σₑ² = 0.01285": [44, 42],
    }
    names = {note.y: note.text for note in layout_of(figure).annotations}
    # The first on top.
    assert names == {2: "paired: 76", 1: "&lt;i&gt;blocks&lt;/i&gt;: 42", 0: "all pairs: 44"}
