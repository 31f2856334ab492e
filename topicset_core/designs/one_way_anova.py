"""How many topics for a one-way ANOVA over m systems?

m systems are compared at once, and ANOVA asks whether there is a difference somewhere among them.
The design finds the smallest n per system with which a true range of minD or more, best system
minus worst, is missed with probability beta at most.

Model (Sakai 2016, section 3.2): scores are independent and normal with system means mu_i and a common variance
sigma^2. Under the alternative, F0 has a noncentral F distribution with phi_A = m - 1 and phi_E = m (n - 1)
degrees of freedom and noncentrality lambda = n Delta, Delta = sum a_i^2 / sigma^2 (Eq. 17).
A range of D alone does not fix Delta, but it is at least D^2 / 2 sigma^2: the case where all other
systems sit in the middle. So the power is that of the worst case. Where all systems share the topics
this model is wrong; `shared_topics` describes the test then.

Examples
--------
>>> wanted = Requirements(alpha=0.05, beta=0.20, min_d=0.10, within_system_variance=0.0471, n_systems=10)
>>> required_topics(wanted).required_topics, required_topics(wanted, method="published").required_topics
(149, 148)
"""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.design import detects
from topicset_core.designs.f_test import FTest
from topicset_core.designs.nagata import NagataF
from topicset_core.designs.power_search import FDesign, PowerSearch
from topicset_core.designs.requirements import PowerRequirements
from topicset_core.designs.results import Method, PowerResult
from topicset_core.designs.search import Floats
from topicset_core.designs.shared_topics import SharedTopics, shared_topics
from topicset_core.errors import InputError
from topicset_core.parameters import (
    ALPHA,
    BETA,
    MIN_D,
    N_SYSTEMS,
    RESIDUAL_VARIANCE,
    WITHIN_SYSTEM_VARIANCE,
    Parameter,
)
from topicset_core.references import SAKAI_2016

NAME = "One-way ANOVA"

PUBLISHED_NOTE = (
    "The published tool computes the power with a minus sign in the denominator of Sakai 2016, Eq. 18, where "
    "the derivation gives a plus, and with a normal approximation that is low for few systems. Mostly it requires "
    "fewer topics than the exact noncentral F distribution, by up to 10 %; rarely, slightly more."
)


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
        """The range in standard deviations, minD / sigma, from Eq. 21."""
        return math.sqrt(2 * self.effect_size)

    def _effect_size_of(self, min_d: float, variance: float) -> float:
        deviations = min_d / math.sqrt(variance)
        return deviations * deviations / 2  # Eq. 21; unlike ** this may be infinite, and is then refused


@dataclass(frozen=True, kw_only=True, eq=False)
class Anova(FDesign):
    """A one-way or a two-way ANOVA; the published approximation is of the one-way test only."""

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
        """Return minDelta = minD^2 / (2 sigma^2), Eq. 21; arrays broadcast."""
        return np.asarray(np.square(min_d) / (2 * np.asarray(variance)), dtype=np.float64)

    def min_d_of(self, min_delta: ArrayLike, variance: ArrayLike) -> Floats:
        """Return minD = sqrt(2 sigma^2 minDelta), the inverse of Eq. 21; arrays broadcast."""
        twice_variance = 2 * np.asarray(variance, dtype=np.float64)
        return np.sqrt(twice_variance * np.asarray(min_delta, dtype=np.float64))

    def effect_of_deviations(self, deviations: float) -> float:
        """Return half the square of a difference in standard deviations, Eq. 21."""
        return deviations * deviations / 2


@dataclass(frozen=True, kw_only=True)
class Requirements(AnovaRequirements):
    """Requirements of the ANOVA.

    Parameters
    ----------
    residual_variance : float, optional
        sigma_e^2 of two-way ANOVA, next to `within_system_variance`. It does not change the topics: the
        result describes the test if all systems share them.
    """

    within_system_variance: float | None = None
    residual_variance: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.residual_variance is not None:
            RESIDUAL_VARIANCE.check(self.residual_variance)
            if self.within_system_variance is None:
                rule = f"must be left out without {WITHIN_SYSTEM_VARIANCE.name}"
                raise InputError(RESIDUAL_VARIANCE.name, self.residual_variance, rule)


