"""Power and width against the number of topics, as drawn."""

from typing import Any

import numpy as np
import pytest

from tests.charts.figure_checks import MODES, check, named, yours
from topicset_core.charts.style import PALETTES, Mode
from topicset_core.charts.value_by_topics import power_by_topics, width_by_topics
from topicset_core.designs.curves import SizeCurve, size_curve
from topicset_core.designs.trade_off import of_confidence_interval, of_one_way_anova

each_mode = pytest.mark.parametrize("mode", MODES)

# The worked example of Sakai 2016, section 3.2: m 3, minD .5, sigma^2 .25; exactly 21 topics with
# power .814770 (tests/reference/anova_worked_example.csv).
POWER = size_curve(of_one_way_anova(0.05, 0.20, 3), 0.5, 0.25, 21)
WIDTH = size_curve(of_confidence_interval(0.05), 0.10, 0.0942, 147)


def draw_power(mode: Mode = "light", curve: SizeCurve = POWER) -> Any:
    return power_by_topics(
        curve, required_topics=21, attained_power=0.814769692771219, target=0.80, mode=mode
    )


def draw_width(mode: Mode = "light") -> Any:
    return width_by_topics(
        WIDTH, required_topics=147, attained_width=0.099888625, target=0.10, measure="AP", mode=mode
    )


@each_mode
def test_the_figures_can_be_read(mode: Mode) -> None:
    check(
        draw_power(mode),
        mode,
        x_title="topics n per system",
        y_title="power, chance of detecting minD (%)",
    )
    check(draw_width(mode), mode, x_title="topics n per system", y_title="expected width, 2 MOE (AP)")


def test_power_is_in_per_cent_by_both_methods() -> None:
    figure = draw_power()
    exact, published = named(figure, "exact"), named(figure, "published")
    np.testing.assert_array_equal(exact.x, POWER.n_topics)
    np.testing.assert_array_equal(exact.y, 100 * POWER.exact)
    by_size = dict(zip(published.x, published.y, strict=True))
    assert by_size[20] == pytest.approx(81.35, abs=0.005)  # as published, .813487
    assert yours(figure) == (21, pytest.approx(81.4769692771219))
    assert dict(zip(exact.x, exact.y, strict=True))[21] == pytest.approx(81.4769692771219)
    assert figure.layout.yaxis.range == (0, 104)


def test_the_wanted_power_and_width_are_rules() -> None:
    (rule,) = draw_power().layout.shapes
    assert rule.y0 == rule.y1 == 80
    assert "wanted: 80 %" in {note.text for note in draw_power().layout.annotations}
    (rule,) = draw_width().layout.shapes
    assert rule.y0 == rule.y1 == 0.10
    assert "widest allowed: 0.1" in {note.text for note in draw_width().layout.annotations}


def test_the_published_line_begins_where_it_has_a_value() -> None:
    """With the minus sign Eq. 18 has no value for 2 and 3 topics here: a gap in it would not be JSON."""
    assert np.isnan(POWER.published[:2]).any()
    published = named(draw_power(), "published")
    kept = np.isfinite(POWER.published)
    first = int(np.nanargmin(POWER.published))
    kept[:first] = False
    np.testing.assert_array_equal(published.x, POWER.n_topics[kept])
    np.testing.assert_array_equal(published.y, 100 * POWER.published[kept])


def test_the_published_line_is_not_drawn_where_it_falls() -> None:
    """Eq. 6 gives 2 topics more power than 5; no power does that."""
    n = np.arange(2, 7)
    curve = SizeCurve(n, np.linspace(0.1, 0.9, 5), np.array([0.5, 0.4, 0.3, 0.6, 0.8]))
    published = named(draw_power(curve=curve), "published")
    assert list(published.x) == [4, 5, 6]
    np.testing.assert_allclose(published.y, [30, 60, 80], rtol=1e-15)
    nowhere = SizeCurve(n, curve.exact, np.full(5, np.nan))
    assert len(named(draw_power(curve=nowhere), "published").x) == 0
    assert len(named(draw_power(curve=nowhere), "exact").x) == 5


def test_widths_are_in_units_of_the_measure() -> None:
    figure = draw_width()
    np.testing.assert_array_equal(named(figure, "exact").y, WIDTH.exact)
    np.testing.assert_array_equal(named(figure, "published").y, WIDTH.published)
    assert yours(figure) == (147, 0.099888625)
    exact = dict(zip(named(figure, "exact").x, named(figure, "exact").y, strict=True))
    assert exact[147] == pytest.approx(0.099888625, abs=0.5e-9)
    assert figure.layout.yaxis.range == (0, 0.40)


@each_mode
def test_lines_and_their_key_have_the_same_colours(mode: Mode) -> None:
    palette = PALETTES[mode]
    for figure in (draw_power(mode), draw_width(mode)):
        (key,) = [note for note in figure.layout.annotations if "exact" in note.text]
        assert f'color:{palette.accent}">— exact' in key.text
        assert f'color:{palette.quiet}">- - Excel tool' in key.text
        assert named(figure, "exact").line.color == palette.accent
        assert named(figure, "published").line.color == palette.quiet
        assert named(figure, "published").line.dash == "dash"
