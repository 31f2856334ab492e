"""Training on shallower pools instead of samples: the other way to judge less.

He, Macdonald and Ounis mention it (section 5.1) and sample instead, as shallow pools are biased "towards
likely retrieved documents". Nothing is drawn, so there is one training for each depth.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.pool_depth import grades_at
from topicset_core.analyses.training_sensitivity.experiment import TrainingSensitivity, usable_topics
from topicset_core.analyses.training_sensitivity.optimisers import chooser_of
from topicset_core.analyses.training_sensitivity.request import COMPLETE, Request
from topicset_core.analyses.training_sensitivity.scoring import Scorer
from topicset_core.analyses.training_sensitivity.sweep import Sweep
from topicset_core.errors import InputError
from topicset_core.progress import Report, silently

DEPTHS = (1, 2, 3, 5, 10, 20, 30, 50, 100)


@dataclass(frozen=True, kw_only=True)
class ShallowTraining:
    """One measure, one task, trained on the judgments of one pool.

    Parameters
    ----------
    pool_depth : int
        First documents of every run that are judged.
    level : float
        Percent of the judgments that this is.
    n_lost : int
        Training topics left without a relevant document.
    task : str
        What was tested on.
    trained_by : str
        Y.
    chosen : int
        Index of the setting.
    setting : str
        Its values.
    n_tied : int
        Settings that shared the best score.
    reference_score, own_score : float
        reference(Y) and Y(Y): test effectiveness by all judgments.
    """

    pool_depth: int
    level: float
    n_lost: int
    task: str
    trained_by: str
    chosen: int
    setting: str
    n_tied: int
    reference_score: float
    own_score: float


def shallow_trainings(
    sweep: Sweep,
    found: TrainingSensitivity,
    depths: Sequence[int] = DEPTHS,
    report_progress: Report = silently,
) -> tuple[ShallowTraining, ...]:
    """Train on pools of the runs of the sweep, and test as the experiment did.

    Parameters
    ----------
    sweep : Sweep
        That of the experiment.
    found : TrainingSensitivity
        The experiment: its tasks and measures are taken.
    depths : sequence of int
        Pool depths, from 1.
    report_progress : callable
        Takes the fraction done.

    Returns
    -------
    tuple of ShallowTraining
        One per depth, in the order of `depths`.

    Raises
    ------
    InputError
        If there is no depth, or one is below 1 or repeated.
    """
    if not depths or len(set(depths)) < len(depths):
        raise InputError("depths", list(depths), "must be at least one pool depth, each once")
    request: Request = found.request
    runs, level = sweep.runs, request.conventions.relevance_level
    usable = set(usable_topics(runs, level)) & set(found.topics)
    rows = np.array([row for row, topic in enumerate(runs.topics) if topic in usable], dtype=np.int64)
    scorer = Scorer(runs, rows, request.chosen, level, request.conventions.gains)
    own = np.isin(runs.qrels.topic_of, rows)
    n_judged = int((runs.qrels.grades[own] >= 0).sum())
    chooser = chooser_of(request, found.settings)
    places = {topic: row for row, topic in enumerate(found.topics)}
    training_rows = [
        np.array([places[topic] for topic in task.training], dtype=np.int64) for task in found.tasks
    ]
    trainings = []
    for step, depth in enumerate(sorted(depths)):
        grades = grades_at(runs, depth)
        scores = scorer.scores(grades)
        relevant = np.bincount(runs.qrels.topic_of[grades >= level], minlength=runs.n_topics)[rows]
        means = np.stack([scores[:, training].mean(axis=1) for training in training_rows])
        # Ties are settled as by all judgments, whatever the depth.
        chosen, n_tied = chooser.choose(means, COMPLETE, 0)
        for number, (task, training) in enumerate(zip(found.tasks, training_rows, strict=True)):
            for by, measure in enumerate(found.measures):
                setting = int(chosen[number, by])
                trainings.append(
                    ShallowTraining(
                        pool_depth=depth,
                        level=100 * int((grades[own] >= 0).sum()) / n_judged,
                        n_lost=int((relevant[training] == 0).sum()),
                        task=task.name,
                        trained_by=measure,
                        chosen=setting,
                        setting=found.settings.said(setting),
                        n_tied=int(n_tied[number, by]),
                        reference_score=float(found.test_means[number, 0, setting]),
                        own_score=float(found.test_means[number, by, setting]),
                    )
                )
        report_progress((step + 1) / len(depths))
    return tuple(trainings)
