"""Both variances of each matrix, as drawn."""

from typing import Any

import pytest

from tests.charts.figure_checks import MODES, check, layout_of, named
from tests.charts.test_style import MARKUP, SHOWN
from topicset_core.charts.style import PALETTES, Mode
from topicset_core.charts.variance_by_measure import VarianceRow, variance_by_measure

each_mode = pytest.mark.parametrize("mode", MODES)
ROWS = (
    VarianceRow("AP, round 1", 0.0479, 0.0132),
    VarianceRow("RR, one", 0.1206, None),
    VarianceRow(MARKUP, 0.0462, 0.0125),
)


def draw(mode: Mode = "light") -> Any:
    return variance_by_measure(ROWS, mode=mode)


@each_mode
def test_the_figure_can_be_read(mode: Mode) -> None:
    check(draw(mode), mode, x="σ²", y="matrix")


def test_the_largest_is_on_top_and_each_has_its_own_line() -> None:
    figure = draw()
    one_way, two_way = named(figure, "one-way"), named(figure, "two-way")
    assert list(one_way.x) == [0.0462, 0.0479, 0.1206]
    assert list(two_way.x) == [0.0125, 0.0132, None]
    assert list(one_way.y) == list(two_way.y) == list(figure.layout.yaxis.tickvals) == [0, 1, 2]
    labels = [SHOWN, "AP, round 1", "RR, one"]
    assert list(figure.layout.yaxis.ticktext) == labels
    assert list(one_way.hovertext) == list(two_way.hovertext) == labels


@each_mode
def test_filled_is_with_topics_and_open_without(mode: Mode) -> None:
    figure = draw(mode)
    assert named(figure, "one-way").marker.symbol is None  # a filled circle
    assert named(figure, "two-way").marker.symbol == "circle-open"
    assert named(figure, "one-way").marker.color == PALETTES[mode].accent


def test_the_figure_grows_with_its_rows() -> None:
    one, three = (layout_of(variance_by_measure(ROWS[:count], mode="light")).height for count in (1, 3))
    assert three - one == 2 * 34


def test_measures_of_other_units_stand_on_a_log_scale_that_the_title_names() -> None:
    rows = [VarianceRow("score", 0.04, 0.01), VarianceRow("milliseconds", 40_000.0, None)]
    figure = variance_by_measure(rows, mode="light")
    assert figure.layout.xaxis.type == "log"
    linear = draw().layout.title.text
    assert layout_of(figure).title.text.startswith(linear)
    assert "log" in layout_of(figure).title.text.removeprefix(linear)
