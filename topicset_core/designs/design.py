"""A design names itself, answers, and describes itself to pages, commands and papers; a plan is it with its values.

Each design module ends in ``DESIGN``, and `topicset_core.designs.ALL_DESIGNS` lists them. Forms, commands, charts,
comparisons and texts are made from that list, so a new design is a module and one line. A kind of design is a
subclass of `Design` with its own methods and words; no one else asks for the kind.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.results import Method, unit_of
from topicset_core.designs.search import Booleans, Floats, Integers, fewest_groups, fewest_topics
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DESIGN,
    DIFFERENCE_VARIANCE,
    METHOD,
    MIN_D,
    MIN_DELTA,
    RESIDUAL_VARIANCE,
    SHARES,
    TOPICS,
    TRUE_DIFFERENCE,
    WITHIN_SYSTEM_VARIANCE,
    AnyParameter,
    ChoiceParameter,
    Parameter,
    Setting,
    check_error_probabilities,
)
from topicset_core.references import Reference
from topicset_core.variance.choices import ONE_WAY, TWO_WAY, Estimate, Kind
from topicset_core.variance.estimates import conservative_difference_variance

SMALLEST_VARIANCE = float(np.finfo(np.float64).tiny)
"""Below it quotients overflow: no variance at all."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Design:
    """A design method.

    Parameters
    ----------
    slug : str
        Its name on the command line.
    former : tuple of str
        Earlier names there, which still mean it.
    name : str
        As on its page and in records.
    label : str
        Label of its curve; may contain given values in braces, as "m = {n_systems}".
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
    claim : str
        Role of the required topics, for a methods paragraph: requirements in braces, and {measure},
        {power} and {confidence}.
    headline : str
        What the required topics do, in a line: {difference}, {measure}, {power} and {confidence}.
    works : tuple of Reference
        Works that a paper cites with it.
    works_by_choice : mapping of str to tuple of Reference
        Further works, by the chosen word.
    is_published : bool
        Whether the Excel tools have it, so that there is a published method.
    has_uncertain_variance : bool
        Whether the design itself allows for a variance that is only an estimate.
    """

    slug: str
    name: str
    label: str
    parameters: tuple[Parameter, ...]
    variance: Parameter
    requirements: type[Any]
    claim: str
    works: tuple[Reference, ...]
    works_by_choice: Mapping[str, tuple[Reference, ...]] = field(default_factory=dict)
    former: tuple[str, ...] = ()
    headline: str = "detect a difference of {difference:g} {measure} with {power:g} % power"
    optional: tuple[Parameter, ...] = ()
    choices: tuple[ChoiceParameter, ...] = ()
    is_published: bool = True
    has_uncertain_variance: bool = False

    required_topics: ClassVar[Callable[..., Any]]
    """``required_topics(requirements, *, method)``: the result; with ``size_cv`` of groups of unequal size."""
    topics: ClassVar[Callable[..., Integers]]
    """``topics(difference, variance, *, method, ...)``: required topics, arrays broadcast; other values by name."""
    difference: ClassVar[Callable[..., Floats]]
    """``difference(n_topics, variance, *, method, ...)``: what n topics detect, or the expected width."""
    power: ClassVar[Callable[..., Floats]]
    """``power(n_topics, difference, variance, *, method, ...)``, of a design that has it."""

    min_d_of: ClassVar[Callable[..., Floats]]
    """``min_d_of(min_delta, variance)``: minD, of a design that takes effects."""
    effect_of_deviations: ClassVar[Callable[..., float]]
    """``effect_of_deviations(deviations)``: minDelta of a difference in standard deviations, of such a design."""

    difference_parameter: ClassVar[Parameter] = MIN_D
    """The parameter that is the difference: minD, the widest interval, or a margin."""
    has_power: ClassVar[bool] = False
    """Whether it asks for a power."""
    has_curves: ClassVar[bool] = True
    """Whether curves are drawn around its answer."""
    is_compared: ClassVar[bool] = True
    """Whether its difference can be compared with minD of other designs."""
    shares: ClassVar[tuple[Parameter, ...]] = ()
    """The shares of topics that may replace difference and variance, of a design for scores of 0 and 1."""
    effect_unit: ClassVar[str] = ""
    """What minDelta, which may replace difference and variance, is in: "SD"; "" if it may not."""
    detects: ClassVar[str] = "detect minD ="
    """What numbers of topics do, before the differences that they detect."""
    event: ClassVar[str] = "detecting minD"
    """The event that has the power."""
    detected_name, detected_words = MIN_D.name, "smallest difference"
    """What a number of topics gives, in a record and in words."""

    def __post_init__(self) -> None:
        self.requirements.design = self  # so that requirements, and answers with them, know their design

    def quickly(self, fixed: dict[str, Any]) -> dict[str, Any]:
        """Return the values by which curves and intervals of n are computed: others where answers are simulated."""
        return fixed

    def is_slow(self, fixed: Mapping[str, Any]) -> bool:  # noqa: ARG002 - of designs with slow answers
        """Return whether only the user's own curve is drawn, as each takes a second."""
        return False

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
    def takes_effects(self) -> bool:
        """Whether minDelta may replace the difference and the variance."""
        return self.effect_unit != ""

    @property
    def declared(self) -> tuple[AnyParameter, ...]:
        """All parameters that its values may have, in the order of its form."""
        return (*self.parameters, *self.variances, *self.optional, *self.choices, MIN_DELTA)

    @property
    def fixed(self) -> tuple[Parameter, ...]:
        """The parameters in addition to the difference; `fixed_of` has the choices, too."""
        return tuple(p for p in self.parameters if p is not self.difference_parameter)

    def fixed_of(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values other than difference and variance; choices with a default keep their value."""
        chosen = {choice.name: values.get(choice.name) or choice.default for choice in self.choices}
        return {parameter.name: values[parameter.name] for parameter in self.fixed} | chosen

    def of_shares(self, shares: Sequence[float]) -> dict[str, float]:
        """Return the difference and variance that shares of topics give, of a design for scores of 0 and 1."""
        raise InputError(SHARES.name, shares, f"has no meaning for {self.slug}")

    def as_shares(self, values: Mapping[str, Any]) -> tuple[float, ...]:  # noqa: ARG002 - of such a design
        """Return the shares that a difference and a variance are: the inverse of `of_shares`."""
        return ()

    def along(self, values: Mapping[str, Any]) -> dict[str, float]:  # noqa: ARG002 - of a design that has such values
        """Return what stays fixed in place of the variance where the difference varies, by keyword."""
        return {}

    def in_axis(self, values: Mapping[str, Any]) -> str:  # noqa: ARG002 - of a design that has such values
        """Return what a curve over the difference holds fixed, for its axis."""
        return ""

    def largest(self, values: Mapping[str, Any]) -> float:  # noqa: ARG002 - of a design that has one
        """Return the largest difference that there can be."""
        return math.inf

    def offered(self, choice: ChoiceParameter, chosen: Mapping[str, Any]) -> Mapping[str, str]:  # noqa: ARG002
        """Return the options of a choice after earlier ones; none where it does not apply."""
        return choice.options

    def allowed(self, words: Mapping[str, str]) -> dict[str, Any]:
        """Return its choices from words: unknown ones have their default, ones that do not apply None."""
        result: dict[str, Any] = {}
        for choice in self.choices:
            word = words.get(choice.name)
            known = word if word in choice.options else choice.default or next(iter(choice.options))
            result[choice.name] = known if self.offered(choice, result) else None
        return result

    def chosen_words(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        """Return its choices in words, as "boundary Pocock", without open ones."""
        chosen = [(choice, values.get(choice.name) or choice.default) for choice in self.choices]
        texts = (f"{choice.label} {choice.options[word]}" for choice, word in chosen if word is not None)
        words = (text.removeprefix(f"{self.name} ") for text in texts)
        return tuple(text[0].lower() + text[1:] for text in words)

    def described(self, values: Mapping[str, Any], method: Method) -> str:
        """Return all that decides the number but its values, for a terminal: name, choices and method."""
        words = self.chosen_words(values)
        return "; ".join((self.name, *words, f"method {method}")) if words else f"{self.name}, {method}"

    def with_defaults(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return values in which the systems are equal where the design asks for their true difference."""
        return {TRUE_DIFFERENCE.name: 0.0} | values if TRUE_DIFFERENCE in self.parameters else values

    def check(self, values: Mapping[str, Any]) -> None:
        """Raise for values that cannot be required, whatever the variance."""
        if ALPHA in self.parameters and BETA in self.parameters:
            check_error_probabilities(values[ALPHA.name], values[BETA.name])
        for parameter in self.parameters:
            parameter.check(values[parameter.name])
        for choice in self.choices:
            if values.get(choice.name) is not None:
                choice.check(values[choice.name])

    def plan(self, *, method: Method = "exact", **values: Any) -> "Plan":
        """Return the design with these values; refuse those that cannot be required.

        Parameters
        ----------
        method : {"exact", "published"}
            How it is computed.
        **values
            By the names of its parameters, variances and choices; None counts as not given. The variance, or
            difference and variance, may be left open.
        """
        order = dict.fromkeys(parameter.name for parameter in self.declared) | values
        given = tuple((name, values[name]) for name in order if values.get(name) is not None)
        return Plan(self, given, method)


@dataclass(frozen=True)
class Plan:
    """A design with the values that it is planned with; difference and variance may be left open.

    Of topics, difference and variance any one follows from the other two. Charts, tables, comparisons and analyses
    of a variance ask a plan and need not know its design.

    Parameters
    ----------
    design : Design
        The design.
    given : tuple of (str, value)
        The values by name, in the order of the form; made by `Design.plan`.
    method : {"exact", "published"}
        How it is computed.
    group_size : int
        Topics per group where it counts groups, and its variance is that of their means; 0 where it counts topics.
    size_cv : float
        Coefficient of variation of the sizes of groups, which then have `group_size` topics on average. G of them
        count as G / (1 + CV^2) groups of equal size, and the variance is that of the means of these.
    """

    design: Design
    given: tuple[tuple[str, Any], ...]
    method: Method = "exact"
    group_size: int = 0
    size_cv: float = 0.0

    def __post_init__(self) -> None:
        values = self.values
        if MIN_DELTA.name in values or (
            self.design.difference_parameter.name in values and self.variance_parameter.name in values
        ):
            _ = self.requirements
        elif self.design.difference_parameter.name in values:
            self.design.check(values)

    @property
    def values(self) -> dict[str, Any]:
        """The given values, by name."""
        return dict(self.given)

    @property
    def numbers(self) -> dict[str, Any]:
        """The values without choices and variances."""
        return {
            parameter.name: self.values[parameter.name]
            for parameter in self.design.parameters
            if parameter.name in self.values
        }

    @property
    def settings(self) -> list[Setting]:
        """The values with their parameters."""
        values = {DESIGN.name: self.design.name, METHOD.name: self.method} | self.values
        declared = (DESIGN, METHOD, *self.design.declared)
        return [
            Setting(parameter, values[parameter.name]) for parameter in declared if parameter.name in values
        ]

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from all other plans, as plain values."""
        return (self.design.slug, self.method, *self.given, *filter(None, [self.group_size, self.size_cv]))

    def with_(self, **values: Any) -> "Plan":
        """Return the plan with other values; None leaves one open."""
        plan = self.design.plan(method=self.method, **self.values | values)
        return replace(plan, group_size=self.group_size, size_cv=self.size_cv)

    @property
    def without_variance(self) -> "Plan":
        """The plan with the variance left open."""
        taken = (WITHIN_SYSTEM_VARIANCE, RESIDUAL_VARIANCE, DIFFERENCE_VARIANCE)
        return self.with_(**dict.fromkeys(parameter.name for parameter in taken))

    def vary(self, parameter: Parameter, values: Sequence[Any]) -> tuple["Plan", ...]:
        """Return a plan for each value of one parameter; the plan itself where it has the value."""
        own = self.values.get(parameter.name)
        return tuple(self if value == own else self.with_(**{parameter.name: value}) for value in values)

    @cached_property
    def requirements(self) -> Any:
        """The validated requirements of a plan that leaves nothing open."""
        return self.design.requirements(**self.values)

    def required_topics(self) -> Any:
        """Return the answer: the smallest number of topics, with its evidence."""
        result = self.design.required_topics(self.requirements, method=self.method, **self._sizes)
        return (
            replace(result, group_size=self.group_size, size_cv=self.size_cv) if self.group_size else result
        )

    @property
    def fewest_topics(self) -> int:
        """The least number of topics, or of groups, that it is defined for."""
        return fewest_topics(self.size_cv)

    @property
    def _sizes(self) -> dict[str, float]:
        """The coefficient of variation by keyword, for designs, which all take topics and some take groups."""
        return {"size_cv": self.size_cv} if self.size_cv else {}

    @property
    def unit(self) -> str:
        """What it counts: "topic" or "group"."""
        return unit_of(self.group_size)

    @property
    def variance_parameter(self) -> Parameter:
        """The variance that it takes."""
        return self.design.variance_of(self.values)

    @property
    def in_doubt(self) -> Parameter:
        """What may be wrong besides the difference: the variance, or the share of topics that decides it."""
        return self.design.shares[-1] if self.design.shares else self.variance_parameter

    @property
    def variance(self) -> float:
        """The variance; 0 where it is open."""
        return float(self.values.get(self.variance_parameter.name, 0.0))

    @property
    def difference(self) -> float:
        """The difference in units of the measure; 0 where it is open."""
        return float(self.values.get(self.design.difference_parameter.name, 0.0))

    @property
    def symbol(self) -> str:
        """The symbol of the difference: minD, or δ of an interval."""
        return self.design.difference_parameter.symbol

    @cached_property
    def fixed(self) -> dict[str, Any]:
        """The values other than difference and variance."""
        return self.design.fixed_of(self.values)

    @cached_property
    def _quick(self) -> dict[str, Any]:
        return self.design.quickly(self.fixed)

    @property
    def label(self) -> str:
        """Label among its neighbours, for example "m = 10"."""
        return self.design.label.format(**self.fixed)

    def topics(self, difference: ArrayLike | None = None, variance: ArrayLike | None = None) -> Integers:
        """Return the required topics; arrays broadcast."""
        point = self._point(difference, variance)
        equal = self.design.topics(*point, method=self.method, **self._quick, **self._along(variance))
        return self._unequal(equal, *point) if self.size_cv else equal

    def _unequal(self, equal: Integers, difference: ArrayLike, variance: ArrayLike) -> Integers:
        """Return the required groups of unequal size, from those of equal size."""
        shape = np.shape(equal)
        differences, variances = (np.broadcast_to(array, shape).ravel() for array in (difference, variance))

        def meets(n: Integers, cells: Integers) -> Booleans:
            if self.design.has_power:
                power = self.power(n, differences[cells], variances[cells])
                return np.asarray(power >= 1 - self.values[BETA.name])
            return np.asarray(self.detected(n, variances[cells]) <= differences[cells])

        return fewest_groups(meets, equal, self.size_cv)

    def detected(self, n_topics: ArrayLike, variance: ArrayLike | None = None) -> Floats:
        """Return the smallest difference that n topics detect, or the expected width at n; arrays broadcast."""
        point = self.variance if variance is None else variance
        more = self._quick | self._along(variance) | self._sizes
        return self.design.difference(n_topics, point, method=self.method, **more)

    def power(
        self, n_topics: ArrayLike, difference: ArrayLike | None = None, variance: ArrayLike | None = None
    ) -> Floats:
        """Return the power of n topics, of a design that has one; arrays broadcast."""
        point = self._point(difference, variance)
        return self.design.power(n_topics, *point, method=self.method, **self._quick, **self._sizes)

    def attained(self, n_topics: ArrayLike) -> Floats:
        """Return what n topics give: power, or the expected width."""
        return self.power(n_topics) if self.design.has_power else self.detected(n_topics)

    def _along(self, variance: ArrayLike | None) -> dict[str, float]:
        return self.design.along(self.values) if variance is None else {}

    def _point(self, difference: ArrayLike | None, variance: ArrayLike | None) -> tuple[ArrayLike, ArrayLike]:
        return (
            self.difference if difference is None else difference,
            self.variance if variance is None else variance,
        )

    def topics_of(self, variance: float) -> int | None:
        """Return the required topics of one variance, as `topics_of_variances`."""
        return self.topics_of_variances([variance])[0]

    def topics_of_variances(self, variances: Sequence[float]) -> list[int | None]:
        """Return the required topics of each variance; None where it is 0, or ten million are not enough."""
        order = sorted(
            (place for place, variance in enumerate(variances) if variance >= SMALLEST_VARIANCE),
            key=variances.__getitem__,
        )
        result: list[int | None] = [None] * len(variances)
        topics = self._until_no_solution(np.array([variances[place] for place in order]))
        for place, count in zip(order, topics.tolist(), strict=False):  # those beyond the limit come last
            result[place] = count
        return result

    def _until_no_solution(self, ascending: Floats) -> Integers:
        """Return topics for the leading variances that have a solution, as more variance never needs fewer."""
        answer = np.empty(0, dtype=np.int64)
        low, high = 0, ascending.size  # the first `low` have a solution; from `high` on there is no solution
        tried = high  # all at once: as a rule that is the end of it
        while low < high:
            try:
                answer, low = self.topics(variance=ascending[:tried]), tried
            except NoSolution:
                high = tried - 1
            tried = (low + high + 1) // 2
        return answer

    @property
    def takes(self) -> Kind:
        """The kind of variance that it takes."""
        return "difference" if self.variance_parameter is DIFFERENCE_VARIANCE else "within-system"

    @property
    def measured_by(self) -> Estimate:
        """The within-system variance that it takes of scores: one-way or, of shared topics, two-way."""
        return ONE_WAY if self.variance_parameter is WITHIN_SYSTEM_VARIANCE else TWO_WAY

    def variance_for(self, within_system_variance: float) -> float:
        """Return the variance of the kind that it takes: twice the one of a system for that of a difference."""
        if self.takes == "difference":
            return conservative_difference_variance(within_system_variance)
        return within_system_variance

    @property
    def works(self) -> tuple[Reference, ...]:
        """The works that a paper cites for it."""
        chosen = [self.fixed[choice.name] for choice in self.design.choices]
        more = (work for word in chosen for work in self.design.works_by_choice.get(word, ()))
        return self.design.works + tuple(more)

    def claim(self, measure: str, **written: str) -> str:
        """Return the role of the required topics, as the middle of a sentence; texts may stand for values."""
        given = {field.name: getattr(self.requirements, field.name) for field in fields(self.requirements)}
        for choice in self.design.choices:
            given[choice.name] = choice.options.get(given[choice.name] or "", "")
        return self.design.claim.format(
            **{
                **given,
                "measure": measure,
                "power": 100 * (1 - given.get("beta", 0.0)),
                "confidence": 100 * (1 - given.get("alpha", 0.0)),
                **{name: Written(text) for name, text in written.items()},
            }
        )


class Written(str):
    """A text that stands for a number in a sentence with formats."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        return str(self)


def detects(test: str, what: str) -> str:
    """Return the claim of a design by power: a test detects a difference."""
    return f"{test} detects {what} with {{power:.10g}} % power at significance level α = {{alpha:g}}"
