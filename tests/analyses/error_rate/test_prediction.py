"""Error rates at any difference and size, their intervals, the sentence, and the check on held-out topics."""

import math
from typing import Any

import numpy as np
import pytest
import scipy
from syrupy.assertion import SnapshotAssertion

from tests.reference_data import reference_matrix
from tests.variance.matrices import of as matrix_of
from tests.words import numbers_in
from topicset_core.analyses.error_rate.prediction import (
    Interval,
    Predictor,
    check_extrapolation,
    percent,
    predict,
    surface,
)
from topicset_core.analyses.error_rate.report import ANSWER
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError, NoSolution
from topicset_core.samples.simulated import simulated_task


def _simulated(n_topics: int, seed: int, differences: np.ndarray) -> ScoreMatrix:
    """Runs with known means, on topics of normal difficulty and with normal noise."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(0.0, 0.1, (n_topics, differences.size))
    return matrix_of(np.round(0.5 + differences + rng.normal(0, 0.15, (n_topics, 1)) + noise, 6))


def test_rates_at_a_difference_are_the_limit_of_rates_in_narrow_bins() -> None:
    # The bins of the experiment are .01 wide; the rate at a point averages to about the bin's.
    predictor = Predictor(simulated_task()[0])
    for n_topics in (10, 25, 80):
        bins = predictor.bins(n_topics)[:15]
        points = predictor.errors(np.linspace(0.005, 0.145, 15), n_topics)
        assert points == pytest.approx(bins, rel=0.05, abs=5e-3)  # curvature over half a bin


def test_deflation_removes_the_bias_for_few_topics() -> None:
    # Without any true difference every rate is one half; ten topics alone would give another rate.
    rates = [Predictor(_simulated(10, seed, np.zeros(25))).error(0.05, 10) for seed in range(20)]
    assert np.mean(rates) > 0.45


def test_topics_and_difference_meet_the_tolerated_rate() -> None:
    predictor = Predictor(simulated_task()[0])
    for difference, max_error in ((0.05, 0.05), (0.02, 0.2), (0.1, 0.01)):
        n = predictor.required_topics(difference, max_error)
        assert predictor.error(difference, n) <= max_error < predictor.error(difference, n - 1)
    resolved = predictor.resolved_difference(50, 0.05)
    assert predictor.error(resolved, 50) == pytest.approx(0.05, abs=1e-9)
    assert predictor.required_topics(resolved * (1 + 1e-9), 0.05) == 50


def test_runs_that_differ_by_chance_only_have_no_solution(
    golden: SnapshotAssertion,
) -> None:
    # Two runs whose mean difference is less than what four topics scatter: deflated to nothing.
    scores = np.array([[0.1, 0.3], [0.3, 0.1], [0.2, 0.4], [0.41, 0.2]])
    predictor = Predictor(matrix_of(scores))
    assert predictor.error(0.05, 50) == pytest.approx(0.5, abs=1e-12)
    with pytest.raises(NoSolution):
        predictor.required_topics(0.05, 0.05)
    with pytest.raises(NoSolution):
        predictor.resolved_difference(50, 0.05)
    reading = predict(predictor.matrix, n_topics=50, difference=0.05, max_error=0.05)
    assert 50 in numbers_in(reading.sentence.partition(" % ")[0])
    assert reading.sentence == golden
    assert reading.record()["required_topics"] is None


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_an_interval_contains_the_estimate_and_the_corrected_one_and_the_error_of_either(
    level: float,
) -> None:
    """The docstring's formula by plain sums: 20 topics are left out one by one; t with 19 df from SciPy."""
    matrix = simulated_task()[0].taken(range(20), range(8))
    rates = [Predictor(matrix).error(0.04, 30)]
    rates += [
        Predictor(matrix.taken([one for one in range(20) if one != out], range(8))).error(0.04, 30)
        for out in range(20)
    ]
    value, *without = [math.log(rate / (0.5 - rate)) for rate in rates]
    mean = sum(without) / 20
    error = math.sqrt(19 / 20 * sum((one - mean) ** 2 for one in without))
    corrected = 20 * value - 19 * mean
    reach = float(scipy.stats.t.ppf((1 + level) / 2, 19)) * error
    low, high = min(value, corrected) - reach, max(value, corrected) + reach
    predictor = Predictor(matrix).at(level)
    interval = predictor.error_interval(0.04, 30)
    assert interval is not None
    ends = [0.5 / (1 + math.exp(-end)) for end in (low, high)]
    assert [interval.low, interval.high] == pytest.approx(ends, rel=1e-9)  # rounding of sums
    assert value != corrected
    said = predict(predictor, n_topics=30, difference=0.04, max_error=0.05)
    assert interval == said.interval
    assert said.record()["interval_level"] == level
    for words in (interval.words, said.sentence, said.topics_between):
        assert numbers_in(words.partition(" % interval")[0])[-1] == 100 * level


def test_topics_within_the_interval_are_those_whose_rate_may_be_the_tolerated_one() -> None:
    predictor = Predictor(simulated_task()[0])

    def rates(n: int) -> Interval:
        interval = predictor.error_interval(0.05, n)
        assert interval is not None
        return interval

    needed = predictor.required_topics(0.05, 0.05)
    interval = predictor.topics_interval(0.05, 0.05, needed)
    assert interval is not None
    assert interval.high is not None
    assert interval.low < needed < interval.high
    assert rates(interval.low).low <= 0.05 < rates(interval.low - 1).low
    assert rates(interval.high).high <= 0.05 < rates(interval.high - 1).high
    table = ANSWER.table([predict(predictor, n_topics=50, difference=0.05, max_error=0.05)])
    assert table["required topics, to"] == [interval.high]


