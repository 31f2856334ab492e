"""Which ranks of a leaderboard are real, and which systems may be the best?"""

import streamlit as st

from pages.parts import data, export_drawer, figure, frame
from pages.parts import rank_resolution as parts
from pages.parts.computation import expected_time
from pages.parts.form import offer_link
from topicset_core.analyses.rank_resolution.charts import rank_intervals
from topicset_core.analyses.rank_resolution.report import report
from topicset_core.errors import InputError

frame.begin("rank_resolution")
data.show_data_in_use()
left, right = frame.form_and_answer()

with left:
    try:
        settings = parts.ask()
    except InputError as error:
        frame.refuse(frame.plain(parts.no_answer(error)))
        st.stop()

with right:
    try:
        result = parts.best_known(settings)
    except InputError as error:
        frame.refuse(frame.plain(parts.no_answer(error)))
        st.stop()
    whole = parts.is_whole(settings, result)
    parts.show(result, is_preview=not whole)
    parts.FLIPS.follow()
    with st.container(horizontal=True, vertical_alignment="center"):
        frame.show_basis(parts.how_resolved(result.resolution), is_preview=not whole)
        if not whole and not parts.FLIPS.is_running():
            st.button(
                f"Run all {settings.request.n_trials:,} flips{expected_time(parts.seconds_of(settings))}",
                key=f"{parts.PAGE}/run",
                on_click=parts.start,
                args=(settings,),
                icon=":material/play_arrow:",
            )
        offer_link(settings.url)
    figure.show(rank_intervals(result.resolution), of=parts.PAGE)
    export_drawer.draw(report(result, link=settings.url))
    parts.show_two(settings, result)
    parts.show_top(result)
    parts.show_pairs(result)
    parts.show_groups(result)
    parts.show_outlook(result)
    parts.show_stability(settings)
    parts.show_other_tests(settings, result)
    parts.table(result)
    frame.explain("rank_resolution")
