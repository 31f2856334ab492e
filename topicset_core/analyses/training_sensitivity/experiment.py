"""Does the measure matter that a retrieval system is trained by, if there are few judgments?

The experiment of He, Macdonald and Ounis (SIGIR 2008). Of a parameter sweep the setting is chosen that scores
best on the training topics, once by each measure. Judgments of the training topics are removed at
random, many times at each of many levels; test topics keep all of theirs. X(Y) is the effectiveness by X, on
the test topics, of the setting chosen by training on Y.

Here the sweep is a set of runs, and training evaluates all of them unless annealing is asked for. Removing
judgments needs no new join of runs and judgments: a sample is other grades over the same ranks.

Shallower pools are another way to reduce judgments. The paper mentions it (section 5.1) and samples instead, as
shallow pools are biased "towards likely retrieved documents". Nothing is drawn, so there is one training per depth.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.pool_depth import grades_at
from topicset_core.analyses.training_sensitivity.optimisers import Chooser, choosing_seconds
from topicset_core.analyses.training_sensitivity.request import COMPLETE, Request, Task, split
from topicset_core.analyses.training_sensitivity.sampling import Sampler, Scorer
from topicset_core.analyses.training_sensitivity.significance import (
    Resampler,
    resampling_seconds,
)
from topicset_core.analyses.training_sensitivity.sweep import Sweep, sweep_of
from topicset_core.collection.judged_runs import Grades, JudgedRuns
from topicset_core.collection.run import Settings
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.exports.tables import Row
from topicset_core.progress import ReportProgress, silently
from topicset_core.samples import simulated_sweep
from topicset_core.wording import counted, listed

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

Batch = tuple[float, range]
"""A level and samples of it."""

_BATCH_SECONDS = 0.1
_SECONDS_A_TOPIC = 6e-6  # of drawing and summing up, for each run


@dataclass(frozen=True, kw_only=True, eq=False)
class Trained:
    """Trainings on the judgments of some levels; those on one sample lack the axes of levels and samples."""

    # (n_levels, n_samples, n_tasks, n_measures, n_systems): mean score of each setting over the training
    # topics, by each measure: the training surface
    means: Floats
    # The setting chosen by each measure, and how many settings shared the best score
    chosen: Ints  # (n_levels, n_samples, n_tasks, n_measures)
    n_tied: Ints  # (n_levels, n_samples, n_tasks, n_measures)
    # (n_levels, n_samples): topics left without a relevant document, training and test topics of all tasks
    # together
    n_lost: Ints
    # Documents judged, and relevant ones among them, over all topics
    n_judged: Ints  # (n_levels, n_samples)
    n_relevant: Ints  # (n_levels, n_samples)
    # (n_levels, n_samples, n_measures): within-system variance over the topics with a relevant document left
    variances: Floats
    # (n_levels, n_samples, n_measures, 2): over runs: covariance of their means by these and by all
    # judgments, and the variance of the latter, both on the topics with a relevant document left
    slope_parts: Floats
    # (n_levels, n_samples, n_measures, 3): over all runs: mean over all topics, over those with a relevant
    # document left, and over these by all judgments
    mean_scores: Floats
    resampled: Floats  # (n_levels, n_samples, n_draws, X, Y): X(Y), mean over tasks, in each draw of topics


_NAMES = [one.name for one in fields(Trained)]


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingSensitivity:
    """The whole experiment.

    Parameters
    ----------
    request : Request
        The request.
    collection : str
        Name of the judgments.
    settings : Settings
        Of the runs, in the order of the last axis of all arrays.
    tasks : tuple of Task
        Topics of training and test.
    topics : tuple of str
        Topics of all tasks, only usable ones.
    measures : tuple of str
        The reference first, then the alternatives.
    definitions : tuple of str
        Of the measures.
    scores : ndarray of float64, shape (n_measures, n_topics, n_systems)
        By all judgments.
    levels : tuple of float
        Levels that are done, ascending.
    trained : Trained
        At these levels.
    complete : Trained
        With all judgments: one level, one sample.
    n_judged, n_relevant : ndarray of int64, shape (n_topics,)
        Of each topic, in all.
    notes : tuple of str
        Notes for the reader.
    """

    request: Request
    collection: str
    settings: Settings
    tasks: tuple[Task, ...]
    topics: tuple[str, ...]
    measures: tuple[str, ...]
    definitions: tuple[str, ...]
    scores: Floats
    levels: tuple[float, ...]
    trained: Trained
    complete: Trained
    n_judged: Ints
    n_relevant: Ints
    notes: tuple[str, ...]

    @property
    def reference(self) -> str:
        """The measure that the others are compared with."""
        return self.measures[0]

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The measures M."""
        return self.measures[1:]

    @cached_property
    def test_rows(self) -> tuple[Ints, ...]:
        """Rows of the test topics of each task in `scores`."""
        return tuple(rows_of(task.test, self.topics) for task in self.tasks)

    @cached_property
    def test_means(self) -> Floats:
        """Mean over the test topics by all judgments, (n_tasks, n_measures, n_systems)."""
        return np.stack([self.scores[:, rows].mean(axis=1) for rows in self.test_rows])

    @cached_property
    def effectiveness(self) -> Floats:
        """X(Y): mean by X on the test topics of the setting that Y chose, (n_levels, n_samples, n_tasks, X, Y)."""
        return self._effectiveness(self.trained.chosen)

    @cached_property
    def complete_effectiveness(self) -> Floats:
        """X(Y) with all judgments, (n_tasks, X, Y)."""
        result: Floats = self._effectiveness(self.complete.chosen)[0, 0]
        return result

    def first_tasks(self, n_tasks: int) -> "TrainingSensitivity":
        """Return the experiment with its first tasks alone; the resampling is still over all tasks."""
        if n_tasks >= len(self.tasks):
            return self
        names = ("means", "chosen", "n_tied")
        trained, complete = (
            replace(trainings, **{name: getattr(trainings, name)[:, :, :n_tasks] for name in names})
            for trainings in (self.trained, self.complete)
        )
        return replace(self, tasks=self.tasks[:n_tasks], trained=trained, complete=complete)

    def _effectiveness(self, chosen: Ints) -> Floats:
        tasks = np.arange(len(self.tasks))[:, None, None]
        by = np.arange(len(self.measures))[:, None]
        result: Floats = self.test_means[tasks, by, chosen[..., None, :]]
        return result


