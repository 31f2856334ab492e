"""Recall@k: the share of all relevant documents that are among the first k."""

from dataclasses import dataclass

import numpy as np

from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.measure import BinaryMeasure, Name, Offered, check_depth, relevant_from
from topicset_core.measures.ranked_documents import Floats


@dataclass(frozen=True, kw_only=True)
class Recall(BinaryMeasure):
    """Recall at a rank.

    Parameters
    ----------
    depth : int
        Ranks looked at, k.
    """

    NAMES = (Name(base_name="recall", spellings=r"recall|r(?=@)", depth="required", only_with_cutoff=True),)
    OFFERED = (Offered("recall@100", 70),)

    depth: int

    def __post_init__(self) -> None:
        check_depth(self.depth)
        super().__post_init__()

    @property
    def definition(self) -> str:
        """What is computed and where it comes from."""
        return (
            f"Share of all relevant documents that are among the first {self.depth:,}, "
            f"{relevant_from(self.relevance_level)} (Buckley and Voorhees, in TREC, MIT Press 2005)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return recall@k of each topic and run."""
        relevant = graded.relevant(self.relevance_level)
        found = relevant.sums(np.ones(relevant.ranks.size), self.depth)
        return graded.ratio(found, graded.n_relevant(self.relevance_level))
