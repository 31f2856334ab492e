"""Common parts of the paired and the two-sample t test.

They differ in the degrees of freedom that a topic adds (`groups`, 1 or 2), in the noncentrality
lambda^2 = n Delta^2 / groups, and in whose standard deviation Delta is measured in; the modules
`paired_t` and `two_sample_t` express that in the terms of their papers.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from topicset_core.designs.f_test import FTest
from topicset_core.designs.nagata import NagataT
from topicset_core.designs.power_search import FDesign, PowerSearch
from topicset_core.designs.requirements import PowerRequirements
from topicset_core.designs.search import Floats
from topicset_core.parameters import ALPHA, BETA, MIN_D, Parameter


@dataclass(frozen=True, kw_only=True)
class TTestRequirements(PowerRequirements):
    """Requirements whose minDelta is minD over a standard deviation."""

    @property
    def standardised_difference(self) -> float:
        """The same as `effect_size`."""
        return self.effect_size

    def _effect_size_of(self, min_d: float, variance: float) -> float:
        return min_d / math.sqrt(variance)


@dataclass(frozen=True, kw_only=True, eq=False)
class TTest(FDesign):
    """A t test, of one group of differences or of two groups of scores."""

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
