"""Measures that ask from which grade documents are relevant.

They are AP, Q, P@k, recall@k, success@k, Rprec, RR, RBP, bpref and infAP.
"""

import re
from dataclasses import dataclass
from typing import Self

import numpy as np

from topicset_core.collection.judged_runs import Grades, JudgedRuns
from topicset_core.errors import InputError
from topicset_core.measures.conventions import (
    Conventions,
    Denominator,
    Gains,
    denominators,
    gains_of,
)
from topicset_core.measures.graded_runs import Floats, GradedRuns
from topicset_core.measures.measure import BinaryMeasure, Name, Offered


@dataclass(frozen=True, kw_only=True)
class AP(BinaryMeasure):
    """Average precision."""

    CONVENTIONS = ("relevance_level", "denominator")
    NAMES = (Name(base_name="AP", spellings=r"map|ap|average[_ -]?precision", depth="optional"),)
    OFFERED = (Offered("AP", 10, at_first=True),)
    DEFINITION = "Average precision of {ranks}, {relevant}, {divisor} (Buckley and Voorhees, SIGIR 2000)."

    depth: int | None = None  # ranks evaluated
    denominator: Denominator = "R"  # R is trec_eval's

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return AP of each topic and run: sum of I(r) C(r) / r over ranks r, over the denominator."""
        relevant = graded.relevant(self.relevance_level)
        sums = relevant.sums(relevant.nth / relevant.ranks, self.depth)
        n_relevant = graded.n_relevant(self.relevance_level)
        return graded.ratio(sums, denominators(n_relevant, self.depth, self.denominator).astype(np.float64))


@dataclass(frozen=True, kw_only=True)
class QMeasure(BinaryMeasure):
    """Sakai's Q-measure, in which documents below the relevance level have no gain; with beta 0 it is AP."""

    CONVENTIONS = ("relevance_level", "gains", "denominator")
    NAMES = (Name(base_name="Q", spellings=r"q[_-]?measure|q(?=@)", depth="optional", in_requests="q"),)
    OFFERED = (Offered("Q", 80),)
    DEFINITION = (
        "Q-measure of {ranks}, {relevant}, {gain}, beta = {0.beta:g}, {divisor} (Sakai, NTCIR-4 2004; Sakai and "
        "Song, SIGIR 2011)."
    )

    depth: int | None = None  # ranks evaluated
    gains: Gains = "linear"  # gain of grade x: x itself, or 2^x - 1 as in Sakai 2016
    beta: float = 1.0  # weight of cumulative gain in the blended ratio, from 0
    denominator: Denominator = "R"  # R is that of Sakai 2004

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.beta <= 1000:
            raise InputError("beta", self.beta, "must be from 0 to 1,000")

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


@dataclass(frozen=True, kw_only=True)
class Precision(BinaryMeasure):
    """Precision at a rank."""

    NAMES = (Name(base_name="P", spellings=r"p|prec|precision", depth="required", only_with_cutoff=True),)
    OFFERED = (Offered("P@10", 40, at_first=True),)
    DEFINITION = (
        "Share of relevant documents among the first {0.depth:,}, missing ones counted as not relevant, "
        "{relevant} (Buckley and Voorhees, SIGIR 2000)."
    )

    depth: int  # ranks evaluated, k

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return P@k of each topic and run."""
        relevant = graded.relevant(self.relevance_level)
        return graded.per_cell(relevant.sums(np.ones(relevant.ranks.size), self.depth) / self.depth)


@dataclass(frozen=True, kw_only=True)
class Recall(BinaryMeasure):
    """Recall at a rank."""

    NAMES = (Name(base_name="recall", spellings=r"recall|r(?=@)", depth="required", only_with_cutoff=True),)
    OFFERED = (Offered("recall@100", 70),)
    DEFINITION = (
        "Share of all relevant documents that are among the first {0.depth:,}, {relevant} (Buckley and Voorhees, "
        "in TREC, MIT Press 2005)."
    )

    depth: int  # ranks evaluated, k

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return recall@k of each topic and run."""
        relevant = graded.relevant(self.relevance_level)
        result = relevant.sums(np.ones(relevant.ranks.size), self.depth)
        return graded.ratio(result, graded.n_relevant(self.relevance_level))


@dataclass(frozen=True, kw_only=True)
class Success(BinaryMeasure):
    """Success at a rank, 0 or 1; its mean over topics is the hit rate."""

    # Not "hits": that is the number of relevant documents in ranx, the hit rate elsewhere.
    NAMES = (
        Name(
            base_name="success",
            spellings=r"success|hit(?:[_ -]?rate)?|hr(?=@)",
            depth="required",
            only_with_cutoff=True,
        ),
    )
    OFFERED = (Offered("success@10", 55),)
    DEFINITION = (
        "1 if a relevant document is among the first {0.depth:,}, 0 otherwise, {relevant} (Craswell and Hawking, "
        "TREC 2004 web track)."
    )

    depth: int  # ranks evaluated, k

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return success@k of each topic and run."""
        relevant = graded.relevant(self.relevance_level)
        return graded.per_cell(relevant.sums(relevant.nth == 1, self.depth))


@dataclass(frozen=True, kw_only=True)
class RPrecision(BinaryMeasure):
    """Precision at rank R, the number of relevant documents of the topic, where it equals recall."""

    NAMES = (Name(base_name="Rprec", spellings=r"r[_-]?prec", depth="none"),)
    OFFERED = (Offered("Rprec", 60),)
    DEFINITION = (
        "Precision at rank R, the number of relevant documents, {relevant} (Buckley and Voorhees, in TREC, MIT "
        "Press 2005)."
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
    DEFINITION = (
        "One over the rank of the first relevant document of {ranks}, {relevant} (Voorhees, TREC-8 question "
        "answering track, 1999)."
    )

    depth: int | None = None

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return RR of each topic and run."""
        relevant = graded.relevant(self.relevance_level)
        return graded.per_cell(relevant.sums((relevant.nth == 1) / relevant.ranks, self.depth))


