"""Simulated collections of the runs in use: a preview at once, all of them in the background.

Results are kept for the session, by runs and by all settings.
"""

from dataclasses import dataclass, field, replace
from typing import get_args

import streamlit as st

from pages.parts import runs_data
from pages.parts.computation import Computation, Job, threads
from pages.parts.topic_variance.form import PAGE, Request
from topicset_core.analyses.topic_variance import Findings, Settings, Simulation, findings
from topicset_core.analyses.topic_variance.cells import Cells, cells_of
from topicset_core.analyses.topic_variance.sentences import SHORT
from topicset_core.analyses.topic_variance.settings import Model
from topicset_core.analyses.topic_variance.simulation import preview_trials, seconds_of, simulate_trials
from topicset_core.collection import Run as TrecRun
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.errors import InputError

SIMULATION: Computation[bool] = Computation(PAGE)

_STORE = f"{PAGE}/found"
_POLL_SECONDS = 0.5
_SHOWN_FROM = 100  # trials from which partial results are shown
_MOST_KEPT = 40


@dataclass
class Store:
    """Results for one collection; the job adds to it, the page reads it."""

    judged: JudgedRuns
    cells: dict[int, Cells] = field(default_factory=dict)
    by_settings: dict[Settings, Findings] = field(default_factory=dict)

    def keep(self, simulation: Simulation) -> Findings:
        """Keep the findings; they replace those with fewer trials for the same question."""
        answer = findings(simulation)
        for settings in self._of(answer.settings):
            if settings.n_trials < answer.settings.n_trials:
                self.by_settings.pop(settings, None)
        self.by_settings[answer.settings] = answer
        for oldest in list(self.by_settings)[:-_MOST_KEPT]:
            self.by_settings.pop(oldest, None)
        return answer

    def furthest(self, settings: Settings) -> Findings | None:
        """Return the findings with the most trials, up to the requested number."""
        fitting = [one for one in self._of(settings) if one.n_trials <= settings.n_trials]
        return self.by_settings.get(max(fitting, key=lambda one: one.n_trials)) if fitting else None

    def _of(self, settings: Settings) -> list[Settings]:
        return [one for one in list(self.by_settings) if replace(one, n_trials=settings.n_trials) == settings]


def store_of(request: Request) -> Store:
    """Return the results for the collection in use; other runs start without any."""
    kept: Store | None = st.session_state.get(_STORE)
    if kept is None or kept.judged is not request.judged:
        kept = st.session_state[_STORE] = Store(request.judged)
        SIMULATION.forget()
    return kept


def cells(request: Request) -> Cells:
    """Return the relevant documents."""
    store, level = store_of(request), request.settings.relevance_level
    if level not in store.cells:
        store.cells[level] = cells_of(request.judged, level)
    return store.cells[level]


def findings_of(request: Request, model: Model | None = None) -> Findings | None:
    """Return the best available answer, computed at once if that is fast; None if it is not."""
    settings = _settings(request, model)
    store, ready = store_of(request), cells(request)
    answer = store.furthest(settings)
    quick = preview_trials(ready, settings.model)
    if answer is not None or quick is None:
        return answer
    few = replace(settings, n_trials=min(quick, settings.n_trials))
    with st.spinner("Simulating collections (the first time: compiling)"):
        simulation = (
            _of_sample(request.judged.digest, repr(few), _settings=few, _cells=ready, _runs=request.runs)
            if runs_data.is_sample()
            else _simulated(ready, few, request.runs)
        )
        return store.keep(simulation)


def _simulated(cells: Cells, settings: Settings, runs: tuple[TrecRun, ...]) -> Simulation:
    with threads() as executor:
        return simulate_trials(cells, settings, runs, executor=executor)


@st.cache_resource(max_entries=50, show_spinner=False)
def _of_sample(
    digest: str,  # noqa: ARG001 - the key
    settings: str,  # noqa: ARG001 - the key
    *,
    _settings: Settings,
    _cells: Cells,
    _runs: tuple[TrecRun, ...],
) -> Simulation:
    """Return a preview for the simulated runs, shared by all users."""
    return _simulated(_cells, _settings, _runs)


def every(request: Request) -> tuple[list[Findings], str]:
    """Return the answers of all models in order, and why others are missing."""
    answers, missing = [], []
    for model in get_args(Model):
        try:
            answer = findings_of(request, model)
        except InputError as error:
            missing.append(f"No answer by {SHORT[model]}: {error}.")
            continue
        if answer is None:
            missing.append(f"{SHORT[model]} was not run yet: press the button above.")
        else:
            answers.append(answer)
    return answers, " ".join(missing)


def is_whole(request: Request) -> bool:
    """Return whether all models have the requested number of trials."""
    store = store_of(request)
    return all(_settings(request, model) in store.by_settings for model in get_args(Model))


def seconds_left(request: Request) -> float:
    """Return about how many CPU seconds the models take that were not run yet."""
    store, ready = store_of(request), cells(request)
    simulations = [_settings(request, model) for model in get_args(Model)]
    return sum(seconds_of(ready, one) for one in simulations if one not in store.by_settings)


def start(request: Request) -> None:
    """Start the requested simulations, the chosen model first; called by its button."""
    store, ready = store_of(request), cells(request)
    models = sorted(get_args(Model), key=lambda model: model != request.settings.model)
    simulations = [
        one for one in (_settings(request, model) for model in models) if one not in store.by_settings
    ]

    def show(simulation: Simulation) -> None:
        known = store.furthest(replace(simulation.settings, n_trials=request.settings.n_trials))
        # Each update takes about a second with many runs: at ten times the previous trials.
        least = 10 * known.settings.n_trials if known else 0
        if simulation.settings.n_trials >= max(_SHOWN_FROM, least):
            store.keep(simulation)

    def work(job: Job) -> bool:
        for done, settings in enumerate(simulations):
            store.keep(
                simulate_trials(
                    ready,
                    settings,
                    request.runs,
                    report_progress=lambda share, done=done: job.report_progress(  # type: ignore[misc]
                        (done + share) / len(simulations)
                    ),
                    executor=job.executor,
                    show_partial=show,
                )
            )
        return True

    SIMULATION.start(
        request.settings, f"{request.settings.n_trials:,} collections, {len(simulations)} models", work
    )


@st.fragment(run_every=_POLL_SECONDS)
def watch(request: Request, seen: tuple[int, ...]) -> None:
    """Run the page again as soon as the running job has more than is on screen."""
    if progress(request) != seen:
        st.rerun()


def progress(request: Request) -> tuple[int, ...]:
    """Return with how many trials each model has been simulated."""
    answers = [store_of(request).furthest(_settings(request, model)) for model in get_args(Model)]
    return tuple(0 if one is None else one.settings.n_trials for one in answers)


def _settings(request: Request, model: Model | None) -> Settings:
    return request.settings if model is None else replace(request.settings, model=model)
