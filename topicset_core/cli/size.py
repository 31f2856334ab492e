"""``size``: the required number of topics for one design.

Nothing has a default but the method: a design with a forgotten option must not look like an answer.
"""

import argparse
from typing import Any

import topicset_core.parameters
from topicset_core.analyses.sizing.report import bare_report
from topicset_core.cli import options as made
from topicset_core.cli.printing import flat
from topicset_core.designs import ALL_DESIGNS, Design, design_named
from topicset_core.designs.results import ErrorRateResult, PowerResult, WidthResult
from topicset_core.errors import InputError
from topicset_core.parameter import Parameter
from topicset_core.parameters import DIFFERENCE_VARIANCE, MIN_D, MIN_DELTA, WITHIN_SYSTEM_VARIANCE
from topicset_core.variance.difference import conservative_difference_variance

_TAKEN = {parameter for design in ALL_DESIGNS for parameter in (*design.parameters, design.variance)}
_PARAMETERS = tuple(
    found
    for found in vars(topicset_core.parameters).values()
    if isinstance(found, Parameter) and found in _TAKEN | {MIN_DELTA}
)
"""What some design takes, in the order in which parameters are defined."""


def add_parser(commands: Any) -> None:
    """Add ``size`` to the command line."""
    parser = commands.add_parser(
        "size",
        help="required number of topics for one design",
        description="The smallest number of topics that meets the requirements. All values must be given.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "design",
        choices=[design.slug for design in ALL_DESIGNS],
        help="which test or interval the topics are for",
    )
    made.add(parser, _PARAMETERS)
    parser.add_argument("--method", choices=("exact", "published"), default="exact", help="default: exact")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Return the answer as text and as a record.

    Raises
    ------
    InputError
        If an option is missing, surplus or contradictory, or breaks its rule.
    NoSolution
        If no topic set size within the limits meets the requirements.
    """
    design = design_named(options.design)
    values = made.given(options, _PARAMETERS)
    made.check_given(values, _PARAMETERS, _required(design), _allowed(design), asked_for=options.design)
    if design.is_paired:
        values = _with_difference_variance(values, is_needed=design.kind != "power")
    result = design.required_topics(design.requirements(**values), method=options.method)
    return _text(result), flat(bare_report(result))


def _required(design: Design) -> tuple[Parameter, ...]:
    """Return what must be given: minD not, where minDelta may stand for it and the variance."""
    if design.kind == "power":
        return design.settled
    return design.parameters if design.is_paired else (*design.parameters, WITHIN_SYSTEM_VARIANCE)


def _allowed(design: Design) -> tuple[Parameter, ...]:
    instead = (MIN_DELTA, MIN_D) if design.kind == "power" else ()
    return (*instead, WITHIN_SYSTEM_VARIANCE, *((DIFFERENCE_VARIANCE,) if design.is_paired else ()))


def _with_difference_variance(values: dict[str, Any], *, is_needed: bool) -> dict[str, Any]:
    """Double sigma^2 for the paired designs, as Sakai 2016, section 3.4 does."""
    variance, of_difference = (values.get(p.name) for p in (WITHIN_SYSTEM_VARIANCE, DIFFERENCE_VARIANCE))
    if variance is None and of_difference is None and is_needed:
        raise InputError(
            WITHIN_SYSTEM_VARIANCE.option, None, f"must be given, or {DIFFERENCE_VARIANCE.option} instead"
        )
    if variance is None:
        return values
    if of_difference is not None:
        raise InputError(
            DIFFERENCE_VARIANCE.option,
            of_difference,
            f"contradicts {WITHIN_SYSTEM_VARIANCE.option}; give one",
        )
    WITHIN_SYSTEM_VARIANCE.check(variance)
    others = {name: value for name, value in values.items() if name != WITHIN_SYSTEM_VARIANCE.name}
    return others | {DIFFERENCE_VARIANCE.name: conservative_difference_variance(variance)}


def _text(result: PowerResult | WidthResult | ErrorRateResult) -> str:
    lines = [f"{result.required_topics} topics  ({result.design}, {result.method})"]
    if isinstance(result, PowerResult):
        lines.append(f"power {result.attained_power:.6f}")
        if result.power_one_topic_fewer is not None:
            lines.append(f"power with one topic fewer {result.power_one_topic_fewer:.6f}")
    elif isinstance(result, ErrorRateResult):
        lines.append(f"error rate {result.attained_error:.6f}")
        if result.error_one_topic_fewer is not None:
            lines.append(f"error rate with one topic fewer {result.error_one_topic_fewer:.6f}")
    else:
        lines.append(f"expected width {result.attained_width:.6f}")
        if result.width_one_topic_fewer is not None:
            lines.append(f"expected width with one topic fewer {result.width_one_topic_fewer:.6f}")
    return "\n".join([*lines, *result.notes])
