"""Where the variance of a design comes from: loaded scores and how, the literature, or typed in."""

from dataclasses import dataclass

import streamlit as st

from pages.parts import data, frame
from topicset_core.errors import InputError
from topicset_core.parameter import Parameter
from topicset_core.variance import (
    CONSERVATIVE_DIFFERENCE,
    ESTIMATES,
    ONE_WAY,
    STATED_VARIANCES,
    Estimate,
    Weights,
    chosen_pair,
    conservative_difference_variance,
    largest_by_measure,
)
from topicset_core.variance.choices import Kind

LARGEST = "the largest of these measures"
TYPED = "typed in below"
LITERATURE = "from the literature"
_PAIR = "σₜ² of two runs to be named"
_WEIGHTS: dict[str, Weights] = {"topics (the paper's)": "topics", "degrees of freedom": "degrees-of-freedom"}


@dataclass(frozen=True)
class Chosen:
    """A variance and what is known of it.

    Parameters
    ----------
    value : float or None
        The variance; None where the user types it.
    measure, source : str
        What it was measured on, in words.
    estimate : Estimate or None
        How it was taken from scores; None where it was not.
    weights : {"topics", "degrees-of-freedom"}
        How collections were pooled.
    """

    value: float | None
    measure: str
    source: str
    estimate: Estimate | None = None
    weights: Weights = "topics"


def choose(page: str, variance: Parameter, kind: Kind, current: str) -> tuple[str, Chosen]:
    """Draw the choice; it acts at once, as the rest of the form depends on it.

    Parameters
    ----------
    page : str
        Prefix of this page's keys.
    variance : Parameter
        The design's variance.
    kind : {"within-system", "difference"}
        What varies.
    current : str
        The choice so far.

    Returns
    -------
    choice, chosen
        The option, and the variance.
    """
    estimate, weights = _how(page, kind)
    try:
        measured = {found.measure: found for found in data.variances(estimate, weights)}
    except InputError as error:
        st.error(frame.plain(f"{estimate.label}: {error.rule}. The paper's estimate is used instead."))
        estimate, weights = (ONE_WAY if kind == "within-system" else CONSERVATIVE_DIFFERENCE), "topics"
        measured = {found.measure: found for found in data.variances(estimate)}
    largest = largest_by_measure(data.matrices(), estimate, weights)
    options = [*measured, *([LARGEST] if len(measured) > 1 else []), LITERATURE, TYPED]

    def label(option: str) -> str:
        if option in (LITERATURE, TYPED):
            return f"{variance.symbol} {option}"
        if option == LARGEST:
            return f"{LARGEST}: {largest.measure}, {variance.symbol} = {largest.variance:.4g}"
        return f"{option}: {variance.symbol} = {measured[option].value:.4g}"

    choice = st.selectbox(
        "Plan with the scores of",
        options,
        index=options.index(current) if current in options else 0,
        format_func=label,
        key=f"{page}/scores",
        help="The variance of scores decides most. For a new task without scores of its own, Sakai (2016, 6.1) "
        "advises the largest variance among the measures of a similar task.",
    )
    if choice == TYPED:
        return choice, Chosen(None, "the measure", "typed in")
    if choice == LITERATURE:
        return choice, _from_literature(page, kind)
    found = measured[largest.measure if choice == LARGEST else choice]
    paper = estimate in (ONE_WAY, CONSERVATIVE_DIFFERENCE) and weights == "topics"
    source = found.source if paper else f"{found.source}; {estimate.label}"
    if choice == LARGEST:
        st.markdown(":small[Variances compare only between measures on one scale, as those from 0 to 1.]")
        source = f"{source}; the largest among {', '.join(measured)}"
    return choice, Chosen(found.value, found.measure, source, estimate, weights)


def _how(page: str, kind: Kind) -> tuple[Estimate, Weights]:
    """Let the user say how the variance is taken from scores; the paper's way is the default."""
    estimates = {estimate.label: estimate for estimate in ESTIMATES if estimate.kind == kind}
    with st.expander("How the variance is taken from scores"):
        options = [*estimates, _PAIR] if kind == "difference" else [*estimates]
        label = st.selectbox("Estimate", options, key=f"{page}/estimate", persist_state="session")
        pooling = st.selectbox(
            "Pool matrices by", list(_WEIGHTS), key=f"{page}/weights", persist_state="session"
        )
        estimate = _pair(page) if label == _PAIR else estimates[label]
        if estimate.advice:
            st.markdown(f":small[{frame.plain(estimate.advice)}]")
    return estimate, _WEIGHTS[pooling]


def _pair(page: str) -> Estimate:
    """Let the user name two runs that every matrix in use holds."""
    common = [
        system
        for system in data.matrices()[0].systems
        if all(system in matrix.systems for matrix in data.matrices())
    ]
    if len(common) < 2:
        st.markdown("No two runs are in every matrix; the paper's estimate is used.")
        return CONSERVATIVE_DIFFERENCE
    first = st.selectbox("First run", common, key=f"{page}/first-run")
    second = st.selectbox("Second run", [run for run in common if run != first], key=f"{page}/second-run")
    return chosen_pair(first, second)


def _from_literature(page: str, kind: Kind) -> Chosen:
    """Offer the variances that papers state."""
    stated = st.selectbox(
        "Stated variance",
        STATED_VARIANCES,
        format_func=lambda found: f"σ² = {found.variance:g}: {found.measure}, {found.task}",
        key=f"{page}/literature",
    )
    st.markdown(f":small[{frame.plain(stated.source)} {frame.plain(stated.place)}.]")
    value = conservative_difference_variance(stated.variance) if kind == "difference" else stated.variance
    source = f"stated in Sakai 2016, {stated.place}: {stated.task}"
    return Chosen(value, stated.measure, source)
