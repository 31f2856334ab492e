"""The answer of the page on pool depth: the design in a sentence, the trade-off, what is given up."""

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from pages.parts import figure, frame
from pages.parts.pool_asked import Asked
from topicset_core.analyses.pool_depth import Choice, DepthDesign, choose
from topicset_core.charts.effects_of_depth import agreement_by_depth, variance_by_depth
from topicset_core.charts.style import Mode
from topicset_core.charts.topics_by_judgments import topics_by_judgments
from topicset_core.exports.csv_table import Table
from topicset_core.wording import counted

Designs = Sequence[DepthDesign]


def chosen(designs: Designs, budget: float | None) -> tuple[DepthDesign | None, Choice | None]:
    """Return the design to take: the dearest within the budget, or the cheapest where there is none."""
    if budget is None:
        return choose(designs, float("inf")).cheapest, None
    found = choose(designs, budget)
    return found.dearest, found


def say(design: DepthDesign | None, choice: Choice | None, designs: Designs, asked: Asked) -> str:
    """Write the number in a sentence, with what it gives up; return it without its marks."""
    deepest = designs[-1]
    if design is None:
        said = choice.said if choice else ""
        with st.container(key="answer", gap="xxsmall"):
            st.markdown("# :primary[No depth] fits the budget")
            st.markdown(frame.plain(said))
        return said
    wanted = ", ".join(f"{asked.symbol(name)} = {value:g}" for name, value in asked.values)
    compared = _compared(design, deepest)
    said = (
        f"{counted(design.pool_depth, 'document')} deep, {design.required_topics:,} topics, "
        f"{design.total_judgments:,} judgments: {compared}for {asked.design} by {design.measure} ({wanted})"
    )
    with st.container(key="answer", gap="xxsmall"):
        st.markdown(
            f"# Depth :primary[{design.pool_depth}], :primary[{design.required_topics:,} topics], "
            f"{design.total_judgments:,} judgments"
        )
        st.markdown(f"{frame.plain(said[0].upper() + said[1:])}.")
    given_up = []
    if design.relevant_missed is not None:
        given_up.append(f"{design.relevant_missed:.1%} of the known relevant documents are not in the pool")
    if design.kendall_tau is not None:
        given_up.append(f"the runs rank as by all judgments with τ = {design.kendall_tau:.2f}")
    if given_up:
        with st.container(key="given-up"):
            st.markdown(f"What it gives up: {', and '.join(given_up)}.")
    if choice is not None:
        others = [
            f"{name}: {_in_short(other)}."
            for name, other in (
                ("The deepest within it", choice.deepest),
                ("The cheapest of all", choice.cheapest),
            )
            if other is not None and other is not design
        ]
        with st.container(key="within-budget"):
            st.markdown(frame.plain(" ".join([choice.said, *others])))
    if design.n_lost_topics:
        st.markdown(f"Topics with relevant documents, but none in a pool so shallow: {design.n_lost_topics}.")
    return said


def _in_short(design: DepthDesign) -> str:
    """Return a design in one line, with what it gives up."""
    cost = counted(design.total_judgments or 0, "judgment")
    said = f"depth {design.pool_depth}, {design.required_topics:,} topics, {cost}"
    if design.kendall_tau is not None and design.relevant_missed is not None:
        said += (
            f", τ = {design.kendall_tau:.2f}, {design.relevant_missed:.1%} of the relevant not in the pool"
        )
    return said


def _compared(design: DepthDesign, deepest: DepthDesign) -> str:
    """Return what the design costs beside the deepest one, where that costs anything."""
    if design is deepest:
        return "the deepest there is, "
    share = design.cost_beside(deepest)
    if share is None:
        return ""
    return f"{share:.1%} of what depth {deepest.pool_depth} costs with {deepest.required_topics:,} topics, "


def charts(
    by_measure: Sequence[Designs], design: DepthDesign | None, asked: Asked, mode: Mode
) -> list[tuple[go.Figure, str, str]]:
    """Return the charts with their names and what they say."""
    yours = by_measure[0]
    trade_off = topics_by_judgments(
        by_measure, yours=yours[0].measure, chosen=design, deepest=yours[-1], budget=asked.budget, mode=mode
    )
    drawn = [
        (
            trade_off,
            "topics-by-judgments",
            "Required topics against judged documents per topic, for each measure.",
        )
    ]
    if yours[0].relevant_known is not None:  # something was judged
        variance = variance_by_depth(by_measure, yours=yours[0].measure, mode=mode)
        agreement = agreement_by_depth(yours, mode=mode)
        drawn.append((variance, "variance-by-depth", "Variance of each measure at each depth."))
        drawn.append((agreement, "agreement-by-depth", "Rank agreement with all judgments at each depth."))
    return drawn


def show(by_measure: Sequence[Designs], design: DepthDesign | None, asked: Asked) -> None:
    """Draw the charts and the table of their numbers."""
    for chart, name, alt in charts(by_measure, design, asked, frame.chart_mode()):
        figure.show(chart, key=name, name=name, alt=alt)
    st.subheader("Every depth", anchor=False)
    precise = st.column_config.NumberColumn(format="%.4g")
    st.dataframe(
        table([one for designs in by_measure for one in designs]),
        hide_index=True,
        column_config=dict.fromkeys(("judged per topic", "σ²", "τ", "τ AP", "relevant known"), precise),
        alt="Topics and judgments at every depth",
    )


def table(designs: Designs) -> Table:
    """Return every design as a row."""
    return {
        "pool depth": [one.pool_depth for one in designs],
        "measure": [one.measure for one in designs],
        "judged per topic": [one.judged_per_topic for one in designs],
        "σ²": [one.within_system_variance for one in designs],
        "topics": [one.required_topics for one in designs],
        "judgments": [one.total_judgments for one in designs],
        "τ": [one.kendall_tau for one in designs],
        "τ AP": [one.tau_ap for one in designs],
        "relevant known": [one.relevant_known for one in designs],
        "topics lost": [one.n_lost_topics for one in designs],
    }
