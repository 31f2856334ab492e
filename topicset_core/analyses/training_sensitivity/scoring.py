"""Scores of a sweep under any judgments of its documents: four measures at once, others one by one."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.judged_runs import REMOVED, Grades, JudgedRuns
from topicset_core.measures import AP, NDCG, BPref, GradedRuns, InfAP, Measure
from topicset_core.measures.gains import Gains, gains_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scorer:
    """Runs joined with judgments, the topics that count, and measures.

    Parameters
    ----------
    runs : JudgedRuns
        The sweep.
    topics : ndarray of int64, shape (n_topics,)
        Topics that count, as indices into those of the qrels.
    measures : tuple of Measure
        What to score by.
    relevance_level : int
        Lowest relevant grade, of all measures that have one.
    gains : {"linear", "exponential"}
        Of nDCG.
    """

    runs: JudgedRuns
    topics: NDArray[np.int64]
    measures: tuple[Measure, ...]
    relevance_level: int
    gains: Gains

    def scores(self, grades: Grades) -> Floats:
        """Return the score of each measure, topic and run, (n_measures, n_topics, n_systems).

        Parameters
        ----------
        grades : ndarray of int16, shape (n_judgments,)
            In place of the qrels' own.
        """
        places = self._places
        found = np.empty((len(self.measures), self.topics.size, self.runs.n_systems))
        if any(place is not None for place in places):
            joint = self._joint(grades)
            for row, place in enumerate(places):
                if place is not None:
                    found[row] = joint[place]
        rest = [row for row, place in enumerate(places) if place is None]
        if rest:
            graded = GradedRuns(self.runs, grades)
            for row in rest:
                found[row] = self.measures[row].scores_of(graded)[self.topics]
        return found

    @property
    def seconds(self) -> float:
        """About how long one call takes, on a core of 2026; only sizes batches."""
        slow = sum(place is None for place in self._places)
        fast = 7e-9 * self.runs.ranks.size + 15e-9 * self.runs.qrels.grades.size
        return fast + slow * 60e-9 * self.runs.ranks.size + 2e-4

    @cached_property
    def _places(self) -> tuple[int | None, ...]:
        """Where the compiled kernel puts each measure; None for those it does not know."""
        from topicset_core.analyses.training_sensitivity import kernels

        level = self.relevance_level
        known: dict[Measure, int] = {
            AP(relevance_level=level): kernels.AP,
            BPref(relevance_level=level): kernels.BPREF,
            InfAP(relevance_level=level): kernels.INFAP,
            NDCG(gains=self.gains): kernels.NDCG,
        }
        # What AP is divided by is the same for whole runs, whatever it is called.
        return tuple(known.get(_whole(measure)) for measure in self.measures)

    def _joint(self, grades: Grades) -> Floats:
        from topicset_core.analyses.training_sensitivity import kernels

        scores = np.empty((kernels.N_MEASURES, self.topics.size, self.runs.n_systems))
        kernels.score_runs(
            self.topics,
            self.runs.starts,
            self.runs.ranks,
            self.runs.judgments,
            self.runs.qrels.starts,
            grades,
            self.relevance_level,
            self._gains,
            self._logs,
            REMOVED,
            scores,
        )
        return scores

    @cached_property
    def _gains(self) -> Floats:
        largest = max(int(self.runs.qrels.grades.max()), 0)
        return gains_of(np.arange(largest + 1, dtype=np.int16), self.gains).astype(np.float64)

    @cached_property
    def _logs(self) -> Floats:
        deepest = max(int(self.runs.ranks.max(initial=1)), int(np.diff(self.runs.qrels.starts).max()))
        logs: Floats = np.log2(np.arange(deepest + 1) + 1.0)
        return logs


def _whole(measure: Measure) -> Measure:
    if isinstance(measure, AP) and measure.depth is None:
        return AP(relevance_level=measure.relevance_level)
    return measure


def within_system_variances(scores: Floats) -> Floats:
    """Return the within-system variance of each measure (Sakai 2016, Eq. 36).

    Parameters
    ----------
    scores : ndarray of float64, shape (n_measures, n_topics, n_systems)
        At least 2 topics.
    """
    variances: Floats = scores.var(axis=1, ddof=1).mean(axis=1)
    return variances
