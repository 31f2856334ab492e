"""I-rec, D-nDCG and D#-nDCG, which is both in one, so that relevance and coverage of intents count.

    GG(r) = sum_i P(i|q) g_i(r)
    D#-nDCG@k = gamma I-rec@k + (1 - gamma) D-nDCG@k

The global gain GG of a document is the sum of its gains for all intents, weighted by their probabilities; the
ideal list of D-nDCG has the judged documents in falling order of it. I-rec is the share of a topic's intents
that the first k documents serve, also called subtopic recall (ndeval's strec). Intents without a relevant
document are not counted: ndeval counts those that have one, and NTCIREVAL (version 190111) divides by the
number of files of relevant documents, one per intent, and asks that each intent has some.

References
----------
C. X. Zhai, W. W. Cohen, J. Lafferty. Beyond independent relevance: methods and evaluation metrics for
subtopic retrieval. SIGIR 2003, 10-17. doi:10.1145/860435.860440
T. Sakai, R. Song. Evaluating diversified search results using per-intent graded relevance. SIGIR 2011,
1043-1052. doi:10.1145/2009916.2010055
"""

from dataclasses import dataclass

import numpy as np

from topicset_core.errors import InputError
from topicset_core.measures.conventions import GAIN_IN_WORDS, Gains, gains_of
from topicset_core.measures.graded_runs import Floats, GradedRuns
from topicset_core.measures.measure import BinaryMeasure, IntentMeasure, Name, Offered, relevant_from


@dataclass(frozen=True, kw_only=True)
class IntentRecall(IntentMeasure, BinaryMeasure):
    """Intent recall at a rank."""

    NAMES = (
        Name(base_name="I-rec", spellings=r"i[_-]rec", depth="required"),
        # ndeval's name: subtopic recall is intent recall.
        Name(base_name="strec", spellings=r"strec(?:all)?", depth="required", is_listed=False),
    )
    CONVENTIONS = ("relevance_level",)
    OFFERED = (Offered("I-rec@10", 40, at_first=True),)

    @property
    def definition(self) -> str:
        """Definition of the measure and its source."""
        return (
            "Among the intents of a topic with a relevant document, the share that has one in the first "
            f"{self.depth:,} documents, {relevant_from(self.relevance_level)} (Sakai and Song, SIGIR "
            "2011; subtopic recall of Zhai et al., SIGIR 2003)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return I-rec@k of each topic and run."""
        by_intent = self.by_intent(graded)
        lists = by_intent.lists(self.relevance_level, self.depth)
        served = by_intent.of_cells(lists, (lists.documents.nth == 1).astype(float))
        return graded.ratio(served, by_intent.n_intents(self.relevance_level))


@dataclass(frozen=True, kw_only=True)
class DNDCG(IntentMeasure):
    """D-nDCG at a rank. All grades above 0 have gains, whatever the relevance level."""

    NAMES = (Name(base_name="D-nDCG", spellings=r"d[_-]ndcg", depth="required"),)
    OFFERED = (Offered("D-nDCG@10", 30, at_first=True),)

    # Gain g of grade x for an intent: 2^x - 1 as in Sakai 2016, section 5, or x itself
    gains: Gains = "exponential"

    @property
    def definition(self) -> str:
        """Definition of the measure and its source."""
        return (
            f"nDCG of the first {self.depth:,} documents with the global gain sum_i P(i|q) g_i of each, "
            f"{GAIN_IN_WORDS[self.gains]}, discount log2(rank + 1), over that of the judged documents in falling "
            "order of global gain (Sakai and Song, SIGIR 2011)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return D-nDCG@k of each topic and run."""
        runs, by_intent = graded.judged_runs, self.by_intent(graded)
        gains = by_intent.global_gains(gains_of(by_intent.grades, self.gains))
        entries = np.flatnonzero(runs.ranks <= self.depth)
        gained = gains[runs.judgments[entries]] / np.log2(runs.ranks[entries] + 1.0)
        scores = np.bincount(runs.cells[entries], gained, runs.n_cells)
        judgments = np.flatnonzero(gains > 0)
        topics = runs.qrels.topic_of[judgments]
        order = np.lexsort((-gains[judgments], topics))
        judgments, topics = judgments[order], topics[order]
        starts = np.searchsorted(topics, np.arange(runs.n_topics))
        ranks = np.arange(judgments.size) - starts[topics] + 1
        first = ranks <= self.depth
        ideal = np.bincount(topics[first], (gains[judgments] / np.log2(ranks + 1.0))[first], runs.n_topics)
        return graded.ratio(scores.astype(np.float64, copy=False), ideal)


@dataclass(frozen=True, kw_only=True)
class DSharpNDCG(IntentMeasure, BinaryMeasure):
    """D#-nDCG at a rank; the relevance level concerns intent recall."""

    NAMES = (
        # The sign is a dash in names of files, where not all systems take it.
        Name(base_name="D#-nDCG", spellings=r"d(?:#|♯|-|sharp)[_-]ndcg", depth="required"),
    )
    CONVENTIONS = ("relevance_level",)
    OFFERED = (Offered("D#-nDCG@10", 50, at_first=True),)

    gamma: float = 0.5  # weight of I-rec, from 0 to 1
    gains: Gains = "exponential"  # gain of grade x in D-nDCG: 2^x - 1, or x itself

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.gamma <= 1:
            raise InputError("gamma", self.gamma, "must be from 0 to 1")

    @property
    def definition(self) -> str:
        """Definition of the measure and its source."""
        return (
            f"{self.gamma:g} I-rec@{self.depth} + {1 - self.gamma:g} D-nDCG@{self.depth}, "
            f"{relevant_from(self.relevance_level)} for I-rec, {GAIN_IN_WORDS[self.gains]} for D-nDCG "
            "(Sakai and Song, SIGIR 2011)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return D#-nDCG@k of each topic and run."""
        self.by_intent(graded)  # without intents, the error should be about this measure
        recall = IntentRecall(depth=self.depth, relevance_level=self.relevance_level).scores_of(graded)
        gain = DNDCG(depth=self.depth, gains=self.gains).scores_of(graded)
        return self.gamma * recall + (1 - self.gamma) * gain
