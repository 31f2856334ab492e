"""One collection, scored by all its judgments and by those of shallower pools."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.pool_depth.depth_grades import grades_at
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.judged_runs import Grades, JudgedRuns
from topicset_core.errors import InputError
from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.measure import Measure

LostTopics = Literal["zero", "drop"]
"""What becomes of topics without a relevant document in the pool."""


@dataclass(frozen=True, eq=False)
class AtDepth:
    """One collection at one depth.

    Parameters
    ----------
    matrices : dict of str to ScoreMatrix or None
        Scores by measure; None where fewer than two topics are left.
    means : dict of str to ndarray of float64, shape (n_systems,)
        Mean scores by measure.
    n_judged, n_relevant : int
        Documents of the pool that are judged, and that are relevant.
    n_lost : int
        Topics that have relevant documents, but none in the pool.
    """

    matrices: dict[str, ScoreMatrix | None]
    means: dict[str, NDArray[np.float64]]
    n_judged: int
    n_lost: int
    n_relevant: int


class ScoredCollection:
    """One collection, with its scores by all judgments.

    Topics that no run has are left out: nothing of theirs can be pooled, so that they would only dilute
    the documents a topic and add rows of equal scores.

    Parameters
    ----------
    runs : JudgedRuns
        Runs and judgments.
    measures : sequence of Measure
        What is measured.
    level : int
        Lowest relevant grade.
    lost_topics : {"zero", "drop"}
        What becomes of topics without a relevant document.

    Raises
    ------
    InputError
        If no grade reaches the relevance level.
    """

    def __init__(
        self, runs: JudgedRuns, measures: Sequence[Measure], level: int, lost_topics: LostTopics
    ) -> None:
        self.runs, self._measures, self._level, self._lost_topics = runs, measures, level, lost_topics
        largest = int(runs.qrels.grades.max())
        if level > largest:
            rule = f"must be at most {largest}, the largest grade in the qrels {runs.qrels.name!r}"
            raise InputError("relevance_level", level, rule)
        self._returned: NDArray[np.bool_] = runs.n_retrieved.max(axis=1) > 0
        self._had = self._n_relevant(GradedRuns(runs))
        self.full = self._score(runs.qrels.grades)

    @property
    def n_topics(self) -> int:
        """Topics that some run has."""
        return int(self._returned.sum())

    def at(self, depth: int) -> AtDepth:
        """Score the runs by the judgments of a pool of this depth."""
        return self._score(grades_at(self.runs, depth))

    def _n_relevant(self, graded: GradedRuns) -> NDArray[np.int64]:
        """Return the relevant documents of each topic, 0 for those that no run has."""
        relevant: NDArray[np.int64] = graded.n_relevant(self._level) * self._returned
        return relevant

    def _score(self, grades: Grades) -> AtDepth:
        graded = GradedRuns(self.runs, grades)
        relevant = self._n_relevant(graded)
        kept: NDArray[np.bool_] = relevant > 0 if self._lost_topics == "drop" else self._returned
        matrices: dict[str, ScoreMatrix | None] = {}
        means: dict[str, NDArray[np.float64]] = {}
        for measure in self._measures:
            scores = measure.scores_of(graded)[kept]
            means[measure.name] = scores.mean(axis=0) if kept.any() else np.zeros(self.runs.n_systems)
            matrices[measure.name] = self._matrix(measure.name, scores, kept) if kept.sum() > 1 else None
        return AtDepth(
            matrices=matrices,
            means=means,
            n_judged=int((grades >= 0).sum()),
            n_lost=int(((relevant == 0) & (self._had > 0)).sum()),
            n_relevant=int(relevant.sum()),
        )

    def _matrix(self, measure: str, scores: NDArray[np.float64], kept: NDArray[np.bool_]) -> ScoreMatrix:
        topics = tuple(topic for topic, keep in zip(self.runs.topics, kept, strict=True) if keep)
        return ScoreMatrix(
            scores=scores,
            topics=topics,
            systems=self.runs.systems,
            measure=measure,
            name=self.runs.qrels.name,
        )
