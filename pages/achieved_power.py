"""Does the test keep alpha and has it its power on the user's own scores?"""

import streamlit as st

from pages.parts import achieved_power as check
from pages.parts import data, export_drawer, figure, frame
from pages.parts.computation import expected_time
from pages.parts.form import offer_link
from topicset_core.analyses.achieved_power.report import (
    RATES,
    how_simulated,
    notes,
    planned_power,
    rates,
    report,
    sentences,
)
from topicset_core.analyses.achieved_power.report import figure as drawn
from topicset_core.errors import InputError, NoSolution

frame.begin("achieved_power")
data.show_data_in_use()
left, right = frame.form_and_answer()

with left:
    try:
        settings = check.ask()
    except InputError as error:
        frame.refuse(frame.plain(check.no_answer(error)))
        st.stop()

with right:
    try:
        seen = check.progress(settings)  # before the answer, which may have more, but not less
        result = check.best_known(settings)
    except InputError as error:
        frame.refuse(frame.plain(check.no_answer(error)))
        st.stop()
    except NoSolution as error:
        frame.refuse(frame.plain(f"No number of topics: {error}. Enter n, or a larger difference."))
        st.stop()
    whole = check.is_whole(settings, result)
    with st.container(key="answer", gap="xxsmall"):
        power = f":primary[{100 * result.power.value:.1f} %]"
        frame.headline(f"Power {power} ({planned_power(result)})", is_preview=not whole)
        st.markdown(frame.plain(" ".join(sentences(result))))
    with st.container(key="limits"):
        st.markdown(f":small[{frame.plain(' '.join(notes(result)))}]")
    check.TRIALS.follow()
    running = check.TRIALS.is_running()
    if not whole and check.is_done(settings):  # it ended after the answer was read
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        frame.show_basis(how_simulated(result), is_preview=not whole)
        if not whole and not running:
            st.button(
                f"Run all {settings.request.n_trials:,} trials{expected_time(check.seconds_of(settings))}",
                key=f"{check.PAGE}/run",
                on_click=check.start,
                args=(settings,),
                icon=":material/play_arrow:",
            )
        offer_link(settings.url)
    if running:
        check.watch(settings, seen)
    figure.show(drawn(result, frame.chart_mode()), of=check.PAGE)
    export_drawer.draw(report(result, link=settings.url))
    with frame.folded("Numbers", "type I error and power with standard errors and quantiles over pairs"):
        frame.table(
            *RATES.screen(rates(result)), width="content", alt="Stated and achieved type I error and power"
        )
    frame.explain("achieved_power")
