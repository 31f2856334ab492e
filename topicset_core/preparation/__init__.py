"""Preparation of scores before planning with them, each step with a record.

Every step takes a score matrix and returns a new one and its record, whose `notes` describe the step
in sentences. How it changes the variance shows by estimating that of both matrices.
"""

from topicset_core.preparation.editing import divide, transpose
from topicset_core.preparation.joining import join_topics
from topicset_core.preparation.scales import GMAP_FLOOR, METHODS
from topicset_core.preparation.steps import Prepared, Steps, fraction_of, prepare
from topicset_core.preparation.whole_groups import whole_groups

__all__ = [
    "GMAP_FLOOR",
    "METHODS",
    "Prepared",
    "Steps",
    "divide",
    "fraction_of",
    "join_topics",
    "prepare",
    "transpose",
    "whole_groups",
]
