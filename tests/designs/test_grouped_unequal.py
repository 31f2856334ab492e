"""Groups of unequal size: closed forms, identities with equal groups, and simulated cluster-robust tests."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import special, stats

from tests.designs.test_grouped import PAIRED, n_groups, plan_of
from tests.refusals import refused
from tests.variance.test_group_components import drawn
from topicset_core.analyses.planning.assurance import AssuranceRequest, assurance
from topicset_core.analyses.planning.curves import curves_around
from topicset_core.analyses.planning.grouped_report import ROUGH, correlation_in_words, grouped_findings
from topicset_core.analyses.score_variance.uncertainty import uncertainty_in_groups, variance_uncertainty
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import IN_GROUPS, Design, design_named
from topicset_core.designs.grouped import (
    GROUP_SIZE_CV,
    INTRACLASS_CORRELATION,
    MOST_SPLITS,
    in_groups,
    in_groups_of_scores,
    variation_of_sizes,
)
from topicset_core.designs.search import equal_groups
from topicset_core.variance import MEAN_PAIR_DIFFERENCE, clustered_differences
from topicset_core.variance.clustered_differences import satterthwaite_df

# 30 groups of 1 to 45 topics, 15.1 on average, with CV = 1.11: most are small, a third are large.
LONG_TAIL = (*[1, 2, 3] * 4, 4, 4, 5, 5, 6, 6, 8, 8, 30, 30, 35, 35, 40, 40, 42, 42, 45, 45)
# Tasks per repository in an evaluation set of coding agents.
REPOSITORIES = (24, *[3] * 10, *[2] * 5)
UNIFORM = tuple(range(1, 31))


def log_normal(cv: float, mean: float = 12) -> tuple[int, ...]:
    """Quantiles of a log-normal distribution, from 1 topic on."""
    spread = math.sqrt(math.log(1 + cv * cv))
    quantiles = mean * np.exp(spread * special.ndtri((np.arange(200) + 0.5) / 200) - spread**2 / 2)
    return tuple(np.maximum(1, np.rint(quantiles)).astype(int).tolist())


def cv_of(sizes: tuple[int, ...]) -> float:
    return float(np.std(sizes) / np.mean(sizes))


def looks_or(design: Design) -> Any:
    values: dict[str, Any] = {"alpha": 0.05, "beta": 0.2, "min_d": 0.05, "difference_variance": 0.03}
    return design.plan(**values, looks=3) if design.slug == "looks" else plan_of(design)


@pytest.mark.parametrize("sizes", [LONG_TAIL, REPOSITORIES, UNIFORM], ids=["long", "repositories", "uniform"])
def test_variance_of_the_mean_and_degrees_of_freedom_of_given_sizes(sizes: tuple[int, ...]) -> None:
    """The variance of a sum of correlated topics, added up group by group, and nu of CR2 with these shares."""
    n, k, rho = np.asarray(sizes, dtype=float), float(np.mean(sizes)), 0.2
    by_sum = 0.03 * (n + n * (n - 1) * rho).sum() / n.sum() ** 2
    plan = in_groups(PAIRED, rho, group_size=round(k), size_cv=cv_of(sizes)).plan
    size = k * (1 + cv_of(sizes) ** 2)
    by_formula = 0.03 * (1 + (size - 1) * rho) / size / float(equal_groups(n.size, cv_of(sizes)))
    assert by_formula == pytest.approx(by_sum, rel=1e-12)  # sums of 30 terms
    if k == round(k):
        assert plan.variance / float(equal_groups(n.size, plan.size_cv)) == pytest.approx(by_sum, rel=1e-12)
    # Three times these groups: terms of second order, of the third moment of the sizes, are left out.
    shares = np.tile(n, 3) / (3 * n.sum())
    nu = float(equal_groups(shares.size, cv_of(sizes))) - 1
    assert nu == pytest.approx(satterthwaite_df(shares), rel=0.03)


def test_many_groups_against_the_closed_form_of_eldridge() -> None:
    """Eldridge et al. (2006): G = (z + z)^2 s^2 / (k d^2) (1 + ((1 + CV^2) k - 1) rho), of one mean."""
    z = stats.norm.isf(0.025) + stats.norm.isf(0.2)
    for k, cv, rho in ((15, 1.1, 0.2), (4, 1.3, 0.05), (30, 0.3, 0.4)):
        plan = PAIRED.with_(min_d=0.004)
        formula = z**2 * 0.03 / (k * 0.004**2) * (1 + ((1 + cv**2) * k - 1) * rho)
        found = n_groups(in_groups(plan, rho, group_size=k, size_cv=cv))
        # A t test takes z^2 / 2 more than a normal one to first order (Guenther 1981), in groups of equal size; the
        # next order is below 1 / 1000 of that here. Rounded up.
        exact = formula + stats.norm.isf(0.025) ** 2 / 2 * (1 + cv**2)
        assert exact - 0.1 <= found <= exact + 1.1


def test_paired_t_against_the_noncentral_t_of_scipy() -> None:
    """SciPy's distribution at G / (1 + CV^2) - 1 degrees of freedom, which need not be a whole number."""
    for k, cv, rho in ((15, 1.11, 0.2), (4, 1.3, 0.11), (12, 0.5, 0.4)):
        error = math.sqrt(0.03 / k * (1 + ((1 + cv**2) * k - 1) * rho))

        def power(g: int, cv: float = cv, error: float = error) -> float:
            df = g / (1 + cv**2) - 1
            critical, noncentral = stats.t.isf(0.025, df), stats.nct(df, math.sqrt(g) * 0.05 / error)
            return float(noncentral.sf(critical) + noncentral.cdf(-critical))

        found = in_groups(PAIRED, rho, group_size=k, size_cv=cv)
        result = found.plan.required_topics()
        assert power(result.required_topics) >= 0.8 > power(result.required_topics - 1)
        # SciPy's noncentral t has nine digits.
        assert result.attained == pytest.approx(power(result.required_topics), abs=1e-9)
        assert result.one_fewer == pytest.approx(power(result.required_topics - 1), abs=1e-9)
        assert found.design_effect == pytest.approx(1 + ((1 + cv**2) * k - 1) * rho)


