"""Exact powers, critical values and widths against mpmath and against SciPy's own distributions."""

import math

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy import special, stats

from tests.reference import mpmath_oracles as oracle
from tests.reference.tables import table
from topicset_core.designs import (
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.designs.distributions import (
    _tail_of,
    critical_f,
    critical_t,
    f_tail,
    mean_of_root_variance,
    noncentral_chi_square_tail,
    noncentral_f_tail,
    noncentral_t_quantile,
    noncentral_t_tail,
)

CELLS = table("mpmath_powers")
T_TESTS = {"paired_t": paired_t, "two_sample_t": two_sample_t}


def _power(cell: dict[str, str]) -> float:
    n, min_delta, alpha = int(cell["n_topics"]), float(cell["min_delta"]), float(cell["alpha"])
    if cell["design"] == "one_way_anova":
        return float(one_way_anova.power(n, min_delta, alpha=alpha, n_systems=int(cell["groups"])))
    return float(T_TESTS[cell["design"]].power(n, min_delta, alpha=alpha))


def _degrees_of_freedom(cell: dict[str, str]) -> tuple[int, int]:
    groups = int(cell["groups"])
    numerator = groups - 1 if cell["design"] == "one_way_anova" else 1
    return numerator, groups * (int(cell["n_topics"]) - 1)


def test_power_against_mpmath() -> None:
    """1120 cells: five designs' degrees of freedom, n to ten million, alpha 1e-12 to .5."""
    assert len(CELLS) == 1120
    attained = np.array([_power(cell) for cell in CELLS])
    expected = np.array([float(cell["power"]) for cell in CELLS])
    assert expected.min() < 2e-12  # powers from alpha itself
    assert expected.max() == 1.0  # to 1
    np.testing.assert_allclose(attained, expected, rtol=0, atol=1e-10)
    # Relative too: SciPy's noncentral F loses digits with phi_E near 1e7 and alpha 1e-12 only.
    np.testing.assert_allclose(attained, expected, rtol=1e-9, atol=0)


def test_noncentral_distributions_against_scipy_stats() -> None:
    """The numbers of `scipy.stats`, which no design imports: alpha 1e-10 to .5, df to a million."""
    rng = np.random.default_rng(44)
    numerator, df = (np.ceil(10 ** rng.uniform(0, largest, 1000)) for largest in (3, 6))
    noncentrality, alpha = 10 ** rng.uniform(-30, 2, 1000), 10 ** rng.uniform(-10, math.log10(0.5), 1000)
    noncentrality[::2] = rng.uniform(0, 100, 500)
    f, t = critical_f(numerator, df, alpha), critical_t(df, alpha)
    chi_square = numerator * f
    for attained, expected in (
        (noncentral_f_tail(f, numerator, df, noncentrality), stats.ncf.sf(f, numerator, df, noncentrality)),
        (noncentral_t_tail(t, df, noncentrality), stats.nct.sf(t, df, noncentrality)),
        (noncentral_t_tail(t, df, -noncentrality), stats.nct.sf(t, df, -noncentrality)),
        (
            noncentral_chi_square_tail(chi_square, numerator, noncentrality),
            stats.ncx2.sf(chi_square, numerator, noncentrality),
        ),
        (noncentral_t_quantile(df, 1.96, 1 - alpha), stats.nct.ppf(1 - alpha, df, 1.96)),
    ):
        np.testing.assert_allclose(attained, expected, rtol=1e-12, atol=0)
    assert noncentral_f_tail(np.array([0.0, np.inf]), 3, np.array(10), np.array(5.0)).tolist() == [1.0, 0.0]


def test_tails_of_a_scipy_without_the_private_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(special, "_ufuncs", object())
    _tail_of.cache_clear()
    attained = noncentral_f_tail(np.array(2.5), 3, np.array(10.0), np.array(5.0))
    assert attained == stats.ncf.sf(2.5, 3, 10, 5)
    _tail_of.cache_clear()


def test_critical_values_against_mpmath() -> None:
    computed, expected = [], []
    for cell in CELLS:
        numerator, denominator = _degrees_of_freedom(cell)
        alpha = float(cell["alpha"])
        computed.append(float(critical_f(numerator, denominator, alpha)))
        expected.append(float(cell["critical_f"]))
        if numerator == 1:
            computed.append(float(critical_t(denominator, alpha)))
            expected.append(float(mp.sqrt(mpf(cell["critical_f"]))))
    # A few roundings; the largest deviation seen is 3.7e-15.
    np.testing.assert_allclose(computed, expected, rtol=2e-14)


@pytest.mark.parametrize("row", table("mpmath_mean_of_root_variance"), ids=lambda row: row["phi"])
def test_mean_of_root_variance_against_mpmath(row: dict[str, str]) -> None:
    # Its docstring promises 2e-11.
    assert float(mean_of_root_variance(int(row["phi"]))) == pytest.approx(float(row["mean"]), rel=2e-11)


def test_width_against_mpmath() -> None:
    cells = {
        (int(cell["groups"]), int(cell["n_topics"]), cell["alpha"], cell["critical_f"])
        for cell in CELLS
        if cell["design"] in T_TESTS
    }
    assert len(cells) == 2 * 8 * 4
    with mp.workdps(oracle.DIGITS):
        for groups, n, alpha, critical in cells:
            design = confidence_interval if groups == 1 else two_sample_confidence_interval
            mean = oracle.mean_of_root_variance(groups * (n - 1))
            expected = 2 * mp.sqrt(mpf(critical)) * mean * mp.sqrt(mpf(groups) / n)
            attained = float(design.width(n, 1.0, alpha=float(alpha)))
            assert attained == pytest.approx(float(expected), rel=2e-11)  # as the mean root variance


def test_power_at_no_difference_is_alpha_by_theory() -> None:
    # Also at one denominator degree of freedom, where SciPy's series fails for the tiniest noncentralities.
    for numerator, denominator in ((1, 1), (1, 2), (1, 1000), (9, 10), (9, 10_000), (999, 1000)):
        for alpha in (1e-12, 0.05, 0.5, 0.99):
            critical = critical_f(numerator, denominator, alpha)
            for noncentrality in (0.0, 1e-300, 1e-200, 1e-100, 1e-30):
                tail = noncentral_f_tail(
                    critical, numerator, np.asarray(denominator), np.asarray(noncentrality)
                )
                assert float(tail) == pytest.approx(alpha, rel=1e-12)
            assert f_tail(float(critical), numerator, denominator) == pytest.approx(alpha, rel=1e-12)


def test_central_tail_against_mpmath() -> None:
    with mp.workdps(oracle.DIGITS):
        for numerator, denominator in ((1, 1), (1, 27), (2, 57), (9, 1490), (999, 99_000)):
            for value in (1e-6, 0.5, 1.0, 4.0, 60.0, 1e6):
                expected = oracle.f_tail(mpf(value), numerator, denominator)
                if expected < mpf(10) ** -300:
                    continue  # below double precision
                # A tail of 1e-250 is the 1000th power of numbers with relative errors of 1e-16.
                assert f_tail(value, numerator, denominator) == pytest.approx(float(expected), rel=1e-11)


@pytest.mark.parametrize("alpha", [1e-9, 0.01, 0.3])
def test_anova_of_two_systems_is_the_two_sample_t_by_theory(alpha: float) -> None:
    n = np.array([2, 3, 10, 75, 1000, 10_000_000])[:, None]
    min_delta = np.array([1e-4, 0.05, 0.5, 2.0, 30.0])
    np.testing.assert_allclose(
        two_sample_t.power(n, min_delta, alpha=alpha),
        one_way_anova.power(n, min_delta**2 / 2, alpha=alpha, n_systems=2),
        rtol=1e-12,
    )
