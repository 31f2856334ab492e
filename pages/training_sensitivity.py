"""Can a system be tuned on incomplete judgments, and by which measure?"""

import streamlit as st

from pages.parts import export_drawer, figure, frame, link, needed, runs_data, sweeps, training_sensitivity
from topicset_core.analyses.training_sensitivity import charts
from topicset_core.analyses.training_sensitivity.report import report
from topicset_core.errors import TopicsetError

frame.begin("training_sensitivity")
left, right = frame.form_and_answer()

with left:
    source = training_sensitivity.ask_for_sweep()
    sweeps.draw_uploads(source)

st.session_state[frame.ON_SAMPLE] = source.is_sample
with right:
    if source.is_sample:
        with frame.head("data"):
            st.markdown("**Sample data**, simulated: a sweep of one parameter.")
    elif sweeps.is_loaded(source):
        runs_data.LEVEL.draw(f"{sweeps.PAGE}/level-now")
    digests = {one.stamp.digest for one in sweeps.sources()}
    link.check(digests, "pages/training_sensitivity.py", is_sample=source.is_sample)
    needed.check("sweep")

try:
    with left:
        asked = training_sensitivity.ask(source)
    with right:
        known = training_sensitivity.ANSWERS.look(asked.data, asked.request)
except TopicsetError as error:
    with right:
        frame.refuse(frame.plain(f"No answer: {error}."))
        if source.settings is None:
            sweeps.offer_sample()
    st.stop()

with right:
    answer = known.answer
    if answer is None:
        if not training_sensitivity.ANSWERS.jobs.is_running():
            frame.show("This experiment takes a while. Press the button to start it.", key="waiting")
        training_sensitivity.ANSWERS.bar(known, "", training_sensitivity.url(asked, {}))
        st.stop()
    exported = report(answer)
    frame.show_answer(exported)
    with left:
        view = training_sensitivity.choose_evaluation(answer)
    evaluated_by = view[training_sensitivity.EVALUATED_BY]
    figure.show(charts.gains_by_completeness(answer, evaluated_by), of=sweeps.PAGE)
    bar = st.container()
    view = training_sensitivity.show(answer, view, exported, source.notes)
    url = training_sensitivity.url(asked, view)
    with bar:
        training_sensitivity.ANSWERS.bar(known, "", url)
    export_drawer.draw(report(answer, training_sensitivity.view_of(answer, view)), link=url)
    frame.explain("training_sensitivity")
