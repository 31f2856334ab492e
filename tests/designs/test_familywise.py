"""The chance of a false finding over all pairs of systems."""

import math

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


# As small as alpha may be and as large as a double below 1 can represent. A result in the range of normal
# doubles is right to a few units of the last digit, which the two functions behind it lose.
@PROFILE
@given(alpha=st.floats(min_value=1e-100, max_value=1 - 1e-6), m=st.integers(2, 1000))
def test_every_digit_against_mpmath(alpha: float, m: int) -> None:
    with mp.workdps(150):
        exact = 1 - (1 - mpf(alpha)) ** n_pairs(m)
        assert familywise_error_rate(alpha, m) == pytest.approx(float(exact), rel=1e-15)


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
