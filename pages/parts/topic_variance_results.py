"""What the topic variance page shows: the answer, ranks, error rates, one run closely, all comparisons."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
import streamlit as st

from pages.parts import figure, frame
from pages.parts import topic_variance_work as work
from pages.parts.topic_variance_form import Asked, ask_run_and_topic
from topicset_core.analyses.topic_variance.findings import Findings
from topicset_core.analyses.topic_variance.fit import Fit, fit
from topicset_core.analyses.topic_variance.sentence import (
    headline,
    misfit_sentence,
    needed,
    noise_sentence,
    order_sentence,
    swap_sentence,
)
from topicset_core.charts.error_rate_by_difference import error_rate_by_difference
from topicset_core.charts.fitted_densities import fitted_densities
from topicset_core.charts.rank_intervals import rank_intervals_chart
from topicset_core.charts.simulated_scores import simulated_scores
from topicset_core.charts.style import Mode
from topicset_core.charts.variance_split import variance_split
from topicset_core.errors import InputError

Chart = tuple[go.Figure, str]


@dataclass(frozen=True)
class Answered:
    """The question and all that was found for it.

    Parameters
    ----------
    asked : Asked
        The question.
    found : Findings
        By the chosen model.
    both : tuple of Findings
        By either model, BST first; the chosen one alone where the other has no answer.
    run, topic : str
        What is looked at closely.
    fitted : Fit or None
        Its scores with their densities; None where there are none of both kinds.
    """

    asked: Asked
    found: Findings
    both: tuple[Findings, ...]
    run: str
    topic: str
    fitted: Fit | None

    @property
    def said(self) -> str:
        """The answer in words."""
        return said(self.found, self.asked.min_d)


def said(found: Findings, min_d: float) -> str:
    """Return the answer in words."""
    return f"{_ordered(found)} {noise_sentence(found, needed(found, min_d))}"


def say(found: Findings, min_d: float) -> None:
    """Write the number and what follows from it."""
    with st.container(key="answer", gap="xxsmall"):
        st.markdown(f"# Other documents swap :primary[{headline(found)}]")
        st.markdown(frame.plain(_ordered(found)))
    st.markdown(frame.plain(noise_sentence(found, needed(found, min_d))))
    misfit = misfit_sentence(found)
    if misfit:
        st.warning(frame.plain(misfit))


def _ordered(found: Findings) -> str:
    return f"{swap_sentence(found)} {order_sentence(found)}"


def in_order(found: Findings, other: Findings | None) -> tuple[Findings, ...]:
    """Return what was found by either model, BST first."""
    both = (found,) if other is None else (found, other)
    return tuple(sorted(both, key=lambda one: one.settings.model))


def show_order(found: Findings, both: Sequence[Findings]) -> None:
    """Draw the ranks of runs and the error rates."""
    for (chart, alt), name in zip(
        order_charts(found, both, frame.chart_mode()), ("ranks", "errors"), strict=True
    ):
        figure.show(chart, key=name, name=f"topic-variance-{name}", alt=alt)


def order_charts(found: Findings, both: Sequence[Findings], mode: Mode) -> list[Chart]:
    """Return the charts of ranks and of error rates with what they say."""
    return [
        (
            rank_intervals_chart(found, mode=mode),
            f"Rank of each run with its interval. {order_sentence(found)}",
        ),
        (
            error_rate_by_difference(both, mode=mode),
            "Share of pairs of runs in the other order, by the size of their difference.",
        ),
    ]


def show_noise(found: Findings) -> None:
    """Show what to act on: where variance comes from, which pairs turn, which topics are unstable."""
    st.subheader("What to act on", anchor=False)
    chart, alt = noise_chart(found, frame.chart_mode())
    figure.show(chart, key="split", name="topic-variance-split", alt=alt)


def noise_chart(found: Findings, mode: Mode) -> Chart:
    """Return the chart of variances with what it says."""
    chart = variance_split(found.components, measure=found.settings.measure_name, mode=mode)
    return chart, "Variance of a score by topic, system, both together, and documents."


def show_closely(asked: Asked, found: Findings, both: Sequence[Findings]) -> Answered:
    """Let the user look at one run and topic; return all that was found."""
    st.subheader("One run closely", anchor=False)
    run, topic = ask_run_and_topic(found)
    fitted, why_not = None, ""
    try:
        of_tag = next(one for one in asked.runs if one.tag == run)
        fitted = fit(work.cells(asked), of_tag, topic, asked.settings.bandwidth)
    except InputError as error:
        why_not = f"No densities to show: {error.rule}."
    answered = Answered(asked, found, tuple(both), run, topic, fitted)
    for (chart, alt), name in zip(
        closely_charts(answered, frame.chart_mode()), ("scores", "fit"), strict=False
    ):
        figure.show(chart, key=name, name=f"topic-variance-{name}", alt=alt)
    st.markdown(frame.plain(why_not or how_it_fits(fitted)))
    return answered


def closely_charts(answered: Answered, mode: Mode) -> list[Chart]:
    """Return the charts of one run's scores, and of its densities where there are any."""
    scores = simulated_scores(answered.found, answered.run, topic=answered.topic, mode=mode)
    charts = [(scores, f"Simulated against original scores of {answered.run}, topic by topic.")]
    if answered.fitted is not None:
        charts.append(
            (
                fitted_densities(answered.fitted, mode=mode),
                f"Scores of one topic. {how_it_fits(answered.fitted)}",
            )
        )
    return charts


def how_it_fits(fitted: Fit | None) -> str:
    """Return how well the densities keep relevant documents above the others."""
    if fitted is None:
        return ""
    above = f"A relevant document has the higher score in {100 * fitted.above:.1f} % of all pairs with another one"
    if fitted.above_by_densities is None:
        return f"{above}. Scores of one kind do not vary, so they have no density: they are resampled."
    drawn = f"{100 * fitted.above_by_densities:.1f} %"
    return f"{above}, and in {drawn} when both are drawn from the densities: the closer, the better they fit."


def charts(answered: Answered, mode: Mode) -> list[Chart]:
    """Return all figures of the page with what they say."""
    return [
        *order_charts(answered.found, answered.both, mode),
        noise_chart(answered.found, mode),
        *closely_charts(answered, mode),
    ]
