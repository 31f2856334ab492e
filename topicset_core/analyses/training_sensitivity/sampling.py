"""Judgments removed at random: as many percent of the relevant as of the others.

He, Macdonald and Ounis (section 5.1) "randomly remove (100 - x) percent of relevant and non-relevant
documents from the complete pool". Here exactly x percent, rounded, of all relevant documents stay judged, and
as many percent of the others, whatever their topics; so a topic may be left without a relevant document. They
are drawn from the topics of all tasks together: one sample is trained on both ways, and by every split. Each
training set has x percent on average, and tests never see the sample.

What is removed stays in the pool as not judged (grade -1), so that infAP knows what the sample was drawn from;
it makes no difference to AP, bpref and nDCG.

Each pair of level and sample has a stream of random numbers of its own,
``SeedSequence(seed, spawn_key=(level in millionths of a percent, sample))``.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.judged_runs import Grades
from topicset_core.collection.qrels import Qrels

NOT_JUDGED = np.int16(-1)


@dataclass(frozen=True, eq=False)
class Sampler:
    """Judgments of the topics that count, ready to be drawn from.

    Parameters
    ----------
    qrels : Qrels
        All judgments.
    topics : ndarray of int64
        Topics that count; judgments of others are never looked at and stay as they are.
    relevance_level : int
        Lowest relevant grade.
    seed : int
        Of all samples.
    keep_one : bool
        Whether one relevant document of each topic stays judged, drawn at random, where the sample
        leaves none.
    """

    qrels: Qrels
    topics: NDArray[np.int64]
    relevance_level: int
    seed: int
    keep_one: bool

    def sample(self, level: float, number: int) -> Grades:
        """Return the grades of one sample.

        Parameters
        ----------
        level : float
            Percent of the judgments that stay.
        number : int
            Of the sample at this level, from 0.
        """
        rng = stream(self.seed, level, number)
        own = self.qrels.grades
        grades = own.copy()
        for documents in (self.relevant, self.others):
            removed = documents.size - n_kept(documents.size, level)
            grades[rng.choice(documents, removed, replace=False, shuffle=False)] = NOT_JUDGED
        if self.keep_one:
            self._keep_one(grades, rng)
        return grades

    @cached_property
    def relevant(self) -> NDArray[np.int64]:
        """The relevant documents of the topics that count."""
        counted = np.isin(self.qrels.topic_of, self.topics)
        return np.flatnonzero(counted & (self.qrels.grades >= self.relevance_level))

    @cached_property
    def others(self) -> NDArray[np.int64]:
        """The documents judged not relevant."""
        own = self.qrels.grades
        counted = np.isin(self.qrels.topic_of, self.topics)
        return np.flatnonzero(counted & (own >= 0) & (own < self.relevance_level))

    def _keep_one(self, grades: Grades, rng: np.random.Generator) -> None:
        """Give one relevant document back to each topic that has lost all of its."""
        relevant = self.relevant
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


def n_kept(n_documents: int, level: float) -> int:
    """Return how many of these stay judged, halves rounded up."""
    return int(n_documents * level / 100 + 0.5)


def stream(seed: int, level: float, *key: int) -> np.random.Generator:
    """Return the random numbers of a level, whatever other levels there are."""
    sequence = np.random.SeedSequence(seed, spawn_key=(round(level * 1e6), *key))
    return np.random.Generator(np.random.PCG64(sequence))
