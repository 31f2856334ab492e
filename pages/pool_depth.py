"""Pool depth: the trade-off between topics and pool depth."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from pages.parts import export_drawer, figure, frame, link, runs_data
from pages.parts import pool_depth as parts
from pages.parts.data import MeasureVariance
from topicset_core.analyses.pool_depth import Choice, DepthStudy, study_before_judging
from topicset_core.analyses.pool_depth.designs import Effort, Purchase
from topicset_core.analyses.pool_depth.pools import usual_depths
from topicset_core.analyses.pool_depth.report import (
    Answer,
    answer,
    design_columns,
    figures,
    purchase_columns,
    report,
    studied_in_words,
)
from topicset_core.analyses.pool_depth.study import pool_of
from topicset_core.collection.run import Run
from topicset_core.errors import TopicsetError
from topicset_core.exports.figures import Figure
from topicset_core.wording import counted

frame.begin("pool_depth")
left, right = frame.form_and_answer()

with left:
    unjudged = parts.waits_for_judgments()
    variance = parts.choose_variance() if unjudged else None
    question = parts.ask()
    variance = variance or parts.typed_variance() if unjudged else None
    with st.expander("Time and money"):
        minutes = st.number_input(
            "Minutes per judgment", min_value=0.0, value=0.5, step=0.1, key="pool/minutes"
        )
        per_topic = st.number_input(
            "Minutes per topic", min_value=0.0, value=60.0, step=5.0, key="pool/topic"
        )
        price = st.number_input("Price per hour", min_value=0.0, value=25.0, step=1.0, key="pool/price")
    effort = Effort(minutes_per_judgment=minutes, minutes_per_topic=per_topic, price_per_hour=price)


def write(words: Answer, choice: Choice | None) -> None:
    """Write the headline, its sentences, the cost in time and money, and warnings."""
    with st.container(key="answer", gap="xxsmall"):
        frame.headline(f":primary[{frame.plain(words.number)}]{frame.plain(words.rest)}")
        for sentence in words.sentences:
            st.markdown(frame.plain(sentence))
    taken = None if choice is None else choice.taken
    if taken is not None:
        size = taken.required_topics or 0, taken.total_judgments or 0
        st.markdown(
            f"{effort.hours(*size):,.0f} hours of work at {minutes:g} minutes per judgment and {per_topic:g} per "
            f"topic: {effort.price(*size):,.0f} at {price:g} per hour."
        )
    if words.warning:
        st.warning(frame.plain(words.warning))


def show(study: DepthStudy, further: Sequence[Figure], bought: Sequence[Purchase], design: str) -> None:
    """Draw tables and further figures, folded."""
    if bought:
        symbol = parts.OFFERED[design].difference_parameter.symbol
        with frame.folded("What the budget buys", f"at each of {counted(len(bought), 'depth')}"):
            frame.table(*purchase_columns(symbol).screen(bought), alt="What the budget buys at each depth")
    depths = {one.pool_depth for one in study.designs}
    with frame.folded("All depths and measures", f"topics and judgments at {counted(len(depths), 'depth')}"):
        frame.table(
            *design_columns(study.designs).screen(study.designs), alt="Topics and judgments at every depth"
        )
        for sentence in study.notes:
            st.markdown(f":small[{frame.plain(sentence)}]")
    if further:
        with frame.folded(
            "What shallow pools miss", "variance, rank agreement and known relevant documents by depth"
        ):
            figure.show(*further)


def show_unjudged(runs: list[Run], planned: MeasureVariance | None) -> None:
    """Show pool sizes, and designs once the user has chosen a variance."""
    with frame.head("data").container(key="data-in-use"):
        st.markdown(
            "Your runs have no judgments yet. Pool sizes are counted from the runs; choose the variance of scores."
        )
    if planned is None:
        pool = pool_of(runs, question.depths)
        with st.container(key="answer", gap="xxsmall"):
            frame.headline("Choose a variance of scores on the left")
            st.markdown("Without judgments these runs have no scores, so their variance is unknown.")
        sizes = [
            (depth, pool.documents_per_topic(depth))
            for depth in question.depths or usual_depths(pool.deepest)
        ]
        frame.table(
            {
                "pool depth": [depth for depth, _ in sizes],
                "documents per topic": [size for _, size in sizes],
            },
            ".4g",
            alt="Documents in the pool of your runs at every depth",
        )
        return
    try:
        counted_pools = study_before_judging(
            runs,
            question.depths,
            question.rule,
            within_system_variance=planned.value,
            measure=planned.measure,
        )
    except TopicsetError as error:
        frame.refuse(frame.plain(f"No answer: {error}."))
        return
    study, choice = question.read_off(counted_pools)
    words = answer(study, choice, question.rule)
    write(words, choice)
    st.markdown(f":small[{frame.plain(f'Variance: σ² = {planned.value:.4g}, {planned.source}.')}]")
    url = parts.url(question, planned)
    link.offer(
        url, "the settings in full precision, but not the runs; upload the same runs to see the same answer"
    )
    figure.show(*([] if choice is None else figures(study, choice)))
    export_drawer.draw(report(study, question, source=planned.source), link=url)
    show(study, (), words.purchases, question.design)


with right:
    if unjudged:
        show_unjudged(unjudged, variance)
        st.stop()
    runs_data.show_data_in_use()
    new = parts.studied(question)
    if new is None:
        if not parts.STUDY.is_running():
            with st.container(key="refusal"):
                st.info("No answer yet. Change the settings on the left, or compute again.")
            parts.offer_again()
        st.stop()
    # A new budget or share needs no new study.
    result = replace(new.question, budget=question.budget, min_judged_share=question.min_judged_share)
    head = st.container()
    row = st.container(horizontal=True, vertical_alignment="center")
    with row:
        if new.study.full_pool_factor is not None:
            result = replace(result, full_pool=parts.full_pool())
    study, choice = result.read_off(new.study)
    words, url = answer(study, choice, result.rule), parts.url(result)
    drawn = [] if choice is None else figures(study, choice)
    with head:
        write(words, choice)
    with row:  # after the headline, which the link carries
        link.offer(
            url,
            "the settings in full precision, but not the data; upload the same runs and judgments to see the "
            "same answer",
        )
    figure.show(*drawn[:1])
    if words.other_runs:
        st.info(frame.plain(words.other_runs))
    export_drawer.draw(report(new.study, result, source=studied_in_words(new.collections)), link=url)
    show(study, drawn[1:], words.purchases, result.design)
    if choice is not None:
        parts.draw(new, study.of(choice.designs[-1].measure))
    frame.explain("pool_depth")
