"""What an input is, and the inputs of designs and of what builds on them, each described once.

The core validates with a parameter, a page draws its widget and reads its link with it, the command line and
the exports print it. An analysis with inputs of its own describes them in the same way next to itself.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Rational, Real
from typing import Any, NamedTuple

from topicset_core.errors import InputError
from topicset_core.wording import first_few

LARGEST = 1e90
"""Largest number that a user can give, the smallest above 0 is its inverse: an error probability over all pairs of
systems is then still above 1e-100."""

_FEW = 10
"""Of several values, how many are named."""


@dataclass(frozen=True, kw_only=True)
class AnyParameter:
    """What every kind of input has: its names and its meaning."""

    name: str  # name in Python, in links and in JSON records
    label: str  # short text next to the field
    help: str  # one sentence in plain words for someone who has not read the papers
    command_name: str = ""  # name on the command line, where it is not `name` with dashes
    former_names: tuple[str, ...] = ()  # names that the command line took before, and still takes

    @property
    def option(self) -> str:
        """The option of the command line."""
        return f"--{self.command_name or self.name.replace('_', '-')}"

    @property
    def other_options(self) -> tuple[str, ...]:
        """Options with the same meaning."""
        return tuple(f"--{name}" for name in self.former_names)


@dataclass(frozen=True, kw_only=True)
class Parameter(AnyParameter):
    """A number: its bounds."""

    symbol: str = ""  # without one, `command_name` or `name`
    default: float
    lower: float = 0.0
    upper: float = math.inf
    step: float = 1.0  # step of one press of the field's plus sign
    lower_included: bool = False
    upper_included: bool = True
    integer: bool = False  # whether only whole numbers are allowed
    # Smaller positive values are refused, as double precision cannot answer them
    computable_from: float = 0.0
    of_measure: bool = False  # whether it is in units of the measure, so that each measure has its own
    ranges: float = 1.0  # if it is: its largest size, in ranges of the measure
    axis: str = ""  # its name on the axis of a chart, where it is not the label

    def __post_init__(self) -> None:
        object.__setattr__(self, "symbol", self.symbol or self.command_name or self.name)

    @property
    def _takes_lower(self) -> bool:
        return self.lower_included or self.integer

    @property
    def rule(self) -> str:
        """The bounds in words, as the end of an error message."""
        kind = "a whole number" if self.integer else "a number"
        if math.isinf(self.lower):
            return f"must be {kind}"
        if math.isinf(self.upper):
            return f"must be {kind} {'of at least' if self._takes_lower else 'above'} {self.lower:g}"
        low = f"{'from' if self._takes_lower else 'above'} {self.lower:,g}"
        high = f"{'to' if self._takes_lower else 'and up to'} {self.upper:,.0f}"
        if not self.upper_included:
            high = f"and below {self.upper:g}"
        return f"must be {kind} {low} {high}"

    def check(self, value: object) -> float:
        """Return `value` as a float, or raise with the rule it breaks."""
        # Fractions count as real numbers but not as what arithmetic on arrays can take.
        inexact = isinstance(value, Rational) and not isinstance(value, Integral)
        if isinstance(value, bool) or not isinstance(value, Real) or inexact:
            raise InputError(self.name, value, self.rule)
        try:
            number = float(value)
        except OverflowError:  # an integer of hundreds of digits
            raise InputError(self.name, value, self.rule) from None
        above = number >= self.lower if self._takes_lower else number > self.lower
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

    def check_given(self, value: object) -> float:
        """Return a value that a user gives, as `check`, but refuse one whose square or quotient overflows."""
        number = self.check(value)
        if number and not 1 / LARGEST <= abs(number) <= LARGEST:
            rule = f"must be 0 or between {1 / LARGEST:g} and {LARGEST:g} in size: others overflow"
            raise InputError(self.name, value, rule)
        return number


@dataclass(frozen=True, kw_only=True, eq=False)
class ChoiceParameter(AnyParameter):
    """One of several words."""

    options: Mapping[str, str]  # its options, and how a page writes each
    default: str | None = None

    @property
    def rule(self) -> str:
        """Its options in words, as the end of an error message."""
        return f"must be one of {', '.join(self.options)}"

    def check(self, value: object) -> str:
        """Return the value, or raise with the rule it breaks."""
        if not isinstance(value, str) or value not in self.options:
            raise InputError(self.name, value, self.rule)
        return value


@dataclass(frozen=True, kw_only=True, eq=False)
class NameParameter(AnyParameter):
    """A name, of which what takes it decides whether it is known."""

    default: str

    def check(self, value: object) -> str:
        """Return the name as a text."""
        return str(value)


@dataclass(frozen=True, kw_only=True, eq=False)
class SwitchParameter(AnyParameter):
    """Something that is on or off."""

    default: bool = False

    def check(self, value: object) -> bool:
        """Return the value, or raise with the rule it breaks."""
        if not isinstance(value, bool):
            raise InputError(self.name, value, "must be yes or no")
        return value


def numbers_of(text: str) -> tuple[float, ...]:
    """Return the numbers of a text like "5,10,20"."""
    return tuple(map(float, text.split(",")))


@dataclass(frozen=True, kw_only=True, eq=False)
class ListParameter(AnyParameter):
    """Several values in their order: names of runs, or numbers that obey one rule."""

    placeholder: str  # of a value, in help texts
    size: int | None = None  # how many they are; None for any number from one
    item: Parameter | None = None  # the rule of each number; None for names
    read: Callable[[str], Sequence[object]] | None = None  # from the text of a single argument
    default: tuple[str, ...] | tuple[float, ...] | None = None

    def check(self, value: object) -> tuple[Any, ...]:
        """Return the values as a tuple, or raise with the rule they break."""
        if isinstance(value, str) and (self.read or self.item):
            try:
                value = (self.read or numbers_of)(value)
            except InputError:
                raise
            except ValueError:
                raise InputError(self.name, value, 'must be numbers like "5,10,20"') from None
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise InputError(self.name, value, "must be several values")
        values = tuple(value)
        if len(values) != (self.size or max(len(values), 1)):
            raise InputError(self.name, values, f"must be {self.size or 'at least one'}, each given")
        if self.item is None:
            return tuple(map(str, values))
        rule = replace(self.item, name=self.name, command_name=self.command_name)
        return tuple(
            int(rule.check_given(item)) if rule.integer else rule.check_given(item) for item in values
        )


class Setting(NamedTuple):
    """A value of a request, with the parameter that declares it."""

    parameter: Any
    value: Any
    unless: str = ""  # what it is where it stays open

    def in_words(self, found: object = None) -> object:
        """Return the value as exports state it, or the number or word that the answer has in its place."""
        value = found if isinstance(found, str | int | float) else self.value
        if isinstance(value, list | tuple):
            return first_few([item if isinstance(item, str) else f"{item:g}" for item in value], _FEW)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(self.parameter, ChoiceParameter) and value is not None:
            return self.parameter.options[str(value)]
        return self.unless if value is None else value


def record_of(settings: Iterable[Setting]) -> dict[str, Any]:
    """Return values by the names of their parameters."""
    return {setting.parameter.name: setting.value for setting in settings}


MOST_TOPICS = 10_000_000
"""Largest topic set size that is searched; beyond it a design has no solution."""

LARGEST_EFFECT = 1000.0
"""Largest standardised difference, in standard deviations.

