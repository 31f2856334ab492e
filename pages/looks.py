"""When may one look and stop, and how many topics follow a pilot?"""

from typing import Any

import streamlit as st

from pages.parts import design_page, figure, frame
from pages.parts.form import Choice
from topicset_core.analyses.planning.charts import looks_figure
from topicset_core.analyses.running_evidence import Standing, standing
from topicset_core.designs import group_sequential, two_stage
from topicset_core.designs.group_sequential import Looks
from topicset_core.errors import InputError, ParseError
from topicset_core.parsing.numerals import read_differences

_ROUNDS = Choice(
    "rounds",
    "Topics are scored",
    {"looks": "in steps, with interim tests", "top-up": "as a pilot, then a top-up"},
    look="radio",
)

_PASTED = "looks/differences"


def _show_looks(exact: Any) -> None:
    """Write the table of the looks."""
    if isinstance(exact, Looks):
        rows = [
            f"| {k} | {n:,} | {t:.3f} | {p:.2g} |"
            for k, (n, t, p) in enumerate(
                zip(exact.topics, exact.critical_t, exact.nominal_p, strict=True), 1
            )
        ]
        head = f"| look | {exact.unit}s | stop if \\|t\\| is at least | p at most |"
        st.markdown("\n".join([head, "|--:|--:|--:|--:|", *rows]))


def _draw_more(plan: Looks) -> None:
    """Take the scores so far, and draw where they stand between the boundaries."""
    figure.show(looks_figure(plan, _ask_where(plan)))


def _ask_where(plan: Looks) -> Standing | None:
    """Take scores, and return the state of the evaluation; None without scores."""
    difference = "mean difference" if plan.group_size else "difference"
    with st.container(key="where-am-i"):
        text = st.text_area(
            f"Scores so far, in the order in which {plan.unit}s were scored",
            key=_PASTED,
            height=140,
            placeholder=f"one {plan.unit} per line: the {difference}, or both scores\nq1 0.42 0.38\nq2 0.10 0.25",
        )
        if not text.strip():
            return None
        try:
            now = standing(plan, read_differences(text))
        except (ParseError, InputError) as error:
            frame.refuse(frame.plain(str(error)))
            return None
        with st.container(key="standing"):
            st.markdown(f"**{now.sentence}**")
        st.markdown(frame.plain(now.at_any_time))
        return now


design_page.draw(
    "looks",
    group_sequential.DESIGN,
    two_stage.DESIGN,
    choice=_ROUNDS,
    show_more=_show_looks,
    so_far={group_sequential.DESIGN: _draw_more},
)
