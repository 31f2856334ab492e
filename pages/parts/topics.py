"""The goal of a plan, and whether all systems share the topics: the first questions of a design page.

Another goal opens its page. A page that has one design only goes to the page of the other one. Values, measure and
scores go along.
"""

from dataclasses import replace

import streamlit as st

from pages.parts import frame
from pages.parts.contents import page_named
from pages.parts.form import Choice
from pages.parts.question import SHARED
from topicset_core.analyses.planning.sides import separate_word as other_word
from topicset_core.analyses.planning.sides import side_of, topics_word
from topicset_core.designs import (
    Design,
    blocked_anova,
    confidence_interval,
    mcnemar,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)

__all__ = ["ask_goal", "go_to", "has_other", "other_word", "page_of"]

_PAGES = {
    blocked_anova.DESIGN: "topics_as_blocks",
    one_way_anova.DESIGN: "one_way_anova",
    mcnemar.DESIGN: "right_or_wrong",
    paired_t.DESIGN: "paired_t",
    two_sample_t.DESIGN: "two_sample_t",
    confidence_interval.DESIGN: "confidence_interval",
    two_sample_confidence_interval.DESIGN: "confidence_interval",
}
"""File names of the pages of designs that other pages link to."""


_GOALS = (
    {
        "paired_t": "to detect a difference",
        "at_least_as_good": "to show at least as good",
        "confidence_interval": "a narrow interval",
        "right_or_wrong": "scores of 0 and 1",
        "looks": "to stop early",
    },
    {
        "topics_as_blocks": "to detect any difference",
        "every_pair": "to find which pairs differ",
        "compare_designs": "to compare all designs",
    },
)
"""Goals of plans for two systems and for several, by the page of each."""

_ALSO = {"two_sample_t": "paired_t", "one_way_anova": "topics_as_blocks"}
"""Pages of a goal for separate topics."""


def ask_goal(page: str) -> None:
    """Draw the goals of plans such as this page's; another one opens its page."""
    own = _ALSO.get(page, page)
    goals = next((goals for goals in _GOALS if own in goals), None)
    if goals is None:
        return
    chosen = Choice("goal", "Goal", goals, usual=own).draw(f"goal-of-{page}")
    if chosen != own:
        frame.open_page(page_named(chosen).file)


def page_of(design: Design) -> str:
    """Return the file name of the page of a design."""
    return _PAGES[design]


def has_other(design: Design) -> bool:
    """Return whether there is a design for the other answer."""
    return side_of(design) is not None


def go_to(design: Design) -> None:
    """Draw the choice, which shows this design's side; the other choice opens the page of the other design."""
    own, other = topics_word(design.plan()), side_of(design, is_other=True)
    if replace(SHARED, usual=own).draw(f"topics-of-{design.slug}") != own and other is not None:
        st.switch_page(page_named(_PAGES[other.design]).file)
