"""Preparation of scores before planning with them, each step with a record.

Every step takes a score matrix and returns a new one and its record, whose `notes` describe the step
in sentences. How it changes the variance shows by estimating that of both matrices.
"""

from topicset_core.preparation.editing import Edited, EditedCell, divide, edit, transpose
from topicset_core.preparation.log_transform import GMAP_FLOOR, LogTransformed, log_transform
from topicset_core.preparation.runs import DroppedRuns, drop_runs
from topicset_core.preparation.standardisation import METHODS, Standardised, standardise
from topicset_core.preparation.steps import Prepared, Steps, fraction_of, prepare

__all__ = [
    "GMAP_FLOOR",
    "METHODS",
    "DroppedRuns",
    "Edited",
    "EditedCell",
    "LogTransformed",
    "Prepared",
    "Standardised",
    "Steps",
    "divide",
    "drop_runs",
    "edit",
    "fraction_of",
    "log_transform",
    "prepare",
    "standardise",
    "transpose",
]
