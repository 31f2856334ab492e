"""Power and width against the number of topics, as drawn."""

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.charts.figure_checks import MODES, check, layout_of, named, traces, yours
from tests.words import numbers_in
from topicset_core.analyses.sizing.charts import power_by_topics, width_by_topics
from topicset_core.analyses.sizing.curves import SizeCurve, size_curve
from topicset_core.charts.style import PALETTES, Mode
from topicset_core.designs import confidence_interval, one_way_anova

each_mode = pytest.mark.parametrize("mode", MODES)


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


@each_mode
def test_the_figures_can_be_read(mode: Mode) -> None:
    check(draw_power(mode), mode, x="n", y="minD")
    check(draw_width(mode), mode, x="n", y="AP")


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
