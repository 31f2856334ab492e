"""Exact power of the tests behind the designs, as functions of the number of topics.

The paired t, the two-sample t and the one-way ANOVA test are one family. The square of t
makes a two-sided t test an F test with one numerator degree of freedom, both tails included, so the
power of each is the upper tail of a noncentral F distribution with

========================= ============== ================= ===============================
quantity                  paired t       two-sample t      one-way ANOVA, m systems
========================= ============== ================= ===============================
numerator df              1              1                 phi_A = m - 1
denominator df            n - 1          2 (n - 1)         phi_E = m (n - 1)
noncentrality lambda      n Delta_t^2    n Delta^2 / 2     n Delta  (Sakai 2016, Eq. 17)
========================= ============== ================= ===============================

so that the denominator degrees of freedom are `groups` times n - 1, and lambda is n times an
`effect`, the noncentrality that one topic contributes. This module works with effects.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.distributions import critical_f, noncentral_f_tail
from topicset_core.designs.search import (
    FEWEST_TOPICS,
    SMALLEST_EFFECT,
    Floats,
    Integers,
    least_roots,
    smallest_integers,
)
from topicset_core.errors import NoSolution
from topicset_core.parameters import LARGEST_EFFECT, MOST_TOPICS

_DEGREE = 10  # of that polynomial; the tests show the interpolation error
_ROUNDS = 60  # of the iteration above the knots, at most
_CLOSE = 1e-12  # relative change of n at which it stops
_ROUNDING = 1e-15  # of a power near 1: relative to a small beta, that much of n is in doubt


@dataclass(frozen=True)
class FTest:
    """A test whose power is the upper tail of a noncentral F distribution."""

    numerator_df: int
    groups: int  # denominator degrees of freedom that each topic after the first adds

    knots_to: ClassVar[int] = 96
    """Up to here every n is a knot; above it lambda(1/n) is a polynomial to 1e-12."""
    doubt_within: ClassVar[float] = 1e-9
    """Relative distance to an integer below which a cell is decided by the exact power."""

    def critical_value(self, n_topics: ArrayLike, alpha: float) -> Floats:
        """Return F_inv(phi_A, phi_E; alpha), upper tail, for `n_topics` of any shape."""
        return critical_f(self.numerator_df, self._denominator_df(n_topics), alpha)

    def power(self, n_topics: ArrayLike, effect: ArrayLike, alpha: float) -> Floats:
        """Return the probability of rejecting, Pr{F' >= F_inv}, for arrays that broadcast."""
        n = np.asarray(n_topics, dtype=np.float64)
        noncentrality = n * np.asarray(effect, dtype=np.float64)
        return self._power_at(self.critical_value(n, alpha), n, noncentrality, alpha)

    def required_effect(self, n_topics: ArrayLike, alpha: float, beta: float) -> Floats:
        """Return the smallest effect that n topics detect with power 1 - beta."""
        n = np.asarray(n_topics, dtype=np.float64)
        noncentrality = self.required_noncentrality(n, alpha, beta)
        if np.isinf(noncentrality).any():
            raise NoSolution(
                f"{int(n.min())} topics detect no difference of up to {LARGEST_EFFECT:g} standard deviations "
                f"with alpha = {alpha:g} and beta = {beta:g}"
            )
        return noncentrality / n

    def required_topics(self, effect: ArrayLike, alpha: float, beta: float) -> Integers:
        """Return the smallest n whose power reaches 1 - beta, exactly, for each of many effects."""
        # n depends on the effect alone, through the noncentrality lambda(n) that gives the wanted power:
        # tabulated for small n, smooth in 1/n for large. That gives n as a real number, and only where it comes
        # within 1e-9 of a whole number does the power itself decide. A million cells cost about as much as their
        # square roots.
        effects = np.asarray(effect, dtype=np.float64)
        doubt_within = max(self.doubt_within, _ROUNDING / beta)
        real = self._real_topics(effects.ravel(), alpha, beta, doubt_within)
        topics = np.ceil(np.clip(real, FEWEST_TOPICS, MOST_TOPICS)).astype(np.int64)
        doubt = np.flatnonzero((np.abs(real - np.rint(real)) < doubt_within * real) | (real > MOST_TOPICS))
        if doubt.size:
            doubtful = effects.ravel()[doubt]
            topics[doubt] = smallest_integers(
                lambda n, cells: self.power(n, doubtful[cells], alpha) >= 1 - beta, real[doubt]
            )
        return topics.reshape(effects.shape)

    def _denominator_df(self, n_topics: ArrayLike) -> Floats:
        return self.groups * (np.asarray(n_topics, dtype=np.float64) - 1)

    def _power_at(
        self,
        critical: Floats,
        n_topics: Floats,
        noncentrality: Floats,
        alpha: float,  # noqa: ARG002 - of tests with more than one critical value
    ) -> Floats:
        return noncentral_f_tail(critical, self.numerator_df, self._denominator_df(n_topics), noncentrality)

    def required_noncentrality(self, n_topics: Floats, alpha: float, beta: float) -> Floats:
        """Return lambda with power 1 - beta; infinite where a thousand standard deviations are too few."""
        n = np.ravel(n_topics)
        critical = self.critical_value(n, alpha)

        # Solved for the root of lambda, in which power is close to a normal distribution function.
        def excess(root: Floats, cells: Integers) -> Floats:
            return self._power_at(critical[cells], n[cells], root**2, alpha) - (1 - beta)

        root = least_roots(excess, np.full(n.shape, 4.0), LARGEST_EFFECT * np.sqrt(n))
        return np.square(root).reshape(np.shape(n_topics))

    def _real_topics(self, effects: Floats, alpha: float, beta: float, doubt_within: float) -> Floats:
        """Solve n effect = lambda(n) for real n: from the knots below, by iteration above them."""
        effects = np.maximum(effects, SMALLEST_EFFECT)  # a zero effect needs infinitely many
        knots, at_knots, fit = _noncentralities(self, alpha, beta)
        thresholds = at_knots / knots  # the effect each knot detects, falling with n
        # Between knots only the next whole n matters; the fraction keeps the nearness to a knot.
        position = np.searchsorted(-thresholds, -effects, side="left")
        real = np.empty_like(effects)
        near = position < knots.size
        with np.errstate(invalid="ignore"):
            shortfall = thresholds[position[near]] / effects[near]  # at most 1; 1 on the threshold
            before = np.where(position[near] > 0, thresholds[position[near] - 1] / effects[near], np.inf)
        real[near] = knots[position[near]] - np.where(
            np.minimum(1 - shortfall, before - 1) < doubt_within, 0.0, 0.5
        )
        far = effects[~near]
        n = fit(0.0) / far
        for _ in range(_ROUNDS):  # lambda hardly depends on n: a round gains two digits, or half of one
            before, n = n, fit(np.minimum(1 / n, 1 / self.knots_to)) / far
            fixed = np.abs(n / before - 1) <= _CLOSE
            if fixed.all():
                break
        real[~near] = np.where(fixed, n, 2 * MOST_TOPICS)  # the search does the remaining steps
        return real


@lru_cache(maxsize=64)
def _noncentralities(
    test: FTest, alpha: float, beta: float
) -> tuple[Floats, Floats, "np.polynomial.Polynomial"]:
    """Return knots, the noncentrality that each needs, and that of larger n as a polynomial in 1/n."""
    knots = np.arange(float(FEWEST_TOPICS), test.knots_to + 1)
    # Through Chebyshev's points of [0, 1/last knot].
    nodes = (1 + np.cos(np.pi * (np.arange(_DEGREE + 1) + 0.5) / (_DEGREE + 1))) / 2 / test.knots_to
    noncentrality = test.required_noncentrality(np.concatenate([knots, 1 / nodes]), alpha, beta)
    at_knots, at_nodes = np.split(noncentrality, [knots.size])
    return (
        knots,
        at_knots,
        np.polynomial.Polynomial.fit(nodes, at_nodes, _DEGREE, domain=[0, 1 / test.knots_to]),
    )
