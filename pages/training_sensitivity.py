"""Can a system be tuned on incomplete judgments, and by which measure?"""

import streamlit as st

from pages.parts import export_drawer, frame, link, runs_data, sweeps, training_sensitivity
from topicset_core.analyses.training_sensitivity.report import report
from topicset_core.errors import TopicsetError
from topicset_core.wording import counted

frame.begin("training_sensitivity")
left, right = frame.form_and_answer()

with left:
    source = training_sensitivity.ask_for_sweep()
    sweeps.draw_uploads(source)

st.session_state[frame.ON_SAMPLE] = source.is_sample
with right:
    if source.is_sample:
        with st.container(key="data-in-use"):
            st.markdown(
                "This is a **simulated** sweep of one parameter. To use your own, open “Upload your own sweep”."
            )
    elif sweeps.is_loaded(source):
        runs_data.LEVEL.draw(f"{sweeps.PAGE}/level-now")
    digests = {one.stamp.digest for one in sweeps.sources()}
    link.check(digests, "pages/training_sensitivity.py", is_sample=source.is_sample)

try:
    with left:
        training = training_sensitivity.ask(source)
    with right:
        result = training_sensitivity.result_of(training)
except TopicsetError as error:
    with right:
        frame.refuse(frame.plain(f"No answer: {error}."))
        if source.settings is None:
            sweeps.offer_sample()
    st.stop()

with right:
    if result is None or not result.levels:
        if not training_sensitivity.EXPERIMENT.is_running():
            with st.container(key="waiting"):
                st.markdown("This experiment takes a while. Press the button to start it.")
        answer = None
    else:
        answer = training_sensitivity.answer_of(training, result, training_sensitivity.shallow(training))
        training_sensitivity.show_summary(answer, training.sweep)
    training_sensitivity.EXPERIMENT.follow()
    running = training_sensitivity.EXPERIMENT.is_running()
    if not running and training_sensitivity.has_more(
        training, result
    ):  # the job ended after the answer was read
        st.rerun()
    if not training_sensitivity.is_whole(training):
        if running:
            training_sensitivity.watch(training, 0 if result is None else len(result.levels))
        else:
            st.button(
                training_sensitivity.button_label(training),
                key=f"{sweeps.PAGE}/run",
                on_click=training_sensitivity.start,
                args=(training,),
                icon=":material/play_arrow:",
            )
    if answer is None:
        st.stop()
    bar = st.container(horizontal=True, vertical_alignment="center")
    view = training_sensitivity.show_gains(answer)
    exports = st.container()
    view = training_sensitivity.show(answer, view)
    url = training_sensitivity.url(training, view)
    with bar:
        link.offer(
            url,
            "every choice in full precision, but not the sweep; upload the same sweep to see the same answer",
        )
    notes = [*source.notes, *answer.sensitivity.notes]
    with frame.folded("Checks on your data", counted(len(notes), "note")):
        st.markdown("\n".join(f"- {frame.plain(text)}" for text in notes))
    with exports:
        export_drawer.draw(report(answer, training_sensitivity.view_of(answer, view), link=url))
    frame.explain("training_sensitivity")
