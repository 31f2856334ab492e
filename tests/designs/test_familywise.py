"""The chance of a false finding over all pairs of systems."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from topicset_core.designs.one_way_anova import familywise_error_rate, n_pairs
from topicset_core.errors import InputError

PROFILE = settings(derandomize=True, deadline=None, database=None)


def test_pairs_are_counted_once() -> None:
    assert [n_pairs(m) for m in (2, 3, 10, 1000)] == [1, 3, 45, 499_500]
    with pytest.raises(InputError, match="n_systems"):
        n_pairs(1001)


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


@pytest.mark.parametrize(
    ("alpha", "m", "named"),
    [(0.0, 10, "alpha"), (None, 10, "alpha"), (0.05, 1, "n_systems"), (0.05, 2.5, "n_systems")],
)
def test_bad_input_is_refused_by_name(alpha: Any, m: Any, named: str) -> None:
    with pytest.raises(InputError, match=named):
        familywise_error_rate(alpha, m)
