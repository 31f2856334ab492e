"""How many groups of topics? A plan for topics that come in groups of k, and how many topics a group should have.

Topics of one group correlate by rho, so that the mean of a group of k topics has the variance

    sigma^2 (1 + (k - 1) rho) / k.

A test on the means of groups is the design itself, with groups as its topics: the same power with this variance and
degrees of freedom that groups give. Of equal groups it is the cluster-robust test of all topics
(`topicset_core.variance.clustered_differences`). Every test and interval of one round of topics is
planned so.

A group costs c_g and each topic in it c_t. With power by a normal distribution the least cost is at
``k = sqrt((1 - rho) / rho * c_g / c_t)``, however many groups it takes (Cochran 1977, section 10.6); here all k are
tried with exact degrees of freedom.

References
----------
W. G. Cochran. Sampling techniques, 3rd edition. Wiley, 1977.
A. Donner, N. Klar. Design and analysis of cluster randomization trials in health research. Arnold, 2000.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from topicset_core.collection import ScoreMatrix
from topicset_core.designs import DESIGNS, Plan
from topicset_core.designs.replicated import COST_TOPIC
from topicset_core.designs.results import Result
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
from topicset_core.variance.choices import ONE_WAY
from topicset_core.variance.group_components import GroupComponents, design_effect, group_components

GROUP_SIZE = Parameter(
    name="group_size",
    symbol="k",
    label="k, topics per group",
    help="Topics of one group, as turns of a conversation or questions on a passage.",
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
    """How many groups of topics a design takes.

    Parameters
    ----------
    plan : Plan
        The design with its values, of independent topics.
    result : Result
        Its answer where topics are means of groups.
    group_size : int
        Topics per group, k.
    intraclass_correlation : float
        rho.
    independent_topics : int
        How many topics the design takes if they are independent.
    splits : sequence of Split
        Groups and cost by topics per group, from 1 on.
    best : Split or None
        The one that costs least; None without costs.
    costs : (float, float) or None
        Of a group and of a topic.
    found : GroupComponents or None
        The components of scores that rho is from; None where it is stated.
    """

    plan: Plan
    result: Result
    group_size: int
    intraclass_correlation: float
    independent_topics: int
    splits: Sequence[Split]
    best: Split | None
    costs: tuple[float, float] | None
    found: GroupComponents | None = None

    @property
    def n_groups(self) -> int:
        """Groups that are required, per system where each has topics of its own."""
        return self.result.required_topics

    @property
    def n_topics(self) -> int:
        """Topics in these groups."""
        return self.n_groups * self.group_size

    @property
    def design_effect(self) -> float:
        """``1 + (k - 1) rho``."""
        return design_effect(self.group_size, self.intraclass_correlation)

    @property
    def correlations(self) -> tuple[float, float] | None:
        """The confidence interval of rho, from 0 to below 1; None where it is stated."""
        if self.found is None:
            return None
        interval = self.found.intraclass_correlation_interval
        low, high = (min(max(end, 0.0), 1 - 1e-9) for end in (interval.low, interval.high))
        return low, high

    @cached_property
    def groups_interval(self) -> tuple[int, int] | None:
        """The groups at both ends of the interval of rho; None where it is stated."""
        if self.correlations is None:
            return None
        low, high = (
            int(plan_of_means(self.plan, self.group_size, end).required_topics().required_topics)
            for end in self.correlations
        )
        return low, high

    @property
    def evidence(self) -> str:
        """What the groups and one group fewer attain, as a sentence without its end."""
        return self.result.evidence.replace("one topic fewer", "one group fewer")

    def record(self) -> dict[str, Any]:
        """Return the answer of the design, its topics counted in groups and one by one, and what was asked."""
        of_means = {
            name.replace("one_topic_fewer", "one_group_fewer"): value
            for name, value in self.result.record().items()
            if name != "effect_size"
        }
        return {
            **of_means,
            "requirements": asdict(self.plan.requirements),
            "required_groups": self.n_groups,
            "required_topics": self.n_topics,
            "group_size": self.group_size,
            "intraclass_correlation": self.intraclass_correlation,
            "design_effect": self.design_effect,
            "independent_topics": self.independent_topics,
            "best": None if self.best is None else asdict(self.best) | {"n_topics": self.best.n_topics},
            **(
                {}
                if self.found is None
                else {
                    "intraclass_correlation_interval": self.correlations,
                    "groups_interval": self.groups_interval,
                }
            ),
        }

    @property
    def settings(self) -> list[Setting]:
        """What it was asked with."""
        costs = zip((COST_GROUP, COST_TOPIC), self.costs or (), strict=False)
        return [
            *self.plan.settings,
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
    return plan.with_(**{name: plan.values[name] * factor for name in given})


def required_groups(
    plan: Plan,
    intraclass_correlation: float,
    *,
    group_size: int | None = None,
    costs: tuple[float, float] | None = None,
) -> GroupedPlan:
    """Return how many groups of topics the design takes.

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
        If more than ten million groups would be needed.
    """
    rho = INTRACLASS_CORRELATION.check(intraclass_correlation)
    if plan.design not in DESIGNS:
        rule = f"must be a test or an interval of one round of topics, not {plan.design.slug}"
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
        plan=plan,
        result=plan_of_means(plan, size, rho).required_topics(),
        group_size=size,
        intraclass_correlation=rho,
        independent_topics=int(plan.required_topics().required_topics),
        splits=splits,
        best=best,
        costs=costs,
    )


def groups_by_scores(
    plan: Plan,
    matrix: ScoreMatrix,
    *,
    group_size: int | None = None,
    costs: tuple[float, float] | None = None,
) -> GroupedPlan:
    """Return how many groups the design takes, with rho by the groups of the scores that its variance is from.

    Parameters
    ----------
    plan : Plan
        A test or an interval with all its values; its variance is that over all topics of the scores.
    matrix : ScoreMatrix
        These scores, with the group of each topic.
    group_size, costs
        As of `required_groups`.

    Raises
    ------
    InputError
        As `required_groups` and `group_components`.
    NoSolution
        If more than ten million groups would be needed.
    """
    of_scores = (plan.takes == "within-system" and plan.measured_by is ONE_WAY) or matrix.n_systems == 1
    found = group_components(matrix, "one-way" if of_scores else "two-way")
    plan = plan.with_(**{plan.variance_parameter.name: plan.variance / found.understatement})
    rho = max(found.intraclass_correlation, 0.0)
    return replace(required_groups(plan, rho, group_size=group_size, costs=costs), found=found)


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
