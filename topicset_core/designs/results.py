"""The answer of a design: the number, the evidence for it, and all that is needed to cite it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from topicset_core.errors import InputError

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


def rounded(value: float, met: Callable[[float], bool], *, digits: int, style: Literal["f", "g"]) -> str:
    """Return a value rounded so that it still meets a requirement, or still does not.

    Close to its target a power of .79996 would round to .8, and the evidence that one topic fewer is
    not enough would read as if it were.

    Parameters
    ----------
    value : float
        To be shown.
    met : callable
        Whether a value meets the requirement.
    digits : int
        Fewest digits; more are taken where they are needed.
    style : {"f", "g"}
        Digits after the point, or significant digits.
    """
    texts = (f"{value:.{more}{style}}" for more in range(digits, 17))
    return next((text for text in texts if met(float(text)) == met(value)), repr(value))


@dataclass(frozen=True, kw_only=True)
class _Result:
    design: str
    method: Method
    requirements: Any = field(repr=False)
    required_topics: int
    notes: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the result as plain values for JSON, requirements that were left open as None."""
        return asdict(self) | {"notes": list(self.notes)}


@dataclass(frozen=True, kw_only=True)
class PowerResult(_Result):
    """The smallest topic set size that reaches a power.

    Attributes
    ----------
    design : str
        Name of the design, as on its page.
    method : {"exact", "published"}
        How the power was computed.
    requirements : Requirements
        The requirements.
    required_topics : int
        n, per system; the smallest for which ``power(n) >= 1 - beta``.
    attained_power : float
        Power at `required_topics`, by the same method.
    power_one_topic_fewer : float or None
        Power at ``required_topics - 1``, below 1 - beta. None at n = 2, the fewest possible, and
        where the published approximation has no value.
    effect_size : float
        minDelta of the design, in its own convention.
    notes : tuple of str
        Notes for a reader of the number.
    """

    attained_power: float
    power_one_topic_fewer: float | None
    effect_size: float

    @property
    def in_words(self) -> str:
        """Addition of a design to the number, as a line of text; "" without one."""
        return ""

    @property
    def for_paper(self) -> str:
        """Additions of a paper about the test, as sentences; "" without any."""
        return ""

    @property
    def rounds(self) -> Mapping[str, Sequence[float]]:
        """Columns of a table with one row per round of topics; empty where there is one round."""
        return {}


@dataclass(frozen=True, kw_only=True)
class WidthResult(_Result):
    """The smallest topic set size whose confidence interval is expected to be narrow enough.

    Attributes
    ----------
    design, method, requirements, notes
        As in `PowerResult`.
    required_topics : int
        n, per system; the smallest for which ``E(2 MOE) <= max_width``.
    attained_width : float
        Expected width at `required_topics`, in units of the measure.
    width_one_topic_fewer : float or None
        Expected width at ``required_topics - 1``, above `max_width`; None at n = 2.
    """

    attained_width: float
    width_one_topic_fewer: float | None


@dataclass(frozen=True, kw_only=True)
class ErrorRateResult(_Result):
    """The smallest topic set size with which two experiments seldom enough contradict each other.

    Attributes
    ----------
    design, requirements, notes
        As in `PowerResult`.
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
