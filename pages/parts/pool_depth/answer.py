"""The answer of the page on pool depth: the design in a sentence, the trade-off, what is given up."""

from collections.abc import Sequence

import streamlit as st

from pages.parts import figure, frame
from pages.parts.pool_depth.question import Question
from topicset_core.analyses.pool_depth import Choice, DepthDesign
from topicset_core.analyses.pool_depth.report import answer_sentence, designs_table, figures
from topicset_core.wording import counted


def say(choice: Choice, question: Question) -> None:
    """Write the number in a sentence, with what it gives up."""
    design = choice.taken
    sentence = answer_sentence(choice, design=question.design, values=dict(question.values))
    if design is None:
        with st.container(key="answer", gap="xxsmall"):
            st.markdown("# :primary[No depth] fits the budget")
            st.markdown(f"{frame.plain(sentence)}.")
        return
    with st.container(key="answer", gap="xxsmall"):
        st.markdown(
            f"# Depth :primary[{design.pool_depth}], :primary[{design.required_topics:,} topics], "
            f"{design.total_judgments:,} judgments"
        )
        st.markdown(f"{frame.plain(sentence[0].upper() + sentence[1:])}.")
    given_up = []
    if design.relevant_missed is not None:
        given_up.append(f"{design.relevant_missed:.1%} of the known relevant documents are not in the pool")
    if design.kendall_tau is not None:
        given_up.append(f"the runs rank as by all judgments with τ = {design.kendall_tau:.2f}")
    if given_up:
        with st.container(key="given-up"):
            st.markdown(f"What it gives up: {', and '.join(given_up)}.")
    if choice.sentence:
        others = [
            f"{name}: {_in_short(other)}."
            for name, other in (
                ("The deepest within it", choice.deepest),
                ("The cheapest of all", choice.cheapest),
            )
            if other is not None and other is not design
        ]
        with st.container(key="within-budget"):
            st.markdown(frame.plain(" ".join([choice.sentence, *others])))
    if design.n_lost_topics:
        st.markdown(f"Topics with relevant documents, but none in a pool so shallow: {design.n_lost_topics}.")


def _in_short(design: DepthDesign) -> str:
    """Return a design in one line, with what it gives up."""
    cost = counted(design.total_judgments or 0, "judgment")
    text = f"depth {design.pool_depth}, {design.required_topics:,} topics, {cost}"
    if design.kendall_tau is not None and design.relevant_missed is not None:
        text += (
            f", τ = {design.kendall_tau:.2f}, {design.relevant_missed:.1%} of the relevant not in the pool"
        )
    return text


def show(by_measure: Sequence[Sequence[DepthDesign]], choice: Choice) -> None:
    """Draw the charts and the table of their numbers."""
    for chart, name, alt in figures(by_measure, choice, frame.chart_mode()):
        figure.show(chart, key=name, name=name, alt=alt)
    st.subheader("Every depth", anchor=False)
    precise = st.column_config.NumberColumn(format="%.4g")
    st.dataframe(
        designs_table([one for designs in by_measure for one in designs]),
        hide_index=True,
        column_config=dict.fromkeys(("judged per topic", "σ²", "τ", "τ AP", "relevant known"), precise),
        alt="Topics and judgments at every depth",
    )
