"""Which of several designs to take, given how many judgments can be paid for."""

from collections.abc import Sequence
from dataclasses import dataclass

from topicset_core.analyses.pool_depth.designs import DepthDesign
from topicset_core.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Three designs of equal power, by three rules; None where no design fits the budget.

    Parameters
    ----------
    budget : float
        Judgments that can be made.
    dearest : DepthDesign or None
        The one that costs most within the budget: the rule of Sakai 2016, section 6.3, as more
        judgments serve new systems better.
    deepest : DepthDesign or None
        The one with the deepest pool within the budget. The same, unless a shallower pool costs more
        because it needs so many more topics.
    cheapest : DepthDesign
        Of all, whether it fits or not.
    """

    budget: float
    dearest: DepthDesign | None
    deepest: DepthDesign | None
    cheapest: DepthDesign

    @property
    def said(self) -> str:
        """Which rules agree, in a sentence."""
        if self.dearest is None or self.deepest is None:
            return (
                f"No design costs {self.budget:,.0f} judgments or less; the cheapest costs "
                f"{self.cheapest.total_judgments:,}, at depth {self.cheapest.pool_depth}."
            )
        depths = self.dearest.pool_depth, self.deepest.pool_depth, self.cheapest.pool_depth
        if len(set(depths)) == 1:
            return (
                "The dearest design within the budget is also the deepest within it and the cheapest of all."
            )
        if depths[0] == depths[1]:
            return "The dearest design within the budget is also the deepest within it."
        return (
            "The dearest and the deepest design within the budget differ: a shallower pool costs more here."
        )


def choose(designs: Sequence[DepthDesign], budget: float) -> Choice:
    """Choose among designs that all meet the same requirements.

    Parameters
    ----------
    designs : sequence of DepthDesign
        At least one with an answer; others are passed over. Of equal costs the deeper one is taken.
    budget : float
        Judgments that can be made, above 0.

    Raises
    ------
    InputError
        If no design has an answer, or the budget is not above 0.
    """
    costs = {design: cost for design in designs if (cost := design.total_judgments) is not None}
    if not costs:
        raise InputError("designs", 0, "must be at least one design with an answer")
    if not budget > 0:
        raise InputError("budget", budget, "must be above 0")
    within = [design for design, cost in costs.items() if cost <= budget]
    return Choice(
        budget=budget,
        dearest=max(within, key=lambda design: (costs[design], design.pool_depth), default=None),
        deepest=max(within, key=lambda design: design.pool_depth, default=None),
        cheapest=min(costs, key=lambda design: (costs[design], -design.pool_depth)),
    )
