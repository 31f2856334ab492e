"""Tables of the page that compares designs."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from pages.parts import downloads, frame
from topicset_core.analyses.design_comparison import ComparisonTable

_ROW_OF_THE_SENTENCE = 0.10


def answer(tables: Sequence[ComparisonTable], differences: Sequence[float], fewest: str, most: str) -> None:
    """Say which measure needs the fewest topics and which the most, for the ANOVA of ten systems."""
    table = next(found for found in tables if found.method_label == "one-way ANOVA, m = 10")
    row = table.topics[differences.index(_ROW_OF_THE_SENTENCE)]
    topics = dict(zip(table.measures, row, strict=True))
    with st.container(gap="xxsmall"):
        st.markdown(f"# :primary[{frame.plain(fewest)}] needs the fewest topics")
        if fewest == most:
            st.markdown(
                f"It is the only measure loaded: {topics[fewest]:,} topics for a difference of "
                f"{_ROW_OF_THE_SENTENCE:g} between the best and the worst of 10 systems."
            )
        else:
            st.markdown(
                f"For a difference of {_ROW_OF_THE_SENTENCE:g} between the best and the worst of 10 systems, "
                f"{frame.plain(fewest)} asks for **{topics[fewest]:,}** topics and {frame.plain(most)} for "
                f"**{topics[most]:,}**. For a new task, plan with the larger variance."
            )


def show_tables(tables: Sequence[ComparisonTable]) -> None:
    """Show one table a method, in tabs; the smallest of each row in colour, stand-ins in bold."""
    st.subheader("Required topics by method", anchor=False)
    st.markdown("The smallest of each row is underlined.")
    for tab, table in zip(st.tabs([table.method_label for table in tables]), tables, strict=True):
        topics = pd.DataFrame(
            table.topics, index=[f"{value:g}" for value in table.differences], columns=list(table.measures)
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
        tab.table(topics.style.format("{:,}").apply(lambda _, marks=marks: marks, axis=None))
        if table.stands_in.any():
            tab.markdown(
                "**Bold**: the interval sheet of 2016 stopped at n = 343; the ANOVA with m = 10 stands in, as "
                "in the paper."
            )


def _marks(table: ComparisonTable, row: int, column: int) -> list[str]:
    marks = []
    if table.smallest[row, column] and len(table.measures) > 1:
        marks.append("text-decoration: underline")
    if table.stands_in[row, column]:
        marks.append("font-weight: bold")
    return marks


def sheets(tables: Sequence[ComparisonTable]) -> dict[str, downloads.Table]:
    """Return one sheet a method."""
    return {
        table.method_label.replace("confidence interval", "CI"): {"difference": list(table.differences)}
        | {measure: table.topics[:, column].tolist() for column, measure in enumerate(table.measures)}
        for table in tables
    }


def long_table(tables: Sequence[ComparisonTable]) -> downloads.Table:
    """Return all tables as one, a row a number."""
    rows = [
        (table.method_label, difference, measure, int(table.topics[row, column]))
        for table in tables
        for row, difference in enumerate(table.differences)
        for column, measure in enumerate(table.measures)
    ]
    columns = zip(*rows, strict=True)
    return dict(zip(("method", "difference", "measure", "topics"), map(list, columns), strict=True))
