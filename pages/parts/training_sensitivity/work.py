"""The experiment: at once where that is quick, beside the page where it is not; kept for the session."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import streamlit as st

from pages.parts import job
from pages.parts.training_sensitivity.form import TrainingRequest
from pages.parts.training_sensitivity.sweeps import PAGE
from topicset_core.analyses.training_sensitivity import (
    Request,
    ShallowTraining,
    Sweep,
    Task,
    TrainingSensitivity,
    cpu_seconds,
    shallow_trainings,
    training_sensitivity,
)
from topicset_core.progress import Report

_STORE = f"{PAGE}/found"
_AT_ONCE_SECONDS = 0.6  # of one core, two of which are there as a rule
_WITHOUT_ASKING_SECONDS = 30.0
_LOOK_EVERY_SECONDS = 0.5
_MOST_KEPT = 20
_EXPERIMENT_SHARE = 0.95  # of the time; the rest are trainings on shallower pools

Question = tuple[Request, tuple[Task, ...]]


@dataclass
class Store:
    """What was found about one sweep; the job adds to it, the page looks."""

    sweep: Sweep
    found: dict[Question, TrainingSensitivity] = field(default_factory=dict)
    so_far: dict[Question, TrainingSensitivity] = field(default_factory=dict)
    shallow: dict[Question, tuple[ShallowTraining, ...]] = field(default_factory=dict)
    begun: set[Question] = field(default_factory=set)

    def keep(
        self, question: Question, found: TrainingSensitivity, shallow: tuple[ShallowTraining, ...]
    ) -> TrainingSensitivity:
        """Keep an answer with its trainings on shallower pools, and no more than some."""
        self.shallow[question] = shallow
        self.found[question] = found
        self.so_far.pop(question, None)
        for oldest in list(self.found)[:-_MOST_KEPT]:
            self.found.pop(oldest, None)
            self.shallow.pop(oldest, None)
        return found


def store_of(asked: TrainingRequest) -> Store:
    """Return what was found about the sweep in question; another one begins with nothing."""
    kept: Store | None = st.session_state.get(_STORE)
    if kept is None or kept.sweep is not asked.sweep:
        kept = st.session_state[_STORE] = Store(asked.sweep)
        job.forget(PAGE)
    return kept


def found(asked: TrainingRequest) -> TrainingSensitivity | None:
    """Return the answer, or as many levels as there are yet; None before the first.

    What takes some seconds is started beside the page; what takes long waits for its button.

    Raises
    ------
    InputError
        If the sweep cannot be trained on as asked.
    """
    store, question = store_of(asked), _question(asked)
    if question in store.found:
        return store.found[question]
    seconds = _seconds(asked)
    if seconds <= _AT_ONCE_SECONDS:
        with (
            st.spinner("Training (the first time: compiling)"),
            ThreadPoolExecutor(os.cpu_count()) as executor,
        ):
            done = training_sensitivity(asked.sweep, asked.tasks, asked.request, executor=executor)
        return store.keep(question, done, shallow_trainings(asked.sweep, done))
    if seconds <= _WITHOUT_ASKING_SECONDS and question not in store.begun:
        start(asked)
    return store.found.get(question) or store.so_far.get(question)


def has_more(asked: TrainingRequest, seen: TrainingSensitivity | None) -> bool:
    """Return whether all levels are done by now that were not when `seen` was looked up."""
    return is_whole(asked) and store_of(asked).found[_question(asked)] is not seen


def is_whole(asked: TrainingRequest) -> bool:
    """Return whether all levels are done."""
    return _question(asked) in store_of(asked).found


def shallow(asked: TrainingRequest) -> tuple[ShallowTraining, ...]:
    """Return trainings on shallower pools; none before all levels are done."""
    return store_of(asked).shallow.get(_question(asked), ())


def said_before(asked: TrainingRequest) -> str:
    """Return what the button says that starts the experiment."""
    return f"Run the experiment, about {max(_seconds(asked) / (os.cpu_count() or 1), 1):,.0f} s"


def start(asked: TrainingRequest) -> None:
    """Begin with the experiment, in place of another."""
    store, question = store_of(asked), _question(asked)
    store.begun.add(question)

    def work(report_progress: Report) -> bool:
        def show_partial(levels: TrainingSensitivity) -> None:
            store.so_far[question] = levels

        with ThreadPoolExecutor(os.cpu_count()) as executor:
            done = training_sensitivity(
                asked.sweep,
                asked.tasks,
                asked.request,
                report_progress=lambda share: report_progress(_EXPERIMENT_SHARE * share),
                show_partial=show_partial,
                executor=executor,
            )
        shallow = shallow_trainings(
            asked.sweep,
            done,
            report_progress=lambda share: report_progress(
                _EXPERIMENT_SHARE + (1 - _EXPERIMENT_SHARE) * share
            ),
        )
        store.keep(question, done, shallow)
        return True

    request = asked.request
    job.start(PAGE, f"{request.n_samples:,} samples at each of {len(request.levels)} levels", work)


@st.fragment(run_every=_LOOK_EVERY_SECONDS)
def watch(asked: TrainingRequest, seen: int) -> None:
    """Run the page anew as soon as more levels are done than are on screen."""
    if progress(asked) != seen:
        st.rerun()


def progress(asked: TrainingRequest) -> int:
    """Return how many levels are done."""
    store, question = store_of(asked), _question(asked)
    answer = store.found.get(question) or store.so_far.get(question)
    return 0 if answer is None else len(answer.levels)


def _question(asked: TrainingRequest) -> Question:
    return asked.request, asked.tasks


def _seconds(asked: TrainingRequest) -> float:
    return cpu_seconds(asked.sweep, len(asked.tasks), asked.request)
