"""Subsets of the scores in question: a quick look at once, the whole analysis beside the page.

What is cached here is keyed by scalars and the digest of the scores, and kept for the session only.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.parts import job
from pages.parts.topic_subsets.form import PAGE, Asked
from topicset_core.analyses.topic_subsets import sampling
from topicset_core.analyses.topic_subsets.comparisons import AcrossMeasures, across_measures
from topicset_core.analyses.topic_subsets.curve import SubsetCurve, judge_for, subset_curve
from topicset_core.analyses.topic_subsets.request import (
    PARAMETERS,
    PREVIEW_SECONDS,
    Method,
    Request,
    default_cardinalities,
    preview_cardinalities,
)
from topicset_core.analyses.topic_subsets.topic_counts import TopicTable, topic_table
from topicset_core.collection import ScoreMatrix
from topicset_core.execution.seed import SEED
from topicset_core.progress import Report

COMPARED = f"{PAGE}-compared"
GUIVER = f"{PAGE}-guiver"
"""Prefixes of the other jobs of the page."""

_QUICK_TRIALS = 300
_STARTS = 6  # of a size in a first look, about: from either end, and random ones, for the best and the worst

Key = tuple[str, Request]


def request_of(asked: Asked, method: Method | None = None) -> Request:
    """Return the whole question.

    Raises
    ------
    InputError
        If a value breaks its rule.
    """
    numbers: dict[str, Any] = {parameter.name: asked.values[parameter.name] for parameter in PARAMETERS}
    return Request(
        goodness=asked.measure.key,
        cardinalities=default_cardinalities(asked.matrix.n_topics, asked.measure.key),
        method=method or asked.method,
        **numbers,
    )


def quick(asked: Asked) -> SubsetCurve | None:
    """Return a first look that takes a few tenths of a second; None where even that is not possible.

    Raises
    ------
    InputError
        If the scores cannot be compared over subsets: one run, equal means.
    """
    judge = judge_for(asked.matrix, asked.measure.key)
    sizes = preview_cardinalities(
        lambda size: _STARTS * judge.seconds_per_start(size), asked.matrix.n_topics, asked.cardinality
    )
    if sizes is None:
        return None
    request = Request(
        goodness=asked.measure.key,
        cardinalities=sizes,
        method="local",
        n_trials=_QUICK_TRIALS,
        seed=int(asked.values[SEED.name]),
        effort=PREVIEW_SECONDS / 4,
    )
    return _quick((asked.matrix.digest, request), asked.matrix.name, _matrix=asked.matrix)


def start(asked: Asked) -> None:
    """Begin the whole analysis; called by its button."""
    matrix, key = asked.matrix, (asked.matrix.digest, request_of(asked))
    partial = begin_partial(PAGE, key)

    def work(report: Report) -> tuple[Key, SubsetCurve]:
        with ThreadPoolExecutor(os.cpu_count()) as executor:
            return key, subset_curve(
                matrix, key[1], report_progress=report, executor=executor, show_partial=partial.show
            )

    job.start(PAGE, f"Subsets of {len(key[1].cardinalities):,} sizes", work)


def whole(found: tuple[Key, SubsetCurve] | None, asked: Asked) -> SubsetCurve | None:
    """Return the whole analysis where it is about the present question."""
    if found is None or found[0] != (asked.matrix.digest, request_of(asked)):
        return None
    return found[1]


def settled(asked: Asked, first_look: SubsetCurve | None) -> SubsetCurve | None:
    """Return the first look as the whole analysis where nothing in it was searched for or drawn at random."""
    if first_look is None or asked.method not in ("auto", "exact", "exhaustive"):
        return None
    request, n = request_of(asked), asked.matrix.n_topics
    certain = request.cardinalities == first_look.cardinalities and all(
        sampling.are_few(n, point.cardinality, _QUICK_TRIALS)
        and all(one is None or one.status == "exhaustive" for one in (point.best, point.worst))
        for point in first_look.points
    )
    return replace(first_look, n_trials=request.n_trials) if certain else None


def partial(asked: Asked) -> SubsetCurve | None:
    """Return what a running or cancelled analysis of the present question has so far."""
    found: SubsetCurve | None = known_so_far(PAGE, (asked.matrix.digest, request_of(asked)))
    return found


def is_under_way(asked: Asked) -> bool:
    """Return whether the whole analysis of the present question is running."""
    return is_about(PAGE, (asked.matrix.digest, request_of(asked)))


def table(asked: Asked, curve: SubsetCurve) -> TopicTable:
    """Return how topics fare; at the nearest size that was looked at."""
    return topic_table(asked.matrix, curve, curve.nearest(asked.cardinality).cardinality)


def start_comparison(asked: Asked) -> None:
    """Begin the comparison of measures of goodness; called by its button."""
    matrix, size, seed = asked.matrix, asked.cardinality, int(asked.values[SEED.name])

    def work(report: Report) -> tuple[tuple[str, int, int], AcrossMeasures]:
        with ThreadPoolExecutor(os.cpu_count()) as executor:
            found = across_measures(matrix, size, seed=seed, report_progress=report, executor=executor)
        return (matrix.digest, size, seed), found

    job.start(COMPARED, f"Sets of {size} topics by three measures", work)


def comparison(
    found: tuple[tuple[str, int, int], AcrossMeasures] | None, asked: Asked
) -> AcrossMeasures | None:
    """Return the comparison where it is about the present question."""
    asked_for = (asked.matrix.digest, asked.cardinality, int(asked.values[SEED.name]))
    return found[1] if found is not None and found[0] == asked_for else None


def start_heuristic(asked: Asked) -> None:
    """Begin the paper's heuristic; called by its button."""
    matrix, key = asked.matrix, (asked.matrix.digest, request_of(asked, "guiver"))

    def work(report: Report) -> tuple[Key, SubsetCurve]:
        with ThreadPoolExecutor(os.cpu_count()) as executor:
            return key, subset_curve(matrix, key[1], report_progress=report, executor=executor)

    job.start(GUIVER, "The paper's heuristic", work)


def heuristic(found: tuple[Key, SubsetCurve] | None, asked: Asked) -> SubsetCurve | None:
    """Return the heuristic's curve where it is about the present question."""
    if found is None or found[0] != (asked.matrix.digest, request_of(asked, "guiver")):
        return None
    return found[1]


@st.cache_resource(
    scope="session", max_entries=20, show_spinner="Looking at subsets (the first time: compiling)"
)
def _quick(key: Key, name: str, *, _matrix: ScoreMatrix) -> SubsetCurve:  # noqa: ARG001 - the key
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        return subset_curve(_matrix, key[1], executor=executor)


@dataclass
class Partial:
    """A question and what is known of its answer; None before the first."""

    key: object
    found: Any = None

    def show(self, found: object) -> None:
        """Take what there is now, in place of what there was."""
        self.found = found


def begin_partial(name: str, key: object) -> Partial:
    """Return the place where a job that begins puts what it has.

    Parameters
    ----------
    name : str
        Of the job.
    key : object
        The question.
    """
    partial = st.session_state[_place(name)] = Partial(key)
    return partial


def known_so_far(name: str, key: object) -> Any:
    """Return what a running or cancelled job has of the answer to a question, None where nothing."""
    kept: Partial | None = st.session_state.get(_place(name))
    return kept.found if kept is not None and kept.key == key else None


def is_about(name: str, key: object) -> bool:
    """Return whether the job under way answers a question, and not another one."""
    kept: Partial | None = st.session_state.get(_place(name))
    return kept is not None and kept.key == key and job.is_running(name)


def _place(name: str) -> str:
    return f"{name}/partial"
