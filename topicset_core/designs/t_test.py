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
from topicset_core.designs.nagata import NagataT
from topicset_core.designs.power_search import FDesign, PowerSearch
from topicset_core.designs.requirements import PowerRequirements
from topicset_core.designs.search import Floats


@dataclass(frozen=True, kw_only=True)
class TTestRequirements(PowerRequirements):
    """Requirements whose minDelta is minD over a standard deviation."""

    @property
    def standardised_difference(self) -> float:
        """The same as `effect_size`."""
        return self.effect_size

    def _effect_size_of(self, min_d: float, variance: float) -> float:
        return min_d / math.sqrt(variance)


def min_delta_of(min_d: ArrayLike, variance: ArrayLike) -> Floats:
    """Return minDelta = minD / sqrt(variance); arrays broadcast (Sakai 2016, Eq. 10)."""
    return np.asarray(min_d, dtype=np.float64) / np.sqrt(np.asarray(variance, dtype=np.float64))


def min_d_of(min_delta: ArrayLike, variance: ArrayLike) -> Floats:
    """Return minD = minDelta sqrt(variance), the inverse of `min_delta_of`."""
    return np.asarray(min_delta, dtype=np.float64) * np.sqrt(np.asarray(variance, dtype=np.float64))


def t_design(name: str, groups: int) -> FDesign:
    """Return the questions to a t test, of one group of differences or of two groups of scores."""
    search = PowerSearch(FTest(numerator_df=1, groups=groups), NagataT(groups))
    return FDesign(
        name=name,
        search=lambda: search,
        effect_of=lambda min_delta: np.square(min_delta) / groups,
        delta_of=lambda effect: np.sqrt(effect * groups),
        min_delta_of=min_delta_of,
        min_d_of=min_d_of,
    )
