"""Judged runs seen intent by intent, and the steps that measures of diversity share."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.intents import Intents
from topicset_core.collection.judged_runs import Grades, JudgedRuns
from topicset_core.measures.ranked_documents import Floats, Ints, RankedDocuments, ranked

ROUNDING = 1e-12
"""Gains that differ by this share are equal: rounding of sums, and not a better document."""


class IntentLists(NamedTuple):
    """Relevant documents of each run for each intent, and the pair of document and intent of each."""

    documents: RankedDocuments
    pairs: Ints


class ByIntent:
    """Documents and intents that they are relevant to, of the judgments in use.

    Parameters
    ----------
    judged_runs : JudgedRuns
        Ranks of judged documents.
    grades : ndarray of int16, shape (n_judgments,)
        Grades in use. Where one is not above 0 the document is relevant to no intent: a document that is
        taken out of a pool is unjudged for all of them.
    intents : Intents
        Those of the qrels.
    """

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
        """Return for each intent of each cell the relevant documents among its first ones.

        List ``system * n_intents + intent`` has those of one run that are relevant to one intent; a
        document relevant to two intents stands in two lists.
        """
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
        """Return for each cell the sum of values, one a document of its lists."""
        cells = self._runs.cells[lists.documents.entries]
        return np.bincount(cells, values, self._runs.n_cells).astype(np.float64, copy=False)

    def n_intents(self, relevance_level: int) -> Ints:
        """Return for each topic the intents to which some document is relevant."""
        found = np.unique(self.intents[self.grades >= relevance_level])
        return np.bincount(self._names.topic_of[found], minlength=self._runs.n_topics)

    @property
    def probabilities(self) -> Floats:
        """P(i|q) of each intent: as given, or the same for all of a topic that have a document in use."""
        if self._names.probabilities is not None:
            return self._names.probabilities
        each: Floats = (1 / np.maximum(self.n_intents(1), 1))[self._names.topic_of]
        return each

    def global_gains(self, gains: NDArray[np.int64]) -> Floats:
        """Return the global gain of each judgment: the sum over intents of P(i|q) g_i.

        Parameters
        ----------
        gains : ndarray of int64, shape (n_pairs,)
            Gain of each pair.
        """
        weighted = self.probabilities[self.intents] * gains
        return np.bincount(self.judgments, weighted, self._runs.qrels.grades.size).astype(np.float64)

    def greedy_values(self, relevance_level: int, gains: Floats, left: Floats, discounts: Floats) -> Floats:
        """Return the value of an ideal list of each topic, found greedily.

        At each rank stands the document with the largest gain, given those above it; where gains are
        equal the one with the last id, as in ndeval. The best list of all is NP-hard to find (Clarke
        et al. 2008), and a run may come out above a greedy one.

        Parameters
        ----------
        relevance_level : int
            Lowest grade of pairs that count.
        gains : ndarray of float64, shape (n_pairs,)
            What each pair adds where no document above is relevant to its intent.
        left : ndarray of float64, shape (n_pairs,)
            Share of an intent's gain that is left below the document of the pair.
        discounts : ndarray of float64, shape (depth,)
            What a gain at rank 1, 2, and so on is multiplied by.
        """
        pairs = np.flatnonzero(self.grades >= relevance_level)
        place = np.full(self._runs.qrels.grades.size, -1)
        by_id = self._runs.qrels.relevant_by_id
        candidates = by_id[np.isin(by_id, self.judgments[pairs])]
        place[candidates] = np.arange(candidates.size)
        # Pairs stand by judgment, so the intents of a document follow each other in their order.
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
