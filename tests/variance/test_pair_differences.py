"""Variances of differences against theory, brute force and the notes on TREC04new.

"Notes": computed before on the same public matrices by separate code; tolerance half the last digit
printed.
"""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from tests import robust_new_topics
from tests.reference_data import reference_matrix
from tests.variance.matrices import SCORES, of
from topicset_core.variance import CONSERVATIVE_DIFFERENCE, ESTIMATES, one_way
from topicset_core.variance.choices import chosen_pair
from topicset_core.variance.estimates import conservative_difference_variance
from topicset_core.variance.pair_differences import (
    chosen_pair_difference_variance,
    mean_pair_difference_variance,
    pair_difference_variances,
    percentile_pair_difference_variance,
)

HALF_4TH = 5e-5  # values printed to 4 decimals


@pytest.mark.reference_data
def test_trec04new_against_notes() -> None:
    trec04new = robust_new_topics.trec04new()
    assert percentile_pair_difference_variance(trec04new) == pytest.approx(0.0415, abs=HALF_4TH)
    assert mean_pair_difference_variance(trec04new) == pytest.approx(0.0251, abs=HALF_4TH)
    assert conservative_difference_variance(one_way(trec04new)) == pytest.approx(0.0924, abs=HALF_4TH)


@given(SCORES)
def test_every_pair_against_its_columns(scores: np.ndarray) -> None:
    result = pair_difference_variances(of(scores))
    expected = [
        (i, j, np.var(scores[:, i] - scores[:, j], ddof=1))
        for i, j in combinations(range(scores.shape[1]), 2)
    ]
    assert list(zip(result.first.tolist(), result.second.tolist(), strict=True)) == [e[:2] for e in expected]
    # Sums of at most 9 products of numbers in [0, 1]: rounding stays below 1e-15.
    assert result.variances.tolist() == pytest.approx([e[2] for e in expected], rel=1e-12, abs=1e-14)


def test_percentile_interpolates_between_order_statistics() -> None:
    # Three runs over two topics; differences d and d' have variance (d - d')^2 / 2.
    matrix = of([[0.0, 1.0, 3.0], [0.0, 0.0, 0.0]])
    assert pair_difference_variances(matrix).variances.tolist() == pytest.approx([0.5, 4.5, 2.0], rel=1e-14)
    # Sorted .5, 2, 4.5: position 1 + 2 x .95 = 2.9.
    assert percentile_pair_difference_variance(matrix) == pytest.approx(2 + 0.9 * 2.5, rel=1e-14)
    assert percentile_pair_difference_variance(matrix, 50) == pytest.approx(2, rel=1e-14)
    assert percentile_pair_difference_variance(matrix, 0) == pytest.approx(0.5, rel=1e-14)
    assert percentile_pair_difference_variance(matrix, 100) == pytest.approx(4.5, rel=1e-14)


def test_a_chosen_pair_against_its_columns() -> None:
    scores = np.random.default_rng(1).random((12, 4))
    matrix = of(scores)
    expected = np.var(scores[:, 3] - scores[:, 1], ddof=1)
    assert chosen_pair_difference_variance(matrix, "s3", "s1") == pytest.approx(expected, rel=1e-14)
    assert chosen_pair("s1", "s3")(matrix) == pytest.approx(expected, rel=1e-14)


@pytest.mark.reference_data
def test_identical_runs_have_no_variance() -> None:
    matrix = reference_matrix("robust2004_ap")  # pircRB04d3 = pircRB04d5: docs/reference_data.md
    assert chosen_pair_difference_variance(matrix, "pircRB04d3", "pircRB04d5") == 0
    result = pair_difference_variances(matrix)
    twins = (matrix.systems.index("pircRB04d3"), matrix.systems.index("pircRB04d5"))
    (place,) = np.flatnonzero((result.first == min(twins)) & (result.second == max(twins)))
    assert 0 <= result.variances[place] < 1e-15
    assert result.variances.min() >= 0


def test_estimates_are_named_after_their_functions_and_unique() -> None:
    matrix = of(np.random.default_rng(2).random((9, 5)))
    assert [estimate(matrix) for estimate in ESTIMATES] == [estimate.of(matrix) for estimate in ESTIMATES]
    names = [estimate.name for estimate in ESTIMATES]
    assert len(set(names)) == len(names)
    assert CONSERVATIVE_DIFFERENCE(matrix) == 2 * one_way(matrix)
