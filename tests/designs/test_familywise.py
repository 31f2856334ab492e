"""The chance of a false finding over all pairs of systems."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from topicset_core.designs.one_way_anova import familywise_error_rate, n_pairs
from topicset_core.errors import InputError

PROFILE = settings(derandomize=True, deadline=None, database=None)


@pytest.mark.parametrize(("m", "pairs"), [(2, 1), (3, 3), (4, 6), (10, 45), (1000, 499_500)])
def test_pairs_are_counted_once(m: int, pairs: int) -> None:
    assert n_pairs(m) == pairs
    assert isinstance(n_pairs(m), int)


# 1 - .95^k for the k of Sakai 2016, section 2.2, to six decimals, by hand.
@pytest.mark.parametrize(
    ("m", "rate"), [(2, 0.05), (3, 0.142625), (4, 0.264908), (5, 0.401263), (10, 0.900560)]
)
def test_rate_at_five_per_cent_against_sakai_2016(m: int, rate: float) -> None:
    assert familywise_error_rate(0.05, m) == pytest.approx(rate, abs=0.5e-6)


def test_rate_against_simulation_of_independent_tests() -> None:
    """P values of true null hypotheses are uniform; count the trials in which the smallest is below alpha."""
    n_trials, alpha, m = 200_000, 0.01, 6
    p_values = np.random.default_rng(20).uniform(size=(n_trials, n_pairs(m)))
    result = np.mean(p_values.min(axis=1) < alpha)
    expected = familywise_error_rate(alpha, m)
    standard_error = math.sqrt(expected * (1 - expected) / n_trials)
    assert abs(result - expected) < 4 * standard_error  # of a fixed seed


# As small as alpha may be and as large as a double below 1 can represent. A result in the range of normal
# doubles is right to a few units of the last digit, which the two functions behind it lose.
@PROFILE
@given(alpha=st.floats(min_value=1e-100, max_value=1 - 1e-6), m=st.integers(2, 1000))
def test_every_digit_against_mpmath(alpha: float, m: int) -> None:
    with mp.workdps(150):
        exact = 1 - (1 - mpf(alpha)) ** n_pairs(m)
        assert familywise_error_rate(alpha, m) == pytest.approx(float(exact), rel=1e-15)


@PROFILE
@given(alpha=st.floats(min_value=1e-6, max_value=0.5), m=st.integers(2, 999))
def test_rate_lies_between_alpha_and_bonferroni_and_grows(alpha: float, m: int) -> None:
    rate = familywise_error_rate(alpha, m)
    last_digit = 1e-15 * alpha  # for one pair all three are the same
    assert alpha - last_digit <= rate <= min(1.0, n_pairs(m) * alpha + last_digit)
    assert familywise_error_rate(alpha, m + 1) >= rate


def test_one_pair_has_the_rate_of_its_test() -> None:
    assert familywise_error_rate(1e-50, 2) == 1e-50


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, math.nan, "0.05", None])
def test_bad_alpha_is_refused_by_name(alpha: object) -> None:
    with pytest.raises(InputError) as caught:
        familywise_error_rate(alpha, 10)  # type: ignore[arg-type]
    assert caught.value.parameter == "alpha"


@pytest.mark.parametrize("m", [1, 0, 2.5, 1001, True, "3"])
def test_bad_number_of_systems_is_refused_by_name(m: object) -> None:
    for question in (lambda: familywise_error_rate(0.05, m), lambda: n_pairs(m)):  # type: ignore[arg-type]
        with pytest.raises(InputError) as caught:
            question()
        assert caught.value.parameter == "n_systems"
