"""What is done to scores before they are planned with, each step with a record of what it did.

Every step takes a score matrix and returns a new one and its record, whose `said` puts into sentences
what was done. How it changes the variance shows by estimating that of both matrices.
"""

from topicset_core.preparation.log_transform import GMAP_FLOOR, LogTransformed, log_transform
from topicset_core.preparation.runs import DroppedRuns, drop_runs
from topicset_core.preparation.standardisation import Standardised, standardise

__all__ = [
    "GMAP_FLOOR",
    "DroppedRuns",
    "LogTransformed",
    "Standardised",
    "drop_runs",
    "log_transform",
    "standardise",
]
