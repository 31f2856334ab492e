"""The page on tuning: its form, the experiment in the background, and folded sections of results.

The experiment is made at once if that is fast; results are kept for the session.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import streamlit as st

from pages.parts import figure, frame, link, runs_data
from pages.parts.computation import Computation, expected_time, threads
from pages.parts.computation import Job as Job
from pages.parts.form import Choice, Form, Number, Several, Switch, Text
from pages.parts.runs_data import AD_HOC
from pages.parts.sweeps import PAGE, Source, is_loaded, sources, take
from topicset_core.analyses.training_sensitivity import (
    ALTERNATIVES,
    N_SAMPLES,
    N_SPLITS,
    PAPER_LEVELS,
    WORTHWHILE,
    Answer,
    AssumedPool,
    Optimiser,
    Request,
    ShallowTraining,
    Sweep,
    Task,
    TrainingSensitivity,
    collection_facts,
    cpu_seconds,
    exchanged,
    level_facts,
    levels_of,
    shallow_trainings,
    split,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.charts import (
    View,
    effectiveness_by_completeness,
    gains_by_completeness,
    judgments_by_completeness,
    scores_in_training,
)
from topicset_core.analyses.training_sensitivity.report import designs_table, evidence_table
from topicset_core.errors import InputError
from topicset_core.measures import Conventions
from topicset_core.measures.conventions import Gains
from topicset_core.parameters import MIN_D, RELEVANCE_LEVEL, SEED
from topicset_core.parsing.topic_list import read_topic_list
from topicset_core.wording import counted

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
EVALUATED_BY, TASK, SURFACE_OF, SURFACE_LEVEL = "evaluated_by", "task", "surface_of", "surface_level"
_FORM = Form(
    PAGE,
    (
        *map(Number, (N_SAMPLES, N_SPLITS, SEED, MIN_D, RELEVANCE_LEVEL, WORTHWHILE)),
        *(_SWEEP, _REFERENCE, _TOPICS, _GAINS, _POOL, _OPTIMISER, _KEEP, _MEASURES),
        *(_LEVELS, _TRAINING, _TEST),
        *(Choice(name, "") for name in (EVALUATED_BY, TASK, SURFACE_OF, SURFACE_LEVEL)),
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
    _FORM.ask(WORTHWHILE)
    _FORM.ask(N_SAMPLES)
    with st.expander("Conventions"):
        reference = _FORM.draw(_REFERENCE)
        levels = _FORM.draw(_LEVELS)
        if way == SPLIT:
            _FORM.ask(N_SPLITS)
        _FORM.ask(SEED)
        keep_one = _FORM.draw(_KEEP)
        if not is_loaded(source):
            _FORM.ask(RELEVANCE_LEVEL)
        gains = _FORM.draw(_GAINS)
        pool = _FORM.draw(_POOL)
        optimiser = _FORM.draw(_OPTIMISER)
        _FORM.ask(MIN_D)
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


_AT_ONCE_SECONDS = 1.0  # of one core, two of which are there as a rule
_WITHOUT_ASKING_SECONDS = 30.0
_POLL_SECONDS = 0.5
_EXPERIMENT_SHARE = 0.95  # of the time; the rest are trainings on shallower pools
_IN_QUESTION, _BEGUN = f"{PAGE}/sweep-in-question", f"{PAGE}/begun"

Question = tuple[Request, tuple[Task, ...]]


@dataclass(frozen=True)
class Trained:
    """An experiment, and trainings on shallower pools, which follow when all levels are done."""

    sensitivity: TrainingSensitivity
    shallow: tuple[ShallowTraining, ...] = ()


EXPERIMENT: Computation[Trained] = Computation(PAGE, n_kept=20)


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
    if st.session_state.get(_IN_QUESTION) is not training.sweep:
        EXPERIMENT.forget()
        st.session_state[_BEGUN] = set()
        st.session_state[_IN_QUESTION] = training.sweep
    return training.request, training.tasks


def _seconds(training: TrainingRequest) -> float:
    return cpu_seconds(training.sweep, len(training.tasks), training.request)


_KEPT = f"{PAGE}/answered"


def answer_of(
    training: TrainingRequest, sensitivity: TrainingSensitivity, shallow: tuple[ShallowTraining, ...]
) -> Answer:
    """Return the answer of an experiment; figures that were computed before are kept."""
    kept: Answer | None = st.session_state.get(_KEPT)
    if kept is None or kept.sensitivity is not sensitivity:
        kept = Answer(
            sensitivity=sensitivity,
            min_d=training.min_d,
            worthwhile=training.worthwhile,
            shallow=shallow,
            n_documents=training.source.n_documents,
        )
    elif (kept.min_d, kept.worthwhile) != (training.min_d, training.worthwhile):
        kept = kept.at(training.min_d, training.worthwhile)
    st.session_state[_KEPT] = kept
    return kept


def url(training: TrainingRequest, view: dict[str, str]) -> str:
    """Return the full link; it carries the question, and names the sweep."""
    return link.write(dict(training.written) | view | {link.DATA: str(training.source.stamp)})


def view_of(answer: Answer, view: dict[str, str]) -> View:
    """Return which data figures show, as the user chose."""
    return View(
        evaluated_by=view[EVALUATED_BY],
        task=view[TASK],
        measure=view[SURFACE_OF],
        level=next(one for one in answer.sensitivity.levels if f"{one:g}" == view[SURFACE_LEVEL]),
    )


def show_summary(answer: Answer, sweep: Sweep) -> None:
    """Write the finding and its evidence."""
    result, finding = answer.sensitivity, answer.recommendation
    headline = frame.plain(finding.headline)
    for measure in finding.measures:
        headline = headline.replace(frame.plain(measure), f":primary[{frame.plain(measure)}]", 1)
    with st.container(key="answer", gap="xxsmall"):
        frame.headline(f"{headline}")
        st.markdown(frame.plain(finding.sentence))
    swept = ", ".join(result.settings.parameters)
    of_what = f" of {swept}" if swept else " without parameter values"
    sizes = " and ".join(f"{len(task.training)}" for task in result.tasks[:2])
    with st.container(key="sweep"):
        st.markdown(
            frame.plain(
                f"{counted(len(result.settings.systems), 'setting')}{of_what}; trained on {sizes} topics, "
                f"tested on the others, in {counted(len(result.tasks), 'training')}; {result.request.n_samples} "
                f"samples of judgments at each of {counted(len(result.levels), 'level')}, seed "
                f"{result.request.seed}."
            )
        )
    for sentence in result.notes[:1] if sweep.assumed_depth else ():
        st.info(frame.plain(sentence))


def show_gains(answer: Answer) -> dict[str, str]:
    """Draw the gains; return the measure that the user chose."""
    evaluated_by = choose(EVALUATED_BY, answer.sensitivity.measures, "Evaluated on the test topics by")
    figure.show(gains_by_completeness(answer, evaluated_by), of=PAGE)
    return {EVALUATED_BY: evaluated_by}


def show(answer: Answer, view: dict[str, str]) -> dict[str, str]:
    """Draw the folded sections; return all choices of the user."""
    levels = counted(len(answer.sensitivity.levels), "level")
    with frame.folded("Evidence", "gains, confidence intervals and p values"):
        _evidence(answer, view[EVALUATED_BY])
    with frame.folded("Topics or judgments?", frame.plain(_cheapest_in_short(answer))):
        _designs(answer)
    with frame.folded("Scores in training", "by setting, with all and with fewer judgments"):
        view = view | _surfaces(answer, view)
    with frame.folded("Levels", f"judged and relevant documents per topic at {levels}"):
        _levels(answer)
    with frame.folded("Shallower pools", "training on the first documents of each run"):
        _shallow(answer)
    return view


def _cheapest_in_short(answer: Answer) -> str:
    """Return the first claim of the sentence on costs."""
    return answer.cheapest.partition(", ")[2].partition(":")[0].partition(". ")[0].rstrip(".")


def _evidence(answer: Answer, evaluated_by: str) -> None:
    """Show the evidence for the finding, the paper's p value, and effectiveness by training measure."""
    reference = answer.sensitivity.reference
    frame.table(evidence_table(answer), alt="Gains with few and with more judgments")
    st.markdown(
        frame.plain(
            f"Gain: test {reference} after training by the measure, minus test {reference} after training by "
            f"{reference}. The interval and p value over topics include the variation over topics and over "
            "samples of judgments, adjusted for all measures. The p value of the paper is a Wilcoxon test over "
            "samples of judgments with Holm's adjustment. It is valid for these topics only, and shrinks with "
            "more samples."
        )
    )
    figure.show(effectiveness_by_completeness(answer, evaluated_by), of=PAGE)


