"""The page on other documents: its form, the models next to each other, and folded sections of results."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import streamlit as st

from pages.parts import figure, frame, runs_data
from pages.parts.form import Choice, Form, fields_of
from pages.parts.job import Answers
from topicset_core.analyses.topic_variance import Findings, Request, charts, report, sentences
from topicset_core.analyses.topic_variance.cells import JudgedDocuments
from topicset_core.analyses.topic_variance.prepared import fit
from topicset_core.analyses.topic_variance.report import QUESTION
from topicset_core.analyses.topic_variance.request import MEASURE, MODEL, N_TRIALS, Model
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.errors import InputError
from topicset_core.exports.report import Report
from topicset_core.parameters import MIN_D, RELEVANCE_LEVEL

PAGE = "topic-variance"
MEASURES = ("AP", "nDCG", "nDCG@10", "P@5", "P@10", "P@20", "RR", "recall@100", "AP@100")
_COLLECTION = Choice("collection", "Collection", lambda: [judged.qrels.name for judged in runs_data.judged()])
_RUN = Choice(
    "run",
    "Run",
    lambda: ["", *(name for judged in runs_data.judged() for name in judged.systems)],
    lambda name: name or "run with the best mean",
)
_TOPIC = Choice(
    "topic",
    "Topic",
    lambda: ["", *(name for judged in runs_data.judged() for name in judged.topics)],
    lambda name: name or "its least stable topic",
)
_FORM = Form(
    PAGE,
    (
        *fields_of(
            Request,
            Choice(MODEL.name, MODEL.label, MODEL.options, look="radio", help=MODEL.help, usual="shared"),
            Choice(MEASURE.name, MEASURE.label, MEASURES),
            runs_data.LEVEL,
        ),
        *(_COLLECTION, _RUN, _TOPIC),
    ),
)
ANSWERS: Answers[Request, Findings] = Answers(
    QUESTION,
    PAGE,
    alike=lambda request: [replace(request, model=model) for model in get_args(Model)],
    button="simulate",
)
_DATA = f"{PAGE}/data"


@dataclass(frozen=True)
class ResamplingRequest:
    """A valid request with its data."""

    data: JudgedDocuments = field(repr=False)
    request: Request
    url: str = field(repr=False)  # the full link


def ask() -> ResamplingRequest:
    """Draw the form; results follow each change, and invalid values keep the last valid ones."""
    collections = runs_data.judged()
    names = [collection.qrels.name for collection in collections]
    _FORM.start()
    judged = collections[names.index(_FORM.draw(_COLLECTION) if names[1:] else names[0])]
    _FORM.ask(MEASURE, MODEL)
    st.markdown(
        ":small[:gray[All runs of a collection search the same documents. BST and KDE draw for each run "
        "separately, so their reversals and noise are upper bounds.]]"
    )
    _FORM.ask(N_TRIALS, MIN_D)
    with st.expander("Conventions"):
        _FORM.ask_rest(Request, MEASURE, MODEL, N_TRIALS, MIN_D, RELEVANCE_LEVEL)
    values = _FORM.values()
    request = _FORM.request(Request, values, relevance_level=runs_data.relevance_level())
    url = _FORM.url(
        values,
        collection=judged.qrels.name,
        relevance_level=request.relevance_level,
        run=_chosen(_RUN, judged.systems),
        topic=_chosen(_TOPIC, judged.topics),
        data=str(runs_data.stamp()),
    )
    return ResamplingRequest(_documents(judged), request, url)


def _documents(judged: JudgedRuns) -> JudgedDocuments:
    """Return the documents of these runs; the same object as long as they are in use."""
    kept: JudgedDocuments | None = st.session_state.get(_DATA)
    if kept is None or kept.judged is not judged:
        kept = JudgedDocuments(judged, [loaded.run for loaded in runs_data.in_use().runs])
        st.session_state[_DATA] = kept
    return kept


def _chosen(choice: Choice[str], names: Sequence[str]) -> str | None:
    """Return the run or topic that the user chose; None without one."""
    name: str | None = st.session_state.get(f"{PAGE}/{choice.name}")
    return name if name in names else None


def show(asked: ResamplingRequest, findings: Findings) -> Report:
    """Show the tabs; return the report of all models with the run and topic that are shown in detail."""
    known = {
        request.model: ANSWERS.look(asked.data, request).answer for request in ANSWERS.alike(asked.request)
    }
    models = [answer for answer in known.values() if answer is not None]
    first, pairs, noise, topics, runs, checks = frame.tabs(
        "Answer", "Pairs", "Noise", "Topics", "Runs", "Checks"
    )
    with runs:
        detail = _show_run(asked, findings, is_drawn=frame.is_drawn(runs))
    exported = report.report(findings, models, **detail)
    with first:
        frame.show_findings(exported)
    if frame.is_drawn(pairs):
        with pairs:
            figure.show(charts.error_rate_by_difference(models), of=PAGE)
            frame.show_findings(exported, "Pairs", key="pairs")
            for model, answer in known.items():
                if answer is None:
                    text = f"{sentences.SHORT[model]} was not run yet: press the button above."
                    st.markdown(f":small[{frame.plain(text)}]")
            if findings.reversed_pairs:
                reversed_ = report.pair_columns(findings).screen(findings.reversed_pairs)
                frame.table(*reversed_, alt="Pairs of runs that change order")
            else:
                st.markdown("No pair of runs changes its order in 5 % or more of the collections.")
    if frame.is_drawn(noise):
        with noise:
            frame.show_findings(exported, "Noise", key="noise")
            figure.show(charts.variance_split(findings), of=PAGE)
    if frame.is_drawn(topics):
        with topics:
            unstable = report.topic_columns(findings).screen(findings.unstable_topics)
            frame.table(*unstable, alt="Topics, the least stable first")
    if frame.is_drawn(checks):
        with checks:
            frame.show_findings(exported, "Checks", key="checks")
            if asked.data.judged.qrels.intents is not None:
                st.markdown(
                    "Documents were judged by intent: each counts with its highest grade for any intent."
                )
            if findings.remarks:
                table = report.REMARK_COLUMNS.screen(findings.remarks)
                frame.table(*table, alt="Lists with special handling")
    return exported


def _show_run(asked: ResamplingRequest, findings: Findings, *, is_drawn: bool) -> dict[str, Any]:
    """Let the user choose a run and topic; show them in detail, and the ranks of all runs."""
    left, right = st.columns(2)
    with left:
        run = _FORM.draw(replace(_RUN, options=("", *findings.systems))) or findings.best_system
    with right:
        topic = _FORM.draw(replace(_TOPIC, options=("", *findings.topics)))
    topic = topic or findings.least_stable_topic(run)
    fitted = None
    try:
        of_tag = next(loaded for loaded in asked.data.runs if loaded.tag == run)
        cells = asked.data.cells(asked.request.relevance_level)
        fitted = fit(cells, of_tag, topic, asked.request.bandwidth)
        text = sentences.how_it_fits(fitted)
    except InputError as error:
        text = f"No densities: {error.rule}."
    if is_drawn:
        figure.show(charts.simulated_scores(findings, run, topic=topic), of=PAGE)
        if fitted is not None:
            figure.show(charts.fitted_densities(fitted), of=PAGE)
        st.markdown(frame.plain(text))
        frame.table(*report.run_columns(findings).screen(findings.best_first), alt="Ranks of runs")
    return {"run": run, "topic": topic, "fitted": fitted}
