"""The variance that a topic set size design needs, from past scores, and its uncertainty.

The default is `one_way` for topics that systems do not share (Sakai 2016, Eq. 36), `two_way` for shared topics, and
twice that, the mean over pairs, for the difference of two systems (`usual_estimate`). All estimates take a complete
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
    TWO_WAY,
    Estimate,
    usual_estimate,
)
from topicset_core.variance.clustered_differences import ClusteredDifferences, clustered_differences
from topicset_core.variance.estimates import one_way, two_way
from topicset_core.variance.group_components import GroupComponents, group_components
from topicset_core.variance.intervals import VarianceInterval
from topicset_core.variance.literature import STATED_VARIANCES, StatedVariance
from topicset_core.variance.pooling import Weights, disagreement, pooled, pooled_interval, scale_question

__all__ = [
    "CONSERVATIVE_DIFFERENCE",
    "ESTIMATES",
    "MEAN_PAIR_DIFFERENCE",
    "OFFERED",
    "ONE_WAY",
    "PAIR_PERCENTILE",
    "STATED_VARIANCES",
    "TWO_WAY",
    "ClusteredDifferences",
    "Estimate",
    "GroupComponents",
    "StatedVariance",
    "VarianceInterval",
    "Weights",
    "clustered_differences",
    "disagreement",
    "group_components",
    "one_way",
    "pooled",
    "pooled_interval",
    "scale_question",
    "two_way",
    "usual_estimate",
]
