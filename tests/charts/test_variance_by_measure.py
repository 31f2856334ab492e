"""Both variances of each matrix, as drawn."""

from typing import Any

import numpy as np

from tests.charts.figure_checks import check, layout_of, named
from tests.charts.test_chart import MARKUP, SHOWN
from topicset_core import variance
from topicset_core.analyses.score_variance.report import variance_by_measure
from topicset_core.collection import ScoreMatrix


def matrix(measure: str, name: str, n_systems: int, scale: float) -> ScoreMatrix:
    drawn = np.random.default_rng(n_systems).uniform(size=(20, n_systems))
    return ScoreMatrix(
        scores=scale * drawn,
        topics=tuple(map(str, range(20))),
        systems=tuple(map(str, range(n_systems))),
        measure=measure,
        name=name,
    )


MATRICES = (matrix("AP", "round 1", 5, 0.5), matrix("RR", "one", 1, 1.0), matrix(MARKUP, MARKUP, 4, 0.25))


def draw() -> Any:
    return variance_by_measure(MATRICES).drawing


def test_the_figure_can_be_read() -> None:
    check(draw(), x="σ²", y="matrix")


def test_the_largest_variance_is_on_top_with_one_line_per_measure() -> None:
    figure = draw()
    one_way, two_way = named(figure, "one-way"), named(figure, "two-way")
    marked, first, single = MATRICES[2], MATRICES[0], MATRICES[1]
    assert list(one_way.x) == [variance.one_way(one) for one in (marked, first, single)]
    assert sorted(one_way.x) == list(one_way.x)
    assert list(two_way.x) == [variance.two_way(marked), variance.two_way(first), None]
    assert list(one_way.y) == list(two_way.y) == list(layout_of(figure).yaxis.tickvals) == [0, 1, 2]
    labels = [f"{SHOWN}, {SHOWN}", "AP, round 1", "RR, one"]
    assert list(layout_of(figure).yaxis.ticktext) == labels
    assert list(one_way.hovertext) == list(two_way.hovertext) == labels


def test_measures_of_other_units_use_a_log_scale_named_on_the_axis() -> None:
    matrices = [matrix("score", "a", 3, 0.4), matrix("milliseconds", "a", 1, 700.0)]
    figure = variance_by_measure(matrices).drawing
    assert layout_of(figure).xaxis.type == "log"
    assert "log" in layout_of(figure).xaxis.title.text
    assert "log" not in layout_of(draw()).title.text
