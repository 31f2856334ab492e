"""Whether all systems share the topics: the first question of a design page, and the design for the other answer.

A page that has one design only goes to the page of the other one; values, measure and scores go along.
"""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.parts.contents import page_named
from pages.parts.question import SHARED, Question
from topicset_core.designs import (
    Design,
    blocked_anova,
    one_way_anova,
    paired_t,
    two_sample_t,
)
from topicset_core.errors import InputError, NoSolution
from topicset_core.variance import OFFERED


@dataclass(frozen=True)
class Side:
    """A design, the file name of its page, and its name in a sentence."""

    design: Design
    page: str
    named: str


_SIDES = (
    (
        Side(blocked_anova.DESIGN, "topics_as_blocks", "two-way ANOVA"),
        Side(one_way_anova.DESIGN, "one_way_anova", "Sakai's one-way ANOVA"),
    ),
    (
        Side(paired_t.DESIGN, "paired_t", "the paired t test"),
        Side(two_sample_t.DESIGN, "two_sample_t", "the two-sample t test"),
    ),
)
"""Designs for shared topics, each with its design for separate ones."""


def side_of(design: Design, *, is_other: bool = False) -> Side:
    """Return the page and the name of a design, or of the design for the other answer."""
    sides = next(sides for sides in _SIDES if design in (side.design for side in sides))
    return sides[(design is sides[1].design) != is_other]


def has_other(design: Design) -> bool:
    """Return whether there is a design for the other answer."""
    return any(design is side.design for sides in _SIDES for side in sides)


def go_to(design: Design) -> None:
    """Draw the choice, which shows this design's side; the other choice opens the page of the other design."""
    own, other = ("shared", "separate") if _is_for_shared(design) else ("separate", "shared")
    if replace(SHARED, usual=own).draw(f"topics-of-{design.slug}") == other:
        st.switch_page(page_named(side_of(design, is_other=True).page).file)


def show_other(design: Design, settings: Question, more: str = "") -> None:
    """Write the topics that the design for the other answer needs by the same scores, in one line."""
    side = side_of(design, is_other=True)
    taken, other = side.design.variance, side.design
    variance = settings.variance.by_estimate.get(OFFERED[taken][0].name)
    if not variance:
        return
    values: dict[str, Any] = {one.name: settings.plan.values[one.name] for one in other.parameters}
    with suppress(InputError, NoSolution), st.container(key="other-topics"):
        topics = other.plan(**values | {taken.name: variance}).required_topics().required_topics
        whose = "Separate topics" if _is_for_shared(design) else "Topics shared by all systems"
        st.markdown(f"{whose}: **{topics:,}** by {side.named}{more}.")


def _is_for_shared(design: Design) -> bool:
    return any(design is shared.design for shared, _ in _SIDES)
