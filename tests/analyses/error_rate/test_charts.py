"""The charts of error rates draw the numbers of the core."""

from functools import cache

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.charts.figure_checks import layout_of, traces
from topicset_core.analyses.error_rate.charts import (
    error_by_factor,
    error_rate_curves,
    error_rate_map,
    shade,
    theory_against_experiment,
)
from topicset_core.analyses.error_rate.experiment import ErrorRates, error_rates
from topicset_core.analyses.error_rate.prediction import Predictor
from topicset_core.analyses.error_rate.theory import Theory, theory
from topicset_core.analyses.error_rate.units import bin_label
from topicset_core.charts.style import PALETTES, Mode
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.error_rate import factor_curves
from topicset_core.samples.simulated import simulated_task

MATRIX = simulated_task()[0]
MODES: tuple[Mode, ...] = ("light", "dark", "print")


@cache
def counted() -> ErrorRates:
    return error_rates(MATRIX, cardinalities=[20, 5, 10], n_trials=200, seed=1)


@cache
def expected() -> Theory:
    return theory(MATRIX, [20, 5, 10])


def test_labels_of_bins() -> None:
    assert [bin_label(place) for place in (0, 4, 19, 20)] == ["0–.01", ".04–.05", ".19–.20", "above .20"]


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_curves_are_drawn_by_rising_topics_in_per_cent(mode: Mode) -> None:
    figure = error_rate_curves(counted(), expected=expected(), tolerated=0.05, mode=mode)
    result = {trace.name: trace for trace in traces(figure)}
    assert len(result) == 21 + 7  # bins, and theory over the labelled bins
    assert list(result[".04–.05"].x) == [5, 10, 20]
    assert list(result[".04–.05"].y) == pytest.approx(100 * counted().error_rates[[1, 2, 0], 4])
    assert list(result["theory, .04–.05"].y) == pytest.approx(100 * expected().conditional[[1, 2, 0], 4])
    ramp = PALETTES[mode].ramp_for_lines
    assert (shade(PALETTES[mode], 0), shade(PALETTES[mode], 20)) == (ramp[0].upper(), ramp[-1].upper())
    assert len({shade(PALETTES[mode], place) for place in range(21)}) == 21


@pytest.mark.slow
def test_a_bootstrap_is_named_in_its_title(golden: SnapshotAssertion) -> None:
    titles = [
        layout_of(error_rate_curves(result, mode="print")).title.text
        for result in (counted(), error_rates(MATRIX, cardinalities=[60], n_trials=20, with_replacement=True))
    ]
    assert titles == golden


def test_bins_of_few_pairs_are_not_cut_off() -> None:
    # Two topics that contradict each other in every respect: all pairs are reversed, always.
    matrix = ScoreMatrix(
        scores=np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]),
        topics=("a", "b"),
        systems=("x", "y", "z"),
        measure="AP",
        name="contrary",
    )
    result = error_rates(matrix, n_trials=5)
    for figure in (
        error_rate_curves(result, mode="print"),
        theory_against_experiment(result, theory(matrix, [1]), bins=(9,), mode="print"),
    ):
        assert layout_of(figure).yaxis.range[1] > 100


def test_empty_bins_draw_nothing() -> None:
    figure = error_rate_curves(error_rates(MATRIX, cardinalities=[25], n_trials=1), mode="print")
    assert len(traces(figure)) == 21


def test_theory_is_drawn_in_its_three_forms() -> None:
    figure = theory_against_experiment(counted(), expected(), bins=(4,), mode="light")
    points, *lines = traces(figure)
    assert list(points.y) == pytest.approx(100 * counted().error_rates[:, 4])
    assert list(points.error_y.array) == pytest.approx(200 * counted().standard_errors[:, 4])
    for line, form in zip(lines, ("conditional", "paired", "independent"), strict=True):
        assert list(line.y) == pytest.approx(100 * getattr(expected(), form)[[1, 2, 0], 4])
    assert len({line.line.dash for line in lines}) == 3
    assert len({line.name for line in lines}) == 3


def test_map_shows_rates_the_line_of_the_tolerated_one_and_the_point() -> None:
    predictor = Predictor(MATRIX)
    sizes, differences = np.array([5.0, 50.0, 200.0]), np.array([0.02, 0.05, 0.1, 0.2])
    rates = np.array([predictor.errors(differences, size) for size in sizes]).T
    figure = error_rate_map(
        sizes,
        differences,
        rates,
        n_topics=50,
        difference=0.05,
        error=0.07,
        tolerated=0.05,
        n_topics_of_matrix=50,
        measure="AP",
        mode="dark",
    )
    shades, line, point = traces(figure)
    assert np.asarray(shades.z) == pytest.approx(100 * rates, rel=1e-6)  # sent in single precision
    assert line.contours.start == line.contours.end == 5
    assert (list(point.x), list(point.y)) == ([50], [0.05])
    assert "AP" in layout_of(figure).yaxis.title.text


def test_factors_are_drawn_with_their_units() -> None:
    point = {"difference": 0.05, "difference_variance": 0.02, "n_topics": 50}
    for curve in factor_curves(difference=0.05, difference_variance=0.02, n_topics=50):
        figure = error_by_factor(curve, value=point[curve.factor], error=0.01, measure="AP", mode="print")
        assert list(traces(figure)[0].y) == pytest.approx(100 * curve.errors)
        assert ("AP" in layout_of(figure).xaxis.title.text) == (curve.factor != "n_topics")
