"""How many topics for a two-way ANOVA over m systems, with topics as blocks?

All m systems run on the same topics, and the analysis takes the difficulty of topics out. The design finds the
smallest n with which a true range of minD or more, best system minus worst, is missed with probability beta at
most.

Model: x_ij = mu + a_i + b_j + e_ij with independent normal residuals of variance sigma_e^2. F0 = V_A / V_E has
phi_A = m - 1 and phi_E = (m - 1) (n - 1) degrees of freedom and under the alternative the noncentrality
lambda = n sum a_i^2 / sigma_e^2, at least n minD^2 / (2 sigma_e^2): all other systems in the middle. The residual
variance is that of Sakai (2016), Eq. 37. For m = 2 this is the paired t test with sigma_t^2 = 2 sigma_e^2.

The test holds alpha where the differences of all pairs of systems have one variance (sphericity). On runs of TREC
they do not: `real_error_rates` has the Type I error rates.
`greenhouse_geisser` (1959) estimates epsilon from scores, and `box_power` is the power with both degrees of freedom
times epsilon (Muller and Barton, JASA 84, 549-555, 1989).

Examples
--------
>>> wanted = Requirements(alpha=0.05, beta=0.20, min_d=0.10, residual_variance=0.01285, n_systems=10)
>>> required_topics(wanted).required_topics
42
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.design import detects
from topicset_core.designs.distributions import critical_f, noncentral_f_tail
from topicset_core.designs.one_way_anova import Anova, AnovaRequirements
from topicset_core.designs.real_error_rates import f_test_in_words, own_variances_in_words
from topicset_core.designs.requirements import checked_topics, checked_values
from topicset_core.designs.results import Method
from topicset_core.designs.search import Floats, Integers, smallest_integers
from topicset_core.parameters import (
    ALPHA,
    MIN_DELTA,
    N_SYSTEMS,
    RESIDUAL_VARIANCE,
    Parameter,
    check_error_probabilities,
)
from topicset_core.references import SAKAI_2016

EPSILON = Parameter(
    name="epsilon",
    symbol="ε",
    label="ε, Box's correction",
    help="By how much the degrees of freedom shrink where pairs of systems differ in variance.",
    upper=1.0,
    default=1.0,
    step=0.05,
)
"""1 where all pairs have one variance, at least 1 / (m - 1)."""


@dataclass(frozen=True, kw_only=True)
class Requirements(AnovaRequirements):
    """Requirements of the ANOVA."""

    residual_variance: float | None = None


SPHERICITY_NOTE = (
    "The F test assumes sphericity (one variance for the differences of all pairs), which TREC runs violate: on "
    f"scores of equal systems its Type I error rate was {f_test_in_words()}, nominally 5 %. Paired t tests with "
    "Holm's correction had a familywise error rate of "
    f"{own_variances_in_words('pairs')}."
)
"""Warnings that belong to the number."""


class _BlockedAnova(Anova):
    def notes(self, requirements: Requirements, method: Method, topics: int) -> tuple[str, ...]:  # noqa: ARG002
        """Return the warning on sphericity; any two systems have one variance."""
        return () if requirements.n_systems == 2 else (SPHERICITY_NOTE,)


DESIGN = _BlockedAnova(
    slug="two-way-anova",
    former=("blocked-anova",),
    name="Two-way ANOVA",
    variance=RESIDUAL_VARIANCE,
    requirements=Requirements,
    claim=detects(
        "two-way ANOVA (systems and topics) over m = {n_systems} systems",
        "a range of minD = {min_d:g} in {measure} between the best and the worst system",
    ),
    works=(SAKAI_2016,),
    is_published=False,
)

required_topics, required_topics_grid = DESIGN.required_topics, DESIGN.required_topics_grid
power, detectable_delta = DESIGN.power_of, DESIGN.detectable_delta


def greenhouse_geisser(scores: ArrayLike) -> float:
    """Return the Greenhouse-Geisser epsilon, tr(C)^2 / ((m - 1) tr(C^2)), C the double-centred covariance."""
    x = np.asarray(scores, dtype=np.float64)
    residuals = x - x.mean(axis=1, keepdims=True)
    residuals = residuals - residuals.mean(axis=0)
    cross = residuals.T @ residuals  # double-centred covariance, times n - 1
    return float(np.trace(cross) ** 2 / ((x.shape[1] - 1) * np.sum(cross**2)))


def typical_epsilon(scores: ArrayLike, n_systems: int, *, n_sets: int = 100, seed: int = 20160601) -> float:
    """Return the median Greenhouse-Geisser epsilon of random sets of m systems."""
    x, rng = np.asarray(scores, dtype=np.float64), np.random.default_rng(seed)
    sets = [x[:, rng.choice(x.shape[1], n_systems, replace=False)] for _ in range(n_sets)]
    varying = [chosen for chosen in sets if np.ptp(chosen - chosen.mean(axis=1, keepdims=True), axis=0).any()]
    return float(np.median([greenhouse_geisser(chosen) for chosen in varying])) if varying else 1.0


def box_power(
    n_topics: ArrayLike, min_delta: ArrayLike, epsilon: float, *, alpha: float, n_systems: int
) -> Floats:
    """Return the power of the F test with Box's correction, within .02 of simulation for real runs."""
    ALPHA.check(alpha)
    shrunk, m = EPSILON.check(epsilon), int(N_SYSTEMS.check(n_systems))
    n, effect = checked_topics(n_topics), checked_values(MIN_DELTA, min_delta)
    above, below = shrunk * (m - 1), shrunk * (m - 1) * (n - 1)
    return noncentral_f_tail(critical_f(above, below, alpha), above, below, shrunk * n * effect)


def box_topics(min_delta: float, epsilon: float, *, alpha: float, beta: float, n_systems: int) -> int:
    """Return the required topics of the F test with Box's correction; see `box_power`."""
    check_error_probabilities(alpha, beta)

    def enough(n: Integers, _: Integers) -> Any:
        return box_power(n, min_delta, epsilon, alpha=alpha, n_systems=n_systems) >= 1 - beta

    start = float(required_topics_grid(min_delta, alpha=alpha, beta=beta, n_systems=n_systems)) / epsilon
    return int(smallest_integers(enough, np.asarray([start]))[0])
