"""``size``: the required number of topics for one design.

Nothing has a default but the method: a design with a forgotten option must not look like an answer.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from topicset_core.designs import (
    confidence_interval,
    error_rate,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.designs.results import ErrorRateResult, PowerResult, WidthResult
from topicset_core.errors import InputError
from topicset_core.parameter import Parameter
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DIFFERENCE_VARIANCE,
    MAX_ERROR,
    MAX_WIDTH,
    MIN_D,
    MIN_DELTA,
    N_SYSTEMS,
    WITHIN_SYSTEM_VARIANCE,
)
from topicset_core.variance.difference import conservative_difference_variance

_OPTIONS: dict[str, tuple[str, Parameter]] = {
    "alpha": ("--alpha", ALPHA),
    "beta": ("--beta", BETA),
    "max_error": ("--max-error", MAX_ERROR),
    "min_delta": ("--min-delta", MIN_DELTA),
    "min_d": ("--min-d", MIN_D),
    "max_width": ("--max-width", MAX_WIDTH),
    "variance": ("--variance", WITHIN_SYSTEM_VARIANCE),
    "difference_variance": ("--difference-variance", DIFFERENCE_VARIANCE),
    "n_systems": ("--systems", N_SYSTEMS),
}


_Result = PowerResult | WidthResult | ErrorRateResult


@dataclass(frozen=True)
class _Design:
    """One design on the command line.

    Parameters
    ----------
    answer : callable
        From the given options to the result.
    required, allowed : tuple of str
        Options (keys of `_OPTIONS`) that must, and that may besides, be given.
    """

    answer: Callable[[dict[str, Any], Any], _Result]
    required: tuple[str, ...]
    allowed: tuple[str, ...] = ()


def _paired_t(given: dict[str, Any], method: Any) -> PowerResult:
    return paired_t.required_topics(paired_t.Requirements(**_with_difference_variance(given)), method=method)


def _two_sample_t(given: dict[str, Any], method: Any) -> PowerResult:
    wanted = two_sample_t.Requirements(**_with_within_system_variance(given))
    return two_sample_t.required_topics(wanted, method=method)


def _anova(given: dict[str, Any], method: Any) -> PowerResult:
    wanted = one_way_anova.Requirements(**_with_within_system_variance(given))
    return one_way_anova.required_topics(wanted, method=method)


def _ci(given: dict[str, Any], method: Any) -> WidthResult:
    given = _with_difference_variance(given)
    if "difference_variance" not in given:
        raise InputError("--variance", None, "must be given, or --difference-variance instead")
    return confidence_interval.required_topics(confidence_interval.Requirements(**given), method=method)


def _two_sample_ci(given: dict[str, Any], method: Any) -> WidthResult:
    wanted = two_sample_confidence_interval.Requirements(**_with_within_system_variance(given))
    return two_sample_confidence_interval.required_topics(wanted, method=method)


def _error_rate(given: dict[str, Any], method: Any) -> ErrorRateResult:
    given = _with_difference_variance(given)
    if "difference_variance" not in given:
        raise InputError("--variance", None, "must be given, or --difference-variance instead")
    return error_rate.required_topics(error_rate.Requirements(**given), method=method)


_POWER = ("alpha", "beta")
_DIFFERENCE = ("min_delta", "min_d", "variance")
_DESIGNS: dict[str, _Design] = {
    "paired-t": _Design(_paired_t, _POWER, (*_DIFFERENCE, "difference_variance")),
    "two-sample-t": _Design(_two_sample_t, _POWER, _DIFFERENCE),
    "anova": _Design(_anova, (*_POWER, "n_systems"), _DIFFERENCE),
    "ci": _Design(_ci, ("alpha", "max_width"), ("variance", "difference_variance")),
    "two-sample-ci": _Design(_two_sample_ci, ("alpha", "max_width", "variance")),
    "error-rate": _Design(_error_rate, ("max_error", "min_d"), ("variance", "difference_variance")),
}


def add_parser(commands: Any) -> None:
    """Add ``size`` to the command line."""
    parser = commands.add_parser(
        "size",
        help="required number of topics for one design",
        description="The smallest number of topics that meets the requirements. All values must be given.",
        allow_abbrev=False,
    )
    parser.add_argument("design", choices=_DESIGNS, help="which test or interval the topics are for")
    for key, (option, parameter) in _OPTIONS.items():
        kind = _whole_number if parameter.integer else _number
        parser.add_argument(option, dest=key, type=kind, metavar="X", help=parameter.help)
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
    design = _DESIGNS[options.design]
    given = {key: getattr(options, key) for key in _OPTIONS if getattr(options, key) is not None}
    for key in design.required:
        if key not in given:
            raise InputError(_OPTIONS[key][0], None, f"must be given for {options.design}")
    for key in given:
        if key not in (*design.required, *design.allowed):
            raise InputError(_OPTIONS[key][0], given[key], f"has no meaning for {options.design}")
    result = design.answer(given, options.method)
    return _text(result), result.record()


def _with_difference_variance(given: dict[str, Any]) -> dict[str, Any]:
    """Double sigma^2 for the paired designs, as Sakai 2016, section 3.4 does."""
    if "variance" not in given:
        return given
    if "difference_variance" in given:
        raise InputError(
            "--difference-variance", given["difference_variance"], "contradicts --variance; give one"
        )
    WITHIN_SYSTEM_VARIANCE.check(given["variance"])
    others = {key: value for key, value in given.items() if key != "variance"}
    return others | {"difference_variance": conservative_difference_variance(given["variance"])}


def _with_within_system_variance(given: dict[str, Any]) -> dict[str, Any]:
    return {"within_system_variance" if key == "variance" else key: value for key, value in given.items()}


def _number(text: str) -> float:
    """Parse a number; what it may be is for the parameter to say."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


def _whole_number(text: str) -> float:
    """Parse a whole number as one, so that a record shows 10 and not 10.0."""
    number = _number(text)
    return int(number) if number.is_integer() else number


def _text(result: _Result) -> str:
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
