"""From runs and judgments to score matrices: scores and their variance."""

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
from topicset_core.wording import counted

_MEASURE_WIDTH = 130  # pixels: "graded-nERR-IA@10" differs visibly from "nERR-IA@10"

frame.begin("runs_and_qrels")
form, result = frame.form_and_answer()

with form:
    parts.upload()
    parts.ask()

with result:
    runs_data.show_data_in_use(linked=False)
    answer = parts.evaluations()
    if not answer:
        if not parts.SCORING.is_running():
            st.info("Press “Score the runs”.")
        st.stop()
    matrices, variances = matrices_of(answer), pooled_variances(answer)
    first = answer[0].measures[0].name
    with st.container(key="answer", gap="xxsmall"):
        frame.headline(
            f"Within-system variance of {frame.plain(first)}: :primary[σ² = {variances[first]:.4g}]"
        )
        st.markdown(
            f"The variance of one system's scores from topic to topic, "
            f"{frame.plain(spread_in_words(answer, variances))}."
        )
    if runs_data.is_sample():
        frame.link_to("pages/pool_depth.py", "How deep should these runs be judged?")
    else:
        st.markdown("All pages now use these scores.")
        with st.container(horizontal=True):
            frame.link_to("pages/one_way_anova.py", "How many topics do these scores need?")
            frame.link_to("pages/compare_designs.py", "Which measure needs the fewest topics?")
            frame.link_to("pages/pool_depth.py", "How deep to judge?")

    for sentence in [one.note_on_zeros for one in answer if one.note_on_zeros]:
        st.warning(frame.plain(sentence))

    figure.show(variance_by_measure(matrices, mode=frame.chart_mode()))
    table = scores_table(answer)
    precise, share = (
        st.column_config.NumberColumn(format="%.4g"),
        st.column_config.NumberColumn(format="percent"),
    )
    export_drawer.draw(report(answer, runs_data.judged(), selection=runs_data.selected()))
    with frame.folded(
        "Scores", f"mean, best run and variance by {counted(len(answer[0].measures), 'measure')}"
    ):
        st.dataframe(
            table,
            hide_index=True,
            column_config=dict.fromkeys(("mean score", "its mean", "σ² one-way"), precise)
            | {"measure": st.column_config.Column(width=_MEASURE_WIDTH)},
            alt="Scores and variances of each measure",
        )
    runs = runs_table(answer)
    with frame.folded("Judgments and runs", counted(len(next(iter(runs.values()))), "run")):
        st.dataframe(
            judgments_table(runs_data.judged(), answer), hide_index=True, alt="Judgments of each collection"
        )
        st.dataframe(
            runs,
            hide_index=True,
            height=280,
            column_config={"unjudged at 10": share},
            alt="Topics, documents, ties and unjudged share of each run",
        )
    notes = dict.fromkeys(text for one in answer for text in one.notes)
    with frame.folded("Conventions, and checks on your data", counted(len(notes), "note")):
        st.markdown("\n".join(f"- {frame.plain(text)}" for text in notes))
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
Runs are ranked as in trec_eval: by score, then by document id, both descending. A score matrix has one row per
judged topic and one column per run. With default conventions every measure equals that of trec_eval to the last
digits; a run that misses a topic scores 0 there. Measures that trec_eval does not have follow their papers: Q and
nERR as in NTCIREVAL, RBP without its residual. Variances are estimated as in topic set size design (Sakai
2016, Eq. 36), pooled over collections with weights $n_C - 1$ (Eq. 38).

If documents were judged by intent, each counts for every intent to which it is relevant. alpha-nDCG (Clarke et
al. 2008) and nERR-IA (Chapelle et al. 2011) are computed as in TREC's program ndeval with -traditional, which
orders documents by score: any grade from the relevance level on is relevant, all intents have equal weights,
and the ideal list is built greedily. D-nDCG has the global gain $\sum_i P(i \mid q)\,(2^{x_i} - 1)$ of a
document, I-rec is the share of intents served, and D♯-nDCG the mean of both (Sakai and Song 2011). An intent
without a relevant document is left out, as in ndeval and NTCIREVAL; the others have the probabilities of the
uploaded file, without rescaling, or equal ones. Measures without intents use a document's highest grade.

**What this does not tell you.** Documents without a judgment count as not relevant, except for bpref and infAP. If
many of the first ten documents of a run are unjudged, its scores are too low, and the variance may be too low
as well.
"""
        )
        st.markdown(frame.SAKAI_2016)
