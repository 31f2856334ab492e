"""Measures of how a run serves the intents of a topic: alpha-nDCG, ERR-IA, I-rec, D-nDCG, D#-nDCG.

In alpha-nDCG and ERR-IA a document serves an intent less, the more are above it. Each intent i of a
topic has a list of its own, in which a document at rank r counts for its gain g(r) times what the documents
above have left, the product of 1 - g(j) over them; d(r) discounts ranks:

    S = sum_i P(i|q) sum_r d(r) g_i(r) prod_{j<r} (1 - g_i(j))

Clarke et al. (2011) call these cascade measures: d(r) = 1 / log2(r + 1) makes alpha-DCG, 1 / r makes
ERR-IA. Two forms are computed. The *binary* one is that of ndeval, the program of TREC's web tracks, with
its option -traditional (without it, ndeval orders documents by the rank column and not by their scores): any
relevant document has the gain alpha, and all intents count equally. The *graded* form has the gain
(2^x - 1) / 2^xmax of ERR for the grade x of a document for an intent, and P(i|q) as it is given; with
grades 0 and 1, equally likely intents and alpha .5 it is the binary one.

The divisor of the sum makes the normalised measures (alpha-nDCG, nERR-IA): the same sum over an
ideal list of the judged documents, which is found greedily, since the best one is NP-hard to find
(Clarke et al. 2008). The others are divided, as in ndeval, by the value of a list in which every
document is relevant to every intent; the graded form is not divided, as in Chapelle et al. (2011).

D#-nDCG is I-rec and D-nDCG in one, so that relevance and coverage of intents count.

    GG(r) = sum_i P(i|q) g_i(r)
    D#-nDCG@k = gamma I-rec@k + (1 - gamma) D-nDCG@k

The global gain GG of a document is the sum of its gains for all intents, weighted by their probabilities; the
ideal list of D-nDCG has the judged documents in falling order of it. I-rec is the share of a topic's intents
that the first k documents serve, also called subtopic recall (ndeval's strec). Intents without a relevant
document are not counted: ndeval counts those that have one, and NTCIREVAL (version 190111) divides by the
number of files of relevant documents, one per intent, and asks that each intent has some.

References
----------
C. L. A. Clarke, M. Kolla, G. V. Cormack, O. Vechtomova, A. Ashkan, S. Büttcher, I. MacKinnon. Novelty and
diversity in information retrieval evaluation. SIGIR 2008, 659-666. doi:10.1145/1390334.1390446
C. L. A. Clarke, N. Craswell, I. Soboroff, A. Ashkan. A comparative analysis of cascade measures for
novelty and diversity. WSDM 2011, 75-84. doi:10.1145/1935826.1935847
O. Chapelle, D. Metzler, Y. Zhang, P. Grinspan. Expected reciprocal rank for graded relevance. CIKM 2009,
621-630. doi:10.1145/1645953.1646033
O. Chapelle, S. Ji, C. Liao, E. Velipasaoglu, L. Lai, S.-L. Wu. Intent-based diversification of web search
results: metrics and algorithms. Information Retrieval 14 (2011), 572-592. doi:10.1007/s10791-011-9167-7
ndeval, version 4.5 (2013): https://github.com/trec-web/trec-web-2014
C. X. Zhai, W. W. Cohen, J. Lafferty. Beyond independent relevance: methods and evaluation metrics for
subtopic retrieval. SIGIR 2003, 10-17. doi:10.1145/860435.860440
T. Sakai, R. Song. Evaluating diversified search results using per-intent graded relevance. SIGIR 2011,
1043-1052. doi:10.1145/2009916.2010055
"""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from topicset_core.errors import InputError
from topicset_core.measures.conventions import GAIN_IN_WORDS, Conventions, Gains, gains_of
from topicset_core.measures.graded import (
    effective_largest_grade,
    product_above,
    stop_probabilities,
)
from topicset_core.measures.graded_runs import Floats, GradedRuns
from topicset_core.measures.measure import BinaryMeasure, IntentMeasure, Name, Offered, relevant_from