def usable_topics(runs: JudgedRuns, relevance_level: int = 1) -> tuple[str, ...]:
    """Return the topics that can be trained or tested on: with a relevant document, and in some run."""
    largest = int(runs.qrels.grades.max())
    if relevance_level > largest:
        rule = f"must be at most {largest}, the largest grade in the qrels"
        raise InputError("relevance_level", relevance_level, rule)
    relevant = runs.qrels.topic_of[runs.qrels.grades >= relevance_level]
    usable = (np.bincount(relevant, minlength=runs.n_topics) > 0) & (runs.n_retrieved.max(axis=1) > 0)
    return tuple(runs.topics[row] for row in np.flatnonzero(usable).tolist())


def training_sensitivity(
    sweep: Sweep,
    tasks: Sequence[Task],
    request: Request | None = None,
    *,
    report_progress: ReportProgress = silently,
    show_partial: Callable[[TrainingSensitivity], None] | None = None,
    executor: Executor | None = None,
) -> TrainingSensitivity:
    """Run the experiment.

    160 samples of 100 runs on 50 topics, by the four measures of the paper, take about 2 CPU seconds.

    Parameters
    ----------
    sweep : Sweep
        Runs, settings and judgments.
    tasks : sequence of Task
        What to train and test on, at least one; see `split` and `exchanged`.
    request : Request, optional
        Measures, levels, samples, seed; by default the paper's.
    report_progress : callable
        Takes the fraction done; raises to stop the work.
    show_partial : callable, optional
        Takes the result of the levels done, after each but the last.
    executor : Executor, optional
        Where batches run; by default this thread. It makes no difference to any number.

    Raises
    ------
    InputError
        If there is no task, a task has a topic that cannot be used, no grade is relevant, or annealing is
        asked for over settings that are no grid.
    """
    requested = request or Request()
    summariser, whole = _prepared(sweep, tasks, requested)
    seconds = _sample_seconds(summariser.scorer, len(tasks), requested)
    size = max(round(_BATCH_SECONDS / seconds), 1)
    batches: list[Batch] = [
        (level, range(start, min(start + size, requested.n_samples)))
        for level in requested.levels
        for start in range(0, requested.n_samples, size)
    ]
    costs = [float(len(numbers)) for _, numbers in batches]
    levels: list[Trained] = []
    samples: list[Trained] = []
    for _, summaries in in_batches(summariser.samples, batches, costs, report_progress, executor):
        samples += summaries
        if len(samples) == requested.n_samples:
            levels.append(_one_level(samples))
            samples = []
            if show_partial is not None and len(levels) < len(requested.levels):
                done = requested.levels[: len(levels)]
                show_partial(replace(whole, levels=done, trained=_joined(levels)))
    return replace(whole, levels=requested.levels, trained=_joined(levels))


