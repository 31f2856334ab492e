"""The held-out view of the topic subsets page: are chosen sets good on other runs, on other topics?"""

import streamlit as st

from pages.parts import export_drawer, figure, frame
from pages.parts.form import offer_link, say_preparation
from pages.parts.topic_subsets import explained, form
from pages.parts.topic_subsets import held_out_form as held_form
from pages.parts.topic_subsets import held_out_work as work
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve
from topicset_core.analyses.topic_subsets.held_out.error_rates import HeldOutErrorRates
from topicset_core.analyses.topic_subsets.held_out.report import (
    curve_figure,
    error_rate_figures,
    held_out_table,
    report,
)
from topicset_core.analyses.topic_subsets.held_out.sentences import (
    error_rates_sentence,
    held_out_sentence,
    how_counted,
    nearest_point,
    reached,
    size_sentence,
)
from topicset_core.analyses.topic_subsets.held_out.spreads import MEANING
from topicset_core.errors import InputError
from topicset_core.wording import counted


def show(asked: form.Asked) -> None:
    """Show the question, the answer, the curves, error rates on request, the numbers."""
    held = held_form.ask(asked)
    work.HELD.follow()
    seen, key = work.progress(held), work.key_of(held)
    try:
        whole = work.HELD.result(key)
        curve = whole or work.HELD.partial(key) or work.quick(held)
    except InputError as error:
        frame.refuse(frame.plain(f"These scores cannot be held out so: {form.rule_of(error)}."))
        return
    if curve is None:
        with st.container(key="waiting"):
            st.markdown(
                f"{asked.matrix.n_topics:,} topics and {asked.matrix.n_systems:,} runs take a while by this "
                "measure."
            )
    else:
        _say(held, curve)
    if work.HELD.is_running() or work.RATES.is_running():
        work.watch(held, seen)
    say_preparation(asked.said)
    with st.container(horizontal=True, vertical_alignment="center"):
        offer_link(held.url)
        figure.print_style_switch()
    _offer_all(held, curve, is_whole=whole is not None)
    if curve is None:
        return
    chart, alt = curve_figure(
        curve,
        target=asked.target,
        cardinality=held.cardinality,
        of_what=held.of_what,
        mode=frame.chart_mode(),
    )
    figure.show(chart, key="held-out", name="topic-subsets-held-out", alt=alt)
    st.markdown(f":small[{frame.plain(_band_words(curve))}]")
    rates = _show_error_rates(held)
    with st.expander("Numbers"):
        st.dataframe(held_out_table(curve), hide_index=True, alt="Goodness on held-out halves by subset size")
    export_drawer.draw(
        report(
            curve,
            asked.matrix,
            target=asked.target,
            cardinality=held.cardinality,
            judged=held.judged,
            rates=rates,
            preparation=asked.said,
            link=held.url,
        )
    )
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(explained.HELD_OUT)


def _say(held: held_form.HeldOutAsked, curve: HeldOutCurve) -> None:
    point = nearest_point(curve, held.cardinality)
    size = counted(point.cardinality, "topic")
    best = point.chosen.best
    answer = "no agreement" if best is None else reached(best.mean, curve.judge_by)
    with st.container(key="answer", gap="xxsmall"):
        st.markdown(f"# On other {held.request.hold_out}, the best {size}: :primary[{answer}]")
        st.markdown(frame.plain(size_sentence(curve, held.cardinality)))
    st.markdown(frame.plain(held_out_sentence(curve, held.asked.target)))
    held.asked.say_size(held.cardinality)
    if curve.matched:
        st.markdown(f":small[{frame.plain(curve.matched)}.]")


def _offer_all(held: held_form.HeldOutAsked, curve: HeldOutCurve | None, *, is_whole: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if curve is not None:
            said = "" if is_whole else _how_far(held)
            frame.say_what_it_rests_on(said + how_counted(curve), is_preview=not is_whole)
        if not is_whole and not work.HELD.is_about(work.key_of(held)):
            st.button(
                f"Run all {held.request.n_splits:,} splits",
                key=f"{work.HELD.name}/run",
                on_click=work.start,
                args=(held,),
                icon=":material/play_arrow:",
            )


def _how_far(held: held_form.HeldOutAsked) -> str:
    """Return what kind of answer it is that is not the whole one."""
    key = work.key_of(held)
    if work.HELD.partial(key) is None:
        return "A first look: "
    return "So far: " if work.HELD.is_about(key) else "What was done before it was stopped: "


def _band_words(curve: HeldOutCurve) -> str:
    return f"Bands: nine splits in ten lie within. {MEANING}" if curve.points else ""


def _show_error_rates(held: held_form.HeldOutAsked) -> HeldOutErrorRates | None:
    """Offer error rates by difference where topics are held out; return them where there are any."""
    if held.request.hold_out != "topics":
        return None
    with st.expander(
        "Error rates by the size of a difference", on_change="rerun", key=f"{form.PAGE}/held-rates"
    ) as more:
        if not more.open:
            return work.error_rates(held)
        work.RATES.follow()
        key = work.rates_key(held)
        whole, found = work.RATES.result(key), work.error_rates(held)
        if found is None:
            st.markdown("How often do best, random and worst sets of some topics turn a pair of runs?")
        if whole is None and not work.RATES.is_about(key):
            st.button(
                f"Count over {held.request.n_splits:,} splits",
                key=f"{work.RATES.name}/run",
                on_click=work.start_error_rates,
                args=(held,),
            )
        if found is None:
            return None
        with st.container(key="error-rates"):
            st.markdown(frame.plain(error_rates_sentence(found)))
        for (chart, alt), name in zip(
            error_rate_figures(found, of_what=held.of_what, mode=frame.chart_mode()),
            ("three-bins", "best-bins"),
            strict=True,
        ):
            figure.show(chart, key=f"held-{name}", name=f"topic-subsets-error-rates-{name}", alt=alt)
        return found
