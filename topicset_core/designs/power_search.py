"""From a power function to answers: topics for an effect, effects for a number of topics.

Shared by the designs that ask for a power. Each hands in its exact test and its published
approximation; here they are searched in the same way. `PowerDesign` converts minD and a variance to
minDelta; `FDesign` is what t tests, ANOVAs and multiple comparisons share, `TTest` a t test.
"""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.design import Design
from topicset_core.designs.f_test import FTest
from topicset_core.designs.nagata import NagataF, NagataT
from topicset_core.designs.requirements import PowerRequirements, checked_values, counted_topics
from topicset_core.designs.results import NOT_PUBLISHED, Method, PowerResult, check_method
from topicset_core.designs.search import (
    SMALLEST_EFFECT,
    Booleans,
    Floats,
    Integers,
    equal_groups,
    fewest_groups,
    fewest_topics,
    smallest_integers,
)
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import (
    ALPHA,
    BETA,
    LARGEST_EFFECT,
    MIN_D,
    MIN_DELTA,
    Parameter,
    check_error_probabilities,
)

_HALVINGS = 64  # of a log interval of 41: down to the last digit of double precision


@dataclass(frozen=True)
class PowerSearch:
    """A test with its two ways of computing power, ready to be searched."""

    exact: FTest
    published: NagataT | NagataF | None = None  # its approximation in the Excel tools

    def power(self, n_topics: ArrayLike, effect: ArrayLike, alpha: float, method: Method) -> Floats:
        """Return the power at n topics; the published form may be NaN at very small n."""
        return (self.exact if method == "exact" else self.approximation(method)).power(
            n_topics, effect, alpha
        )

    def approximation(self, method: Method) -> NagataT | NagataF:
        """Return the published approximation."""
        check_method(method)
        if self.published is None:
            raise InputError("method", method, NOT_PUBLISHED)
        return self.published

    def grid(self, effect: ArrayLike, alpha: float, beta: float, method: Method) -> Integers:
        """Return the smallest n for each of many effects, in their shape."""
        if method == "exact":
            return self.exact.required_topics(effect, alpha, beta)
        effects = np.asarray(effect, dtype=np.float64)
        flat = effects.ravel()

        def enough(n: Integers, cells: Integers) -> Booleans:
            # A power of NaN compares as False: not enough, keep looking upwards.
            return self.power(n, flat[cells], alpha, method) >= 1 - beta

        start = self.approximation(method).initial_topics(flat, alpha, beta)
        return smallest_integers(enough, start).reshape(effects.shape)

    def detectable_effect(self, n_topics: ArrayLike, alpha: float, beta: float, method: Method) -> Floats:
        """Return the smallest effect that n topics detect with power 1 - beta."""
        n = np.asarray(n_topics, dtype=np.float64)
        if method == "exact":
            return self.exact.required_effect(n, alpha, beta)
        published = self.approximation(method)
        published.initial_topics(np.ones(1), alpha, beta)  # refuses the same values as the published tool
        return _published_effect(published, n, alpha, beta)


def _published_effect(published: NagataT | NagataF, n: Floats, alpha: float, beta: float) -> Floats:
    """Bisect on a log scale: the approximation is not smooth enough for anything faster."""
    low, high = np.full_like(n, 1e-12), np.full_like(n, LARGEST_EFFECT**2)
    if np.any(~(published.power(n, high, alpha) >= 1 - beta)):
        raise NoSolution(
            f"the published approximation finds no effect that {int(n.min())} topics detect "
            f"with alpha = {alpha:g} and beta = {beta:g}"
        )
    for _ in range(_HALVINGS):
        middle = np.sqrt(low * high)
        enough = published.power(n, middle, alpha) >= 1 - beta
        high, low = np.where(enough, middle, high), np.where(enough, low, middle)
    return np.asarray(high, dtype=np.float64)


def in_units(deviations: ArrayLike, variance: ArrayLike) -> Floats:
    """Return a difference that is in standard deviations in units of the measure; arrays broadcast."""
    return np.asarray(deviations, dtype=np.float64) * np.sqrt(np.asarray(variance, dtype=np.float64))


