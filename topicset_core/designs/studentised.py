"""Probabilities of the largest of many t statistics that share one estimate of the variance.

m means of n topics have a common variance, estimated by S^2 with nu degrees of freedom. The pair (i, j) has
t_ij = (mean_i - mean_j) / (S sqrt(2 / n)). In standard deviations of a mean, with x_i = sqrt(n) mean_i /
sigma and s = S / sigma, a pair reaches the critical value c where |x_i - x_j| >= sqrt(2) c s, and s^2 is
chi-square over nu. So every probability is one integral over s of a probability without degrees of freedom:

* all pairs: some pair reaches c where the range of the x_i is sqrt(2) c s or more (Tukey; the studentised
  range is q = sqrt(2) c);
* a baseline: some system reaches c where |x_j - x_0| >= sqrt(2) c s for some j (Dunnett).

With equal means both inner probabilities are functions of u = c s alone. They are kept as polynomials for
their number of systems, so that a critical value takes a sum over a hundred points. With unequal means they
are integrated directly. Tails are computed as tails, never as 1 minus a probability, so that critical values
are accurate for any small alpha; SciPy's `studentized_range` loses its digits below 1e-6 and takes 100,000
degrees of freedom as infinite.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.distributions import critical_t, legendre, normal_density
from topicset_core.designs.search import Floats

Family = Literal["pairs", "baseline"]
"""All pairs of m systems, or each of m - 1 systems against a baseline."""

_LARGEST = 24.0  # of u; the tail there is below 1e-120, and no alpha is below 1e-100
_PANEL = 0.5
_DEGREE = 15  # of the polynomial of a panel
_SPREAD = 8.8  # standard deviations of a mean beyond which there is 1e-18
_OUTSIDE = 1e-18  # probability beyond either end of the range of s
_OF_VARIANCE = 128  # nodes in s
_OF_WIDE_VARIANCE = 512  # below 10 degrees of freedom, where s spreads over powers of ten
_ROOT_2 = math.sqrt(2)


def n_comparisons(family: Family, n_systems: int) -> int:
    """Return K: m (m - 1) / 2 pairs, or m - 1 systems other than the baseline."""
    return n_systems * (n_systems - 1) // 2 if family == "pairs" else n_systems - 1


def critical_value(family: Family, n_systems: int, df: ArrayLike, alpha: float) -> Floats:
    """Return c of Tukey's or Dunnett's procedure: with equal means some |t| reaches c with probability alpha."""
    nu = np.asarray(df, dtype=np.float64)
    if n_systems == 2 or not nu.size:
        return critical_t(nu, alpha)
    flat = np.atleast_1d(nu).ravel()
    n_nodes = _OF_WIDE_VARIANCE if flat.min() < 10 else _OF_VARIANCE
    nodes, weights = spread_of(flat, n_nodes, min(_OUTSIDE, 1e-12 * alpha))
    # From Bonferroni's bound Newton's steps fall to the root and never pass it: the log of the tail is
    # concave in log c, as that of a t distribution is.
    logs = np.log(critical_t(flat, alpha / n_comparisons(family, n_systems)))
    for _ in range(_STEPS):
        u = np.exp(logs)[:, np.newaxis] * nodes
        tail, slope = _tail_of_largest(family, n_systems, u)
        mass = np.sum(weights * tail, axis=-1)
        step = mass * np.log(mass / alpha) / np.sum(weights * slope * u, axis=-1)
        logs -= step
        if np.abs(step).max() < _CLOSE:
            break
    return np.asarray(np.exp(logs)).reshape(nu.shape)


_STEPS, _CLOSE = 60, 1e-15


def spread_of(df: Floats, n_nodes: int, outside: float = _OUTSIDE) -> tuple[Floats, Floats]:
    """Return values of s = sqrt(chi-square / nu) and their weights, which sum to 1: Gauss-Legendre in log s."""
    from scipy import special

    nu = df[:, np.newaxis]
    x, w = legendre(n_nodes)
    low = np.log(special.gammaincinv(nu / 2, outside) * 2 / nu) / 2
    high = np.log(special.gammainccinv(nu / 2, _OUTSIDE) * 2 / nu) / 2
    logs = (low + high) / 2 + x * (high - low) / 2
    # The density of log s is s^nu exp(-nu s^2 / 2), here as its logarithm over the top at s = 1.
    density = w * np.exp(nu * (logs - np.expm1(2 * logs) / 2))
    return np.exp(logs), density / density.sum(axis=1, keepdims=True)


def averaged(
    probability: Callable[[Floats, Floats], Floats], critical: Floats, df: Floats, distance: Floats
) -> Floats:
    """Return a probability that depends on s, averaged over s."""
    result = np.empty(critical.shape)
    for is_small in (True, False):  # so that a case does not depend on the others in the call
        cases = np.flatnonzero((df < _FEW_DF) == is_small)
        for part in np.array_split(cases, max(1, -(-cases.size // _AT_ONCE))):
            if part.size:
                s, weights = spread_of(df[part], _OF_VARIANCE if is_small else _OF_VARIANCE // 2)
                reach = _ROOT_2 * critical[part, np.newaxis, np.newaxis] * s[:, :, np.newaxis]
                inner = probability(reach, distance[part, np.newaxis, np.newaxis])
                result[part] = np.sum(weights * inner, axis=-1)
    return result


_FEW_SYSTEMS = 20
_FEW_DF = 40.0  # below it s spreads so far that it takes all nodes
_AT_ONCE = 2  # cases whose grids are in memory together


def no_pair(reach: Floats, means: Sequence[Floats], counts: Sequence[int]) -> Floats:
    """Return the probability that the range of normal means is below `reach`, for unequal true means.

    The least of them may be any: P = sum_i int phi(x - theta_i) prod_{j != i} P(x <= x_j < x + reach) dx.
    """
    lowest, highest = np.minimum.reduce(means), np.maximum.reduce(means)
    z, w = _normal_rule(sum(counts))
    scale = (highest - lowest + 2 * _SPREAD) / (2 * _SPREAD)
    x = (lowest + highest) / 2 + z * scale

    logs = [np.log(np.maximum(_between(x - mean, x - mean + reach), 1e-300)) for mean in means]
    product = sum(count * log for count, log in zip(counts, logs, strict=True))
    least = sum(
        count * normal_density(x - mean) * np.exp(product - log)
        for mean, count, log in zip(means, counts, logs, strict=True)
    )
    return np.asarray(np.sum(w * scale * least, axis=-1))


def of_baseline(inner: Callable[[Floats], Floats], n_systems: int) -> Floats:
    """Return the average over the baseline's mean x of ``inner(x)``, an array (..., n_nodes)."""
    x, weights = baseline_nodes(n_systems)
    return np.asarray(np.sum(weights * inner(x), axis=-1))


