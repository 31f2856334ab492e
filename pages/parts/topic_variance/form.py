"""The form of the page on other documents: collection, measure, model, number of simulated collections."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import streamlit as st

from pages.parts import link, runs_data
from pages.parts.form import Choice, Form, Number
from topicset_core.analyses.topic_variance import Findings, Settings
from topicset_core.analyses.topic_variance.settings import (
    N_TRIALS,
    Bandwidth,
    Denominator,
    MeasureName,
    Model,
)
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.collection.run import Run
from topicset_core.errors import InputError
from topicset_core.parameters import ALPHA, MIN_D, SEED

PAGE = "topic-variance"
MEASURES: dict[str, tuple[MeasureName, int | None]] = {
    **{
        "AP": ("AP", None),
        "nDCG": ("nDCG", None),
        "nDCG@10": ("nDCG", 10),
        "P@5": ("P", 5),
        "P@10": ("P", 10),
    },
    **{"P@20": ("P", 20), "RR": ("RR", None), "recall@100": ("recall", 100), "AP@100": ("AP", 100)},
}
_MODELS: dict[Model, str] = {
    "shared": "Documents, shared by all runs",
    "bst": "Scores of each run separately (BST)",
    "kde": "Score densities of each run separately (KDE)",
}
_DENOMINATORS: dict[Denominator, str] = {"drawn": "R − r + drawn, so that AP ≤ 1", "fixed": "R, as judged"}
_BANDWIDTHS: dict[Bandwidth, str] = {
    "scott": "s n^(−1/5), Scott",
    "silverman": "s (3n/4)^(−1/5), Silverman",
}
_COLLECTION = Choice("collection", "Collection", lambda: [judged.qrels.name for judged in runs_data.judged()])
_MEASURE = Choice(link.MEASURE, "Measure", list(MEASURES))
_MODEL = Choice("model", "Resampled documents", _MODELS, look="radio")
_DENOMINATOR = Choice("denominator", "Relevant documents of a simulated topic", _DENOMINATORS)
_BANDWIDTH = Choice("bandwidth", "Bandwidth of densities", _BANDWIDTHS)
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
_IN_LINK = (
    *(_MEASURE, _MODEL, N_TRIALS, MIN_D),
    *(_DENOMINATOR, _BANDWIDTH, ALPHA, SEED),
)
_FORM = Form(
    PAGE,
    (
        *map(Number, (N_TRIALS, MIN_D, ALPHA, SEED)),
        *(runs_data.LEVEL, _COLLECTION, _MEASURE, _MODEL, _DENOMINATOR, _BANDWIDTH, _RUN, _TOPIC),
    ),
)


@dataclass(frozen=True)
class Request:
    """A valid question."""

    judged: JudgedRuns = field(repr=False)
    runs: tuple[Run, ...] = field(repr=False)  # all runs in use, with their scores
    settings: Settings  # how collections are simulated
    min_d: float  # difference that a paired t test should detect
    # Whose scores are shown in detail
    run: str
    topic: str
    url: str = field(repr=False)  # the full link


def ask() -> Request:
    """Draw the form; results follow each change, and invalid values keep the last valid ones."""
    collections = runs_data.judged()
    names = [one.qrels.name for one in collections]
    _FORM.start()
    judged = collections[names.index(_FORM.draw(_COLLECTION) if names[1:] else names[0])]
    measure = _FORM.draw(_MEASURE)
    model = _FORM.draw(_MODEL)
    st.markdown(
        ":small[:gray[On another collection all runs search the same documents. BST and KDE, as in the paper, draw "
        "for each run separately, so their reversals and noise are upper bounds.]]"
    )
    _FORM.number(N_TRIALS, MIN_D)
    with st.expander("Conventions"):
        denominator = _FORM.draw(_DENOMINATOR)
        bandwidth = _FORM.draw(_BANDWIDTH)
        _FORM.number(ALPHA, SEED)
    values = _FORM.values()
    name, depth = MEASURES[measure]
    settings = Settings(
        model=model,
        measure=name,
        depth=depth,
        relevance_level=runs_data.relevance_level(),
        denominator=denominator,
        bandwidth=bandwidth,
        n_trials=int(values[N_TRIALS.name]),
        alpha=values[ALPHA.name],
        seed=int(values[SEED.name]),
    )
    run = _known(st.session_state.get(f"{PAGE}/{_RUN.name}"), judged.systems)
    topic = _known(st.session_state.get(f"{PAGE}/{_TOPIC.name}"), judged.topics)
    written: dict[str, link.Value] = {_COLLECTION.name: judged.qrels.name} | _FORM.written(*_IN_LINK)
    written |= {name: value for name, value in ((_RUN.name, run), (_TOPIC.name, topic)) if value}
    written |= {runs_data.LEVEL.name: settings.relevance_level, link.DATA: str(runs_data.stamp())}
    runs = tuple(one.run for one in runs_data.in_use().runs)
    return Request(judged, runs, settings, values[MIN_D.name], run, topic, link.write(written))


def ask_run_and_topic(findings: Findings) -> tuple[str, str]:
    """Let the user choose the run and topic that are shown in detail; return both."""
    left, right = st.columns(2)
    with left:
        run = _FORM.draw(replace(_RUN, options=("", *findings.systems)))
    with right:
        topic = _FORM.draw(replace(_TOPIC, options=("", *findings.topics)))
    run = run or findings.best_system
    return run, topic or findings.least_stable_topic(run)


def no_answer(error: InputError) -> str:
    """Return why there is no answer, in a sentence."""
    return f"No answer: {error}."


def _known(name: str | None, names: Sequence[str]) -> str:
    return name if name is not None and name in names else ""
