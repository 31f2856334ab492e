"""Distribution functions at 40 digits, from sums and a continued fraction of our own.

Nothing here goes by way of SciPy or of Boost, which SciPy calls; the only borrowed pieces are the
elementary functions and the log-gamma function of mpmath. `make_mpmath_tables.py` prints the tables
next to this file with it.
"""

from mpmath import mp, mpf

DIGITS = 40


def beta_fraction(x: mpf, a: mpf, b: mpf) -> mpf:
    """The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method.

    Converges fast for x < (a + 1) / (a + b + 2).
    """
    smallest = mpf(10) ** (-2 * mp.dps)
    value, c, d = mpf(1), mpf(1), mpf(0)
    step = 0
    while True:
        half = step // 2
        if step == 0:
            term = mpf(1)
        elif step % 2 == 0:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        else:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        d = 1 + term * d
        c = 1 + term / c
        d = 1 / (d if abs(d) > smallest else smallest)
        c = c if abs(c) > smallest else smallest
        value *= c * d
        if step > 2 and abs(c * d - 1) < mpf(10) ** (-mp.dps + 3):
            return value - 1  # Lentz's method gave 1 + 1 / (1 + d1 / (1 + d2 / ...))
        step += 1


def log_beta(a: mpf, b: mpf) -> mpf:
    """log B(a, b)."""
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


def beta_pair(x: mpf, y: mpf, a: mpf, b: mpf) -> tuple[mpf, mpf]:
    """I_x(a, b) and its complement, for x + y = 1; the smaller tail is computed."""
    front = mp.exp(a * mp.log(x) + b * mp.log(y) - log_beta(a, b))
    if x < (a + 1) / (a + b + 2):
        lower = front * beta_fraction(x, a, b) / a
        return lower, 1 - lower
    upper = front * beta_fraction(y, b, a) / b
    return 1 - upper, upper


def f_tail(value: mpf, numerator_df: int, denominator_df: int) -> mpf:
    """Pr{F >= value} of the central distribution."""
    y = denominator_df / (denominator_df + numerator_df * value)
    return beta_pair(y, 1 - y, mpf(denominator_df) / 2, mpf(numerator_df) / 2)[0]


def critical_f(numerator_df: int, denominator_df: int, alpha: float, start: float) -> mpf:
    """The value whose upper tail is alpha, by the secant method on logarithms from a double."""
    target = mp.log(mpf(alpha))

    def excess(log_value: mpf) -> mpf:
        return mp.log(f_tail(mp.exp(log_value), numerator_df, denominator_df)) - target

    first = mp.log(mpf(start))
    return mp.exp(mp.findroot(excess, (first, first + mpf(10) ** -12), solver="secant"))


def noncentral_f_tail(value: mpf, numerator_df: int, denominator_df: int, noncentrality: mpf) -> mpf:
    """Pr{F' >= value}: Poisson(lambda / 2) mixture of central tails with phi_A + 2j degrees of freedom.

    Each central tail is the one before plus a positive term (DLMF 8.17.20), so nothing cancels.
    """
    a, b = mpf(numerator_df) / 2, mpf(denominator_df) / 2
    odds = numerator_df * value / denominator_df
    x, y = odds / (1 + odds), 1 / (1 + odds)
    tail = beta_pair(y, x, b, a)[0]
    term = mp.exp(a * mp.log(x) + b * mp.log(y) - log_beta(a, b)) / a
    half = noncentrality / 2
    weight = mp.exp(-half)
    total = mpf(0)
    j = 0
    # Beyond twice the mean plus 200 the Poisson weights fall faster than 2^-j.
    while j < 2 * half + 200 or weight > mpf(10) ** (-mp.dps):
        total += weight * tail
        tail += term
        term *= x * (a + j + b) / (a + j + 1)
        j += 1
        weight *= half / j
    return total


def mean_of_root_variance(phi: int) -> mpf:
    """sqrt(2 / phi) Gamma((phi + 1) / 2) / Gamma(phi / 2); Sakai 2016, Eq. 32."""
    with mp.workdps(DIGITS + 20):  # the difference of two log-gammas loses about log10(phi log phi) digits
        ratio = mp.exp(mp.loggamma(mpf(phi + 1) / 2) - mp.loggamma(mpf(phi) / 2))
        return mp.sqrt(mpf(2) / phi) * ratio
