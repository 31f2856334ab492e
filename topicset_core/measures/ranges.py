"""Which differences scores of a measure can have: most measures range from 0 to 1."""

from collections.abc import Sequence

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.measures.registry import measure_named
from topicset_core.parameters import Parameter

_WITHOUT_UPPER_END = ("graded-alpha-DCG",)
"""Measures that exceed 1 where a topic has many relevant documents."""


def check_in_range(parameter: Parameter, value: float, measure: str, matrices: Sequence[ScoreMatrix]) -> None:
    """Refuse a difference that scores cannot have, where their measure is known to range from 0 to 1."""
    if abs(value) <= parameter.ranges:
        return
    try:
        known = measure_named(measure)
    except InputError:  # nothing is known of other measures
        return
    on_another_scale = any(one.scores.min() < 0 or one.scores.max() > 1 for one in matrices)
    if not on_another_scale and known.base_name not in _WITHOUT_UPPER_END:
        rule = f"must be at most {parameter.ranges:g}, as {measure} ranges from 0 to 1"
        raise InputError(parameter.name, value, rule)
