"""How many groups of topics? A plan for topics that come in groups of k, and how many topics a group should have.

Topics of one group correlate by rho, so that the mean of a group of k topics has the variance

    sigma^2 (1 + (k - 1) rho) / k.

A test on the means of groups is the design itself, with groups as its topics: the same power with this variance and
degrees of freedom that groups give. Of equal groups it is the cluster-robust test of all topics
(`topicset_core.variance.clustered_differences`). Every test and interval of means is planned so, also a test with
looks, but none with a pilot.

A group costs c_g and each topic in it c_t. With power by a normal distribution the least cost is at
``k = sqrt((1 - rho) / rho * c_g / c_t)``, however many groups it takes (Cochran 1977, section 10.6); here all k are
tried with exact degrees of freedom.

References
----------
W. G. Cochran. Sampling techniques, 3rd edition. Wiley, 1977.
A. Donner, N. Klar. Design and analysis of cluster randomization trials in health research. Arnold, 2000.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from topicset_core.collection import ScoreMatrix
from topicset_core.designs import IN_GROUPS, Plan
from topicset_core.designs.replicated import COST_TOPIC
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import (
    DIFFERENCE_VARIANCE,
    MIN_D,
    MIN_DELTA,
    RESIDUAL_VARIANCE,
    WITHIN_SYSTEM_VARIANCE,
    Parameter,
    Setting,
)
from topicset_core.variance.choices import Estimate
from topicset_core.variance.group_components import (
    GroupComponents,
    design_effect,
    effects_of,
    group_components,
)
from topicset_core.variance.pooling import Weights, shares_of

GROUP_SIZE = Parameter(
    name="group_size",
    symbol="k",
    label="k, topics per group",
    help="Topics of one group, as turns of a conversation or questions on a passage; 1 for independent topics.",
    lower=1,
    upper=10_000,
    default=12,
    integer=True,
)
INTRACLASS_CORRELATION = Parameter(
    name="intraclass_correlation",
    symbol="ρ",
    label="ρ, intraclass correlation",
    help="How much topics of one group resemble each other: the share of the variance that is between groups.",
    lower_included=True,
    upper=1.0,
    upper_included=False,
    default=0.2,
    step=0.05,
)
COST_GROUP = replace(
    COST_TOPIC,
    name="cost_group",
    symbol="c_g",
    label="Cost of a group",
    help="Cost of one more group without its topics, in the unit of the cost of a topic.",
    default=1.0,
)

LARGEST_GROUP = 500
"""Topics per group up to which the least cost is sought."""

_VARIANCES = (WITHIN_SYSTEM_VARIANCE, RESIDUAL_VARIANCE, DIFFERENCE_VARIANCE)


@dataclass(frozen=True, kw_only=True)
class Split:
    """The groups that one number of topics per group takes."""

    group_size: int
    n_groups: int
    cost: float | None  # None without costs

    @property
    def n_topics(self) -> int:
        """Topics in all groups."""
        return self.group_size * self.n_groups


@dataclass(frozen=True, kw_only=True)
class GroupedPlan:
    """A plan of groups of topics.

    Parameters
    ----------
    of_topics : Plan
        The design with its values, of independent topics.
    plan : Plan
        The same with the means of groups as its topics, so that it counts groups.
    intraclass_correlation : float
        rho.
    splits : sequence of Split
        Groups and cost by topics per group, from 1 on.
    best : Split or None
        The one that costs least; None without costs.
    costs : (float, float) or None
        Of a group and of a topic.
    found : tuple of GroupComponents
        The components of each matrix of scores that rho is from; none where it is stated.
    """

    of_topics: Plan
    plan: Plan
    intraclass_correlation: float
    splits: Sequence[Split]
    best: Split | None
    costs: tuple[float, float] | None
    found: tuple[GroupComponents, ...] = ()

    @property
    def group_size(self) -> int:
        """Topics per group, k."""
        return self.plan.group_size

    @property
    def design_effect(self) -> float:
        """``1 + (k - 1) rho``."""
        return design_effect(self.group_size, self.intraclass_correlation)

    @cached_property
    def independent_topics(self) -> int:
        """How many topics the design takes if they are independent."""
        return int(self.of_topics.required_topics().required_topics)

    @property
    def correlations(self) -> tuple[float, float] | None:
        """The confidence interval of rho, from 0 to below 1; None where it is stated, or from several matrices."""
        if len(self.found) != 1:
            return None
        interval = self.found[0].intraclass_correlation_interval
        low, high = (min(max(end, 0.0), 1 - 1e-9) for end in (interval.low, interval.high))
        return low, high

    def record(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return the record of an answer of it, its topics counted in groups and one by one, and what was asked."""
        of_means = {
            name.replace("one_topic_fewer", "one_group_fewer"): value
            for name, value in answer.items()
            if name != "effect_size"
        }
        return {
            **of_means,
            "requirements": asdict(self.of_topics.requirements),
            "required_groups": answer["required_topics"],
            "required_topics": answer["required_topics"] * self.group_size,
            "group_size": self.group_size,
            "intraclass_correlation": self.intraclass_correlation,
            "design_effect": self.design_effect,
            "independent_topics": self.independent_topics,
            "best": None if self.best is None else asdict(self.best) | {"n_topics": self.best.n_topics},
            **({"intraclass_correlation_interval": self.correlations} if self.correlations else {}),
        }

    @property
    def settings(self) -> list[Setting]:
        """What it was asked with."""
        costs = zip((COST_GROUP, COST_TOPIC), self.costs or (), strict=False)
        return [
            *self.of_topics.settings,
            Setting(GROUP_SIZE, self.group_size),
            Setting(INTRACLASS_CORRELATION, self.intraclass_correlation),
            *(Setting(*one) for one in costs),
        ]


