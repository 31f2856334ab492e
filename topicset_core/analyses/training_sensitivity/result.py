"""What the experiment found, before any test is made of it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.training_sensitivity.request import Request
from topicset_core.analyses.training_sensitivity.tasks import Task
from topicset_core.collection.settings import Settings

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Trained:
    """Trainings on the judgments of some levels.

    Parameters
    ----------
    means : ndarray of float64, shape (n_levels, n_samples, n_tasks, n_measures, n_systems)
        Mean score of each setting over the training topics, by each measure: the training surface.
        Topics left without a relevant document score 0 for all.
    chosen, n_tied : ndarray of int64, shape (n_levels, n_samples, n_tasks, n_measures)
        The setting chosen by each measure, and how many settings shared the best score.
    n_lost : ndarray of int64, shape (n_levels, n_samples)
        Topics left without a relevant document, training and test topics of all tasks together.
    n_lost_training : ndarray of int64, shape (n_levels, n_samples, n_tasks)
        The same among the training topics of each task.
    n_judged, n_relevant : ndarray of int64, shape (n_levels, n_samples)
        Documents judged, and relevant ones among them, over all topics.
    variances : ndarray of float64, shape (n_levels, n_samples, n_measures)
        Within-system variance over the topics with a relevant document left; NaN for fewer than 2.
    slope_parts : ndarray of float64, shape (n_levels, n_samples, n_measures, 2)
        Over runs: covariance of their means by these and by all judgments, and the variance of the
        latter, both on the topics with a relevant document left; 0 for fewer than 2 of these.
    mean_scores : ndarray of float64, shape (n_levels, n_samples, n_measures, 3)
        Over all runs: mean over all topics, over those with a relevant document left, and over these
        by all judgments.
    """

    means: Floats
    chosen: Ints
    n_tied: Ints
    n_lost: Ints
    n_lost_training: Ints
    n_judged: Ints
    n_relevant: Ints
    variances: Floats
    slope_parts: Floats
    mean_scores: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingSensitivity:
    """The whole experiment.

    Parameters
    ----------
    request : Request
        What was asked.
    collection : str
        Name of the judgments.
    settings : Settings
        Of the runs, in the order of the last axis of all arrays.
    tasks : tuple of Task
        What was trained and tested on.
    topics : tuple of str
        Topics of all tasks, those that count.
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
    said : tuple of str
        What is to be known, in sentences.
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
    said: tuple[str, ...]

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
        return tuple(self._rows(task.test) for task in self.tasks)

    @cached_property
    def test_means(self) -> Floats:
        """Mean over the test topics by all judgments, (n_tasks, n_measures, n_systems)."""
        return np.stack([self.scores[:, rows].mean(axis=1) for rows in self.test_rows])

    @cached_property
    def effectiveness(self) -> Floats:
        """X(Y): mean by X on the test topics of the setting that Y chose.

        Shape (n_levels, n_samples, n_tasks, X, Y), measures in order.
        """
        return self._effectiveness(self.trained.chosen)

    @cached_property
    def complete_effectiveness(self) -> Floats:
        """X(Y) with all judgments, (n_tasks, X, Y)."""
        found: Floats = self._effectiveness(self.complete.chosen)[0, 0]
        return found

    def complete_means(self, evaluated_by: str) -> dict[str, float]:
        """Return X(Y) with all judgments, mean of the tasks, for each Y."""
        of_measure = self.complete_effectiveness[:, self.measures.index(evaluated_by)].mean(axis=0)
        return dict(zip(self.measures, of_measure.tolist(), strict=True))

    def _effectiveness(self, chosen: Ints) -> Floats:
        tasks = np.arange(len(self.tasks))[:, None, None]
        by = np.arange(len(self.measures))[:, None]
        found: Floats = self.test_means[tasks, by, chosen[..., None, :]]
        return found

    def _rows(self, topics: tuple[str, ...]) -> Ints:
        places = {topic: row for row, topic in enumerate(self.topics)}
        return np.array([places[topic] for topic in topics], dtype=np.int64)
