"""How many groups of topics? A plan for topics that come in groups of k, and how many topics a group should have.

Topics of one group correlate by rho, so that the mean of a group of k topics has the variance

    sigma^2 (1 + (k - 1) rho) / k.

A test on the means of groups is the design itself, with groups as its topics: the same power with this variance and
degrees of freedom that groups give. Of equal groups it is the cluster-robust test of all topics
(`topicset_core.variance.clustered_differences`). Every test and interval of means is planned so, also a test with
looks, but none with a pilot.

Of groups of unequal size, k topics on average with the coefficient of variation CV, the mean over the topics of G
groups has the variance (Eldridge, Ashby and Kerry 2006)

    sigma^2 / (G k) (1 + ((1 + CV^2) k - 1) rho).

That is the variance of the mean over G / (1 + CV^2) groups of the equal size K = (1 + CV^2) k, the size of the
group that an average topic is in, and they have the same number of topics. Satterthwaite's degrees of freedom of
the cluster-robust test are those of so many equal groups, too, to first order: with shares h_i of the topics,
sum h_i^2 = s = (1 + CV^2) / G and a_i = h_i^2 / (1 - h_i) almost h_i^2, they are 1 / (s + s^2), almost 1 / s - 1.
So G groups of unequal size are planned as G / (1 + CV^2) groups of K topics, which need not be a whole number.

Power and Type I error probabilities in simulation are in docs/evidence/designs.md.

A group costs c_g and each topic in it c_t. With power by a normal distribution the least cost is at
``k = sqrt((1 - rho) / rho * c_g / c_t)``, however many groups it takes (Cochran 1977, section 10.6); here all k are
tried with exact degrees of freedom.

References
----------
W. G. Cochran. Sampling techniques, 3rd edition. Wiley, 1977.
S. M. Eldridge, D. Ashby, S. Kerry. Sample size for cluster randomized trials: effect of coefficient of variation of
cluster size and analysis method. International Journal of Epidemiology 35, 1292-1300 (2006).
A. Donner, N. Klar. Design and analysis of cluster randomization trials in health research. Arnold, 2000.
"""

from collections.abc import Iterable, Mapping, Sequence
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
from topicset_core.wording import counted

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
GROUP_SIZE_CV = Parameter(
    name="group_size_cv",
    symbol="CV",
    label="CV, variation of group sizes",
    help="Standard deviation of the numbers of topics of groups over their mean; 0 where all are equal.",
    lower_included=True,
    upper=3.0,
    default=0.0,
    step=0.1,
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

MOST_SPLITS = 200
"""Splits that are searched for and shown without costs; of larger groups they are spread evenly."""

FEWEST_FOR_CORRELATION = 5
"""Groups below which the intraclass correlation is not taken from scores."""

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
    best: Split | None
    costs: tuple[float, float] | None
    found: tuple[GroupComponents, ...] = ()

    @cached_property
    def splits(self) -> Sequence[Split]:
        """Groups and cost by topics per group, from 1 to twice those planned; searched for where they are shown."""
        largest = max(LARGEST_GROUP if self.costs else 0, 2 * self.group_size)
        sizes: Iterable[int] = range(1, largest + 1)
        if not self.costs and largest > MOST_SPLITS:  # each is a search
            spread = np.linspace(1, largest, MOST_SPLITS - 1).round().astype(int)
            sizes = sorted({*spread.tolist(), self.group_size})
        return _splits(self.of_topics, self.intraclass_correlation, self.size_cv, sizes, self.costs)

    @property
    def group_size(self) -> int:
        """Topics per group, k, on average where groups are unequal."""
        return self.plan.group_size

    @property
    def size_cv(self) -> float:
        """CV, the coefficient of variation of the sizes of groups."""
        return self.plan.size_cv

    @property
    def counted_size(self) -> float:
        """K = (1 + CV^2) k, the size of the equal groups that they count as."""
        return counted_size(self.group_size, self.size_cv)

    @property
    def design_effect(self) -> float:
        """``1 + (K - 1) rho``."""
        return design_effect(self.counted_size, self.intraclass_correlation)

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
            **({GROUP_SIZE_CV.name: self.size_cv} if self.size_cv else {}),
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
            *([Setting(GROUP_SIZE_CV, self.size_cv)] if self.size_cv else []),
            Setting(INTRACLASS_CORRELATION, self.intraclass_correlation),
            *(Setting(*cost) for cost in costs),
        ]


def counted_size(group_size: float, size_cv: float) -> float:
    """Return K = (1 + CV^2) k, the size of the group that an average topic is in."""
    return group_size * (1 + size_cv**2)


def plan_of_means(plan: Plan, group_size: int, intraclass_correlation: float, size_cv: float = 0.0) -> Plan:
    """Return the plan whose topics are the means of groups."""
    size = counted_size(group_size, size_cv)
    factor = design_effect(size, intraclass_correlation) / size
    values = plan.values
    if MIN_DELTA.name in values:  # in standard deviations of one topic
        difference = float(plan.design.min_d_of(values[MIN_DELTA.name], 1.0))
        taken = {MIN_DELTA.name: None, MIN_D.name: difference, plan.variance_parameter.name: 1.0}
        plan = plan.with_(**taken)
    given = [variance.name for variance in _VARIANCES if variance.name in plan.values]
    means = plan.with_(**{name: plan.values[name] * factor for name in given})
    return replace(means, group_size=group_size, size_cv=size_cv)


