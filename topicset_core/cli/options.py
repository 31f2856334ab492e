"""Options made from parameters: one name, one help and one rule for form, link and command line."""

import argparse
from collections.abc import Collection, Sequence
from typing import Any

from topicset_core.errors import InputError
from topicset_core.parameter import Parameter


def add(parser: argparse.ArgumentParser, parameters: Sequence[Parameter], *, explained: bool = True) -> None:
    """Add an option per parameter, without a default: what was not given is None."""
    for parameter in parameters:
        kind = _whole_number if parameter.integer else _number
        help_text = parameter.help if explained else None
        parser.add_argument(parameter.option, dest=parameter.name, type=kind, metavar="X", help=help_text)


def given(options: argparse.Namespace, parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Return what was given of these parameters, by name."""
    found = {parameter.name: getattr(options, parameter.name) for parameter in parameters}
    return {name: value for name, value in found.items() if value is not None}


def check_given(
    values: dict[str, Any],
    offered: Sequence[Parameter],
    required: Sequence[Parameter],
    allowed: Collection[Parameter],
    *,
    asked_for: str,
) -> None:
    """Refuse a required option that is missing, and one that is neither required nor allowed.

    Raises
    ------
    InputError
        With the name of the option.
    """
    for parameter in required:
        if parameter.name not in values:
            raise InputError(parameter.option, None, f"must be given for {asked_for}")
    for parameter in offered:
        if parameter.name in values and parameter not in (*required, *allowed):
            raise InputError(parameter.option, values[parameter.name], f"has no meaning for {asked_for}")


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
