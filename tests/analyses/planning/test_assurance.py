"""Assurance: expected power and certainty against quadrature apart, closed forms, simulation and real scores."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.reference_data import reference_matrix
from topicset_core.analyses.planning.assurance import (
    Assurance,
    AssuranceRequest,
    assurance,
    inflation_for_expected_power,
    pilot_totals,
)
from topicset_core.analyses.score_variance import variance_uncertainty
from topicset_core.designs import (
    Plan,
    blocked_anova,
    confidence_interval,
    non_inferiority,
    one_way_anova,
    paired_t,
)
from topicset_core.errors import InputError
from topicset_core.variance import ONE_WAY, TWO_WAY, Estimate
from topicset_core.variance.intervals import HOLDS_ONE, Simulated, inflation

PAIRED: dict[str, Any] = {"alpha": 0.05, "beta": 0.20}
ANOVA = one_way_anova.DESIGN.plan(min_d=0.10, n_systems=10, **PAIRED)
BLOCKED = blocked_anova.DESIGN.plan(min_d=0.10, n_systems=10, **PAIRED)


def plan_of(min_d: float) -> Plan:
    return paired_t.DESIGN.plan(min_d=min_d, **PAIRED)


def by_chi_square(plan: Plan, variance: float, df: float, certainty: float = 0.80) -> Assurance:
    return assurance(AssuranceRequest(plan=plan, variance=variance, effective_df=df, certainty=certainty))


# Computed apart from this code, with quadrature over chi-square in SciPy 1.17.1, and checked there by simulation
# (400,000 draws) and by R's qt(.8, nu, ncp): topics at the estimate, their expected power, topics for expected
# power, topics with 80 % and with 95 % certainty.
EXPECTED = [
    (plan_of(0.5), 1.0, 9, 34, 0.744852245, 40, 55, 87),
    (plan_of(0.5), 1.0, 19, 34, 0.775466416, 37, 46, 61),
    (plan_of(0.5), 1.0, 49, 34, 0.794600922, 35, 40, 48),
    (plan_of(0.2), 1.0, 9, 199, 0.739483479, 240, 331, 534),
    (plan_of(0.2), 1.0, 24, 199, 0.775982930, 213, 263, 342),
    (plan_of(0.2), 1.0, 49, 199, 0.788666844, 206, 240, 286),
    (plan_of(0.2), 1.0, 99, 199, 0.795132663, 202, 226, 255),
    (ANOVA, 0.0471, 9, 149, 0.724009201, 183, 248, 400),
    (ANOVA, 0.0471, 24, 149, 0.768407465, 161, 197, 257),
    (ANOVA, 0.0471, 49, 149, 0.784829293, 155, 180, 214),
    (ANOVA, 0.0471, 99, 149, 0.793451652, 152, 169, 191),
]


@pytest.mark.parametrize(("plan", "variance", "df", "plug_in", "power", "n", "n80", "n95"), EXPECTED)
def test_assurance_by_chi_square_against_quadrature(
    plan: Plan, variance: float, df: int, plug_in: int, power: float, n: int, n80: int, n95: int
) -> None:
    result = by_chi_square(plan, variance, df)
    assert result.expected_power == pytest.approx(power, abs=6e-10)  # half a unit in the last digit printed
    assert result.plug_in_topics == plug_in
    assert result.topics_for_expected_power == n
    assert result.topics_for_certainty == n80
    assert by_chi_square(plan, variance, df, 0.95).topics_for_certainty == n95
    assert result.effective_df == df


def test_expected_power_of_non_inferiority_against_powertost() -> None:
    # PowerTOST 1.5-7, exppower.noninf with alpha .025, margin .05, sigma_t^2 .0257, n 83, df 24: .7760869
    plan = non_inferiority.DESIGN.plan(alpha=0.025, beta=0.2, margin=0.05, true_difference=0.0)
    result = by_chi_square(plan, 0.0257, 24)
    assert result.plug_in_topics == 83
    assert result.expected_power == pytest.approx(0.7760869, abs=6e-8)


def test_assurance_is_met_for_normal_scores_by_simulation() -> None:
    rng, df, share = np.random.default_rng(1995), 24, 0.80
    variances = rng.chisquare(df, 4000) / df  # estimates of a variance of 1
    limits = variances * inflation(df, share)
    topics = plan_of(0.2).topics(variance=limits)
    power = paired_t.power(topics, 0.2, alpha=0.05)
    # Four standard errors of the share of 4,000 pilots, and at most one rounding of n upwards.
    assert np.mean(power >= 0.8) == pytest.approx(
        share, abs=4 * math.sqrt(share * (1 - share) / 4000) + 0.003
    )


ON_AVERAGE = {9: 1.2105, 24: 1.0731, 99: 1.0171, 499: 1.0034}
"""Factor of the variance for expected power, by degrees of freedom: R 4.2.2, qt(.8, nu, ncp)."""


def test_factors_of_expected_power_against_r() -> None:
    found = inflation_for_expected_power(np.array(list(ON_AVERAGE), dtype=float), 0.05, 0.20)
    assert found == pytest.approx(list(ON_AVERAGE.values()), abs=6e-5)


PILOTS = {  # topics if the variance were known: best pilot, total, pilots within 1 %; expected power, 80 %, 95 %
    50: ((11, 70, (9, 14)), (17, 89, (14, 21)), (27, 112, (22, 32))),
    100: ((15, 128, (12, 19)), (24, 158, (19, 31)), (38, 192, (31, 47))),
    200: ((20, 239, (15, 28)), (35, 287, (26, 46)), (55, 338, (43, 71))),
    500: ((31, 560, (21, 46)), (58, 653, (41, 82)), (92, 742, (69, 124))),
    1000: ((43, 1084, (27, 70)), (87, 1237, (58, 130)), (139, 1373, (99, 194))),
}


@pytest.mark.parametrize("topics", PILOTS)
def test_size_of_a_pilot_against_a_separate_search(topics: int) -> None:
    for certainty, expected in zip((None, 0.80, 0.95), PILOTS[topics], strict=True):
        result = pilot_totals(topics, certainty=certainty)
        assert (result.best, round(result.least), result.nearly_best) == expected


@pytest.mark.parametrize(("plan", "estimate"), [(ANOVA, ONE_WAY), (BLOCKED, TWO_WAY)])
@pytest.mark.parametrize(
    ("name", "measure"), [("trec8_adhoc_ap", "AP"), ("web2012_err20", "ERR@20"), ("dl2019_passage_ap", "AP")]
)
def test_one_distribution_gives_interval_and_certainty_of_real_scores(
    plan: Plan, estimate: Estimate, name: str, measure: str
) -> None:
    uncertain = variance_uncertainty([reference_matrix(name, measure)], plan, estimate=estimate)
    df = uncertain.interval.effective_df
    request = AssuranceRequest(
        plan=plan,
        variance=uncertain.variance,
        effective_df=df,
        certainty=0.95,
        holds=uncertain.interval.holds,
    )
    result = assurance(request)
    assert result.upper_limit == uncertain.interval.high  # the upper end of a 90 % interval
    assert (result.plug_in_topics, result.topics_for_certainty) == (
        uncertain.topics,
        uncertain.topics_interval[1],
    )
    # Averages over chi-square variances, by simulation: four standard errors of 20,000 draws of powers.
    assert result.plug_in_topics is not None
    drawn = uncertain.variance * df / np.random.default_rng(7).chisquare(df, 20_000)
    powers = np.interp(
        drawn,
        grid := np.geomspace(drawn.min(), drawn.max(), 400),
        plan.power(result.plug_in_topics, variance=grid),
    )
    assert result.expected_power == pytest.approx(powers.mean(), abs=4 * powers.std() / math.sqrt(20_000))


def test_the_sentence_gives_what_holds_of_scores() -> None:
    of_scores = assurance(
        AssuranceRequest(plan=ANOVA, variance=0.0471, effective_df=49, holds=Simulated(64, 95))
    )
    assert "180 topics have 80 % power with 80 % certainty (64 to 95 % in simulation)" in of_scores.sentence
    assert "simulation" not in by_chi_square(ANOVA, 0.0471, 49).sentence
    of_pair = assurance(AssuranceRequest(plan=ANOVA, variance=0.0471, effective_df=49, holds=HOLDS_ONE))
    assert "80 % certainty (65 to 100 % in simulation, in up to 10 % of cases less)" in of_pair.sentence


def test_an_interval_has_assurance_only() -> None:
    plan = confidence_interval.DESIGN.plan(alpha=0.05, max_width=0.10)
    result = by_chi_square(plan, 0.0942, 49)
    limit = 0.0942 * 49 / stats.chi2.ppf(0.2, 49)
    assert (result.expected_power, result.topics_for_expected_power) == (None, None)
    assert result.topics_for_certainty == int(plan.topics(variance=limit))
    assert result.sentence == f"{result.topics_for_certainty:,} topics are enough with 80 % certainty"


@pytest.mark.parametrize(
    ("variance", "certainty", "df", "named"),
    [
        (0.0, 0.8, 9.0, "variance"),
        (1.0, 1.0, 9.0, "certainty"),
        (1.0, 0.0, 9.0, "certainty"),
        (1.0, 0.8, 0.5, "effective_df"),
    ],
)
def test_refusals(variance: float, certainty: float, df: float, named: str) -> None:
    with pytest.raises(InputError, match=named):
        by_chi_square(ANOVA, variance, df, certainty)