@pytest.mark.slow
@pytest.mark.reference_data
@pytest.mark.parametrize(
    ("name", "n", "difference"), [("robust2003_ap", 10, 0.05), ("trec8_adhoc_rr", 25, 0.1)]
)
def test_intervals_hold_the_rate_of_real_scores(name: str, n: int, difference: float) -> None:
    """Every third run; all topics are the population, and 100 pilots drawn from it; truth by 1,500 pairs of sets.

    Of 200 pilots with all runs, t standard errors around the estimate alone held it in .785 and .80, with the
    corrected value in .90 and .91 (standard error .02); 100 pilots have .03.
    """
    scores = reference_matrix(name).scores[:, ::3]
    rng = np.random.default_rng(3)
    n_all, m = scores.shape
    first, second = np.triu_indices(m, 1)
    one, other = (rng.multinomial(n, np.full(n_all, 1 / n_all), 1500) @ scores / n for _ in range(2))
    seen, again = (means[:, first] - means[:, second] for means in (one, other))
    near = np.abs(np.abs(seen) - difference) <= 0.05 * difference + 1e-9
    truth = float((seen * again < -1e-12)[near].mean())
    held = 0
    for _ in range(100):
        interval = Predictor(matrix_of(scores[rng.integers(0, n_all, n)])).error_interval(difference, n)
        assert interval is not None
        held += interval.low <= truth <= interval.high
    assert held >= 84


def test_few_topics_have_no_interval() -> None:
    reading = predict(
        matrix_of([[0.1, 0.2], [0.3, 0.2], [0.5, 0.1]]), n_topics=2, difference=0.1, max_error=0.2
    )
    assert reading.interval is None
    assert reading.record()["error_interval"] is None
    assert reading.limits


def test_identical_runs_among_others_do_not_affect_the_result() -> None:
    scores = simulated_task()[0].scores
    alone, others = (
        Predictor(matrix_of(scores[:, runs])).error(0.05, 30) for runs in ([*range(6)], [*range(6), 0])
    )
    assert others == pytest.approx(alone, rel=0.35)  # other weights, and no division by zero


def test_a_constant_difference_is_never_reversed() -> None:
    base = np.array([0.1, 0.4, 0.35, 0.8, 0.15, 0.5])
    reading = predict(
        matrix_of(np.column_stack([base, base + 0.05])), n_topics=5, difference=0.05, max_error=0.05
    )
    assert reading.error == 0.0
    assert reading.required_topics == 1
    assert percent(0.0) in reading.sentence


@pytest.mark.parametrize(
    ("values", "parameter"),
    [
        ({"n_topics": 0}, "n_topics"),
        ({"n_topics": 2.5}, "n_topics"),
        ({"difference": 0.0}, "min_d"),
        ({"max_error": 0.5}, "max_error"),
    ],
)
def test_wrong_questions_are_refused(values: dict[str, float], parameter: str) -> None:
    with pytest.raises(InputError) as caught:
        predict(simulated_task()[0], **({"n_topics": 50, "difference": 0.05, "max_error": 0.05} | values))  # type: ignore[arg-type]
    assert caught.value.parameter == parameter


@pytest.mark.reference_data
def test_extrapolation_from_50_of_249_topics_beats_exponentials_and_keeps_its_interval() -> None:
    # Robust 2004, every third of its 110 runs to be quick, cuts of seeds 0 to 3; bins 1 to 7, where the
    # rest still shows reversals.
    matrix = matrix_of(reference_matrix("robust2004_ap").scores[:, ::3])
    checks = [check_extrapolation(matrix, n_topics_used=50, n_trials=1000, seed=seed) for seed in range(4)]
    bins = slice(0, 7)
    observed = np.log([check.observed[bins] for check in checks])
    ours = observed - np.log([check.predicted[bins] for check in checks])
    fitted = observed - np.log([check.exponential[bins] for check in checks])
    assert np.sqrt(np.mean(ours**2)) < 0.6 * np.sqrt(np.mean(fitted**2))
    departures = np.array([check.departures[bins] for check in checks])
    # Standard errors are about right if the root mean square of departures is about 1; runs and bins
    # share topics, so four cuts are few.
    assert 0.5 < np.sqrt(np.mean(departures**2)) < 2.0
    assert (checks[0].cardinality, checks[0].n_topics_left) == (99, 199)


def test_extrapolation_check_reports_and_refuses() -> None:
    matrix = simulated_task()[0]
    seen: list[float] = []
    first = check_extrapolation(matrix, n_trials=50, seed=4, report_progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert first.n_topics_used == 16
    refused: tuple[dict[str, Any], ...] = ({"n_topics_used": 25}, {"n_topics_used": 1}, {"seed": -1})
    for settings in refused:
        with pytest.raises(InputError):
            check_extrapolation(matrix, **settings)
    with pytest.raises(InputError, match="12"):
        check_extrapolation(matrix_of(matrix.scores[:11]))


def test_the_surface_contains_the_request_and_the_predictions() -> None:
    matrix = simulated_task()[0]
    predictor = Predictor(matrix)
    result = surface(predictor, n_topics=400, difference=0.3)
    assert result.rates.shape == (result.differences.size, result.sizes.size)
    assert (result.sizes[0], result.sizes[-1]) == (1, 800)
    assert result.differences[0] < 0.05
    assert 0.55 < result.differences[-1] < 0.6
    assert result.rates[7, 9] == predictor.error(float(result.differences[7]), float(result.sizes[9]))
    usual = surface(predictor, n_topics=matrix.n_topics, difference=0.05)
    assert usual.sizes[-1] == 4 * matrix.n_topics
    assert 0.19 < usual.differences[-1] < 0.2