def trained_on_all(sweep: Sweep, tasks: Sequence[Task], request: Request) -> TrainingSensitivity:
    """Train on all judgments, at no level: tables 2 and 3 of the paper."""
    return _prepared(sweep, tasks, request)[1]


def _prepared(
    sweep: Sweep, tasks: Sequence[Task], request: Request
) -> tuple["Summariser", TrainingSensitivity]:
    """Return what sums up samples, and the experiment before its first level."""
    runs, level = sweep.runs, request.relevance_level
    topics = _topics(runs, tasks, level)
    rows = rows_of(topics, runs.topics)
    measures = request.chosen
    scorer = _scorer(sweep, rows, request)
    grades = runs.qrels.grades
    complete = scorer.scores(grades)
    chooser = Chooser(request, sweep.settings)
    training = tuple(rows_of(task.training, topics) for task in tasks)
    both = [(own, rows_of(task.test, topics)) for own, task in zip(training, tasks, strict=True)]
    resampler = Resampler(complete, both, request.seed)
    sampler = Sampler(
        qrels=runs.qrels,
        topics=rows,
        relevance_level=level,
        seed=request.seed,
        keep_one=request.keep_one,
    )
    summariser = Summariser(
        sampler=sampler,
        scorer=scorer,
        complete=complete,
        training_rows=training,
        chooser=chooser,
        resampler=resampler,
    )
    whole = TrainingSensitivity(
        request=request,
        collection=runs.qrels.name,
        settings=sweep.settings,
        tasks=tuple(tasks),
        topics=topics,
        measures=tuple(measure.name for measure in measures),
        definitions=tuple(measure.definition for measure in measures),
        scores=complete,
        levels=(),
        trained=_joined([]),
        complete=_one_level([summariser.of(grades, COMPLETE, 0)]),
        n_judged=np.bincount(runs.qrels.topic_of[grades >= 0], minlength=runs.n_topics)[rows],
        n_relevant=np.bincount(runs.qrels.topic_of[grades >= level], minlength=runs.n_topics)[rows],
        notes=(*sweep.notes, *_notes(runs, topics, level, request)),
    )
    return summariser, whole


def _scorer(sweep: Sweep, topics: Ints, request: Request) -> Scorer:
    """Return what scores the sweep on some topics by the measures."""
    return Scorer(
        runs=sweep.runs,
        topics=topics,
        measures=request.chosen,
        relevance_level=request.relevance_level,
        gains=request.gains,
    )


def _sample_seconds(scorer: Scorer, n_tasks: int, request: Request) -> float:
    """Return about how long one sample takes."""
    n_topics = scorer.topics.size
    seconds = scorer.seconds + _SECONDS_A_TOPIC * n_topics + choosing_seconds(request, n_tasks)
    return seconds + resampling_seconds(n_tasks, len(request.chosen), n_topics, scorer.runs.n_systems)


