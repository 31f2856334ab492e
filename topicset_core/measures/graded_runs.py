"""Judged runs with one set of grades, and the steps that several measures share.

A measure sums something over the relevant documents of each cell (one topic, one run), in rank order,
and divides by what the topic alone determines: its number of relevant documents, or the score of an
ideal list. Both sides are arrays over all topics and runs at once. Sums run in rank order as
trec_eval's do, so that they agree with it to the last bits.
"""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.judged_runs import REMOVED, Grades, JudgedRuns
from topicset_core.errors import InputError
from topicset_core.measures.by_intent import ByIntent
from topicset_core.measures.ranked_documents import Floats, Ints, RankedDocuments, ranked


class GradedRuns:
    """Judged runs, seen with some grades; what is computed is kept for the next measure.

    Parameters
    ----------
    judged_runs : JudgedRuns
        Ranks of judged documents.
    grades : ndarray of int16, shape (n_judgments,), optional
        In place of the qrels' own: negative for pooled but not judged, `REMOVED` for not in the qrels.

    Raises
    ------
    InputError
        If there are not as many grades as judgments, or they are no 16-bit integers.
    """

    def __init__(self, judged_runs: JudgedRuns, grades: Grades | None = None) -> None:
        own = judged_runs.qrels.grades
        self.judged_runs = judged_runs
        self.grades = own if grades is None else grades
        if self.grades.shape != own.shape or self.grades.dtype != np.int16:
            raise InputError(
                "grades", self.grades.shape, f"must be {own.size} integers of 16 bits, one a judgment"
            )
        self.at = self.grades[judged_runs.judgments]
        """Grade of each entry."""
        self._relevant: dict[int, RankedDocuments] = {}
        self._ideal: dict[int, RankedDocuments] = {}

    def relevant(self, relevance_level: int) -> RankedDocuments:
        """Return the relevant documents that each cell has."""
        if relevance_level not in self._relevant:
            runs = self.judged_runs
            entries = np.flatnonzero(self.at >= relevance_level)
            lists = runs.cells[entries].astype(np.int64)
            self._relevant[relevance_level] = ranked(
                lists, runs.n_cells, self.at[entries], ranks=runs.ranks[entries], entries=entries
            )
        return self._relevant[relevance_level]

    def judged(self) -> RankedDocuments:
        """Return the judged documents that each cell has, relevant or not."""
        return self.relevant(0)

    def ideal(self, relevance_level: int) -> RankedDocuments:
        """Return the ideal list of each topic: all its relevant documents, highest grades first."""
        if relevance_level not in self._ideal:
            judgments = np.flatnonzero(self.grades >= relevance_level)
            # Topic and falling grade as one number: 16 bits are enough for a grade above 0.
            topics = self.judged_runs.qrels.topic_of[judgments].astype(np.int64)
            order = np.sort((topics << 16) + 0xFFFF - self.grades[judgments])
            grades = (0xFFFF - (order & 0xFFFF)).astype(np.int16)
            self._ideal[relevance_level] = ranked(order >> 16, self.judged_runs.n_topics, grades)
        return self._ideal[relevance_level]

    def n_relevant(self, relevance_level: int) -> Ints:
        """Return the relevant documents of each topic, R."""
        return np.diff(self.ideal(relevance_level).starts)

    def n_not_relevant(self, relevance_level: int) -> Ints:
        """Return the documents of each topic that were judged and are not relevant."""
        counted = (self.grades >= 0) & (self.grades < relevance_level)
        topics = self.judged_runs.qrels.topic_of[counted]
        return np.bincount(topics, minlength=self.judged_runs.n_topics)

    def judged_above(self, relevance_level: int) -> Ints:
        """Return for each relevant document how many judged ones its cell has above it."""
        return self._above(self._n_judged, relevance_level)

    def pooled_above(self, relevance_level: int) -> Ints:
        """Return for each relevant document how many pooled ones its cell has above it, judged or not."""
        return self._above(self._n_pooled, relevance_level)

    @cached_property
    def by_intent(self) -> ByIntent | None:
        """Return the same judgments intent by intent; None where they were not made so."""
        intents = self.judged_runs.qrels.intents
        return None if intents is None else ByIntent(self.judged_runs, self.grades, intents)

    @cached_property
    def _n_judged(self) -> NDArray[np.int32]:
        return _running_count(self.at >= 0)

    @cached_property
    def _n_pooled(self) -> NDArray[np.int32]:
        return _running_count(self.at != REMOVED)

    def _above(self, running: NDArray[np.int32], relevance_level: int) -> Ints:
        relevant = self.relevant(relevance_level)
        above = running[relevant.entries] - running[self.judged_runs.starts[relevant.lists]]
        return above.astype(np.int64)

    def per_cell(self, values: Floats) -> Floats:
        """Return values of cells as a table, (n_topics, n_systems)."""
        return values.reshape(self.judged_runs.n_topics, self.judged_runs.n_systems)

    def ratio(self, of_cells: Floats, of_topics: NDArray[Any]) -> Floats:
        """Return values of cells over those of their topics; 0 where the topic's is 0."""
        table, divisors = self.per_cell(of_cells), of_topics[:, None]
        scores: Floats = np.divide(table, divisors, out=np.zeros(table.shape), where=divisors > 0)
        return scores


def _running_count(counted: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return how many entries before each one, and in all, are counted."""
    # 32 bits, as entries are numbered with: half the memory that is written and read.
    running = np.zeros(counted.size + 1, dtype=np.int32)
    np.cumsum(counted, out=running[1:])
    return running
