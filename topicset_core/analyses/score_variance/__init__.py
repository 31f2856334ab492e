"""The variance that a design needs, estimated from past scores.

`uncertainty` gives a variance, the topics it asks for, and how far both depend on the topics that were
there, for one collection or round by round, and before and after a preparation of the scores; `report`
its tables and figures, and the mean of each run with its interval.
"""

from topicset_core.analyses.score_variance.uncertainty import (
    VarianceUncertainty,
    variance_uncertainty,
)

__all__ = ["VarianceUncertainty", "variance_uncertainty"]
