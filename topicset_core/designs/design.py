"""What a design is: one object that names it, answers for it, and tells pages, commands and papers about it.

Each design module ends in ``DESIGN = Design(...)``, and `topicset_core.designs.DESIGNS` lists them. Forms,
commands, charts, comparisons and texts are made from that list, so a new design is a module and one line.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from numpy.typing import ArrayLike

from topicset_core.designs.results import ErrorRateResult, Method, PowerResult, WidthResult
from topicset_core.designs.search import Floats, Integers
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DIFFERENCE_VARIANCE,
    MAX_WIDTH,
    MIN_D,
    Parameter,
    check_error_probabilities,
)
from topicset_core.references import Reference

Kind = Literal["power", "width", "error"]
"""What is asked for: a power, an expected width, or a rate of contradiction."""


@dataclass(frozen=True)
class TradeOff:
    """A design whose requirements are given, except for topics, difference and variance.

    Of these three quantities any one follows from the other two. Charts, tables and comparisons work on
    this view and need not know the design.

    Parameters
    ----------
    label : str
        What tells it from its neighbours, for example "m = 10".
    kind : {"power", "width", "error"}
        Whether the difference is minD, to be detected, or delta, the widest interval allowed.
    topics : callable
        ``topics(difference, variance, method)``: required topics, arrays broadcast.
    difference : callable
        ``difference(n_topics, variance, method)``: smallest minD that n topics detect, or the
        expected width at n; arrays broadcast.
    power : callable or None
        ``power(n_topics, difference, variance, method)``; None where there is none.
    """

    label: str
    kind: Kind
    topics: Callable[[ArrayLike, ArrayLike, Method], Integers]
    difference: Callable[[ArrayLike, ArrayLike, Method], Floats]
    power: Callable[[ArrayLike, ArrayLike, ArrayLike, Method], Floats] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Design:
    """A design method.

    Parameters
    ----------
    slug : str
        Its name on the command line.
    name : str
        As on its page and in records.
    label : str
        What tells its curve from others; may hold settled values in braces, as "m = {n_systems}".
    kind : {"power", "width", "error"}
        What is asked for.
    parameters : tuple of Parameter
        What is asked beside the variance, in the order of its form.
    variance : Parameter
        The variance it takes.
    optional : tuple of Parameter
        What may be given besides; it changes what is said of the topics, not their number.
    requirements : type
        Validated requirements; made with the names of the parameters.
    required_topics : callable
        ``required_topics(requirements, method=...)``: the result.
    topics, difference, power : callable
        As of `TradeOff`, with the settled values as keywords besides.
    claim : str
        What the required topics do, for a methods paragraph: requirements in braces, and {measure},
        {power} and {confidence}.
    works : tuple of Reference
        What a paper cites that uses it.
    """

    slug: str
    name: str
    label: str
    kind: Kind
    parameters: tuple[Parameter, ...]
    variance: Parameter
    requirements: type[Any]
    required_topics: Callable[..., PowerResult | WidthResult | ErrorRateResult]
    topics: Callable[..., Integers]
    difference: Callable[..., Floats]
    power: Callable[..., Floats] | None = None
    claim: str
    works: tuple[Reference, ...]
    optional: tuple[Parameter, ...] = ()

    @property
    def is_paired(self) -> bool:
        """Whether all systems run on the same topics, so that the variance is that of a difference."""
        return self.variance is DIFFERENCE_VARIANCE

    @property
    def difference_parameter(self) -> Parameter:
        """The parameter that is the difference: minD, or the widest interval."""
        return MAX_WIDTH if self.kind == "width" else MIN_D

    @property
    def settled(self) -> tuple[Parameter, ...]:
        """The parameters besides the difference."""
        return tuple(p for p in self.parameters if p is not self.difference_parameter)

    def check(self, values: Mapping[str, Any]) -> None:
        """Raise for values that cannot be required, whatever the variance.

        Raises
        ------
        InputError
            If a value breaks its rule, or the error probabilities do not go together.
        """
        if ALPHA in self.parameters and BETA in self.parameters:
            check_error_probabilities(values[ALPHA.name], values[BETA.name])
        for parameter in self.parameters:
            parameter.check(values[parameter.name])

    def view(self, **settled: Any) -> TradeOff:
        """Return the trade-off at the values of all parameters but the difference."""
        power = self.power
        return TradeOff(
            self.label.format(**settled),
            self.kind,
            lambda difference, variance, method: self.topics(difference, variance, method=method, **settled),
            lambda n_topics, variance, method: self.difference(n_topics, variance, method=method, **settled),
            None
            if power is None
            else lambda n_topics, difference, variance, method: power(
                n_topics, difference, variance, method=method, **settled
            ),
        )

    def view_of(self, requirements: Any) -> TradeOff:
        """Return the trade-off that these requirements stand in."""
        return self.view(**{p.name: getattr(requirements, p.name) for p in self.settled})

    def claimed(self, requirements: Any, measure: str) -> str:
        """Return what the required topics do, as the middle of a sentence."""
        given = {field.name: getattr(requirements, field.name) for field in fields(requirements)}
        return self.claim.format(
            **given,
            measure=measure,
            power=1 - given.get("beta", 0.0),
            confidence=100 * (1 - given.get("alpha", 0.0)),
        )


def detects(test: str, what: str) -> str:
    """Return the claim of a design by power: a test detects a difference."""
    return f"{test} detects {what} with power 1 − β = {{power:.10g}} at significance level α = {{alpha:g}}"
