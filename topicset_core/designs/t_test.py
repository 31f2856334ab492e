"""Common parts of the paired and the two-sample t test.

They differ in the degrees of freedom that a topic adds (`groups`, 1 or 2), in the noncentrality
lambda^2 = n Delta^2 / groups, and in whose standard deviation Delta is measured in; the modules
`paired_t` and `two_sample_t` express that in the terms of their papers.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.f_test import FTest
from topicset_core.designs.in_units import InUnits
from topicset_core.designs.nagata import NagataT, initial_topics_t
from topicset_core.designs.power_search import PowerSearch
from topicset_core.designs.requirements import PowerRequirements, checked_topics, checked_values
from topicset_core.designs.results import Method, PowerResult
from topicset_core.designs.search import SMALLEST_EFFECT, Floats, Integers
from topicset_core.parameters import ALPHA, MIN_DELTA, check_error_probabilities


@dataclass(frozen=True, kw_only=True)
class TTestRequirements(PowerRequirements):
    """Requirements whose minDelta is minD over a standard deviation."""

    @property
    def standardised_difference(self) -> float:
        """The same as `effect_size`."""
        return self.effect_size

    def _effect_size_of(self, min_d: float, variance: float) -> float:
        return min_d / math.sqrt(variance)


@dataclass(frozen=True)
class TTest:
    """The functions of a t test; `paired_t` and `two_sample_t` contain one each."""

    name: str
    groups: int  # 1 paired, 2 two samples

    def required_topics(self, requirements: TTestRequirements, method: Method) -> PowerResult:
        """Return the smallest n that meets the requirements; raises NoSolution beyond ten million."""
        alpha, beta = requirements.alpha, requirements.beta
        effect = float(self._effect(requirements.effect_size))
        start = float(initial_topics_t(np.asarray(effect), alpha, beta, self.groups))
        answer = self._search.answer(effect, alpha, beta, start, method)
        return PowerResult(
            design=self.name,
            method=method,
            requirements=requirements,
            required_topics=answer.topics,
            attained_power=answer.power,
            power_one_topic_fewer=answer.power_one_fewer,
            effect_size=requirements.effect_size,
        )

    def required_topics_grid(
        self, min_delta: ArrayLike, *, alpha: float, beta: float, method: Method = "exact"
    ) -> Integers:
        """Return the required topics for effect sizes of any shape."""
        check_error_probabilities(alpha, beta)
        return self._search.grid(self._effect(min_delta), alpha, beta, method)

    def power(
        self, n_topics: ArrayLike, min_delta: ArrayLike, *, alpha: float, method: Method = "exact"
    ) -> Floats:
        """Return the probability that n topics show a difference of `min_delta`; arrays broadcast."""
        ALPHA.check(alpha)
        return self._search.power(checked_topics(n_topics), self._effect(min_delta), alpha, method)

    def detectable_delta(
        self, n_topics: ArrayLike, *, alpha: float, beta: float, method: Method = "exact"
    ) -> Floats:
        """Return the smallest effect size that n topics detect with power 1 - beta.

        `min_d_of` converts it to a difference in units of the measure.
        """
        check_error_probabilities(alpha, beta)
        n = checked_topics(n_topics)
        return np.sqrt(self._search.detectable_effect(n, alpha, beta, method) * self.groups)

    @property
    def in_units(self) -> InUnits:
        """The same questions for differences in units of the measure."""
        return InUnits(self.required_topics_grid, self.detectable_delta, self.power, min_delta_of, min_d_of)

    @property
    def _search(self) -> PowerSearch:
        return PowerSearch(FTest(numerator_df=1, groups=self.groups), NagataT(self.groups))

    def _effect(self, min_delta: ArrayLike) -> Floats:
        """Noncentrality per topic, lambda^2 / n."""
        deviations = checked_values(MIN_DELTA, min_delta)
        return np.maximum(np.square(deviations) / self.groups, SMALLEST_EFFECT)


def min_delta_of(min_d: ArrayLike, variance: ArrayLike) -> Floats:
    """Return minDelta = minD / sqrt(variance); arrays broadcast (Sakai 2016, Eq. 10)."""
    return np.asarray(min_d, dtype=np.float64) / np.sqrt(np.asarray(variance, dtype=np.float64))


def min_d_of(min_delta: ArrayLike, variance: ArrayLike) -> Floats:
    """Return minD = minDelta sqrt(variance), the inverse of `min_delta_of`."""
    return np.asarray(min_delta, dtype=np.float64) * np.sqrt(np.asarray(variance, dtype=np.float64))
