"""From runs and judgments to score matrices: scores and their variance."""

import streamlit as st

from pages.parts import export_drawer, figure, frame, needed, runs_data
from pages.parts import runs_and_qrels as parts
from topicset_core.analyses.run_evaluation import report
from topicset_core.analyses.score_variance.report import variance_by_measure

_MEASURE_WIDTH = 130  # pixels: "graded-nERR-IA@10" differs visibly from "nERR-IA@10"

frame.begin("runs_and_qrels")
form, result = frame.form_and_answer()

with form:
    parts.upload()
    parts.ask()

with result:
    runs_data.show_data_in_use(linked=False)
    needed.check("runs")
    answer = parts.evaluations()
    if not answer:
        if not parts.SCORING.is_running():
            st.info("Press “Score the runs”.")
        st.stop()
    exported = report.report(answer, runs_data.judged(), selection=runs_data.selected())
    figure.show(variance_by_measure(report.matrices_of(answer)))
    frame.show_answer(exported)
    export_drawer.draw(exported)
    scores, collections, checks = frame.tabs("Scores", "Judgments and runs", report.CHECKS)
    precise, share = (
        st.column_config.NumberColumn(format="%.4g"),
        st.column_config.NumberColumn(format="percent"),
    )
    with scores:
        frame.show_findings(exported)
        with st.container(horizontal=True):
            if not runs_data.is_sample():
                st.markdown("All pages now use these scores.", width="content")
                frame.link_to("pages/one_way_anova.py", "How many topics do these scores need?")
                frame.link_to("pages/compare_designs.py", "Which measure needs the fewest topics?")
            if not runs_data.is_sample() and len(runs_data.judged()) > 1:
                frame.link_to("pages/judges.py", "Do people and a model judge alike?")
            frame.link_to("pages/pool_depth.py", "How deep should these runs be judged?")
        st.dataframe(
            report.scores_table(answer),
            hide_index=True,
            column_config=dict.fromkeys(("mean score", "its mean", "σ² one-way"), precise)
            | {"measure": st.column_config.Column(width=_MEASURE_WIDTH)},
            alt="Scores and variances of each measure",
        )
    if frame.is_drawn(collections):
        with collections:
            st.dataframe(
                report.judgments_table(runs_data.judged(), answer),
                hide_index=True,
                alt="Judgments of each collection",
            )
            st.dataframe(
                report.runs_table(answer),
                hide_index=True,
                height=280,
                column_config={"unjudged at 10": share},
                alt="Topics, documents, ties and unjudged share of each run",
            )
    if frame.is_drawn(checks):
        with checks:
            frame.show_findings(exported, report.CHECKS, key="checks")
    frame.explain("runs_and_qrels")
