"""Judgments removed at random: as many percent of the relevant as of the others.

He, Macdonald and Ounis (section 5.1) "randomly remove (100 - x) percent of relevant and non-relevant
documents from the complete pool". Here exactly x percent of all relevant documents, halves rounded up, stay judged,
and the same percentage of the others, over all topics; so a topic may be left without a relevant document. They
are drawn from the topics of all tasks together: one sample is trained on both ways, and by every split. Each
training set has x percent on average, and tests never see the sample.

Removed judgments stay in the pool as not judged (grade -1), so that infAP can use the sampled pool;
it makes no difference to AP, bpref and nDCG.

Each pair of level and sample has a stream of random numbers of its own,
``SeedSequence(seed, spawn_key=(level in millionths of a percent, sample))``.

A `Scorer` scores the sweep under a sample: four measures at once, others one by one.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.judged_runs import REMOVED, Grades, JudgedRuns
from topicset_core.collection.qrels import Qrels
from topicset_core.measures import GradedRuns, Measure
from topicset_core.measures.binary import AP, BPref, InfAP
from topicset_core.measures.conventions import Gains, gains_of
from topicset_core.measures.graded import NDCG

NOT_JUDGED = np.int16(-1)


@dataclass(frozen=True, eq=False)
class Sampler:
    """Judgments of the topics that count, ready to be drawn from."""

    qrels: Qrels
    topics: NDArray[np.int64]
    relevance_level: int  # lowest relevant grade
    seed: int
    # Whether one relevant document of each topic stays judged, drawn at random, if the sample leaves no
    # relevant document
    keep_one: bool

    def sample(self, level: float, number: int) -> Grades:
        """Return the grades of one sample."""
        rng = stream(self.seed, level, number)
        own = self.qrels.grades
        grades = own.copy()
        for documents in self.documents:
            removed = documents.size - int(documents.size * level / 100 + 0.5)
            grades[rng.choice(documents, removed, replace=False, shuffle=False)] = NOT_JUDGED
        if self.keep_one:
            self._keep_one(grades, rng)
        return grades

    @cached_property
    def documents(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The documents of the topics that count: the relevant ones, and those judged not relevant."""
        grades, counted = self.qrels.grades, np.isin(self.qrels.topic_of, self.topics)
        is_relevant = grades >= self.relevance_level
        return np.flatnonzero(counted & is_relevant), np.flatnonzero(counted & (grades >= 0) & ~is_relevant)

    def _keep_one(self, grades: Grades, rng: np.random.Generator) -> None:
        """Give one relevant document back to each topic that has lost all of its."""
        relevant = self.documents[0]
        topic_of = self.qrels.topic_of[relevant]
        starts = np.searchsorted(topic_of, self.topics)
        ends = np.searchsorted(topic_of, self.topics, side="right")
        # Drawn for every topic, so that one topic's luck does not move another's.
        chosen = relevant[
            np.minimum(starts + (rng.random(starts.size) * (ends - starts)).astype(np.int64), ends - 1)
        ]
        kept = np.bincount(topic_of, grades[relevant] >= self.relevance_level, self.qrels.n_topics)
        back = chosen[kept[self.topics] == 0]
        grades[back] = self.qrels.grades[back]


def stream(seed: int, level: float, *key: int) -> np.random.Generator:
    """Return the random numbers of a level, independent of the other levels."""
    sequence = np.random.SeedSequence(seed, spawn_key=(round(level * 1e6), *key))
    return np.random.Generator(np.random.PCG64(sequence))


Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scorer:
    """Runs joined with judgments, the topics that count, and measures."""

    runs: JudgedRuns
    topics: NDArray[np.int64]  # (n_topics,): topics that count, as indices into the topics of the qrels
    measures: tuple[Measure, ...]
    relevance_level: int  # lowest relevant grade, of all measures that have one
    gains: Gains

    def scores(self, grades: Grades) -> Floats:
        """Return the score of each measure, topic and run, (n_measures, n_topics, n_systems)."""
        places = self._places
        result = np.empty((len(self.measures), self.topics.size, self.runs.n_systems))
        if any(place is not None for place in places):
            joint = self._joint(grades)
            for row, place in enumerate(places):
                if place is not None:
                    result[row] = joint[place]
        rest = [row for row, place in enumerate(places) if place is None]
        if rest:
            graded = GradedRuns(self.runs, grades)
            for row in rest:
                result[row] = self.measures[row].scores_of(graded)[self.topics]
        return result

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
        # The divisor of AP is the same for whole runs under any convention.
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