@pytest.mark.parametrize("design", IN_GROUPS, ids=lambda one: one.slug)
def test_with_cv_1_two_groups_are_one_of_twice_the_topics(design: Design) -> None:
    """1 + CV^2 = 2, so all that 2n groups of k topics do is what n equal groups of 2k topics do."""
    plan = looks_or(design)
    unequal = in_groups(plan, 0.2, group_size=8, size_cv=1.0).plan
    equal = in_groups(plan, 0.2, group_size=16).plan
    for n in (15, 30, 45):  # divisible by three looks
        # The same functions at the same values: the last digits may differ where cells are computed together.
        assert float(unequal.attained(2 * n)) == pytest.approx(float(equal.attained(n)), rel=1e-12)
        assert float(unequal.detected(2 * n)) == pytest.approx(float(equal.detected(n)), rel=1e-9)
    found, as_equal = (one.required_topics().required_topics for one in (unequal, equal))
    assert (
        2 * as_equal - 2 < found <= 2 * as_equal or design.slug == "looks"
    )  # looks are rounded up otherwise


@pytest.mark.parametrize("design", IN_GROUPS, ids=lambda one: one.slug)
def test_every_design_answers_the_smallest_number_of_groups(design: Design) -> None:
    found = in_groups(looks_or(design), 0.2, group_size=15, size_cv=1.1)
    plan, result = found.plan, found.plan.required_topics()
    n = result.required_topics
    assert n > 1.5 * n_groups(in_groups(looks_or(design), 0.2, group_size=15))

    def meets(value: float) -> bool:
        return value >= result.target if result.at_least else value <= result.target

    assert result.one_fewer is not None
    assert meets(result.attained)
    assert not meets(result.one_fewer)
    # A power that is integrated depends on the number of nodes in its last digits.
    assert float(plan.attained(n)) == pytest.approx(result.attained, abs=1e-9)
    assert float(plan.attained(n - 1)) == pytest.approx(result.one_fewer, abs=1e-9)
    assert int(plan.topics()) == plan.topics_of(plan.variance) == n
    of_variances = plan.topics_of_variances([plan.variance / 2, 0.0, plan.variance, 1e9])
    assert of_variances[1:] == [None, n, None]
    assert (of_variances[0] or n) < n
    if design.has_power:
        least = float(plan.detected(n))
        assert float(plan.power(n, least)) == pytest.approx(0.8, abs=1e-6)  # solved to nine digits or more
        assert least <= plan.difference < float(plan.detected(n - 1))
    assert result.plan.attained(n) == plan.attained(n)
    assert (result.units, result.unit) == ("groups of 15 topics on average", "group")
    curves = curves_around(plan, n)
    assert (np.diff(curves.topics[0].topics) <= 0).all()
    assert curves.sizes.n_topics[0] == 5  # 2 (1 + 1.1^2) = 4.42 groups have one degree of freedom
    assert hash(plan) == hash(in_groups(looks_or(design), 0.2, group_size=15, size_cv=1.1).plan)
    assert plan.key[-2:] == (15, 1.1)
    assert "size_cv" not in result.record()


