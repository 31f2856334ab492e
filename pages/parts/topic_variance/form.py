"""What the topic variance page asks: which collection, measure and model, how many simulated collections."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import get_args

import streamlit as st

from pages.parts import link, runs_data
from pages.parts.live_form import LiveForm
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
from topicset_core.execution.seed import SEED
from topicset_core.parameters import ALPHA, MIN_D, RELEVANCE_LEVEL

PAGE = "topic-variance"
FIELDS = (N_TRIALS, MIN_D, RELEVANCE_LEVEL, ALPHA, SEED)
COLLECTION, MODEL, DENOMINATOR, BANDWIDTH = "collection", "model", "denominator", "bandwidth"
RUN, TOPIC = "run", "topic"

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
_MODELS: dict[Model, str] = {"bst": "Scores resampled (BST)", "kde": "Scores from densities (KDE)"}
_DENOMINATORS: dict[str, str] = {"drawn": "R − r + those drawn, at most 1", "fixed": "R, as judged"}
_BANDWIDTHS: dict[str, str] = {"scott": "s n^(−1/5), Scott", "silverman": "s (3n/4)^(−1/5), Silverman"}
_FORM = LiveForm(PAGE, FIELDS)


@dataclass(frozen=True)
class Request:
    """A valid question.

    Parameters
    ----------
    judged : JudgedRuns
        The collection in question with its runs.
    runs : tuple of Run
        All runs in use, with their scores.
    settings : Settings
        How collections are simulated.
    min_d : float
        Difference for which topics are counted.
    run, topic : str
        Whose scores are shown closely; "" for the best run and its least stable topic.
    """

    judged: JudgedRuns = field(repr=False)
    runs: tuple[Run, ...] = field(repr=False)
    settings: Settings
    min_d: float
    run: str
    topic: str

    @property
    def url(self) -> str:
        """The full link; it carries the question, not the runs and judgments."""
        chosen = self.settings
        closely = {name: value for name, value in ((RUN, self.run), (TOPIC, self.topic)) if value}
        values: dict[str, link.Value] = {
            COLLECTION: self.judged.qrels.name,
            link.MEASURE: chosen.measure_name,
            MODEL: chosen.model,
            N_TRIALS.name: chosen.n_trials,
            MIN_D.name: self.min_d,
            RELEVANCE_LEVEL.name: chosen.relevance_level,
            DENOMINATOR: chosen.denominator,
            BANDWIDTH: chosen.bandwidth,
            ALPHA.name: chosen.alpha,
            SEED.name: chosen.seed,
        }
        return link.write(values | closely)


def ask() -> Request:
    """Draw the form; it answers as one types, and keeps the last valid values for what breaks a rule."""
    collections = runs_data.judged()
    names = [one.qrels.name for one in collections]
    if _FORM.is_new:
        _start(collections, names)
    judged = collections[names.index(_one_of(COLLECTION, names, "Collection") if names[1:] else names[0])]
    measure = _one_of(link.MEASURE, list(MEASURES), "Measure")
    model = st.radio(
        "How scores are drawn",
        get_args(Model),
        format_func=_MODELS.__getitem__,
        key=f"{PAGE}/{MODEL}",
        persist_state="session",
    )
    st.markdown(
        ":small[:gray[For each run and topic, relevant and other documents are drawn anew: with the scores that "
        "are there, or with scores from densities fitted to them.]]"
    )
    _FORM.number(N_TRIALS)
    _FORM.number(MIN_D)
    with st.expander("Conventions"):
        _FORM.number(RELEVANCE_LEVEL)
        denominator = _one_of(
            DENOMINATOR,
            get_args(Denominator),
            "Relevant documents of a simulated topic",
            _DENOMINATORS.__getitem__,
        )
        bandwidth = _one_of(BANDWIDTH, get_args(Bandwidth), "Bandwidth of densities", _BANDWIDTHS.__getitem__)
        _FORM.number(ALPHA)
        _FORM.number(SEED)
    values = _FORM.values()
    name, depth = MEASURES[measure]
    settings = Settings(
        model=model or "bst",
        measure=name,
        depth=depth,
        relevance_level=int(values[RELEVANCE_LEVEL.name]),
        denominator=denominator,  # type: ignore[arg-type]
        bandwidth=bandwidth,  # type: ignore[arg-type]
        n_trials=int(values[N_TRIALS.name]),
        alpha=values[ALPHA.name],
        seed=int(values[SEED.name]),
    )
    state = st.session_state
    return Request(
        judged=judged,
        runs=tuple(one.run for one in runs_data.in_use().runs),
        settings=settings,
        min_d=values[MIN_D.name],
        run=_known(state.get(f"{PAGE}/{RUN}"), judged.systems),
        topic=_known(state.get(f"{PAGE}/{TOPIC}"), judged.topics),
    )


def ask_run_and_topic(found: Findings) -> tuple[str, str]:
    """Let the user choose whose scores to look at closely; return run and topic."""
    left, right = st.columns(2)
    with left:
        run = _one_of(RUN, ("", *found.systems), "Run", lambda name: name or "the one with the best mean")
    with right:
        topic = _one_of(TOPIC, ("", *found.topics), "Topic", lambda name: name or "its least stable one")
    run = run or found.best_system
    return run, topic or found.least_stable_topic(run)


def no_answer(error: InputError) -> str:
    """Return why there is no answer, in a sentence."""
    return f"No answer: {error}."


def _start(collections: Sequence[JudgedRuns], names: Sequence[str]) -> None:
    choices = {
        COLLECTION: names,
        link.MEASURE: list(MEASURES),
        MODEL: get_args(Model),
        DENOMINATOR: get_args(Denominator),
        BANDWIDTH: get_args(Bandwidth),
    }
    closely = {
        RUN: ["", *(name for one in collections for name in one.systems)],
        TOPIC: ["", *(name for one in collections for name in one.topics)],
    }
    _FORM.start((), choices | closely, (), dict)


def _one_of(name: str, options: Sequence[str], label: str, shown: Callable[[str], str] = str) -> str:
    """Draw a choice; what is no option any more, as other runs are in use, becomes the first one."""
    key = f"{PAGE}/{name}"
    if key in st.session_state and st.session_state[key] not in options:
        st.session_state[key] = options[0]
    chosen: str = st.selectbox(label, options, format_func=shown, key=key, persist_state="session")
    return chosen


def _known(name: str | None, names: Sequence[str]) -> str:
    return name if name is not None and name in names else ""
