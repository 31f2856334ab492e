"""Whether all systems share the topics: the first question of a design page, and the design for the other answer.

A page that has one design only goes to the page of the other one; values, measure and scores go along.
"""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.parts import frame
from pages.parts.computation import shared
from pages.parts.contents import page_named
from pages.parts.question import SHARED, Question
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
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import TOPICS
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
    (
        Side(confidence_interval.DESIGN, "confidence_interval", "the interval of paired differences"),
        Side(two_sample_confidence_interval.DESIGN, "confidence_interval", "the two-sample interval"),
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
    own = _word_of(design)
    if replace(SHARED, usual=own).draw(f"topics-of-{design.slug}") != own:
        st.switch_page(page_named(side_of(design, is_other=True).page).file)


def other_plan(settings: Question) -> Plan | None:
    """Return the plan for the other answer by the same scores; None where there is none."""
    design, values = settings.plan.design, settings.plan.values
    words = {TOPICS.name: other_word(settings.plan)} if TOPICS in design.choices else {}
    if settings.grouped is not None or not (words or has_other(design)):
        return None
    other = design if words else side_of(design, is_other=True).design
    variance = other.variance_of(words)
    known = settings.variance.by_estimate
    value = next(filter(None, (known.get(one.name) for one in OFFERED[variance])), None)
    if value is None:
        return None
    kept: dict[str, Any] = {one.name: values.get(one.name) for one in (*other.parameters, *other.choices)}
    try:
        return other.plan(**kept | words | {variance.name: value})
    except InputError:
        return None


def other_word(plan: Plan) -> str:
    """Return the other answer, as the choice has it."""
    word = plan.values.get(TOPICS.name) or _word_of(plan.design)
    return next(one for one in SHARED.offered() if one != word)


def tile(settings: Question) -> list[frame.Tile]:
    """Return the topics for the other answer as a tile."""
    topics, design = _topics_of_other(settings), settings.plan.design
    if topics is None:
        return []
    by = side_of(design, is_other=True).named if has_other(design) else "this test"
    label = f"if topics are {other_word(settings.plan)}"
    return [frame.Tile(label, f"{topics:,}", f"By {by}, from the same source of variance.")]


def show_other(design: Design, settings: Question, more: str = "") -> None:
    """Write the topics for the other answer in one line."""
    topics = _topics_of_other(settings)
    if topics is not None:
        whose = "Separate topics" if _word_of(design) == "shared" else "Topics shared by all systems"
        st.markdown(f"{whose}: **{topics:,}** by {side_of(design, is_other=True).named}{more}.")


def _topics_of_other(settings: Question) -> int | None:
    plan = other_plan(settings)
    with suppress(NoSolution):
        return (
            None
            if plan is None
            else shared(("topics", *plan.key), lambda: int(plan.required_topics().required_topics))
        )
    return None


def _word_of(design: Design) -> str:
    """Return the answer that a design is for."""
    return "shared" if any(design is shared.design for shared, _ in _SIDES) else "separate"
