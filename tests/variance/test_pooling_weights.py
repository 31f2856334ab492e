"""Weights of pooled variances against the sums of squares they come from."""

from collections.abc import Callable

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.variance.matrices import of
from topicset_core.errors import InputError
from topicset_core.variance import (
    CONSERVATIVE_DIFFERENCE,
    MEAN_PAIR_DIFFERENCE,
    ONE_WAY,
    PAIR_PERCENTILE,
    TWO_WAY,
    chosen_pair,
    mean_squares,
    one_way,
    pooled,
    total,
    two_way,
)

RNG = np.random.default_rng(7)
FEW, MANY = of(RNG.random((10, 3))), of(RNG.random((6, 20)) ** 2)


def test_degrees_of_freedom_pool_sums_of_squares_against_theory() -> None:
    """The textbook pooled variance: all residual sums over all residual degrees of freedom."""
    sums = [mean_squares(matrix) for matrix in (FEW, MANY)]
    for estimate, name in ((one_way, "within_system"), (two_way, "residual"), (total, "total")):
        expected = sum(getattr(s, f"{name}_sum") for s in sums) / sum(getattr(s, f"{name}_df") for s in sums)
        result = pooled([FEW, MANY], estimate, weights="degrees-of-freedom")
        assert result == pytest.approx(expected, rel=1e-13)
    assert (sums[0].within_system_df, sums[1].within_system_df) == (3 * 9, 20 * 5)


def test_topics_less_one_is_the_default_and_differs() -> None:
    expected = (9 * one_way(FEW) + 5 * one_way(MANY)) / 14
    assert pooled([FEW, MANY]) == pytest.approx(expected, rel=1e-14)
    assert pooled([FEW, MANY], weights="topics") == pooled([FEW, MANY])
    assert pooled([FEW, MANY], weights="degrees-of-freedom") != pytest.approx(expected, rel=1e-3)


def test_equal_numbers_of_runs_make_the_weights_agree() -> None:
    other = of(RNG.random((25, 3)))
    for estimate in (one_way, two_way):
        expected = pooled([FEW, other], estimate)
        result = pooled([FEW, other], estimate, weights="degrees-of-freedom")
        assert result == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("weights", ["topics", "degrees-of-freedom"])
def test_differences_pool_as_twice_their_within_system_variances(weights: str) -> None:
    both = (FEW, MANY)
    for difference, within in ((CONSERVATIVE_DIFFERENCE, ONE_WAY), (MEAN_PAIR_DIFFERENCE, TWO_WAY)):
        expected = 2 * pooled(both, within, weights)  # type: ignore[arg-type]
        assert pooled(both, difference, weights) == pytest.approx(expected, rel=1e-13)  # type: ignore[arg-type]


def test_a_chosen_pair_has_topics_less_one_degrees_of_freedom() -> None:
    pair = chosen_pair("s0", "s1")
    result = pooled([FEW, MANY], pair, weights="degrees-of-freedom")
    assert result == pytest.approx(pooled([FEW, MANY], pair), rel=1e-15)


def my_own(matrix: object) -> float:  # noqa: ARG001
    return 1.0


@pytest.mark.parametrize(
    ("estimate", "weights"),
    [
        pytest.param(ONE_WAY, "runs", id="no-weights"),
        pytest.param(PAIR_PERCENTILE, "degrees-of-freedom", id="percentile"),
        pytest.param(my_own, "degrees-of-freedom", id="own-function"),
    ],
)
def test_unknown_weights_are_refused(
    estimate: Callable[[object], float], weights: str, golden: SnapshotAssertion
) -> None:
    with pytest.raises(InputError) as caught:
        pooled([FEW], estimate, weights=weights)  # type: ignore[arg-type]
    assert (caught.value.parameter, caught.value.value) == ("weights", weights)
    assert str(caught.value) == golden
