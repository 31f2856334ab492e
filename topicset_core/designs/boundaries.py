"""Boundaries of a test that looks more than once, for normal statistics.

At look k a fraction t_k of all topics is scored. B_k = Z_k sqrt(t_k) is normal with mean theta t_k and
variance t_k, and its increments are independent. The test stops at the first look with |Z_k| >= c_k.
The probability of stopping is computed by carrying the density of B from look to look (Armitage, McPherson
and Rowe 1969), here by Gauss and Legendre's rule with 160 nodes, which gives at least ten digits.

================= ====================================================================================
obrien-fleming    c_k = C / sqrt(t_k) (O'Brien and Fleming 1979)
pocock            c_k = C (Pocock 1977)
lan-demets-of     alpha spent up to t, per side: 2 - 2 Phi(z_{a/2} / sqrt t), a = alpha / 2 (Lan and DeMets 1983)
lan-demets-pocock alpha spent up to t, per side: a ln(1 + (e - 1) t), a = alpha / 2
================= ====================================================================================
"""

import math
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from topicset_core.designs.distributions import legendre, normal_cdf, normal_density, upper_normal
from topicset_core.designs.search import Floats, root_below

Spending = Literal["obrien-fleming", "pocock", "lan-demets-of", "lan-demets-pocock"]
"""How the error probability is divided over the looks."""

_NODES, _ROOT = 160, math.sqrt(2)
_REACH = 9.0
"""Standard deviations around the mean of B that the rule covers; beyond lies less than 1e-18."""


class Crossing(NamedTuple):
    """Probabilities that a test stops at each look for the first time."""

    # Above the boundary, and below its negative
    upper: Floats  # (n_looks,)
    lower: Floats  # (n_looks,)

    @property
    def stopped(self) -> Floats:
        """Probability of a significant result at each look, either sign."""
        return self.upper + self.lower


def crossing(
    fractions: tuple[float, ...],
    boundaries: tuple[float, ...],
    drift: float | tuple[float, ...] = 0.0,
) -> Crossing:
    """Return how likely the statistic passes the boundary first at each look."""
    n_looks = len(boundaries)
    drifts = drift if isinstance(drift, tuple) else (drift,) * n_looks
    means = [theta * t for theta, t in zip(drifts, fractions, strict=False)]
    upper, lower = np.zeros(n_looks), np.zeros(n_looks)
    x, density, before, at = np.zeros(1), np.ones(1), 0.0, 0.0
    for k in range(n_looks):
        deviation, move = math.sqrt(fractions[k] - before), means[k] - at
        bound = boundaries[k] * math.sqrt(fractions[k])
        upper[k] = density @ normal_cdf((x + move - bound) / deviation)
        lower[k] = density @ normal_cdf((-bound - x - move) / deviation)
        if k + 1 < n_looks:
            y, weights = _nodes(fractions[k], boundaries[k], means[k])
            moved = normal_density((y[:, None] - x[None, :] - move) / deviation) / deviation
            x, density, before, at = y, weights * (moved @ density), fractions[k], means[k]
    return Crossing(upper, lower)


@lru_cache(maxsize=256)
def boundaries_of(fractions: tuple[float, ...], spending: Spending, alpha: float) -> tuple[float, ...]:
    """Return c_k, the boundary of |Z| at each look, with which a true null is rejected with probability alpha."""
    if spending in ("obrien-fleming", "pocock"):
        shape = [1 / math.sqrt(t) if spending == "obrien-fleming" else 1.0 for t in fractions]
        constant = root_below(
            lambda c: float(crossing(fractions, tuple(c * value for value in shape)).stopped.sum()),
            alpha,
            low=upper_normal(alpha / 2),
            high=upper_normal(alpha / 2 / len(fractions)),
        )
        return tuple(constant * value for value in shape)
    side = alpha / 2
    spent = [2 * _spent(t, spending, side) for t in fractions]
    results: list[float] = []
    for k, share in enumerate(np.diff([0.0, *spent])):
        most = upper_normal(float(share) / 2)  # without earlier looks: more stops here, so a higher boundary
        if k == 0:
            results.append(most)
            continue
        results.append(
            root_below(
                lambda c: float(crossing(fractions, (*results, c)).stopped[-1]),
                float(share),
                low=0.0,
                high=most,
            )
        )
    return tuple(results)


@lru_cache(maxsize=256)
def drift_for(fractions: tuple[float, ...], boundaries: tuple[float, ...], power: float) -> float:
    """Return the drift theta at which the test rejects with this probability, either sign counted."""
    low, high = 0.0, 1.0
    while crossing(fractions, boundaries, high).stopped.sum() < power:
        low, high = high, 2 * high
    return root_below(
        lambda drift: -float(crossing(fractions, boundaries, drift).stopped.sum()), -power, low=low, high=high
    )


def drift_alone(fraction: float, boundary: float, power: float) -> float:
    """Return the drift at which one look alone is significant with this probability."""
    if power >= 1 - 1e-12:
        return (boundary + 7.0) / math.sqrt(fraction)
    if power <= math.erfc(boundary / _ROOT) * (1 + 1e-9):  # equal but for rounding
        return 0.0
    mean = boundary - upper_normal(power)  # of Z, were there one tail only
    if mean < 3:  # the other tail matters
        mean = root_below(
            lambda at: -(math.erfc((boundary - at) / _ROOT) + math.erfc((boundary + at) / _ROOT)) / 2,
            -power,
            low=0.0,
            high=max(mean, 0.0) + 1.0,
        )
    return mean / math.sqrt(fraction)


def _spent(fraction: float, spending: Spending, side: float) -> float:
    """Return the error probability of one side that is spent up to a fraction of the topics."""
    if spending == "lan-demets-of":
        return 2 * float(normal_cdf(np.asarray(-upper_normal(side / 2) / math.sqrt(fraction))))
    return side * math.log1p((math.e - 1) * fraction)


def _nodes(fraction: float, boundary: float, mean: float) -> tuple[Floats, Floats]:
    """Return nodes and weights over the B from which the test goes on; nodes far from its mean are left out."""
    root = math.sqrt(fraction)
    high = min(boundary * root, mean + _REACH * root)
    low = min(max(-boundary * root, mean - _REACH * root), high)
    x, weights = legendre(_NODES)
    return (high - low) / 2 * x + (high + low) / 2, (high - low) / 2 * weights
