"""Variances against theory: identities, scale and shift, pooling, and matrices without variance."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.variance.matrices import SCORES, of
from topicset_core.variance import ONE_WAY, TWO_WAY, one_way, pooled, two_way
from topicset_core.variance.choices import chosen_pair
from topicset_core.variance.estimates import total
from topicset_core.variance.pair_differences import mean_pair_difference_variance
from topicset_core.variance.pooling import largest_by_measure
from topicset_core.variance.sums_of_squares import mean_squares

# Sums of at most 63 products of numbers in [0, 1]: errors stay below 63 * 2 ** -53.
NEAR: dict[str, Any] = {"rel": 1e-12, "abs": 1e-13}


@given(SCORES)
def test_one_way_is_the_mean_of_system_variances(scores: np.ndarray) -> None:
    assert one_way(of(scores)) == pytest.approx(np.mean(np.var(scores, axis=0, ddof=1)), **NEAR)


@given(SCORES)
def test_two_way_is_half_the_mean_pair_variance(scores: np.ndarray) -> None:
    """The identity, with all pairs written out; and the function that computes them from covariances."""
    columns = combinations(scores.T, 2)
    by_pairs = np.mean([np.var(first - second, ddof=1) for first, second in columns])
    assert two_way(of(scores)) == pytest.approx(by_pairs / 2, **NEAR)
    assert mean_pair_difference_variance(of(scores)) == pytest.approx(by_pairs, **NEAR)


@given(SCORES)
def test_total_is_the_variance_of_all_scores(scores: np.ndarray) -> None:
    assert total(of(scores)) == pytest.approx(np.var(scores, ddof=1), **NEAR)


@given(SCORES)
def test_sums_of_squares_add_up(scores: np.ndarray) -> None:
    matrix = of(scores)
    result = mean_squares(matrix)
    parts = result.between_system_sum + result.between_topic_sum + result.residual_sum
    assert result.total_sum == pytest.approx(parts, **NEAR)
    within, df = result.between_topic_sum + result.residual_sum, result.between_topic_df + result.residual_df
    assert within / df == pytest.approx(one_way(matrix), **NEAR)
    assert result.residual_mean_square == pytest.approx(two_way(matrix), **NEAR)
    assert result.total_sum / (df + result.between_system_df) == pytest.approx(total(matrix), **NEAR)


ESTIMATES = (one_way, two_way, total, mean_pair_difference_variance)


@given(scores=SCORES, factor=st.integers(-20, 20), shift=st.integers(-1000, 1000))
def test_scale_and_shift(scores: np.ndarray, factor: int, shift: int) -> None:
    """Var(c x + b) = c^2 Var(x)."""
    moved = of(factor * scores + shift)
    for estimate in ESTIMATES:
        expected = factor**2 * estimate(of(scores))
        # Scores of up to 20 in sums of 63 squares of up to 400; a shift of 1000 costs 6 bits more.
        assert estimate(moved) == pytest.approx(expected, rel=1e-12, abs=1e-10), estimate


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_a_large_common_value_keeps_the_digits(estimate: Any) -> None:
    """At 2 ** 26 a sum of squares less n times the squared mean would have lost all of them."""
    scores = np.random.default_rng(5).integers(0, 64, (40, 9)) / 64
    # Multiples of 1/64 near 2 ** 26 are exact, so only the centring can lose digits.
    assert estimate(of(scores + 2.0**26)) == pytest.approx(estimate(of(scores)), rel=1e-12)
    sums, moved = mean_squares(of(scores)), mean_squares(of(scores + 2.0**26))
    assert moved.between_system_sum == pytest.approx(sums.between_system_sum, rel=1e-7)


@given(scores=SCORES, offsets=st.lists(st.integers(0, 64), min_size=9, max_size=9, unique=True))
def test_topic_offsets_change_one_way_and_not_two_way(scores: np.ndarray, offsets: list[int]) -> None:
    difficulty = np.array(offsets[: len(scores)])[:, None]
    moved = of(scores + difficulty)
    assert two_way(moved) == pytest.approx(two_way(of(scores)), rel=1e-11, abs=1e-11)  # squares up to 65 ** 2
    # Var(x + b) = Var(x) + Var(b) + 2 Cov(x, b), averaged over systems.
    covariance = np.mean([np.cov(column, difficulty[:, 0])[0, 1] for column in scores.T])
    change = np.var(difficulty, ddof=1) + 2 * covariance
    assert one_way(moved) == pytest.approx(one_way(of(scores)) + change, rel=1e-11, abs=1e-11)


def test_degrees_of_freedom_pool_sums_of_squares_against_theory() -> None:
    """The textbook pooled variance: all residual sums over all residual degrees of freedom."""
    rng = np.random.default_rng(7)
    both = few, many = of(rng.random((10, 3))), of(rng.random((6, 20)) ** 2)
    sums = [mean_squares(matrix) for matrix in both]
    for estimate, names in (
        (one_way, "between_topic residual"),
        (two_way, "residual"),
        (total, "between_system between_topic residual"),
    ):
        parts = [(one, name) for one in sums for name in names.split()]
        squares = sum(getattr(one, f"{name}_sum") for one, name in parts)
        expected = squares / sum(getattr(one, f"{name}_df") for one, name in parts)
        result = pooled(both, estimate, weights="degrees-of-freedom")
        assert result == pytest.approx(expected, rel=1e-13)
    pair = chosen_pair("s0", "s1")  # of topics less one degrees of freedom
    result = pooled([few, many], pair, weights="degrees-of-freedom")
    assert result == pytest.approx(pooled([few, many], pair), rel=1e-15)


def test_pooled_weights_are_topics_less_one() -> None:
    small, large = of([[0.0], [1.0]]), of([[0.0], [1.0], [2.0], [3.0]])
    # Variances 1/2 and 5/3, weights 1 and 3.
    assert pooled([small, large]) == pytest.approx((1 * 0.5 + 3 * 5 / 3) / 4, rel=1e-15)
    assert pooled(iter([small])) == one_way(small)
    # One system or two equal ones: degrees of freedom m (n - 1) as weights would give another number.
    doubled = of(np.repeat(large.scores, 2, axis=1))
    assert pooled([small, doubled]) == pytest.approx(pooled([small, large]), rel=1e-15)


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_the_largest_scores_do_not_overflow(estimate: Any) -> None:
    assert np.isfinite(estimate(of([[1e100, -1e100], [-1e100, 1e100], [1e100, 1e100]])))


def test_the_largest_variance_is_that_of_the_least_stable_measure() -> None:
    rng = np.random.default_rng(3)
    ap, ap_2 = of(rng.random((30, 4)) / 2), of(rng.random((40, 6)) / 2)
    nerr = of(rng.random((30, 4)), measure="nERR")
    result = largest_by_measure([ap, nerr, ap_2])
    assert (result.measure, result.variance) == ("nERR", one_way(nerr))
    assert result.by_measure == (("nERR", one_way(nerr)), ("AP", pooled([ap, ap_2])))
    by_df = largest_by_measure([ap, ap_2], TWO_WAY, "degrees-of-freedom")
    assert by_df.variance == pooled([ap, ap_2], TWO_WAY, "degrees-of-freedom")
    same = of(ap.scores, measure="Q")
    assert largest_by_measure([same, ap], ONE_WAY).measure == "Q"  # of equals, the first