def test_equal_groups_are_planned_as_before() -> None:
    for design in IN_GROUPS:
        plan = looks_or(design)
        one = in_groups(plan, 0.2, group_size=12)
        other = in_groups(plan, 0.2, group_size=12, size_cv=0.0)
        assert one.plan == other.plan
        assert one.plan.key[-1] == 12
        assert GROUP_SIZE_CV not in [setting.parameter for setting in one.settings]
        assert GROUP_SIZE_CV.name not in one.record(one.plan.required_topics().record())


def rejected(sizes: list[tuple[int, ...]], rho: float, min_d: float, n_pairs: int = 50) -> float:
    """The share of independent pairs, on groups of each of these sizes, that CR2 finds at alpha = .05."""
    found: list[bool] = []
    for seed, one in enumerate(sizes):
        part = drawn(one, rho, 2 * n_pairs, seed)
        scores = math.sqrt(0.015) * part.scores + min_d * (
            np.arange(2 * n_pairs) % 2
        )  # odd systems are better
        pairs = clustered_differences(replace(part, scores=scores))
        disjoint = (pairs.first % 2 == 0) & (pairs.second == pairs.first + 1)
        found += (pairs.p_values[disjoint] <= 0.05).tolist()
    return float(np.mean(found))


SIMULATED = {
    "long tail": (LONG_TAIL, 0.2),
    "repositories, .11": (REPOSITORIES, 0.11),
    "repositories, .3": (REPOSITORIES, 0.3),
    "uniform": (UNIFORM, 0.2),
    "log-normal, .3": (log_normal(0.3), 0.4),
    "log-normal, 1": (log_normal(1.0), 0.4),
}


@pytest.mark.parametrize("case", SIMULATED)
@pytest.mark.parametrize("is_drawn", [True, False], ids=["drawn", "fixed"])
def test_the_power_of_a_cluster_robust_test_of_all_topics(case: str, is_drawn: bool) -> None:
    """At the planned groups, of sizes drawn for each collection, or their quantiles: stated power and level."""
    sizes, rho = SIMULATED[case]
    found = in_groups(PAIRED, rho, group_size=round(float(np.mean(sizes))), size_cv=cv_of(sizes))
    result = found.plan.required_topics()
    n, rng = result.required_topics, np.random.default_rng(7)
    quantiles = tuple(
        np.quantile(sizes, (np.arange(n) + 0.5) / n, method="inverted_cdf").astype(int).tolist()
    )
    patterns = [tuple(rng.choice(sizes, n).tolist()) if is_drawn else quantiles for _ in range(40)]
    error = math.sqrt(0.8 * 0.2 / 2000)  # 40 x 50 pairs
    # In 10,000 simulated evaluations of each of these cases it was within .03, to which the error here comes.
    assert rejected(patterns, rho, 0.05) == pytest.approx(result.attained, abs=0.03 + 3 * error)
    # CR2 rejected equal systems in .05 to .065 of them.
    assert 0.05 - 3 * 0.005 <= rejected(patterns, rho, 0.0) <= 0.065 + 3 * 0.005


def test_equal_groups_would_have_less_power() -> None:
    """Why sizes count: on as many groups as equal ones would take, CR2 has power .56 in 10,000 evaluations."""
    n = n_groups(in_groups(PAIRED, 0.3, group_size=4))
    rng = np.random.default_rng(3)
    patterns = [tuple(rng.choice(REPOSITORIES, n).tolist()) for _ in range(40)]
    error = math.sqrt(0.56 * 0.44 / 2000)  # 40 x 50 pairs; sizes of the 40 patterns add as much
    assert rejected(patterns, 0.3, 0.05) == pytest.approx(0.56, abs=2 * 3 * error)


def of_sizes(sizes: tuple[int, ...], rho: float = 0.3) -> ScoreMatrix:
    part = drawn(sizes, rho, 2)
    return replace(part, scores=0.2 * part.scores)


