"""From variances to topics: a design's requirements with the variance left open.

An analysis of a variance's uncertainty asks one design about thousands of variances. A `TopicsRule`
holds everything the design needs in addition to the variance, and which kind of variance it takes.
"""

from collections.abc import Callable, Mapping
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
from topicset_core.variance.intervals import rank_of

_SMALLEST_VARIANCE = float(np.finfo(np.float64).tiny)  # below it quotients overflow: no variance at all


@dataclass(frozen=True, kw_only=True)
class TopicsRule:
    """A design with all requirements but the variance.

    Parameters
    ----------
    design : str
        Name of the design.
    takes : {"within-system", "difference"}
        The kind of variance that it needs.
    topics : callable
        ``topics(variances)``: required topics for positive variances of any shape; raises NoSolution
        where some variance needs more than ten million.
    values : mapping of str to float
        The requirements, by name of their parameter.
    method : {"exact", "published"}
        As of the design.
    choices : mapping of str to str
        Further choices, by name; None where that is left to the design.
    chosen : tuple of str
        The same in words.
    measured_by : Estimate
        The within-system variance that it takes of scores, one-way or, of shared topics, two-way.
    power : callable or None
        ``power(n_topics, variances)``: power at the difference; None for intervals.
    """

    design: str
    takes: Kind
    topics: Callable[[ArrayLike], Integers]
    values: Mapping[str, float] = field(default_factory=dict)
    method: Method = "exact"
    choices: Mapping[str, str | None] = field(default_factory=dict)
    chosen: tuple[str, ...] = ()
    measured_by: Estimate = ONE_WAY
    power: Callable[[ArrayLike, ArrayLike], Floats] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class TopicsAnswer:
    """Required topics of many variances.

    Parameters
    ----------
    topics : ndarray of int64, shape (n_answered,)
        Ascending, of the variances that have an answer.
    n_without_variance : int
        Variances of 0: any number of topics is enough.
    n_beyond : int
        Variances so large that not even ten million topics are enough.
    """

    topics: Integers
    n_without_variance: int
    n_beyond: int

    @property
    def n_resamples(self) -> int:
        """How many variances there were."""
        return self.topics.size + self.n_without_variance + self.n_beyond

    def quantile(self, share: float) -> int | None:
        """Return the smallest number that at least this share of all variances do not exceed.

        Variances of 0 count as the smallest, those beyond the limit as the largest; None where the
        quantile falls among either, which have no number.
        """
        place = self._place(share)
        return int(self.topics[place]) if 0 <= place < self.topics.size else None

    def quantile_in_words(self, share: float) -> str:
        """Return the quantile as "149", "any number" (no variance) or "more than 10,000,000"."""
        topics = self.quantile(share)
        if topics is not None:
            return f"{topics:,}"
        return "any number" if self._place(share) < 0 else f"more than {MOST_TOPICS:,}"

    def _place(self, share: float) -> int:
        return rank_of(share, self.n_resamples) - 1 - self.n_without_variance


def topics_of_variances(rule: TopicsRule, variances: Floats) -> TopicsAnswer:
    """Return the required topics of each of `variances`, (n,), at least one, not negative.

    Parameters
    ----------
    rule : TopicsRule
        What `topics_rule` returned.
    variances : ndarray of float64, shape (n,)
        From 0, in squared units of the measure; at least one.
    """
    ordered = np.sort(variances)
    positive = ordered[ordered >= _SMALLEST_VARIANCE]
    topics = _until_no_solution(rule, positive)
    return TopicsAnswer(
        topics=topics,
        n_without_variance=ordered.size - positive.size,
        n_beyond=positive.size - topics.size,
    )


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


def topics_rule(design: Design | str, *, method: Method = "exact", **values: Any) -> TopicsRule:
    """Return a design with all requirements but the variance.

    Parameters
    ----------
    design : Design or str
        The design, or its name or slug, such as "anova".
    method : {"exact", "published"}
        As of the design.
    **values
        Of all its parameters, by name; and of its choices, where they are not the default.

    Raises
    ------
    InputError
        If a value breaks its rule.
    """
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
    """Return the variance of the kind that the rule takes: 2 sigma^2 for the variance of a difference.

    Parameters
    ----------
    rule : TopicsRule
        What `topics_rule` returned.
    within_system_variance : float
        In squared units of the measure.
    """
    if rule.takes == "difference":
        return conservative_difference_variance(within_system_variance)
    return within_system_variance