@dataclass(frozen=True, kw_only=True, eq=False)
class PowerDesign(Design):
    """A design that asks for the power to detect a difference; minDelta may replace it and the variance."""

    has_power = True
    effect_unit = "SD"

    def min_delta_of(self, min_d: ArrayLike, variance: ArrayLike) -> Floats:
        """Return minDelta = minD / sqrt(variance); arrays broadcast (Sakai 2016, Eq. 10)."""
        return np.asarray(min_d, dtype=np.float64) / np.sqrt(np.asarray(variance, dtype=np.float64))

    def min_d_of(self, min_delta: ArrayLike, variance: ArrayLike) -> Floats:
        """Return minD = minDelta sqrt(variance), the inverse of `min_delta_of`."""
        return in_units(min_delta, variance)

    def effect_of_deviations(self, deviations: float) -> float:
        """Return minDelta of a difference in standard deviations."""
        return deviations

    required_topics_grid: ClassVar[Callable[..., Integers]]
    """``required_topics_grid(min_delta, *, alpha, beta, method, ...)``: required topics for effects."""
    power_of: ClassVar[Callable[..., Floats]]
    """``power_of(n_topics, min_delta, *, alpha, method, ...)``: power of n topics at effects."""
    detectable_delta: ClassVar[Callable[..., Floats]]
    """``detectable_delta(n_topics, *, alpha, beta, method, ...)``: smallest effects that n topics detect."""

    def topics(
        self, difference: ArrayLike, variance: ArrayLike, *, method: Method = "exact", **fixed: Any
    ) -> Integers:
        """Return the required topics for differences in units of the measure; arrays broadcast."""
        return self.required_topics_grid(self.min_delta_of(difference, variance), method=method, **fixed)

    def difference(
        self, n_topics: ArrayLike, variance: ArrayLike, *, method: Method = "exact", **fixed: Any
    ) -> Floats:
        """Return the smallest difference in units of the measure that n topics detect; arrays broadcast."""
        return self.min_d_of(self.detectable_delta(n_topics, method=method, **fixed), variance)

    def power(
        self,
        n_topics: ArrayLike,
        difference: ArrayLike,
        variance: ArrayLike,
        *,
        method: Method = "exact",
        beta: float | None = None,  # noqa: ARG002 - given with the other keywords
        **fixed: Any,
    ) -> Floats:
        """Return the power of n topics at differences in units of the measure; arrays broadcast."""
        return self.power_of(n_topics, self.min_delta_of(difference, variance), method=method, **fixed)