@dataclass(frozen=True, kw_only=True)
class AnovaResult(PowerResult):
    """The smallest topic set size that reaches a power, and the power of the test on shared topics.

    Attributes
    ----------
    shared_topics : SharedTopics or None
        With `required_topics` topics that all systems share; None where the two-way variance is not known.
    """

    shared_topics: SharedTopics | None = None


def shared_topics_note(result: SharedTopics | None) -> str:
    """Return what to plan where all systems share the topics, in plain words."""
    advice = "If all systems share the topics, plan a two-way ANOVA"
    if result is None:
        return f"{advice}."
    power = in_per_cent(result.power_of_one_way_f)
    return f"{advice}: on these topics the one-way F test would have {power} power."


def in_per_cent(power: float) -> str:
    """Return a power in whole per cent; 0 and 100 only for exact values."""
    if 0.005 <= power < 0.995:
        return f"{100 * power:.0f} %"
    return "below 1 %" if power < 0.5 else "above 99 %"


def n_pairs(n_systems: int) -> int:
    """Return m (m - 1) / 2, the number of pairs."""
    m = int(N_SYSTEMS.check(n_systems))
    return m * (m - 1) // 2


def familywise_error_rate(alpha: float, n_systems: int) -> float:
    """Return 1 - (1 - alpha)^(m (m - 1) / 2), as of independent tests of all pairs (Sakai 2016, section 2.2)."""
    # The same without taking a small alpha from 1, where its digits would be lost.
    return -math.expm1(n_pairs(n_systems) * math.log1p(-ALPHA.check(alpha)))


@dataclass(frozen=True, kw_only=True, eq=False)
class _OneWayAnova(Anova):
    def required_topics(
        self, requirements: Requirements, *, method: Method = "exact", size_cv: float = 0.0
    ) -> AnovaResult:
        """Return the smallest number of topics per system that meets the requirements.

        Parameters
        ----------
        requirements : Requirements
            Requirements of the ANOVA.
        method : {"exact", "published"}
            Noncentral F, or Sakai's tool: Sakai (2016), Eq. 20 with the sign the tool computes with, for the ten
            (alpha, beta) of its table 2.
        size_cv : float
            Coefficient of variation of the sizes of groups, where topics are groups of unequal size.

        Raises
        ------
        NoSolution
            If more than ten million topics would be needed.
        InputError
            If `method` is published and its table does not have this (alpha, beta).
        """
        fields = self.answered(requirements, method, size_cv)
        on_shared = None
        if requirements.residual_variance is not None:
            on_shared = shared_topics(
                fields["required_topics"],
                requirements.difference or 0.0,
                alpha=requirements.alpha,
                n_systems=requirements.n_systems,
                within_system_variance=requirements.variance or 0.0,
                residual_variance=requirements.residual_variance,
                size_cv=size_cv,
            )
        warning = shared_topics_note(on_shared)
        notes = (PUBLISHED_NOTE, warning) if method == "published" else (warning,)
        return AnovaResult(**fields | {"notes": notes}, shared_topics=on_shared)


DESIGN = _OneWayAnova(
    slug="anova",
    name=NAME,
    variance=WITHIN_SYSTEM_VARIANCE,
    optional=(RESIDUAL_VARIANCE,),
    requirements=Requirements,
    claim=detects(
        "one-way ANOVA over m = {n_systems} systems",
        "a range of minD = {min_d:g} in {measure} between the best and the worst system",
    ),
    works=(SAKAI_2016,),
)

required_topics, required_topics_grid = DESIGN.required_topics, DESIGN.required_topics_grid
power, detectable_delta = DESIGN.power_of, DESIGN.detectable_delta
