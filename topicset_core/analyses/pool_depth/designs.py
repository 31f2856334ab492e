"""A pool depth as a design: what it needs, what it costs, and which of several to take.

A design costs topics times documents judged per topic, as Sakai 2016, section 6.3, counts it; `Effort`
gives the same in hours and money.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from topicset_core.errors import InputError


def total_judgments(n_topics: int, judged_per_topic: float) -> int:
    """Return topics times documents, the documents rounded to whole ones first.

    So does Sakai 2016, section 6.3: (37,605 + 34,792) / (50 + 49) = 731 documents, 76 topics, 55,556 judgments.

    Parameters
    ----------
    n_topics : int
        Topics of the design.
    judged_per_topic : float
        Documents judged per topic, on average.
    """
    return n_topics * math.floor(judged_per_topic + 0.5)


@dataclass(frozen=True, kw_only=True)
class DepthDesign:
    """A pool depth for one measure: the topics it needs, and what it gives up next to all judgments.

    Parameters
    ----------
    pool_depth : int
        Documents of each run that are judged.
    measure : str
        What is measured.
    judged_per_topic : float
        Judged documents, on average over the topics of all collections.
    n_lost_topics : int
        Topics that have relevant documents, but none in a pool of this depth.
    within_system_variance : float or None
        Pooled over collections; None where fewer than two topics are left.
    required_topics : int or None
        What the test or interval needs; None without a variance, or beyond ten million.
    kendall_tau, tau_ap : float or None
        Agreement of the ranking of runs with that by all judgments, a mean over collections; None
        for a single run.
    relevant_known : float or None
        Relevant documents in the pool, as a share of all judged relevant, from 0 to 1; None before
        anything is judged, and where nothing is relevant.
    """

    pool_depth: int
    measure: str
    judged_per_topic: float
    n_lost_topics: int
    within_system_variance: float | None
    required_topics: int | None
    kendall_tau: float | None
    tau_ap: float | None
    relevant_known: float | None

    @property
    def total_judgments(self) -> int | None:
        """Topics times documents, the documents rounded first; None where there is no answer."""
        if self.required_topics is None:
            return None
        return total_judgments(self.required_topics, self.judged_per_topic)

    @property
    def relevant_missed(self) -> float | None:
        """Judged relevant documents that are not in the pool, as a share; None where the rest is."""
        return None if self.relevant_known is None else 1 - self.relevant_known

    def share_of_cost(self, other: "DepthDesign") -> float | None:
        """Return this cost as a share of another's; None where either has no answer or costs nothing."""
        if not self.total_judgments or not other.total_judgments:
            return None
        return self.total_judgments / other.total_judgments


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Three designs of equal power, by three rules; None where no design fits the budget.

    Parameters
    ----------
    designs : tuple of DepthDesign
        All that were chosen from.
    budget : float or None
        Judgments that can be made; None for any number.
    most_expensive : DepthDesign or None
        The one that costs most within the budget: the rule of Sakai 2016, section 6.3, as more
        judgments serve new systems better.
    deepest : DepthDesign or None
        The one with the deepest pool within the budget. The same, unless a shallower pool costs more
        because it needs so many more topics.
    cheapest : DepthDesign
        Of all, whether it fits or not.
    """

    designs: tuple[DepthDesign, ...]
    budget: float | None
    most_expensive: DepthDesign | None
    deepest: DepthDesign | None
    cheapest: DepthDesign

    @property
    def taken(self) -> DepthDesign | None:
        """The design to take: the most expensive within the budget, or the cheapest without a budget."""
        return self.cheapest if self.budget is None else self.most_expensive

    @property
    def sentence(self) -> str:
        """Which rules agree within the budget, in a sentence; "" without a budget."""
        if self.budget is None:
            return ""
        if self.most_expensive is None or self.deepest is None:
            return (
                f"No design costs {self.budget:,.0f} judgments or less; the cheapest costs "
                f"{self.cheapest.total_judgments:,}, at depth {self.cheapest.pool_depth}."
            )
        depths = self.most_expensive.pool_depth, self.deepest.pool_depth, self.cheapest.pool_depth
        if len(set(depths)) == 1:
            return (
                "The dearest design within the budget is also the deepest within it and the cheapest of all."
            )
        if depths[0] == depths[1]:
            return "The dearest design within the budget is also the deepest within it."
        return (
            "The dearest and the deepest design within the budget differ: a shallower pool costs more here."
        )


def choose(designs: Sequence[DepthDesign], budget: float | None = None) -> Choice:
    """Choose among designs that all meet the same requirements.

    Parameters
    ----------
    designs : sequence of DepthDesign
        At least one with an answer, others are passed over. Of equal costs the deeper one is taken.
    budget : float, optional
        Judgments that can be made, above 0; by default any number.

    Raises
    ------
    InputError
        If no design has an answer, or the budget is not above 0.
    """
    costs = {design: cost for design in designs if (cost := design.total_judgments) is not None}
    if not costs:
        raise InputError("designs", 0, "must be at least one design with an answer")
    if budget is not None and not budget > 0:
        raise InputError("budget", budget, "must be above 0")
    within = [design for design, cost in costs.items() if budget is None or cost <= budget]
    return Choice(
        designs=tuple(designs),
        budget=budget,
        most_expensive=max(within, key=lambda design: (costs[design], design.pool_depth), default=None),
        deepest=max(within, key=lambda design: design.pool_depth, default=None),
        cheapest=min(costs, key=lambda design: (costs[design], -design.pool_depth)),
    )


@dataclass(frozen=True, kw_only=True)
class Effort:
    """What judging takes in time and money.

    Parameters
    ----------
    minutes_per_judgment : float
        To judge one document; 0 or more.
    minutes_per_topic : float
        To write one topic and to become familiar with it; 0 or more.
    price_per_hour : float
        Of an assessor's time, in any currency; 0 or more.

    Raises
    ------
    InputError
        If one of them is negative or no number.
    """

    minutes_per_judgment: float
    minutes_per_topic: float = 0.0
    price_per_hour: float = 0.0

    def __post_init__(self) -> None:
        for name in ("minutes_per_judgment", "minutes_per_topic", "price_per_hour"):
            if not 0 <= getattr(self, name) < math.inf:
                raise InputError(name, getattr(self, name), "must be 0 or more")

    def hours(self, n_topics: int, judged_per_topic: float) -> float:
        """Return the working hours that a design takes."""
        judging = total_judgments(n_topics, judged_per_topic) * self.minutes_per_judgment
        return (judging + n_topics * self.minutes_per_topic) / 60

    def price(self, n_topics: int, judged_per_topic: float) -> float:
        """Return what these hours cost."""
        return self.hours(n_topics, judged_per_topic) * self.price_per_hour
