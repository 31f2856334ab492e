"""P@k: the share of relevant documents among the first k."""

from dataclasses import dataclass

import numpy as np

from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.measure import BinaryMeasure, Name, Offered, check_depth, relevant_from
from topicset_core.measures.ranked_documents import Floats


@dataclass(frozen=True, kw_only=True)
class Precision(BinaryMeasure):
    """Precision at a rank.

    Parameters
    ----------
    depth : int
        Ranks looked at, k; where a run returned fewer documents, the rest count as not relevant.
    """

    NAMES = (Name(base_name="P", spellings=r"p|prec|precision", depth="required", only_with_cutoff=True),)
    OFFERED = (Offered("P@10", 40, at_first=True),)

    depth: int

    def __post_init__(self) -> None:
        check_depth(self.depth)
        super().__post_init__()

    @property
    def definition(self) -> str:
        """What is computed and where it comes from."""
        return (
            f"Share of relevant documents among the first {self.depth:,}, missing ones counted as not relevant, "
            f"{relevant_from(self.relevance_level)} (Buckley and Voorhees, SIGIR 2000)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return P@k of each topic and run."""
        relevant = graded.relevant(self.relevance_level)
        return graded.per_cell(relevant.sums(np.ones(relevant.ranks.size), self.depth) / self.depth)
