"""The page on other documents: its form, simulations in the background, and folded sections of results.

Results are kept for the session, by runs and by all settings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, get_args

import streamlit as st

from pages.parts import figure, frame, link, runs_data
from pages.parts.computation import Computation, threads
from pages.parts.computation import Job as Job
from pages.parts.form import Choice, Form, Number
from topicset_core.analyses.topic_variance import Findings, Settings, Simulation, charts, findings, report
from topicset_core.analyses.topic_variance.cells import Cells, cells_of
from topicset_core.analyses.topic_variance.densities import Fit, fit
from topicset_core.analyses.topic_variance.sentences import (
    SHORT,
    fit_sentences,
    headline,
    how_it_fits,
    misfit_sentence,
    needed,
    noise_sentence,
    noise_share,
    order_sentence,
    redrawn_sentence,
    reversal_sentence,
)
from topicset_core.analyses.topic_variance.settings import (
    N_TRIALS,
    Bandwidth,
    Denominator,
    MeasureName,
    Model,
)
from topicset_core.analyses.topic_variance.simulation import preview_trials, seconds_of, simulate_trials
from topicset_core.collection import Run
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.errors import InputError
from topicset_core.exports.tables import Table
from topicset_core.parameters import ALPHA, MIN_D, SEED
from topicset_core.wording import counted

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
    _FORM.ask(N_TRIALS, MIN_D)
    with st.expander("Conventions"):
        denominator = _FORM.draw(_DENOMINATOR)
        bandwidth = _FORM.draw(_BANDWIDTH)
        _FORM.ask(ALPHA, SEED)
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


def _known(name: str | None, names: Sequence[str]) -> str:
    return name if name is not None and name in names else ""


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


def _simulated(cells: Cells, settings: Settings, runs: tuple[Run, ...]) -> Simulation:
    with threads() as executor:
        return simulate_trials(cells, settings, runs, executor=executor)


@st.cache_resource(max_entries=50, show_spinner=False)
def _of_sample(
    digest: str,  # noqa: ARG001 - the key
    settings: str,  # noqa: ARG001 - the key
    *,
    _settings: Settings,
    _cells: Cells,
    _runs: tuple[Run, ...],
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


_MOST_NAMED = 20


class RunInDetail(NamedTuple):
    """The run and topic that are shown in detail, and their score densities if there are any."""

    run: str
    topic: str
    fitted: Fit | None


def show_summary(findings: Findings, min_d: float, *, is_preview: bool) -> None:
    """Write the headline and its sentences."""
    with st.container(key="answer", gap="xxsmall"):
        frame.headline(f"Other documents reverse :primary[{headline(findings)}]", is_preview=is_preview)
        st.markdown(frame.plain(f"{reversal_sentence(findings)} {order_sentence(findings)}"))
    st.markdown(frame.plain(noise_sentence(findings, needed(findings, min_d))))
    misfit = misfit_sentence(findings)
    if misfit:
        st.warning(frame.plain(misfit))


def show(request: Request, findings: Findings, models: Sequence[Findings], why_not: str) -> RunInDetail:
    """Show the folded sections; return the run and topic that are shown in detail."""
    lost, share = len(findings.reversed_pairs), findings.components.noise_share
    with frame.folded("Pairs", f"{lost:,} of {findings.n_pairs:,} reverse in 5 % or more of the collections"):
        figure.show(charts.error_rate_by_difference(models), of=PAGE)
        st.markdown(frame.plain(fit_sentences(findings, models)))
        if why_not:
            st.markdown(f":small[{frame.plain(why_not)}]")
        _show_pairs(findings)
    with frame.folded(
        "Variance",
        "components of the scores"
        if share is None or share > 1
        else f"documents cause {noise_share(findings.components)} of the noise when two runs are compared",
    ):
        figure.show(charts.variance_split(findings), of=PAGE)
    with frame.folded("Topics", "which ones depend most on the documents"):
        _show_topics(findings)
    with frame.folded("Runs", f"95 % rank intervals of {counted(len(findings.systems), 'run')}"):
        _show_runs(findings)
    with frame.folded("One run in detail", "its scores per topic in resampled collections"):
        return _show_run(request, findings)


def _show_run(request: Request, findings: Findings) -> RunInDetail:
    """Let the user choose a run and topic, and show them in detail."""
    run, topic = ask_run_and_topic(findings)
    fitted, why_not = None, ""
    try:
        of_tag = next(one for one in request.runs if one.tag == run)
        fitted = fit(cells(request), of_tag, topic, request.settings.bandwidth)
    except InputError as error:
        why_not = f"No densities: {error.rule}."
    figure.show(charts.simulated_scores(findings, run, topic=topic), of=PAGE)
    if fitted is not None:
        figure.show(charts.fitted_densities(fitted), of=PAGE)
    st.markdown(frame.plain(why_not or how_it_fits(fitted)))
    return RunInDetail(run, topic, fitted)


def _show_pairs(findings: Findings) -> None:
    if not findings.reversed_pairs:
        st.markdown("No pair of runs changes its order in 5 % or more of the collections.")
        return
    labels = {
        "better": "better run",
        "worse": "worse run",
        "raw_difference": f"difference, {findings.settings.measure_name}",
        "standard_error": "standard error",
    }
    _table(report.pairs_table(findings), labels, "Pairs of runs that change order")


def _show_topics(findings: Findings) -> None:
    measure = findings.settings.measure_name
    labels = {
        "standard_deviation": f"SD of a score, {measure}",
        "share": "share of the noise",
        "raw_mean": f"mean {measure}",
    }
    _table(report.unstable_topics_table(findings), labels, "Topics, the least stable first")


def _show_runs(findings: Findings) -> None:
    labels = {
        "raw_rank": "rank",
        "rank_low": "from rank",
        "rank_high": "to rank",
        "raw_mean": f"mean {findings.settings.measure_name}",
        "simulated_mean": "mean in resampled collections",
    }
    _table(report.ranks_table(findings), labels, "Ranks of runs")


def show_remarks(findings: Findings, *, by_intent: bool) -> None:
    """List the ranked lists that needed special handling, and the conventions for all others."""
    n_cells = findings.raw.size
    remarks = report.remarks_table(findings)
    with st.expander(
        f"Checks on your data: {len(remarks['run']):,} of {n_cells:,} lists needed special handling"
    ):
        barren = _listed(findings.topics_without_relevant)
        if findings.settings.model == "shared":
            st.markdown(f"- {frame.plain(redrawn_sentence(findings))}")
        tied = sum(findings.n_tied)
        if by_intent:
            st.markdown(
                "- Documents were judged by intent: each counts with its highest grade for any intent."
            )
        st.markdown(
            f"- {findings.n_unjudged:,} documents without a judgment count as not relevant.\n- {tied:,} documents "
            "have the same score as another document of their topic; they are ordered by id, as in trec_eval.\n"
            f"- Topics without relevant documents score 0 and are kept: {barren}.\n- Topics that no run contains "
            f"are left out: {_listed(findings.left_out_topics)}."
        )
        if len(remarks["run"]):
            _table(remarks, {"remark": "handling"}, "Lists with special handling")


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return (frame.plain(", ".join(names[:_MOST_NAMED])) or "none") + (
        f" and {more:,} more" if more > 0 else ""
    )


def _table(table: Table, labels: dict[str, str], alt: str) -> None:
    """Show a table with readable column names and numbers in four digits."""
    config = {}
    for name, values in table.items():
        is_number = any(isinstance(value, float) for value in values)
        label = labels.get(name, name)
        config[name] = (
            st.column_config.NumberColumn(label, format="%.4g")
            if is_number
            else st.column_config.Column(label)
        )
    st.dataframe(table, hide_index=True, column_config=config, alt=alt)
