"""Measures for judgments that leave documents of the pool out: bpref and infAP."""

from dataclasses import dataclass

import numpy as np

from topicset_core.measures.graded_runs import Floats, GradedRuns
from topicset_core.measures.measure import BinaryMeasure, Name, Offered, relevant_from


@dataclass(frozen=True, kw_only=True)
class BPref(BinaryMeasure):
    """Binary preference; documents that were not judged make no difference."""

    NAMES = (Name(base_name="bpref", spellings=r"bpref", depth="none"),)
    OFFERED = (Offered("bpref", 120),)

    @property
    def definition(self) -> str:
        """Definition of the measure and its source."""
        return (
            "Share of the first R documents judged not relevant that are ranked below each relevant one, R being "
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
        # Where nothing was judged not relevant nothing is above either, so 1 will do.
        most = np.maximum(np.minimum(graded.n_not_relevant(level), n_relevant), 1)[topics]
        return graded.ratio(relevant.sums(1 - above / most), n_relevant)


EPSILON = 0.00001
"""Smoothing of the share of relevant documents; trec_eval's INFAP_EPSILON."""


@dataclass(frozen=True, kw_only=True)
class InfAP(BinaryMeasure):
    """Inferred average precision; negative grades mark documents that were pooled and not judged."""

    NAMES = (Name(base_name="infAP", spellings=r"inf[_-]?ap", depth="none"),)
    OFFERED = (Offered("infAP", 130),)

    @property
    def definition(self) -> str:
        """Definition of the measure and its source."""
        return (
            "Average precision inferred from a random sample of the pool, negative grades marking documents "
            f"pooled but not judged, {relevant_from(self.relevance_level)} (Yilmaz and Aslam, CIKM 2006)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return infAP: the mean over relevant documents of the precision expected at their ranks.

        At rank r that is 1/r + (r-1)/r * |pool above| / (r-1) * (rel + e) / (rel + nonrel + 2e), with
        the judged documents above counted in rel and nonrel, and e for `EPSILON`.
        """
        level = self.relevance_level
        relevant = graded.relevant(level)
        pooled, judged = graded.pooled_above(level), graded.judged_above(level)
        above = relevant.ranks - 1.0
        share = (relevant.nth - 1 + EPSILON) / (judged + 2 * EPSILON)
        # At rank 1 nothing is above: the second term is 0 for any divisor.
        expected = 1 / relevant.ranks + above / relevant.ranks * (pooled / np.maximum(above, 1)) * share
        return graded.ratio(relevant.sums(expected), graded.n_relevant(level))