@dataclass(frozen=True, kw_only=True, eq=False)
class FDesign(PowerDesign):
    """A t test, an ANOVA or multiple comparisons: the power is a tail of a noncentral F distribution."""

    search: ClassVar[Callable[..., PowerSearch]]
    """``search(**choices)``: the test with ``n_systems`` and other choices, where the design takes them."""

    @abstractmethod
    def effect_of(self, min_delta: Floats) -> Floats:
        """Return the noncentrality per topic of minDelta."""

    @abstractmethod
    def delta_of(self, effect: Floats) -> Floats:
        """Return minDelta of a noncentrality per topic."""

    def notes(self, requirements: Any, method: Method, topics: int) -> tuple[str, ...]:  # noqa: ARG002
        """Return notes for a reader of the number."""
        return ()

    def required_topics(
        self, requirements: Any, *, method: Method = "exact", size_cv: float = 0.0
    ) -> PowerResult:
        """Return the smallest number of topics that meets the requirements.

        Parameters
        ----------
        requirements : Requirements
            Requirements of the test.
        method : {"exact", "published"}
            Noncentral distributions, or Sakai's Excel tool where it covers the test.
        size_cv : float
            Coefficient of variation of the sizes of groups, where topics are groups of unequal size.

        Raises
        ------
        NoSolution
            If more than ten million topics would be needed.
        InputError
            If the Excel tool has no answer, and `method` is published.
        """
        return PowerResult(**self.answered(requirements, method, size_cv))

    def answered(
        self, requirements: PowerRequirements, method: Method, size_cv: float = 0.0
    ) -> dict[str, Any]:
        """Return the fields of a `PowerResult`."""
        effect = max(float(self.effect_of(np.asarray(requirements.effect_size))), SMALLEST_EFFECT)
        search, alpha = self.search(**self.choices_of(requirements)), requirements.alpha

        def power(n: ArrayLike) -> Floats:
            return search.power(equal_groups(n, size_cv), effect, alpha, method)

        n = int(search.grid(effect, alpha, requirements.beta, method))
        if size_cv:
            n = int(fewest_groups(lambda groups, _: power(groups) >= 1 - requirements.beta, n, size_cv))
        fewer = float(power(n - 1)) if n > fewest_topics(size_cv) else np.nan
        return {
            "design": self.name,
            "method": method,
            "requirements": requirements,
            "required_topics": n,
            "attained_power": float(power(n)),
            "power_one_topic_fewer": None if np.isnan(fewer) else fewer,
            "effect_size": requirements.effect_size,
            "notes": self.notes(requirements, method, n),
        }

    def choices_of(self, requirements: Any) -> dict[str, Any]:
        """Return the keywords of `search`: what the design takes beside error probabilities and difference."""
        numbers = [parameter for parameter in self.parameters if parameter not in (ALPHA, BETA, MIN_D)]
        names = [*(number.name for number in numbers), *(choice.name for choice in self.choices)]
        return {name: getattr(requirements, name) for name in names}

    def required_topics_grid(
        self, min_delta: ArrayLike, *, alpha: float, beta: float, method: Method = "exact", **choices: Any
    ) -> Integers:
        """Return the required topics for effects of any shape; `min_delta_of` makes them from minD.

        Parameters
        ----------
        min_delta : array_like
            Smallest effects to detect, above 0.
        alpha, beta : float
            Error probabilities, 0 < alpha < 1 and 0 < beta < 1 - alpha.
        method : {"exact", "published"}
            Noncentral distributions, or the approximation of the published tool.
        **choices
            ``n_systems``, m of a test of several systems, and the other choices of its requirements.

        Raises
        ------
        NoSolution
            If some effect needs more than ten million topics.
        """
        check_error_probabilities(alpha, beta)
        return self.search(**choices).grid(self._effect(min_delta), alpha, beta, method)

    def power_of(
        self,
        n_topics: ArrayLike,
        min_delta: ArrayLike,
        *,
        alpha: float,
        method: Method = "exact",
        size_cv: float = 0.0,
        **choices: Any,
    ) -> Floats:
        """Return the probability that n topics show an effect, of an ANOVA in the worst case; arrays broadcast.

        The published form is NaN at the very small n where it is undefined.

        Parameters
        ----------
        n_topics : array_like
            Topics per system, from 2.
        min_delta : array_like
            Effects, above 0.
        alpha : float
            Significance level, above 0 and below 1.
        method : {"exact", "published"}
            Noncentral distributions, or the approximation of the published tool.
        size_cv : float
            Coefficient of variation of the sizes of groups, where topics are groups of unequal size.
        **choices
            ``n_systems``, m of a test of several systems, and the other choices of its requirements.
        """
        ALPHA.check(alpha)
        n = counted_topics(n_topics, size_cv)
        return self.search(**choices).power(n, self._effect(min_delta), alpha, method)

    def detectable_delta(
        self,
        n_topics: ArrayLike,
        *,
        alpha: float,
        beta: float,
        method: Method = "exact",
        size_cv: float = 0.0,
        **choices: Any,
    ) -> Floats:
        """Return the smallest effect that n topics detect with power 1 - beta; `min_d_of` converts it.

        Parameters
        ----------
        n_topics : array_like
            Topics per system, from 2.
        alpha, beta : float
            Error probabilities, 0 < alpha < 1 and 0 < beta < 1 - alpha.
        method : {"exact", "published"}
            Noncentral distributions, or the approximation of the published tool.
        size_cv : float
            Coefficient of variation of the sizes of groups, where topics are groups of unequal size.
        **choices
            ``n_systems``, m of a test of several systems, and the other choices of its requirements.

        Raises
        ------
        NoSolution
            If some n detects no difference up to a thousand standard deviations.
        """
        check_error_probabilities(alpha, beta)
        n = counted_topics(n_topics, size_cv)
        return self.delta_of(self.search(**choices).detectable_effect(n, alpha, beta, method))

    def _effect(self, min_delta: ArrayLike) -> Floats:
        """Return the noncentrality per topic, lambda / n."""
        return np.maximum(self.effect_of(checked_values(MIN_DELTA, min_delta)), SMALLEST_EFFECT)


@dataclass(frozen=True, kw_only=True, eq=False)
class TTest(FDesign):
    """A t test, of one group of differences (phi = n - 1) or of two groups of scores (phi = 2n - 2)."""

    groups: int
    parameters: tuple[Parameter, ...] = field(default=(ALPHA, BETA, MIN_D))

    def search(self) -> PowerSearch:
        """Return the F test of one numerator degree of freedom, and Nagata's approximation of t."""
        return PowerSearch(FTest(numerator_df=1, groups=self.groups), NagataT(self.groups))

    def effect_of(self, min_delta: Floats) -> Floats:
        """Return minDelta^2, over 2 for two groups."""
        return np.asarray(np.square(min_delta) / self.groups)

    def delta_of(self, effect: Floats) -> Floats:
        """Return minDelta of a noncentrality per topic."""
        return np.sqrt(effect * self.groups)
