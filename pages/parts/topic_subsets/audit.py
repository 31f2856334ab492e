"""The audit view of the topic subsets page: is a set of topics that somebody chose a good one?"""

import streamlit as st

from pages.parts import export_drawer, figure, frame
from pages.parts.computation import Computation
from pages.parts.form import offer_link, say_preparation
from pages.parts.topic_subsets import audit_form, explained, form
from topicset_core.analyses.topic_subsets.held_out.audit import AuditRequest, SubsetAudit, audit_subset
from topicset_core.analyses.topic_subsets.held_out.audit_report import (
    audit_table,
    figures,
    rank_changes_table,
    report,
)
from topicset_core.analyses.topic_subsets.held_out.request import N_SPLITS, N_STARTS
from topicset_core.analyses.topic_subsets.held_out.sentences import (
    audit_answer,
    halves_sentence,
    ranking_sentence,
    share_in_title,
)
from topicset_core.analyses.topic_subsets.held_out.splits import check_runs
from topicset_core.analyses.topic_subsets.request import N_TRIALS
from topicset_core.errors import InputError
from topicset_core.execution.seed import SEED
from topicset_core.wording import counted

AUDIT: Computation[SubsetAudit] = Computation(f"{form.PAGE}-audit")
_BEGUN = f"{AUDIT.name}/begun"


def show(asked: form.Asked) -> None:
    """Show the box, the answer, its charts and tables."""
    question = audit_form.ask(asked)
    if question.topics:
        try:
            check_runs(*question.judges)
        except InputError as error:
            frame.refuse(frame.plain(f"This cannot be audited: {form.rule_of(error)}."))
            return
    if question.topics and st.session_state.get(_BEGUN) != question.key:
        _start(question)
    AUDIT.follow()
    answer = AUDIT.result(question.key)
    if answer is None:
        if not question.topics:
            st.markdown(
                "Give a list of topics, as of a small benchmark: it is set beside all others of its size."
            )
        elif not AUDIT.is_running():
            st.button("Audit again", key=f"{AUDIT.name}/again", on_click=_start, args=(question,))
        return
    key = asked.measure.key
    _say(answer, key)
    say_preparation(asked.said)
    with st.container(horizontal=True, vertical_alignment="center"):
        offer_link(question.url)
        figure.print_style_switch()
    if not audit_form.fits_in_link(question.topics):
        st.markdown(":small[:gray[The list is too long for the link, which leaves it out.]]")
    for (chart, alt), name in zip(figures(answer, key, frame.chart_mode()), ("place", "ranks"), strict=True):
        figure.show(chart, key=f"audit-{name}", name=f"topic-subset-audit-{name}", alt=alt)
    st.subheader("Numbers", anchor=False)
    places, runs = st.tabs(["By measure", "By run"])
    with places:
        st.dataframe(audit_table(answer), hide_index=True, alt="The set by each measure of goodness")
    with runs:
        st.dataframe(
            rank_changes_table(answer), hide_index=True, alt="Ranks of the runs, largest change first"
        )
    export_drawer.draw(
        report(
            answer,
            asked.matrix,
            goodness=key,
            left_out=question.left_out,
            preparation=asked.said,
            link=question.url,
        )
    )
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(explained.AUDIT)


def _say(found: SubsetAudit, key: str) -> None:
    one = found.by(key)
    topics = counted(found.cardinality, "topic")
    place = (
        ":primary[no agreement]"
        if one.percentile is None
        else f"better than :primary[{share_in_title(one)} of sets]"
    )
    with st.container(key="answer", gap="xxsmall"):
        st.markdown(f"# Your {topics}: {place}")
        st.markdown(frame.plain(audit_answer(found, key)))
    for sentence in (halves_sentence(found, key), ranking_sentence(found)):
        st.markdown(frame.plain(sentence))


def _start(question: audit_form.AuditAsked) -> None:
    """Begin the audit; each question once by itself, and again by its button."""
    st.session_state[_BEGUN] = question.key
    asked, key = question.asked, question.key
    values: dict[str, int] = {
        field.name: int(asked.values[field.name]) for field in (N_TRIALS, N_SPLITS, N_STARTS, SEED)
    }
    request = AuditRequest(topics=question.topics, runs=question.runs, teams=question.teams, **values)

    AUDIT.start(
        key,
        f"Audit of {len(question.topics):,} topics",
        lambda run: audit_subset(
            asked.matrix, request, report_progress=run.report_progress, executor=run.executor
        ),
    )
