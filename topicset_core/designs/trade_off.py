"""One view of every design: how topics, difference and variance trade off.

A `TradeOff` is a design with its error probabilities (and number of systems) settled. What is left
are three quantities, of which any one follows from the others: the number of topics, the
difference (minD to detect, or delta, the widest interval allowed) and the variance, in the
design's own terms. Charts, tables and comparisons work on this view and need not know the design.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Literal

from numpy.typing import ArrayLike

from topicset_core.designs import (
    confidence_interval,
    one_way_anova,
    paired_t,
    t_test,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.designs.results import Method
from topicset_core.designs.search import Floats, Integers

Kind = Literal["power", "width"]


@dataclass(frozen=True)
class TradeOff:
    """A design with everything settled but topics, difference and variance.

    Parameters
    ----------
    label : str
        What tells it from its neighbours, for example "m = 10".
    kind : {"power", "width"}
        Whether the difference is minD, to be detected, or delta, the widest interval allowed.
    topics : callable
        ``topics(difference, variance, method)``: required topics, arrays broadcast.
    difference : callable
        ``difference(n_topics, variance, method)``: smallest minD that n topics detect, or the
        expected width at n; arrays broadcast.
    power : callable or None
        ``power(n_topics, difference, variance, method)``; None for an interval.
    """

    label: str
    kind: Kind
    topics: Callable[[ArrayLike, ArrayLike, Method], Integers]
    difference: Callable[[ArrayLike, ArrayLike, Method], Floats]
    power: Callable[[ArrayLike, ArrayLike, ArrayLike, Method], Floats] | None = None


Requirements = (
    paired_t.Requirements
    | two_sample_t.Requirements
    | one_way_anova.Requirements
    | confidence_interval.Requirements
    | two_sample_confidence_interval.Requirements
)
"""Those of any design."""


def view_of(requirements: Requirements) -> TradeOff:
    """Return the view of the design that these requirements are for."""
    match requirements:
        case paired_t.Requirements():
            return of_paired_t(requirements.alpha, requirements.beta)
        case two_sample_t.Requirements():
            return of_two_sample_t(requirements.alpha, requirements.beta)
        case one_way_anova.Requirements():
            return of_one_way_anova(requirements.alpha, requirements.beta, requirements.n_systems)
        case confidence_interval.Requirements():
            return of_confidence_interval(requirements.alpha)
        case two_sample_confidence_interval.Requirements():
            return of_two_sample_confidence_interval(requirements.alpha)


def of_paired_t(alpha: float, beta: float) -> TradeOff:
    """Return the view of the paired t test; its variance is sigma_t^2."""
    return _of_t_test(paired_t, "paired t test", alpha, beta)


def of_two_sample_t(alpha: float, beta: float) -> TradeOff:
    """Return the view of the two-sample t test; its variance is sigma^2 of one system."""
    return _of_t_test(two_sample_t, "two-sample t test", alpha, beta)


def of_one_way_anova(alpha: float, beta: float, n_systems: int) -> TradeOff:
    """Return the view of the one-way ANOVA; its variance is sigma^2 of one system."""
    to_delta, to_d = one_way_anova.min_delta_of, one_way_anova.min_d_of

    def topics(difference: ArrayLike, variance: ArrayLike, method: Method) -> Integers:
        return one_way_anova.required_topics_grid(
            to_delta(difference, variance), alpha=alpha, beta=beta, n_systems=n_systems, method=method
        )

    def difference(n_topics: ArrayLike, variance: ArrayLike, method: Method) -> Floats:
        effect = one_way_anova.detectable_delta(
            n_topics, alpha=alpha, beta=beta, n_systems=n_systems, method=method
        )
        return to_d(effect, variance)

    def power(n_topics: ArrayLike, difference: ArrayLike, variance: ArrayLike, method: Method) -> Floats:
        effect = to_delta(difference, variance)
        return one_way_anova.power(n_topics, effect, alpha=alpha, n_systems=n_systems, method=method)

    return TradeOff(f"m = {n_systems}", "power", topics, difference, power)


def of_confidence_interval(alpha: float) -> TradeOff:
    """Return the view of the paired interval; its variance is sigma_t^2."""
    return _of_interval(confidence_interval, "paired interval", alpha)


def of_two_sample_confidence_interval(alpha: float) -> TradeOff:
    """Return the view of the two-sample interval; its variance is sigma^2 of one system."""
    return _of_interval(two_sample_confidence_interval, "two-sample interval", alpha)


def _of_t_test(design: ModuleType, label: str, alpha: float, beta: float) -> TradeOff:
    """View `paired_t` or `two_sample_t`, which name their functions alike."""

    def topics(difference: ArrayLike, variance: ArrayLike, method: Method) -> Integers:
        effect = t_test.min_delta_of(difference, variance)
        found: Integers = design.required_topics_grid(effect, alpha=alpha, beta=beta, method=method)
        return found

    def difference(n_topics: ArrayLike, variance: ArrayLike, method: Method) -> Floats:
        effect = design.detectable_delta(n_topics, alpha=alpha, beta=beta, method=method)
        return t_test.min_d_of(effect, variance)

    def power(n_topics: ArrayLike, difference: ArrayLike, variance: ArrayLike, method: Method) -> Floats:
        effect = t_test.min_delta_of(difference, variance)
        found: Floats = design.power(n_topics, effect, alpha=alpha, method=method)
        return found

    return TradeOff(label, "power", topics, difference, power)


def _of_interval(design: ModuleType, label: str, alpha: float) -> TradeOff:
    """View `confidence_interval` or `two_sample_confidence_interval`."""

    def topics(difference: ArrayLike, variance: ArrayLike, method: Method) -> Integers:
        found: Integers = design.required_topics_grid(difference, variance, alpha=alpha, method=method)
        return found

    def difference(n_topics: ArrayLike, variance: ArrayLike, method: Method) -> Floats:
        found: Floats = design.width(n_topics, variance, alpha=alpha, method=method)
        return found

    return TradeOff(label, "width", topics, difference)
