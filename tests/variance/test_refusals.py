"""Refusals of variances: the parameter, the value, and the message."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.refusals import refused
from tests.variance.matrices import of
from topicset_core.variance import ONE_WAY, PAIR_PERCENTILE, TWO_WAY, pooled, pooled_interval, two_way
from topicset_core.variance.choices import pair_percentile
from topicset_core.variance.pair_differences import (
    chosen_pair_difference_variance,
    mean_pair_difference_variance,
    pair_difference_variances,
    percentile_pair_difference_variance,
)
from topicset_core.variance.pooling import largest_by_measure
from topicset_core.variance.sums_of_squares import mean_squares

ONE_RUN = of([[0.5], [0.25], [0.1]])
TWO_RUNS = of([[0.5, 0.1], [0.25, 0.2]])
ONE_SYSTEM = "systems = 1: must be at least 2, because this estimate compares systems"


def my_own(matrix: object) -> float:  # noqa: ARG001
    return 1.0


@pytest.mark.parametrize(
    ("function", "argument", "message"),
    [
        *(
            (function, ONE_RUN, ONE_SYSTEM)
            for function in (
                *(two_way, mean_pair_difference_variance, mean_squares, pair_difference_variances),
                *(percentile_pair_difference_variance, PAIR_PERCENTILE, TWO_WAY.without_each),
            )
        ),
        (pooled, [], "matrices = 0: must be at least one score matrix"),
        (largest_by_measure, [], "matrices = 0: must be at least one score matrix"),
        (
            pooled,
            [ONE_RUN, of([[0.0], [1.0]], measure="RR")],
            "matrices = ['AP', 'RR']: must all be scores of one measure",
        ),
        *(
            (pair_percentile, one, f"percentile = {one!r}: must be a number from 0 to 100")
            for one in (-1, 101, True, "95")
        ),
    ],
)
def test_bad_arguments(function: Callable[[Any], object], argument: Any, message: str) -> None:
    assert message in str(refused(function, argument))


@pytest.mark.parametrize("second", [("x", "must be one of s0, s1"), ("s0", "must be two systems")])
def test_a_pair_is_of_two_runs_of_the_matrix(second: tuple[str, str]) -> None:
    assert (
        str(refused(chosen_pair_difference_variance, TWO_RUNS, "s0", second[0]))
        == f"pair = {second[0]!r}: {second[1]}"
    )


@pytest.mark.parametrize("level", [0, 1, -0.5, float("nan"), True, "0.9"])
def test_invalid_levels(level: Any) -> None:
    assert (
        str(refused(pooled_interval, [TWO_RUNS], level=level))
        == f"level = {level!r}: must be a number above 0 and below 1"
    )


@pytest.mark.parametrize(
    ("estimate", "weights", "rule"),
    [
        (ONE_WAY, "runs", "must be one of topics, degrees-of-freedom"),
        (
            PAIR_PERCENTILE,
            "degrees-of-freedom",
            "must be topics: percentile-95-of-pairs has no degrees of freedom",
        ),
        (my_own, "degrees-of-freedom", "must be topics: my_own has no degrees of freedom"),
    ],
)
def test_unknown_weights(estimate: Any, weights: Any, rule: str) -> None:
    assert str(refused(pooled, [TWO_RUNS], estimate, weights=weights)) == f"weights = {weights!r}: {rule}"
