"""What is kept of one sample of judgments: a few means and variances, what was chosen, and not its scores."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from topicset_core.analyses.training_sensitivity.chooser import Chooser
from topicset_core.analyses.training_sensitivity.result import Floats, Ints
from topicset_core.analyses.training_sensitivity.scoring import Scorer, within_system_variances
from topicset_core.collection.judged_runs import Grades


class Summary(NamedTuple):
    """One sample; each field as `Trained` describes it, without levels and samples."""

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


@dataclass(frozen=True, eq=False)
class Summariser:
    """Scores judgments, trains on them, and sums the scores up.

    Parameters
    ----------
    scorer : Scorer
        Of the sweep.
    complete : ndarray of float64, shape (n_measures, n_topics, n_systems)
        Scores by all judgments.
    training_rows : tuple of ndarray of int64
        Training topics of each task, as rows of the scores.
    chooser : Chooser
        Chooses by the scores.
    """

    scorer: Scorer
    complete: Floats
    training_rows: tuple[Ints, ...]
    chooser: Chooser

    def of(self, grades: Grades, level: float, number: int) -> Summary:
        """Return what is kept of the judgments of one sample of a level."""
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
            one.mean(axis=1) if n_kept else np.zeros((n_measures, n_systems)) for one in (kept, complete)
        )
        centred = true_means - true_means.mean(axis=1, keepdims=True)
        slope_parts = np.stack([(centred * run_means).mean(axis=1), (centred**2).mean(axis=1)], axis=1)
        means = np.stack([scores[:, rows].mean(axis=1) for rows in self.training_rows])
        chosen, n_tied = self.chooser.choose(means, level, number)
        return Summary(
            means=means,
            chosen=chosen,
            n_tied=n_tied,
            n_lost=np.array(lost.sum()),
            n_lost_training=np.array([lost[rows].sum() for rows in self.training_rows]),
            n_judged=np.array(counts[0].sum()),
            n_relevant=np.array(counts[1].sum()),
            variances=within_system_variances(kept) if n_kept >= 2 else np.full(n_measures, np.nan),
            slope_parts=slope_parts if n_kept >= 2 else np.zeros_like(slope_parts),
            mean_scores=np.stack(
                [scores.mean(axis=(1, 2)), run_means.mean(axis=1), true_means.mean(axis=1)], axis=1
            ),
        )
