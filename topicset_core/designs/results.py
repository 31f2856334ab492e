"""The answer of a design: the number, the evidence for it, and all that is needed to cite it."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, Literal, get_args

from topicset_core.designs.search import fewest_topics
from topicset_core.errors import InputError
from topicset_core.wording import counted

Method = Literal["exact", "published"]
"""``exact``: noncentral distributions. ``published``: the approximations of the Excel tools."""


NOT_PUBLISHED = 'must be "exact": Sakai\'s Excel tools do not cover this design'


def check_method(method: str) -> None:
    """Raise `InputError` unless `method` is one of the two."""
    if method not in get_args(Method):
        raise InputError("method", method, 'must be "exact" or "published"')


def check_exact(method: str) -> None:
    """Raise `InputError` unless `method` is exact, the only one of a design that the Excel tools do not cover."""
    check_method(method)
    if method != "exact":
        raise InputError("method", method, NOT_PUBLISHED)


_MORE_DIGITS = 2  # of a value near its target


def rounded(value: float, target: float, *, at_least: bool, digits: int, style: Literal["f", "g"]) -> str:
    """Return a value rounded so that it still meets a target, or still does not: 0.79996 is not 0.8."""

    def meets(topics: float) -> bool:
        return topics >= target if at_least else topics <= target

    texts = (f"{value:.{more}{style}}" for more in range(digits, digits + _MORE_DIGITS + 1))
    just = f"just {'below' if value < target else 'above'} {target:.{digits + _MORE_DIGITS}g}"
    return next((text for text in texts if meets(float(text)) == meets(value)), just)


def unit_of(group_size: int) -> str:
    """Return what is counted: groups where topics come in groups."""
    return "group" if group_size else "topic"


@dataclass(frozen=True, kw_only=True)
class Result:
    """An answer of a design, which states itself for terminals, pages and papers; a kind of design has its own.

    Attributes
    ----------
    design, method, requirements, notes
        The design by its name, how it was computed, the validated requirements, and notes for a reader.
    group_size : int
        Topics per group where it counts groups in place of topics; 0 otherwise.
    size_cv : float
        Coefficient of variation of the sizes of groups, which then have `group_size` topics on average.
    """

    design: str
    method: Method  # how it was computed
    requirements: Any = field(repr=False)
    required_topics: int
    notes: tuple[str, ...] = ()
    group_size: int = 0
    size_cv: float = 0.0

    attains: ClassVar[str]
    """Which fields have what topics attain: ``attained_*`` and ``*_one_topic_fewer``."""
    name: ClassVar[str]
    """What that is, in words: a power, a width or a rate."""
    in_chart: ClassVar[tuple[str, str, str]]
    """Title, axis and limit of its chart against topics, of a value in units of the measure."""
    at_least: ClassVar[bool] = False
    """Whether the target is the least value and not the most."""
    style: ClassVar[Literal["f", "g"]] = "g"

    def record(self) -> dict[str, Any]:
        """Return the result as plain values for JSON, requirements that were left open as None."""
        record = asdict(self) | {"notes": list(self.notes)}
        del record["group_size"], record["size_cv"]
        return record

    @property
    def plan(self) -> Any:
        """The plan that this is the answer of, by the exact method."""
        return replace(self.requirements.plan(), group_size=self.group_size, size_cv=self.size_cv)

    @property
    def unit(self) -> str:
        """What it counts: "topic" or "group"."""
        return unit_of(self.group_size)

    @property
    def units(self) -> str:
        """What it counts, as "topics", "groups of 12 topics" or "groups of 12 topics on average"."""
        on_average = " on average" * bool(self.size_cv)
        return f"groups of {counted(self.group_size, 'topic')}{on_average}" if self.group_size else "topics"

    @property
    def attained(self) -> float:
        """What the required topics attain."""
        return float(getattr(self, f"attained_{self.attains}"))

    @property
    def one_fewer(self) -> float | None:
        """What one topic fewer attains; None where that is not defined."""
        value: float | None = getattr(self, f"{self.attains}_one_topic_fewer")
        return value

    @property
    @abstractmethod
    def target(self) -> float:
        """What must be attained."""

    def rounded(self, value: float, *, per: float = 1.0, digits: int = 4) -> str:
        """Return a value, times `per`, so that it still meets the target or still does not."""
        target = per * self.target
        return rounded(per * value, target, at_least=self.at_least, digits=digits, style=self.style)

    def on_page(self, value: float) -> str:
        """Return an attained value for a page."""
        return self.rounded(value)

    @property
    def lines(self) -> tuple[str, ...]:
        """The answer for a terminal."""
        fewer, plan = self.one_fewer, self.requirements.plan()
        return (
            f"{self.required_topics} {self.units}  ({plan.design.described(plan.values, self.method)})",
            *filter(None, [self.in_words]),
            f"{self.name} {self.attained:.6f}",
            *([] if fewer is None else [f"{self.name} with one {self.unit} fewer {fewer:.6f}"]),
            *self.notes,
        )

    @property
    def evidence(self) -> str:
        """The attained values, in a sentence."""
        n, article = self.required_topics, "an" if self.name[0] in "aeiou" else "a"
        first = f"{n:,} {self.unit}s give {article} {self.name} of {self.on_page(self.attained)}"
        if n == fewest_topics(self.size_cv):
            if self.size_cv:
                return f"{first}; fewer groups of these sizes leave the test less than one degree of freedom."
            return f"{first}; with fewer than 2 {self.unit}s the variance is undefined."
        if self.one_fewer is None:
            return f"{first}."
        return f"{first}; with one {self.unit} fewer it is {self.on_page(self.one_fewer)}."

    @property
    def in_words(self) -> str:
        """Addition of a design to the number, as a line of text; "" without one."""
        return ""

    @property
    def about_test(self) -> str:
        """What else to know of the test, in sentences; "" without any."""
        return ""

    @property
    def rounds(self) -> Mapping[str, Sequence[float]]:
        """Columns of a table with one row per round of topics; empty where there is one round."""
        return {}


@dataclass(frozen=True, kw_only=True)
class PowerResult(Result):
    """The smallest topic set size that reaches a power.

    Attributes
    ----------
    required_topics : int
        n, per system; the smallest for which ``power(n) >= 1 - beta``.
    attained_power : float
        Power at `required_topics`, by the same method.
    power_one_topic_fewer : float or None
        Power at ``required_topics - 1``, below 1 - beta. None at n = 2, the fewest possible, and
        where the published approximation has no value.
    effect_size : float
        minDelta of the design, in its own convention.
    """

    attained_power: float
    power_one_topic_fewer: float | None
    effect_size: float

    attains = name = "power"
    at_least, style = True, "f"

    @property
    def target(self) -> float:
        """1 - beta."""
        return 1 - float(self.requirements.beta)

    def on_page(self, value: float) -> str:
        """Return a power in per cent."""
        return f"{self.rounded(value, per=100, digits=2)} %"


@dataclass(frozen=True, kw_only=True)
class WidthResult(Result):
    """The smallest topic set size whose confidence interval is expected to be narrow enough.

    Attributes
    ----------
    required_topics : int
        n, per system; the smallest for which ``E(2 MOE) <= max_width``.
    attained_width : float
        Expected width at `required_topics`, in units of the measure.
    width_one_topic_fewer : float or None
        Expected width at ``required_topics - 1``, above `max_width`; None at n = 2.
    """

    attained_width: float
    width_one_topic_fewer: float | None

    attains = "width"
    name = "expected width"
    in_chart = "Expected width of the interval", "expected width, 2 MOE", "widest allowed"

    @property
    def target(self) -> float:
        """The widest interval allowed."""
        return float(self.requirements.max_width)


@dataclass(frozen=True, kw_only=True)
class ErrorRateResult(Result):
    """The smallest topic set size with which two experiments seldom enough contradict each other.

    Attributes
    ----------
    method : {"exact", "published"}
        The error rate itself, or the exponential that its paper approximates it by.
    required_topics : int
        n, from 1; the smallest with an error rate of at most `max_error`.
    attained_error : float
        Error rate at `required_topics`, by the same method.
    error_one_topic_fewer : float or None
        Error rate at ``required_topics - 1``, above `max_error`; None at n = 1.
    """

    attained_error: float
    error_one_topic_fewer: float | None

    attains = "error"
    name = "error rate"

    @property
    def target(self) -> float:
        """The tolerated error rate."""
        return float(self.requirements.max_error)
