"""Which ranks of a leaderboard are real, and which systems may be the best?"""

import streamlit as st

from pages.parts import data, export_drawer, figure, frame
from pages.parts import rank_resolution as parts
from topicset_core.analyses.rank_resolution.charts import rank_intervals
from topicset_core.analyses.rank_resolution.report import report
from topicset_core.errors import InputError

frame.begin("rank_resolution")
data.show_data_in_use()
left, right = frame.form_and_answer()

with left:
    try:
        asked = parts.ask()
    except InputError as error:
        frame.refuse(frame.plain(parts.no_answer(error)))
        st.stop()

with right:
    try:
        known = parts.ANSWERS.best(asked.matrix, asked.request)
    except InputError as error:
        frame.refuse(frame.plain(parts.no_answer(error)))
        st.stop()
    result = known.answer
    parts.show(result, is_preview=not known.is_whole)
    parts.table(result)
    parts.ANSWERS.bar(known, parts.how_resolved(result.resolution), asked.url)
    figure.show(rank_intervals(result.resolution), of=parts.PAGE)
    export_drawer.draw(report(result), link=asked.url)
    parts.show_two(asked, result)
    parts.show_top(result)
    parts.show_pairs(result)
    parts.show_groups(result)
    parts.show_outlook(result)
    parts.show_stability(asked)
    parts.show_other_tests(asked, result)
    frame.explain("rank_resolution")
