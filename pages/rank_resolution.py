"""Which ranks of a leaderboard are real, and which systems may be the best?"""

import streamlit as st

from pages.parts import data, export_drawer, frame
from pages.parts import rank_resolution as parts
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
    parts.show(asked, result, is_preview=not known.is_whole)
    parts.ANSWERS.bar(known, parts.how_resolved(result.resolution), asked.url)
    export_drawer.draw(report(result), link=asked.url)
    for tab, show in zip(frame.tabs(*parts.SECTIONS), parts.SECTIONS.values(), strict=True):
        if tab.open:
            with tab:
                show(asked, result)
    frame.explain("rank_resolution")
