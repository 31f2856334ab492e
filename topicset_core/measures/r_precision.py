"""R-precision: precision at rank R, R being the number of relevant documents of the topic."""

from dataclasses import dataclass

from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.measure import BinaryMeasure, Name, Offered, relevant_from
from topicset_core.measures.ranked_documents import Floats


@dataclass(frozen=True, kw_only=True)
class RPrecision(BinaryMeasure):
    """Precision where precision and recall are the same."""

    NAMES = (Name(base_name="Rprec", spellings=r"r[_-]?prec", depth="none"),)
    OFFERED = (Offered("Rprec", 60),)

    @property
    def definition(self) -> str:
        """What is computed and where it comes from."""
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
