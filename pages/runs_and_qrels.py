"""From runs and judgments to score matrices: what the runs score, and how it varies."""

import streamlit as st

from pages.parts import export_drawer, figure, frame, runs_data
from pages.parts import runs_and_qrels as parts
from topicset_core.analyses.run_evaluation.report import (
    judgments_table,
    matrices_of,
    pooled_variances,
    report,
    runs_table,
    scores_table,
    spread_in_words,
)
from topicset_core.charts.variance_by_measure import variance_by_measure

_MEASURE_WIDTH = 130  # pixels: "graded-nERR-IA@10" can be told from "nERR-IA@10"

frame.begin("runs_and_qrels")
bring, result = st.columns([1, 2.2], gap="large")

with bring:
    parts.upload()
    parts.ask()

with result:
    runs_data.say_what_is_in_use(linked=False)
    found = parts.evaluations()
    if not found:
        if not parts.SCORING.is_running():
            st.info("Press “Score the runs”.")
        st.stop()
    matrices, variances = matrices_of(found), pooled_variances(found)
    first = found[0].measures[0].name
    with st.container(key="answer", gap="xxsmall"):
        frame.headline(f"{frame.plain(first)} varies by :primary[σ² = {variances[first]:.4g}]")
        st.markdown(f"{frame.plain(spread_in_words(found, variances))}.")
    parts.level_line(found[0])
    if runs_data.is_sample():
        frame.link_to("pages/pool_depth.py", "How deep should such runs be judged?")
    else:
        st.markdown("The other pages now plan with these scores.")
        with st.container(horizontal=True):
            frame.link_to("pages/one_way_anova.py", "How many topics do these scores need?")
            frame.link_to("pages/compare_designs.py", "Which measure needs the fewest topics?")
            frame.link_to("pages/pool_depth.py", "How deep to judge?")

    for sentence in [one.note_on_zeros for one in found if one.note_on_zeros]:
        st.warning(frame.plain(sentence))

    figure.show(variance_by_measure(matrices, mode=frame.chart_mode()))
    table = scores_table(found)
    precise, share = (
        st.column_config.NumberColumn(format="%.4g"),
        st.column_config.NumberColumn(format="percent"),
    )
    st.dataframe(
        table,
        hide_index=True,
        column_config=dict.fromkeys(("mean score", "its mean", "σ² one-way"), precise)
        | {"measure": st.column_config.Column(width=_MEASURE_WIDTH)},
        alt="Scores and variances of each measure",
    )
    st.subheader("Judgments and runs", anchor=False)
    st.dataframe(
        judgments_table(runs_data.judged(), found), hide_index=True, alt="Judgments of each collection"
    )
    st.dataframe(
        runs_table(found),
        hide_index=True,
        height=280,
        column_config={"unjudged at 10": share},
        alt="Topics, documents, ties and unjudged share of each run",
    )
    with st.expander("Conventions, and checks on your data"):
        notes = dict.fromkeys(text for one in found for text in one.notes)
        st.markdown("\n".join(f"- {frame.plain(text)}" for text in notes))
    export_drawer.draw(report(found, runs_data.judged(), selection=runs_data.selected()))
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
Each run is ranked as trec_eval ranks it, by score and then by document id, both descending. A row stands for each
judged topic and a column for each run; without another choice every measure equals trec_eval's to the last digits,
with 0 where a run misses a topic. Measures that trec_eval does not have follow their papers: Q and nERR as in
NTCIREVAL, RBP with its residual left out. The variances are those that topic set size design asks for (Sakai 2016,
Eq. 36), and are pooled over collections with weights $n_C - 1$ (Eq. 38).

Where documents were judged by intent, each counts for every intent that it is relevant to. alpha-nDCG (Clarke et
al. 2008) and nERR-IA (Chapelle et al. 2011) are those of TREC's program ndeval: any grade from the relevance level
on is relevant, all intents count alike, and the ideal list is found greedily. D-nDCG has the global gain
$\sum_i P(i \mid q)\,(2^{x_i} - 1)$ of a document, I-rec is the share of intents served, and D♯-nDCG the mean of
both (Sakai and Song 2011). An intent without a relevant document is left out, as in ndeval and NTCIREVAL; the
others are as likely as a file says, without rescaling, or all alike. Measures that know no intents take a
document's highest grade.

**What this does not tell you.** Documents that nobody judged count as not relevant, except to bpref and infAP.
Where many of the first ten documents of a run are not judged, its scores are too low, and so may be the variance.
"""
        )
        st.markdown(frame.SAKAI_2016)
