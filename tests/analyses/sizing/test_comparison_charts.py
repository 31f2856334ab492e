"""Figure 1 of Sakai 2016, and bars of required topics by measure, as drawn."""

from typing import Any

import numpy as np
import pytest

from tests.charts.figure_checks import MODES, check, layout_of, named, traces
from topicset_core.analyses.sizing import MethodLine, method_lines
from topicset_core.analyses.sizing.charts import methods_by_topics, topics_by_design, topics_by_measure
from topicset_core.charts.style import PALETTES, Mode

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
    assert [trace.name for trace in traces(figure)] == [line.label for line in lines()]
    for line in lines():
        trace = named(figure, line.label)
        np.testing.assert_array_equal(trace.x, line.n_topics)
        np.testing.assert_array_equal(trace.y, line.difference)
        assert (trace.line.dash == "solid") == ("ANOVA" in line.label)
    assert "σ² = 0.1206" in layout_of(figure).title.text
    assert layout_of(figure).xaxis.type == "log"


@each_mode
def test_each_method_has_a_unique_colour_and_name(mode: Mode) -> None:
    figure = draw(mode)
    assert len({trace.line.color for trace in traces(figure)}) == len(traces(figure)) == len(lines())
    for trace in traces(figure):
        (label,) = [one for one in layout_of(figure).annotations if one.text == trace.name]
        assert label.font.color == trace.line.color


TOPICS = {"alpha-nDCG@10": 191, "D-nDCG@10": 79, "<b>I-rec</b>": 1311}


@each_mode
def test_the_bars_can_be_read(mode: Mode) -> None:
    figure = topics_by_measure(TOPICS, method="METHOD", difference="minD = 0.1", mode=mode)
    check(figure, mode, x="n", y="measure")
    assert "METHOD" in layout_of(figure).title.text
    assert "minD = 0.1" in layout_of(figure).title.text


def test_bars_are_the_numbers_without_highlight() -> None:
    figure = topics_by_measure(TOPICS, method="m", difference="d", mode="light")
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


@each_mode
def test_designs_are_bars_of_their_variance_under_their_names(mode: Mode) -> None:
    topics = {"paired": (76, "σₜ²"), "<i>blocks</i>": (42, "σₑ²"), "all pairs": (44, "σₑ²")}
    figure = topics_by_design(topics, variances={"σₜ²": 0.0942, "σₑ²": 0.01285}, title="AP", mode=mode)
    check(figure, mode, x="n", y="design")
    assert {trace.name: list(trace.x) for trace in traces(figure)} == {
        "σₜ² = 0.0942": [76],
        "σₑ² = 0.01285": [44, 42],
    }
    names = {note.y: note.text for note in layout_of(figure).annotations}
    assert names == {2: "paired", 1: "&lt;i&gt;blocks&lt;/i&gt;", 0: "all pairs"}  # the first on top
