"""The variance that a design needs, estimated from past scores.

`uncertainty` gives a variance, the topics it asks for, and how far both depend on the topics that were
there, for one collection or round by round; `preparation_effect` the effect of a preparation of the scores
changes; `run_means` the mean of each run with its interval.
"""

from topicset_core.analyses.score_variance.preparation_effect import PreparationEffect, preparation_effect
from topicset_core.analyses.score_variance.run_means import RunMeans, run_means
from topicset_core.analyses.score_variance.uncertainty import (
    Round,
    VarianceUncertainty,
    rounds,
    variance_uncertainty,
)

__all__ = [
    "PreparationEffect",
    "Round",
    "RunMeans",
    "VarianceUncertainty",
    "preparation_effect",
    "rounds",
    "run_means",
    "variance_uncertainty",
]
