"""Rounds of a task: how the pooled variance converges. Drawn on demand."""

import streamlit as st

from pages.parts import data, figure, frame
from pages.parts.computation import kept
from topicset_core.analyses.score_variance.charts import variance_by_round
from topicset_core.analyses.score_variance.preparation_effect import STANDARD_QUESTION, standard_rule
from topicset_core.analyses.score_variance.report import rounds_table
from topicset_core.analyses.score_variance.uncertainty import Round, rounds
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.figures import Figure

_KEY = "score_matrices/rounds"


def draw() -> None:
    """Offer the rounds where a measure has two matrices or more."""
    measures = [measure for measure, group in data.by_measure().items() if len(group) > 1]
    if not measures:
        return
    with st.expander("Rounds: how the pooled variance converges", on_change="rerun", key=_KEY) as more:
        if more.open:
            _draw_rounds(measures)


def _draw_rounds(measures: list[str]) -> None:
    measure = st.selectbox("Measure", measures, key=f"{_KEY}/measure") if len(measures) > 1 else measures[0]
    group = data.by_measure()[measure]
    places = range(len(group))
    order = st.multiselect(
        "Rounds, in their order",
        list(places),
        default=list(places),
        format_func=lambda place: group[place].name,
        key=f"{_KEY}/order-{'-'.join(matrix.digest[:8] for matrix in group)}",
        help="As loaded at first. Take a round out and put it back to move it to the end.",
    )
    if not order:
        st.markdown("Choose at least one round.")
        return
    result = _task_rounds(
        tuple(group[place].name for place in order),
        tuple(group[place].digest for place in order),
        _matrices=tuple(group[place] for place in order),
    )
    last = result[-1].so_far
    count = "1 round" if len(result) == 1 else f"{len(result)} rounds"
    st.markdown(
        f"After {count} the pooled variance is **σ² = {last.variance:.4g}**, which requires {last.sentence} "
        f"({STANDARD_QUESTION})."
    )
    figure.show(
        Figure(
            "rounds",
            variance_by_round(result, mode=frame.chart_mode()),
            f"Variance of {measure} in each of {count}, and pooled so far, with intervals.",
        )
    )
    precise = st.column_config.NumberColumn(format="%.5g")
    st.dataframe(
        rounds_table(result),
        hide_index=True,
        column_config={"σ²": precise, "σ² so far": precise},
        alt="Variance of each round and pooled so far, with the required topics",
    )
    st.markdown(
        f":small[Intervals: {100 * last.interval.level:g} %. Pooled with weights n − 1 (Sakai 2016, Eq. 38).]"
    )


@kept(20)
def _task_rounds(
    names: tuple[str, ...],  # noqa: ARG001 - in the key, as digests leave names out
    digests: tuple[str, ...],  # noqa: ARG001 - identifies the scores in the key
    *,
    _matrices: tuple[ScoreMatrix, ...],
) -> tuple[Round, ...]:
    """Return the rounds of a task with the topics that each requires."""
    return rounds(_matrices, standard_rule())
