"""The page on tuning: its form, and the tabs of its results."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pages.parts import figure, frame, link, runs_data
from pages.parts.form import Choice, Form, Several, Text, fields_of
from pages.parts.job import Answers
from pages.parts.runs_data import AD_HOC
from pages.parts.sweeps import PAGE, Source, is_loaded, sources, take
from topicset_core.analyses.training_sensitivity import (
    Answer,
    Request,
    TrainingSensitivity,
    charts,
    exchanged,
    report,
    split,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.answer import TrainingData
from topicset_core.analyses.training_sensitivity.request import (
    ALTERNATIVES,
    MEASURES,
    N_SAMPLES,
    N_SPLITS,
    REFERENCE_MEASURE,
    WORTHWHILE,
    Task,
)
from topicset_core.analyses.training_sensitivity.tables import level_facts
from topicset_core.exports.report import Report
from topicset_core.parameters import RELEVANCE_LEVEL
from topicset_core.parsing.names import read_topic_list

SPLIT, LISTS = "split", "lists"

_WAYS = {SPLIT: "Random halves, exchanged", LISTS: "Two lists of topics"}
_SWEEP = Choice("sweep", "Sweep", lambda: [source.name for source in sources()])
_REFERENCE = Choice(REFERENCE_MEASURE.name, REFERENCE_MEASURE.label, AD_HOC)
_TOPICS = Choice("topics", "Training and test topics", _WAYS, look="radio")
_MEASURES = Several(MEASURES.name, MEASURES.label, AD_HOC, ALTERNATIVES, "this measure is not available")
_TRAINING = Text("training_topics", "Training topics", lines=True)
_TEST = Text("test_topics", "Test topics", lines=True)
EVALUATED_BY, TASK, SURFACE_OF, SURFACE_LEVEL = "evaluated_by", "task", "surface_of", "surface_level"
_FORM = Form(
    PAGE,
    (
        *fields_of(Request, _REFERENCE, _MEASURES),
        *(_SWEEP, _TOPICS, _TRAINING, _TEST),
        *(Choice(name, "") for name in (EVALUATED_BY, TASK, SURFACE_OF, SURFACE_LEVEL)),
    ),
)
ANSWERS: Answers[Request, Answer] = Answers(report.QUESTION, PAGE, unasked_seconds=30.0)


@dataclass(frozen=True)
class TuningRequest:
    """A valid request with its data."""

    data: TrainingData = field(repr=False)
    request: Request
    written: dict[str, link.Value | None] = field(repr=False)  # what the link carries beyond the fields


def ask_for_sweep() -> Source:
    """Draw the choice of a sweep, starting from the link."""
    take()
    offered = {source.name: source for source in sources()}
    linked = _FORM.start()
    source = offered[_FORM.draw(_SWEEP)]
    if linked is not None and RELEVANCE_LEVEL.name in linked.values and is_loaded(source):
        runs_data.set_relevance_level(int(linked.values[RELEVANCE_LEVEL.name]))
    return source


def ask(source: Source) -> TuningRequest:
    """Draw the rest of the form."""
    reference = st.session_state[f"{PAGE}/{_REFERENCE.name}"]
    measures = _FORM.draw(replace(_MEASURES, options=[name for name in AD_HOC if name != reference]))
    st.markdown(f":small[:gray[Each is compared with training by {reference}.]]")
    way = _FORM.draw(_TOPICS)
    lists = ("", "")
    if way == LISTS:
        lists = (_FORM.draw(_TRAINING), _FORM.draw(_TEST))
        st.markdown(":small[:gray[One topic per line. The two lists are also exchanged.]]")
    _FORM.ask(WORTHWHILE, N_SAMPLES)
    unused = [*([N_SPLITS] if way == LISTS else []), *([RELEVANCE_LEVEL] if is_loaded(source) else [])]
    with st.expander("Conventions"):
        _FORM.ask_rest(Request, MEASURES, WORTHWHILE, N_SAMPLES, *unused)
    values = _FORM.values()
    if is_loaded(source):
        values[RELEVANCE_LEVEL.name] = runs_data.relevance_level()
    own = tuple(name for name in measures if name != st.session_state[f"{PAGE}/{_REFERENCE.name}"])
    request = _FORM.request(Request, values, measures=own)
    sweep = source.sweep(request.relevance_level, request.assumed_pool)
    usable = usable_topics(sweep.runs, request.relevance_level)
    written: dict[str, Any] = values | {MEASURES.name: own, _TRAINING.name: None, _TEST.name: None}
    if way == LISTS:
        training, test = (
            read_topic_list(name, text, usable)
            for name, text in zip(("training topics", "test topics"), lists, strict=True)
        )
        tasks: tuple[Task, ...] = exchanged(test, training, ("test topics", "training topics"))
        written |= {_TRAINING.name: tasks[0].training, _TEST.name: tasks[0].test}
    else:
        tasks = split(usable, request.seed, request.n_splits)
    data = TrainingData(sweep=sweep, tasks=tasks, n_documents=source.n_documents)
    return TuningRequest(data, request, written | {link.DATA: str(source.stamp)})


def choose(name: str, options: Sequence[str], label: str, usual: str = "") -> str:
    """Let the user choose the details to show, starting from the link."""
    return _FORM.draw(Choice(name, label, options, usual=usual))


def url(asked: TuningRequest, view: dict[str, str]) -> str:
    """Return the full link; it carries the question, and names the sweep."""
    return _FORM.url({}, **asked.written | view)


def view_of(answer: Answer, view: dict[str, str]) -> charts.View:
    """Return which data figures show, as the user chose."""
    return charts.View(
        evaluated_by=view[EVALUATED_BY],
        task=view[TASK],
        measure=view[SURFACE_OF],
        level=next(level for level in answer.sensitivity.levels if f"{level:g}" == view[SURFACE_LEVEL]),
    )


def choose_evaluation(answer: Answer) -> dict[str, str]:
    """Return the measure that evaluates the trained settings, as the user chooses."""
    return {
        EVALUATED_BY: choose(EVALUATED_BY, answer.sensitivity.measures, "Evaluated on the test topics by")
    }


def show(answer: Answer, view: dict[str, str], exported: Report, notes: Sequence[str]) -> dict[str, str]:
    """Draw the tabs; return all choices of the user."""
    evidence, designs, surfaces, levels, shallow = frame.tabs(
        "Answer", "Topics or judgments?", "Scores in training", "Levels", "Shallower pools"
    )
    with evidence:
        frame.show_findings(exported)
        if notes:
            st.markdown("\n".join(f"- {frame.plain(text)}" for text in notes))
        _evidence(answer, view[EVALUATED_BY])
    if frame.is_drawn(designs):
        with designs:
            frame.show_findings(exported, "Topics or judgments?", key="designs")
            _designs(answer)
    with surfaces:
        view = view | _surfaces(answer, view, is_drawn=frame.is_drawn(surfaces))
    if frame.is_drawn(levels):
        with levels:
            frame.show_findings(exported, "Levels", key="levels")
            _levels(answer.sensitivity)
    if frame.is_drawn(shallow):
        with shallow:
            _shallow(answer)
    return view


def _evidence(answer: Answer, evaluated_by: str) -> None:
    """Show the evidence for the finding, the paper's p value, and effectiveness by training measure."""
    reference = answer.sensitivity.reference
    frame.table(report.evidence_table(answer), alt="Gains with few and with more judgments")
    st.markdown(
        frame.plain(
            f"Gain: test {reference} after training by the measure, minus test {reference} after training by "
            f"{reference}. The interval and p value over topics include the variation over topics and over "
            "samples of judgments, adjusted for all measures. The p value of the paper is a Wilcoxon test over "
            "samples of judgments with Holm's adjustment. It is valid for these topics only, and shrinks with "
            "more samples."
        )
    )
    figure.show(charts.effectiveness_by_completeness(answer, evaluated_by), of=PAGE)


