"""How deep to judge: the trade-off between topics and pool depth."""

from dataclasses import replace

import streamlit as st

from pages.parts import (
    data,
    downloads,
    figure,
    frame,
    job,
    link,
    pool_answer,
    pool_exports,
    pool_form,
    pool_new_systems,
    pool_study,
    runs_data,
)
from topicset_core.analyses.pool_depth import Effort
from topicset_core.errors import TopicsetError

frame.begin(
    "Pool depth",
    "Should I judge many topics shallowly or few deeply? And which of these designs can I pay for?",
)
form, result = st.columns([1, 2.6], gap="large")

with form:
    asked = pool_form.ask()
    with st.expander("Time and money"):
        minutes = st.number_input(
            "Minutes a judgment", min_value=0.0, value=0.5, step=0.1, key="pool/minutes"
        )
        per_topic = st.number_input("Minutes a topic", min_value=0.0, value=60.0, step=5.0, key="pool/topic")
        price = st.number_input("Price of an hour", min_value=0.0, value=25.0, step=1.0, key="pool/price")
    effort = Effort(minutes_per_judgment=minutes, minutes_per_topic=per_topic, price_per_hour=price)


def say_effort(n_topics: int, judged_per_topic: float) -> None:
    """Write what a design takes in hours and money."""
    hours, cost = effort.hours(n_topics, judged_per_topic), effort.price(n_topics, judged_per_topic)
    st.markdown(
        f"That is {hours:,.0f} hours of work, at {minutes:g} minutes a judgment and {per_topic:g} a topic: "
        f"{cost:,.0f} at {price:g} an hour."
    )


with result:
    if pool_study.waits_for_judgments():
        with st.container(key="data-in-use"):
            st.markdown("Your runs have no judgments yet: pools are counted, and the variance is borrowed.")
        try:
            designs = pool_study.before_judging(asked)
        except TopicsetError as error:
            frame.refuse(frame.plain(f"No answer: {error}."))
            st.stop()
        chosen, choice = pool_answer.chosen(designs, asked.budget)
        pool_answer.say(chosen, choice, designs, asked)
        st.markdown(
            frame.plain(f"The variance is that of {data.variances()[0].source}, the same at every depth.")
        )
        if chosen is not None:
            say_effort(chosen.required_topics or 0, chosen.judged_per_topic)
        url = asked.url()
        link.offer(url, "the question in full precision; whoever opens it brings the same runs")
        pool_answer.show([designs], chosen, asked)
        table = pool_answer.table(designs)
        downloads.csv("Every depth, CSV", lambda: table, name="pool-depth", key="csv-pool-depth")
        st.stop()
    runs_data.say_what_is_in_use()
    made = pool_study.made(asked)
    if made is None:
        if not job.is_running(pool_study.STUDY):
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
    chosen, choice = pool_answer.chosen(by_measure[0], asked.budget)
    said = pool_answer.say(chosen, choice, by_measure[0], made.asked)
    if chosen is not None:
        say_effort(chosen.required_topics or 0, chosen.judged_per_topic)
    if study.judged.depth is None:  # then the costs themselves are in doubt
        st.warning(frame.plain(" ".join(study.said)))
    answered = replace(made.asked, budget=asked.budget)  # a new budget needs no new study
    url = answered.url()
    with st.container(horizontal=True, vertical_alignment="center"):
        link.offer(url, "the question in full precision; whoever opens it brings the same runs and judgments")
        figure.print_style_switch()
    pool_answer.show(by_measure, chosen, answered)
    if study.judged.depth is not None:
        for sentence in study.said:
            st.markdown(f":small[{frame.plain(sentence)}]")
    pool_new_systems.draw(made, by_measure[0])
    pool_exports.offer(made, by_measure, chosen, budget=asked.budget, said=said, link=url)
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
