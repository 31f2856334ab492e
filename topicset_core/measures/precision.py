"""P@k: the share of relevant documents among the first k."""

from dataclasses import dataclass

import numpy as np

from topicset_core.measures.graded_runs import Floats, GradedRuns
from topicset_core.measures.measure import Measure, check_depth, check_level, relevant_from


@dataclass(frozen=True, kw_only=True)
class Precision(Measure):
    """Precision at a rank.

    Parameters
    ----------
    depth : int
        Ranks looked at, k; where a run returned fewer documents, the rest count as not relevant.
    relevance_level : int
        Lowest grade that counts as relevant.
    """

    depth: int
    relevance_level: int = 1

    def __post_init__(self) -> None:
        check_depth(self.depth)
        check_level(self.relevance_level)

    @property
    def name(self) -> str:
        """P@10."""
        return f"P@{self.depth}"

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
