"""How well do the run means over a subset of topics agree with those over all topics?

Three measures (Guiver, Mizzaro and Robertson 2009, section 4.4), X the means over the subset and Y the
reference ranking, over all topics:

- Pearson's correlation of X and Y;
- Kendall's tau-b: pairs of runs in the same order less pairs in opposite orders, divided by
  sqrt(pairs not tied in X * pairs not tied in Y);
- weighted average error rate, Eq. 1: sum of |Y_i - Y_j| over the pairs that X reverses,
  divided by that sum over all pairs. A pair that ties in X counts as half an error, as X says nothing and a
  coin decides; in Eq. 1 it is no error. A pair that ties in Y has no order to reverse and weighs nothing.

The paper's metrics come with the matrix: R-precision and P@10 are matrices of their own, and GMAP is the
logarithm of AP (`topicset_core.preparation.scales`), averaged as the paper does.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from topicset_core.errors import InputError
from topicset_core.wording import TIES, counted

Goodness = Literal["pearson", "kendall", "error-rate"]


@dataclass(frozen=True, kw_only=True)
class GoodnessMeasure:
    """One measure of goodness."""

    key: Goodness  # in Python, links and the command line
    # In full, and unchanged on an axis
    label: str
    short: str
    symbol: str
    higher_is_better: bool  # False for the error rate
    # Where to read across by default: .95 as in the paper's section 3, .9 for tau as is usual, and for the
    # error rate about what TREC-8's average subset with r = .95 has
    target: float

    @property
    def sign(self) -> float:
        """1, or -1 where lower is better: goodness in units of the measure is this times the oriented goodness."""
        return 1.0 if self.higher_is_better else -1.0

    @property
    def of_run_means(self) -> str:
        """The measure of two rankings in a paragraph."""
        name = "the weighted average error rate" if self.key == "error-rate" else self.label
        return f"{name} of their run means"

    @property
    def ties(self) -> str:
        """What to add to a value: how ties count in the error rate; "" for tau-b and the correlation."""
        return f" {TIES}" if self.key == "error-rate" else ""

    def in_units(self, oriented: float | None) -> float | None:
        """Return an oriented goodness in units of the measure."""
        return None if oriented is None else self.sign * oriented + 0.0  # no negative zeros

    def meets(self, value: float, target: float) -> bool:
        """Return whether a value is as good as the target."""
        return value >= target if self.higher_is_better else value <= target

    def first_to_meet(self, values: Iterable[tuple[int, float]], target: float) -> int | None:
        """Return the first size whose value is as good as the target."""
        return next((size for size, value in values if self.meets(value, target)), None)

    def equal_to(self, text: str) -> str:
        """Return the symbol with a value in words: "r = 0.95", "error rate of 1.2 %"."""
        return f"{self.symbol} {'=' if self.higher_is_better else 'of'} {text}"


MEASURES = (
    GoodnessMeasure(
        key="pearson",
        label="Pearson's correlation",
        short="Correlation r",
        symbol="r",
        higher_is_better=True,
        target=0.95,
    ),
    GoodnessMeasure(
        key="kendall",
        label="Kendall's tau-b",
        short="Kendall's τ",
        symbol="τ",
        higher_is_better=True,
        target=0.90,
    ),
    GoodnessMeasure(
        key="error-rate",
        label="Weighted average error rate",
        short="Error rate",
        symbol="error rate",
        higher_is_better=False,
        target=0.02,
    ),
)


def measure_of(key: object) -> GoodnessMeasure:
    """Return the measure of that key."""
    for measure in MEASURES:
        if measure.key == key:
            return measure
    raise InputError("goodness", key, f"must be one of {', '.join(measure.key for measure in MEASURES)}")


def reached(value: float, measure: GoodnessMeasure) -> str:
    """Return a goodness with its symbol: r = 0.931, error rate 1.2 %."""
    return f"{measure.symbol} {'= ' if measure.higher_is_better else ''}{number(value, measure)}"


def number(value: float, measure: GoodnessMeasure) -> str:
    """Return a goodness as it is read, with as many digits each time so that columns of words compare."""
    return f"{value + 0.0:.3f}" if measure.higher_is_better else f"{100 * value:.1f} %"


def named(measure: GoodnessMeasure) -> str:
    """Return the name of a measure within a sentence: two begin with a person's."""
    return measure.label.lower() if measure.key == "error-rate" else measure.label


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """How the ranking of the runs by a subset of topics agrees with that by all."""

    kendall: float | None
    n_pairs: int  # pairs of runs with a difference over all topics
    # Of them, the reversed pairs, and the pairs that tie on the subset
    n_reversed: int
    n_tied: int

    @property
    def is_perfect(self) -> bool:
        """Whether the subset ranks the runs exactly as all topics do, ties included."""
        return self.kendall == 1.0

    @property
    def share_reversed(self) -> float:
        """Reversed pairs of all with a difference over all topics, those that tie on the subset by half; 0 to 1."""
        return (self.n_reversed + self.n_tied / 2) / self.n_pairs

    @property
    def in_words(self) -> str:
        """The pairs that are reversed and tied, with their share, in a sentence without its full stop."""
        pairs, share = (
            f"{self.n_reversed:,} of {counted(self.n_pairs, 'pair')} of runs",
            f"{100 * self.share_reversed:.1f} %",
        )
        if self.n_tied == 0:
            return f"{pairs} ({share}) are reversed"
        return f"{pairs} are reversed and {self.n_tied:,} tie ({share}, a tie as half)"


def agreement_of(everything: NDArray[np.float64], subset: NDArray[np.float64]) -> Agreement:
    """Return how sums of whole scores over a subset order the runs, next to those over all topics, (n_systems,)."""
    first, second = np.triu_indices(len(everything), k=1)
    right, seen = everything[first] - everything[second], subset[first] - subset[second]
    signs = np.sign(right) * np.sign(seen)
    untied, seen_untied = int(np.count_nonzero(right)), int(np.count_nonzero(seen))
    square = untied * seen_untied
    return Agreement(
        kendall=float(signs.sum()) / math.sqrt(square) if square else None,
        n_pairs=untied,
        n_reversed=int(np.count_nonzero(signs < 0)),
        n_tied=int(np.count_nonzero((right != 0) & (seen == 0))),
    )