@dataclass(frozen=True, kw_only=True)
class Cascade(IntentMeasure, BinaryMeasure):
    """A cascade measure, binary as in ndeval or graded, normalised or not."""

    normalised: bool = True  # divided by the value of a greedily found ideal list
    graded: bool = False  # whether grades and probabilities of intents count
    # Gain of a relevant document in the binary form, from 0 to below 1: how little a second one is worth
    alpha: float = 0.5
    largest_grade: int | None = None  # xmax of the graded form

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.alpha < 1:
            raise InputError("alpha", self.alpha, "must be from 0 to below 1")

    @classmethod
    def by_conventions(cls, chosen: Conventions, **fields: Any) -> Self:
        """Return the measure with the conventions that concern its form, the graded one or the binary one."""
        concerns = "largest_grade" if fields.get("graded") else "relevance_level"
        return cls(**{concerns: getattr(chosen, concerns)}, **fields)

    @abstractmethod
    def discounts(self, ranks: NDArray[Any]) -> Floats:
        """Return d(r) of each rank r."""

    @property
    def conventions_in_words(self) -> str:
        """How documents count and the divisor, as the end of a definition."""
        if self.graded:
            largest = "the largest in the qrels" if self.largest_grade is None else str(self.largest_grade)
            ways = f"grade x satisfying an intent with probability (2^x - 1) / 2^xmax, xmax = {largest}"
            ways += ", intents weighted by P(i|q)"
        else:
            ways = f"{relevant_from(self.relevance_level)} without regard to higher grades, alpha = {self.alpha:g}"
            ways += ", all intents with equal weight as in ndeval -traditional"
        if self.normalised:
            return f"{ways}, divided by that of an ideal list found greedily"
        return ways if self.graded else f"{ways}, divided by that of documents relevant to every intent"

    def with_largest_grade(self, largest_grade: int) -> Self:
        """Return the measure with xmax where it is graded and has no value yet."""
        unsettled = self.graded and self.largest_grade is None
        return replace(self, largest_grade=largest_grade) if unsettled else self

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return the measure of each topic and run; 0 where nothing is relevant to any intent."""
        by_intent = self.by_intent(graded)
        level = 1 if self.graded else self.relevance_level
        # Gain, and the remaining part of an intent below: g and 1 - g, but that ndeval takes alpha out of the
        # sum, which the division cancels.
        if self.graded:
            gains = stop_probabilities(by_intent.grades, effective_largest_grade(self.largest_grade, graded))
            left = 1 - gains
            gains = gains * by_intent.probabilities[by_intent.intents]
        else:
            gains = np.ones(by_intent.grades.size)
            left = np.full(by_intent.grades.size, 1 - self.alpha)
        lists = by_intent.lists(level, self.depth)
        documents, pairs = lists
        values = gains[pairs] * product_above(documents, left[pairs]) * self.discounts(documents.ranks)
        scores = by_intent.of_cells(lists, values)
        discounts = self.discounts(np.arange(1, self.depth + 1))
        if self.normalised:
            return graded.ratio(scores, by_intent.greedy_values(level, gains, left, discounts))
        if self.graded:
            return graded.per_cell(scores)
        # Documents relevant to every intent; at rank 1 too, where ndeval leaves the division out.
        worth = float(((1 - self.alpha) ** np.arange(self.depth) * discounts).sum())
        return graded.ratio(scores, by_intent.n_intents(self.relevance_level) * worth)


def names_of_forms(
    normalised: str, spellings: str, not_normalised: str, spellings_not_normalised: str
) -> tuple[Name, ...]:
    """Return the names of the four forms, those of the binary ones as ndeval has them."""
    return tuple(
        Name(
            base_name=f"{'graded-' if graded else ''}{base_name}",
            spellings=f"{'graded[_-]' if graded else ''}{spelt}",
            depth="required",
            fields={"normalised": base_name == normalised, "graded": graded},
        )
        for graded in (False, True)
        for base_name, spelt in ((normalised, spellings), (not_normalised, spellings_not_normalised))
    )


@dataclass(frozen=True, kw_only=True)
class AlphaNDCG(Cascade):
    """alpha-nDCG, or alpha-DCG where it is not normalised; see `Cascade`."""

    NAMES = names_of_forms("alpha-nDCG", r"(?:alpha|α)[_-]?ndcg", "alpha-DCG", r"(?:alpha|α)[_-]?dcg")
    OFFERED = (
        Offered("alpha-nDCG@10", 10, at_first=True),
        Offered("graded-alpha-nDCG@10", 60),
        Offered("alpha-DCG@10", 80),
    )

    @property
    def definition(self) -> str:
        """Definition of the measure and its source."""
        source = "Clarke et al., WSDM 2011" if self.graded else "Clarke et al., SIGIR 2008"
        return (
            f"Discounted cumulative gain of the first {self.depth:,} documents for all intents, each gain less the "
            f"more documents above serve the intent, discount log2(rank + 1), {self.conventions_in_words} "
            f"({source})."
        )

    def discounts(self, ranks: NDArray[Any]) -> Floats:
        """Return 1 / log2(r + 1)."""
        return 1 / np.log2(ranks + 1.0)


@dataclass(frozen=True, kw_only=True)
class ERRIA(Cascade):
    """nERR-IA, or ERR-IA where it is not normalised; see `Cascade`."""

    NAMES = names_of_forms("nERR-IA", r"nerr[_-]?ia", "ERR-IA", r"err[_-]?ia")
    OFFERED = (
        Offered("nERR-IA@10", 20, at_first=True),
        Offered("graded-nERR-IA@10", 70),
        Offered("ERR-IA@10", 90),
    )
    DEFINITION = (
        "Intent-aware expected reciprocal rank of the first {0.depth:,} documents, summed over intents, "
        "{0.conventions_in_words} (Chapelle et al., CIKM 2009; Information Retrieval 14, 2011)."
    )

    def discounts(self, ranks: NDArray[Any]) -> Floats:
        """Return 1 / r."""
        reciprocal: Floats = 1.0 / ranks
        return reciprocal


@dataclass(frozen=True, kw_only=True)
class IntentRecall(IntentMeasure, BinaryMeasure):
    """Intent recall at a rank."""

    NAMES = (
        Name(base_name="I-rec", spellings=r"i[_-]rec", depth="required"),
        # ndeval's name: subtopic recall is intent recall.
        Name(base_name="strec", spellings=r"strec(?:all)?", depth="required", is_listed=False),
    )
    CONVENTIONS = ("relevance_level",)
    OFFERED = (Offered("I-rec@10", 40, at_first=True),)
    DEFINITION = (
        "Among the intents of a topic with a relevant document, the share that has one in the first {0.depth:,} "
        "documents, {relevant} (Sakai and Song, SIGIR 2011; subtopic recall of Zhai et al., SIGIR 2003)."
    )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return I-rec@k of each topic and run."""
        by_intent = self.by_intent(graded)
        lists = by_intent.lists(self.relevance_level, self.depth)
        served = by_intent.of_cells(lists, (lists.documents.nth == 1).astype(float))
        return graded.ratio(served, by_intent.n_intents(self.relevance_level))


