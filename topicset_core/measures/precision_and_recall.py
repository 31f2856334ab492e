"""Relevant documents found, and their ranks: P@k, recall@k, R-precision, RR."""

from dataclasses import dataclass

import numpy as np

from topicset_core.measures.graded_runs import Floats, GradedRuns
from topicset_core.measures.measure import BinaryMeasure, Name, Offered, down_to, relevant_from


@dataclass(frozen=True, kw_only=True)
class Precision(BinaryMeasure):
    """Precision at a rank."""

    NAMES = (Name(base_name="P", spellings=r"p|prec|precision", depth="required", only_with_cutoff=True),)
    OFFERED = (Offered("P@10", 40, at_first=True),)

    depth: int  # ranks evaluated, k

    @property
    def definition(self) -> str:
        """Definition of the measure and its source."""
        return (
            f"Share of relevant documents among the first {self.depth:,}, missing ones counted as not relevant, "
            f"{relevant_from(self.relevance_level)} (Buckley and Voorhees, SIGIR 2000)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return P@k of each topic and run."""
        relevant = graded.relevant(self.relevance_level)
        return graded.per_cell(relevant.sums(np.ones(relevant.ranks.size), self.depth) / self.depth)


@dataclass(frozen=True, kw_only=True)
class Recall(BinaryMeasure):
    """Recall at a rank."""

    NAMES = (Name(base_name="recall", spellings=r"recall|r(?=@)", depth="required", only_with_cutoff=True),)
    OFFERED = (Offered("recall@100", 70),)

    depth: int  # ranks evaluated, k

    @property
    def definition(self) -> str:
        """Definition of the measure and its source."""
        return (
            f"Share of all relevant documents that are among the first {self.depth:,}, "
            f"{relevant_from(self.relevance_level)} (Buckley and Voorhees, in TREC, MIT Press 2005)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return recall@k of each topic and run."""
        relevant = graded.relevant(self.relevance_level)
        result = relevant.sums(np.ones(relevant.ranks.size), self.depth)
        return graded.ratio(result, graded.n_relevant(self.relevance_level))


@dataclass(frozen=True, kw_only=True)
class RPrecision(BinaryMeasure):
    """Precision at rank R, the number of relevant documents of the topic, where it equals recall."""

    NAMES = (Name(base_name="Rprec", spellings=r"r[_-]?prec", depth="none"),)
    OFFERED = (Offered("Rprec", 60),)

    @property
    def definition(self) -> str:
        """Definition of the measure and its source."""
        return (
            "Precision at rank R, the number of relevant documents, "
            f"{relevant_from(self.relevance_level)} (Buckley and Voorhees, in TREC, MIT Press 2005)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return R-precision of each topic and run."""
        relevant = graded.relevant(self.relevance_level)
        n_relevant = graded.n_relevant(self.relevance_level)
        topics = relevant.lists // graded.judged_runs.n_systems
        return graded.ratio(relevant.sums(relevant.ranks <= n_relevant[topics]), n_relevant)


@dataclass(frozen=True, kw_only=True)
class ReciprocalRank(BinaryMeasure):
    """Reciprocal rank, 0 where nothing relevant was found."""

    NAMES = (Name(base_name="RR", spellings=r"rr|mrr|recip[_-]?rank", depth="optional"),)
    OFFERED = (Offered("RR", 50, at_first=True),)

    depth: int | None = None

    @property
    def definition(self) -> str:
        """Definition of the measure and its source."""
        return (
            f"One over the rank of the first relevant document of {down_to(self.depth)}, "
            f"{relevant_from(self.relevance_level)} (Voorhees, TREC-8 question answering track, 1999)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return RR of each topic and run."""
        relevant = graded.relevant(self.relevance_level)
        return graded.per_cell(relevant.sums((relevant.nth == 1) / relevant.ranks, self.depth))
