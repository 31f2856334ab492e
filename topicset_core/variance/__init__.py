"""What past scores say about the variance that a topic set size design needs.

The default everywhere is `one_way`, the within-system variance of Sakai 2016, Eq. 36; its
docstring and that of `two_way` say what separates them. All estimates take a complete
`ScoreMatrix` and return plain floats at full precision: rounding a variance can change the
required number of topics by one.
"""

from topicset_core.variance.difference import conservative_difference_variance
from topicset_core.variance.estimates import mean_pair_difference_variance, one_way, total, two_way
from topicset_core.variance.pooling import pooled
from topicset_core.variance.sums_of_squares import MeanSquares, mean_squares

__all__ = [
    "MeanSquares",
    "conservative_difference_variance",
    "mean_pair_difference_variance",
    "mean_squares",
    "one_way",
    "pooled",
    "total",
    "two_way",
]
