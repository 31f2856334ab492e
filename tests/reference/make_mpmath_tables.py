"""Print powers, critical values and mean root variances to 25 digits, from `mpmath_oracles.py` alone.

    python -m tests.reference.make_mpmath_tables

writes mpmath_powers.csv and mpmath_mean_of_root_variance.csv, in half a minute.

The inputs are doubles: alpha and min_delta are the doubles that their text is read as.
"""

import itertools
import math
from collections.abc import Iterable, Sequence

import mpmath
from mpmath import mp, mpf

from tests.reference import mpmath_oracles as oracle
from tests.reference.tables import write

MADE = f"make_mpmath_tables.py with mpmath {mpmath.__version__} at {oracle.DIGITS} digits"

# design, phi_A, groups: the degrees of freedom of the denominator are groups (n - 1).
TESTS = [("paired_t", 1, 1), ("two_sample_t", 1, 2)] + [
    ("one_way_anova", m - 1, m) for m in (2, 3, 10, 100, 1000)
]
TOPICS = (2, 3, 5, 20, 150, 10_000, 1_000_000, 10_000_000)
ALPHAS = (1e-12, 1e-4, 0.05, 0.5)
NONCENTRALITIES = (0.01, 3.0, 15.0, 90.0, 1000.0)  # the last gives powers within 1e-16 of 1


def rough_critical_value(numerator_df: int, denominator_df: int, alpha: float) -> float:
    """A start for the secant method, by bisection in double precision logarithms."""
    with mp.workdps(20):
        low, high = -5.0, 60.0
        for _ in range(24):
            middle = (low + high) / 2
            enough = oracle.f_tail(mp.exp(middle), numerator_df, denominator_df) > alpha
            low, high = (middle, high) if enough else (low, middle)
    return math.exp((low + high) / 2)


def powers() -> Iterable[Sequence[object]]:
    """One row per cell: design, m, alpha, n, min_delta, F_inv, power."""
    for (design, numerator_df, groups), alpha, n in itertools.product(TESTS, ALPHAS, TOPICS):
        denominator_df = groups * (n - 1)
        start = rough_critical_value(numerator_df, denominator_df, alpha)
        critical = oracle.critical_f(numerator_df, denominator_df, alpha, start)
        for target in NONCENTRALITIES:
            if design == "one_way_anova":
                min_delta = float(f"{target / n:.6g}")
                noncentrality = n * mpf(min_delta)  # Sakai 2016, Eq. 17
            else:
                min_delta = float(f"{math.sqrt(target * groups / n):.6g}")
                noncentrality = n * mpf(min_delta) ** 2 / groups  # the square of Eq. 4
            power = oracle.noncentral_f_tail(critical, numerator_df, denominator_df, noncentrality)
            yield design, groups, alpha, n, repr(min_delta), mp.nstr(critical, 25), mp.nstr(power, 25)


def mean_root_variances() -> Iterable[Sequence[object]]:
    """phi from 1 to that of two samples of ten million topics."""
    small, large = (1, 2, 3, 5, 10, 33, 99, 145, 342, 1000), (12_345, 40_000, 99_999, 10**5, 10**6, 10**7)
    for phi in (*small, *large, 19_999_998):
        yield phi, mp.nstr(oracle.mean_of_root_variance(phi), 25)


def main() -> None:
    """Write both."""
    mp.dps = oracle.DIGITS
    write(
        "mpmath_powers",
        "Upper tail of noncentral F at F_inv(phi_A, phi_E; alpha); groups is m in the ANOVA.",
        MADE,
        "design groups alpha n_topics min_delta critical_f power",
        powers(),
    )
    write(
        "mpmath_mean_of_root_variance",
        "E(sqrt V) / sigma, Sakai 2016 Eq. 32.",
        MADE,
        "phi mean",
        mean_root_variances(),
    )


if __name__ == "__main__":
    main()
