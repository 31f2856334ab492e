"""Two runs chosen by name: against SciPy, by hand, and against held-out topics of Robust 2004."""

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy

from tests.reference_data import reference_matrix
from tests.variance.matrices import of
from topicset_core.analyses.error_rate import Request, error_rate
from topicset_core.analyses.error_rate.prediction import LEVEL, Predictor
from topicset_core.analyses.error_rate.report import published_table
from topicset_core.analyses.error_rate.theory import level_variances, pairs_of
from topicset_core.analyses.error_rate.two_runs import two_runs
from topicset_core.errors import InputError
from topicset_core.samples import simulated_task

MATRIX = simulated_task()[0]
FIRST, SECOND = MATRIX.systems[3], MATRIX.systems[8]


def _power(difference: float, variance: float) -> float:
    """Return the power on 12 topics at alpha .05; SciPy's noncentral t has about six digits."""
    critical, shift = scipy.stats.t.isf(0.025, 11), difference / math.sqrt(variance / 12)
    return float(scipy.stats.nct.sf(critical, 11, shift) + scipy.stats.nct.cdf(-critical, 11, shift))


def test_difference_p_value_and_power_against_scipy() -> None:
    """Power of the noncentral t with both tails, as R's power.t.test(strict = TRUE)."""
    result = two_runs(Predictor(MATRIX), FIRST, SECOND, n_topics=12)
    columns = {name: MATRIX.scores[:, place] for place, name in enumerate(MATRIX.systems)}
    apart = columns[result.better] - columns[result.worse]
    assert result.difference == pytest.approx(apart.mean(), rel=1e-12)
    assert result.difference > 0
    test = scipy.stats.ttest_rel(columns[result.better], columns[result.worse])
    assert result.p_value == pytest.approx(test.pvalue, rel=1e-9)
    assert result.power == pytest.approx(_power(result.difference, result.variance), rel=1e-6)
    # The interval of the variance, from a jackknife of its logarithm, gives that of the power.
    kept = [keep for keep, _ in Predictor(MATRIX).left_out]
    logs = [math.log(apart[keep].var(ddof=1)) for keep in kept]
    error = math.sqrt((len(kept) - 1) * np.var(logs))
    reach = scipy.stats.t.ppf((1 + LEVEL) / 2, len(kept) - 1) * error
    ends = [_power(result.difference, result.variance * math.exp(side)) for side in (reach, -reach)]
    assert result.power_interval == pytest.approx(ends, rel=1e-6)
    is_reversed = two_runs(Predictor(MATRIX), SECOND, FIRST, n_topics=12)
    assert is_reversed == result


def test_the_error_averages_over_possible_true_differences() -> None:
    """The sum of the docstring, written out by loops with math.erf."""
    predictor = Predictor(MATRIX)
    result = two_runs(predictor, FIRST, SECOND, n_topics=20)
    s_of, s_next = (math.sqrt(result.variance / n) for n in (MATRIX.n_topics, 20))
    top = bottom = 0.0
    for size in pairs_of(MATRIX).deflated_differences.tolist():
        for delta in (size, -size):
            weight = math.exp(-(((result.difference - delta) / s_of) ** 2) / 2)
            top += weight * 0.5 * (1 + math.erf(-delta / s_next / math.sqrt(2)))
            bottom += weight
    assert result.error == pytest.approx(top / bottom, rel=1e-9)
    assert result.interval is not None
    assert 0 <= result.interval.low <= result.error <= result.interval.high <= 0.5
    more = two_runs(predictor, FIRST, SECOND, n_topics=200)
    assert more.error < result.error  # more topics reverse less
    assert more.power is not None
    assert result.power is not None
    assert more.power > result.power


def test_runs_with_equal_means_have_no_order() -> None:
    scores = MATRIX.scores.copy()
    scores[:, 8] = np.roll(scores[:, 3], 1)
    result = two_runs(Predictor(replace(MATRIX, scores=scores)), FIRST, SECOND)
    assert (result.difference, result.error, result.p_value, result.power) == (0.0, 0.5, 1.0, None)
    scores[:, 8] = scores[:, 3] + 0.01  # always as far apart
    always = two_runs(Predictor(replace(MATRIX, scores=scores)), FIRST, SECOND)
    assert always.error < 1e-9
    assert always.p_value < 1e-9


