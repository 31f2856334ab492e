"""The variance that a topic set size design needs, from past scores, and its uncertainty.

The default is `one_way` for topics that systems do not share (Sakai 2016, Eq. 36), `two_way` for shared topics, and
the 95th percentile of pairs for the difference of two systems (`usual_estimate`). All estimates take a complete
`ScoreMatrix` and return plain floats at full precision: rounding a variance can change the
required number of topics by one. `choices` names them all; `intervals` has the interval of each.
"""

from topicset_core.variance.choices import (
    CONSERVATIVE_DIFFERENCE,
    ESTIMATES,
    MEAN_PAIR_DIFFERENCE,
    OFFERED,
    ONE_WAY,
    PAIR_PERCENTILE,
    TOTAL,
    TWO_WAY,
    Estimate,
    chosen_pair,
    pair_percentile,
    usual_estimate,
)
from topicset_core.variance.estimates import conservative_difference_variance, one_way, total, two_way
from topicset_core.variance.intervals import VarianceInterval
from topicset_core.variance.literature import STATED_VARIANCES, StatedVariance
from topicset_core.variance.pair_differences import (
    PairDifferenceVariances,
    chosen_pair_difference_variance,
    mean_pair_difference_variance,
    pair_difference_variances,
    percentile_pair_difference_variance,
)
from topicset_core.variance.pooling import (
    Disagreement,
    LargestVariance,
    Weights,
    disagreement,
    largest_by_measure,
    pool_of,
    pooled,
    pooled_interval,
    scale_question,
)
from topicset_core.variance.sums_of_squares import MeanSquares, mean_squares

__all__ = [
    "CONSERVATIVE_DIFFERENCE",
    "ESTIMATES",
    "MEAN_PAIR_DIFFERENCE",
    "OFFERED",
    "ONE_WAY",
    "PAIR_PERCENTILE",
    "STATED_VARIANCES",
    "TOTAL",
    "TWO_WAY",
    "Disagreement",
    "Estimate",
    "LargestVariance",
    "MeanSquares",
    "PairDifferenceVariances",
    "StatedVariance",
    "VarianceInterval",
    "Weights",
    "chosen_pair",
    "chosen_pair_difference_variance",
    "conservative_difference_variance",
    "disagreement",
    "largest_by_measure",
    "mean_pair_difference_variance",
    "mean_squares",
    "one_way",
    "pair_difference_variances",
    "pair_percentile",
    "percentile_pair_difference_variance",
    "pool_of",
    "pooled",
    "pooled_interval",
    "scale_question",
    "total",
    "two_way",
    "usual_estimate",
]
