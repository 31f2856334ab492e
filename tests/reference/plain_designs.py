"""The designs again, slowly: equations typed out one after another and searched one topic at a time.

Written from the papers' equations with `scipy.stats` alone and without `topicset_core`, as
the other side of the tests. `make_size_tables.py` prints the tables next to this file with it.

References
----------
.. [1] T. Sakai. Topic set size design. Information Retrieval Journal 19, 256-283 (2016).
   https://doi.org/10.1007/s10791-015-9273-z
.. [2] T. Sakai. Laboratory Experiments in Information Retrieval. Springer (2018), table 6.4.
   https://doi.org/10.1007/978-981-13-1199-4
.. [3] T. Sakai. Topic set size design for paired and unpaired data. ICTIR 2018, 199-202.
   https://doi.org/10.1145/3234944.3234971
"""

import math
from collections.abc import Callable

import scipy

LINEAR_LAMBDA = {  # (alpha, beta): (x1, x2) of lambda = x1 + x2 sqrt(phi_A); [2], table 6.4
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


def first_n(power: Callable[[int], float], target: float, start: float) -> int:
    """Step one topic at a time from `start`, downwards while enough, else upwards until enough."""
    n = max(2, int(start))
    if power(n) >= target:
        while n > 2 and power(n - 1) >= target:
            n -= 1
    else:
        while not power(n) >= target:  # "not >=" also steps over NaN
            n += 1
    return n


def t_initial(alpha: float, beta: float, delta: float, groups: int = 1) -> float:
    """[1], Eq. 7; two samples (`groups` = 2) as in [3]."""
    z_alpha, z_beta = scipy.stats.norm.isf(alpha / 2), scipy.stats.norm.isf(beta)
    return groups * ((z_alpha + z_beta) / delta) ** 2 + z_alpha**2 / (2 * groups)


def t_power_nagata(n: float, delta: float, alpha: float, groups: int = 1) -> float:
    """[1], Eq. 6, both tails; two samples with phi = 2n - 2 and lambda = sqrt(n / 2) Delta as in [3]."""
    phi = groups * (n - 1)
    w = scipy.stats.t.isf(alpha / 2, phi)
    noncentrality = math.sqrt(n / groups) * delta
    shrunk, spread = w * (1 - 1 / (4 * phi)), math.sqrt(1 + w * w / (2 * phi))
    return float(
        scipy.stats.norm.cdf((-shrunk - noncentrality) / spread)
        + scipy.stats.norm.sf((shrunk - noncentrality) / spread)
    )


def t_power_exact(n: float, delta: float, alpha: float, groups: int = 1) -> float:
    """Noncentral t, both tails. `nct.sf` at minus lambda, as `nct.cdf(-w)` is NaN now and then."""
    phi = groups * (n - 1)
    w = scipy.stats.t.isf(alpha / 2, phi)
    noncentrality = math.sqrt(n / groups) * delta
    return float(scipy.stats.nct.sf(w, phi, noncentrality) + scipy.stats.nct.sf(w, phi, -noncentrality))


def anova_initial(alpha: float, beta: float, m: int, delta: float) -> float:
    """[1], Eq. 23 with lambda from table 2."""
    x1, x2 = LINEAR_LAMBDA[alpha, beta]
    return (x1 + x2 * math.sqrt(m - 1)) / delta


def anova_terms(n: float, m: int, delta: float) -> tuple[float, float]:
    """c_A and phi_A* of [1], Eq. 19."""
    phi_a, noncentrality = m - 1, n * delta
    c = (phi_a + 2 * noncentrality) / (phi_a + noncentrality)
    return c, (phi_a + noncentrality) ** 2 / (phi_a + 2 * noncentrality)


def anova_u(n: float, m: int, delta: float, alpha: float, sign: int) -> float:
    """The normal deviate of [1], Eq. 18; NaN where the radicand is not positive."""
    phi_a, phi_e = m - 1, m * (n - 1)
    w = float(scipy.stats.f.isf(alpha, phi_a, phi_e))
    c, phi_star = anova_terms(n, m, delta)
    radicand = c / phi_a + sign * w / phi_e
    if radicand <= 0:
        return math.nan
    numerator = math.sqrt(w / phi_e) * math.sqrt(2 * phi_e - 1) - math.sqrt(c / phi_a) * math.sqrt(
        2 * phi_star - 1
    )
    return numerator / math.sqrt(radicand)


def anova_power_nagata(n: float, m: int, delta: float, alpha: float, sign: int) -> float:
    """[1], Eq. 20: `sign` -1 as the printed numbers were computed, +1 as the derivation gives."""
    return float(scipy.stats.norm.sf(anova_u(n, m, delta, alpha, sign)))


def anova_power_exact(n: float, m: int, delta: float, alpha: float) -> float:
    """Upper tail of noncentral F with lambda = n Delta, [1], Eq. 17."""
    phi_a, phi_e = m - 1, m * (n - 1)
    return float(scipy.stats.ncf.sf(scipy.stats.f.isf(alpha, phi_a, phi_e), phi_a, phi_e, n * delta))


def mean_of_root_variance(phi: float, gamma: bool = True) -> float:
    """E(sqrt V) / sigma: the ratio of Gamma functions of [1], Eq. 32, or 1 - 1/(4 phi) for it."""
    if not gamma:
        return 1 - 1 / (4 * phi)
    return math.sqrt(2 / phi) * math.exp(
        scipy.special.gammaln((phi + 1) / 2) - scipy.special.gammaln(phi / 2)
    )


def expected_width(n: float, alpha: float, variance: float, groups: int = 1, gamma: bool = True) -> float:
    """E(2 MOE), [1], Eqs. 30 and 32; `variance` is that of one topic's difference."""
    phi = groups * (n - 1)
    critical = scipy.stats.t.isf(alpha / 2, phi)
    return float(2 * critical * math.sqrt(variance / n) * mean_of_root_variance(phi, gamma))


def interval_initial(alpha: float, max_width: float, variance: float) -> float:
    """[1], Eq. 35."""
    return float(4 * scipy.stats.norm.isf(alpha / 2) ** 2 * variance / max_width**2)


def interval_topics(
    alpha: float, max_width: float, variance: float, groups: int = 1, gamma: bool = True
) -> int:
    """[1], Eq. 33: upwards from Eq. 35 until the expected width is small enough."""
    n = max(2, math.ceil(interval_initial(alpha, max_width, variance)))
    while expected_width(n, alpha, variance, groups, gamma) > max_width:
        n += 1
    return n
