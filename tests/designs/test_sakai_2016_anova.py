"""Section 3.2 of Sakai, Topic set size design, IRJ 19 (2016): one-way ANOVA.

Stated numbers carry the digits of the paper; the tolerance is then half a unit of the last one.
"""

import numpy as np
import pytest
import scipy

from tests.designs.asking import (
    anova_topics,
    stated,
)
from tests.reference.tables import numbers, table
from topicset_core.designs import one_way_anova
from topicset_core.designs.distributions import critical_f
from topicset_core.designs.nagata import DERIVED_SIGN, LINEAR_LAMBDA, NagataF


def test_linear_lambda_against_sakai_2016_table_2_and_the_book() -> None:
    transcript = {(row["alpha"], row["beta"]): (row["x1"], row["x2"]) for row in numbers("lambda_table_2")}
    assert transcript == LINEAR_LAMBDA


def test_lambda_of_infinite_topics_against_noncentral_chi_square() -> None:
    # With ten million topics phi_E is as good as infinite (Eq. 24): lambda is off by 1e-6 of itself.
    n = 10_000_000
    for row in numbers("lambda_table_2"):
        for phi_a in (1, 2, 3, 4, 9, 20, 30, 100):
            effect = one_way_anova.detectable_delta(
                n, alpha=row["alpha"], beta=row["beta"], n_systems=phi_a + 1
            )
            assert float(n * effect) == stated(row[f"lambda_{phi_a}"], 3)


@pytest.mark.slow
def test_linear_lambda_errors_against_noncentral_chi_square() -> None:
    # The largest error downwards lies between 10 and 20, where it is flat; so not every phi_A is tried.
    phi_a = np.array([1, 2, 3, 4, *range(8, 26), 30, 50, 100])
    for row in numbers("lambda_table_2"):
        alpha, beta = row["alpha"], row["beta"]
        exact = [
            1e7 * float(one_way_anova.detectable_delta(10**7, alpha=alpha, beta=beta, n_systems=int(phi) + 1))
            for phi in phi_a
        ]
        error = 100 * ((row["x1"] + row["x2"] * np.sqrt(phi_a)) / exact - 1)
        assert error.max() == stated(row["worst_high"], 2)
        assert error.min() == stated(row["worst_low"], 2)
        assert error.argmax() == 0  # always at m = 2, where the search has to step down


def test_initial_anova_topics_against_sakai_2016() -> None:
    initial = float(NagataF(3).initial_topics(np.asarray(0.5), 0.05, 0.20))
    assert initial * 0.5 == stated(9.929, 3)
    assert initial == stated(19.9, 1)
    assert initial == stated(19.857, 3)


def test_worked_example_against_sakai_2016() -> None:
    n = 19
    assert float(critical_f(2, 54, 0.05)) == stated(3.168, 3)
    assert float(critical_f(2, 54, 0.05)) == pytest.approx(3.16824596725134, abs=1e-13)  # scipy.stats.f.isf
    published = float(one_way_anova.power(n, 0.5, alpha=0.05, n_systems=3, method="published"))
    assert published == stated(0.791, 3)
    assert scipy.stats.norm.isf(published) == stated(-0.809, 3)  # u
    assert scipy.stats.norm.isf(published) == stated(-0.809460, 6)
    at_20 = float(one_way_anova.power(20, 0.5, alpha=0.05, n_systems=3, method="published"))
    assert at_20 == stated(0.813, 3)
    assert anova_topics(3, 0.5, 0.25, "minus") == 20
    assert anova_topics(3, 0.5, 0.25, "plus") == 21
    assert anova_topics(3, 0.5, 0.25) == 21


@pytest.mark.parametrize("row", table("anova_worked_example"), ids=lambda row: row["n_topics"])
def test_worked_example_digits_against_plain_designs(row: dict[str, str]) -> None:
    n = int(row["n_topics"])
    computed = {
        "critical_f": critical_f(2, 3 * (n - 1), 0.05),
        "power_minus": one_way_anova.power(n, 0.5, alpha=0.05, n_systems=3, method="published"),
        "power_plus": NagataF(3, DERIVED_SIGN).power(n, 0.5, 0.05),
        "power_exact": one_way_anova.power(n, 0.5, alpha=0.05, n_systems=3),
    }
    for column, value in computed.items():
        digits = len(row[column].partition(".")[2])
        # Half a unit of the last digit; with fifteen, double precision leaves less than a dozen units.
        assert float(value) == pytest.approx(float(row[column]), abs=max(0.5001 * 10**-digits, 1e-14))


@pytest.mark.parametrize(
    ("alpha", "m", "last_undefined"),
    # The radicand of Eq. 18 with minus sign at minDelta .1, plain_designs.py.
    [(0.05, 2, 3), (0.05, 3, 3), (0.05, 5, 3), (0.05, 100, 2), (0.01, 2, 5)],
)
def test_published_anova_power_is_nan_only_at_few_topics(alpha: float, m: int, last_undefined: int) -> None:
    n = np.arange(2, 200)
    power = one_way_anova.power(n, 0.1, alpha=alpha, n_systems=m, method="published")
    np.testing.assert_array_equal(np.isnan(power), n <= last_undefined)
    assert not np.isnan(NagataF(m, DERIVED_SIGN).power(n, 0.1, alpha)).any()
