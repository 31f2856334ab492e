"""Held-out runs and topics: a first look at once, all splits beside the page, error rates on request.

What is cached here is keyed by scalars and the digests of the scores, and kept for the session only.
"""

from dataclasses import replace

import streamlit as st

from pages.parts.computation import Computation, threads
from pages.parts.topic_subsets.form import PAGE
from pages.parts.topic_subsets.held_out_form import HeldOutAsked
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, held_out_curve, preview_request
from topicset_core.analyses.topic_subsets.held_out.error_rates import HeldOutErrorRates, held_out_error_rates
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.collection import ScoreMatrix

HELD: Computation[HeldOutCurve] = Computation(f"{PAGE}-held-out")
RATES: Computation[HeldOutErrorRates] = Computation(f"{PAGE}-held-out-error-rates")

_QUICK_SECONDS = 0.4
_LOOK_EVERY_SECONDS = 1.0

Key = tuple[str, str, HeldOutRequest]


def key_of(held: HeldOutAsked, request: HeldOutRequest | None = None) -> Key:
    """Return what tells one question from another."""
    judged = "" if held.judged is None else held.judged.digest
    return held.asked.matrix.digest, judged, request or held.request


def quick(held: HeldOutAsked) -> HeldOutCurve | None:
    """Return a first look that takes a few tenths of a second; None where even that is not possible.

    Raises
    ------
    InputError
        If there are too few runs or topics, or the runs of a half all have the same mean.
    """
    request = preview_request(
        held.asked.matrix, held.request, held.cardinality, _QUICK_SECONDS, judged=held.judged
    )
    if request is None:
        return None
    return _quick(key_of(held, request), _names(held), _matrix=held.asked.matrix, _judged=held.judged)


def start(held: HeldOutAsked) -> None:
    """Begin all splits and sizes; called by its button."""
    matrix, judged, key = held.asked.matrix, held.judged, key_of(held)
    HELD.start(
        key,
        f"{held.request.n_splits:,} random splits",
        lambda run: held_out_curve(
            matrix,
            key[2],
            judged=judged,
            report_progress=run.report_progress,
            executor=run.executor,
            show_partial=run.show_partial,
        ),
    )


def start_error_rates(held: HeldOutAsked) -> None:
    """Begin the error rates by difference; called by its button."""
    matrix, judged, key = held.asked.matrix, held.judged, rates_key(held)
    RATES.start(
        key,
        f"Error rates of {key[2].n_splits:,} random splits",
        lambda run: held_out_error_rates(
            matrix,
            key[2],
            judged=judged,
            report_progress=run.report_progress,
            executor=run.executor,
            show_partial=run.show_partial,
        ),
    )


def rates_key(held: HeldOutAsked) -> Key:
    """Return what tells one question about error rates from another; chosen as asked, by default as judged."""
    return key_of(held, replace(held.request, goodness="error-rate", choose_by=held.request.choose_by))


def error_rates(held: HeldOutAsked) -> HeldOutErrorRates | None:
    """Return the error rates, or those of the first splits; None where topics are not held out."""
    if held.request.hold_out != "topics":
        return None
    return RATES.result(rates_key(held)) or RATES.partial(rates_key(held))


@st.fragment(run_every=_LOOK_EVERY_SECONDS)
def watch(held: HeldOutAsked, seen: tuple[int, int]) -> None:
    """Run the page anew as soon as a running job knows more than is on screen."""
    if progress(held) != seen:
        st.rerun()


def progress(held: HeldOutAsked) -> tuple[int, int]:
    """Return behind how many splits the curve and the error rates of running jobs are so far."""
    curve = HELD.partial(key_of(held))
    rates = RATES.partial(rates_key(held)) if held.request.hold_out == "topics" else None
    return (
        0 if curve is None else curve.request.n_splits,
        0 if rates is None else rates.request.n_splits,
    )


def _names(held: HeldOutAsked) -> tuple[str, ...]:
    """Return what a result carries of its scores besides their numbers."""
    both = (held.asked.matrix, held.judged)
    return tuple(f"{matrix.measure} of {matrix.name}" for matrix in both if matrix is not None)


@st.cache_resource(
    scope="session", max_entries=20, show_spinner="Holding out halves (the first time: compiling)"
)
def _quick(
    key: Key,
    names: tuple[str, ...],  # noqa: ARG001 - part of what it is about
    *,
    _matrix: ScoreMatrix,
    _judged: ScoreMatrix | None,
) -> HeldOutCurve:
    with threads() as executor:
        return held_out_curve(_matrix, key[2], judged=_judged, executor=executor)
