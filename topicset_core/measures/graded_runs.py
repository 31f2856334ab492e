"""Judged runs with one set of grades, and the steps that several measures share.

A measure sums something over the relevant documents of each cell (one topic, one run), in rank order,
and divides by a value that the topic alone determines: its number of relevant documents, or the score of an
ideal list. Both sides are arrays over all topics and runs at once. Sums run in rank order as
trec_eval's do, so that they agree with it to the last bits.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.judged_runs import REMOVED, Grades, JudgedRuns
from topicset_core.collection.qrels import Intents
from topicset_core.errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RankedDocuments:
    """Relevant documents of many lists, list after list and best rank first."""

    lists: Ints  # (n_documents,): number of the list of each document: a cell, or a topic for ideal lists
    ranks: Ints  # (n_documents,): from 1
    nth: Ints  # (n_documents,): 1 for the first relevant document of its list, 2 for the second
    grades: Grades  # (n_documents,): at least the relevance level
    starts: Ints  # (n_lists + 1,): list i has the documents `starts[i]` up to `starts[i + 1]`
    entries: Ints  # (n_documents,): place of each among the entries of the judged runs

    @property
    def n_lists(self) -> int:
        """Number of lists, including lists without documents."""
        return self.starts.size - 1

    def sums(self, values: NDArray[Any], depth: int | None = None) -> Floats:
        """Return for each list the sum of values, one per document, down to a depth."""
        seen = slice(None) if depth is None else self.ranks <= depth
        # Weighted counts are floats already; the type of bincount does not declare it.
        return np.bincount(self.lists[seen], values[seen], self.n_lists).astype(np.float64, copy=False)

    def running_sums(self, values: Ints) -> Ints:
        """Return for each document the sum of values, whole numbers, from the top of its list down to itself."""
        before = np.concatenate([[0], np.cumsum(values)])
        sums: Ints = before[1:] - before[self.starts[self.lists]]
        return sums


def ranked(
    lists: Ints,  # (n_documents,)
    n_lists: int,
    grades: Grades,  # (n_documents,)
    *,
    ranks: NDArray[np.int32] | None = None,  # (n_documents,)
    entries: Ints | None = None,  # (n_documents,)
) -> RankedDocuments:
    """Return documents list by list, in their order; without ranks they follow each other."""
    starts = np.concatenate([[0], np.cumsum(np.bincount(lists, minlength=n_lists))])
    places = np.arange(lists.size)
    nth = places - starts[lists] + 1
    return RankedDocuments(
        lists=lists,
        ranks=nth if ranks is None else ranks.astype(np.int64),
        nth=nth,
        grades=grades,
        starts=starts,
        entries=places if entries is None else entries,
    )


ROUNDING = 1e-12
"""Gains that differ by this share are equal: rounding of sums, and not a better document."""


class IntentLists(NamedTuple):
    """Relevant documents of each run for each intent, and the pair of document and intent of each."""

    documents: RankedDocuments
    pairs: Ints


class ByIntent:
    """Documents and intents that they are relevant to, of the judgments in use."""

    def __init__(self, judged_runs: JudgedRuns, grades: Grades, intents: Intents) -> None:
        used = grades[intents.judgments] > 0
        self._runs, self._names = judged_runs, intents
        self.judgments = intents.judgments[used]
        """Judgment of each pair of a document and an intent, ascending."""
        self.intents = intents.intents[used]
        """Intent of each pair."""
        self.grades = intents.grades[used]
        """Grade of each pair."""
        self._lists: dict[tuple[int, int], IntentLists] = {}

    def lists(self, relevance_level: int, depth: int) -> IntentLists:
        """Return documents of each cell that are relevant to an intent, as list ``system * n_intents + intent``."""
        key = relevance_level, depth
        if key not in self._lists:
            runs = self._runs
            at_level = np.flatnonzero(self.grades >= relevance_level)
            counts = np.bincount(self.judgments[at_level], minlength=runs.qrels.grades.size)
            first = np.concatenate([[0], np.cumsum(counts)])
            entries = np.flatnonzero(runs.ranks <= depth)
            judgments = runs.judgments[entries]
            counts = counts[judgments]
            # An entry for each intent of its document, one after the other.
            nth = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
            pairs = at_level[np.repeat(first[judgments], counts) + nth]
            entries = np.repeat(entries, counts)
            n_intents = len(self._names.names)
            lists = runs.cells[entries] % runs.n_systems * np.int64(n_intents) + self.intents[pairs]
            order = np.argsort(lists, kind="stable")
            pairs, entries = pairs[order], entries[order]
            self._lists[key] = IntentLists(
                ranked(
                    lists[order],
                    runs.n_systems * n_intents,
                    self.grades[pairs],
                    ranks=runs.ranks[entries],
                    entries=entries,
                ),
                pairs,
            )
        return self._lists[key]

    def of_cells(self, lists: IntentLists, values: Floats) -> Floats:
        """Return for each cell the sum of values, one per document of its lists."""
        cells = self._runs.cells[lists.documents.entries]
        return np.bincount(cells, values, self._runs.n_cells).astype(np.float64, copy=False)

    def n_intents(self, relevance_level: int) -> Ints:
        """Return for each topic the intents to which some document is relevant."""
        result = np.unique(self.intents[self.grades >= relevance_level])
        return np.bincount(self._names.topic_of[result], minlength=self._runs.n_topics)

    @property
    def probabilities(self) -> Floats:
        """P(i|q) of each intent: as given, or the same for all of a topic that have a document in use."""
        if self._names.probabilities is not None:
            return self._names.probabilities
        each: Floats = (1 / np.maximum(self.n_intents(1), 1))[self._names.topic_of]
        return each

    def global_gains(self, gains: NDArray[np.int64]) -> Floats:
        """Return the global gain of each judgment: the sum over intents of P(i|q) g_i."""
        weighted = self.probabilities[self.intents] * gains
        return np.bincount(self.judgments, weighted, self._runs.qrels.grades.size).astype(np.float64)

    def greedy_values(self, relevance_level: int, gains: Floats, left: Floats, discounts: Floats) -> Floats:
        """Return the value of each topic's greedy ideal list, of equal gains the last id first, as in ndeval."""
        pairs = np.flatnonzero(self.grades >= relevance_level)
        place = np.full(self._runs.qrels.grades.size, -1)
        by_id = self._runs.qrels.relevant_by_id
        candidates = by_id[np.isin(by_id, self.judgments[pairs])]
        place[candidates] = np.arange(candidates.size)
        # Pairs are sorted by judgment, so the intents of a document follow each other in their order.
        document, intent = place[self.judgments[pairs]], self.intents[pairs]
        gains, left = gains[pairs], left[pairs]
        topics, begins, counts = np.unique(
            self._runs.qrels.topic_of[candidates], return_index=True, return_counts=True
        )
        of_document = np.repeat(np.arange(topics.size), counts)
        remaining = np.ones(len(self._names.names))
        taken = np.zeros(candidates.size, dtype=np.bool_)
        values = np.zeros(self._runs.n_topics)
        for discount in discounts[: counts.max(initial=0)]:
            gain = np.bincount(document, gains * remaining[intent], candidates.size)
            gain[taken] = 0.0
            best = np.maximum.reduceat(gain, begins)
            equal = np.flatnonzero(gain >= (best * (1 - ROUNDING))[of_document])
            chosen = equal[np.diff(of_document[equal], prepend=-1) > 0]
            values[topics] += best * discount
            taken[chosen] = True
            here = np.zeros(candidates.size, dtype=np.bool_)
            here[chosen] = True
            served = here[document]
            remaining[intent[served]] *= left[served]
        return values


