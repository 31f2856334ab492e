"""The first view of the topic subsets page: best, average and worst, and which topics these are."""

import streamlit as st

from pages.parts import figure, frame, job, live_form, subsets_explained, subsets_exports, subsets_more
from pages.parts import subsets_form as form
from pages.parts import subsets_results as results
from pages.parts import subsets_work as work
from topicset_core.analyses.topic_subsets.curve import SubsetCurve
from topicset_core.analyses.topic_subsets.sentences import statuses_sentence
from topicset_core.errors import InputError


def show(asked: form.Asked) -> None:
    """Show the answer, the curve, the topics, the numbers."""
    found = job.follow(form.PAGE)
    try:
        whole = work.whole(found, asked)
        quick = None if whole else work.quick(asked)
    except InputError as error:
        frame.refuse(frame.plain(form.no_answer(error)))
        return
    whole = whole or work.settled(asked, quick)
    curve = whole or quick
    if curve is None:
        with st.container(key="waiting"):
            st.markdown(
                f"{asked.matrix.n_topics:,} topics and {asked.matrix.n_systems:,} runs take a minute or so by this "
                "measure."
            )
    else:
        results.say(asked, curve)
    live_form.say_preparation(asked.said)
    with st.container(horizontal=True, vertical_alignment="center"):
        live_form.offer_link(asked.url("topics"))
        figure.print_style_switch()
    _show_curve(asked, curve, whole)
    if curve is not None:
        _show_topics(asked, curve)


def _show_curve(asked: form.Asked, curve: SubsetCurve | None, whole: SubsetCurve | None) -> None:
    st.subheader("Best, average and worst", anchor=False)
    running = work.is_under_way(asked)
    with st.container(horizontal=True, vertical_alignment="center"):
        if curve is not None:
            first_look = "" if whole is not None else "A first look, by swaps: "
            frame.say_what_it_rests_on(first_look + statuses_sentence(curve), is_preview=whole is None)
        if whole is None and not running:
            st.button(
                "Look thoroughly",
                key=f"{form.PAGE}/run",
                on_click=work.start,
                args=(asked,),
                icon=":material/play_arrow:",
            )
    partial = None if whole is not None else work.partial(asked)
    if running:
        results.growing(asked, curve)
    elif partial is not None:
        results.curve_so_far(asked, partial, "What was done before it was stopped")
    elif curve is not None:
        results.show_curve(asked, curve)


def _show_topics(asked: form.Asked, curve: SubsetCurve) -> None:
    table = work.table(asked, curve)
    drawn = results.charts(asked, curve, table, frame.chart_mode())
    results.topics(asked, curve, table, drawn[1:])
    with st.expander("Other measures of goodness", on_change="rerun", key=f"{form.PAGE}/other") as more:
        if more.open:
            subsets_more.compare_measures(asked)
    with st.expander(
        "How good is the paper's heuristic here?", on_change="rerun", key=f"{form.PAGE}/heuristic"
    ) as more:
        if more.open:
            subsets_more.judge_the_heuristic(asked, curve)
    st.subheader("Numbers", anchor=False)
    sizes, topics = st.tabs(["By size", "By topic"])
    with sizes:
        results.point_table(curve)
    with topics:
        results.topic_rows(table)
    answered = subsets_exports.Answered(asked, curve, table)
    subsets_exports.offer(
        answered,
        lambda: results.charts(answered.asked, answered.curve, answered.table, "print"),
    )
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(subsets_explained.CHOSEN)
