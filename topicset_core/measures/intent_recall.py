"""I-rec@k: the share of a topic's intents that the first k documents serve.

Also called subtopic recall (ndeval's strec). Intents without a relevant document are not counted: ndeval
counts those that have one, and NTCIREVAL (version 190111) divides by the number of files of relevant
documents, one an intent, and asks that each intent has some.

References
----------
C. X. Zhai, W. W. Cohen, J. Lafferty. Beyond independent relevance: methods and evaluation metrics for
subtopic retrieval. SIGIR 2003, 10-17. doi:10.1145/860435.860440
T. Sakai, R. Song. Evaluating diversified search results using per-intent graded relevance. SIGIR 2011,
1043-1052. doi:10.1145/2009916.2010055
"""

from dataclasses import dataclass

from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.measure import BinaryMeasure, IntentMeasure, Name, Offered, relevant_from
from topicset_core.measures.ranked_documents import Floats


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

    def __post_init__(self) -> None:
        IntentMeasure.__post_init__(self)
        BinaryMeasure.__post_init__(self)

    @property
    def definition(self) -> str:
        """What is computed and where it comes from."""
        return (
            "Share of a topic's intents, of those that have a relevant document, to which one of the first "
            f"{self.depth:,} documents is relevant, {relevant_from(self.relevance_level)} (Sakai and Song, SIGIR "
            "2011; subtopic recall of Zhai et al., SIGIR 2003)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return I-rec@k of each topic and run."""
        by_intent = self.by_intent(graded)
        lists = by_intent.lists(self.relevance_level, self.depth)
        served = by_intent.of_cells(lists, (lists.documents.nth == 1).astype(float))
        return graded.ratio(served, by_intent.n_intents(self.relevance_level))
