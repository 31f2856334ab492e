"""Is one system better than another, or not worse by a margin, and what would decide?"""

from dataclasses import replace

import streamlit as st

from pages.parts import data, export_drawer, figure, frame, topics
from pages.parts.computation import once
from pages.parts.contents import page_named
from pages.parts.form import ERROR_PROBABILITIES, SCORES, Choice, Form, fields_of, offer_link
from pages.parts.score_matrices import reading
from topicset_core.analyses.two_systems.comparison import PAIR, TYPE_ONE_NOTE, Answer, Request
from topicset_core.analyses.two_systems.measures import MEASURES, by_measure, by_topic, topic_columns
from topicset_core.analyses.two_systems.report import (
    GROUPS,
    MARGIN_TAB,
    MORE_TOPICS,
    QUESTION,
    figures,
    report,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import mcnemar, paired_t
from topicset_core.errors import InputError
from topicset_core.parameters import LOWER_IS_BETTER, MARGIN
from topicset_core.preparation import MEAN

_PAGE = "two-systems"
_PAIR = (Choice("baseline", "Baseline", data.systems), Choice("new", "New system", data.systems))
_FORM = Form(_PAGE, (*fields_of(Request), SCORES, *_PAIR), together=ERROR_PROBABILITIES)

_OTHER_ANSWERS = {
    "start": "How many topics for the next task?",
    "rank_resolution": "Ranks of more than two systems",
    "judges": "Scores of a judge, or of repeats",
}
"""What else scores of two systems may be meant for, by page."""


def _ask() -> tuple[ScoreMatrix, Request, str]:
    """Draw the form; return the scores, the request and the full link."""
    _FORM.start()
    matrix = _FORM.draw(SCORES)
    if matrix.n_systems < 2:
        rule = f"has one system, {matrix.systems[0]}: upload the scores of both systems, on the same topics"
        raise InputError(matrix.name, None, rule)
    baseline = _FORM.draw(replace(_PAIR[0], options=matrix.systems))
    new = _FORM.draw(replace(_PAIR[1], options=[name for name in matrix.systems if name != baseline]))
    _FORM.ask(MARGIN, LOWER_IS_BETTER)
    if matrix.groups is not None:
        _FORM.ask(MEAN)
    with st.expander("The test"):
        _FORM.ask_rest(Request, MARGIN, LOWER_IS_BETTER, MEAN, PAIR)
    values = _FORM.values()
    mean = {"mean": None} if matrix.groups is None else {}
    request = _FORM.request(Request, values, pair=(baseline, new), **mean)
    return matrix, request, _FORM.url(values, baseline=baseline, new=new, **mean)


def _refusal(error: InputError) -> str:
    """Return why there is no comparison, in a sentence."""
    value = f" {error.value:.3g}" if isinstance(error.value, float) else ""
    return f"These scores cannot be compared: {error.parameter}{value} {error.rule}."


def _draw(answer: Answer, url: str) -> None:
    """Show verdict, chart, and the tabs."""
    exported = report(answer)
    main, *more = figures(answer)
    figure.show(main, of=_PAGE)
    frame.show_answer(exported)
    offer_link(url)
    export_drawer.draw(exported, link=url)
    names = ["Answer", MARGIN_TAB, MORE_TOPICS, "Measures", "Topics", *(["Groups"] if answer.groups else [])]
    test, margin, plan, measures, each, *groups = frame.tabs(*names)
    with test:
        frame.show_findings(exported)
    with margin:
        frame.show_findings(exported, MARGIN_TAB, key="margin")
        frame.link_to("pages/at_least_as_good.py", "Plan a test for a margin")
    with plan:
        frame.show_findings(exported, MORE_TOPICS, key="more-topics")
        design = (mcnemar if answer.discordant else paired_t).DESIGN
        frame.link_to(page_named(topics.page_of(design)).file, "Plan more topics with these scores")
    if frame.is_drawn(measures):
        with measures:
            frame.table(
                *MEASURES.screen(by_measure(answer, data.matrices())), alt="The difference by measure"
            )
            st.markdown("p (Holm) is adjusted for all measures in the table.")
    if frame.is_drawn(each):
        with each:
            figure.show(*more, of=_PAGE)
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
        matrix, request, url = _ask()

with right:
    with frame.refusing(_refusal):
        answer = once(
            ("two systems", matrix.digest, matrix.name, request), lambda: QUESTION.answer(matrix, request)
        )
    _draw(answer, url)
    frame.explain("two_systems", type_one_note=TYPE_ONE_NOTE)
    with st.container(horizontal=True, gap="small"):
        st.markdown("Not what you meant?", width="content")
        for name, label in _OTHER_ANSWERS.items():
            frame.link_to(page_named(name).file, label)
