"""The study behind the page on pool depth: made as a job, or before judging from pool sizes alone."""

from dataclasses import dataclass

import streamlit as st

from pages.parts import data, job, runs_data
from pages.parts.pool_asked import ASKED_FOR, Asked
from topicset_core.analyses.pool_depth import (
    DepthDesign,
    DepthStudy,
    designs_before_judging,
    study,
    usual_depths,
)
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.progress import Report

STUDY = "pool/study"
_DEEPEST_WITHOUT_JUDGMENTS = 100


@dataclass(frozen=True, eq=False)
class Made:
    """A study, and what it was made of."""

    asked: Asked
    collections: tuple[JudgedRuns, ...]
    study: DepthStudy


def made(asked: Asked) -> Made | None:
    """Return the study of these runs for this question; while it is made, the last one, or None."""
    collections = runs_data.judged()
    question = _without_budget(asked), collections
    if not _answers(job.latest(STUDY), *question) and st.session_state.get(ASKED_FOR) != question:
        st.session_state[ASKED_FOR] = question
        job.start(STUDY, "Scoring runs depth by depth", lambda report: _make(asked, collections, report))
    found: Made | None = job.follow(STUDY)
    if found is None or found.collections is not collections:
        return None
    if not _answers(found, *question) and not job.is_running(STUDY):
        st.warning("What is shown still answers the question before. “Compute” tries again.")
    return found


def _answers(found: Made | None, asked: Asked, collections: tuple[JudgedRuns, ...]) -> bool:
    return found is not None and found.collections is collections and _without_budget(found.asked) == asked


def _make(asked: Asked, collections: tuple[JudgedRuns, ...], report: Report) -> Made:
    found = study(
        collections,
        asked.scored_by(),
        asked.rule(),
        depths=asked.depths,
        relevance_level=asked.relevance_level,
        lost_topics=asked.lost_topics,
        report=report,
    )
    return Made(asked, collections, found)


def _without_budget(asked: Asked) -> Asked:
    """Return the question without what changes no number of the study."""
    return Asked(**{**vars(asked), "budget": None})


def before_judging(asked: Asked) -> tuple[DepthDesign, ...]:
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
        asked.depths or usual_depths(deepest),
        asked.rule(),
        within_system_variance=borrowed.value,
        measure=borrowed.measure,
    )


def waits_for_judgments() -> bool:
    """Return whether the user brought runs and no judgments yet."""
    track = runs_data.own()
    return track is not None and bool(track.runs) and not track.qrels
