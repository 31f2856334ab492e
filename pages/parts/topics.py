"""Whether all systems share the topics: the first question of a design page, and the design for the other answer.

A page that has one design only goes to the page of the other one; values, measure and scores go along.
"""

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.parts import frame
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


def tiles(settings: Question) -> list[frame.Tile]:
    """Return the topics that the design for the other answer needs by the same scores, as a tile."""
    if not has_other(settings.plan.design):
        return []
    topics = topics_of_other(settings)
    is_shared = _is_for_shared(settings.plan.design)
    label = "if topics are separate" if is_shared else "if topics are shared"
    by = f"By {side_of(settings.plan.design, is_other=True).named}, from the same scores."
    return [] if topics is None else [frame.Tile(label, f"{topics:,}", by)]


def topics_of_other(settings: Question) -> int | None:
    """Return the topics that the design for the other answer needs by the same scores; None without an answer."""
    other = side_of(settings.plan.design, is_other=True).design
    variance = settings.variance.by_estimate.get(OFFERED[other.variance][0].name)
    if not variance:
        return None
    values: dict[str, Any] = {one.name: settings.plan.values[one.name] for one in other.parameters}
    try:
        return int(other.plan(**values | {other.variance.name: variance}).required_topics().required_topics)
    except (InputError, NoSolution):
        return None


def show_other(design: Design, settings: Question, more: str = "") -> None:
    """Write the topics that the design for the other answer needs by the same scores, in one line."""
    topics = topics_of_other(settings)
    if topics is not None:
        whose = "Separate topics" if _is_for_shared(design) else "Topics shared by all systems"
        with st.container(key="other-topics"):
            named = side_of(design, is_other=True).named
            st.markdown(f"{whose}: **{topics:,}** by {named}{more}.")


def _is_for_shared(design: Design) -> bool:
    return any(design is shared.design for shared, _ in _SIDES)
