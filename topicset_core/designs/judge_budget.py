"""A budget for human labels, topics and judge calls: how should it be split?

A judge scores N_t topics, k calls each; people label n of them, drawn at random. The difference of two
systems is estimated by regression of human on judge differences. With rho_k the correlation of a human
difference with the mean of k calls, ``rho_k^2 = rho^2 / (1 + w / k)``, w the variance between calls over that of
the judge's stable part, and v the variance of human differences,

``Var = v ((1 - rho_k^2) / n (1 + (N_t - n) / (N_t (n - 3))) + rho_k^2 / N_t)``.

The factor is the error of the slope, ``1 + n E((J_all - J_lab)^2 / S_xx)`` for normal J (Cochran 1977,
section 12.7). Without it, the variance is least under ``c_h n + (c_t + k c_j) N_t = B`` at
``n / N_t = sqrt((1 - rho_k^2) / rho_k^2 (c_t + k c_j) / c_h)``.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.distributions import critical_t, noncentral_f_tail
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import ALPHA, BETA, MIN_D, Parameter, check_error_probabilities

BUDGET = Parameter(
    name="budget",
    symbol="B",
    label="Budget",
    help="Budget for the next round, in the unit of the costs.",
    default=100.0,
    step=10.0,
)
COST_LABEL = Parameter(
    name="cost_label",
    symbol="cₕ",
    label="Cost of a human label",
    help="Cost per topic, for both systems of a pair.",
    default=2.0,
    step=0.5,
)
COST_CALL = Parameter(
    name="cost_call",
    symbol="cⱼ",
    label="Cost of a judge call",
    help="Cost per topic, for both systems of a pair.",
    lower_included=True,
    default=0.05,
    step=0.01,
)
"""The costs of a budget, next to topics."""

MOST_CALLS = 1000
"""Calls per topic that are tried."""
FEWEST_LABELS = 4
"""Fewest labels with which a regression has a variance of its own."""


@dataclass(frozen=True, kw_only=True)
class Requirements:
    """A budget, what everything costs, and how well the judge agrees with people."""

    budget: float  # in units of cost, above 0
    cost_label: float  # above 0
    # From 0, not both 0
    cost_topic: float
    cost_call: float
    rho: float  # correlation of per-topic differences, people with the judge's stable part
    human_variance: float  # variance of human differences over topics, above 0
    call_ratio: float = 0.0  # variance between calls over the judge's stable variance, from 0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise InputError(name, value, "must be a number")
            if name.startswith(("budget", "cost")) and value > 0:
                replace(BUDGET, name=name).check_given(value)
        for name in ("budget", "cost_label", "human_variance"):
            if getattr(self, name) <= 0:
                raise InputError(name, getattr(self, name), "must be above 0")
        for name in ("cost_topic", "cost_call", "call_ratio"):
            if getattr(self, name) < 0:
                raise InputError(name, getattr(self, name), "must be at least 0")
        if self.cost_topic + self.cost_call <= 0:
            raise InputError("cost_topic", self.cost_topic, "must be above 0 where cost_call is not")
        if not -1 < self.rho < 1:
            raise InputError("rho", self.rho, "must be above -1 and below 1")


@dataclass(frozen=True, kw_only=True)
class Split:
    """The best split of a budget."""

    # Topics labelled by people, topics judged (those included), and calls per topic
    n_labels: int
    n_topics: int
    n_calls: int
    standard_error: float  # of the difference of two systems, `sqrt(Var)`
    human_only_topics: int  # topics that people could label for the same budget without a judge
    human_only_standard_error: float  # of the mean of human differences on these topics
    worth_it: bool  # whether the judge lowers the standard error
    # n and N_t before they are rounded
    optimal_labels: float
    optimal_topics: float
    cost: float


def split(requirements: Requirements) -> Split:
    """Return the split of the budget with the least standard error."""
    required = requirements
    human_cost = required.cost_label + required.cost_topic
    alone = math.floor(required.budget / human_cost + 1e-9)
    if alone < FEWEST_LABELS:
        raise NoSolution(
            f"a budget of {required.budget:g} pays for {alone} labelled topics; at least 4 are needed"
        )
    calls = min(range(1, _calls_to_try(required) + 1), key=lambda k: _least_variance(required, k))
    n, n_topics = _shares(required, calls)
    cost = required.cost_topic + calls * required.cost_call
    for labels in range(max(math.floor(n + 1e-9), FEWEST_LABELS), FEWEST_LABELS - 1, -1):
        judged = math.floor((required.budget - labels * required.cost_label) / cost + 1e-9)
        if judged >= labels:
            break
    judged = max(judged, labels)
    human_only = math.sqrt(required.human_variance / alone)
    error = math.sqrt(
        variance(labels, judged, rho=_rho(required, calls), human_variance=required.human_variance)
    )
    return Split(
        n_labels=labels,
        n_topics=judged,
        n_calls=calls,
        standard_error=error,
        human_only_topics=alone,
        human_only_standard_error=human_only,
        worth_it=error < human_only,
        optimal_labels=n,
        optimal_topics=n_topics,
        cost=labels * required.cost_label + judged * cost,
    )


def variance(n_labels: Any, n_topics: float, *, rho: Any, human_variance: Any) -> Any:
    """Return the variance of the regression estimate of a difference, with the error of its slope."""
    slope = (n_topics - n_labels) / (n_topics * (n_labels - 3))
    return human_variance * ((1 - rho**2) / n_labels * (1 + slope) + rho**2 / n_topics)


def effective_labels(n_labels: int, n_topics: int, rho: float) -> float:
    """Return how many human labels alone would be as good, ``n / (1 - rho^2 (N_t - n) / N_t)``."""
    return n_labels / (1 - rho**2 * (n_topics - n_labels) / n_topics)


def required_labels(
    n_topics: int, *, alpha: float, beta: float, min_d: float, rho: ArrayLike, human_variance: ArrayLike
) -> int:
    """Return the fewest human labels among judged topics with which a difference of each pair is detected."""
    check_error_probabilities(ALPHA.check(alpha), BETA.check(beta))
    MIN_D.check_given(min_d)
    n = np.arange(FEWEST_LABELS, n_topics + 1, dtype=np.float64)
    of_pairs = np.atleast_1d(rho)[:, None], np.atleast_1d(human_variance)[:, None]
    variances = variance(n, n_topics, rho=of_pairs[0], human_variance=of_pairs[1]).max(axis=0)
    noncentrality = min_d**2 / variances
    power = noncentral_f_tail(critical_t(n - 2, alpha) ** 2, 1, n - 2, noncentrality)
    enough = np.flatnonzero(power >= 1 - beta)
    if not enough.size:
        raise NoSolution(f"labels of all {n_topics:,} judged topics do not detect a difference of {min_d:g}")
    return int(n[enough[0]])


def _rho(requirements: Requirements, calls: int) -> float:
    """Return the correlation with the mean of some calls: noise of calls dilutes it."""
    return requirements.rho / math.sqrt(1 + requirements.call_ratio / calls)


def _shares(requirements: Requirements, calls: int) -> tuple[float, float]:
    """Return n and N_t of the least variance, not rounded; n is N_t where the judge does not help."""
    squared, cost = _rho(requirements, calls) ** 2, requirements.cost_topic + calls * requirements.cost_call
    ratio = (
        1.0 if squared == 0 else min(math.sqrt((1 - squared) / squared * cost / requirements.cost_label), 1.0)
    )
    n_topics = requirements.budget / (requirements.cost_label * ratio + cost)
    return ratio * n_topics, n_topics


def _least_variance(requirements: Requirements, calls: int) -> float:
    """Return the least variance over v, without the error of the slope."""
    (n, n_topics), rho = _shares(requirements, calls), _rho(requirements, calls)
    return (1 - rho**2) / n + rho**2 / n_topics


def _calls_to_try(requirements: Requirements) -> int:
    """Return calls beyond which each costs more than the noise that it removes."""
    if requirements.cost_call == 0:
        return MOST_CALLS
    best = math.sqrt(
        requirements.call_ratio * (requirements.cost_topic + requirements.cost_label) / requirements.cost_call
    )
    return min(math.ceil(2 * best) + 2, MOST_CALLS)