@pytest.mark.parametrize("names", [("nobody", SECOND), (FIRST, FIRST)])
def test_names_other_than_two_runs_are_refused(names: tuple[str, str]) -> None:
    with pytest.raises(InputError) as caught:
        two_runs(Predictor(MATRIX), *names)
    assert caught.value.parameter == "runs_pair"


def test_the_answer_contains_the_two_runs_and_the_table_of_the_paper() -> None:
    answer = error_rate(MATRIX, Request(n_trials=50, runs_pair=(FIRST, SECOND)))
    assert answer.two_runs == two_runs(Predictor(MATRIX), FIRST, SECOND)
    table = published_table(answer)
    # Lin and Hauptmann (2005), table 1; formulas-and-expected-values.md 9.1.
    assert table["variance, TREC-3"] == [0.000464, 0.000294, 0.000434]
    assert table["variance, TREC-6"] == [0.000783, 0.000814, 0.000684]
    assert table["variance, these scores"] == [row.variance for row in level_variances(MATRIX)]
    # Eq. 13 at .015 with variance .000464 x 50: 2 x .015^2 / (pi x .0232) = .0061740.
    assert table["b2, TREC-3"][0] == pytest.approx(0.0061740, rel=1e-4)
    fits = [answer.fits[place] for place in (1, 2, 3)]  # bins (.01, .02], (.02, .03], (.03, .04]
    assert table["b1, fitted"] == [None if fit is None else fit.b1 for fit in fits]


@pytest.mark.reference_data
@pytest.mark.slow
def test_rates_match_held_out_topics() -> None:
    """Robust 2004: 50 topics predict, 50 others judge; 6 cuts of 300 pairs, in three groups of predicted rates.

    Pairs of one cut share topics, so a group is off by more than binomial noise; `two_runs` has 20 cuts of all.
    A prediction goes over all pairs of runs: every third run has a ninth of them.
    """
    every = reference_matrix("robust2004_ap")
    matrix = replace(every, scores=every.scores[:, ::3], systems=every.systems[::3])
    rng = np.random.default_rng(0)
    predicted, reversed_ = [], []
    for _ in range(6):
        order = rng.permutation(matrix.n_topics)
        parts = [matrix.taken(rows.tolist(), range(matrix.n_systems)) for rows in (order[:50], order[50:100])]
        predictor = Predictor(parts[0])
        predictor.__dict__["left_out"] = ()  # no intervals, which take long
        judge = dict(zip(matrix.systems, parts[1].scores.mean(axis=0).tolist(), strict=True))
        for _ in range(300):
            one, other = rng.choice(matrix.n_systems, 2, replace=False).tolist()
            result = two_runs(predictor, matrix.systems[one], matrix.systems[other])
            if result.difference:
                predicted.append(result.error)
                reversed_.append(judge[result.better] < judge[result.worse])
    rates, seen = np.array(predicted), np.array(reversed_)
    for low, high in ((0.0, 0.05), (0.05, 0.2), (0.2, 0.5)):
        inside = (rates >= low) & (rates < high)
        assert seen[inside].mean() == pytest.approx(rates[inside].mean(), abs=0.07)


@pytest.mark.reference_data
@pytest.mark.slow
@pytest.mark.parametrize(("name", "n"), [("robust2003_ap", 25), ("trec8_adhoc_rr", 50)])
def test_intervals_hold_the_value_by_all_topics(name: str, n: int) -> None:
    """Every third run; all topics are the population, 60 pilots of 6 pairs; of 200 of 12 it was .90 and .93.

    Pairs of a pilot share its topics: the standard error is about .03.
    """
    scores = reference_matrix(name).scores[:, ::3]
    rng = np.random.default_rng(5)
    sizes = pairs_of(of(scores)).differences
    true = np.concatenate([sizes, -sizes])
    held = []
    for _ in range(60):
        predictor = Predictor(of(scores[rng.integers(0, len(scores), n)]))
        for _ in range(6):
            one, other = rng.choice(scores.shape[1], 2, replace=False).tolist()
            result = two_runs(predictor, f"s{one}", f"s{other}")
            assert result.interval is not None
            spread = math.sqrt(float((scores[:, one] - scores[:, other]).var()) / n)
            weights = scipy.stats.norm.pdf(result.difference, true, spread)
            value = weights @ scipy.stats.norm.cdf(-true / spread) / weights.sum()
            held.append(result.interval.low <= value <= result.interval.high)
    assert 0.82 <= np.mean(held) <= 0.98
