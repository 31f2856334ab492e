"""From variances to topics: a design's requirements with the variance left open.

An analysis of a variance's uncertainty asks one design about several variances. A `TopicsRule`
holds everything the design needs in addition to the variance, and which kind of variance it takes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs import Design, design_named
from topicset_core.designs.results import Method
from topicset_core.designs.search import Floats, Integers
from topicset_core.errors import NoSolution
from topicset_core.parameters import DIFFERENCE_VARIANCE, MOST_TOPICS, RESIDUAL_VARIANCE
from topicset_core.variance.choices import ONE_WAY, TWO_WAY, Estimate, Kind
from topicset_core.variance.estimates import conservative_difference_variance

_SMALLEST_VARIANCE = float(np.finfo(np.float64).tiny)  # below it quotients overflow: no variance at all


@dataclass(frozen=True, kw_only=True)
class TopicsRule:
    """A design with all requirements but the variance."""

    design: str
    takes: Kind  # the kind of variance that it needs
    # `topics(variances)`: required topics for positive variances of any shape
    topics: Callable[[ArrayLike], Integers]
    values: Mapping[str, float] = field(default_factory=dict)  # the requirements, by name of their parameter
    method: Method = "exact"
    choices: Mapping[str, str | None] = field(default_factory=dict)
    chosen: tuple[str, ...] = ()  # the same in words
    # The within-system variance that it takes of scores, one-way or, of shared topics, two-way
    measured_by: Estimate = ONE_WAY
    # `power(n_topics, variances)`: power at the difference
    power: Callable[[ArrayLike, ArrayLike], Floats] | None = None


def topics_of(rule: TopicsRule, variance: float) -> int | None:
    """Return the required topics of one variance, as `topics_of_variances`."""
    return topics_of_variances(rule, [variance])[0]


def topics_of_variances(rule: TopicsRule, variances: Sequence[float]) -> list[int | None]:
    """Return the required topics of each variance; None where it is 0, or ten million are not enough."""
    order = sorted(
        (place for place, one in enumerate(variances) if one >= _SMALLEST_VARIANCE), key=variances.__getitem__
    )
    result: list[int | None] = [None] * len(variances)
    topics = _until_no_solution(rule, np.array([variances[place] for place in order]))
    for place, one in zip(order, topics.tolist(), strict=False):  # those beyond the limit come last
        result[place] = one
    return result


def _until_no_solution(rule: TopicsRule, ascending: Floats) -> Integers:
    """Return topics for the leading variances that have a solution.

    More variance never needs fewer topics, so one bisection finds the last one that has.
    """
    answer = np.empty(0, dtype=np.int64)
    low, high = 0, ascending.size  # the first `low` have a solution; from `high` on there is no solution
    tried = high  # all at once: as a rule that is the end of it
    while low < high:
        try:
            answer, low = rule.topics(ascending[:tried]), tried
        except NoSolution:
            high = tried - 1
        tried = (low + high + 1) // 2
    return answer


def topics_in_words(topics: int | None, variance: float) -> str:
    """Return the topics of a variance as "149", "any number" (no variance) or "more than 10,000,000"."""
    if topics is not None:
        return f"{topics:,}"
    return "any number" if variance < _SMALLEST_VARIANCE else f"more than {MOST_TOPICS:,}"


def topics_rule(design: Design | str, *, method: Method = "exact", **values: Any) -> TopicsRule:
    """Return a design with all requirements but the variance."""
    known = design_named(design) if isinstance(design, str) else design
    known.check(values)
    difference = values[known.difference_parameter.name]
    fixed = known.fixed_of(values)
    view = known.view(**fixed)
    power = view.power
    choices = {one.name: fixed[one.name] for one in known.choices}
    return TopicsRule(
        design=known.name,
        takes="difference" if known.variance_of(choices) is DIFFERENCE_VARIANCE else "within-system",
        topics=lambda variances: view.topics(difference, variances, method),
        values={name: value for name, value in values.items() if name not in choices},
        method=method,
        choices=choices,
        chosen=known.chosen_words(choices),
        power=None if power is None else lambda n, variances: power(n, difference, variances, method),
        measured_by=TWO_WAY if known.variance_of(choices) is RESIDUAL_VARIANCE else ONE_WAY,
    )


def variance_for(rule: TopicsRule, within_system_variance: float) -> float:
    """Return the variance of the kind that the rule takes: 2 sigma^2 for the variance of a difference."""
    if rule.takes == "difference":
        return conservative_difference_variance(within_system_variance)
    return within_system_variance
