"""Upload or paste scores, or use the sample; shows their variance."""

import streamlit as st

from pages.parts import data, export_drawer, figure, frame
from pages.parts.score_matrices import reading, uploaded_matrices
from topicset_core.analyses.score_variance.report import (
    in_short,
    variance_by_measure,
    variances_of,
    variances_table,
)
from topicset_core.variance import pooled_interval
from topicset_core.wording import few_topics

frame.begin("score_matrices")

form, result = frame.form_and_answer()

with form:
    reading.draw()
    if data.is_sample():
        sample = data.matrices()[0]
        scores = dict(zip(sample.systems, sample.scores.T.tolist(), strict=True))
        st.markdown("No scores yet? Try it with this file of simulated scores.")
        table_of_sample = {"topic": sample.topics} | scores
        export_drawer.csv("Sample scores, CSV", table_of_sample, name="simulated_ap", key="csv-sample")

with result:
    data.show_data_in_use(linked=False)
    pooled, groups = data.variances(), data.by_measure()
    intervals = {measure: pooled_interval(group) for measure, group in groups.items()}
    first = pooled[0]
    with st.container(key="answer", gap="xxsmall"):
        whose = "the simulated" if data.is_sample() else "your"
        frame.headline(f"Within-system variance of {whose} scores: :primary[σ² = {first.value:.4g}]")
        st.markdown(
            f"The variance of one system's scores from topic to topic ({frame.plain(first.source)}); "
            f"{intervals[first.measure].sentence}. The standard deviation is {first.standard_deviation:.3g} "
            f"{frame.plain(first.measure)}."
        )
        frame.caution(few_topics(sum(matrix.n_topics for matrix in groups[first.measure])))
    data.warn([variance.measure for variance in pooled])
    frame.link_to("pages/one_way_anova.py", "How many topics does this variance require?")

    upload = data.own()
    st.session_state[frame.ON_SAMPLE] = not upload  # from here on each matrix is shown, in the pool or not
    uploaded_matrices.draw_closer()
    matrices = [one.matrix for one in upload] or list(data.matrices())
    variances = [variances_of(matrix) for matrix in matrices]
    figure.show(variance_by_measure(matrices))
    table = variances_table(variances)
    if not all(one.in_pool for one in upload):
        table["in the pool"] = ["yes" if one.in_pool else "no" for one in upload]
    if any(one.notes for one in upload):
        table["changed here"] = ["; ".join(one.notes) for one in upload]
    export_drawer.csv("Variances, CSV", table, name="variances", key="csv-variances")
    with frame.folded("Variances", "one-way and two-way, per score matrix"):
        frame.table(table, ".5g", alt="Within-system variances of each matrix")
    values = ", ".join(f"{variance.measure} {variance.value:.4g}" for variance in pooled)
    with frame.folded("Pooled variances for the designs", frame.plain(values)):
        frame.table(
            {
                "measure": [variance.measure for variance in pooled],
                "σ² pooled": [variance.value for variance in pooled],
                "90 % interval": [in_short(intervals[variance.measure]) for variance in pooled],
                "from": [variance.source for variance in pooled],
            },
            ".5g",
            alt="Pooled within-system variance of each measure",
        )
    uploaded_matrices.draw_rounds()
    if upload:
        uploaded_matrices.draw_list()
    frame.explain("score_matrices")
