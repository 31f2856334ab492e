"""The study of the page on pool depth, run as a job."""

from dataclasses import dataclass

import streamlit as st

from pages.parts import runs_data
from pages.parts.computation import Computation
from pages.parts.pool_depth.form import REQUESTED, Question
from topicset_core.analyses.pool_depth import DepthStudy, depth_study
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.collection.run import Run
from topicset_core.progress import Report


@dataclass(frozen=True, eq=False)
class Studied:
    """A study, and its question and data."""

    question: Question
    collections: tuple[JudgedRuns, ...]
    study: DepthStudy


STUDY: Computation[Studied] = Computation("pool/study")
_LATEST = "latest"  # one answer is kept, as it holds the user's runs


def studied(question: Question) -> Studied | None:
    """Return the study of these runs for this question; while it runs, the last one, or None."""
    collections, runs = runs_data.judged(), runs_in_use()
    question_and_data = question.study(), collections
    if (
        not _answers(STUDY.latest(), *question_and_data)
        and st.session_state.get(REQUESTED) != question_and_data
    ):
        STUDY.start(
            _LATEST,
            "Scoring runs depth by depth",
            lambda run: _study(question, collections, runs, run.report_progress),
        )
        st.session_state[REQUESTED] = question_and_data
    STUDY.follow()
    result = STUDY.latest()
    if result is None or result.collections is not collections:
        return None
    if not _answers(result, *question_and_data) and not STUDY.is_running():
        st.warning("These results are for your previous settings.")
        offer_again()
    return result


def offer_again() -> None:
    """Offer to compute again after a cancel or a failure."""
    st.button("Compute again", key="pool/compute", on_click=lambda: st.session_state.pop(REQUESTED, None))


def runs_in_use() -> list[Run]:
    """Return the runs themselves, from which pools are counted."""
    return [one.run for one in runs_data.in_use().runs]


def waits_for_judgments() -> list[Run]:
    """Return the user's runs if they uploaded no judgments yet; nothing otherwise."""
    track = runs_data.own()
    return [one.run for one in track.runs] if track is not None and not track.qrels else []


def _answers(result: Studied | None, question: Question, collections: tuple[JudgedRuns, ...]) -> bool:
    return result is not None and result.collections is collections and result.question.study() == question


def _study(
    question: Question, collections: tuple[JudgedRuns, ...], runs: list[Run], report: Report
) -> Studied:
    result = depth_study(collections, runs, question.request(), report_progress=report)
    return Studied(question, collections, result)
