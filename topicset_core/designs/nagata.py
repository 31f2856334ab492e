"""Nagata's normal approximations, as the Excel tools computed them.

These reproduce published topic set sizes; the default method of every design is the exact one of
`topicset_core.designs.f_test`. Both classes here speak its language: power as a function of n and
of the noncentrality per topic, lambda / n. Equations and table 2 are those of Sakai (2016).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.distributions import critical_f, critical_t, normal_cdf, upper_normal
from topicset_core.designs.search import Floats
from topicset_core.errors import InputError

LINEAR_LAMBDA = {
    (0.01, 0.10): (10.439, 5.213),
    (0.01, 0.20): (7.736, 4.551),
    (0.01, 0.30): (6.030, 4.077),
    (0.01, 0.40): (4.733, 3.675),
    (0.01, 0.50): (3.653, 3.302),
    (0.05, 0.10): (7.049, 4.244),
    (0.05, 0.20): (4.860, 3.584),
    (0.05, 0.30): (3.522, 3.112),
    (0.05, 0.40): (2.543, 2.712),
    (0.05, 0.50): (1.765, 2.341),
}
"""(alpha, beta) to (x1, x2) of lambda ~ x1 + x2 sqrt(phi_A): table 2, completed from table 6.4 of Sakai,
Laboratory Experiments in Information Retrieval, Springer (2018)."""

PUBLISHED_SIGN = -1
"""Sign in the denominator of Eq. 18 with which every printed ANOVA number was computed; +1 by its derivation."""


@dataclass(frozen=True)
class NagataT:
    """Power of a two-sided t test by the normal approximation to noncentral t, both tails."""

    groups: int  # 1 for the paired test (phi = n - 1), 2 for two samples of n (phi = 2n - 2)

    def power(self, n_topics: ArrayLike, effect: ArrayLike, alpha: float) -> Floats:
        """Return Eq. 6, for n and noncentrality per topic that broadcast."""
        n = np.asarray(n_topics, dtype=np.float64)
        phi = self.groups * (n - 1)
        w = critical_t(phi, alpha)
        noncentrality = np.sqrt(n * np.asarray(effect, dtype=np.float64))  # lambda_t, Eq. 4
        shrunk, spread = w * (1 - 1 / (4 * phi)), np.sqrt(1 + w**2 / (2 * phi))  # Eq. 5
        below = normal_cdf((-shrunk - noncentrality) / spread)
        above = normal_cdf(-(shrunk - noncentrality) / spread)  # 1 - Phi(x) = Phi(-x)
        return below + above  # Eq. 6

    def initial_topics(self, effect: Floats, alpha: float, beta: float) -> Floats:
        """Return Eq. 7, in terms of the noncentrality per topic."""
        z_alpha, z_beta = upper_normal(alpha / 2), upper_normal(beta)
        return (z_alpha + z_beta) ** 2 / effect + z_alpha**2 / (2 * self.groups)


@dataclass(frozen=True)
class NagataF:
    """Power of one-way ANOVA by Patnaik's and Fisher's approximations to noncentral F."""

    n_systems: int
    sign: int = PUBLISHED_SIGN  # `PUBLISHED_SIGN` reproduces the printed numbers

    def power(self, n_topics: ArrayLike, effect: ArrayLike, alpha: float) -> Floats:
        """Return Eq. 20, for n and Delta that broadcast; NaN where it has no real value, as for very small n."""
        n = np.asarray(n_topics, dtype=np.float64)
        noncentrality = n * np.asarray(effect, dtype=np.float64)  # Eq. 17
        phi_a, phi_e = self.n_systems - 1, self.n_systems * (n - 1)
        w = critical_f(phi_a, phi_e, alpha)
        c = (phi_a + 2 * noncentrality) / (phi_a + noncentrality)  # c_A, Eq. 19
        phi_star = (phi_a + noncentrality) ** 2 / (phi_a + 2 * noncentrality)  # phi_A*, Eq. 19
        numerator = np.sqrt(w / phi_e * (2 * phi_e - 1)) - np.sqrt(c / phi_a * (2 * phi_star - 1))
        radicand = c / phi_a + self.sign * w / phi_e  # Eq. 18; see PUBLISHED_SIGN
        with np.errstate(divide="ignore", invalid="ignore"):
            u = numerator / np.sqrt(np.where(radicand > 0, radicand, np.nan))
        return normal_cdf(-u)  # Eq. 20

    def initial_topics(self, effect: Floats, alpha: float, beta: float) -> Floats:
        """Return Eq. 23, with lambda from table 2."""
        for (row_alpha, row_beta), (x1, x2) in LINEAR_LAMBDA.items():
            if math.isclose(alpha, row_alpha) and math.isclose(beta, row_beta):
                return (x1 + x2 * math.sqrt(self.n_systems - 1)) / effect  # table 2, Eq. 23
        known_alpha = any(math.isclose(alpha, row) for row, _ in LINEAR_LAMBDA)
        raise InputError(
            "beta" if known_alpha else "alpha",
            beta if known_alpha else alpha,
            "the published ANOVA method has a table of lambda for alpha 0.01 or 0.05 with beta 0.1, 0.2, "
            "0.3, 0.4 or 0.5 only; the exact method takes any alpha and beta",
        )