def cpu_seconds(sweep: Sweep, n_tasks: int, request: Request) -> float:
    """Return about how many seconds of a core of 2026 an experiment takes."""
    rows = np.arange(sweep.runs.n_topics)
    scorer = _scorer(sweep, rows, request)
    return _sample_seconds(scorer, n_tasks, request) * request.n_samples * len(request.levels)


@dataclass(frozen=True, eq=False)
class Summariser:
    """Draws judgments, scores by them, trains, and sums the scores up."""

    sampler: Sampler
    scorer: Scorer
    complete: Floats  # (n_measures, n_topics, n_systems): scores by all judgments
    training_rows: tuple[Ints, ...]  # training topics of each task, as rows of the scores
    chooser: Chooser  # chooses by the scores
    resampler: Resampler  # repeats it on resampled topics

    def samples(self, batch: Batch) -> list[Trained]:
        """Return what there is to know of the samples of one batch."""
        level, numbers = batch
        return [self.of(self.sampler.sample(level, number), level, number) for number in numbers]

    def of(self, grades: Grades, level: float, number: int) -> Trained:
        """Return what there is to know of the judgments that one sample of a level keeps."""
        scores = self.scorer.scores(grades)
        qrels, topics = self.scorer.runs.qrels, self.scorer.topics
        counts = [
            np.bincount(qrels.topic_of[grades >= level], minlength=qrels.n_topics)[topics]
            for level in (0, self.scorer.relevance_level)
        ]
        lost = counts[1] == 0
        kept, complete = scores[:, ~lost], self.complete[:, ~lost]
        n_measures, n_kept, n_systems = kept.shape
        run_means, true_means = (
            part.mean(axis=1) if n_kept else np.zeros((n_measures, n_systems)) for part in (kept, complete)
        )
        centred = true_means - true_means.mean(axis=1, keepdims=True)
        variances = np.full(n_measures, np.nan)
        if n_kept >= 2:
            variances = kept.var(axis=1, ddof=1).mean(axis=1)  # Sakai 2016, Eq. 36
        slope_parts = np.stack([(centred * run_means).mean(axis=1), (centred**2).mean(axis=1)], axis=1)
        means = np.stack([scores[:, rows].mean(axis=1) for rows in self.training_rows])
        chosen, n_tied = self.chooser.choose(means, level, number)
        return Trained(
            means=means,
            chosen=chosen,
            n_tied=n_tied,
            n_lost=np.array(lost.sum()),
            n_judged=np.array(counts[0].sum()),
            n_relevant=np.array(counts[1].sum()),
            variances=variances,
            slope_parts=slope_parts if n_kept >= 2 else np.zeros_like(slope_parts),
            mean_scores=np.stack(
                [scores.mean(axis=(1, 2)), run_means.mean(axis=1), true_means.mean(axis=1)], axis=1
            ),
            resampled=self.resampler.effectiveness(scores, level, number),
        )


def _one_level(samples: Sequence[Trained]) -> Trained:
    """Return the samples of a level in one."""
    return Trained(**{name: np.stack([getattr(sample, name) for sample in samples])[None] for name in _NAMES})


def _joined(levels: Sequence[Trained]) -> Trained:
    """Return several levels in one."""
    if not levels:
        nothing: Any = np.empty((0,))
        return Trained(**dict.fromkeys(_NAMES, nothing))
    return Trained(**{name: np.concatenate([getattr(level, name) for level in levels]) for name in _NAMES})


def _topics(runs: JudgedRuns, tasks: Sequence[Task], level: int) -> tuple[str, ...]:
    """Return the topics of all tasks in the order of the judgments."""
    if not tasks:
        raise InputError("tasks", 0, "must be at least 1")
    usable = usable_topics(runs, level)
    topics_needed = {topic for task in tasks for topic in (*task.training, *task.test)}
    unusable = sorted(topics_needed.difference(usable))
    if unusable:
        rule = f"must be topics that a run has, with a document of at least grade {level} in the qrels"
        raise InputError("topics", unusable[0], rule)
    return tuple(topic for topic in usable if topic in topics_needed)


