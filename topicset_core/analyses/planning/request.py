"""What is asked of a plan: a design with its values, what is unknown, groups, certainty and method.

Of the number of topics, the difference and the power, one is unknown and follows from the others: the topics where
no number of topics is given, the power where the difference is given next to it, else the difference.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from topicset_core.designs import IN_GROUPS, Design
from topicset_core.designs.grouped import COST_GROUP, GROUP_SIZE, GROUP_SIZE_CV, INTRACLASS_CORRELATION
from topicset_core.designs.replicated import COST_TOPIC
from topicset_core.errors import InputError
from topicset_core.inputs import Given, Inputs, given
from topicset_core.parameters import (
    BETA,
    CERTAINTY,
    METHOD,
    MIN_D,
    MIN_DELTA,
    N_TOPICS,
    TRUE_DIFFERENCE,
    ChoiceParameter,
    Parameter,
)

Unknown = Literal["topics", "difference", "power"]
"""What a plan is asked for."""

FIND = ChoiceParameter(
    name="find",
    label="Find",
    help="Topics, difference and power: any one follows from the other two.",
    options={"topics": "topics", "difference": "difference", "power": "power"},
    default="topics",
)

MOST_FOR_SHARES = 20_000
"""Topics that may be given for a design for scores of 0 and 1: its answer takes a second there."""

OF_GROUPS = (GROUP_SIZE, GROUP_SIZE_CV, INTRACLASS_CORRELATION, COST_GROUP, COST_TOPIC)
"""What a request says of topics in groups."""

GIVEN_TOPICS = replace(
    N_TOPICS,
    command_name="topics",
    help="Answer for this number of topics, or groups, instead: the power, without a difference the smallest "
    "difference that they detect, or the expected width.",
)


@dataclass(frozen=True, kw_only=True)
class PlanRequest(Inputs):
    """A design, its values by the names of its parameters and choices, and how it is to be answered.

    The values have no variance: that is of the source. `values` may have minDelta in place of difference and
    variance.
    """

    design: Design
    values: Mapping[str, Any]
    n_topics: int | None = given(GIVEN_TOPICS, unless="unknown")
    certainty: float | None = given(CERTAINTY, unless="not asked for")
    group_size: int | None = given(GROUP_SIZE, unless="as in the scores, or topics are independent")
    group_size_cv: float | None = given(GROUP_SIZE_CV, unless="as in the scores, or equal sizes")
    intraclass_correlation: float | None = given(INTRACLASS_CORRELATION, unless="by the groups of the scores")
    cost_group: float | None = given(COST_GROUP, unless="not known")
    cost_topic: float | None = given(COST_TOPIC, unless="not known")
    method: str = given(METHOD)

    def check_together(self) -> None:
        """Check that the design has all values that it needs, and none that it does not take."""
        design, values = self.design, self.with_defaults
        self._check_groups()
        for parameter in self.needed:
            if values.get(parameter.name) is None:
                raise InputError(parameter.name, None, f"must be given for {design.slug}")
        taken = {parameter.name for parameter in (*design.parameters, *design.choices)}
        taken |= {MIN_DELTA.name} if design.takes_effects else set()
        for name, value in values.items():
            if value is not None and name not in taken:
                raise InputError(name, value, f"has no meaning for {design.slug}")
        for parameter in design.parameters:
            if values.get(parameter.name) is not None:
                check = parameter.check_given if parameter.of_measure else parameter.check
                check(values[parameter.name])
        for choice in design.choices:
            if values.get(choice.name) is not None:
                choice.check(values[choice.name])
        if values.get(MIN_DELTA.name) is not None and values.get(MIN_D.name) is not None:
            raise InputError(
                MIN_DELTA.name, values[MIN_DELTA.name], f"must be left out next to {MIN_D.option}"
            )
        if design.shares and (self.n_topics or 0) > MOST_FOR_SHARES:
            rule = (
                f"must be at most {MOST_FOR_SHARES:,} for scores of 0 and 1, whose probabilities are summed"
            )
            raise InputError(GIVEN_TOPICS.name, self.n_topics, rule)
        if self.certainty is not None:
            self._check_certainty()

    def _check_groups(self) -> None:
        if self.in_groups and self.design not in IN_GROUPS:
            name, value = next(iter(self.in_groups.items()))
            raise InputError(name, value, f"has no meaning for {self.design.slug}")
        costs = (COST_GROUP, self.cost_group), (COST_TOPIC, self.cost_topic)
        for (parameter, value), (other, needed) in (costs, costs[::-1]):
            if value is None and needed is not None:
                raise InputError(parameter.name, None, f"must be given next to {other.option}")

    def _check_certainty(self) -> None:
        if self.design.has_uncertain_variance:
            rule = f"has no meaning for {self.design.slug}, which is sized by the variance of its pilot"
            raise InputError(CERTAINTY.name, self.certainty, rule)
        if self.n_topics is not None:
            raise InputError(CERTAINTY.name, self.certainty, f"has no meaning next to {GIVEN_TOPICS.option}")
        if self.method != "exact":
            raise InputError(METHOD.name, self.method, f"must be exact next to {CERTAINTY.option}")

    @property
    def with_defaults(self) -> dict[str, Any]:
        """The values, with systems that are equal where the design asks for a true difference that is not given."""
        values = {name: value for name, value in self.values.items() if value is not None}
        equal = {TRUE_DIFFERENCE.name: 0.0} if TRUE_DIFFERENCE in self.design.parameters else {}
        return equal | values

    @property
    def unknown(self) -> Unknown:
        """What follows from the others."""
        if self.n_topics is None:
            return "topics"
        has_difference = any(
            self.values.get(name) is not None
            for name in (self.design.difference_parameter.name, MIN_DELTA.name)
        )
        return "power" if self.design.has_power and has_difference else "difference"

    @property
    def needed(self) -> tuple[Parameter, ...]:
        """The parameters of the design that must be given."""
        design, unknown = self.design, self.unknown
        left_out = {
            "topics": [MIN_D] if self.values.get(MIN_DELTA.name) is not None else [],
            "difference": [design.difference_parameter],
            "power": [BETA, *([MIN_D] if self.values.get(MIN_DELTA.name) is not None else [])],
        }
        return tuple(parameter for parameter in design.parameters if parameter not in left_out[unknown])

    @property
    def in_groups(self) -> dict[str, Any]:
        """What is stated about groups, by name."""
        stated = {parameter.name: getattr(self, parameter.name) for parameter in OF_GROUPS}
        return {name: value for name, value in stated.items() if value is not None}

    @classmethod
    def further(cls) -> Iterator[Given]:
        """Yield the fields that are numbers of any design, which forms, links and commands have beyond its own."""
        for field in cls.declared():
            if isinstance(field.parameter, Parameter) and field.name not in ("n_topics", "certainty"):
                yield field

    @property
    def costs(self) -> tuple[float, float] | None:
        """Costs of a group and of a topic."""
        if self.cost_group is None or self.cost_topic is None:
            return None
        return self.cost_group, self.cost_topic

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from all other requests, as plain values."""
        return self.design.slug, *sorted(self.values.items()), *self.record().items()
