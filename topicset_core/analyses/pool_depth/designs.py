"""A pool depth as a design: its requirements, its cost, and the choice among several.

A design costs topics times documents in the pool per topic, as Sakai 2016, section 6.3, counts it; `Effort`
gives the same in hours and money. `purchases` lists what a budget buys at each depth if it is spent whole.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from topicset_core.designs import Plan
from topicset_core.designs.search import FEWEST_TOPICS, Floats, Integers
from topicset_core.errors import InputError, NoSolution
from topicset_core.exports.records import attributes, fields_of
from topicset_core.parameters import MOST_TOPICS, Parameter

MIN_JUDGED_SHARE = Parameter(
    name="min_judged_share",
    symbol="c",
    label="c, smallest judged share of a pool",
    help="Depths with a smaller judged share are shown, but not recommended: their variance and rank "
    "agreement are from the judged documents only.",
    lower=0.0,
    upper=1.0,
    lower_included=True,
    default=0.8,
    step=0.05,
)


def total_judgments(n_topics: int, documents_per_topic: float) -> int:
    """Return topics times documents, the documents rounded to whole ones first, as Sakai 2016, section 6.3."""
    return n_topics * _whole(documents_per_topic)


def _whole(documents_per_topic: float) -> int:
    return math.floor(documents_per_topic + 0.5)


@dataclass(frozen=True, kw_only=True)
class DepthDesign:
    """A pool depth for one measure: the topics it needs, and its losses compared with all judgments.

    Parameters
    ----------
    pool_depth : int
        Documents of each run that are judged.
    measure : str
        The measure.
    pooled_per_topic : float
        Documents in the pool, on average over the topics of all collections: a new collection has these documents
        to judge, whether or not the given judgments name them.
    judged_per_topic : float or None
        Documents among these that are judged; None before anything is judged.
    judged_share : float or None
        Share of the given runs' pool that is judged, from 0 to 1; None before anything is judged.
    full_pool_per_topic : float or None
        Estimated documents in the pool of all runs that made the judgments, where the given runs are a part
        of them; None where nothing suggests that. See `DepthStudy.full_pool_factor`.
    n_lost_topics : int
        Topics with relevant documents, but without one in a pool of this depth.
    within_system_variance : float or None
        Pooled over collections; None where fewer than two topics are left.
    required_topics : int or None
        Topics that the test or interval needs; None without a variance, or beyond ten million.
    kendall_tau, tau_ap : float or None
        Agreement of the ranking of runs with that by all judgments, a mean over collections; None
        for a single run.
    relevant_known : float or None
        Relevant documents in the pool, as a share of all judged relevant, from 0 to 1; None before
        anything is judged, and where nothing is relevant.
    """

    pool_depth: int
    measure: str
    pooled_per_topic: float
    judged_per_topic: float | None
    judged_share: float | None
    full_pool_per_topic: float | None = None
    n_lost_topics: int
    within_system_variance: float | None
    required_topics: int | None
    kendall_tau: float | None
    tau_ap: float | None
    relevant_known: float | None

    @property
    def total_judgments(self) -> int | None:
        """Topics times documents, the documents rounded first; None where there is no answer."""
        return self._total(self.pooled_per_topic)

    @property
    def full_pool_judgments(self) -> int | None:
        """The same for the pool of all runs; None where that is not known."""
        return None if self.full_pool_per_topic is None else self._total(self.full_pool_per_topic)

    def is_judged(self, min_judged_share: float) -> bool:
        """Return whether at least this share of the pool is judged; also before anything is judged."""
        return self.judged_share is None or self.judged_share >= min_judged_share

    def record(self) -> dict[str, Any]:
        """Return the design for a record."""
        return fields_of(self) | attributes(self, "total_judgments full_pool_judgments")

    def _total(self, documents_per_topic: float) -> int | None:
        return (
            None
            if self.required_topics is None
            else total_judgments(self.required_topics, documents_per_topic)
        )


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The designs of equal power within a budget, by three rules."""

    designs: tuple[DepthDesign, ...]  # designs with an answer, by depth, whether recommended or not
    recommended: tuple[DepthDesign, ...]  # designs with the required judged share
    min_judged_share: float  # that share, from 0 to 1
    budget: float  # judgments that can be made
    # The design to take, which costs most within the budget: the rule of Sakai 2016, section 6.3, as more
    # judgments serve new systems better
    taken: DepthDesign | None
    deepest: DepthDesign | None  # the one with the deepest pool within the budget
    cheapest: DepthDesign | None  # of all that are recommended, whether it fits or not


