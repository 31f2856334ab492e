"""No plan of any design takes a value outside its range, whatever is unknown: topics, difference or power."""

import math
from collections.abc import Iterator
from typing import Any

import pytest

from topicset_core.analyses.planning import PlanRequest, Stated, planned
from topicset_core.designs import ALL_DESIGNS, Design
from topicset_core.errors import InputError
from topicset_core.parameters import BETA

OUTSIDE = (-1, math.nan, math.inf, -math.inf, 1e308)
"""What no parameter of a design allows."""


def _values(design: Design) -> dict[str, Any]:
    of_measure = {"min_d": 0.1, "max_width": 0.1, "margin": 0.05}
    return {
        parameter.name: of_measure.get(parameter.name, parameter.default) for parameter in design.parameters
    }


def _cases() -> Iterator[Any]:
    for design in ALL_DESIGNS:
        unknowns = {"topics": "", "difference": design.difference_parameter.name}
        if design.has_power:
            unknowns["power"] = BETA.name
        for unknown, left_out in unknowns.items():
            yield pytest.param(design, unknown, left_out, id=f"{design.slug}-{unknown}")


@pytest.mark.parametrize(("design", "unknown", "left_out"), [*_cases()])
def test_values_outside_their_range_are_refused(design: Design, unknown: str, left_out: str) -> None:
    values = {name: value for name, value in _values(design).items() if name != left_out}
    variance = design.variance_of({}) if design.variance else None
    n_topics = None if unknown == "topics" else 50

    def plan(variance_given: float = 0.05, topics: Any = n_topics, **changed: Any) -> Any:
        request = PlanRequest(design=design, values=values | changed, n_topics=topics)
        source = Stated(values={variance.name: variance_given}, words="given") if variance else None
        return planned(request, source)

    assert plan().unknown == unknown
    for number in OUTSIDE:
        for name in values:
            if not (number == -1 and name == "true_difference"):
                with pytest.raises(InputError, match=name):
                    plan(**{name: number})
        if variance:
            with pytest.raises(InputError, match=variance.name):
                plan(variance_given=number)
        if n_topics:
            with pytest.raises(InputError, match="topics"):
                plan(topics=number)
