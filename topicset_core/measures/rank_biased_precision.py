"""RBP: the gain of a user who goes on from each document to the next with probability p."""

import re
from dataclasses import dataclass
from typing import Self

import numpy as np

from topicset_core.collection.judged_runs import Grades, JudgedRuns
from topicset_core.errors import InputError
from topicset_core.measures.conventions import Conventions
from topicset_core.measures.graded_runs import Floats, GradedRuns
from topicset_core.measures.measure import BinaryMeasure, Name, Offered, relevant_from

_FORM = re.compile(r"rbp(?:\(p=(?P<persistence>0?\.\d+)\))?", re.ASCII | re.IGNORECASE)
_OF_TREC_EVAL = 0.9


@dataclass(frozen=True, kw_only=True)
class RBP(BinaryMeasure):
    """Rank-biased precision with binary relevance."""

    NAMES = (Name(base_name="RBP", spellings=r"rbp", depth="optional", is_listed=False, in_files_only=True),)
    FORM = "RBP(p=.8)"
    OFFERED = (Offered("RBP(p=.8)", 110),)

    persistence: float  # p, above 0 and below 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.persistence < 1:
            raise InputError("persistence", self.persistence, "must be above 0 and below 1")

    @classmethod
    def of_form(cls, text: str, chosen: Conventions) -> Self | None:
        """Return the measure with a name such as RBP(p=.8), or RBP of trec_eval's p; None for other text."""
        match = _FORM.fullmatch(text)
        return match and cls.by_conventions(chosen, persistence=float(match["persistence"] or _OF_TREC_EVAL))

    @property
    def name(self) -> str:
        """RBP(p=.8)."""
        return f"RBP(p={repr(self.persistence).removeprefix('0')})"

    @property
    def definition(self) -> str:
        """Definition of the measure and its source."""
        return (
            f"Rank-biased precision with persistence p = {self.persistence!r}, "
            f"{relevant_from(self.relevance_level)} (Moffat and Zobel, TOIS 2008)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return RBP of each topic and run: (1 - p) times the sum of I(r) p^(r - 1) over ranks r."""
        relevant = graded.relevant(self.relevance_level)
        weights = self.persistence ** (relevant.ranks - 1.0)
        return graded.per_cell((1 - self.persistence) * relevant.sums(weights))

    def residuals(self, judged_runs: JudgedRuns, grades: Grades | None = None) -> Floats:
        """Return by how much each score could be higher, were all unjudged documents relevant.

        These are the documents of a run that are not judged, and all that would follow its last one
        (Moffat and Zobel 2008). Parameters and errors as in `scores`.
        """
        graded = GradedRuns(judged_runs, grades)
        judged = graded.judged()
        # Unjudged ranks from a to b weigh p^(a-1) - p^b: never a difference from 1, so tails stay exact.
        before = np.where(judged.nth == 1, 0, np.roll(judged.ranks, 1))
        gaps = self.persistence**before - self.persistence ** (judged.ranks - 1.0)
        last_ranks = np.zeros(judged.n_lists)
        filled = np.diff(judged.starts) > 0
        last_ranks[filled] = judged.ranks[judged.starts[1:][filled] - 1]
        return graded.per_cell(judged.sums(gaps) + self.persistence**last_ranks)