def choose(
    designs: Sequence[DepthDesign],
    budget: float | None = None,
    min_judged_share: float = MIN_JUDGED_SHARE.default,
) -> Choice:
    """Choose among designs that all meet the same requirements; without a budget it is what the cheapest costs."""
    MIN_JUDGED_SHARE.check(min_judged_share)
    costs = {design: cost for design in designs if (cost := design.total_judgments) is not None}
    if not costs:
        raise InputError("designs", 0, "must be at least one design with an answer")
    if budget is not None and not budget > 0:
        raise InputError("budget", budget, "must be above 0")
    recommended = tuple(design for design in costs if design.is_judged(min_judged_share))
    if budget is None:
        budget = min(costs[design] for design in recommended or costs)
    within = [design for design in recommended if costs[design] <= budget]
    return Choice(
        designs=tuple(costs),
        recommended=recommended,
        min_judged_share=min_judged_share,
        budget=budget,
        taken=max(within, key=lambda design: (costs[design], design.pool_depth), default=None),
        deepest=max(within, key=lambda design: design.pool_depth, default=None),
        cheapest=min(recommended, key=lambda design: (costs[design], -design.pool_depth), default=None),
    )


@dataclass(frozen=True, kw_only=True)
class Purchase:
    """What a budget buys at one depth by one measure, if it is spent whole."""

    pool_depth: int  # documents of each run that are judged
    measure: str
    n_topics: int  # topics that the budget pays for, at least 2
    total_judgments: int  # what these cost, at most the budget
    # Smallest difference that these topics detect with the power asked for, or the expected width of the
    # interval; None where they detect no difference
    difference: float | None
    power: float | None  # power of these topics at the difference asked for, from 0 to 1

    @property
    def reached(self) -> float:
        """The difference, infinite where there is none."""
        return math.inf if self.difference is None else self.difference


def purchases(designs: Sequence[DepthDesign], budget: float, rule: Plan) -> tuple[Purchase, ...]:
    """Return what a budget buys with each design that has an answer, where it pays for two topics."""
    bought: list[tuple[DepthDesign, int, int]] = []
    for one in designs:
        documents = max(_whole(one.pooled_per_topic), 1)
        n_topics = int(min(budget // documents, MOST_TOPICS))
        if n_topics >= FEWEST_TOPICS and one.required_topics is not None:
            bought.append((one, n_topics, documents))
    if not bought:
        return ()
    sizes = np.array([n_topics for _, n_topics, _ in bought])
    variances = np.array([rule.variance_for(one.within_system_variance or 0.0) for one, _, _ in bought])
    powers: Sequence[float | None] = [None] * len(bought)
    if rule.design.has_power:
        powers = rule.power(sizes, variance=variances).tolist()
    return tuple(
        Purchase(
            pool_depth=one.pool_depth,
            measure=one.measure,
            n_topics=n_topics,
            total_judgments=n_topics * documents,
            difference=difference,
            power=power,
        )
        for (one, n_topics, documents), difference, power in zip(
            bought, _detected(rule, sizes, variances), powers, strict=True
        )
    )


def _detected(rule: Plan, sizes: Integers, variances: Floats) -> list[float | None]:
    """Return what these topics detect; None for too few topics for so small an alpha."""
    try:
        return list(rule.detected(sizes, variances).tolist())
    except NoSolution:
        if sizes.size == 1:
            return [None]
    each = zip(np.split(sizes, sizes.size), np.split(variances, sizes.size), strict=True)
    return [_detected(rule, n_topics, variance)[0] for n_topics, variance in each]


@dataclass(frozen=True, kw_only=True)
class Effort:
    """What judging takes in time and money."""

    minutes_per_judgment: float  # to judge one document
    minutes_per_topic: float = 0.0  # to write one topic and to become familiar with it
    price_per_hour: float = 0.0  # of an assessor's time, in any currency

    def __post_init__(self) -> None:
        for name in ("minutes_per_judgment", "minutes_per_topic", "price_per_hour"):
            if not 0 <= getattr(self, name) < math.inf:
                raise InputError(name, getattr(self, name), "must be 0 or more")

    def hours(self, n_topics: int, n_judgments: int) -> float:
        """Return the working hours that topics and judgments take."""
        return (n_judgments * self.minutes_per_judgment + n_topics * self.minutes_per_topic) / 60

    def price(self, n_topics: int, n_judgments: int) -> float:
        """Return what these hours cost."""
        return self.hours(n_topics, n_judgments) * self.price_per_hour
