"""A pool depth as a design: its requirements, its cost, and the choice among several.

A design costs topics times documents in the pool per topic, as Sakai 2016, section 6.3, counts it; `Effort`
gives the same in hours and money. `Floors` are what a depth must reach to be recommended, `Budget` what it may cost
in judgments, in hours, or both. `purchases` lists what a budget buys at each depth if it is spent whole.

References
----------
J. Zobel. How reliable are the results of large-scale information retrieval experiments? SIGIR 1998, 307-314.
E. M. Voorhees. Evaluation by highly relevant documents. SIGIR 2001, 74-82. doi:10.1145/383952.383963
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from topicset_core.designs import Plan
from topicset_core.designs.search import FEWEST_TOPICS, Floats, Integers
from topicset_core.errors import InputError, NoSolution
from topicset_core.exports.records import attributes, fields_of
from topicset_core.parameters import BUDGET, MOST_TOPICS, Parameter
from topicset_core.wording import joined

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

MIN_TAU = Parameter(
    name="min_tau",
    label="Least τ with all judgments",
    help="Depths whose ranking of the runs agrees less with that by all judgments, by any of the measures, are "
    "shown, but not recommended. Rankings with τ from 0.9 are commonly taken as equivalent (Voorhees 2001).",
    lower=0.0,
    upper=1.0,
    lower_included=True,
    default=0.9,
    step=0.05,
)

MIN_RELEVANT = Parameter(
    name="min_relevant",
    label="Least share of relevant documents found",
    help="Depths whose pool has fewer of the known relevant documents are shown, but not recommended. Pools of "
    "depth 100 had at least half of all relevant documents of early TREC topics (Zobel 1998).",
    lower=0.0,
    upper=1.0,
    lower_included=True,
    default=0.5,
    step=0.05,
)

HOURS = Parameter(
    name="hours",
    symbol="H",
    label="H, hours of judging",
    help="Working hours that you can afford, for topics and judgments by the minutes below; 40 days are 320 hours.",
    default=320,
    step=8,
)

MINUTES_PER_JUDGMENT = Parameter(
    name="minutes_per_judgment",
    label="Minutes per judgment",
    help="An assessor's time for one document.",
    lower_included=True,
    default=0.5,
    step=0.1,
)

MINUTES_PER_TOPIC = Parameter(
    name="minutes_per_topic",
    label="Minutes per topic",
    help="An assessor's time for one topic beside its documents: to write it and to become familiar with it.",
    lower_included=True,
    default=60,
    step=5,
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


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What may be spent: judgments, working hours, or both; without either nothing is decided yet."""

    judgments: float | None = None
    hours: float | None = None
    effort: Effort = Effort(
        minutes_per_judgment=MINUTES_PER_JUDGMENT.default, minutes_per_topic=MINUTES_PER_TOPIC.default
    )

    def __post_init__(self) -> None:
        for parameter, value in ((BUDGET, self.judgments), (HOURS, self.hours)):
            if value is not None:
                parameter.check(value)

    @property
    def is_open(self) -> bool:
        """Whether no budget is given."""
        return self.judgments is None and self.hours is None

    def pays(self, design: DepthDesign) -> bool:
        """Return whether it pays for the topics of a design."""
        n_topics, judgments = design.required_topics or 0, design.total_judgments or 0
        return (self.judgments is None or judgments <= self.judgments) and (
            self.hours is None or self.effort.hours(n_topics, judgments) <= self.hours
        )

    def topics(self, documents: Floats) -> Floats:
        """Return how many topics it pays for, not rounded, by documents per topic; infinite without a budget."""
        minutes = documents * self.effort.minutes_per_judgment + self.effort.minutes_per_topic
        with np.errstate(divide="ignore"):
            by_judgments = np.inf if self.judgments is None else self.judgments / documents
            by_hours = np.inf if self.hours is None else 60 * self.hours / minutes
        return np.minimum(by_judgments, by_hours) + np.zeros_like(documents)

    @property
    def in_words(self) -> str:
        """The budget as a headline begins with it."""
        parts = [] if self.judgments is None else [f"{self.judgments:,.0f} judgments"]
        return joined(parts if self.hours is None else [*parts, f"{self.hours:,.0f} hours"])

    @property
    def effort_in_words(self) -> str:
        """What hours are computed with, in a sentence; "" of a budget without hours."""
        if self.hours is None:
            return ""
        judgment, topic = self.effort.minutes_per_judgment, self.effort.minutes_per_topic
        return f"Hours count {judgment:g} minutes per judgment and {topic:g} minutes per topic."