def rows_of(chosen: Sequence[str], topics: tuple[str, ...]) -> Ints:
    """Return the places of topics among others."""
    places = {topic: row for row, topic in enumerate(topics)}
    return np.array([places[topic] for topic in chosen], dtype=np.int64)


def _notes(runs: JudgedRuns, topics: tuple[str, ...], level: int, request: Request) -> list[str]:
    used, notes = set(topics), []
    left = [topic for topic in runs.topics if topic not in used]
    if left:
        notes.append(
            f"{counted(len(left), 'topic')} of the qrels left out, in no task, in no run, or without a document of "
            f"at least grade {level}: {listed(left)}."
        )
    missed = int((runs.n_retrieved[rows_of(topics, runs.topics)] == 0).any(axis=1).sum())
    if missed:
        notes.append(f"{counted(missed, 'topic')} missed by some run, which scores 0 there.")
    if request.keep_one:
        notes.append(
            "Each topic keeps a relevant document at every level, so low levels are less incomplete."
        )
    notes.append(
        "Sign tests take levels and tasks for independent cases, as the paper does; all of them share their "
        "topics, so their p values are too small."
    )
    return notes


DEPTHS = (1, 2, 3, 5, 10, 20, 30, 50, 100)


def shallow_trainings(
    sweep: Sweep,
    sensitivity: TrainingSensitivity,
    depths: Sequence[int] = DEPTHS,
    report_progress: ReportProgress = silently,
) -> tuple[Row, ...]:
    """Train on pools of the runs of the sweep, and test as the experiment did: a row per pool, task and measure."""
    request, runs, level = sensitivity.request, sweep.runs, sensitivity.request.relevance_level
    rows = rows_of(sensitivity.topics, runs.topics)
    scorer = _scorer(sweep, rows, request)
    own = np.isin(runs.qrels.topic_of, rows)
    n_judged = int((runs.qrels.grades[own] >= 0).sum())
    chooser = Chooser(request, sensitivity.settings)
    training_rows = [rows_of(task.training, sensitivity.topics) for task in sensitivity.tasks]
    trainings = []
    for step, depth in enumerate(depths):
        grades = grades_at(runs, depth)
        scores = scorer.scores(grades)
        relevant = np.bincount(runs.qrels.topic_of[grades >= level], minlength=runs.n_topics)[rows]
        means = np.stack([scores[:, training].mean(axis=1) for training in training_rows])
        # Ties are determined as by all judgments, at any depth.
        chosen, n_tied = chooser.choose(means, COMPLETE, 0)
        for number, (task, training) in enumerate(zip(sensitivity.tasks, training_rows, strict=True)):
            for by, measure in enumerate(sensitivity.measures):
                setting = int(chosen[number, by])
                trainings.append(
                    {
                        "pool_depth": depth,  # first documents of every run that are judged
                        "level": 100 * int((grades[own] >= 0).sum()) / n_judged,
                        "n_lost": int(
                            (relevant[training] == 0).sum()
                        ),  # topics left without a relevant document
                        "task": task.name,
                        "trained_by": measure,
                        "setting": sensitivity.settings.text(setting),
                        "n_tied": int(n_tied[number, by]),
                        # reference(Y) and Y(Y): test effectiveness by all judgments
                        "reference_score": float(sensitivity.test_means[number, 0, setting]),
                        "own_score": float(sensitivity.test_means[number, by, setting]),
                    }
                )
        report_progress((step + 1) / len(depths))
    return tuple(trainings)


def warm_up() -> None:
    """Compile the kernels by a small question."""
    sweep = sweep_of(*simulated_sweep(n_topics=2))
    tasks = split(usable_topics(sweep.runs), 0)
    training_sensitivity(sweep, tasks, Request(levels=(50.0,), n_samples=2))