def in_groups(
    plan: Plan,
    intraclass_correlation: float,
    *,
    group_size: int | None = None,
    size_cv: float = 0.0,
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
        Topics per group, on average; where it is not given, the one with the least cost.
    size_cv : float
        Coefficient of variation of the sizes of groups, their standard deviation over their mean; 0 to 3.
    costs : (float, float), optional
        Costs of a group and of a topic.

    Raises
    ------
    InputError
        If a value breaks its rule, the design is of another kind, neither `group_size` nor `costs` is given, or
        groups of one topic are to be of unequal size.
    NoSolution
        If no number of topics per group meets the requirements.
    """
    rho, cv = INTRACLASS_CORRELATION.check(intraclass_correlation), float(GROUP_SIZE_CV.check(size_cv))
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
    if cv and group_size == 1:
        raise InputError(GROUP_SIZE_CV.name, cv, "must be 0 where each group has one topic")
    best = None
    if costs:
        splits = _splits(plan, rho, cv, range(1, max(LARGEST_GROUP, 2 * (group_size or 0)) + 1), costs)
        best = min(splits, key=lambda split: (split.cost, split.n_topics)) if splits else None
    if group_size is None:
        if best is None:
            raise NoSolution("no number of topics per group meets these requirements")
        group_size = best.group_size
    size = int(GROUP_SIZE.check(group_size))
    return GroupedPlan(
        of_topics=plan,
        plan=plan_of_means(plan, size, rho, cv if size > 1 else 0.0),
        intraclass_correlation=rho,
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
    size_cv: float | None = None,
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
    group_size, size_cv, costs
        As of `in_groups`; by default groups have as many topics as those of the scores, rounded, and vary as they.

    Raises
    ------
    InputError
        As `in_groups`, `group_components` and `pooled`, or if there are fewer than 5 groups.
    NoSolution
        As `in_groups`.
    """
    n_groups = sum(len(matrix.group_sizes) for matrix in matrices)
    if n_groups < FEWEST_FOR_CORRELATION:
        rule = (
            f"must be given, as the scores have {counted(n_groups, 'group')}, and fewer than "
            f"{FEWEST_FOR_CORRELATION} groups are too few to estimate it"
        )
        raise InputError(INTRACLASS_CORRELATION.name, None, rule)
    found = tuple(group_components(matrix, effects_of(estimate, matrix)) for matrix in matrices)
    shares = shares_of(matrices, estimate, weights)
    over_topics = [share * estimate(matrix) for share, matrix in zip(shares, matrices, strict=True)]
    of_one_topic = [
        part / components.understatement for part, components in zip(over_topics, found, strict=True)
    ]
    rhos = [max(components.intraclass_correlation, 0.0) for components in found]
    rho = sum(part * rho for part, rho in zip(of_one_topic, rhos, strict=True)) / sum(of_one_topic)
    plan = plan.with_(**{plan.variance_parameter.name: plan.variance * sum(of_one_topic) / sum(over_topics)})
    if group_size is None and costs is None:
        group_size = average_size(matrices)
    cv = variation_of_sizes(matrices) if size_cv is None else size_cv
    cv = 0.0 if group_size == 1 and size_cv is None else cv  # groups of one topic are of equal size
    return replace(in_groups(plan, rho, group_size=group_size, size_cv=cv, costs=costs), found=found)


def if_in_groups(matrices: Sequence[ScoreMatrix]) -> Sequence[ScoreMatrix]:
    """Return the matrices where each has several groups, fewer than topics; none otherwise."""
    return matrices if all(1 < len(matrix.group_sizes) < matrix.n_topics for matrix in matrices) else ()


def have_few_groups(matrices: Sequence[ScoreMatrix]) -> bool:
    """Return whether scores in groups have too few of them to estimate the intraclass correlation."""
    return bool(matrices) and sum(len(matrix.group_sizes) for matrix in matrices) < FEWEST_FOR_CORRELATION


def average_size(matrices: Sequence[ScoreMatrix]) -> int:
    """Return topics per group, rounded; at least 2, as groups of one topic are independent topics."""
    mean = sum(matrix.n_topics for matrix in matrices) / sum(len(matrix.group_sizes) for matrix in matrices)
    return max(round(mean), 2)


def variation_of_sizes(matrices: Sequence[ScoreMatrix]) -> float:
    """Return the coefficient of variation of the sizes of all groups; 0 where topics have none."""
    sizes = np.array([size for matrix in matrices for size in matrix.group_sizes.values()], dtype=np.float64)
    return float(sizes.std() / sizes.mean()) if sizes.size else 0.0


def _splits(
    plan: Plan, rho: float, size_cv: float, group_sizes: Iterable[int], costs: tuple[float, float] | None
) -> list[Split]:
    """Return the groups for each number of topics per group; those that take too many are left out."""
    of_means = plan_of_means(plan, 1, 0.0)
    sizes = np.array([size for size in group_sizes if size <= GROUP_SIZE.upper])
    counted_sizes = np.where(sizes == 1, 1.0, counted_size(1, size_cv) * sizes)
    variances = (of_means.variance * ((1 + (counted_sizes - 1) * rho) / counted_sizes)).tolist()
    if size_cv:  # groups of one topic are of equal size
        unequal = replace(of_means, size_cv=size_cv)
        groups = of_means.topics_of_variances(variances[:1]) + unequal.topics_of_variances(variances[1:])
    else:
        groups = of_means.topics_of_variances(variances)
    return [
        Split(
            group_size=size,
            n_groups=n,
            cost=None if costs is None else n * (costs[0] + size * costs[1]),
        )
        for size, n in zip(sizes.tolist(), groups, strict=True)
        if n is not None
    ]
