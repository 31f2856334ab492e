"""nDCG: discounted gain of a ranking, over that of the ideal ranking."""

from dataclasses import dataclass

import numpy as np

from topicset_core.measures.conventions import GAIN_IN_WORDS, Gains, gains_of
from topicset_core.measures.graded_runs import Floats, GradedRuns, RankedDocuments
from topicset_core.measures.measure import Measure, Name, Offered, down_to


@dataclass(frozen=True, kw_only=True)
class NDCG(Measure):
    """Normalised discounted cumulative gain.

    All grades above 0 have gains, whatever the relevance level, as in trec_eval.
    """

    CONVENTIONS = ("gains",)
    NAMES = (Name(base_name="nDCG", spellings=r"ndcg", depth="optional"),)
    OFFERED = (
        Offered("nDCG", 20),
        Offered("nDCG@10", 30, at_first=True),
    )

    depth: int | None = None  # ranks evaluated, in the run and in the ideal list
    gains: Gains = "linear"  # gain of grade x: x itself, or 2^x - 1

    @property
    def definition(self) -> str:
        """Definition of the measure and its source."""
        return (
            f"Normalised discounted cumulative gain of {down_to(self.depth)}, {GAIN_IN_WORDS[self.gains]}, "
            "discount log2(rank + 1) from the first rank on (Järvelin and Kekäläinen, TOIS 2002; discount of "
            "Burges et al., ICML 2005)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return nDCG of each topic and run: DCG over DCG of the ideal list."""
        return graded.ratio(self._dcg(graded.relevant(1)), self._dcg(graded.ideal(1)))

    def _dcg(self, documents: RankedDocuments) -> Floats:
        gains = gains_of(documents.grades, self.gains)
        return documents.sums(gains / np.log2(documents.ranks + 1), self.depth)
