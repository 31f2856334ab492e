"""One matrix looked at closely: every score, every run, and what can be done to it. Drawn on demand."""

import streamlit as st

from pages.parts import data, figure, frame, matrix_correcting, matrix_editing, matrix_preparing
from topicset_core.analyses.run_means import RunMeans, run_means
from topicset_core.charts.run_means import run_means_chart
from topicset_core.charts.score_heat_map import score_heat_map
from topicset_core.collection import ScoreMatrix

_KEY = "score_matrices/closer"


def draw() -> None:
    """Draw the choice of a matrix, and what there is to see of it and to do to it."""
    st.subheader("Look closer", anchor=False)
    own = data.own()
    matrices = [loaded.matrix for loaded in own] or list(data.matrices())
    numbers = [loaded.number for loaded in own] or list(range(len(matrices)))
    by_number = dict(zip(numbers, matrices, strict=True))

    def label(number: int) -> str:
        return f"{by_number[number].name} ({by_number[number].measure})"

    number: int = st.selectbox("Matrix", numbers, format_func=label, key=_KEY)
    matrix = by_number[number]
    with st.expander("Every score: topics and runs", on_change="rerun", key=f"{_KEY}-map") as scores:
        if scores.open:
            _draw_scores(matrix)
    with st.expander("Run means with their intervals", on_change="rerun", key=f"{_KEY}-means") as means:
        if means.open:
            _draw_means(matrix)
    loaded = data.find(number) if own else None
    if loaded is None:
        return
    with st.expander("Prepare", on_change="rerun", key=f"{_KEY}-prepare") as preparing:
        if preparing.open:
            matrix_preparing.draw(loaded)
    with st.expander("Edit scores", on_change="rerun", key=f"{_KEY}-edit") as editing:
        if editing.open:
            matrix_editing.draw(loaded)
    with st.expander(
        "Correct name, measure, orientation", on_change="rerun", key=f"{_KEY}-name"
    ) as correcting:
        if correcting.open:
            matrix_correcting.draw(loaded)


def _draw_scores(matrix: ScoreMatrix) -> None:
    by_means = st.toggle("Order by means", value=True, key=f"{_KEY}-order")
    figure.show(
        score_heat_map(matrix, by_means=by_means, mode=frame.chart_mode()),
        key="heat-map",
        name="scores",
        alt=f"Heat map of {matrix.n_topics:,} topics and {matrix.n_systems:,} runs; colour is {matrix.measure}.",
    )


def _draw_means(matrix: ScoreMatrix) -> None:
    found = run_means(matrix)
    level = f"{100 * found.level:g} %"
    st.markdown(
        f"The best run, {frame.plain(found.systems[0])}, has a mean of **{found.means[0]:.4f}** ± "
        f"{found.half_widths[0]:.4f} {frame.plain(found.measure)}."
    )
    figure.show(
        run_means_chart(found, mode=frame.chart_mode()),
        key="run-means",
        name="run-means",
        alt=f"Mean {found.measure} of {len(found.systems):,} runs with {level} intervals, best first.",
    )
    st.dataframe(_table_of(found), hide_index=True, alt="Mean and interval of each run")
    st.markdown(
        f":small[Each run's own t interval of level {level} (Student 1908): mean ± t(n − 1) s / √n. Runs share "
        "their topics, so intervals that overlap do not mean that two runs do not differ.]"
    )


def _table_of(found: RunMeans) -> dict[str, object]:
    return {
        "run": found.systems,
        f"mean {found.measure}": found.means,
        "from": found.lower,
        "to": found.upper,
        "standard deviation": found.standard_deviations,
    }
