"""Would another document collection change the conclusions?"""

import streamlit as st

from pages.parts import export_drawer, figure, frame, needed, runs_data, topic_variance
from topicset_core.analyses.topic_variance.charts import rank_intervals
from topicset_core.analyses.topic_variance.prepared import N_CUTS
from topicset_core.analyses.topic_variance.report import report
from topicset_core.analyses.topic_variance.sentences import how_counted

frame.begin("topic_variance")
left, right = frame.form_and_answer()

with left:
    asked = topic_variance.ask()

with right:
    runs_data.show_data_in_use()
    needed.check("runs")
    with frame.refusing("No answer: {}.".format):
        known = topic_variance.ANSWERS.look(asked.data, asked.request)
    result = known.answer
    if result is None:
        judged = asked.data.judged
        frame.show(
            f"This model takes a while for {judged.n_systems:,} runs and {judged.n_topics:,} topics. Press the "
            "button to start it.",
            key="waiting",
        )
        topic_variance.ANSWERS.bar(known, "", asked.url)
        st.stop()
    figure.show(rank_intervals(result), of=topic_variance.PAGE)
    frame.show_answer(report(result), is_preview=not known.is_whole)
    topic_variance.ANSWERS.bar(known, f"{how_counted(result)}.", asked.url)
    export_drawer.draw(topic_variance.show(asked, result), link=asked.url)
    frame.explain("topic_variance", n_cuts=N_CUTS)
