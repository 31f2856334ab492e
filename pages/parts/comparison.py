"""The answer of the page that compares designs: which measure, and one table a method."""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from pages.parts import frame
from pages.parts.data import MeasureVariance
from topicset_core.analyses.sizing import STAND_IN_SYSTEMS, ComparisonTable, MethodLine
from topicset_core.charts.methods_by_topics import methods_by_topics
from topicset_core.charts.style import Mode
from topicset_core.charts.topics_by_measure import topics_by_measure as topics_by_measure_chart

DIFFERENCE = 0.10
"""The row that the sentence and the text for a paper are about."""

# A tint that leaves text readable on both themes' backgrounds.
_SHADED, _BOLD = "background-color: rgba(232, 114, 55, 0.22)", "font-weight: bold"


ALT = (
    "The difference that n topics settle falls with the root of n; the t tests and the ANOVA of two systems "
    "almost coincide, as do the interval and the ANOVA of ten."
)


class Drawn(NamedTuple):
    """A chart, its key on the page, the name of its file, and what it says."""

    figure: go.Figure
    key: str
    name: str
    alt: str


def charts(
    tables: Sequence[ComparisonTable], lines: Sequence[MethodLine], largest: MeasureVariance, mode: Mode
) -> list[Drawn]:
    """Return topics by measure, where there are several, and what each method settles by the largest variance."""
    spoken, drawn = spoken_of(tables), []
    topics = topics_by_measure(spoken)
    if len(topics) > 1:
        wanted = f"minD = {DIFFERENCE:g}"
        counts = ", ".join(f"{measure} {number:,}" for measure, number in topics.items())
        bars = topics_by_measure_chart(topics, method=spoken.method_label, difference=wanted, mode=mode)
        alt = f"Topics that each measure requires for {wanted}, {spoken.method_label}: {counts}."
        drawn.append(Drawn(bars, "measures", "topics-by-measure", alt))
    by_method = methods_by_topics(lines, variance=largest.value, measure=largest.measure, mode=mode)
    return [*drawn, Drawn(by_method, "methods", "methods-by-topics", ALT)]


def spoken_of(tables: Sequence[ComparisonTable]) -> ComparisonTable:
    """Return the table that the sentence is about: the ANOVA of ten systems."""
    return next(table for table in tables if table.method_label == f"one-way ANOVA, m = {STAND_IN_SYSTEMS}")


def topics_by_measure(table: ComparisonTable) -> dict[str, int]:
    """Return the row of the sentence."""
    row = table.topics[table.differences.index(DIFFERENCE)]
    return {measure: int(topics) for measure, topics in zip(table.measures, row, strict=True)}


def sentence(topics: dict[str, int], fewest: str, most: str) -> str:
    """Return the answer in words, in Markdown."""
    systems = f"between the best and the worst of {STAND_IN_SYSTEMS} systems"
    if len(topics) == 1:
        return (
            f"It is the only measure here: **{topics[fewest]:,}** topics for a difference of {DIFFERENCE:g} "
            f"{systems}."
        )
    return (
        f"For a difference of {DIFFERENCE:g} {systems}, {frame.plain(fewest)} asks for **{topics[fewest]:,}** "
        f"topics and {frame.plain(most)} for **{topics[most]:,}**. For a new task, plan with the larger "
        "variance."
    )


def answer(fewest: str, said: str) -> None:
    """Write the name of the measure that needs fewest, large, and what it needs."""
    with st.container(key="answer", gap="xxsmall"):
        st.markdown(f"# :primary[{frame.plain(fewest)}] needs the fewest topics")
        st.markdown(said)


def show_tables(tables: Sequence[ComparisonTable]) -> None:
    """Show the table of a method to be chosen; the smallest of each row shaded, stand-ins bold."""
    st.header("Required topics by method", anchor=False)
    by_label = {table.method_label: table for table in tables}
    chosen = st.selectbox("Method", list(by_label), key="compare/table", persist_state="session", width=320)
    table = by_label[chosen]
    topics = pd.DataFrame(
        table.topics,
        index=[f"{value:g}" for value in table.differences],
        columns=[frame.plain(measure) for measure in table.measures],  # the table reads Markdown
    )
    topics.index.name = "δ" if "interval" in table.method_label else "minD"
    marks = pd.DataFrame(
        [
            ["; ".join(_marks(table, row, column)) for column in range(len(table.measures))]
            for row in range(len(table.differences))
        ],
        index=topics.index,
        columns=topics.columns,
    )
    st.table(topics.style.format("{:,}").apply(lambda _: marks, axis=None), alt=f"Required topics, {chosen}")
    if len(table.measures) > 1:
        st.markdown(":small[The smallest of each row is shaded.]")
    if table.stands_in.any():
        st.markdown(
            ":small[**Bold**: the interval sheet of 2016 stopped at n = 343; the ANOVA with "
            f"m = {STAND_IN_SYSTEMS} stands in, as in the paper.]"
        )


def _marks(table: ComparisonTable, row: int, column: int) -> list[str]:
    marks = []
    if table.smallest[row, column] and len(table.measures) > 1:
        marks.append(_SHADED)
    if table.stands_in[row, column]:
        marks.append(_BOLD)
    return marks
