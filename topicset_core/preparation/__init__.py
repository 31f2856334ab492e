"""Preparation of scores before planning with them, each step with a record.

Every step takes a score matrix and returns a new one and its record, whose `notes` describe the step
in sentences. How it changes the variance shows by estimating that of both matrices.
"""

from topicset_core.preparation.editing import divide, transpose
from topicset_core.preparation.joining import join_systems, join_topics
from topicset_core.preparation.means import MEAN, mean_of
from topicset_core.preparation.runs import caution_on_constant_runs, constant_runs
from topicset_core.preparation.scales import GMAP_FLOOR, METHODS
from topicset_core.preparation.steps import Prepared, Steps, fraction_of, prepare
from topicset_core.preparation.whole_groups import whole_groups

__all__ = [
    "GMAP_FLOOR",
    "MEAN",
    "METHODS",
    "Prepared",
    "Steps",
    "caution_on_constant_runs",
    "constant_runs",
    "divide",
    "fraction_of",
    "join_systems",
    "join_topics",
    "mean_of",
    "prepare",
    "transpose",
    "whole_groups",
]
