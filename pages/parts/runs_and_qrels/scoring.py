"""Which measures, by which conventions: the form of the page on runs, and the scores it gives."""

import streamlit as st

from pages.parts import data, runs_data
from pages.parts.computation import Computation
from pages.parts.offered_measures import (
    AD_HOC_AT_FIRST,
    BY_INTENT,
    HELP_BY_INTENT,
    are_by_intent,
    offered,
)
from topicset_core.analyses.run_evaluation import Evaluation, Request, Rows, evaluate
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.measures import KNOWN, Conventions
from topicset_core.progress import Report, silently

Scored = tuple[tuple[JudgedRuns, ...], tuple[Evaluation, ...]]
"""What was scored, and its scores: files of the same names may hold something else the next time."""

SCORING: Computation[Scored] = Computation("runs/scoring")

_NAMES = "runs/measure-names"
_HANDED_OVER, _STARTED = "runs/handed-over", "runs/started"
_ROWS: dict[Rows, str] = {"zero": "score 0, as in trec_eval -c", "drop": "leave the topic out for all runs"}


def _defaults() -> tuple[str, ...]:
    """Return the measures that the form starts from."""
    return BY_INTENT if are_by_intent(runs_data.judged()) else AD_HOC_AT_FIRST


def _names_key() -> str:
    """Return the key of the choice of measures; each kind of judgments has its own."""
    return f"{_NAMES}-by-intent" if are_by_intent(runs_data.judged()) else _NAMES


def ask() -> None:
    """Draw the form; its button scores the runs."""
    by_intent = are_by_intent(runs_data.judged())
    with st.form("runs/measures", border=False):
        st.multiselect(
            "Measures",
            offered(runs_data.judged()),
            default=_defaults(),
            accept_new_options=True,
            key=_names_key(),
            help=f"Choose, or type any of {', '.join(KNOWN)}; trec_eval's names will do too."
            + (f" {HELP_BY_INTENT}" if by_intent else ""),
        )
        with st.expander("Conventions that change the numbers"):
            st.number_input(
                "Relevant from grade",
                min_value=1,
                value=1,
                step=1,
                key="runs/level",
                help="For binary measures and Q.",
            )
            st.selectbox(
                "Gain of grade x in nDCG and Q",
                ["linear", "exponential"],
                format_func=lambda gains: (
                    "x, as trec_eval" if gains == "linear" else "2^x - 1, as Sakai 2016"
                ),
                key="runs/gains",
                help="D-nDCG and D#-nDCG take 2^x - 1 always." if by_intent else None,
            )
            st.number_input(
                "xmax of ERR, nERR and graded forms" if by_intent else "xmax of ERR and nERR",
                min_value=1,
                value=None,
                step=1,
                placeholder="the largest grade in the qrels",
                key="runs/xmax",
                help="A document of grade x satisfies with probability (2^x - 1) / 2^xmax.",
            )
            st.selectbox(
                "AP and Q with a cutoff are divided by",
                ["R", "min(md, R)"],
                format_func=lambda by: f"{by}, {'as trec_eval' if by == 'R' else 'as Sakai 2016'}",
                key="runs/denominator",
                help="R: relevant documents; md: the cutoff.",
            )
            for key, label in (
                ("runs/without-relevant", "Topics without relevant documents"),
                ("runs/missing", "Topics that a run misses"),
            ):
                st.selectbox(label, list(_ROWS), format_func=_ROWS.__getitem__, key=key)
        st.form_submit_button(
            "Score the runs", key="runs/score", on_click=_start, type="primary", width="stretch"
        )


def _start() -> None:
    """Score the runs in use by what the form says; the scores go where uploaded ones go."""
    state = st.session_state
    request = Request(
        measures=tuple(state.get(_names_key(), _defaults())),
        conventions=Conventions(
            relevance_level=int(state["runs/level"]),
            gains=state["runs/gains"],
            largest_grade=state["runs/xmax"],
            denominator=state["runs/denominator"],
        ),
        topics_without_relevant=state["runs/without-relevant"],
        missing_topics=state["runs/missing"],
    )
    collections = runs_data.judged()
    SCORING.start(
        "latest",
        "Scoring runs",
        lambda run: (collections, _score(collections, request, run.report_progress)),
    )


def _score(
    collections: tuple[JudgedRuns, ...], request: Request, report: Report = silently
) -> tuple[Evaluation, ...]:
    """Return one evaluation per collection."""
    return tuple(
        evaluate(
            runs,
            request,
            report_progress=lambda share, done=done: report((done + share) / len(collections)),  # type: ignore[misc]
        )
        for done, runs in enumerate(collections)
    )


@st.cache_resource(show_spinner=False)
def _of_sample(measures: tuple[str, ...]) -> tuple[Evaluation, ...]:
    """Score the sample that is in use; its default measures say which one that is."""
    return _score(runs_data.judged(), Request(measures=measures))


def evaluations() -> tuple[Evaluation, ...]:
    """Return the scores to show; those of new runs are made without being asked for.

    Scores of the user's own runs go where uploaded scores go, so that every page plans with them.
    """
    SCORING.follow()
    scored = SCORING.latest()
    if scored is not None and scored[0] is runs_data.judged():
        found = scored[1]
        if not runs_data.is_sample() and st.session_state.get(_HANDED_OVER) is not found:
            st.session_state[_HANDED_OVER] = found
            _hand_over(found)
        return found
    if runs_data.is_sample():
        return _of_sample(_defaults())
    track = runs_data.own()
    if st.session_state.get(_STARTED) is not track:
        st.session_state[_STARTED] = track
        _start()
        st.rerun()
    return ()


def _hand_over(found: tuple[Evaluation, ...]) -> None:
    loaded = [data.Loaded(matrix, one.notes) for one in found for matrix in one.matrices]
    data.replace_from(runs_data.ORIGIN, loaded)
