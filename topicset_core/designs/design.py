"""A design: one object that names it, answers for it, and describes it to pages, commands and papers.

Each design module ends in ``DESIGN = Design(...)``, and `topicset_core.designs.DESIGNS` lists them. Forms,
commands, charts, comparisons and texts are made from that list, so a new design is a module and one line.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from numpy.typing import ArrayLike

from topicset_core.designs.results import ErrorRateResult, Method, PowerResult, WidthResult
from topicset_core.designs.search import Floats, Integers
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DIFFERENCE_VARIANCE,
    MARGIN,
    MAX_WIDTH,
    MIN_D,
    TOPICS,
    WITHIN_SYSTEM_VARIANCE,
    ChoiceParameter,
    Parameter,
    check_error_probabilities,
)
from topicset_core.references import Reference

Kind = Literal["power", "width", "error"]
"""The target: a power, an expected width, or a rate of contradiction."""


@dataclass(frozen=True)
class TradeOff:
    """A design whose requirements are given, except for topics, difference and variance.

    Of these three quantities any one follows from the other two. Charts, tables and comparisons work on
    this view and need not know the design.

    Parameters
    ----------
    label : str
        Label among its neighbours, for example "m = 10".
    kind : {"power", "width", "error"}
        Whether the difference is minD, to be detected, or delta, the widest interval allowed.
    topics : callable
        ``topics(difference, variance, method)``: required topics, arrays broadcast.
    difference : callable
        ``difference(n_topics, variance, method)``: smallest minD that n topics detect, or the
        expected width at n; arrays broadcast.
    power : callable or None
        ``power(n_topics, difference, variance, method)``; None where not available.
    is_published : bool
        Whether there is a published method in addition to the exact one.
    """

    label: str
    kind: Kind
    topics: Callable[[ArrayLike, ArrayLike, Method], Integers]
    difference: Callable[[ArrayLike, ArrayLike, Method], Floats]
    power: Callable[[ArrayLike, ArrayLike, ArrayLike, Method], Floats] | None = None
    is_published: bool = True


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
        Label of its curve; may contain given values in braces, as "m = {n_systems}".
    kind : {"power", "width", "error"}
        The target.
    parameters : tuple of Parameter
        The parameters in addition to the variance, in the order of its form.
    variance : Parameter
        The variance it takes; of a design that asks whether topics are shared, where they are.
    choices : tuple of ChoiceParameter
        The choices, in the order of its form.
    optional : tuple of Parameter
        Optional parameters; they change the description of the topics, not their number.
    requirements : type
        Validated requirements; made with the names of the parameters.
    required_topics : callable
        ``required_topics(requirements, method=...)``: the result.
    topics, difference, power : callable
        As of `TradeOff`, with the given values as additional keywords.
    claim : str
        Role of the required topics, for a methods paragraph: requirements in braces, and {measure},
        {power} and {confidence}.
    works : tuple of Reference
        Works that a paper cites with it.
    works_by_choice : mapping of str to tuple of Reference
        Further works, by the chosen word.
    is_published : bool
        Whether the Excel tools have it, so that there is a published method.
    quickly : callable
        From given values to the values for which curves and intervals of n are computed: others where an
        answer is simulated.
    is_slow : callable
        From given values to whether only the user's own curve is drawn, as each takes a second.
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
    works_by_choice: Mapping[str, tuple[Reference, ...]] = field(default_factory=dict)
    optional: tuple[Parameter, ...] = ()
    choices: tuple[ChoiceParameter, ...] = ()
    is_published: bool = True
    quickly: Callable[[dict[str, Any]], dict[str, Any]] = dict
    is_slow: Callable[[dict[str, Any]], bool] = lambda _: False

    @property
    def variances(self) -> tuple[Parameter, ...]:
        """The variances it takes: of a design that asks whether topics are shared, one for each case."""
        return (self.variance, WITHIN_SYSTEM_VARIANCE) if TOPICS in self.choices else (self.variance,)

    def variance_of(self, values: Mapping[str, Any]) -> Parameter:
        """Return the variance that it takes at these values: sigma^2 where each system has topics of its own."""
        return self.variances[-1] if values.get(TOPICS.name) == "separate" else self.variance

    @property
    def is_paired(self) -> bool:
        """Whether all systems run on the same topics, so that the variance is that of a difference."""
        return self.variance is DIFFERENCE_VARIANCE

    @property
    def difference_parameter(self) -> Parameter:
        """The parameter that is the difference: minD, the widest interval, or a margin."""
        if MARGIN in self.parameters:
            return MARGIN
        return MAX_WIDTH if self.kind == "width" else MIN_D

    @property
    def fixed(self) -> tuple[Parameter, ...]:
        """The parameters in addition to the difference; `fixed_of` has the choices, too."""
        return tuple(p for p in self.parameters if p is not self.difference_parameter)

    def fixed_of(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values other than difference and variance; choices with a default keep their value."""
        chosen = {one.name: values.get(one.name) or one.default for one in self.choices}
        return {one.name: values[one.name] for one in self.fixed} | chosen

    def chosen_words(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the choices in words, without open ones."""
        return tuple(one.options[word] for one in self.choices if (word := values.get(one.name)) is not None)

    def check(self, values: Mapping[str, Any]) -> None:
        """Raise for values that cannot be required, whatever the variance."""
        if ALPHA in self.parameters and BETA in self.parameters:
            check_error_probabilities(values[ALPHA.name], values[BETA.name])
        for parameter in self.parameters:
            parameter.check(values[parameter.name])
        for choice in self.choices:
            if values.get(choice.name) is not None:
                choice.check(values[choice.name])

    def view(self, **fixed: Any) -> TradeOff:
        """Return the trade-off at the values of all parameters but the difference, and of the choices."""
        power, label = self.power, self.label.format(**fixed)
        fixed = self.quickly(fixed)
        return TradeOff(
            label,
            self.kind,
            lambda difference, variance, method: self.topics(difference, variance, method=method, **fixed),
            lambda n_topics, variance, method: self.difference(n_topics, variance, method=method, **fixed),
            None
            if power is None
            else lambda n_topics, difference, variance, method: power(
                n_topics, difference, variance, method=method, **fixed
            ),
            is_published=self.is_published,
        )

    def view_of(self, requirements: Any) -> TradeOff:
        """Return the trade-off that these requirements are in."""
        return self.view(**self.fixed_of(vars(requirements)))

    def cited(self, requirements: Any) -> tuple[Reference, ...]:
        """Return the works that a paper cites for the design with these requirements."""
        chosen = [getattr(requirements, one.name) for one in self.choices]
        return self.works + tuple(work for word in chosen for work in self.works_by_choice.get(word, ()))

    def claimed(self, requirements: Any, measure: str) -> str:
        """Return the role of the required topics, as the middle of a sentence."""
        given = {field.name: getattr(requirements, field.name) for field in fields(requirements)}
        for choice in self.choices:
            given[choice.name] = choice.options.get(given[choice.name] or "", "")
        return self.claim.format(
            **given,
            measure=measure,
            power=1 - given.get("beta", 0.0),
            confidence=100 * (1 - given.get("alpha", 0.0)),
        )


def detects(test: str, what: str) -> str:
    """Return the claim of a design by power: a test detects a difference."""
    return f"{test} detects {what} with power 1 − β = {{power:.10g}} at significance level α = {{alpha:g}}"
