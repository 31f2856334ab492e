"""Designs for topics that all systems share, each with its design for separate topics."""

from typing import Any, NamedTuple

from topicset_core.designs import (
    Design,
    Plan,
    blocked_anova,
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.parameters import TOPICS


class Side(NamedTuple):
    """A design, and its name in a sentence."""

    design: Design
    named: str


SIDES = (
    (
        Side(blocked_anova.DESIGN, "two-way ANOVA"),
        Side(one_way_anova.DESIGN, "Sakai's one-way ANOVA"),
    ),
    (Side(paired_t.DESIGN, "the paired t test"), Side(two_sample_t.DESIGN, "the two-sample t test")),
    (
        Side(confidence_interval.DESIGN, "the interval of paired differences"),
        Side(two_sample_confidence_interval.DESIGN, "the two-sample interval"),
    ),
)
"""Of each pair the first is for shared topics."""


def side_of(design: Design, *, is_other: bool = False) -> Side | None:
    """Return a design with its name, or the design for the other answer; None where there are no two."""
    for sides in SIDES:
        for place, side in enumerate(sides):
            if side.design is design:
                return sides[1 - place if is_other else place]
    return None


def topics_word(plan: Plan) -> str:
    """Return whether systems share the topics of a plan: "shared" or "separate"."""
    is_shared = any(plan.design is shared.design for shared, _ in SIDES)
    return plan.values.get(TOPICS.name) or ("shared" if is_shared else "separate")


def separate_word(plan: Plan) -> str:
    """Return the other answer."""
    return next(word for word in TOPICS.options if word != topics_word(plan))


def other_side(plan: Plan) -> tuple[Design, dict[str, Any], str] | None:
    """Return the design for the other answer with its choice and its name; None where there is none."""
    if TOPICS in plan.design.choices:
        return plan.design, {TOPICS.name: separate_word(plan)}, "this test"
    side = side_of(plan.design, is_other=True)
    return None if side is None else (side.design, {}, side.named)
