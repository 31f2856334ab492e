"""D#-nDCG@k: D-nDCG and intent recall in one, so that both relevance and coverage count.

    D#-nDCG@k = gamma I-rec@k + (1 - gamma) D-nDCG@k

References
----------
T. Sakai, R. Song. Evaluating diversified search results using per-intent graded relevance. SIGIR 2011,
1043-1052. doi:10.1145/2009916.2010055
"""

from dataclasses import dataclass

from topicset_core.errors import InputError
from topicset_core.measures.d_ndcg import DNDCG
from topicset_core.measures.gains import GAIN_IN_WORDS, Gains
from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.intent_recall import IntentRecall
from topicset_core.measures.measure import BinaryMeasure, IntentMeasure, Name, Offered, relevant_from
from topicset_core.measures.ranked_documents import Floats


@dataclass(frozen=True, kw_only=True)
class DSharpNDCG(IntentMeasure, BinaryMeasure):
    """D#-nDCG at a rank; the relevance level concerns intent recall.

    Parameters
    ----------
    gamma : float
        Weight of I-rec, from 0 to 1.
    gains : {"exponential", "linear"}
        Gain of grade x in D-nDCG: 2^x - 1, or x itself.
    """

    NAMES = (
        # The sign is a dash in names of files, where not all systems take it.
        Name(base_name="D#-nDCG", spellings=r"d(?:#|♯|-|sharp)[_-]ndcg", depth="required"),
    )
    CONVENTIONS = ("relevance_level",)
    OFFERED = (Offered("D#-nDCG@10", 50, at_first=True),)

    gamma: float = 0.5
    gains: Gains = "exponential"

    def __post_init__(self) -> None:
        IntentMeasure.__post_init__(self)
        BinaryMeasure.__post_init__(self)
        if not 0 <= self.gamma <= 1:
            raise InputError("gamma", self.gamma, "must be from 0 to 1")

    @property
    def definition(self) -> str:
        """What is computed and where it comes from."""
        return (
            f"{self.gamma:g} I-rec@{self.depth} + {1 - self.gamma:g} D-nDCG@{self.depth}, "
            f"{relevant_from(self.relevance_level)} for I-rec, {GAIN_IN_WORDS[self.gains]} for D-nDCG "
            "(Sakai and Song, SIGIR 2011)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return D#-nDCG@k of each topic and run."""
        self.by_intent(graded)  # if there is none, the error should be about this measure
        recall = IntentRecall(depth=self.depth, relevance_level=self.relevance_level).scores_of(graded)
        gain = DNDCG(depth=self.depth, gains=self.gains).scores_of(graded)
        return self.gamma * recall + (1 - self.gamma) * gain
