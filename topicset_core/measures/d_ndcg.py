"""D-nDCG@k: nDCG with the global gain of a document, what it gives to all intents by how likely they are.

    GG(r) = sum_i P(i|q) g_i(r)

The ideal list has the judged documents in falling order of global gain.

References
----------
T. Sakai, R. Song. Evaluating diversified search results using per-intent graded relevance. SIGIR 2011,
1043-1052. doi:10.1145/2009916.2010055
"""

from dataclasses import dataclass

import numpy as np

from topicset_core.measures.gains import GAIN_IN_WORDS, Gains, gains_of
from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.measure import IntentMeasure, Name, Offered
from topicset_core.measures.ranked_documents import Floats


@dataclass(frozen=True, kw_only=True)
class DNDCG(IntentMeasure):
    """D-nDCG at a rank. All grades above 0 have gains, whatever the relevance level.

    Parameters
    ----------
    gains : {"exponential", "linear"}
        Gain g of grade x for an intent: 2^x - 1 as in Sakai 2016, section 5, or x itself.
    """

    NAMES = (Name(base_name="D-nDCG", spellings=r"d[_-]ndcg", depth="required"),)
    OFFERED = (Offered("D-nDCG@10", 30, at_first=True),)

    gains: Gains = "exponential"

    @property
    def definition(self) -> str:
        """What is computed and where it comes from."""
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
