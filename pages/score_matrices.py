"""Upload or paste scores, or use the sample; shows their variance."""

import streamlit as st

from pages.parts import data, export_drawer, figure, frame
from pages.parts.score_matrices import reading, uploaded_matrices
from topicset_core.analyses.score_variance.report import in_short, variances_of, variances_table
from topicset_core.charts.variance_by_measure import variance_by_measure
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
    matrices = [one.matrix for one in upload] or list(data.matrices())
    variances = [variances_of(matrix) for matrix in matrices]
    figure.show(variance_by_measure(matrices, mode=frame.chart_mode()))
    table = variances_table(variances)
    if not all(one.in_pool for one in upload):
        table["in the pool"] = ["yes" if one.in_pool else "no" for one in upload]
    if any(one.notes for one in upload):
        table["changed here"] = ["; ".join(one.notes) for one in upload]
    precise = st.column_config.NumberColumn(format="%.5g")
    export_drawer.csv("Variances, CSV", table, name="variances", key="csv-variances")
    with frame.folded("Variances", "one-way and two-way, per score matrix"):
        st.dataframe(
            table,
            hide_index=True,
            column_config={"σ² one-way": precise, "σ² two-way": precise},
            alt="Within-system variances of each matrix",
        )
    values = ", ".join(f"{variance.measure} {variance.value:.4g}" for variance in pooled)
    with frame.folded("Pooled variances for the designs", frame.plain(values)):
        st.dataframe(
            {
                "measure": [variance.measure for variance in pooled],
                "σ² pooled": [variance.value for variance in pooled],
                "90 % interval": [in_short(intervals[variance.measure]) for variance in pooled],
                "from": [variance.source for variance in pooled],
            },
            hide_index=True,
            column_config={"σ² pooled": precise},
            alt="Pooled within-system variance of each measure",
        )
    uploaded_matrices.draw_rounds()
    if upload:
        uploaded_matrices.draw_list()
    uploaded_matrices.draw_closer()

    with st.expander("How this is computed"):
        st.markdown(
            r"""
**One-way** (Sakai 2016, Eq. 36), which the designs use: the mean over systems of the unbiased variance of their
scores over topics. Differences in difficulty between topics count as noise, so the estimate is conservative: it
leads to more topics. **Two-way** (Eq. 37) removes topic difficulty, and is half the mean variance of the difference
of two systems. Matrices of one measure are **pooled** with weights $n_C - 1$ (Eq. 38). The **interval** takes a
variance to vary as a chi-square distribution; its degrees of freedom follow from the variance without each topic in
turn (jackknife).

**Prepare** first drops runs by raw scores. Then it takes natural logarithms (their mean is the logarithm of the
geometric mean, for AP this is GMAP; Robertson 2006). Then it standardises each topic by the mean and standard
deviation of the chosen runs (z; Webber et al. 2008), or maps this to $0.15 z + 0.5$ within 0 to 1 (std-AB; Sakai
2016b). *Undo changes* restores the scores as they were read.

T. Sakai. Topic set size design. *Information Retrieval Journal* 19, 256–283 (2016).
[doi:10.1007/s10791-015-9273-z](https://doi.org/10.1007/s10791-015-9273-z)

T. Sakai. A simple and effective approach to score standardisation. *ICTIR 2016*, 95–104.
[doi:10.1145/2970398.2970399](https://doi.org/10.1145/2970398.2970399)

S. Robertson. On GMAP: and other transformations. *CIKM 2006*, 78–83.
[doi:10.1145/1183614.1183630](https://doi.org/10.1145/1183614.1183630)

W. Webber, A. Moffat, J. Zobel. Score standardization for inter-collection comparison of retrieval systems.
*SIGIR 2008*, 51–58. [doi:10.1145/1390334.1390346](https://doi.org/10.1145/1390334.1390346)
"""
        )
