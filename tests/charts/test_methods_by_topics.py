"""Figure 1 of Sakai 2016, as drawn."""

from typing import Any

import numpy as np
import pytest

from tests.charts.figure_checks import MODES, check, named
from topicset_core.analyses.sizing import MethodLine, method_lines
from topicset_core.charts.methods_by_topics import methods_by_topics
from topicset_core.charts.style import Mode

each_mode = pytest.mark.parametrize("mode", MODES)


def lines() -> tuple[MethodLine, ...]:
    return method_lines(0.1206, alpha=0.05, beta=0.20)


def draw(mode: Mode = "light") -> Any:
    return methods_by_topics(lines(), variance=0.1206, measure="nERR", mode=mode)


@each_mode
def test_the_figure_can_be_read(mode: Mode) -> None:
    check(draw(mode), mode, x="n", y="nERR")


def test_lines_are_the_numbers_of_the_comparison() -> None:
    figure = draw()
    assert [trace.name for trace in figure.data] == [line.label for line in lines()]
    for line in lines():
        trace = named(figure, line.label)
        np.testing.assert_array_equal(trace.x, line.n_topics)
        np.testing.assert_array_equal(trace.y, line.difference)
        assert trace.line.dash == ("dash" if line.is_width else "solid")
    assert "σ² = 0.1206" in figure.layout.title.text
    assert figure.layout.xaxis.type == "log"


@each_mode
def test_each_method_has_a_colour_and_a_name_of_its_own(mode: Mode) -> None:
    figure = draw(mode)
    assert len({trace.line.color for trace in figure.data}) == len(figure.data) == 6
    assert figure.layout.showlegend is True
