"""Power of two systems where either may be the better one: plans and checks by simulation say the same."""

import math
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.variance.matrices import of
from topicset_core.analyses.achieved_power import AchievedPower, Request, achieved_power
from topicset_core.analyses.achieved_power.directions import Directions, directions
from topicset_core.analyses.achieved_power.report import QUESTION, report
from topicset_core.analyses.planning.validity import Validity, validity
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import Plan, all_pairs, paired_t, two_sample_t
from topicset_core.designs.search import Floats
from topicset_core.exports.findings import texts
from topicset_core.variance import ONE_WAY, TWO_WAY

MIN_D, N_POOL, N_TRIALS = 0.05, 50, 20_000
WANTED: Any = {"alpha": 0.05, "beta": 0.2, "min_d": MIN_D}


def pair(differences: Floats) -> ScoreMatrix:
    baseline = np.random.default_rng(7).uniform(0.2, 0.5, N_POOL)
    return of(np.column_stack([baseline, baseline + differences]), systems=("A", "B"))


@lru_cache
def skewed() -> ScoreMatrix:
    return pair(np.random.default_rng(3).gamma(0.6, 0.15, N_POOL) - 0.04)


@lru_cache
def normal() -> ScoreMatrix:
    """Differences at the quantiles of a normal distribution, with a deviation of exactly .12."""
    z = stats.norm.ppf((np.arange(N_POOL) + 0.5) / N_POOL)
    return pair(0.05 + 0.12 * np.random.default_rng(4).permutation(z / z.std(ddof=1)))


def planned(matrix: ScoreMatrix) -> tuple[Plan, int]:
    variance = float(np.var(matrix.scores[:, 0] - matrix.scores[:, 1], ddof=1))
    plan = paired_t.DESIGN.plan(**WANTED, difference_variance=variance)
    return plan, plan.required_topics().required_topics


@lru_cache
def both(matrix: ScoreMatrix, test: str = "paired-t") -> tuple[Validity, AchievedPower]:
    """The check of the plan, and that by simulation, each of 20,000 trials."""
    plan, n = planned(matrix)
    if test == "tukey":
        plan = all_pairs.DESIGN.plan(**WANTED, n_systems=2, residual_variance=TWO_WAY(matrix))
    if test == "two-sample-t":
        plan = two_sample_t.DESIGN.plan(**WANTED, within_system_variance=ONE_WAY(matrix))
    of_plan = validity(plan, n, [matrix], seconds=5.0)
    assert of_plan is not None
    assert of_plan.planned.n_trials == N_TRIALS
    request = Request(test=test, n_topics=n, n_systems=2, min_d=MIN_D, n_trials=N_TRIALS)
    return of_plan, achieved_power(matrix, request)


def rates(
    of_plan: Validity, by_simulation: AchievedPower
) -> list[tuple[float, float, Directions, float, float]]:
    """Power, its error, both directions, and the Type I error with its error, of each."""
    result = []
    first, type_one = of_plan.planned.power, of_plan.planned.type_one
    assert first is not None
    assert of_plan.planned.directions is not None
    result.append((*first, of_plan.planned.directions, *type_one))
    second, error = by_simulation.power, by_simulation.type_one
    assert by_simulation.directions is not None
    result.append(
        (second.value, second.standard_error, by_simulation.directions, error.value, error.standard_error)
    )
    return result