class GradedRuns:
    """Judged runs, seen with some grades; computed values are kept for the next measure.

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
                "grades", self.grades.shape, f"must be {own.size} integers of 16 bits, one per judgment"
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
        return self._above(self.at >= 0, relevance_level)

    def pooled_above(self, relevance_level: int) -> Ints:
        """Return for each relevant document how many pooled ones its cell has above it, judged or not."""
        return self._above(self.at != REMOVED, relevance_level)

    @cached_property
    def by_intent(self) -> ByIntent | None:
        """Return the same judgments intent by intent; None where they have no intents."""
        intents = self.judged_runs.qrels.intents
        return None if intents is None else ByIntent(self.judged_runs, self.grades, intents)

    def _above(self, counted: NDArray[np.bool_], relevance_level: int) -> Ints:
        """Return for each relevant document how many of the counted entries its cell has above it."""
        # 32 bits, as entries are numbered with: half the memory that is written and read.
        running = np.zeros(counted.size + 1, dtype=np.int32)
        np.cumsum(counted, out=running[1:])
        relevant = self.relevant(relevance_level)
        above = running[relevant.entries] - running[self.judged_runs.starts[relevant.lists]]
        return above.astype(np.int64)

    def per_cell(self, values: Floats) -> Floats:
        """Return values of cells as a table, (n_topics, n_systems)."""
        return values.reshape(self.judged_runs.n_topics, self.judged_runs.n_systems)

    def ratio(self, of_cells: Floats, of_topics: NDArray[Any]) -> Floats:
        """Return values of cells over the values of their topics; 0 where the topic's is 0."""
        table, divisors = self.per_cell(of_cells), of_topics[:, None]
        scores: Floats = np.divide(table, divisors, out=np.zeros(table.shape), where=divisors > 0)
        return scores
