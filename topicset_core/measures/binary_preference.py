"""bpref: how often a relevant document stands above documents judged not relevant."""

from dataclasses import dataclass

import numpy as np

from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.measure import BinaryMeasure, Name, Offered, relevant_from
from topicset_core.measures.ranked_documents import Floats


@dataclass(frozen=True, kw_only=True)
class BPref(BinaryMeasure):
    """Binary preference; documents that were not judged make no difference."""

    NAMES = (Name(base_name="bpref", spellings=r"bpref", depth="none"),)
    OFFERED = (Offered("bpref", 120),)

    @property
    def definition(self) -> str:
        """What is computed and where it comes from."""
        return (
            "Share of the first R documents judged not relevant that stand below each relevant one, R being "
            f"the number of relevant documents, {relevant_from(self.relevance_level)} (Buckley and Voorhees, "
            "SIGIR 2004; over min(N, R) as in trec_eval, N being the number judged not relevant)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return bpref: the mean over relevant documents of 1 - min(n, R) / min(N, R).

        N is the number of documents judged not relevant for the topic, n that of those above.
        """
        level = self.relevance_level
        relevant, n_relevant = graded.relevant(level), graded.n_relevant(level)
        topics = relevant.lists // graded.judged_runs.n_systems
        not_relevant_above = graded.judged_above(level) - (relevant.nth - 1)
        above = np.minimum(not_relevant_above, n_relevant[topics])
        # Where nothing was judged not relevant nothing stands above either, so 1 will do.
        most = np.maximum(np.minimum(graded.n_not_relevant(level), n_relevant), 1)[topics]
        return graded.ratio(relevant.sums(1 - above / most), n_relevant)
