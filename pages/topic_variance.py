"""Would another document collection change the conclusions?"""

import streamlit as st

from pages.parts import export_drawer, figure, frame, runs_data, topic_variance
from pages.parts.computation import expected_time
from pages.parts.form import offer_link
from topicset_core.analyses.topic_variance.charts import rank_intervals
from topicset_core.analyses.topic_variance.prepared import N_CUTS
from topicset_core.analyses.topic_variance.report import report
from topicset_core.analyses.topic_variance.sentences import (
    DENSITIES,
    INDEPENDENCE,
    ORDER,
    PAPER,
    how_counted,
)
from topicset_core.errors import InputError

frame.begin("topic_variance")
left, right = frame.form_and_answer()

with left:
    request = topic_variance.ask()

with right:
    runs_data.show_data_in_use()
    try:
        was_running = topic_variance.SIMULATION.is_running()
        result = topic_variance.findings_of(request)
        seen = topic_variance.progress(request)
    except InputError as error:
        frame.refuse(frame.plain(f"No answer: {error}."))
        st.stop()
    if result is None:
        with st.container(key="waiting"):
            st.markdown(
                f"This model takes a while for {request.judged.n_systems:,} runs and {request.judged.n_topics:,} "
                "topics. Press the button to start it."
            )
    else:
        topic_variance.show_summary(
            result, request.min_d, is_preview=result.settings.n_trials < request.settings.n_trials
        )
        models, why_not = topic_variance.every(request)  # before the button, which starts missing models
    topic_variance.SIMULATION.follow()
    running = topic_variance.SIMULATION.is_running()
    if (
        was_running and not running and topic_variance.progress(request) != seen
    ):  # it ended after the answer was read
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        if result is not None:
            few = result.settings.n_trials < request.settings.n_trials
            first = "" if not few else "Result so far: " if running else "Preview: "
            frame.show_basis(first + how_counted(result) + ".", is_preview=few)
        if not topic_variance.is_whole(request) and not running:
            st.button(
                f"Run {request.settings.n_trials:,} collections, all models"
                f"{expected_time(topic_variance.seconds_left(request))}",
                key=f"{topic_variance.PAGE}/simulate",
                on_click=topic_variance.start,
                args=(request,),
                icon=":material/play_arrow:",
            )
        offer_link(request.url)
    if running:
        topic_variance.watch(request, seen)
    if result is None:
        st.stop()
    figure.show(rank_intervals(result), of=topic_variance.PAGE)
    exports = st.container()
    detail = topic_variance.show(request, result, models, why_not)
    topic_variance.show_remarks(result, by_intent=request.judged.qrels.intents is not None)
    with exports:
        export_drawer.draw(
            report(
                result,
                models,
                min_d=request.min_d,
                run=detail.run,
                topic=detail.topic,
                fitted=detail.fitted,
                link=request.url,
            )
        )
    frame.explain(
        "topic_variance",
        independence=INDEPENDENCE,
        order=ORDER,
        densities=DENSITIES,
        paper=PAPER,
        n_cuts=N_CUTS,
    )