_FORM = re.compile(r"rbp(?:\(p=(?P<persistence>0?\.\d+)\))?", re.ASCII | re.IGNORECASE)
_OF_TREC_EVAL = 0.9


@dataclass(frozen=True, kw_only=True)
class RBP(BinaryMeasure):
    """Rank-biased precision with binary relevance."""

    NAMES = (Name(base_name="RBP", spellings=r"rbp", depth="optional", is_listed=False, in_files_only=True),)
    FORM = "RBP(p=.8)"
    OFFERED = (Offered("RBP(p=.8)", 110),)
    DEFINITION = (
        "Rank-biased precision with persistence p = {0.persistence!r}, {relevant} (Moffat and Zobel, TOIS "
        "2008)."
    )

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

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return RBP of each topic and run: (1 - p) times the sum of I(r) p^(r - 1) over ranks r."""
        relevant = graded.relevant(self.relevance_level)
        weights = self.persistence ** (relevant.ranks - 1.0)
        return graded.per_cell((1 - self.persistence) * relevant.sums(weights))

    def residuals(self, judged_runs: JudgedRuns, grades: Grades | None = None) -> Floats:
        """Return how much higher scores were, were all unjudged documents relevant (Moffat and Zobel 2008)."""
        graded = GradedRuns(judged_runs, grades)
        judged = graded.judged()
        # Unjudged ranks from a to b weigh p^(a-1) - p^b: never a difference from 1, so tails stay exact.
        before = np.where(judged.nth == 1, 0, np.roll(judged.ranks, 1))
        gaps = self.persistence**before - self.persistence ** (judged.ranks - 1.0)
        last_ranks = np.zeros(judged.n_lists)
        filled = np.diff(judged.starts) > 0
        last_ranks[filled] = judged.ranks[judged.starts[1:][filled] - 1]
        return graded.per_cell(judged.sums(gaps) + self.persistence**last_ranks)


@dataclass(frozen=True, kw_only=True)
class BPref(BinaryMeasure):
    """Binary preference; documents that were not judged make no difference."""

    NAMES = (Name(base_name="bpref", spellings=r"bpref", depth="none"),)
    OFFERED = (Offered("bpref", 120),)
    DEFINITION = (
        "Share of the first R documents judged not relevant that are ranked below each relevant one, R being the "
        "number of relevant documents, {relevant} (Buckley and Voorhees, SIGIR 2004; over min(N, R) as in "
        "trec_eval, N being the number judged not relevant)."
    )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return bpref: the mean over relevant documents of 1 - min(n, R) / min(N, R).

        N is the number of documents judged not relevant for the topic, n that of those above.
        """
        level = self.relevance_level
        relevant, n_relevant = graded.relevant(level), graded.n_relevant(level)
        topics = relevant.lists // graded.judged_runs.n_systems
        not_relevant_above = graded.judged_above(level) - (relevant.nth - 1)
        above = np.minimum(not_relevant_above, n_relevant[topics])
        # Where nothing was judged not relevant nothing is above either, so 1 will do.
        most = np.maximum(np.minimum(graded.n_not_relevant(level), n_relevant), 1)[topics]
        return graded.ratio(relevant.sums(1 - above / most), n_relevant)


EPSILON = 0.00001
"""Smoothing of the share of relevant documents; trec_eval's INFAP_EPSILON."""


@dataclass(frozen=True, kw_only=True)
class InfAP(BinaryMeasure):
    """Inferred average precision; negative grades mark documents that were pooled and not judged."""

    NAMES = (Name(base_name="infAP", spellings=r"inf[_-]?ap", depth="none"),)
    OFFERED = (Offered("infAP", 130),)
    DEFINITION = (
        "Average precision inferred from a random sample of the pool, negative grades marking documents pooled "
        "but not judged, {relevant} (Yilmaz and Aslam, CIKM 2006)."
    )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return infAP: the mean over relevant documents of the precision expected at their ranks.

        At rank r that is 1/r + (r-1)/r * |pool above| / (r-1) * (rel + e) / (rel + nonrel + 2e), with
        the judged documents above counted in rel and nonrel, and e for `EPSILON`.
        """
        level = self.relevance_level
        relevant = graded.relevant(level)
        pooled, judged = graded.pooled_above(level), graded.judged_above(level)
        above = relevant.ranks - 1.0
        share = (relevant.nth - 1 + EPSILON) / (judged + 2 * EPSILON)
        # At rank 1 nothing is above: the second term is 0 for any divisor.
        expected = 1 / relevant.ranks + above / relevant.ranks * (pooled / np.maximum(above, 1)) * share
        return graded.ratio(relevant.sums(expected), graded.n_relevant(level))
