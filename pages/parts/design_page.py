"""What every design page shows beside its form: number, charts, table, exports."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages.parts import answer, export_drawer, figure, frame, link, uncertainty
from pages.parts.caching import design_curves
from pages.parts.question import Question
from topicset_core.analyses.sizing import Curves
from topicset_core.analyses.sizing.report import alt_of_topics, design_figures, design_report, symbol_of
from topicset_core.designs import TradeOff, view_of
from topicset_core.designs.curves import COMMON_SIZES, settled_by
from topicset_core.designs.results import Method, PowerResult, WidthResult
from topicset_core.errors import InputError, NoSolution

Result = PowerResult | WidthResult


@dataclass(frozen=True)
class Answered:
    """A question with its answers and all that is drawn of them."""

    asked: Question
    exact: Result
    published: Result | str
    view: TradeOff
    curves: Curves
    variance_symbol: str


def solve(asked: Question, required_topics: Callable[[Method], Result], variance_symbol: str) -> Answered:
    """Answer by both methods, or say why there is no answer and end the page.

    Parameters
    ----------
    asked : Question
        The question.
    required_topics : callable
        From "exact" or "published" to the result.
    variance_symbol : str
        Of the design's variance.
    """
    try:
        exact = required_topics("exact")
    except NoSolution as error:
        frame.refuse(f"No answer: {error}. Allow a larger difference, or a larger α or β.")
        st.stop()
    try:
        published: Result | str = required_topics("published")
    except InputError as error:
        published = error.rule
    except NoSolution as error:
        published = str(error)
    curves = design_curves(exact.design, tuple(asked.values.items()), exact.required_topics)
    return Answered(asked, exact, published, view_of(exact.requirements), curves, variance_symbol)


def show(answered: Answered, *, sentence: str, why: str) -> None:
    """Show number, evidence, link, charts, table and exports of an answer."""
    asked, exact = answered.asked, answered.exact
    answer.number(exact.required_topics, sentence)
    answer.evidence(exact)
    answer.beside_published(exact, answered.published, why)
    matrices = uncertainty.matrices_of(asked.variance)
    uncertain = uncertainty.of_answer(exact, asked.values, asked.variance, matrices)
    if uncertain is not None:
        uncertainty.say(uncertain)
    _say_what_common_sizes_settle(answered)
    url = link.write(asked.values | {link.MEASURE: asked.measure, link.SOURCE: asked.variance_source})
    with st.container(horizontal=True, vertical_alignment="center"):
        link.offer(url)
        figure.print_style_switch()
    first, second, third = design_figures(exact, answered.curves, asked.measure, frame.chart_mode())
    symbol = symbol_of(exact)
    figure.show(first, key="topics", name="topics-by-difference", alt=alt_of_topics(exact))
    figure.show(
        second,
        key="sizes",
        name="by-topics",
        alt=f"What each number of topics gives; the requirement is met from {exact.required_topics:,} on.",
    )
    with st.expander("How much an error in the variance matters", on_change="rerun", key="equal") as more:
        if more.open:
            alt = f"Lines of equal topics over {symbol} and {answered.variance_symbol}."
            figure.show(third, key="equal-topics", name="equal-topics", alt=alt)
    st.header("Required topics", anchor=False)
    st.dataframe(
        {f"{symbol} ({asked.measure})": answered.curves.table[0].difference}
        | {curve.label: curve.topics for curve in answered.curves.table},
        hide_index=True,
        width="content",
        alt=f"Required topics for several {symbol}",
    )
    report = design_report(
        exact,
        None if isinstance(answered.published, str) else answered.published,
        answered.curves,
        sentence=frame.unmarked(sentence),
        measure=asked.measure,
        variance_source=asked.variance_source,
        matrices=matrices,
        seed=uncertain.seed if uncertain is not None else None,
        link=url,
    )
    export_drawer.draw(report)


def _say_what_common_sizes_settle(answered: Answered) -> None:
    symbol = symbol_of(answered.exact)
    try:
        settled = settled_by(answered.view, answered.exact.requirements.variance)
    except NoSolution:  # with a tiny alpha the smallest of them settles nothing
        return
    sizes = " / ".join(map(str, COMMON_SIZES))
    values = " / ".join(f"{value:.3g}" for value in settled)
    st.markdown(f"{sizes} topics would settle {symbol} = {values}.")