def _surfaces(answer: Answer, view: dict[str, str]) -> dict[str, str]:
    """Draw training scores for the task, measure and level that the user chooses; return the choice."""
    result = answer.paper
    levels = {f"{level:g}": level for level in result.levels}
    columns = st.columns(3)
    with columns[0]:
        task = choose(TASK, [one.name for one in result.tasks], "Tested on")
    with columns[1]:
        measure = choose(SURFACE_OF, result.alternatives, f"Compared with {result.reference}", answer.yours)
    with columns[2]:
        level = choose(SURFACE_LEVEL, list(levels), "Level, % of the judgments")
    chosen = {TASK: task, SURFACE_OF: measure, SURFACE_LEVEL: level}
    shown = view_of(answer, view | chosen)
    figure.show(*scores_in_training(answer, shown), of=PAGE)
    return chosen


def _designs(answer: Answer) -> None:
    """Show whether to use fewer documents or fewer topics."""
    st.markdown(frame.plain(answer.cheapest))
    if answer.has_designs:
        figure.show(judgments_by_completeness(answer), of=PAGE)
        st.markdown(
            f"Each line is for a difference of {answer.min_d:g} in its own measure. Compare levels along a line, "
            "not lines with each other."
        )
    frame.table(designs_table(answer.designs), ".4g", alt="Topics and judgments at every level")


