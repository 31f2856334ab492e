"""RR: one over the rank of the first relevant document."""

from dataclasses import dataclass

from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.measure import BinaryMeasure, Name, Offered, check_depth, down_to, relevant_from
from topicset_core.measures.ranked_documents import Floats


@dataclass(frozen=True, kw_only=True)
class ReciprocalRank(BinaryMeasure):
    """Reciprocal rank, 0 where nothing relevant was found.

    Parameters
    ----------
    depth : int, optional
        Ranks looked at; all of the run by default, as trec_eval's recip_rank.
    """

    NAMES = (Name(base_name="RR", spellings=r"rr|mrr|recip[_-]?rank", depth="optional"),)
    OFFERED = (Offered("RR", 50, at_first=True),)

    depth: int | None = None

    def __post_init__(self) -> None:
        check_depth(self.depth)
        super().__post_init__()

    @property
    def definition(self) -> str:
        """What is computed and where it comes from."""
        return (
            f"One over the rank of the first relevant document of {down_to(self.depth)}, "
            f"{relevant_from(self.relevance_level)} (Voorhees, TREC-8 question answering track, 1999)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return RR of each topic and run."""
        relevant = graded.relevant(self.relevance_level)
        return graded.per_cell(relevant.sums((relevant.nth == 1) / relevant.ranks, self.depth))
