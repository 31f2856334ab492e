"""Common parts of one-way and two-way ANOVA over m systems.

They differ in the degrees of freedom of the residual, m (n - 1) or, where all systems share the topics and their
difficulty is taken out, (m - 1) (n - 1), and in the residual variance that minDelta = minD^2 / (2 variance) takes.

References
----------
.. [1] T. Sakai. Topic set size design. Information Retrieval Journal 19, 256-283 (2016), section 3.2.
   https://doi.org/10.1007/s10791-015-9273-z
"""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.f_test import FTest
from topicset_core.designs.nagata import NagataF
from topicset_core.designs.power_search import FDesign, PowerSearch
from topicset_core.designs.requirements import PowerRequirements
from topicset_core.designs.search import Floats
from topicset_core.parameters import ALPHA, BETA, MIN_D, N_SYSTEMS, RESIDUAL_VARIANCE, Parameter


@dataclass(frozen=True, kw_only=True)
class AnovaRequirements(PowerRequirements):
    """Requirements whose minDelta is minD^2 over twice a variance, for a number of systems.

    Parameters
    ----------
    n_systems : int
        m, 2 to 1000.
    """

    n_systems: int

    def __post_init__(self) -> None:
        N_SYSTEMS.check(self.n_systems)
        super().__post_init__()

    @property
    def standardised_difference(self) -> float:
        """The range in standard deviations, minD / sigma, from [1], Eq. 21."""
        return math.sqrt(2 * self.effect_size)

    def _effect_size_of(self, min_d: float, variance: float) -> float:
        deviations = min_d / math.sqrt(variance)
        return deviations * deviations / 2  # Eq. 21; unlike ** this may be infinite, and is then refused


@dataclass(frozen=True, kw_only=True, eq=False)
class Anova(FDesign):
    """An ANOVA; the published approximation is of the one-way test only."""

    effect_unit = "minΔ"  # quadratic: not standard deviations

    label: str = "m = {n_systems}"
    parameters: tuple[Parameter, ...] = field(default=(ALPHA, BETA, MIN_D, N_SYSTEMS))

    def search(self, n_systems: int) -> PowerSearch:
        """Return the F test; its residual has m (n - 1) degrees of freedom, without topics (m - 1) (n - 1)."""
        m = int(N_SYSTEMS.check(n_systems))
        if self.variance is RESIDUAL_VARIANCE:
            return PowerSearch(FTest(numerator_df=m - 1, groups=m - 1))
        return PowerSearch(FTest(numerator_df=m - 1, groups=m), NagataF(m))  # phi_A and phi_E, Eq. 15

    def effect_of(self, min_delta: Floats) -> Floats:
        """Return minDelta."""
        return min_delta

    def delta_of(self, effect: Floats) -> Floats:
        """Return minDelta."""
        return effect

    def min_delta_of(self, min_d: ArrayLike, variance: ArrayLike) -> Floats:
        """Return minDelta = minD^2 / (2 sigma^2), [1], Eq. 21; arrays broadcast."""
        return np.asarray(np.square(min_d) / (2 * np.asarray(variance)), dtype=np.float64)

    def min_d_of(self, min_delta: ArrayLike, variance: ArrayLike) -> Floats:
        """Return minD = sqrt(2 sigma^2 minDelta), the inverse of [1], Eq. 21; arrays broadcast."""
        twice_variance = 2 * np.asarray(variance, dtype=np.float64)
        return np.sqrt(twice_variance * np.asarray(min_delta, dtype=np.float64))

    def effect_of_deviations(self, deviations: float) -> float:
        """Return half the square of a difference in standard deviations, [1], Eq. 21."""
        return deviations * deviations / 2
