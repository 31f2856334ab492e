"""Weights of pooled variances against the sums of squares they come from."""

from collections.abc import Callable

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.variance.matrices import of
from topicset_core.errors import InputError
from topicset_core.variance import (
    ONE_WAY,
    PAIR_PERCENTILE,
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
