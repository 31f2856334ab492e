"""The experiment: at once if that is fast, else in the background; results are kept for the session."""

from dataclasses import dataclass

import streamlit as st

from pages.parts.computation import Computation, Job, expected_time, threads
from pages.parts.training_sensitivity.form import TrainingRequest
from pages.parts.training_sensitivity.sweeps import PAGE
from topicset_core.analyses.training_sensitivity import (
    PaperBlock,
    Request,
    ShallowTraining,
    Sweep,
    Task,
    TrainingSensitivity,
    cpu_seconds,
    shallow_trainings,
    training_sensitivity,
)

_AT_ONCE_SECONDS = 1.0  # of one core, two of which are there as a rule
_WITHOUT_ASKING_SECONDS = 30.0
_POLL_SECONDS = 0.5
_EXPERIMENT_SHARE = 0.95  # of the time; the rest are trainings on shallower pools
_SWEEP, _BEGUN = f"{PAGE}/sweep-in-question", f"{PAGE}/begun"

Question = tuple[Request, tuple[Task, ...]]


@dataclass(frozen=True)
class Trained:
    """An experiment, and trainings on shallower pools, which follow when all levels are done."""

    sensitivity: TrainingSensitivity
    shallow: tuple[ShallowTraining, ...] = ()


EXPERIMENT: Computation[Trained] = Computation(PAGE, n_kept=20)
TABLES: Computation[tuple[PaperBlock, ...]] = Computation(f"{PAGE}/paper-tables")


def result_of(training: TrainingRequest) -> TrainingSensitivity | None:
    """Return the answer, or the levels that are done; None before the first.

    An experiment of some seconds is started in the background; a longer one waits for its button.
    """
    key, seconds = _question(training), _seconds(training)
    if EXPERIMENT.result(key) is None:
        if seconds <= _AT_ONCE_SECONDS:
            sweep = training.sweep
            with st.spinner("Training (the first time: compiling)"):
                trained = (
                    _of_sample(sweep.runs.digest, sweep.assumed_depth, repr(key), _question=key, _sweep=sweep)
                    if training.source.is_sample
                    else _trained(sweep, key)
                )
            EXPERIMENT.keep(key, trained)
        elif seconds <= _WITHOUT_ASKING_SECONDS and key not in st.session_state[_BEGUN]:
            start(training)
    answer = EXPERIMENT.result(key) or EXPERIMENT.partial(key)
    return None if answer is None else answer.sensitivity


def _trained(sweep: Sweep, question: Question) -> Trained:
    request, tasks = question
    with threads() as executor:
        done = training_sensitivity(sweep, tasks, request, executor=executor)
    return Trained(done, shallow_trainings(sweep, done))


@st.cache_resource(max_entries=50, show_spinner=False)
def _of_sample(
    digest: str,  # noqa: ARG001 - the key
    assumed_depth: int | None,  # noqa: ARG001 - the key
    question: str,  # noqa: ARG001 - the key
    *,
    _question: Question,
    _sweep: Sweep,
) -> Trained:
    """Return an experiment on the simulated sample, shared by all users."""
    return _trained(_sweep, _question)


def has_more(training: TrainingRequest, seen: TrainingSensitivity | None) -> bool:
    """Return whether all levels are done, and were not when `seen` was read."""
    whole = EXPERIMENT.result(_question(training))
    return whole is not None and whole.sensitivity is not seen


def is_whole(training: TrainingRequest) -> bool:
    """Return whether all levels are done."""
    return EXPERIMENT.result(_question(training)) is not None


def shallow(training: TrainingRequest) -> tuple[ShallowTraining, ...]:
    """Return trainings on shallower pools; empty before all levels are done."""
    whole = EXPERIMENT.result(_question(training))
    return () if whole is None else whole.shallow


def button_label(training: TrainingRequest) -> str:
    """Return the label of the button that starts the experiment."""
    return f"Run the experiment{expected_time(_seconds(training))}"


def start(training: TrainingRequest) -> None:
    """Start the experiment; it replaces a running one."""
    key, request = _question(training), training.request

    def work(job: Job) -> Trained:
        done = training_sensitivity(
            training.sweep,
            training.tasks,
            request,
            report_progress=lambda share: job.report_progress(_EXPERIMENT_SHARE * share),
            show_partial=lambda levels: job.show_partial(Trained(levels)),
            executor=job.executor,
        )
        shallow = shallow_trainings(
            training.sweep,
            done,
            report_progress=lambda share: job.report_progress(
                _EXPERIMENT_SHARE + (1 - _EXPERIMENT_SHARE) * share
            ),
        )
        return Trained(done, shallow)

    EXPERIMENT.start(key, f"{request.n_samples:,} samples at each of {len(request.levels)} levels", work)
    st.session_state[_BEGUN].add(key)


@st.fragment(run_every=_POLL_SECONDS)
def watch(training: TrainingRequest, seen: int) -> None:
    """Run the page again as soon as more levels are done than are on screen."""
    if progress(training) != seen:
        st.rerun()


def progress(training: TrainingRequest) -> int:
    """Return how many levels are done."""
    key = _question(training)
    answer = EXPERIMENT.result(key) or EXPERIMENT.partial(key)
    return 0 if answer is None else len(answer.sensitivity.levels)


def _question(training: TrainingRequest) -> Question:
    """Return the key of a question; another sweep starts without results."""
    if st.session_state.get(_SWEEP) is not training.sweep:
        EXPERIMENT.forget()
        st.session_state[_BEGUN] = set()
        st.session_state[_SWEEP] = training.sweep
    return training.request, training.tasks


def _seconds(training: TrainingRequest) -> float:
    return cpu_seconds(training.sweep, len(training.tasks), training.request)
