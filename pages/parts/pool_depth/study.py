"""The study behind the page on pool depth: made as a job, or before judging from pool sizes alone."""

from dataclasses import dataclass, replace

import streamlit as st

from pages.parts import data, runs_data
from pages.parts.computation import Computation
from pages.parts.pool_depth.question import ASKED_FOR, Question
from topicset_core.analyses.pool_depth import (
    DepthDesign,
    DepthStudy,
    depth_study,
    designs_before_judging,
    usual_depths,
)
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.progress import Report

_DEEPEST_WITHOUT_JUDGMENTS = 100


@dataclass(frozen=True, eq=False)
class Studied:
    """A study, and what it was made of."""

    question: Question
    collections: tuple[JudgedRuns, ...]
    study: DepthStudy


STUDY: Computation[Studied] = Computation("pool/study")
_LATEST = "latest"  # one answer is kept, as it holds the user's runs


def studied(question: Question) -> Studied | None:
    """Return the study of these runs for this question; while it is made, the last one, or None."""
    collections = runs_data.judged()
    wanted = _without_budget(question), collections
    if not _answers(STUDY.latest(), *wanted) and st.session_state.get(ASKED_FOR) != wanted:
        st.session_state[ASKED_FOR] = wanted
        STUDY.start(
            _LATEST,
            "Scoring runs depth by depth",
            lambda run: _study(question, collections, run.report_progress),
        )
    STUDY.follow()
    found = STUDY.latest()
    if found is None or found.collections is not collections:
        return None
    if not _answers(found, *wanted) and not STUDY.is_running():
        st.warning("What is shown still answers the question before. “Compute” tries again.")
    return found


def _answers(found: Studied | None, question: Question, collections: tuple[JudgedRuns, ...]) -> bool:
    return (
        found is not None and found.collections is collections and _without_budget(found.question) == question
    )


def _study(question: Question, collections: tuple[JudgedRuns, ...], report: Report) -> Studied:
    found = depth_study(collections, question.request(), report_progress=report)
    return Studied(question, collections, found)


def _without_budget(question: Question) -> Question:
    """Return the question without what changes no number of the study."""
    return replace(question, budget=None)


def before_judging(question: Question) -> tuple[DepthDesign, ...]:
    """Return designs for the user's runs without judgments, with the variance of the scores in use.

    Raises
    ------
    NoSolution
        If no topic set size is enough for that variance.
    """
    track = runs_data.own()
    runs = [one.run for one in track.runs] if track else []
    deepest = min(_DEEPEST_WITHOUT_JUDGMENTS, max(int(run.depths.max()) for run in runs))
    borrowed = data.variances()[0]
    return designs_before_judging(
        runs,
        question.depths or usual_depths(deepest),
        question.rule(),
        within_system_variance=borrowed.value,
        measure=borrowed.measure,
    )


def waits_for_judgments() -> bool:
    """Return whether the user uploaded runs and no judgments yet."""
    track = runs_data.own()
    return track is not None and bool(track.runs) and not track.qrels
