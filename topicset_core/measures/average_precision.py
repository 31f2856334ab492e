"""AP, and Q: average precision in which precision gives way to a blend of precision and cumulative gain."""

from dataclasses import dataclass

import numpy as np

from topicset_core.errors import InputError
from topicset_core.measures.conventions import (
    DENOMINATOR_IN_WORDS,
    GAIN_IN_WORDS,
    Denominator,
    Gains,
    denominators,
    gains_of,
)
from topicset_core.measures.graded_runs import Floats, GradedRuns
from topicset_core.measures.measure import BinaryMeasure, Name, Offered, down_to, relevant_from


@dataclass(frozen=True, kw_only=True)
class AP(BinaryMeasure):
    """Average precision."""

    CONVENTIONS = ("relevance_level", "denominator")
    NAMES = (Name(base_name="AP", spellings=r"map|ap|average[_ -]?precision", depth="optional"),)
    OFFERED = (Offered("AP", 10, at_first=True),)

    depth: int | None = None  # ranks evaluated
    denominator: Denominator = "R"  # R is trec_eval's

    @property
    def definition(self) -> str:
        """Definition of the measure and its source."""
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


@dataclass(frozen=True, kw_only=True)
class QMeasure(BinaryMeasure):
    """Sakai's Q-measure.

    Documents below the relevance level are not relevant and have no gain. With beta 0, Q is AP.
    """

    CONVENTIONS = ("relevance_level", "gains", "denominator")
    NAMES = (Name(base_name="Q", spellings=r"q[_-]?measure|q(?=@)", depth="optional", in_requests="q"),)
    OFFERED = (Offered("Q", 80),)

    depth: int | None = None  # ranks evaluated
    gains: Gains = "linear"  # gain of grade x: x itself, or 2^x - 1 as in Sakai 2016
    beta: float = 1.0  # weight of cumulative gain in the blended ratio, from 0
    denominator: Denominator = "R"  # R is that of Sakai 2004

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.beta <= 1000:
            raise InputError("beta", self.beta, "must be from 0 to 1,000")

    @property
    def definition(self) -> str:
        """Definition of the measure and its source."""
        return (
            f"Q-measure of {down_to(self.depth)}, {relevant_from(self.relevance_level)}, "
            f"{GAIN_IN_WORDS[self.gains]}, beta = {self.beta:g}, {DENOMINATOR_IN_WORDS[self.denominator]} "
            "(Sakai, NTCIR-4 2004; Sakai and Song, SIGIR 2011)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return Q of each topic and run.

        The sum of I(r) BR(r) over ranks r, over the denominator, with the blended ratio
        BR(r) = (C(r) + beta cg(r)) / (r + beta cg*(r)): C relevant documents and gain cg down to
        rank r of the run, cg* down to rank r of the ideal list.
        """
        relevant, ideal = graded.relevant(self.relevance_level), graded.ideal(self.relevance_level)
        gain = relevant.running_sums(gains_of(relevant.grades, self.gains))
        ideal_gains = ideal.running_sums(gains_of(ideal.grades, self.gains))
        n_relevant = graded.n_relevant(self.relevance_level)
        topics = relevant.lists // graded.judged_runs.n_systems
        # Below rank R the ideal list has no more to give.
        ideal_gain = ideal_gains[ideal.starts[topics] + np.minimum(relevant.ranks, n_relevant[topics]) - 1]
        ratio = (relevant.nth + self.beta * gain) / (relevant.ranks + self.beta * ideal_gain)
        return graded.ratio(
            relevant.sums(ratio, self.depth), denominators(n_relevant, self.depth, self.denominator)
        )
