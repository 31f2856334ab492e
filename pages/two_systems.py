"""Is one system better than another, or not worse by a margin, and what would decide?"""

from dataclasses import replace
from functools import partial

import streamlit as st

from pages.parts import data, export_drawer, figure, frame, needed, topics
from pages.parts.computation import once
from pages.parts.contents import page_named
from pages.parts.form import offer_link, show_preparation
from pages.parts.score_matrices import reading
from pages.parts.two_systems import PAGE, Settings, ask, join_everywhere
from topicset_core.analyses.two_systems.comparison import TYPE_ONE_NOTE, Answer
from topicset_core.analyses.two_systems.measures import MEASURES, by_measure, by_topic, topic_columns
from topicset_core.analyses.two_systems.report import (
    GROUPS,
    MARGIN_TAB,
    MORE_TOPICS,
    QUESTION,
    figures,
    report,
)
from topicset_core.designs import mcnemar, paired_t
from topicset_core.errors import InputError

_OTHER_ANSWERS = {
    "start": "How many topics for the next task?",
    "rank_resolution": "Ranks of more than two systems",
}
"""What else scores of two systems may be meant for, by page."""


def _refusal(error: InputError) -> str:
    """Return why there is no comparison, in a sentence."""
    value = f" {error.value:.3g}" if isinstance(error.value, float) else ""
    return f"These scores cannot be compared: {error.parameter}{value} {error.rule}."


def _draw(answer: Answer, settings: Settings) -> None:
    """Show verdict, chart, and the tabs."""
    exported = report(answer)
    if settings.notes:
        exported = replace(exported, preparation=settings.notes)
    main, *more = figures(answer)
    figure.show(main, of=PAGE)
    frame.show_answer(exported)
    offer_link(settings.url, settings.commands)
    export_drawer.draw(exported, link=settings.url)
    names = ["Answer", MARGIN_TAB, MORE_TOPICS, "Measures", "Topics", *(["Groups"] if answer.groups else [])]
    test, margin, plan, measures, each, *groups = frame.tabs(*names)
    with test:
        frame.show_findings(exported)
        show_preparation(settings.notes)
    with margin:
        frame.show_findings(exported, MARGIN_TAB, key="margin")
        frame.link_to("pages/at_least_as_good.py", "Plan a test for a margin")
    with plan:
        frame.show_findings(exported, MORE_TOPICS, key="more-topics")
        design = (mcnemar if answer.discordant else paired_t).DESIGN
        page = page_named(topics.page_of(design)).file
        if settings.parts:
            label = "Join the datasets, and plan more groups"
            frame.go_to(page, label, partial(join_everywhere, settings))
        else:
            frame.link_to(page, "Plan topics for a difference that you choose")
    if frame.is_drawn(measures):
        with measures:
            frame.table(
                *MEASURES.screen(by_measure(answer, settings.others)), alt="The difference by measure"
            )
            st.markdown("p (Holm) is adjusted for all rows of this table.")
    if frame.is_drawn(each):
        with each:
            figure.show(*more, of=PAGE)
            frame.table(
                *topic_columns(answer).screen(by_topic(answer)), alt="Topics by the size of their difference"
            )
    for place in groups:
        with place:
            frame.table(*GROUPS.screen(answer.groups), alt="The difference in each group")


frame.begin("two_systems")
data.show_data_in_use()
left, right = frame.form_and_answer()

with left:
    reading.draw_any()
    with frame.refusing(_refusal):
        settings = ask()

with right:
    needed.check("scores")
    if settings.request is None:
        frame.prompt(settings.missing)
    else:
        matrix, request = settings.matrix, settings.request
        key = "two systems", matrix.digest, matrix.name, matrix.is_joined, request
        with frame.refusing(_refusal):
            answer = once(key, lambda: QUESTION.answer(matrix, request))
        _draw(answer, settings)
        frame.explain("two_systems", type_one_note=TYPE_ONE_NOTE)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("Not what you meant?", width="content")
        for name, label in _OTHER_ANSWERS.items():
            frame.link_to(page_named(name).file, label)
        reading.to_judges("Scores of a judge, or of repeats")
