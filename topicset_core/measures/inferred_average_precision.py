"""infAP: AP estimated from a pool of which only a random part was judged."""

from dataclasses import dataclass

import numpy as np

from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.measure import BinaryMeasure, Name, Offered, relevant_from
from topicset_core.measures.ranked_documents import Floats

EPSILON = 0.00001
"""Smoothing of the share of relevant documents; trec_eval's INFAP_EPSILON."""


@dataclass(frozen=True, kw_only=True)
class InfAP(BinaryMeasure):
    """Inferred average precision; negative grades mark documents that were pooled and not judged."""

    NAMES = (Name(base_name="infAP", spellings=r"inf[_-]?ap", depth="none"),)
    OFFERED = (Offered("infAP", 130),)

    @property
    def definition(self) -> str:
        """What is computed and where it comes from."""
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
        # At rank 1 nothing stands above: the second term is 0 whatever it is divided by.
        expected = 1 / relevant.ranks + above / relevant.ranks * (pooled / np.maximum(above, 1)) * share
        return graded.ratio(relevant.sums(expected), graded.n_relevant(level))
