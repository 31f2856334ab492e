"""Held-out runs and topics: a first look at once, all splits beside the page, error rates on request.

What is cached here is keyed by scalars and the digests of the scores, and kept for the session only.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import streamlit as st

from pages.parts import job
from pages.parts.topic_subsets.form import PAGE
from pages.parts.topic_subsets.held_out_form import HeldOutAsked
from pages.parts.topic_subsets.work import begin_partial, is_about, known_so_far
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, held_out_curve, preview_request
from topicset_core.analyses.topic_subsets.held_out.error_rates import HeldOutErrorRates, held_out_error_rates
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.collection import ScoreMatrix
from topicset_core.progress import Report

HELD = f"{PAGE}-held-out"
RATES = f"{PAGE}-held-out-error-rates"
"""Prefixes of the jobs of this view."""

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
    partial = begin_partial(HELD, key)

    def work(report: Report) -> tuple[Key, HeldOutCurve]:
        with ThreadPoolExecutor(os.cpu_count()) as executor:
            return key, held_out_curve(
                matrix,
                key[2],
                judged=judged,
                report_progress=report,
                executor=executor,
                show_partial=partial.show,
            )

    job.start(HELD, f"{held.request.n_splits:,} random splits", work)


def whole(found: tuple[Key, HeldOutCurve] | None, held: HeldOutAsked) -> HeldOutCurve | None:
    """Return the whole answer where it is about the present question."""
    return found[1] if found is not None and found[0] == key_of(held) else None


def so_far(held: HeldOutAsked) -> HeldOutCurve | None:
    """Return what the first splits came to, of a running or cancelled job about the present question."""
    found: HeldOutCurve | None = known_so_far(HELD, key_of(held))
    return found


def is_under_way(held: HeldOutAsked) -> bool:
    """Return whether all splits of the present question are being run."""
    return is_about(HELD, key_of(held))


def start_error_rates(held: HeldOutAsked) -> None:
    """Begin the error rates by difference; called by its button."""
    matrix, judged, request = held.asked.matrix, held.judged, _of_error_rates(held)
    key = key_of(held, request)
    partial = begin_partial(RATES, key)

    def work(report: Report) -> tuple[Key, HeldOutErrorRates]:
        with ThreadPoolExecutor(os.cpu_count()) as executor:
            return key, held_out_error_rates(
                matrix,
                request,
                judged=judged,
                report_progress=report,
                executor=executor,
                show_partial=partial.show,
            )

    job.start(RATES, f"Error rates of {request.n_splits:,} random splits", work)


def error_rates(found: tuple[Key, HeldOutErrorRates] | None, held: HeldOutAsked) -> HeldOutErrorRates | None:
    """Return the error rates where they are about the present question."""
    if held.request.hold_out != "topics" or found is None:
        return None
    return found[1] if found[0] == key_of(held, _of_error_rates(held)) else None


def error_rates_so_far(held: HeldOutAsked) -> HeldOutErrorRates | None:
    """Return the error rates over the first splits, of a running or cancelled job about the present question."""
    if held.request.hold_out != "topics":
        return None
    found: HeldOutErrorRates | None = known_so_far(RATES, key_of(held, _of_error_rates(held)))
    return found


def are_error_rates_under_way(held: HeldOutAsked) -> bool:
    """Return whether the error rates of the present question are being counted."""
    return is_about(RATES, key_of(held, _of_error_rates(held)))


@st.fragment(run_every=_LOOK_EVERY_SECONDS)
def watch(held: HeldOutAsked, seen: tuple[int, int]) -> None:
    """Run the page anew as soon as a running job knows more than is on screen."""
    if progress(held) != seen:
        st.rerun()


def progress(held: HeldOutAsked) -> tuple[int, int]:
    """Return behind how many splits the curve and the error rates are so far."""
    curve, rates = so_far(held), error_rates_so_far(held)
    return (
        0 if curve is None else curve.request.n_splits,
        0 if rates is None else rates.request.n_splits,
    )


def _of_error_rates(held: HeldOutAsked) -> HeldOutRequest:
    """Return the question about error rates; chosen as asked, by default as they are judged."""
    return replace(held.request, goodness="error-rate", choose_by=held.request.choose_by)


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
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        return held_out_curve(_matrix, key[2], judged=_judged, executor=executor)