@dataclass(frozen=True, kw_only=True)
class DNDCG(IntentMeasure):
    """D-nDCG at a rank. All grades above 0 have gains, whatever the relevance level."""

    NAMES = (Name(base_name="D-nDCG", spellings=r"d[_-]ndcg", depth="required"),)
    OFFERED = (Offered("D-nDCG@10", 30, at_first=True),)
    DEFINITION = (
        "nDCG of the first {0.depth:,} documents with the global gain sum_i P(i|q) g_i of each, {gain}, discount "
        "log2(rank + 1), over that of the judged documents in falling order of global gain (Sakai and Song, SIGIR"
        " 2011)."
    )

    # Gain g of grade x for an intent: 2^x - 1 as in Sakai 2016, section 5, or x itself
    gains: Gains = "exponential"

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return D-nDCG@k of each topic and run."""
        runs, by_intent = graded.judged_runs, self.by_intent(graded)
        gains = by_intent.global_gains(gains_of(by_intent.grades, self.gains))
        entries = np.flatnonzero(runs.ranks <= self.depth)
        gained = gains[runs.judgments[entries]] / np.log2(runs.ranks[entries] + 1.0)
        scores = np.bincount(runs.cells[entries], gained, runs.n_cells)
        judgments = np.flatnonzero(gains > 0)
        topics = runs.qrels.topic_of[judgments]
        order = np.lexsort((-gains[judgments], topics))
        judgments, topics = judgments[order], topics[order]
        starts = np.searchsorted(topics, np.arange(runs.n_topics))
        ranks = np.arange(judgments.size) - starts[topics] + 1
        first = ranks <= self.depth
        ideal = np.bincount(topics[first], (gains[judgments] / np.log2(ranks + 1.0))[first], runs.n_topics)
        return graded.ratio(scores.astype(np.float64, copy=False), ideal)


@dataclass(frozen=True, kw_only=True)
class DSharpNDCG(IntentMeasure, BinaryMeasure):
    """D#-nDCG at a rank; the relevance level concerns intent recall."""

    NAMES = (
        # The sign is a dash in names of files, where not all systems take it.
        Name(base_name="D#-nDCG", spellings=r"d(?:#|♯|-|sharp)[_-]ndcg", depth="required"),
    )
    CONVENTIONS = ("relevance_level",)
    OFFERED = (Offered("D#-nDCG@10", 50, at_first=True),)

    gamma: float = 0.5  # weight of I-rec, from 0 to 1
    gains: Gains = "exponential"  # gain of grade x in D-nDCG: 2^x - 1, or x itself

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.gamma <= 1:
            raise InputError("gamma", self.gamma, "must be from 0 to 1")

    @property
    def definition(self) -> str:
        """Definition of the measure and its source."""
        return (
            f"{self.gamma:g} I-rec@{self.depth} + {1 - self.gamma:g} D-nDCG@{self.depth}, "
            f"{relevant_from(self.relevance_level)} for I-rec, {GAIN_IN_WORDS[self.gains]} for D-nDCG "
            "(Sakai and Song, SIGIR 2011)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return D#-nDCG@k of each topic and run."""
        self.by_intent(graded)  # without intents, the error should be about this measure
        recall = IntentRecall(depth=self.depth, relevance_level=self.relevance_level).scores_of(graded)
        gain = DNDCG(depth=self.depth, gains=self.gains).scores_of(graded)
        return self.gamma * recall + (1 - self.gamma) * gain
