"""AP: the mean, over all relevant documents, of precision at their ranks."""

from dataclasses import dataclass

import numpy as np

from topicset_core.measures.denominators import DENOMINATOR_IN_WORDS, Denominator, denominators
from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.measure import BinaryMeasure, Name, Offered, check_depth, down_to, relevant_from
from topicset_core.measures.ranked_documents import Floats


@dataclass(frozen=True, kw_only=True)
class AP(BinaryMeasure):
    """Average precision.

    Parameters
    ----------
    depth : int, optional
        Ranks looked at; all of the run by default, as trec_eval's map. With one, map_cut.
    denominator : {"R", "min(md, R)"}
        R is trec_eval's; the other is that of NTCIREVAL and Sakai 2016, section 5, md being the depth.
    """

    CONVENTIONS = ("relevance_level", "denominator")
    NAMES = (Name(base_name="AP", spellings=r"map|ap|average[_ -]?precision", depth="optional"),)
    OFFERED = (Offered("AP", 10, at_first=True),)

    depth: int | None = None
    denominator: Denominator = "R"

    def __post_init__(self) -> None:
        check_depth(self.depth)
        super().__post_init__()

    @property
    def definition(self) -> str:
        """What is computed and where it comes from."""
        return (
            f"Average precision of {down_to(self.depth)}, {relevant_from(self.relevance_level)}, "
            f"{DENOMINATOR_IN_WORDS[self.denominator]} (Buckley and Voorhees, SIGIR 2000)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return AP of each topic and run: sum of I(r) C(r) / r over ranks r, over the denominator."""
        relevant = graded.relevant(self.relevance_level)
        sums = relevant.sums(relevant.nth / relevant.ranks, self.depth)
        n_relevant = graded.n_relevant(self.relevance_level)
        return graded.ratio(sums, denominators(n_relevant, self.depth, self.denominator).astype(np.float64))
