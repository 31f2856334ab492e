"""Bars of required topics by measure."""

import pytest

from tests.charts.figure_checks import MODES, check, layout_of, traces
from topicset_core.charts.style import PALETTES, Mode
from topicset_core.charts.topics_by_measure import topics_by_measure

TOPICS = {"alpha-nDCG@10": 191, "D-nDCG@10": 79, "<b>I-rec</b>": 1311}


@pytest.mark.parametrize("mode", MODES)
def test_the_figure_can_be_read(mode: Mode) -> None:
    figure = topics_by_measure(TOPICS, method="METHOD", difference="minD = 0.1", mode=mode)
    check(figure, mode, x="n", y="measure")
    assert "METHOD" in layout_of(figure).title.text
    assert "minD = 0.1" in layout_of(figure).title.text


def test_bars_are_the_numbers_and_the_fewest_stand_out_at_the_top() -> None:
    figure = topics_by_measure(TOPICS, method="m", difference="d", mode="light")
    (bars,) = traces(figure)
    assert list(bars.x) == [1311, 191, 79]
    assert list(bars.text) == ["1,311", "191", "79"]
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;I-rec&lt;/b&gt;", "alpha-nDCG@10", "D-nDCG@10"]
    assert [colour == PALETTES["light"].accent for colour in bars.marker.color] == [False, False, True]
    assert figure.layout.xaxis.range[0] == 0  # bars are lengths