def test_sizes_are_taken_from_scores_with_the_correlation() -> None:
    matrix = of_sizes(LONG_TAIL)
    found = in_groups_of_scores(PAIRED, [matrix], MEAN_PAIR_DIFFERENCE)
    assert variation_of_sizes([matrix]) == pytest.approx(cv_of(LONG_TAIL))
    assert found.size_cv == pytest.approx(cv_of(LONG_TAIL))
    assert found.group_size == round(np.mean(LONG_TAIL))
    rho = found.intraclass_correlation
    stated = in_groups(found.of_topics, rho, group_size=found.group_size, size_cv=found.size_cv)
    assert n_groups(stated) == n_groups(found)
    two = [of_sizes(LONG_TAIL), of_sizes(UNIFORM)]
    assert variation_of_sizes(two) == pytest.approx(cv_of(LONG_TAIL + UNIFORM))
    assert variation_of_sizes([replace(matrix, groups=None)]) == 0


def test_groups_of_little_more_than_one_topic_are_groups() -> None:
    """Their mean of 1.33 topics is rounded to 2: with 1, a plan of independent topics would come."""
    found = in_groups_of_scores(PAIRED, [of_sizes((1,) * 20 + (8,))], MEAN_PAIR_DIFFERENCE)
    assert found.group_size == 2
    assert found.size_cv == pytest.approx(cv_of((1,) * 20 + (8,)))


def test_splits_of_large_groups_are_spread_evenly() -> None:
    few, many = (in_groups(PAIRED, 0.2, group_size=size, size_cv=0.5) for size in (60, 4000))
    assert [one.group_size for one in few.splits] == [*range(1, 121)]
    sizes = [one.group_size for one in many.splits]
    assert (sizes[0], sizes[-1]) == (1, 8000)
    assert 4000 in sizes
    assert len(sizes) <= MOST_SPLITS


def test_the_interval_of_the_groups_and_assurance_count_sizes() -> None:
    """Interval and estimate agree: the number at the variance of the interval is the required number."""
    matrix = of_sizes(LONG_TAIL)
    plan = PAIRED.with_(difference_variance=MEAN_PAIR_DIFFERENCE(matrix))
    uncertain = variance_uncertainty([matrix], plan, estimate=MEAN_PAIR_DIFFERENCE)
    found = in_groups_of_scores(plan, [matrix], MEAN_PAIR_DIFFERENCE)
    of_groups = uncertainty_in_groups(uncertain, found, [matrix])
    assert of_groups.variance == pytest.approx(found.plan.variance, rel=1e-9)
    assert of_groups.topics == n_groups(found)
    low, high = of_groups.topics_interval
    assert (low or 0) < n_groups(found) < (high or 0)
    assured = assurance(AssuranceRequest(plan=found.plan, variance=found.plan.variance, effective_df=10))
    assert assured.plug_in_topics == n_groups(found) < (assured.topics_for_expected_power or 0)
    assert assured.expected_power is not None
    assert 0.6 < assured.expected_power < 0.8


def test_few_groups_do_not_tell_the_correlation() -> None:
    for sizes in ((6, 7), (5, 8, 2), (4, 4, 4, 4)):
        error = refused(in_groups_of_scores, PAIRED, [of_sizes(sizes)], MEAN_PAIR_DIFFERENCE)
        assert error.parameter == INTRACLASS_CORRELATION.name
        assert error.rule.startswith(
            f"must be given, as the scores have {len(sizes)} groups, and fewer than 5"
        )
    assert in_groups_of_scores(PAIRED, [of_sizes((4, 4, 4, 4, 4))], MEAN_PAIR_DIFFERENCE).size_cv == 0


def test_refusals() -> None:
    for cv in (-0.1, 3.1, math.nan):
        assert refused(in_groups, PAIRED, 0.2, group_size=5, size_cv=cv).parameter == GROUP_SIZE_CV.name
    assert refused(in_groups, PAIRED, 0.2, group_size=1, size_cv=0.5).parameter == GROUP_SIZE_CV.name
    for design in IN_GROUPS:  # 2 (1 + 1.1^2) = 4.42
        plan = in_groups(looks_or(design), 0.2, group_size=15, size_cv=1.1).plan
        assert refused(plan.attained, 4).rule.startswith("must be at least 5 groups")


def test_least_cost_against_brute_force() -> None:
    found = in_groups(PAIRED, 0.2, size_cv=0.8, costs=(5.0, 1.0))
    by_hand = [
        (n_groups(in_groups(PAIRED, 0.2, group_size=k, size_cv=0.8 * (k > 1))) * (5 + k), k)
        for k in range(1, 15)
    ]
    assert found.best is not None
    assert (found.best.cost, found.best.group_size) == min(by_hand)
    assert found.splits[0].n_groups == found.independent_topics  # groups of one topic
    free = in_groups(PAIRED, 0.2, size_cv=0.8, costs=(0.0, 1.0))  # groups that cost nothing have one topic
    assert (free.group_size, free.size_cv) == (1, 0)


