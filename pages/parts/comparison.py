"""The answer of the page that compares designs: which measure, and one table a method."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from pages.parts import frame
from topicset_core.analyses.sizing import SPOKEN_DIFFERENCE, STAND_IN_SYSTEMS, ComparisonTable

# A tint that leaves text readable on both themes' backgrounds.
_SHADED, _BOLD = "background-color: rgba(232, 114, 55, 0.22)", "font-weight: bold"


def sentence(topics: dict[str, int], fewest: str, most: str) -> str:
    """Return the answer in words, in Markdown."""
    systems = f"between the best and the worst of {STAND_IN_SYSTEMS} systems"
    if len(topics) == 1:
        return (
            f"It is the only measure here: **{topics[fewest]:,}** topics for a difference of {SPOKEN_DIFFERENCE:g} "
            f"{systems}."
        )
    return (
        f"For a difference of {SPOKEN_DIFFERENCE:g} {systems}, {frame.plain(fewest)} asks for "
        f"**{topics[fewest]:,}** topics and {frame.plain(most)} for **{topics[most]:,}**. For a new task, plan "
        "with the larger variance."
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
