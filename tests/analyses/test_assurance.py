"""Assurance: expected power and certainty against quadrature apart, closed forms, simulation and real scores."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.reference_data import reference_matrix
from topicset_core.analyses.assurance import (
    FEWEST_REFLECTED,
    Assurance,
    AssuranceRequest,
    Reflected,
    ScaledInverseChiSquare,
    assurance,
    distribution_of,
    inflation_for_certainty,
    inflation_for_expected_power,
    pilot_totals,
)
from topicset_core.analyses.score_variance import variance_uncertainty
from topicset_core.analyses.sizing import TopicsRule, topics_rule
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import non_inferiority, paired_t
from topicset_core.errors import InputError
from topicset_core.variance import ONE_WAY, TWO_WAY

PAIRED: dict[str, Any] = {"alpha": 0.05, "beta": 0.20}
ANOVA = topics_rule("anova", min_d=0.10, n_systems=10, **PAIRED)
BLOCKED = topics_rule("blocked-anova", min_d=0.10, n_systems=10, **PAIRED)


def rule_of(min_d: float) -> TopicsRule:
    return topics_rule("paired-t", min_d=min_d, **PAIRED)


def by_chi_square(rule: TopicsRule, variance: float, df: float, certainty: float = 0.80) -> Assurance:
    distribution = ScaledInverseChiSquare(df)
    request = AssuranceRequest(rule=rule, variance=variance, distribution=distribution, certainty=certainty)
    return assurance(request)


# Computed apart from this code, with quadrature over chi-square in SciPy 1.17.1, and checked there by simulation
# (400,000 draws) and by R's qt(.8, nu, ncp): topics at the estimate, their expected power, topics for expected
# power, topics with 80 % and with 95 % certainty.
EXPECTED = [
    (rule_of(0.5), 1.0, 9, 34, 0.744852245, 40, 55, 87),
    (rule_of(0.5), 1.0, 19, 34, 0.775466416, 37, 46, 61),
    (rule_of(0.5), 1.0, 49, 34, 0.794600922, 35, 40, 48),
    (rule_of(0.2), 1.0, 9, 199, 0.739483479, 240, 331, 534),
    (rule_of(0.2), 1.0, 24, 199, 0.775982930, 213, 263, 342),
    (rule_of(0.2), 1.0, 49, 199, 0.788666844, 206, 240, 286),
    (rule_of(0.2), 1.0, 99, 199, 0.795132663, 202, 226, 255),
    (ANOVA, 0.0471, 9, 149, 0.724009201, 183, 248, 400),
    (ANOVA, 0.0471, 24, 149, 0.768407465, 161, 197, 257),
    (ANOVA, 0.0471, 49, 149, 0.784829293, 155, 180, 214),
    (ANOVA, 0.0471, 99, 149, 0.793451652, 152, 169, 191),
]


@pytest.mark.parametrize(("rule", "variance", "df", "plug_in", "power", "n", "n80", "n95"), EXPECTED)
def test_assurance_by_chi_square_against_quadrature(
    rule: TopicsRule, variance: float, df: int, plug_in: int, power: float, n: int, n80: int, n95: int
) -> None:
    result = by_chi_square(rule, variance, df)
    assert result.expected_power == pytest.approx(power, abs=6e-10)  # half a unit in the last digit printed
    assert result.plug_in_topics == plug_in
    assert result.topics_for_expected_power == n
    assert result.topics_for_certainty == n80
    assert by_chi_square(rule, variance, df, 0.95).topics_for_certainty == n95
    assert (result.effective_df, result.standard_error, result.is_resampled) == (df, None, False)


def test_expected_power_of_non_inferiority_against_powertost() -> None:
    # PowerTOST 1.5-7, exppower.noninf with alpha .025, margin .05, sigma_t^2 .0257, n 83, df 24: .7760869
    rule = topics_rule(non_inferiority.DESIGN, alpha=0.025, beta=0.2, margin=0.05, true_difference=0.0)
    result = by_chi_square(rule, 0.0257, 24)
    assert result.plug_in_topics == 83
    assert result.expected_power == pytest.approx(0.7760869, abs=6e-8)


def test_assurance_is_met_for_normal_scores_by_simulation() -> None:
    rng, df, share = np.random.default_rng(1995), 24, 0.80
    variances = rng.chisquare(df, 4000) / df  # estimates of a variance of 1
    limits = variances * inflation_for_certainty(np.array([float(df)]), share)
    topics = rule_of(0.2).topics(limits)
    power = paired_t.power(topics, 0.2, alpha=0.05)
    # Four standard errors of the share of 4,000 pilots, and at most one rounding of n upwards.
    assert np.mean(power >= 0.8) == pytest.approx(
        share, abs=4 * math.sqrt(share * (1 - share) / 4000) + 0.003
    )


FACTORS = {  # of the variance, by degrees of freedom: R 4.2.2, nu / qchisq(1 - gamma, nu), and qt(.8, nu, ncp)
    9: (1.672846, 2.706675, 1.2105),
    24: (1.328771, 1.733049, 1.0731),
    99: (1.137863, 1.284941, 1.0171),
    499: (1.056674, 1.113345, 1.0034),
}


@pytest.mark.parametrize("df", FACTORS)
def test_factors_against_r(df: int) -> None:
    nu, (at_80, at_95, on_average) = np.array([float(df)]), FACTORS[df]
    assert inflation_for_certainty(nu, 0.80)[0] == pytest.approx(at_80, abs=6e-7)
    assert inflation_for_certainty(nu, 0.95)[0] == pytest.approx(at_95, abs=6e-7)
    assert inflation_for_expected_power(nu, 0.05, 0.20)[0] == pytest.approx(on_average, abs=6e-5)


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


# Computed apart from this code from the same resamples (seed 20160601, 2,000 of them): estimate, topics, expected
# power, topics for it, topics with 80 % certainty by reflected resamples and by chi-square with n - 1, with 95 %.
REAL = [
    ("trec8_adhoc_ap", "AP", 0.0400804, 127, 0.7873, 131, 150, 153, 178),
    ("web2012_err20", "ERR@20", 0.0667518, 210, 0.7878, 216, 244, 254, 285),
    ("dl2019_passage_ndcg10", "nDCG@10", 0.0586394, 185, 0.7946, 188, 206, 227, 233),
]
REAL_BLOCKED = [
    ("trec8_adhoc_ap", "AP", 0.0136082, 44, 0.7976, 45, 50, 53, 56),
    ("web2012_err20", "ERR@20", 0.0388266, 123, 0.7925, 125, 139, 148, 159),
    ("dl2019_passage_ndcg10", "nDCG@10", 0.0208617, 67, 0.7960, 68, 76, 82, 86),
]


@pytest.mark.parametrize(
    ("rule", "estimate", "row"),
    [(ANOVA, ONE_WAY, row) for row in REAL] + [(BLOCKED, TWO_WAY, row) for row in REAL_BLOCKED],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_assurance_of_real_scores(rule: TopicsRule, estimate: object, row: tuple[object, ...]) -> None:
    name, measure, variance, plug_in, power, n, n80, by_chi2, n95 = row
    matrix = reference_matrix(str(name), str(measure))
    uncertain = variance_uncertainty([matrix], rule, estimate=estimate)  # type: ignore[arg-type]
    distribution = distribution_of([matrix], uncertain)
    assert isinstance(distribution, Reflected)
    result, at_95 = (
        assurance(
            AssuranceRequest(rule=rule, variance=uncertain.variance, distribution=distribution, certainty=one)
        )
        for one in (0.80, 0.95)
    )
    assert result.variance == pytest.approx(variance, abs=6e-8)
    assert result.expected_power == pytest.approx(power, abs=6e-5)
    answers = (result.plug_in_topics, result.topics_for_expected_power, result.topics_for_certainty)
    assert answers == (plug_in, n, n80)
    assert at_95.topics_for_certainty == n95
    assert by_chi_square(rule, result.variance, matrix.n_topics - 1).topics_for_certainty == by_chi2


def test_reflection_of_chi_square_resamples_is_the_scaled_inverse() -> None:
    # Resamples that scatter as chi-square give, reflected, v nu / chi^2 exactly: the same averages but for drawing.
    drawn = np.random.default_rng(7).chisquare(30, 20_000) / 30
    reflected = assurance(AssuranceRequest(rule=rule_of(0.2), variance=1.0, distribution=Reflected(drawn)))
    exact = by_chi_square(rule_of(0.2), 1.0, 30)
    assert reflected.expected_power is not None
    assert reflected.standard_error is not None
    assert abs(reflected.expected_power - (exact.expected_power or 0)) < 4 * reflected.standard_error
    assert reflected.effective_df == pytest.approx(30, rel=0.05)  # a variance of 20,000 draws: about 1 %
    assert abs((reflected.topics_for_certainty or 0) - (exact.topics_for_certainty or 0)) <= 3


def test_mean_power_by_interpolation_is_that_of_every_resample() -> None:
    variances = np.random.default_rng(8).gamma(5.0, 0.2, 3000)
    result = assurance(AssuranceRequest(rule=ANOVA, variance=0.05, distribution=Reflected(0.05 * variances)))
    assert ANOVA.power is not None
    assert result.plug_in_topics is not None
    every = ANOVA.power(result.plug_in_topics, 0.05 / variances)
    assert result.expected_power == pytest.approx(float(np.mean(every)), abs=1e-9)  # of the polynomial


def test_an_interval_has_assurance_only() -> None:
    rule = topics_rule("ci", alpha=0.05, max_width=0.10)
    result = by_chi_square(rule, 0.0942, 49)
    limit = 0.0942 * 49 / stats.chi2.ppf(0.2, 49)
    assert (result.expected_power, result.topics_for_expected_power) == (None, None)
    assert result.topics_for_certainty == int(rule.topics(limit))
    assert result.sentence == f"{result.topics_for_certainty:,} topics are enough with 80 % certainty"


def test_a_test_with_looks_takes_its_fewest_topics() -> None:
    rule = topics_rule("looks", min_d=0.6, looks=5, spending="pocock", **PAIRED)
    result = by_chi_square(rule, 0.0942, 24)
    assert result.topics_for_expected_power == int(rule.topics(1e-9))  # the fewest that five looks can have


def test_few_topics_take_a_chi_square_distribution() -> None:
    rng = np.random.default_rng(3)
    names = tuple(f"s{i}" for i in range(4))
    scores = rng.random((12, 4))
    topics = tuple(f"t{i}" for i in range(12))
    small = ScoreMatrix(scores=scores, topics=topics, systems=names, measure="AP", name="small")
    uncertain = variance_uncertainty([small], ANOVA)
    distribution = distribution_of([small], uncertain)
    assert isinstance(distribution, ScaledInverseChiSquare)
    assert FEWEST_REFLECTED > 12
    assert distribution.df <= 11
    together = distribution_of([small, small, small], uncertain)  # 36 topics
    assert isinstance(together, Reflected)


def test_resamples_without_variance_are_left_out_and_counted() -> None:
    result = assurance(
        AssuranceRequest(rule=ANOVA, variance=0.05, distribution=Reflected(np.array([0.0, 0.05, 0.05])))
    )
    assert (result.n_without_variance, result.topics_for_certainty) == (1, result.plug_in_topics)
    with pytest.raises(InputError, match="resamples"):
        assurance(AssuranceRequest(rule=ANOVA, variance=0.05, distribution=Reflected(np.zeros(3))))


@pytest.mark.parametrize(
    ("variance", "certainty", "df", "named"),
    [
        (0.0, 0.8, 9.0, "variance"),
        (1.0, 1.0, 9.0, "certainty"),
        (1.0, 0.0, 9.0, "certainty"),
        (1.0, 0.8, 0.5, "df"),
    ],
)
def test_refusals(variance: float, certainty: float, df: float, named: str) -> None:
    with pytest.raises(InputError, match=named):
        by_chi_square(ANOVA, variance, df, certainty)