def test_records_and_sentences_have_the_variation_of_sizes() -> None:
    found = in_groups(PAIRED, 0.2, group_size=15, size_cv=1.1)
    result = found.plan.required_topics()
    record = found.record(result.record())
    assert (record["group_size"], record["group_size_cv"], record["required_groups"]) == (
        15,
        1.1,
        result.required_topics,
    )
    assert {one.parameter: one.value for one in found.settings}[GROUP_SIZE_CV] == 1.1
    # 15 (1 + 1.1^2) = 33.15 topics; design effect 1 + 32.15 x .2 = 7.43
    n = result.required_topics
    assert correlation_in_words(found).endswith(
        "(design effect 7.43, coefficient of variation of group sizes 1.1)"
    )
    counted_as = f"{n} of them count as {n / 2.21:.3g} groups of 33.1 topics each"
    sizes = "Groups of 15 topics on average (coefficient of variation 1.1)"
    said = [one.text for one in grouped_findings(found, result)]
    assert f"{sizes}: for a cluster-robust test {counted_as}." in said
    assert f"{n} groups of 15 topics on average" in result.lines[0]
    assert said.count(ROUGH) == 1  # 52 / 2.21 is below 25
    many = in_groups(PAIRED, 0.4, group_size=15, size_cv=1.1)
    assert ROUGH not in [one.text for one in grouped_findings(many, many.plan.required_topics())]
    of_width = in_groups(plan_of(design_named("ci"), max_width=0.1), 0.2, group_size=15, size_cv=1.1)
    assert ROUGH not in [one.text for one in grouped_findings(of_width, of_width.plan.required_topics())]


def test_few_groups_with_a_large_difference() -> None:
    """The least number of groups that have a degree of freedom: 2 (1 + 1.1^2) = 4.42."""
    found = in_groups(PAIRED.with_(min_d=5.0), 0.2, group_size=15, size_cv=1.1).plan.required_topics()
    assert (found.required_topics, found.one_fewer) == (5, None)
    assert found.evidence.endswith("leave the test less than one degree of freedom.")


def test_looks_at_groups_of_unequal_size() -> None:
    """Critical values have the degrees of freedom of the equal groups that groups count as; from 5 of these on."""
    looks = looks_or(design_named("looks"))
    found = in_groups(looks, 0.2, group_size=15, size_cv=1.1).plan.required_topics()
    for n, p, t in zip(found.topics, found.nominal_p, found.critical_t, strict=True):
        assert stats.t.isf(p / 2, n / 2.21 - 1) == pytest.approx(t, rel=1e-9)  # SciPy's digits
    assert found.topics[0] / 2.21 >= 5
    paired = in_groups(PAIRED, 0.2, group_size=15, size_cv=1.1)
    assert found.fixed_topics == n_groups(paired)
    error = math.sqrt(0.8 * 0.2 / 100_000)
    # Powers of looks are 0 to .7 points below those of t tests, as the module says.
    assert -4 * error <= found.simulated_power - found.attained <= 0.007 + 4 * error


def test_costs_alone_decide_on_the_size_of_groups_of_scores() -> None:
    """The size of the scores' groups is used where there are neither costs nor a size."""
    matrix = of_sizes(LONG_TAIL)
    found = in_groups_of_scores(PAIRED, [matrix], MEAN_PAIR_DIFFERENCE, costs=(200.0, 2.0))
    assert found.best is not None
    assert found.group_size == found.best.group_size
    assert found.best.cost == found.best.n_groups * (200 + 2 * found.group_size)
    # Cochran (1977), section 10.6, for K = (1 + CV^2) k: least is (c_g + c_t k) ((1 - rho) / k + (1 + CV^2) rho).
    # Whole groups and their degrees of freedom move it; the 15 topics of the scores' groups are far from it.
    counted = found.group_size * (1 + found.size_cv**2)
    rho = found.intraclass_correlation
    assert counted == pytest.approx(
        math.sqrt((1 - rho) / rho * 100) * math.sqrt(1 + found.size_cv**2), rel=0.3
    )


def test_groups_of_one_topic_do_not_vary_though_those_of_the_scores_do() -> None:
    """A plan of single topics is one of independent topics, with the variance of one topic: no effect of rho."""
    found = in_groups_of_scores(PAIRED, [of_sizes(LONG_TAIL)], MEAN_PAIR_DIFFERENCE, group_size=1)
    assert (found.group_size, found.size_cv, found.design_effect) == (1, 0.0, 1.0)
    assert n_groups(found) == found.independent_topics
