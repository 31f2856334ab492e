"""Plans of designs with stated variances, as the tests of this room need them."""

from collections.abc import Mapping
from typing import Any

from topicset_core.analyses.planning import Planned, PlanRequest, Stated, planned
from topicset_core.analyses.planning.source import VARIANCES
from topicset_core.designs import Design


def plan_with(
    design: Design, values: Mapping[str, Any], *, measure: str = "AP", words: str = "typed", **asked: Any
) -> Planned:
    """Return the answer of a design with all its values, among them the variance."""
    names = {parameter.name for parameter in VARIANCES}
    stated = Stated(
        values={name: value for name, value in values.items() if name in names}, measure=measure, words=words
    )
    given = {name: value for name, value in values.items() if name not in names}
    return planned(PlanRequest(design=design, values=given, **asked), stated)
