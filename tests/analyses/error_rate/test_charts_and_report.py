"""The charts of error rates draw the numbers of the core; tables have the units of their headings."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.charts.figure_checks import layout_of, traces, yours
from tests.variance.matrices import of
from topicset_core.analyses.error_rate.answer import Request, complete, compute
from topicset_core.analyses.error_rate.experiment import ErrorRates, bin_label, error_rates
from topicset_core.analyses.error_rate.prediction import Predictor, check_extrapolation, predict, surface
from topicset_core.analyses.error_rate.report import (
    FITS,
    QUESTION,
    check_table,
    error_by_factor,
    error_rate_by_topics,
    error_rate_curves,
    error_rate_map,
    long_table,
)
from topicset_core.analyses.error_rate.theory import Theory, theory
from topicset_core.designs.error_rate import factor_curves
from topicset_core.samples import simulated_task

MATRIX = simulated_task()[0]


@cache
def counted() -> ErrorRates:
    return error_rates(MATRIX, cardinalities=[20, 5, 10], n_trials=200, seed=1)


@cache
def expected() -> Theory:
    return theory(MATRIX, [20, 5, 10])


def test_labels_of_bins() -> None:
    assert [bin_label(place) for place in (0, 4, 19, 20)] == ["0–.01", ".04–.05", ".19–.20", "above .20"]


def test_curves_are_drawn_by_rising_topics_in_per_cent() -> None:
    figure = error_rate_curves(counted(), expected=expected(), tolerated=0.05).drawing
    result = {trace.name: trace for trace in traces(figure)}
    assert len(result) == 21 + 7  # bins, and theory over the labelled bins
    assert list(result[".04–.05"].x) == [5, 10, 20]
    assert list(result[".04–.05"].y) == pytest.approx(100 * counted().error_rates[[1, 2, 0], 4])
    assert list(result["theory, .04–.05"].y) == pytest.approx(100 * expected().conditional[[1, 2, 0], 4])


def test_bins_of_few_pairs_are_not_cut_off() -> None:
    # Two topics that contradict each other in every respect: all pairs are reversed, always.
    result = error_rates(of([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]), n_trials=5)
    assert layout_of(error_rate_curves(result).drawing).yaxis.range[1] > 100


def test_the_main_chart_is_the_difference_in_question_with_the_tolerated_rate_and_the_named_pair() -> None:
    pair = MATRIX.systems[0], MATRIX.systems[1]
    asked = complete(MATRIX, Request(n_topics=60, n_trials=50, cardinalities=(5, 20), runs_pair=pair))
    answer = compute(MATRIX, asked).read_off(asked)
    figure = error_rate_by_topics(answer).drawing
    drawn = {trace.name: trace for trace in traces(figure)}
    inside, beyond = drawn["predicted for 0.05"], drawn["extrapolated beyond 25 topics"]
    assert (inside.x[-1], beyond.x[0]) == (25, 25)
    for line in (inside, beyond):
        expected = [100 * answer.predictor.error(0.05, n) for n in line.x]
        assert list(line.y) == pytest.approx(expected)
    for place, label in ((4, ".04–.05"), (5, ".05–.06")):  # both bins that end at .05
        rates = 100 * answer.counted.error_rates[:, place]
        assert list(drawn[f"experiment, differences {label}"].y) == pytest.approx(rates)
    within = error_rate_by_topics(answer.read_off(replace(asked, difference=0.046))).drawing
    (bin_,) = (trace.name for trace in traces(within) if "experiment" in (trace.name or ""))
    assert bin_ == "experiment, differences .04–.05"
    assert yours(figure) == (60, pytest.approx(100 * answer.prediction.error))
    assert answer.two_runs is not None
    named = drawn[f"{answer.two_runs.better} and {answer.two_runs.worse}"]
    assert (list(named.x), list(named.y)) == ([60], [pytest.approx(100 * answer.two_runs.error)])
    needed = answer.prediction.required_topics
    title = layout_of(figure).title.text.replace("<br>", " ")
    assert title == f"An error rate of 5 % for 0.05 AP: {answer.prediction.topics_needed}"
    assert any(list(trace.x) == [needed] and list(trace.y) == [5] for trace in traces(figure))


def test_map_shows_rates_the_line_of_the_tolerated_one_and_the_point() -> None:
    predictor = Predictor(MATRIX)
    prediction = predict(predictor, n_topics=50, difference=0.05, max_error=0.05)
    around = surface(predictor, n_topics=50, difference=0.05)
    figure = error_rate_map(around, prediction).drawing
    shades, line, point = traces(figure)
    assert np.asarray(shades.z) == pytest.approx(100 * around.rates, rel=1e-6)  # sent in single precision
    assert line.contours.start == line.contours.end == 5
    assert (list(point.x), list(point.y)) == ([50], [0.05])
    assert MATRIX.measure in layout_of(figure).yaxis.title.text


def test_factors_are_drawn_with_their_units() -> None:
    point = {"difference": 0.05, "difference_variance": 0.02, "n_topics": 50}
    for curve in factor_curves(difference=0.05, difference_variance=0.02, n_topics=50):
        figure = error_by_factor(curve, value=point[curve.factor], error=0.01, measure="AP").drawing
        assert list(traces(figure)[0].y) == pytest.approx(100 * curve.errors)
        assert ("AP" in layout_of(figure).xaxis.title.text) == (curve.factor != "n_topics")


@pytest.fixture(scope="module")
def few_counted() -> ErrorRates:
    return error_rates(MATRIX, cardinalities=(5, 20), n_trials=200, seed=3)


def test_the_long_table_has_one_row_per_size_and_bin(few_counted: ErrorRates) -> None:
    expected = theory(MATRIX, few_counted.cardinalities)
    table = long_table(few_counted, expected)
    assert {len(column) for column in table.values()} == {2 * 21}
    row = 21 + 3  # size 20, the bin from .03 to .04
    assert (table["topics"][row], table["difference above"][row], table["difference up to"][row]) == (
        20,
        0.03,
        0.04,
    )
    assert table["pairs"][row] == few_counted.counts[1, 4, 0]
    assert table["error rate"][row] == few_counted.counts[1, 4, 1] / few_counted.counts[1, 4, 0]
    assert table["theory, paired"][row] == expected.paired[1, 3]
    assert table["theory, paired"][41] is None  # Eq. 8 has no midpoint for the open bin


def test_bins_without_pairs_are_empty_cells() -> None:
    """Two runs and one trial: one pair, so all bins but one are empty."""
    two = replace(MATRIX, scores=MATRIX.scores[:, :2], systems=MATRIX.systems[:2])
    once = error_rates(two, cardinalities=(20,), n_trials=1, seed=0)
    rates = long_table(once, theory(two, (20,)))["error rate"]
    assert sum(rate is None for rate in rates) == 20


def test_the_paragraph_cites_the_bootstrap_if_it_was_used() -> None:
    for used in (False, True):
        _, latex = QUESTION.report(QUESTION.answer(MATRIX, Request(n_trials=20, with_replacement=used))).text
        assert ("sakai2006bootstrap" in latex) == used


def test_bins_without_a_fit_or_a_reversal_are_left_out() -> None:
    assert FITS.table([]) == {"difference": [], "b1": [], "b2": [], "largest residual": []}
    result = check_extrapolation(MATRIX, n_trials=50, seed=0)
    assert len(check_table(result)["difference"]) == np.isfinite(result.observed[:10]).sum()
