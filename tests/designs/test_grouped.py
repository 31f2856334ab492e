"""Groups of topics: closed forms, brute force, published formulas and simulated cluster-robust tests."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.refusals import refused
from tests.variance.test_group_components import drawn
from topicset_core.designs import DESIGNS, Design, design_named
from topicset_core.designs.grouped import GroupedPlan, in_groups, plan_of_means
from topicset_core.parameters import DIFFERENCE_VARIANCE, MIN_D, RESIDUAL_VARIANCE
from topicset_core.variance import clustered_differences

VALUES: dict[str, Any] = {
    "alpha": 0.05,
    "beta": 0.2,
    "min_d": 0.05,
    "margin": 0.05,
    "max_width": 0.06,
    "true_difference": 0.0,
    "n_systems": 4,
    "difference_variance": 0.03,
    "residual_variance": 0.015,
    "within_system_variance": 0.015,
}


def plan_of(design: Design, **more: Any) -> Any:
    taken = {one.name for one in (*design.parameters, design.variance)}
    return design.plan(**{name: value for name, value in (VALUES | more).items() if name in taken})


PAIRED = plan_of(design_named("paired-t"))


def n_groups(found: GroupedPlan) -> int:
    return int(found.plan.required_topics().required_topics)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda one: one.slug)
def test_groups_of_one_or_of_equal_topics(design: Design) -> None:
    """With k = 1 a group is a topic, with rho near 1 too; with rho = 0 the topics are those it takes."""
    plan = plan_of(design)
    independent = in_groups(plan, 0.3, group_size=1)
    assert n_groups(independent) == independent.independent_topics == plan.required_topics().required_topics
    alike = in_groups(plan, 1 - 1e-9, group_size=7)
    assert n_groups(alike) in (n_groups(independent), n_groups(independent) - 1)  # 1e-9 less variance
    free = in_groups(plan, 0.0, group_size=7)
    # Fewer degrees of freedom take more topics: at most what two further groups have.
    assert n_groups(independent) <= 7 * n_groups(free) <= n_groups(independent) + 3 * 7


def test_paired_t_against_the_noncentral_t_of_scipy() -> None:
    """The smallest g whose t test of g means of k topics has the power: Donner and Klar (2000), section 5.2."""
    for k, rho in ((12, 0.2), (5, 0.05), (30, 0.5)):
        effect = 0.05 / math.sqrt(0.03 * (1 + (k - 1) * rho) / k)

        def power(g: int, effect: float = effect) -> float:
            critical = stats.t.isf(0.025, g - 1)
            noncentral = stats.nct(g - 1, math.sqrt(g) * effect)
            return float(noncentral.sf(critical) + noncentral.cdf(-critical))

        found = in_groups(PAIRED, rho, group_size=k)
        assert power(n_groups(found)) >= 0.8 > power(n_groups(found) - 1)
        assert found.plan.required_topics().attained == pytest.approx(power(n_groups(found)), abs=1e-9)
        assert found.design_effect == pytest.approx(1 + (k - 1) * rho)


def test_the_power_of_a_cluster_robust_test_of_all_topics() -> None:
    """1,500 independent pairs on the planned groups: the share that CR2 finds, within four standard errors."""
    plan = plan_of(design_named("paired-t"), min_d=0.1)
    found = in_groups(plan, 0.2, group_size=6)
    parts = [drawn((6,) * n_groups(found), 0.2, 100, seed) for seed in range(30)]
    significant = []
    for part in parts:
        scores = math.sqrt(0.015) * part.scores + 0.1 * (np.arange(100) % 2)  # odd systems are better
        pairs = clustered_differences(part.__class__(**{**vars_of(part), "scores": scores}))
        disjoint = (pairs.first % 2 == 0) & (pairs.second == pairs.first + 1)
        significant += (pairs.p_values[disjoint] <= 0.05).tolist()
    error = math.sqrt(0.8 * 0.2 / len(significant))
    assert np.mean(significant) == pytest.approx(found.plan.required_topics().attained, abs=4 * error)


def vars_of(matrix: Any) -> dict[str, Any]:
    return {name: getattr(matrix, name) for name in ("topics", "systems", "measure", "name", "groups")}


def test_least_cost_against_brute_force_and_the_formula() -> None:
    found = in_groups(PAIRED, 0.2, costs=(5.0, 1.0))
    by_hand = [(n_groups(in_groups(PAIRED, 0.2, group_size=k)) * (5 + k), k) for k in range(1, 15)]
    assert found.best is not None
    assert (found.best.cost, found.best.group_size) == min(by_hand)
    assert found.group_size == found.best.group_size
    # Cochran: sqrt(.8 / .2 * 5) = 4.47; degrees of freedom and whole groups move it by little.
    assert abs(found.group_size - math.sqrt(0.8 / 0.2 * 5)) <= 1.5


def test_an_effect_in_standard_deviations_is_that_of_a_topic() -> None:
    for design in DESIGNS:
        if design.takes_effects and design.variance in (DIFFERENCE_VARIANCE, RESIDUAL_VARIANCE):
            plan = plan_of(design)
            effect = design.requirements(**plan.values).effect_size
            bare = plan.with_(min_delta=effect, **dict.fromkeys((MIN_D.name, design.variance.name)))
            pair = [in_groups(one, 0.2, group_size=12) for one in (plan, bare)]
            assert n_groups(pair[0]) == n_groups(pair[1]), design.slug
            means = [plan_of_means(one, 12, 0.2).requirements.effect_size for one in (plan, bare)]
            assert means[0] == pytest.approx(means[1], rel=1e-12)


def test_refusals() -> None:
    assert refused(in_groups, PAIRED, 1.0, group_size=2).parameter == "intraclass_correlation"
    assert refused(in_groups, PAIRED, -0.1, group_size=2).parameter == "intraclass_correlation"
    assert refused(in_groups, PAIRED, 0.2, group_size=0).parameter == "group_size"
    assert refused(in_groups, PAIRED, 0.2).parameter == "group_size"
    assert refused(in_groups, PAIRED, 0.2, costs=(1.0, 0.0)).parameter == "cost_topic"
    shares = design_named("mcnemar").plan(alpha=0.05, beta=0.2, min_d=0.05, difference_variance=0.03)
    assert refused(in_groups, shares, 0.2, group_size=2).parameter == "design"


def test_looks_in_groups_are_looks_at_their_means() -> None:
    """.03 (1 + 11 x .2) / 12 = .008: the same looks as of topics with this variance, in words of groups."""
    given: dict[str, Any] = {"alpha": 0.05, "beta": 0.2, "min_d": 0.05, "looks": 3}
    looks = design_named("looks").plan(**given, difference_variance=0.03)
    found = in_groups(looks, 0.2, group_size=12).plan.required_topics()
    means = looks.with_(difference_variance=0.008).required_topics()
    assert (found.topics, found.critical_t) == (means.topics, means.critical_t)
    assert found.in_words == means.in_words.replace("topics", "groups")
    assert f"at {found.topics[0]} groups" in found.in_words
    assert found.in_words.count("groups") == 4
    assert found.rounds["groups"] == found.topics