def baseline_nodes(n_systems: int, n_nodes: int | None = None) -> tuple[Floats, Floats]:
    """Return values of a standard normal and their weights, as many as m systems take or as given."""
    z, w = _normal_rule(n_systems) if n_nodes is None else _rule(-_SPREAD, _SPREAD, n_nodes)
    return z, w * normal_density(z)


def spread_nodes(df: float, n_nodes: int = _OF_VARIANCE // 2) -> tuple[Floats, Floats]:
    """Return values of s and their weights for one number of degrees of freedom; more of them where it is small."""
    s, weights = spread_of(np.asarray([df]), _OF_VARIANCE if df < _FEW_DF else n_nodes)
    return s[0], weights[0]


def within(x: Floats, reach: Floats, distance: Floats | float = 0.0) -> Floats:
    """Return the probability that a system at `distance` from the baseline is within `reach` of it."""
    return _between(x - distance - reach, x - distance + reach)


def beyond(x: Floats, reach: Floats, distance: Floats | float = 0.0) -> Floats:
    """Return the probability that a system at `distance` from the baseline is `reach` or more from it."""
    from scipy import special

    return np.asarray(special.ndtr(x + distance - reach) + special.ndtr(-x - distance - reach))


def every_pair_of_halves(reach: Floats, distance: Floats, n_systems: int) -> Floats:
    """Return the probability that each system of the better half leads each of the other by `reach` or more."""
    from scipy import special

    lower = n_systems // 2
    z, w = _normal_rule(n_systems)
    largest = lower * normal_density(z) * special.ndtr(z) ** (lower - 1)
    return np.asarray(
        np.sum(w * largest * special.ndtr(distance - z - reach) ** (n_systems - lower), axis=-1)
    )


def every_step_of_ladder(reach: Floats, distance: Floats, n_systems: int) -> Floats:
    """Return the probability that m systems, `distance` apart from step to step, are all distinguished in order.

    Each must lead the next by `reach`: with g_1 = phi and g_{k+1}(x) = phi(x) int_{-inf}^{x + distance -
    reach} g_k it is the integral of g_m. The integral is one matrix for all steps: expand in Legendre
    polynomials, integrate them, and evaluate at the shifted points.
    """
    shift = (distance - reach)[..., 0]
    shape, shift = shift.shape, shift.ravel()
    x, w = legendre(_OF_LADDER)
    basis = np.polynomial.legendre.legvander(x, _OF_LADDER)  # P_0 to P_k at the nodes
    orders = np.arange(_OF_LADDER)
    expand = (2 * orders[:, np.newaxis] + 1) / 2 * basis[:, :-1].T * w  # values to coefficients
    at = np.clip(x + shift[:, np.newaxis] / _LADDER_SPREAD, -1.0, 1.0)
    shifted = np.polynomial.legendre.legvander(at, _OF_LADDER)
    # The integral of P_k from -1 is (P_{k+1} - P_{k-1}) / (2 k + 1); that of P_0 is P_1 + P_0.
    integrals = np.empty((shift.size, x.size, _OF_LADDER))
    integrals[:, :, 0] = shifted[:, :, 1] + shifted[:, :, 0]
    integrals[:, :, 1:] = (shifted[:, :, 2:] - shifted[:, :, :-2]) / (2 * orders[1:] + 1)
    density = normal_density(_LADDER_SPREAD * x)
    integrals *= _LADDER_SPREAD * density[:, np.newaxis]
    result = np.broadcast_to(density[:, np.newaxis], (shift.size, x.size, 1))
    for _ in range(n_systems - 1):
        result = integrals @ (expand @ result)
    return np.asarray(_LADDER_SPREAD * np.sum(w * result[:, :, 0], axis=-1)).reshape(shape)


_OF_LADDER, _LADDER_SPREAD = 48, 7.6  # the tests show the error to be below 1e-11


def _tail_of_largest(family: Family, n_systems: int, u: Floats) -> tuple[Floats, Floats]:
    """Return the probability that some pair, with equal means, is sqrt(2) u or more apart, and its slope in u."""
    coefficients = _tail_polynomials(family, n_systems)
    place = np.minimum(u, _LARGEST) / _PANEL
    panel = np.minimum(place.astype(np.int64), coefficients.shape[1] - 1)
    twice_t = 4 * (place - panel) - 2
    # Clenshaw's recursion for a sum of Chebyshev polynomials, and its derivative.
    first, second, slope, slope_before = (np.zeros_like(place) for _ in range(4))
    for k in range(_DEGREE, 0, -1):
        slope, slope_before = 2 * first + twice_t * slope - slope_before, slope
        first, second = coefficients[k][panel] + twice_t * first - second, first
    log_tail = coefficients[0][panel] + twice_t / 2 * first - second
    slope = first + twice_t / 2 * slope - slope_before
    tail = np.where(u < _LARGEST, np.exp(log_tail), 0.0)
    return tail, tail * slope * 2 / _PANEL


@lru_cache(maxsize=256)
def _tail_polynomials(family: Family, n_systems: int) -> Floats:
    """Return Chebyshev coefficients, (degree + 1, n_panels), of the log of the tail over u."""
    points = np.cos(np.pi * (np.arange(_DEGREE + 1) + 0.5) / (_DEGREE + 1))
    starts = np.arange(0.0, _LARGEST, _PANEL)
    u = (starts[:, np.newaxis] + (points + 1) / 2 * _PANEL).ravel()
    tail = (_tail_of_range if family == "pairs" else _tail_of_baseline)(u, n_systems)
    to_values = np.polynomial.chebyshev.chebvander(points, _DEGREE)
    return np.asarray(np.linalg.solve(to_values, np.log(tail).reshape(starts.size, -1).T))


def _tail_of_range(u: Floats, m: int) -> Floats:
    """Return Pr{range of m normals >= sqrt(2) u}: m int phi [a^(m-1) - (a-b)^(m-1)], a and b upper tails."""
    from scipy import special

    z, w = _rule(-26.0, 9.0, 384)
    above = special.log_ndtr(-z)
    share = np.exp(special.log_ndtr(-(z + _ROOT_2 * u[:, np.newaxis])) - above)
    with np.errstate(divide="ignore"):  # share is 1 at u = 0
        lost = -np.expm1((m - 1) * np.log1p(-np.minimum(share, 1.0)))
    return np.asarray(np.sum(w * m * normal_density(z) * np.exp((m - 1) * above) * lost, axis=-1))


def _tail_of_baseline(u: Floats, m: int) -> Floats:
    """Return Pr{some |x_j - x_0| >= sqrt(2) u}: int phi(z) [1 - (1 - p)^K] dz, K = m - 1."""
    z, w = _rule(-26.0, 26.0, 512)
    p = np.minimum(beyond(z, _ROOT_2 * u[:, np.newaxis]), 1.0)
    with np.errstate(divide="ignore"):  # p is 1 at u = 0
        return np.asarray(np.sum(w * normal_density(z) * -np.expm1((m - 1) * np.log1p(-p)), axis=-1))


def _normal_rule(n_systems: int) -> tuple[Floats, Floats]:
    """Return nodes over all values of a standard normal: more of them where many systems sharpen the integrand."""
    return _rule(-_SPREAD, _SPREAD, 96 if n_systems <= _FEW_SYSTEMS else 256)


def _rule(low: float, high: float, n_nodes: int) -> tuple[Floats, Floats]:
    x, w = legendre(n_nodes)
    return (low + high) / 2 + x * (high - low) / 2, w * (high - low) / 2


def _between(low: Floats, high: Floats) -> Floats:
    """Return Pr{low <= x < high} of a standard normal, from the nearer tail."""
    from scipy import special

    is_right = low > 0
    return np.asarray(
        special.ndtr(np.where(is_right, -low, high)) - special.ndtr(np.where(is_right, -high, low))
    )
