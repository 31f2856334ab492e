"""The check: some trials at once, all of them in the background where that takes long.

Keys of what is kept here are scalars and the digest of the scores.
"""

from dataclasses import astuple
from typing import Any

import streamlit as st

from pages.parts.achieved_power.form import PAGE, Settings
from pages.parts.computation import Computation, Job, kept
from topicset_core.analyses.achieved_power import AchievedPower, Request, achieved_power
from topicset_core.analyses.achieved_power.answer import affordable, estimated_seconds
from topicset_core.collection import ScoreMatrix

TRIALS: Computation[AchievedPower] = Computation(PAGE)

_QUICK_SECONDS = 0.4
_POLL_SECONDS = 1.0  # between two looks at trials done

Key = tuple[Any, ...]


def best_known(settings: Settings) -> AchievedPower:
    """Return the whole check, or what there is of it: trials done by now, or a preview."""
    key = _key(settings.matrix, settings.request)
    result = TRIALS.result(key) or TRIALS.partial(key)
    if result is not None:
        return result
    request = affordable(settings.matrix, settings.request, _QUICK_SECONDS)
    return _computed(_key(settings.matrix, request), _matrix=settings.matrix, _request=request)


def is_whole(settings: Settings, result: AchievedPower) -> bool:
    """Return whether all trials on all pairs are done."""
    return result.request == settings.request and result.n_trials == settings.request.n_trials


def is_done(settings: Settings) -> bool:
    """Return whether the answer from all trials is known, by now."""
    return TRIALS.result(_key(settings.matrix, settings.request)) is not None


def seconds_of(settings: Settings) -> float:
    """Return about how many CPU seconds all trials take."""
    return estimated_seconds(settings.matrix, settings.request)


def start(settings: Settings) -> None:
    """Begin all trials; called by its button."""
    matrix, request = settings.matrix, settings.request

    def work(job: Job) -> AchievedPower:
        return achieved_power(
            matrix,
            request,
            report_progress=job.report_progress,
            executor=job.executor,
            show_partial=job.show_partial,
        )

    TRIALS.start(_key(matrix, request), f"{request.n_trials:,} trials", work)


@st.fragment(run_every=_POLL_SECONDS)
def watch(settings: Settings, seen: int) -> None:
    """Run the page again as soon as more trials are done than are on screen."""
    if progress(settings) > seen:
        st.rerun()


def progress(settings: Settings) -> int:
    """Return how many trials the answer of the running work contains so far."""
    result = TRIALS.partial(_key(settings.matrix, settings.request))
    return 0 if result is None else result.n_trials


def _key(matrix: ScoreMatrix, request: Request) -> Key:
    return (matrix.digest, matrix.name, *astuple(request))


@kept(20, spinner="Drawing topics")
def _computed(key: Key, *, _matrix: ScoreMatrix, _request: Request) -> AchievedPower:  # noqa: ARG001 - the key
    return achieved_power(_matrix, _request)
