"""What the training sensitivity page asks: sweep, measures, topics, how often judgments are drawn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import get_args

import streamlit as st

from pages.parts import link
from pages.parts.live_form import NO, YES, LiveForm
from pages.parts.offered_measures import AD_HOC
from pages.parts.training_sensitivity.sweeps import PAGE, Source, sources, take
from topicset_core.analyses.training_sensitivity import (
    ALTERNATIVES,
    N_SAMPLES,
    N_SPLITS,
    PAPER_LEVELS,
    AssumedPool,
    Optimiser,
    Request,
    Sweep,
    Task,
    levels_of,
    split,
    swapped,
    usable_topics,
)
from topicset_core.execution.seed import SEED
from topicset_core.measures import Conventions
from topicset_core.measures.gains import Gains
from topicset_core.parameters import MIN_D, RELEVANCE_LEVEL
from topicset_core.parsing.topic_list import read_topic_list

FIELDS = (N_SAMPLES, N_SPLITS, SEED, MIN_D, RELEVANCE_LEVEL)
SWEEP, REFERENCE, TOPICS, OPTIMISER, POOL, GAINS, KEEP = (
    *("sweep", "reference", "topics", "optimiser", "assumed_pool", "gains", "keep_one"),
)
MEASURES, LEVELS, TRAINING, TEST = "trained_by", "levels", "training_topics", "test_topics"
SPLIT, LISTS = "split", "lists"

_TOPICS = {SPLIT: "Halves at random, each in both parts", LISTS: "Two lists of topics"}
_OPTIMISERS: dict[Optimiser, str] = {"sweep": "every setting", "annealing": "simulated annealing"}
_POOLS: dict[AssumedPool, str] = {
    "auto": "where hardly any is listed",
    "never": "never",
    "always": "always",
}
_PAPER = ",".join(f"{level:g}" for level in PAPER_LEVELS)
_FORM = LiveForm(PAGE, FIELDS)


@dataclass(frozen=True)
class TrainingRequest:
    """A valid question.

    Parameters
    ----------
    source : Source
        Where the sweep comes from.
    sweep : Sweep
        Its runs joined with the judgments.
    tasks : tuple of Task
        What is trained and tested on.
    request : Request
        Measures, levels, samples.
    min_d : float
        Difference for which topics are counted.
    written : tuple of (str, value)
        All of it as links have it.
    """

    source: Source
    sweep: Sweep = field(repr=False)
    tasks: tuple[Task, ...] = field(repr=False)
    request: Request
    min_d: float
    written: tuple[tuple[str, link.Value], ...] = field(repr=False)


def ask_for_sweep() -> Source:
    """Draw the choice of a sweep; the first draws what a link asks for too."""
    take()
    offered = {one.name: one for one in sources()}
    if _FORM.is_new:
        _start(list(offered))
    return offered[_one_of(SWEEP, list(offered), "Sweep")]


def ask(source: Source) -> TrainingRequest:
    """Draw the rest of the form.

    Raises
    ------
    InputError, ParseError
        If what is typed breaks a rule; numbers keep their last valid value instead.
    """
    state = st.session_state
    measures = st.multiselect(
        "Trained by",
        [name for name in AD_HOC if name != state[f"{PAGE}/{REFERENCE}"]],
        key=f"{PAGE}/{MEASURES}",
        persist_state="session",
        wrap=True,
    )
    reference = state[f"{PAGE}/{REFERENCE}"]
    st.markdown(f":small[:gray[Each is compared with training by {reference}.]]")
    way = st.radio(
        "Training and test topics",
        list(_TOPICS),
        format_func=_TOPICS.__getitem__,
        key=f"{PAGE}/{TOPICS}",
        persist_state="session",
    )
    lists = ("", "")
    if way == LISTS:
        lists = (_text_area(TRAINING, "Training topics"), _text_area(TEST, "Test topics"))
        st.markdown(":small[:gray[A topic a line. Both are swapped too.]]")
    _FORM.number(N_SAMPLES)
    with st.expander("Conventions"):
        reference = _one_of(REFERENCE, AD_HOC, "Compared with training by")
        levels = st.text_input("Levels, % of the judgments", key=f"{PAGE}/{LEVELS}", persist_state="session")
        if way == SPLIT:
            _FORM.number(N_SPLITS)
        _FORM.number(SEED)
        keep_one = _FORM.switch(
            KEEP, "Each topic keeps a relevant document", "So low levels are less incomplete."
        )
        _FORM.number(RELEVANCE_LEVEL)
        gains = _one_of(GAINS, get_args(Gains), "Gains of nDCG and Q")
        pool = _one_of(POOL, list(_POOLS), "Unlisted documents count as judged", _POOLS.__getitem__)  # type: ignore[arg-type]
        optimiser = _one_of(OPTIMISER, list(_OPTIMISERS), "Training looks at", _OPTIMISERS.__getitem__)  # type: ignore[arg-type]
        _FORM.number(MIN_D)
    values = _FORM.values()
    level = int(values[RELEVANCE_LEVEL.name])
    request = Request(
        measures=tuple(name for name in measures if name != reference),
        reference=reference,
        levels=levels_of(levels),
        n_samples=int(values[N_SAMPLES.name]),
        seed=int(values[SEED.name]),
        keep_one=keep_one,
        optimiser=optimiser,  # type: ignore[arg-type]
        conventions=Conventions(relevance_level=level, gains=gains),  # type: ignore[arg-type]
    )
    sweep = source.sweep(level, pool)  # type: ignore[arg-type]
    usable = usable_topics(sweep.runs, level)
    if way == LISTS:
        training, test = (
            read_topic_list(name, text, usable)
            for name, text in zip(("training topics", "test topics"), lists, strict=True)
        )
        tasks: tuple[Task, ...] = swapped(test, training, ("test topics", "training topics"))
    else:
        tasks = split(usable, request.seed, int(values[N_SPLITS.name]))
    written: dict[str, link.Value] = {
        SWEEP: source.name,
        MEASURES: request.measures,
        REFERENCE: reference,
        TOPICS: way,
        LEVELS: levels,
        **values,
        KEEP: YES if keep_one else NO,
        GAINS: gains,
        POOL: pool,
        OPTIMISER: optimiser,
    }
    if way == LISTS:
        written |= {TRAINING: tasks[0].training, TEST: tasks[0].test}
    return TrainingRequest(source, sweep, tasks, request, values[MIN_D.name], tuple(written.items()))


def choose(name: str, options: Sequence[str], label: str, usual: str = "") -> str:
    """Let the user choose what is looked at closely; a link may have said it before."""
    key = f"{PAGE}/{name}"
    if key not in st.session_state:
        asked = st.session_state.get(f"{PAGE}/look", {}).get(name, usual)
        st.session_state[key] = asked if asked in options else options[0]
    return _one_of(name, options, label)


def _start(offered: list[str]) -> None:
    """Take what the link asks for."""
    query = st.query_params
    looked = ("evaluated_by", "task", "surface_of", "surface_level")
    choices: dict[str, Sequence[str]] = {
        SWEEP: offered,
        REFERENCE: AD_HOC,
        TOPICS: list(_TOPICS),
        GAINS: get_args(Gains),
        POOL: list(_POOLS),
        OPTIMISER: list(_OPTIMISERS),
    }
    asked = query.get_all(MEASURES)
    known = [name for name in asked if name in AD_HOC]
    _FORM.start((), choices, (KEEP,), dict, texts=(MEASURES, LEVELS, TRAINING, TEST, *looked))
    state = st.session_state
    state[f"{PAGE}/{MEASURES}"] = known or list(ALTERNATIVES)
    state[f"{PAGE}/{LEVELS}"] = link.shown(query.get(LEVELS, _PAPER))
    for name in (TRAINING, TEST):
        state[f"{PAGE}/{name}"] = "\n".join(query.get_all(name))
    state[f"{PAGE}/look"] = {name: query[name] for name in looked if name in query}
    unknown = [name for name in asked if name not in AD_HOC]
    if unknown:
        said = f"{MEASURES}={link.shown(unknown[0])} in this link was not used: no such measure is offered."
        state[f"{PAGE}/complaints"] = (*state[f"{PAGE}/complaints"], link.Complaint(said, MEASURES))


def _text_area(name: str, label: str) -> str:
    return st.text_area(label, key=f"{PAGE}/{name}", persist_state="session", height=120) or ""


def _one_of(name: str, options: Sequence[str], label: str, shown: Callable[[str], str] = str) -> str:
    """Draw a choice; what is no option any more becomes the first one."""
    key = f"{PAGE}/{name}"
    if key in st.session_state and st.session_state[key] not in options:
        st.session_state[key] = options[0]
    chosen: str = st.selectbox(label, options, format_func=shown, key=key, persist_state="session")
    return chosen
