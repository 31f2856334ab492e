"""How well do the run means over a subset of topics agree with those over all topics?

Three measures (Guiver, Mizzaro and Robertson 2009, section 4.4), X the means over the subset and Y the
ground truth, over all topics:

- Pearson's correlation of X and Y;
- Kendall's tau-b: pairs of runs in the same order less pairs in opposite orders, divided by
  sqrt(pairs not tied in X * pairs not tied in Y);
- weighted average error rate, Eq. 1: sum of |Y_i - Y_j| over the pairs that X has the other way round,
  divided by that sum over all pairs. A pair that ties in X is no error.

The paper's metrics come with the matrix: R-precision and P@10 are matrices of their own, and GMAP is the
logarithm of AP (`topicset_core.preparation.log_transform`), averaged as the paper does.

References
----------
J. Guiver, S. Mizzaro, S. Robertson. A few good topics: Experiments in topic set reduction for retrieval
evaluation. ACM TOIS 27(4), article 21 (2009). doi:10.1145/1629096.1629099
M. G. Kendall. The treatment of ties in ranking problems. Biometrika 33(3), 239-251 (1945).
doi:10.1093/biomet/33.3.239
"""

from dataclasses import dataclass
from typing import Literal

from topicset_core.errors import InputError

Goodness = Literal["pearson", "kendall", "error-rate"]


@dataclass(frozen=True, kw_only=True)
class GoodnessMeasure:
    """One measure of goodness.

    Parameters
    ----------
    key : {"pearson", "kendall", "error-rate"}
        In Python, links and the command line.
    label, short : str
        In full, and as it stands on an axis.
    symbol : str
        In a sentence.
    higher_is_better : bool
        False for the error rate.
    perfect : float
        What all topics together reach.
    target : float
        Where to read across by default: .95 as in the paper's section 3, .9 for tau as is usual, and for
        the error rate about what TREC-8's average subset with r = .95 has.
    """

    key: Goodness
    label: str
    short: str
    symbol: str
    higher_is_better: bool
    perfect: float
    target: float

    def meets(self, value: float, target: float) -> bool:
        """Return whether a value is as good as the target."""
        return value >= target if self.higher_is_better else value <= target


MEASURES = (
    GoodnessMeasure(
        key="pearson",
        label="Pearson's correlation",
        short="Correlation r",
        symbol="r",
        higher_is_better=True,
        perfect=1.0,
        target=0.95,
    ),
    GoodnessMeasure(
        key="kendall",
        label="Kendall's tau-b",
        short="Kendall's τ",
        symbol="τ",
        higher_is_better=True,
        perfect=1.0,
        target=0.90,
    ),
    GoodnessMeasure(
        key="error-rate",
        label="Weighted average error rate",
        short="Error rate",
        symbol="error rate",
        higher_is_better=False,
        perfect=0.0,
        target=0.02,
    ),
)


def measure_of(key: object) -> GoodnessMeasure:
    """Return the measure of that key.

    Raises
    ------
    InputError
        If there is none.
    """
    for measure in MEASURES:
        if measure.key == key:
            return measure
    raise InputError("goodness", key, f"must be one of {', '.join(measure.key for measure in MEASURES)}")
