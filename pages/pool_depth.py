"""How deep to judge: the trade-off between topics and pool depth."""

from dataclasses import replace

import streamlit as st

from pages.parts import data, export_drawer, figure, frame, link, runs_data
from pages.parts.pool_depth import answer, form, new_systems
from pages.parts.pool_depth.study import STUDY, before_judging, studied, waits_for_judgments
from topicset_core.analyses.pool_depth import DepthDesign, Effort, choose
from topicset_core.analyses.pool_depth.report import designs_table, report
from topicset_core.errors import TopicsetError

frame.begin(
    "Pool depth",
    "Should I judge many topics shallowly or few deeply? And which of these designs can I pay for?",
)
left, right = st.columns([1, 2.6], gap="large")

with left:
    question = form.ask()
    with st.expander("Time and money"):
        minutes = st.number_input(
            "Minutes a judgment", min_value=0.0, value=0.5, step=0.1, key="pool/minutes"
        )
        per_topic = st.number_input("Minutes a topic", min_value=0.0, value=60.0, step=5.0, key="pool/topic")
        price = st.number_input("Price of an hour", min_value=0.0, value=25.0, step=1.0, key="pool/price")
    effort = Effort(minutes_per_judgment=minutes, minutes_per_topic=per_topic, price_per_hour=price)


def say_effort(design: DepthDesign | None) -> None:
    """Write what a design takes in hours and money."""
    if design is None:
        return
    size = design.required_topics or 0, design.judged_per_topic
    hours, cost = effort.hours(*size), effort.price(*size)
    st.markdown(
        f"That is {hours:,.0f} hours of work, at {minutes:g} minutes a judgment and {per_topic:g} a topic: "
        f"{cost:,.0f} at {price:g} an hour."
    )


with right:
    if waits_for_judgments():
        with st.container(key="data-in-use"):
            st.markdown("Your runs have no judgments yet: pools are counted, and the variance is borrowed.")
        try:
            designs = before_judging(question)
        except TopicsetError as error:
            frame.refuse(frame.plain(f"No answer: {error}."))
            st.stop()
        choice = choose(designs, question.budget)
        answer.say(choice, question)
        st.markdown(
            frame.plain(f"The variance is that of {data.variances()[0].source}, the same at every depth.")
        )
        say_effort(choice.taken)
        link.offer(question.url(), "the question in full precision; whoever opens it brings the same runs")
        answer.show([designs], choice)
        table = designs_table(designs)
        export_drawer.csv("Every depth, CSV", table, name="pool-depth", key="csv-pool-depth")
        st.stop()
    runs_data.say_what_is_in_use()
    made = studied(question)
    if made is None:
        if not STUDY.is_running():
            with st.container(key="refusal"):
                st.info("There is no answer yet: change the question on the left, or press “Compute” again.")
        st.stop()
    study = made.study
    by_measure = [found for name in study.measures if (found := study.of(name))]
    if not by_measure or by_measure[0][0].measure != study.measures[0]:
        frame.refuse(
            f"No answer by {frame.plain(study.measures[0])}: at no depth do scores vary as far as topics can be "
            "counted from. Look deeper, or plan with another measure."
        )
        st.stop()
    answered = replace(made.question, budget=question.budget)  # a new budget needs no new study
    choice = choose(by_measure[0], answered.budget)
    answer.say(choice, answered)
    say_effort(choice.taken)
    if study.judged.depth is None:  # then the costs themselves are in doubt
        st.warning(frame.plain(" ".join(study.notes)))
    url = answered.url()
    with st.container(horizontal=True, vertical_alignment="center"):
        link.offer(url, "the question in full precision; whoever opens it brings the same runs and judgments")
        figure.print_style_switch()
    answer.show(by_measure, choice)
    if study.judged.depth is not None:
        for sentence in study.notes:
            st.markdown(f":small[{frame.plain(sentence)}]")
    new_systems.draw(made, by_measure[0])
    values = dict(answered.values)
    export_drawer.draw(
        report(
            study,
            choice,
            request=answered.request(),
            collections=made.collections,
            values=values,
            gains=answered.gains,
            asked=vars(answered) | {"values": values},
            link=url,
        )
    )
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
Judgments of a shallower pool are those of documents that some run has among its first $\mathit{pd}$; all runs are
scored anew by them, and the variance that results says how many topics the design needs. Where documents were
judged by intent, one outside of the pool is unjudged for every intent, and an intent is known by its relevant
documents in the pool. Judged documents per topic are judged pairs over topics, rounded, and the cost is topics
times documents (Sakai 2016, section 6.3). Variances of several collections are pooled with weights $n_C - 1$.

With a budget the dearest design within it is taken, as the paper advises: all designs shown detect the same
difference, but deeper pools serve new systems better. Agreement is that of the runs' ranking with the ranking
by all judgments: Kendall's $\tau$, and $\tau_{AP}$ (Yilmaz et al. 2008), which weighs the top of the ranking more.

**What this does not tell you.** The runs here are those that made the pool; a new kind of system may find relevant
documents that none of them did, and shallow pools miss more of these. Costs count judgments, and a judge who
stays with a topic is faster at the hundredth document than at the first.
"""
        )
        st.markdown(frame.SAKAI_2016)
