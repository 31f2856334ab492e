"""How often would a different set of topics reverse the order of two runs?"""

import streamlit as st

from pages.parts import data, export_drawer, figure, frame
from pages.parts import error_rate as parts
from pages.parts.form import show_preparation
from topicset_core.analyses.error_rate.prediction import INTERVAL_NOTE
from topicset_core.analyses.error_rate.report import figures, report
from topicset_core.errors import InputError

frame.begin("error_rate")
data.show_data_in_use()
left, right = frame.form_and_answer()

with left:
    asked = parts.ask()

with right:
    try:
        known = parts.ANSWERS.best(asked.matrix, asked.request)
    except InputError as error:
        frame.refuse(frame.plain(parts.no_answer(error)))
        st.stop()
    answer = known.answer
    parts.show(answer.prediction)
    show_preparation(asked.notes)
    parts.show_two_runs(answer.two_runs)
    parts.ANSWERS.bar(known, parts.how_counted(answer.counted), asked.url)
    around = parts.around(answer)
    curves, *others = figures(answer, around)
    figure.show(curves, of="error-rate")
    export_drawer.draw(report(answer, around=around), preparation=asked.notes, link=asked.url)
    way = frame.plain(f"{100 * answer.prediction.max_error:g} % needs {answer.prediction.way}")
    with frame.folded("All differences and set sizes", way):
        figure.show(*others, of="error-rate")
    with frame.folded("Numbers", f"error rates in % for {len(answer.counted.cardinalities)} set sizes"):
        parts.table(answer.counted)
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
        if more.open:
            parts.show_check(asked.matrix, asked.request.seed)
    frame.explain("error_rate", interval_note=INTERVAL_NOTE)