@lru_cache
def simulated(matrix: ScoreMatrix, n_trials: int = 200_000) -> tuple[float, float, float]:
    """Plain simulation: how often the paired t test finds A better by minD, B better, and equal means different."""
    differences = matrix.scores[:, 0] - matrix.scores[:, 1]
    population = (differences - differences.mean()) / differences.std() * differences.std(ddof=1)
    _, n = planned(matrix)
    rng, critical, counts = np.random.default_rng(99), stats.t.isf(0.025, n - 1), np.zeros(3)
    for _ in range(n_trials // 10_000):
        drawn = population[rng.integers(0, N_POOL, (10_000, n))]
        bound = critical * drawn.std(axis=1, ddof=1) / math.sqrt(n)
        counts += [(np.abs(drawn.mean(axis=1) + shift) >= bound).sum() for shift in (MIN_D, -MIN_D, 0.0)]
    a, b, neither = counts / n_trials
    return float(a), float(b), float(neither)


def test_skewed_differences_have_the_rates_of_a_plain_simulation() -> None:
    a, b, equal = simulated(skewed())
    assert b - a > 0.1  # else a power of one direction would pass
    of_plain = 1 / math.sqrt(200_000)
    for power, error, by_direction, type_one, its_error in rates(*both(skewed())):
        # 4 standard errors of both simulations.
        assert power == pytest.approx((a + b) / 2, abs=4 * math.hypot(error, 0.5 * of_plain))
        of_one = math.sqrt(a * (1 - a)) * math.hypot(of_plain, 1 / math.sqrt(N_TRIALS))
        assert by_direction.powers == pytest.approx((a, b), abs=4 * of_one)
        assert by_direction.systems == ("A", "B")
        of_equal = math.sqrt(equal * (1 - equal)) * of_plain
        assert type_one == pytest.approx(equal, abs=4 * math.hypot(its_error, of_equal))


def test_normal_differences_have_the_power_of_the_closed_form() -> None:
    plan, n = planned(normal())
    effect = MIN_D / 0.12 * math.sqrt(n)
    critical = stats.t.isf(0.025, n - 1)
    expected = stats.nct.sf(critical, n - 1, effect) + stats.nct.cdf(-critical, n - 1, effect)
    assert plan.power(n, MIN_D, 0.12**2) == pytest.approx(expected, abs=1e-6)
    for power, error, by_direction, type_one, its_error in rates(*both(normal())):
        # 4 standard errors; 50 quantiles instead of the distribution change the power by .001 or less.
        assert power == pytest.approx(expected, abs=4 * error + 0.001)
        assert by_direction.powers == pytest.approx((expected, expected), abs=4 * 0.0029)
        assert type_one == pytest.approx(0.05, abs=4 * its_error + 0.001)


@pytest.mark.parametrize("test", ["tukey", "two-sample-t"])
def test_other_tests_of_two_systems_agree(test: str) -> None:
    first, second = rates(*both(skewed(), test))
    assert first[0] == pytest.approx(second[0], abs=4 * math.hypot(first[1], second[1]))
    assert first[3] == pytest.approx(second[3], abs=4 * math.hypot(first[4], second[4]))


def test_tukey_s_test_of_two_systems_is_the_paired_t_test() -> None:
    assert both(skewed(), "tukey")[1].power.value == both(skewed())[1].power.value


def test_the_order_of_two_systems_does_not_matter() -> None:
    turned = of(skewed().scores[:, ::-1].copy(), systems=("B", "A"))
    _, n = planned(turned)
    result = achieved_power(turned, Request(test="paired-t", n_topics=n, min_d=MIN_D, n_trials=N_TRIALS))
    same = both(skewed())[1]
    assert result.power.value == same.power.value
    assert result.directions is not None
    assert same.directions is not None
    assert result.directions.systems == ("B", "A")
    assert result.directions.powers[::-1] == same.directions.powers


def test_the_standard_error_of_both_directions_is_that_over_seeds() -> None:
    """Of 60 seeds a deviation has a relative error of .09: 4 of these."""
    plan, n = planned(skewed())
    found = [validity(plan, n, [skewed()], seconds=0.005, seed=seed) for seed in range(60)]
    powers = [one.planned.power for one in found if one is not None and one.planned.power is not None]
    by_direction = [one.planned.directions for one in found if one is not None and one.planned.directions]
    assert len(powers) == len(by_direction) == 60
    deviation = np.std([one.value for one in powers], ddof=1)
    assert deviation == pytest.approx(np.mean([one.standard_error for one in powers]), rel=0.36)
    apart = np.std([one.powers[0] - one.powers[1] for one in by_direction], ddof=1)
    assert apart == pytest.approx(np.mean([one.standard_error for one in by_direction]), rel=0.36)


def test_both_say_the_direction_only_where_it_matters() -> None:
    for matrix, is_said in ((skewed(), True), (normal(), False)):
        of_plan, by_simulation = both(matrix)
        for said in (" ".join(of_plan.sentences), " ".join(texts(report(by_simulation).findings, "page"))):
            assert ("if B is better and" in said) is is_said
            assert "verage over which" in said
            assert "equal means" in said
    known = directions(("A", "B"), (0.77, 0.85), 0.2, 20_000)
    assert known.sentence == (
        "The power is 85.0 % if B is better and 77.0 % if A is, as their differences are skewed."
    )
    assert known.standard_error == pytest.approx(math.sqrt((0.2 - 0.08**2) / 20_000), rel=1e-9)
    assert known.matters
    assert not directions(("A", "B"), (0.80, 0.805), 0.2, 20_000).matters


def test_of_one_pair_no_share_is_said() -> None:
    of_plan, by_simulation = both(skewed())
    exported = report(by_simulation)
    said = [*of_plan.sentences, *(one.text for one in exported.findings)]
    assert not [text for text in said if "have 80 %" in text or "80 % power" in text]
    assert [one.label for one in exported.findings if one.label] == ["Type I error", "topics"]
    assert exported.results()[0]["share_with_power"] is None
    (drawn,) = exported.figures()
    assert f"Power and Type I error of this pair, n = {by_simulation.n_topics}" in str(drawn.drawn.to_dict())
    assert QUESTION.slug == "check"  # the command prints this report


def test_swapped_scores_and_several_pairs_have_no_direction() -> None:
    swapped = achieved_power(skewed(), Request(test="wilcoxon", n_topics=30, min_d=MIN_D, n_trials=100))
    assert swapped.directions is None
    assert not swapped.is_of_either
    assert "exchangeable scores" in " ".join(texts(report(swapped).findings, "page"))
    rng = np.random.default_rng(1)
    several = achieved_power(of(rng.random((20, 3))), Request(test="paired-t", n_topics=20, n_trials=100))
    assert several.directions is None
    assert several.is_of_either