@dataclass(frozen=True, kw_only=True)
class Floors:
    """What a depth must reach to be recommended."""

    min_judged_share: float = MIN_JUDGED_SHARE.default
    min_tau: float = MIN_TAU.default
    min_relevant: float = MIN_RELEVANT.default

    def __post_init__(self) -> None:
        for parameter in (MIN_JUDGED_SHARE, MIN_TAU, MIN_RELEVANT):
            parameter.check(getattr(self, parameter.name))

    def missed(self, design: DepthDesign, tau: float | None) -> tuple[str, ...]:
        """Return the names of the floors that a design does not reach; τ is the lowest of the measures."""
        # What is not known, as before anything is judged or for a single run, is not missed.
        found = ((MIN_TAU.name, tau), (MIN_RELEVANT.name, design.relevant_known))
        missed = [name for name, value in found if value is not None and value < getattr(self, name)]
        short = [] if design.is_judged(self.min_judged_share) else [MIN_JUDGED_SHARE.name]
        return (*short, *missed)


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The designs of equal power, those that may be recommended, and the one to take within a budget."""

    designs: tuple[DepthDesign, ...]  # of each depth with an answer the most demanding one, by depth
    taus: Mapping[int, float]  # by depth: the lowest τ of the measures, where there is one
    missed: Mapping[int, tuple[str, ...]]  # by depth: names of the floors that are not reached
    floors: Floors
    budget: Budget
    # The design to take, which costs most judgments within the budget: the rule of Sakai 2016, section 6.3, as more
    # judgments serve new systems better; None without a budget
    taken: DepthDesign | None
    deepest: DepthDesign | None  # the one with the deepest pool within the budget
    cheapest: DepthDesign | None  # of all that are recommended, whether it fits or not

    @property
    def recommended(self) -> tuple[DepthDesign, ...]:
        """The designs that reach all floors."""
        return tuple(one for one in self.designs if not self.missed[one.pool_depth])

    def is_recommended(self, design: DepthDesign) -> bool:
        """Return whether the depth of a design reaches all floors."""
        return not self.missed.get(design.pool_depth, ("",))


def choose(
    designs: Sequence[DepthDesign], budget: Budget | None = None, floors: Floors | None = None
) -> Choice:
    """Choose among designs of depths and measures that all meet the same requirements."""
    budget, floors = budget or Budget(), floors or Floors()
    demanding: list[DepthDesign] = []
    taus: dict[int, float] = {}
    missed: dict[int, tuple[str, ...]] = {}
    for depth in dict.fromkeys(one.pool_depth for one in designs):
        here = [one for one in designs if one.pool_depth == depth]
        if any(one.required_topics is None for one in here):
            continue
        most = max(here, key=lambda one: one.required_topics or 0)
        tau = min((one.kendall_tau for one in here if one.kendall_tau is not None), default=None)
        demanding.append(most)
        taus |= {} if tau is None else {depth: tau}
        missed[depth] = floors.missed(most, tau)
    if not demanding:
        raise InputError("designs", 0, "must be at least one design with an answer")
    costs = {one: one.total_judgments or 0 for one in demanding if not missed[one.pool_depth]}
    within = [] if budget.is_open else [one for one in costs if budget.pays(one)]
    return Choice(
        designs=tuple(demanding),
        taus=taus,
        missed=missed,
        floors=floors,
        budget=budget,
        taken=max(within, key=lambda one: (costs[one], one.pool_depth), default=None),
        deepest=max(within, key=lambda one: one.pool_depth, default=None),
        cheapest=min(costs, key=lambda one: (costs[one], -one.pool_depth), default=None),
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


def purchases(designs: Sequence[DepthDesign], budget: Budget, rule: Plan) -> tuple[Purchase, ...]:
    """Return what a budget buys with each design that has an answer, where it pays for two topics."""
    bought: list[tuple[DepthDesign, int, int]] = []
    for one in () if budget.is_open else designs:
        documents = max(_whole(one.pooled_per_topic), 1)
        n_topics = int(min(budget.topics(np.array([float(documents)]))[0], MOST_TOPICS))
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
