"""Measures in which all grades above 0 count, whatever the relevance level: nDCG, ERR and nERR."""

from dataclasses import dataclass, replace

import numpy as np

from topicset_core.collection.judged_runs import Grades
from topicset_core.errors import InputError
from topicset_core.measures.conventions import Gains, check_exponent, gains_of
from topicset_core.measures.graded_runs import Floats, GradedRuns, RankedDocuments
from topicset_core.measures.measure import Measure, Name, Offered, down_to


@dataclass(frozen=True, kw_only=True)
class NDCG(Measure):
    """Normalised discounted cumulative gain of grades above 0 at any relevance level, as in trec_eval."""

    CONVENTIONS = ("gains",)
    NAMES = (Name(base_name="nDCG", spellings=r"ndcg", depth="optional"),)
    OFFERED = (
        Offered("nDCG", 20),
        Offered("nDCG@10", 30, at_first=True),
    )
    DEFINITION = (
        "Normalised discounted cumulative gain of {ranks}, {gain}, discount log2(rank + 1) from the first rank on"
        " (Järvelin and Kekäläinen, TOIS 2002; discount of Burges et al., ICML 2005)."
    )

    depth: int | None = None  # ranks evaluated, in the run and in the ideal list
    gains: Gains = "linear"  # gain of grade x: x itself, or 2^x - 1

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return nDCG of each topic and run: DCG over DCG of the ideal list."""
        return graded.ratio(self._dcg(graded.relevant(1)), self._dcg(graded.ideal(1)))

    def _dcg(self, documents: RankedDocuments) -> Floats:
        gains = gains_of(documents.grades, self.gains)
        return documents.sums(gains / np.log2(documents.ranks + 1), self.depth)


BLOCK = 1 << 21
"""Numbers in one block of lists times documents, 16 MB."""


@dataclass(frozen=True, kw_only=True)
class ERR(Measure):
    """Expected reciprocal rank, or nERR; it stops at grade x > 0 with probability (2^x - 1) / 2^xmax."""

    NAMES = (
        Name(base_name="nERR", spellings="nerr", depth="optional", fields={"normalised": True}),
        Name(base_name="ERR", spellings="err", depth="optional", fields={"normalised": False}),
    )
    CONVENTIONS = ("largest_grade",)
    OFFERED = (Offered("nERR", 90), Offered("ERR@20", 100))

    depth: int | None = None  # ranks evaluated, in the run and in the ideal list
    largest_grade: int | None = None
    normalised: bool = False  # divided by the ERR of the ideal list, which is nERR

    @property
    def definition(self) -> str:
        """Definition of the measure and its source."""
        largest = (
            "xmax the largest grade in the qrels"
            if self.largest_grade is None
            else f"xmax = {self.largest_grade}"
        )
        normalised = ", divided by that of the ideal list" if self.normalised else ""
        return (
            f"Expected reciprocal rank of {down_to(self.depth)}, stopping at grade x with probability "
            f"(2^x - 1) / 2^xmax, {largest}{normalised} (Chapelle et al., CIKM 2009)."
        )

    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return ERR or nERR of each topic and run."""
        largest = effective_largest_grade(self.largest_grade, graded)
        scores = self._err(graded.relevant(1), largest)
        if not self.normalised:
            return graded.per_cell(scores)
        return graded.ratio(scores, self._err(graded.ideal(1), largest))

    def with_largest_grade(self, largest_grade: int) -> "ERR":
        """Return the measure with xmax, which it may have already."""
        return replace(self, largest_grade=largest_grade) if self.largest_grade is None else self

    def _err(self, documents: RankedDocuments, largest_grade: int) -> Floats:
        """Return the sum over ranks r of P(stops at r) / r."""
        stops = stop_probabilities(documents.grades, largest_grade)
        return documents.sums(stops * product_above(documents, 1 - stops) / documents.ranks, self.depth)


def effective_largest_grade(chosen: int | None, graded: GradedRuns) -> int:
    """Return xmax: the one chosen, or the largest grade in the qrels, masked or not."""
    largest = max(int(graded.judged_runs.qrels.grades.max()), int(graded.grades.max()), 1)
    check_exponent("grades", largest)
    if chosen is None:
        return largest
    if largest > chosen:
        rule = f"must be at least the largest grade in the qrels, {largest}"
        raise InputError("largest_grade", chosen, rule)
    return chosen


def stop_probabilities(grades: Grades, largest_grade: int) -> Floats:
    """Return with which probability each grade x satisfies: (2^x - 1) / 2^xmax (Chapelle et al. 2009)."""
    stops: Floats = ((1 << grades.astype(np.int64)) - 1) / (1 << largest_grade)
    return stops


def product_above(documents: RankedDocuments, values: Floats) -> Floats:
    """Return for each document the product of the values above it in its list, 1 for the first."""
    products = np.ones(values.size)
    if not values.size:
        return products
    # Lists as rows of a table, filled up with ones, so that one running product serves many lists.
    width = int(documents.nth.max())
    rows = max(1, BLOCK // width)
    filled = np.flatnonzero(np.diff(documents.starts))
    for block in np.split(filled, range(rows, filled.size, rows)):
        part = slice(int(documents.starts[block[0]]), int(documents.starts[block[-1] + 1]))
        row, column = np.searchsorted(block, documents.lists[part]), documents.nth[part] - 1
        table = np.ones((block.size, width + 1))
        table[row, column + 1] = values[part]
        products[part] = np.cumprod(table, axis=1)[row, column]
    return products