def _levels(answer: Answer) -> None:
    """Show table 1, and the judgments at each level."""
    result = answer.sensitivity
    try:
        facts = collection_facts(result, answer.n_documents)
    except InputError:  # the sweep has documents that the collection lacks
        facts = collection_facts(result)
    share = (
        ""
        if facts.relevant_share is None
        else f" of {facts.n_documents:,} documents ({facts.relevant_share:.2%})"
    )
    st.markdown(
        frame.plain(
            f"{facts.collection}: {counted(facts.n_topics, 'topic')}, on average {facts.judged_per_topic:.1f} "
            f"judged documents and {facts.relevant_per_topic:.1f} relevant ones{share}."
        )
    )
    every = level_facts(result)
    rows: dict[str, list[Any]] = {
        "% of judgments": [one.level for one in every],
        "judged per topic": [one.judged_per_topic for one in every],
        "relevant per topic": [one.relevant_per_topic for one in every],
        "topics without relevant": [one.lost_topics for one in every],
        "of all topics": [one.lost_share for one in every],
    }
    text = "Means over samples, topics and runs. A topic without a remaining relevant document scores 0."
    if {"infAP", "AP"} <= set(result.measures):
        rows["infAP bias"] = [one.bias_of("infAP", "AP", result.measures) for one in every]
        text += (
            " The bias of infAP is its mean minus the mean AP with all judgments, over topics with a relevant "
            "document."
        )
    for place, measure in enumerate(result.measures):
        rows[f"mean {measure}"] = [one.scores[place] for one in every]
    frame.table(
        rows, dict.fromkeys([*rows][1:], ".4g") | {"of all topics": ".2%"}, alt="Judgments at each level"
    )
    st.markdown(text)


def _shallow(answer: Answer) -> None:
    """Show trainings on shallower pools, one row per depth and task."""
    if not answer.shallow:
        st.markdown("These results follow when all levels are done.")
        return
    reference = answer.sensitivity.reference
    first = {task.name for task in answer.paper.tasks}
    trainings = [one for one in answer.shallow if one.task in first]
    own = [one for one in trainings if one.trained_by == reference]  # one of each depth and task
    rows: dict[str, list[Any]] = {
        "pool depth": [one.pool_depth for one in own],
        "% of judgments": [one.level for one in own],
        "tested on": [one.task for one in own],
        "training topics without relevant": [one.n_lost for one in own],
    }
    for one in trainings:
        rows.setdefault(f"{reference}, trained by {one.trained_by}", []).append(one.reference_score)
    frame.table(rows, ".4g", alt="Trainings on shallower pools")
    st.markdown(
        frame.plain(
            "Here only the first documents of each run are judged, instead of a random sample: one training per "
            "depth."
        )
    )
