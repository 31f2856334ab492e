"""The retrieval experiment error rate and its required topics."""

import math
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf
from numpy.typing import NDArray

from tests.refusals import refused
from topicset_core.designs import error_rate
from topicset_core.designs.error_rate import (
    Requirements,
    approximate_reer,
    factor_curves,
    reer,
    resolved_difference_of,
)
from topicset_core.designs.results import Method
from topicset_core.errors import NoSolution

# formulas-and-expected-values 9.1: z, Eq. 8, Eq. 13, printed to nine decimals.
PRINTED = [
    (0.0, 0.5, 0.5),
    (0.25, 0.480514123, 0.480496221),
    (1.0, 0.266967529, 0.264538904),  # Eq. 12 as printed would give exp(-z^2 / pi) / 2 = .3637
    (1.96, 0.048746001, 0.043335388),
    (3.0, 0.002696152, 0.001624224),
]
HALF_A_DIGIT = 0.5e-9

# The same: table 1 of the paper at the midpoints .015, .025, .035; variances of the difference of means.
TABLE_1 = [
    (0.015, 0.000464, 0.36801),
    (0.025, 0.000814, 0.30835),
    (0.035, 0.000684, 0.16447),
]


def _at(z: float) -> dict[str, float]:
    return {"difference": z, "difference_variance": 1.0, "n_topics": 1}


@pytest.mark.parametrize(("z", "exact", "approximate"), PRINTED)
def test_error_rate_against_the_printed_table(z: float, exact: float, approximate: float) -> None:
    assert abs(float(reer(**_at(z))) - exact) <= HALF_A_DIGIT
    assert abs(float(approximate_reer(**_at(z))) - approximate) <= HALF_A_DIGIT
    assert float(reer(**_at(-z))) == float(reer(**_at(z)))


@pytest.mark.parametrize(("difference", "variance", "expected"), TABLE_1)
def test_error_rate_against_lin_and_hauptmann_table_1(
    difference: float, variance: float, expected: float
) -> None:
    result = float(reer(difference=difference, difference_variance=50 * variance, n_topics=50))
    assert abs(result - expected) <= 0.5e-5  # printed to five decimals


@pytest.mark.parametrize("z", [1e-9, 1.0, 6.0, 30.0])
def test_error_rate_against_mpmath(z: float) -> None:
    with mp.workdps(40):
        tail = mp.erfc(mpf(z) / mp.sqrt(2)) / 2
        exact = 2 * tail * (1 - tail)
    # Two factors of ndtr, each right to a few units of 2e-16; far out the tail exp(-z^2 / 2) itself
    # changes by a factor 1 + z^2 times the 1e-16 to which z^2 / 2 can be held.
    assert abs(mpf(float(reer(**_at(z)))) / exact - 1) < 3e-15 + 1.2e-16 * z * z


def test_the_approximation_is_a_lower_bound_with_the_stated_largest_error() -> None:
    z: NDArray[np.float64] = np.linspace(0.0, 8.0, 80_001)
    gap = reer(difference=z, difference_variance=1, n_topics=1) - approximate_reer(
        difference=z, difference_variance=1, n_topics=1
    )
    assert gap.min() >= 0
    assert abs(gap.max() - 0.005747731) <= HALF_A_DIGIT  # 9.1
    assert abs(z[gap.argmax()] - 1.7386) <= 1e-4  # 9.1, on a grid of 1e-4


def test_topics_against_9_1() -> None:
    # 143.1 topics by Eq. 8 and 136.3 by Eq. 13, for .05 at a difference of .05 and variances of .0942.
    requirements = Requirements(max_error=0.05, min_d=0.05, difference_variance=0.0942)
    exact = error_rate.required_topics(requirements)
    assert exact.required_topics == 144
    assert exact.attained_error <= 0.05 < (exact.error_one_topic_fewer or 0)
    assert exact.attained_error == float(reer(difference=0.05, difference_variance=0.0942, n_topics=144))
    published = error_rate.required_topics(requirements, method="published")
    assert published.required_topics == 137
    assert published.notes
    assert published.attained_error == float(
        approximate_reer(difference=0.05, difference_variance=0.0942, n_topics=137)
    )
    # z = 1.948822 at an error rate of .05, printed to six decimals.
    assert abs(float(resolved_difference_of(1, 1.0, max_error=0.05)) - 1.948822) <= 0.5e-6


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize("max_error", [1e-300, 1e-12, 0.01, 0.05, 0.3, 0.4999])
def test_topics_and_detectable_difference_are_inverse(max_error: float, method: Method) -> None:
    for n in (1, 2, 3, 50, 12_345, 9_999_999):
        resolved = float(resolved_difference_of(n, 0.1, max_error=max_error, method=method))
        for shade, expected in ((1 + 1e-12, n), (1 - 1e-12, n + 1)):  # the last digit may go either way
            result = error_rate.required_topics_grid(
                resolved * shade, 0.1, max_error=max_error, method=method
            )
            assert int(result) == expected


def test_one_topic_may_be_enough() -> None:
    result = error_rate.required_topics(Requirements(max_error=0.05, min_d=5.0, difference_variance=0.1))
    assert (result.required_topics, result.error_one_topic_fewer) == (1, None)


def test_grid_broadcasts_and_equals_single_answers() -> None:
    grid = error_rate.required_topics_grid([0.02, 0.05, 0.1], [[0.02], [0.1]], max_error=0.05)
    assert grid.shape == (2, 3)
    single = Requirements(max_error=0.05, min_d=0.05, difference_variance=0.1)
    assert grid[1, 1] == error_rate.required_topics(single).required_topics


@pytest.mark.parametrize("min_d", [1e-6, 1e-200, 5e-324])
def test_more_than_ten_million_topics_is_no_solution(min_d: float) -> None:
    with pytest.raises(NoSolution, match="10,000,000"):
        error_rate.required_topics(Requirements(max_error=0.05, min_d=min_d, difference_variance=0.1))


@pytest.mark.parametrize(
    ("values", "parameter"),
    [
        ({"n_topics": 0}, "n_topics"),
        ({"n_topics": [1, 2, 2.5]}, "n_topics"),
        ({"difference": math.inf}, "difference"),
        ({"difference": "x"}, "difference"),
        ({"difference_variance": 0}, "difference_variance"),
    ],
)
def test_bad_input_is_refused_by_name(values: dict[str, Any], parameter: str) -> None:
    given: dict[str, Any] = {"difference": 0.1, "difference_variance": 0.1, "n_topics": 1}
    assert refused(reer, **given | values).parameter == parameter


def test_the_three_factor_curves_cross_at_the_point_and_are_monotone() -> None:
    topics, differences, variances = factor_curves(difference=0.05, difference_variance=0.09, n_topics=50)
    here = float(reer(difference=0.05, difference_variance=0.09, n_topics=50))
    for curve, value in ((topics, 50), (differences, 0.05), (variances, 0.09)):
        (place,) = np.flatnonzero(np.isclose(curve.values, value, rtol=1e-12))
        assert float(curve.errors[place]) == pytest.approx(here, rel=1e-12)
    assert (np.diff(topics.errors) < 0).all()
    assert (np.diff(differences.errors) < 0).all()
    assert (np.diff(variances.errors) > 0).all()
    assert differences.errors[0] == 0.5
    assert topics.values[0] >= 1
