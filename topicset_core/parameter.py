"""What an input is: its name, symbol, label, help, bounds and default in one object.

The core validates with it, a page draws its widget and reads its link with it, the command line and the
exports print it.
"""

import math
from dataclasses import dataclass
from numbers import Integral, Rational, Real

from topicset_core.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One input: what it is called, what it means, what it may be.

    Parameters
    ----------
    name : str
        Name in Python, in links and in JSON records.
    symbol : str
        Symbol in the papers.
    label : str
        Short text beside the field.
    help : str
        One sentence in plain words for someone who has not read the papers.
    lower, upper : float
        Bounds; `lower_included` and `upper_included` say whether the bound itself is allowed.
    default : float
        What a page starts with. Frozen: links leave nothing out, but habits form.
    step : float
        What one press of the field's plus sign adds.
    integer : bool
        Whether only whole numbers are allowed.
    computable_from : float
        Smaller positive values are refused, as double precision cannot answer them.
    command_name : str
        Name on the command line, where it is not `name` with dashes.
    """

    name: str
    symbol: str
    label: str
    help: str
    lower: float
    upper: float
    default: float
    step: float
    lower_included: bool = False
    upper_included: bool = True
    integer: bool = False
    computable_from: float = 0.0
    command_name: str = ""

    @property
    def option(self) -> str:
        """The option of the command line."""
        return f"--{self.command_name or self.name.replace('_', '-')}"

    @property
    def rule(self) -> str:
        """The bounds in words, as the end of an error message."""
        kind = "a whole number" if self.integer else "a number"
        if math.isinf(self.lower):
            return f"must be {kind}"
        if math.isinf(self.upper):
            return f"must be {kind} {'of at least' if self.lower_included else 'above'} {self.lower:g}"
        low = f"{'from' if self.lower_included else 'above'} {self.lower:,g}"
        high = f"{'to' if self.lower_included else 'and up to'} {self.upper:,.0f}"
        if not self.upper_included:
            high = f"and below {self.upper:g}"
        return f"must be {kind} {low} {high}"

    def check(self, value: object) -> float:
        """Return `value` as a float, or raise with the rule it breaks.

        Raises
        ------
        InputError
            If `value` is not a finite number within the bounds (whole, where that is asked for).
        """
        # Fractions count as real numbers but not as what arithmetic on arrays can take.
        inexact = isinstance(value, Rational) and not isinstance(value, Integral)
        if isinstance(value, bool) or not isinstance(value, Real) or inexact:
            raise InputError(self.name, value, self.rule)
        try:
            number = float(value)
        except OverflowError:  # an integer of hundreds of digits
            raise InputError(self.name, value, self.rule) from None
        above = number >= self.lower if self.lower_included else number > self.lower
        below = number <= self.upper if self.upper_included else number < self.upper
        whole = isinstance(value, Integral) or number.is_integer() if self.integer else True
        if not (math.isfinite(number) and above and below and whole):
            raise InputError(self.name, value, self.rule)
        if 0 < number < self.computable_from:
            rule = (
                f"must be at least {self.computable_from:g}, below which no answer is right to the last digit"
            )
            raise InputError(self.name, value, rule)
        return number
