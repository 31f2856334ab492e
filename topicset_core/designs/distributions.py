"""The distribution functions that designs need, with SciPy's traps avoided in one place.

`scipy.special` is imported when a function is called, not when a design is: it costs 0.2 CPU seconds.
`scipy.stats` costs 0.5 more, and no design imports it.
"""

import math
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.search import Floats


def upper_normal(probability: float) -> float:
    """Return z_P, the one-sided critical value: Pr{u >= z_P} = P."""
    from scipy import special

    return -float(special.ndtri(probability))


def normal_cdf(value: Floats) -> Floats:
    """Return Pr{u <= value}; for an upper tail pass minus the value."""
    from scipy import special

    return np.asarray(special.ndtr(value), dtype=np.float64)


def normal_density(value: Floats) -> Floats:
    """Return the density of u at a value."""
    return np.asarray(np.exp(-np.square(value) / 2) / math.sqrt(2 * math.pi))


def critical_f(numerator_df: ArrayLike, denominator_df: ArrayLike, alpha: float | Floats) -> Floats:
    """Return F_inv(numerator_df, denominator_df; alpha), upper tail; arrays broadcast."""
    # By way of the beta distribution, from whichever end keeps the digits: `scipy.stats.f.isf` loses them for small
    # alpha (3e-4 of the value at 1e-15) and is infinite at 1e-100.
    from scipy import special

    above = np.asarray(numerator_df, dtype=np.float64) / 2
    below = np.asarray(denominator_df, dtype=np.float64) / 2
    numerator_share = special.betainccinv(above, below, alpha)
    denominator_share = special.betaincinv(below, above, alpha)  # 1 minus the other, with its own digits
    with np.errstate(over="ignore", divide="ignore"):
        odds = np.where(
            numerator_share < 0.5,
            numerator_share / (1 - numerator_share),
            (1 - denominator_share) / denominator_share,
        )
        return np.asarray(odds * below / above, dtype=np.float64)


def critical_t(df: ArrayLike, alpha: float | Floats) -> Floats:
    """Return t_inv(df; alpha), the two-sided critical value: Pr{|t| >= t_inv} = alpha."""
    return np.sqrt(critical_f(1, df, alpha))  # t squared is F with one numerator degree of freedom


def noncentral_f_tail(
    value: Floats, numerator_df: float | Floats, denominator_df: Floats, noncentrality: Floats
) -> Floats:
    """Return Pr{F' >= value}; arrays broadcast."""
    # Never by way of the lower tail, which is sporadically NaN from a noncentrality of 1400 on. And never at a
    # noncentrality near zero: at exactly zero SciPy 1.17 returns minus the lower tail, and below 1e-160 its
    # series may not converge. 1e-30 gives the central distribution to the last digit. Beyond 1e15 it is NaN: a
    # tail there is 1.
    positive = np.clip(noncentrality, 1e-30, 1e15)
    tail = _tail_of("ncf")(np.clip(value, 0.0, _LARGEST), numerator_df, denominator_df, positive)
    return np.asarray(tail, dtype=np.float64)


def noncentral_t_tail(value: Floats, df: float | Floats, noncentrality: Floats) -> Floats:
    """Return Pr{t' >= value}; arrays broadcast. Not as the lower tail of -t', which may be NaN for a tiny tail."""
    tail = _tail_of("nct")(value, df, noncentrality)
    return np.asarray(np.clip(tail, 0.0, 1.0), dtype=np.float64)


def noncentral_t_quantile(df: Floats, noncentrality: float, probability: float | Floats) -> Floats:
    """Return t'^-1(P; df, noncentrality), which t' does not exceed with this probability."""
    from scipy import special

    return np.asarray(special.nctdtrit(df, noncentrality, probability), dtype=np.float64)


def noncentral_chi_square_tail(value: Floats, df: float | Floats, noncentrality: Floats) -> Floats:
    """Return Pr{chi'^2 >= value} of positive values; arrays broadcast. Never at exactly zero, as for F'."""
    return np.asarray(_tail_of("ncx2")(value, df, np.maximum(noncentrality, 1e-30)), dtype=np.float64)


_LARGEST = 1e300  # of F: SciPy's functions return NaN for infinity


@cache
def _tail_of(name: str) -> Callable[..., Any]:
    """Return `sf` of a distribution of `scipy.stats` without its import, by a name that SciPy does not promise."""
    from scipy.special import _ufuncs

    try:
        return getattr(_ufuncs, f"_{name}_sf")  # type: ignore[no-any-return]
    except AttributeError:  # a later SciPy
        from scipy import stats

        return getattr(stats, name).sf  # type: ignore[no-any-return]


def f_tail(value: float, numerator_df: int, denominator_df: float) -> float:
    """Return Pr{F >= value} of the central distribution, with its digits however small it is."""
    from scipy import special

    denominator_share = denominator_df / (denominator_df + numerator_df * value)
    return float(special.betainc(denominator_df / 2, numerator_df / 2, denominator_share))


def mean_of_root_variance(phi: ArrayLike) -> Floats:
    """Return E(sqrt V) / sigma of a variance with phi degrees of freedom (Sakai 2016, Eq. 32)."""
    from scipy import special

    # As a Pochhammer symbol: a difference of log-gammas loses half its digits.
    df = np.asarray(phi, dtype=np.float64)
    return np.asarray(np.sqrt(2 / df) * special.poch(df / 2, 0.5), dtype=np.float64)


@lru_cache(maxsize=16)
def legendre(n_nodes: int) -> tuple[Floats, Floats]:
    """Return nodes and weights of Gauss and Legendre's rule, from -1 to 1."""
    return np.polynomial.legendre.leggauss(n_nodes)
