"""What design pages add where the variance is an estimate: expected power, certainty, and the size of a pilot."""

import streamlit as st

from pages.parts import figure, frame
from pages.parts.question import Question
from topicset_core.analyses.assurance import (
    Assurance,
    AssuranceRequest,
    assurance,
    pilot_totals,
)
from topicset_core.analyses.score_variance.uncertainty import VarianceUncertainty
from topicset_core.analyses.sizing import topics_rule
from topicset_core.analyses.sizing.report import pilot_figure
from topicset_core.designs import design_named
from topicset_core.designs.results import PowerResult, WidthResult
from topicset_core.parameters import PILOT_TOPICS

Result = PowerResult | WidthResult


def assured(exact: Result, settings: Question, uncertain: VarianceUncertainty | None) -> Assurance | None:
    """Return what topics do if the variance is an estimate; None where its uncertainty is not known."""
    if _sizes_itself(exact) or (uncertain is None and settings.effective_df is None):
        return None
    taken = exact.requirements.variance_parameter.name
    values = {
        name: value
        for name, value in settings.values.items()
        if not name.endswith("variance") and name != taken
    }
    rule = topics_rule(exact.design, **values)
    if uncertain is not None:
        variance, df = uncertain.variance, uncertain.interval.effective_df
    else:
        variance, df = exact.requirements.variance, settings.effective_df or 1.0
    request = AssuranceRequest(
        rule=rule,
        variance=variance,
        effective_df=df,
        certainty=settings.certainty,
        holds=None if uncertain is None else uncertain.interval.holds,
    )
    return assurance(request)


def show(result: Assurance | None) -> None:
    """Write the topics for expected power and for certainty, and their source."""
    if result is None:
        return
    with st.container(key="assurance", horizontal=True, vertical_alignment="center"):
        st.markdown(f"{frame.plain(result.sentence)}.")
        with st.popover("How is this computed?"):
            source = "as you state" if result.holds is None else "measured as for the interval"
            st.markdown(
                f"The average is over $\\sigma^2\\nu/\\chi^2_\\nu$ with ν = {result.effective_df:.3g} degrees of "
                f"freedom, {source}. For normal scores the certainty is then exact. Runs share their topics: with "
                "$m(n-1)$ degrees of freedom a limit of 80 % was high enough in only 46 to 66 % of pilots from "
                "real scores."
            )


def offer_pilot(exact: Result, settings: Question) -> None:
    """Show how large a pilot should be, folded."""
    if _sizes_itself(exact):
        return
    requirements, n, sure = exact.requirements, exact.required_topics, settings.certainty
    curves = {f"{100 * sure:g} % certainty": pilot_totals(n, certainty=sure)}
    if isinstance(exact, PowerResult):
        curves["expected power"] = pilot_totals(n, alpha=requirements.alpha, beta=requirements.beta)
    best = curves[f"{100 * sure:g} % certainty"]
    low, high = best.nearly_best
    label = f"How large a pilot should be: about {best.best:,} topics"
    with st.expander(label, on_change="rerun", key="pilot") as more:
        if more.open:
            figure.show(pilot_figure(curves, n, frame.chart_mode()))
            st.markdown(
                f"If n = {n:,} is right, but the variance is to be estimated from a pilot first: a pilot of "
                f"**{best.best:,} topics** makes the total of pilot and experiment smallest, "
                f"**{best.least:,.0f} topics**, when planned with {100 * sure:g} % certainty; {low:,} to {high:,} "
                "do as well, within 1 %. If the topics of the pilot stay in the collection, the total is the "
                "larger of the two numbers, and a larger pilot has no extra cost. One degree of freedom is "
                "counted per topic."
            )


def _sizes_itself(exact: Result) -> bool:
    """Return whether the design takes the uncertainty of a pilot into account itself."""
    return PILOT_TOPICS in design_named(exact.design).parameters