def plan_of_means(plan: Plan, group_size: int, intraclass_correlation: float) -> Plan:
    """Return the plan whose topics are the means of groups."""
    factor = design_effect(group_size, intraclass_correlation) / group_size
    values = plan.values
    if MIN_DELTA.name in values:  # in standard deviations of one topic
        difference = float(plan.design.min_d_of(values[MIN_DELTA.name], 1.0))
        taken = {MIN_DELTA.name: None, MIN_D.name: difference, plan.variance_parameter.name: 1.0}
        plan = plan.with_(**taken)
    given = [one.name for one in _VARIANCES if one.name in plan.values]
    means = plan.with_(**{name: plan.values[name] * factor for name in given})
    return replace(means, group_size=group_size)


def in_groups(
    plan: Plan,
    intraclass_correlation: float,
    *,
    group_size: int | None = None,
    costs: tuple[float, float] | None = None,
) -> GroupedPlan:
    """Return the plan of groups of topics.

    Parameters
    ----------
    plan : Plan
        A test or an interval with all its values, of independent topics.
    intraclass_correlation : float
        rho of what the design takes the variance of, from 0 to below 1.
    group_size : int, optional
        Topics per group; where it is not given, the one with the least cost.
    costs : (float, float), optional
        Costs of a group and of a topic.

    Raises
    ------
    InputError
        If a value breaks its rule, the design is of another kind, or neither `group_size` nor `costs` is given.
    NoSolution
        If no number of topics per group meets the requirements.
    """
    rho = INTRACLASS_CORRELATION.check(intraclass_correlation)
    if plan.design not in IN_GROUPS:
        rule = f"must be a test or an interval of means, without a pilot, not {plan.design.slug}"
        raise InputError("design", plan.design.slug, rule)
    if costs is not None:
        COST_GROUP.check_given(costs[0])
        COST_TOPIC.check_given(costs[1])
        if not costs[1]:
            raise InputError(COST_TOPIC.name, costs[1], "must be above 0: groups would have no largest size")
    elif group_size is None:
        raise InputError(
            GROUP_SIZE.name, None, f"must be given, or {COST_GROUP.option} and {COST_TOPIC.option}"
        )
    splits = _splits(plan, rho, max(LARGEST_GROUP if costs else 0, 2 * (group_size or 0)), costs)
    best = min(splits, key=lambda one: (one.cost, one.n_topics)) if costs and splits else None
    if group_size is None:
        if best is None:
            raise NoSolution("no number of topics per group meets these requirements")
        group_size = best.group_size
    size = int(GROUP_SIZE.check(group_size))
    return GroupedPlan(
        of_topics=plan,
        plan=plan_of_means(plan, size, rho),
        intraclass_correlation=rho,
        splits=splits,
        best=best,
        costs=costs,
    )


def in_groups_of_scores(
    plan: Plan,
    matrices: Sequence[ScoreMatrix],
    estimate: Estimate,
    *,
    weights: Weights = "topics",
    group_size: int | None = None,
    costs: tuple[float, float] | None = None,
) -> GroupedPlan:
    """Return the plan of groups of topics, with rho by the groups of the scores that its variance is from.

    Several matrices pool both components, as they pool their variances.

    Parameters
    ----------
    plan : Plan
        A test or an interval with all its values; its variance is that over all topics of the scores.
    matrices : sequence of ScoreMatrix
        These scores, each with the group of each topic.
    estimate : Estimate
        How the variance is estimated from them.
    weights : {"topics", "degrees-of-freedom"}
        How they are pooled.
    group_size, costs
        As of `in_groups`; by default groups have as many topics as those of the scores, rounded.

    Raises
    ------
    InputError
        As `in_groups`, `group_components` and `pooled`.
    NoSolution
        As `in_groups`.
    """
    found = tuple(group_components(one, effects_of(estimate, one)) for one in matrices)
    shares = shares_of(matrices, estimate, weights)
    over_topics = [share * estimate(one) for share, one in zip(shares, matrices, strict=True)]
    of_one_topic = [part / one.understatement for part, one in zip(over_topics, found, strict=True)]
    rhos = [max(one.intraclass_correlation, 0.0) for one in found]
    rho = sum(part * one for part, one in zip(of_one_topic, rhos, strict=True)) / sum(of_one_topic)
    plan = plan.with_(**{plan.variance_parameter.name: plan.variance * sum(of_one_topic) / sum(over_topics)})
    if group_size is None and costs is None:
        group_size = average_size(matrices)
    return replace(in_groups(plan, rho, group_size=group_size, costs=costs), found=found)


def average_size(matrices: Sequence[ScoreMatrix]) -> int:
    """Return topics per group, rounded."""
    return round(sum(one.n_topics for one in matrices) / sum(len(one.group_sizes) for one in matrices))


def _splits(plan: Plan, rho: float, largest: int, costs: tuple[float, float] | None) -> list[Split]:
    """Return the groups for each number of topics per group; those that take too many are left out."""
    of_means = plan_of_means(plan, 1, 0.0)
    sizes = np.arange(1, min(largest, int(GROUP_SIZE.upper)) + 1)
    factors = (1 + (sizes - 1) * rho) / sizes
    groups = of_means.topics_of_variances((of_means.variance * factors).tolist())
    return [
        Split(
            group_size=size,
            n_groups=n,
            cost=None if costs is None else n * (costs[0] + size * costs[1]),
        )
        for size, n in zip(sizes.tolist(), groups, strict=True)
        if n is not None
    ]
