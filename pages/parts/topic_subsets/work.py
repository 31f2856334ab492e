"""Subsets of the scores in question: a quick look at once, the whole analysis beside the page.

What is cached here is keyed by scalars and the digest of the scores, and kept for the session only.
"""

from dataclasses import replace
from typing import Any

import streamlit as st

from pages.parts.computation import Computation, threads
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

_QUICK_TRIALS = 300
_STARTS = 6  # of a size in a first look, about: from either end, and random ones, for the best and the worst

Key = tuple[str, Request]
SEARCH: Computation[SubsetCurve] = Computation(PAGE)
COMPARED: Computation[AcrossMeasures] = Computation(f"{PAGE}-compared")
GUIVER: Computation[SubsetCurve] = Computation(f"{PAGE}-guiver")


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
    matrix, key = asked.matrix, key_of(asked)
    SEARCH.start(
        key,
        f"Subsets of {len(key[1].cardinalities):,} sizes",
        lambda run: subset_curve(
            matrix,
            key[1],
            report_progress=run.report_progress,
            executor=run.executor,
            show_partial=run.show_partial,
        ),
    )


def key_of(asked: Asked, method: Method | None = None) -> Key:
    """Return what tells one question from another."""
    return asked.matrix.digest, request_of(asked, method)


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


def table(asked: Asked, curve: SubsetCurve) -> TopicTable:
    """Return how topics fare; at the nearest size that was looked at."""
    return topic_table(asked.matrix, curve, curve.nearest(asked.cardinality).cardinality)


def start_comparison(asked: Asked) -> None:
    """Begin the comparison of measures of goodness; called by its button."""
    matrix, size, seed = asked.matrix, asked.cardinality, int(asked.values[SEED.name])
    COMPARED.start(
        comparison_key(asked),
        f"Sets of {size} topics by three measures",
        lambda run: across_measures(
            matrix, size, seed=seed, report_progress=run.report_progress, executor=run.executor
        ),
    )


def comparison_key(asked: Asked) -> tuple[str, int, int]:
    """Return what tells one comparison from another."""
    return asked.matrix.digest, asked.cardinality, int(asked.values[SEED.name])


def start_heuristic(asked: Asked) -> None:
    """Begin the paper's heuristic; called by its button."""
    matrix, key = asked.matrix, key_of(asked, "guiver")
    GUIVER.start(
        key,
        "The paper's heuristic",
        lambda run: subset_curve(matrix, key[1], report_progress=run.report_progress, executor=run.executor),
    )


@st.cache_resource(
    scope="session", max_entries=20, show_spinner="Looking at subsets (the first time: compiling)"
)
def _quick(key: Key, name: str, *, _matrix: ScoreMatrix) -> SubsetCurve:  # noqa: ARG001 - the key
    with threads() as executor:
        return subset_curve(_matrix, key[1], executor=executor)
