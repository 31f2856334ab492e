"""The form of the page on tuning: sweep, measures, topics, number of samples."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

import streamlit as st

from pages.parts import link, runs_data
from pages.parts.form import Choice, Form, Number, Several, Switch, Text
from pages.parts.runs_data import AD_HOC
from pages.parts.training_sensitivity.sweeps import PAGE, Source, is_loaded, sources, take
from topicset_core.analyses.training_sensitivity import (
    ALTERNATIVES,
    N_SAMPLES,
    N_SPLITS,
    PAPER_LEVELS,
    WORTHWHILE,
    AssumedPool,
    Optimiser,
    Request,
    Sweep,
    Task,
    exchanged,
    levels_of,
    split,
    usable_topics,
)
from topicset_core.measures import Conventions
from topicset_core.measures.conventions import Gains
from topicset_core.parameters import MIN_D, RELEVANCE_LEVEL, SEED
from topicset_core.parsing.topic_list import read_topic_list

SPLIT, LISTS = "split", "lists"

_WAYS = {SPLIT: "Random halves, exchanged", LISTS: "Two lists of topics"}
_OPTIMISERS: dict[Optimiser, str] = {"sweep": "every setting", "annealing": "simulated annealing"}
_POOLS: dict[AssumedPool, str] = {
    "auto": "if few documents are judged not relevant",
    "never": "never",
    "always": "always",
}
_PAPER = ",".join(f"{level:g}" for level in PAPER_LEVELS)
_SWEEP = Choice("sweep", "Sweep", lambda: [one.name for one in sources()])
_REFERENCE = Choice("reference", "Compared with training by", AD_HOC)
_TOPICS = Choice("topics", "Training and test topics", _WAYS, look="radio")
_GAINS = Choice("gains", "Gains of nDCG and Q", get_args(Gains))
_POOL = Choice("assumed_pool", "Unlisted documents count as judged", _POOLS)
_OPTIMISER = Choice("optimiser", "Training tries", _OPTIMISERS)
_KEEP = Switch("keep_one", "Each topic keeps a relevant document", "Makes low levels less incomplete.")
_MEASURES = Several("trained_by", "Trained by", AD_HOC, ALTERNATIVES, "this measure is not available")
_LEVELS = Text("levels", "Levels, % of the judgments", _PAPER)
_TRAINING = Text("training_topics", "Training topics", lines=True)
_TEST = Text("test_topics", "Test topics", lines=True)
_VIEW = ("evaluated_by", "task", "surface_of", "surface_level")
_FORM = Form(
    PAGE,
    (
        *map(Number, (N_SAMPLES, N_SPLITS, SEED, MIN_D, RELEVANCE_LEVEL, WORTHWHILE)),
        *(_SWEEP, _REFERENCE, _TOPICS, _GAINS, _POOL, _OPTIMISER, _KEEP, _MEASURES),
        *(_LEVELS, _TRAINING, _TEST),
        *(Choice(name, "") for name in _VIEW),
    ),
)


@dataclass(frozen=True)
class TrainingRequest:
    """A valid question."""

    source: Source
    sweep: Sweep = field(repr=False)  # its runs joined with the judgments
    tasks: tuple[Task, ...] = field(repr=False)  # the runs and the topics of training and test
    request: Request  # measures, levels, samples
    min_d: float  # difference that a paired t test should detect
    worthwhile: float  # least worthwhile gain
    written: tuple[tuple[str, link.Value], ...] = field(repr=False)


def ask_for_sweep() -> Source:
    """Draw the choice of a sweep, starting from the link."""
    take()
    offered = {one.name: one for one in sources()}
    linked = _FORM.start()
    source = offered[_FORM.draw(_SWEEP)]
    if linked is not None and RELEVANCE_LEVEL.name in linked.values and is_loaded(source):
        runs_data.set_relevance_level(int(linked.values[RELEVANCE_LEVEL.name]))
    return source


def ask(source: Source) -> TrainingRequest:
    """Draw the rest of the form."""
    reference = st.session_state[f"{PAGE}/{_REFERENCE.name}"]
    measures = _FORM.draw(replace(_MEASURES, options=[name for name in AD_HOC if name != reference]))
    st.markdown(f":small[:gray[Each is compared with training by {reference}.]]")
    way = _FORM.draw(_TOPICS)
    lists = ("", "")
    if way == LISTS:
        lists = (_FORM.draw(_TRAINING), _FORM.draw(_TEST))
        st.markdown(":small[:gray[One topic per line. The two lists are also exchanged.]]")
    _FORM.number(WORTHWHILE)
    _FORM.number(N_SAMPLES)
    with st.expander("Conventions"):
        reference = _FORM.draw(_REFERENCE)
        levels = _FORM.draw(_LEVELS)
        if way == SPLIT:
            _FORM.number(N_SPLITS)
        _FORM.number(SEED)
        keep_one = _FORM.draw(_KEEP)
        if not is_loaded(source):
            _FORM.number(RELEVANCE_LEVEL)
        gains = _FORM.draw(_GAINS)
        pool = _FORM.draw(_POOL)
        optimiser = _FORM.draw(_OPTIMISER)
        _FORM.number(MIN_D)
    values = _FORM.values()
    if is_loaded(source):
        values[RELEVANCE_LEVEL.name] = runs_data.relevance_level()
    level = int(values[RELEVANCE_LEVEL.name])
    request = Request(
        measures=tuple(name for name in measures if name != reference),
        reference=reference,
        levels=levels_of(levels),
        n_samples=int(values[N_SAMPLES.name]),
        seed=int(values[SEED.name]),
        keep_one=keep_one,
        optimiser=optimiser,
        conventions=Conventions(relevance_level=level, gains=gains),
    )
    sweep = source.sweep(level, pool)
    usable = usable_topics(sweep.runs, level)
    if way == LISTS:
        training, test = (
            read_topic_list(name, text, usable)
            for name, text in zip(("training topics", "test topics"), lists, strict=True)
        )
        tasks: tuple[Task, ...] = exchanged(test, training, ("test topics", "training topics"))
    else:
        tasks = split(usable, request.seed, int(values[N_SPLITS.name]))
    written = _FORM.written(_SWEEP) | {_MEASURES.name: request.measures}
    written |= _FORM.written(_REFERENCE, _TOPICS, _LEVELS) | values
    written |= _FORM.written(_KEEP, _GAINS, _POOL, _OPTIMISER)
    if way == LISTS:
        written |= {_TRAINING.name: tasks[0].training, _TEST.name: tasks[0].test}
    differences = values[MIN_D.name], values[WORTHWHILE.name]
    return TrainingRequest(source, sweep, tasks, request, *differences, tuple(written.items()))


def choose(name: str, options: Sequence[str], label: str, usual: str = "") -> str:
    """Let the user choose the details to show, starting from the link."""
    return _FORM.draw(Choice(name, label, options, usual=usual))