Beyond it the noncentral distributions lose digits (their noncentrality passes 1e6), and a
difference of a thousand standard deviations is a slip of units, not a requirement.
"""


DESIGN = NameParameter(name="design", label="Design", help="What the topics are for.", default="")

METHOD = ChoiceParameter(
    name="method",
    label="Computed by",
    help="How a number of topics is computed.",
    options={
        "exact": "exact distributions",
        "published": "the approximation of Sakai's Excel tool",
    },
    default="exact",
)

ALPHA = Parameter(
    name="alpha",
    symbol="α",
    label="α, significance level",
    help="Probability that the test reports a difference between equal systems (Type I error).",
    upper=1.0,
    upper_included=False,
    default=0.05,
    step=0.01,
    computable_from=1e-100,  # critical values overflow from 1e-150 on
)

BETA = Parameter(
    name="beta",
    symbol="β",
    label="β, 1 − power",
    help="Probability that the test misses a true difference (Type II error).",
    upper=1.0,
    upper_included=False,
    default=0.20,
    step=0.05,
    computable_from=1e-9,  # the power 1 - beta is accurate to 1e-16, so n to 1e-16 / beta
)

MAX_ERROR = Parameter(
    name="max_error",
    symbol="ε",
    label="ε, tolerated error rate",
    help="How often another set of topics may reverse the order of two runs.",
    upper=0.5,
    upper_included=False,
    default=0.05,
    step=0.01,
    computable_from=1e-300,
)

MIN_DELTA = Parameter(
    name="min_delta",
    symbol="minΔ",
    label="minΔ, effect size to detect",
    help="The smallest difference worth detecting, in standard deviations; in one-way ANOVA minD² / 2σ².",
    default=0.5,
    step=0.1,
)

MIN_D = Parameter(
    name="min_d",
    symbol="minD",
    label="minD, difference to detect",
    help="In units of the measure: the smallest true difference that the test should detect.",
    default=0.10,
    step=0.01,
    of_measure=True,
)

MARGIN = Parameter(
    name="margin",
    label="Margin, difference that matters",
    help="In units of the measure, the least difference that matters: a system that is worse by less still counts "
    "as good.",
    default=0.05,
    step=0.01,
    of_measure=True,
    axis="margin, difference that matters",
)

TRUE_DIFFERENCE = Parameter(
    name="true_difference",
    symbol="θ",
    label="θ, true difference",
    help="In units of the measure: by how much the system is truly better than the other; 0 if they are equal.",
    lower=-math.inf,
    default=0.0,
    step=0.01,
    of_measure=True,
)

LOWER_IS_BETTER = SwitchParameter(
    name="lower_is_better",
    label="Lower is better",
    help="For errors, times and costs: the lowest mean is the best.",
)

MAX_WIDTH = Parameter(
    name="max_width",
    symbol="δ",
    label="δ, widest confidence interval allowed",
    axis="δ, width of the interval",
    help="Whole width of the interval for a difference, in units of the measure.",
    default=0.10,
    step=0.01,
    of_measure=True,
    ranges=2.0,  # differences lie on both sides of 0
)

WITHIN_SYSTEM_VARIANCE = Parameter(
    name="within_system_variance",
    command_name="variance",
    symbol="σ²",
    label="σ², within-system variance",
    help="Variance of one system's scores over topics, estimated from past scores.",
    default=0.05,
    step=0.005,
)

RESIDUAL_VARIANCE = Parameter(
    name="residual_variance",
    former_names=("two-way-variance",),
    symbol="σₑ²",
    label="σₑ², two-way variance",
    help="Variance of scores that is left without the means of systems and topics, if systems share the topics.",
    default=0.015,
    step=0.005,
)

DIFFERENCE_VARIANCE = Parameter(
    name="difference_variance",
    symbol="σₜ²",
    label="σₜ², variance of the difference of two systems",
    help="Variance over topics of the per-topic difference of two systems.",
    default=0.10,
    step=0.01,
)

SHARES = Parameter(
    name="shares",
    symbol="p",
    label="Shares of topics",
    help="Where scores are 0 or 1: shares of topics on which only the first, and only the second system has a 1; "
    "of one system its share of topics with a 1.",
    lower_included=True,
    upper=1.0,
    default=0.1,
    step=0.01,
)

ONLY_A = replace(
    SHARES,
    name="only_a",
    symbol="p₁₀",
    label="p₁₀, share of topics on which only A is right",
    help="Of all topics: those on which system A has a 1 and system B a 0.",
    default=0.15,
)
ONLY_B = replace(
    ONLY_A,
    name="only_b",
    symbol="p₀₁",
    label="p₀₁, share of topics on which only B is right",
    help="Of all topics: those on which system B has a 1 and system A a 0.",
    default=0.05,
)
SHARE_RIGHT = replace(
    ONLY_A,
    name="share_right",
    symbol="p",
    label="p, share of right topics",
    axis="p or 1 − p, share of right topics",
    help="Of all topics: those on which the system has a 1. The interval is widest for .5.",
    default=0.5,
)

CERTAINTY = Parameter(
    name="certainty",
    command_name="assurance",
    symbol="γ",
    label="γ, certainty",
    help="Probability with which the power is to be reached, as the variance is an estimate.",
    upper=1.0,
    upper_included=False,
    default=0.80,
    step=0.05,
)

EFFECTIVE_DF = Parameter(
    name="effective_df",
    symbol="ν",
    label="ν, degrees of freedom of the variance",
    help="Topics that the variance was estimated from, less 1; for the variance of one pair of runs 0.4 times the "
    "topics. Not m (n − 1), as runs share their topics.",
    default=49,
    lower=1.0,
    lower_included=True,
)

N_SYSTEMS = Parameter(
    name="n_systems",
    command_name="systems",
    symbol="m",
    label="m, number of systems",
    help="Number of systems that are compared.",
    lower=2,
    upper=1000,
    default=10,
    integer=True,
)

TOPICS = ChoiceParameter(
    name="topics",
    command_name="topics-are",
    label="Topics",
    help="Whether all systems run on the same topics, as in a test collection, or each on its own topics.",
    options={"shared": "shared by all systems", "separate": "separate per system"},
    default="shared",
)

DETECT = ChoiceParameter(
    name="detect",
    label="Power of finding",
    help="The result that has power 1 − β.",
    options={
        "pair": "the pair that differs by minD",
        "any": "some pair, if the largest is minD",
        "all": "every pair that differs by minD",
    },
    default="pair",
)

N_TOPICS = Parameter(
    name="n_topics",
    symbol="n",
    label="n, number of topics",
    help="Number of topics on which each system is evaluated.",
    lower=2,
    upper=MOST_TOPICS,
    default=50,
    integer=True,
)

LOOKS = Parameter(
    name="looks",
    symbol="K",
    label="K, number of looks",
    help="How often the test is made at most; the last test includes all topics.",
    lower=2,
    upper=5,
    default=3,
    integer=True,
)

SPENDING = ChoiceParameter(
    name="spending",
    label="Boundary",
    help="How the error probability α is divided over the looks.",
    options={
        "obrien-fleming": "O'Brien-Fleming",
        "pocock": "Pocock",
        "lan-demets-of": "Lan-DeMets, like O'Brien-Fleming",
        "lan-demets-pocock": "Lan-DeMets, like Pocock",
    },
    default="obrien-fleming",
)

PILOT_TOPICS = Parameter(
    name="pilot_topics",
    command_name="pilot",
    symbol="n₀",
    label="n₀, topics of the pilot",
    help="Topics that are scored first; their variance decides how many more are needed.",
    lower=2,
    upper=100_000,
    default=20,
    integer=True,
)

T_STATISTIC = Parameter(
    name="t",
    symbol="t₀",
    label="t₀, reported t statistic",
    help="As printed in the paper; its sign does not matter.",
    lower=-math.inf,
    default=2.0,
    step=0.1,
)

F_STATISTIC = Parameter(
    name="f",
    symbol="F₀",
    label="F₀, reported F statistic",
    help="As printed in the paper.",
    default=3.0,
    step=0.1,
)

BUDGET = Parameter(
    name="budget",
    symbol="B",
    label="B, budget",
    help="Total number of relevance judgments that you can afford.",
    default=20_000,
    step=1_000,
)

RELEVANCE_LEVEL = Parameter(
    name="relevance_level",
    symbol="l",
    label="l, relevance level",
    help="Lowest grade that counts as relevant, for binary measures.",
    lower=1,
    upper=1000,
    default=1,
    integer=True,
)

LARGEST_GRADE = Parameter(
    name="largest_grade",
    symbol="xmax",
    label="xmax of ERR and nERR",
    help="Of ERR and nERR: a document of grade x satisfies with probability (2^x - 1) / 2^xmax.",
    lower=1,
    upper=30,  # 2^x stays exact
    default=1,
    integer=True,
)


def check_error_probabilities(alpha: float, beta: float) -> None:
    """Validate the pair: 0 < alpha < 1 and 0 < beta < 1 - alpha."""
    # A test that rejects at random has power alpha, so less power than that is no requirement.
    ALPHA.check(alpha)
    BETA.check(beta)
    if not beta < 1 - alpha:
        rule = f"must be below 1 - alpha = {1 - alpha:g}, or the power would be below alpha"
        raise InputError(BETA.name, beta, rule)


def check_one_sided(alpha: float) -> None:
    """Raise `InputError` unless alpha is below one half."""
    if ALPHA.check(alpha) >= 0.5:
        raise InputError(ALPHA.name, alpha, "must be below 0.5, as the test is one-sided")


def number_of_trials(
    help: str, *, label: str = "Trials", symbol: str = "", lower: float = 1, default: float = 2000
) -> Parameter:
    """Return the parameter that says how often something is simulated."""
    return Parameter(
        name="n_trials",
        command_name="trials",
        symbol=symbol,
        label=label,
        help=help,
        lower=lower,
        upper=1_000_000,
        default=default,
        step=1000,
        integer=True,
    )


SEED = Parameter(
    name="seed",
    label="Seed of the random numbers",
    help="The same seed gives the same numbers on any machine.",
    lower=0,
    upper=2**53,
    default=0,
    integer=True,
)
