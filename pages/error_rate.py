"""How often would a different set of topics reverse the order of two runs?"""

import streamlit as st

from pages.parts import data, export_drawer, figure, frame
from pages.parts import error_rate as parts
from pages.parts.computation import expected_time
from pages.parts.form import offer_link, show_preparation
from topicset_core.analyses.error_rate import Answer
from topicset_core.analyses.error_rate.extrapolation import FEWEST_TOPICS
from topicset_core.analyses.error_rate.prediction import INTERVAL_NOTE
from topicset_core.analyses.error_rate.report import figures, report
from topicset_core.errors import InputError

frame.begin("error_rate")
data.show_data_in_use()
left, right = frame.form_and_answer()

with left:
    settings = parts.ask()

with right:
    try:
        prediction = parts.predicted(settings)
    except InputError as error:
        frame.refuse(frame.plain(parts.no_answer(error)))
        st.stop()
    parts.show(prediction)
    show_preparation(settings.notes)
    named = parts.named(settings)
    parts.show_two_runs(named)
    parts.EXPERIMENT.follow()
    whole = parts.whole(settings)
    counted = whole or parts.quick(settings)
    with st.container(horizontal=True, vertical_alignment="center"):
        frame.show_basis(parts.how_counted(counted), is_preview=whole is None)
        if whole is None and not parts.EXPERIMENT.is_running():
            st.button(
                f"Run all {settings.n_trials:,} trials{expected_time(parts.seconds_of(settings))}",
                key=f"{parts.PAGE}/run",
                on_click=parts.start,
                args=(settings,),
                icon=":material/play_arrow:",
            )
        offer_link(settings.url)
    answer = Answer(
        matrix=settings.matrix,
        prediction=prediction,
        counted=counted,
        expected=parts.expected(settings),
        two_runs=named,
    )
    around = parts.around(settings)
    curves, map_ = figures(answer, around)
    figure.show(curves, of="error-rate")
    export_drawer.draw(report(answer, preparation=settings.notes, around=around, link=settings.url))
    way = frame.plain(f"{100 * prediction.max_error:g} % needs {prediction.way}")
    with frame.folded("All differences and set sizes", way):
        figure.show(map_, of="error-rate")
    with frame.folded("Numbers", f"error rates in % for {len(counted.cardinalities)} set sizes"):
        parts.table(counted)
    with frame.folded(
        "Design by formula", parts.formula_in_words(answer), key="error-rate/design", lazy=True
    ) as more:
        if more.open:
            parts.design_by_formula(answer)
    with frame.folded(
        "Is the extrapolation correct?",
        "predicted from a third of the topics, checked on the others",
        key="error-rate/beyond",
        lazy=True,
    ) as more:
        if more.open and settings.matrix.n_topics < FEWEST_TOPICS:
            st.markdown("There are too few topics to split them.")
        elif more.open:
            parts.CHECK.follow()
            check = parts.CHECK.result(settings.matrix.digest)
            if check is None and not parts.CHECK.is_running():
                st.button(
                    "Predict from a third of the topics",
                    key=f"{parts.CHECK.name}/run",
                    on_click=parts.start_check,
                    args=(settings,),
                )
            if check is not None:
                parts.show_check(check)
    frame.explain("error_rate", interval_note=INTERVAL_NOTE)