def _surfaces(answer: Answer, view: dict[str, str], *, is_drawn: bool) -> dict[str, str]:
    """Draw training scores for the task, measure and level that the user chooses; return the choice."""
    result = answer.paper
    levels = {f"{level:g}": level for level in result.levels}
    columns = st.columns(3)
    with columns[0]:
        task = choose(TASK, [task.name for task in result.tasks], "Tested on")
    with columns[1]:
        measure = choose(SURFACE_OF, result.alternatives, f"Compared with {result.reference}", answer.yours)
    with columns[2]:
        level = choose(SURFACE_LEVEL, list(levels), "Level, % of the judgments")
    chosen = {TASK: task, SURFACE_OF: measure, SURFACE_LEVEL: level}
    if is_drawn:
        figure.show(*charts.scores_in_training(answer, view_of(answer, view | chosen)), of=PAGE)
    return chosen


def _designs(answer: Answer) -> None:
    """Show whether to use fewer documents or fewer topics."""
    if answer.has_designs:
        figure.show(charts.judgments_by_completeness(answer), of=PAGE)
        st.markdown(
            f"Each line is for a difference of {answer.min_d:g} in its own measure. Compare levels along a line, "
            "not lines with each other."
        )
    frame.table(report.designs_table(answer.designs), ".4g", alt="Topics and judgments at every level")


def _levels(result: TrainingSensitivity) -> None:
    """Show the judgments at each level."""
    text = "Means over samples, topics and runs. A topic without a remaining relevant document scores 0."
    if {"infAP", "AP"} <= set(result.measures):
        text += (
            " The bias of infAP is its mean minus the mean AP with all judgments, over topics with a relevant "
            "document."
        )
    levels = report.level_columns(result.measures).screen(level_facts(result))
    frame.table(*levels, alt="Judgments at each level")
    st.markdown(text)


def _shallow(answer: Answer) -> None:
    """Show trainings on shallower pools, one row per depth and task."""
    if not answer.shallow:
        st.markdown("These results follow when all levels are done.")
        return
    reference = answer.sensitivity.reference
    first = {task.name for task in answer.paper.tasks}
    trainings = [training for training in answer.shallow if training["task"] in first]
    # One of each depth and task
    own = [training for training in trainings if training["trained_by"] == reference]
    rows: dict[str, list[Any]] = {
        "pool depth": [training["pool_depth"] for training in own],
        "% of judgments": [training["level"] for training in own],
        "tested on": [training["task"] for training in own],
        "training topics without relevant": [training["n_lost"] for training in own],
    }
    for training in trainings:
        column = rows.setdefault(f"{reference}, trained by {training['trained_by']}", [])
        column.append(training["reference_score"])
    frame.table(rows, ".4g", alt="Trainings on shallower pools")
    st.markdown(
        frame.plain(
            "Here only the first documents of each run are judged, instead of a random sample: one training per "
            "depth."
        )
    )
