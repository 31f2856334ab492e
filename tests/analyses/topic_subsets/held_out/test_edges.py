"""Edges that a deliberate fault could cross unseen: no value, fewest topics, streams."""

import numpy as np
import pytest

from tests.analyses.topic_subsets.plain import matrix_of
from topicset_core.analyses.topic_subsets.curve import criterion_of
from topicset_core.analyses.topic_subsets.held_out.audit import percentile_of, placed
from topicset_core.analyses.topic_subsets.held_out.halves import (
    evaluation_against,
    materials_of,
)
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.splits import SEARCHING, spread_of, stream


def test_a_subset_of_constant_topics_has_no_correlation_with_others() -> None:
    rng = np.random.default_rng(6)
    scores = rng.random((4, 5))
    scores[0] = 0.3
    # The reference is 1e6 times as large: the rounding tolerance depends on the topics that subsets are of.
    evaluating = evaluation_against(scores, 1e6 * rng.random((4, 5)), "pearson")
    assert evaluating.value((0,)) is None
    assert evaluating.value((1,)) is not None
    assert (evaluating.walk(np.array([[0, 1, 2, 3]]), np.array([1])) < -8).all()


def test_the_rounding_tolerance_depends_on_the_topics_of_the_subsets() -> None:
    rng = np.random.default_rng(8)
    scores, reference = rng.random((4, 5)), rng.random((2, 5))
    scores[0] *= 1e-3
    reference[1] = (
        1e-5 * reference[1] - reference[0]
    )  # what rounds sums of these is 1e10 times as large, next to their total
    assert evaluation_against(scores, reference, "pearson").value((0,)) is not None


@pytest.mark.parametrize("off", [-1e-13, 1e-13])
def test_values_that_differ_by_rounding_tie(off: float) -> None:
    assert percentile_of(0.5, np.full(4, 0.5 + off), exact=True) == (50.0, 0.0)


def test_a_place_is_among_the_subsets_that_have_a_correlation() -> None:
    scores = np.array([[1.0, 1, 1], [0, 1, 2], [3, 1, 3]])
    place = placed(criterion_of(scores, "pearson"), (1,), 10, 1, 1)
    assert place.n_compared == 2
    assert place.n_undefined == 1
    # r is .33 for topic 1 and .94 for topic 2: the first of two, which ties with itself.
    assert place.percentile == 25.0


def test_each_size_has_its_own_random_numbers() -> None:
    drawn = {stream(1, "runs", 0, SEARCHING, size).integers(2**62) for size in range(5)}
    assert len(drawn) == 5


def test_four_topics_can_be_halved() -> None:
    matrix = matrix_of(np.random.default_rng(7).random((4, 3)))
    assert materials_of(matrix, HeldOutRequest(hold_out="topics", goodness="pearson"))[1] == ""


def test_the_error_is_of_the_splits_that_have_a_value() -> None:
    spread = spread_of(np.array([1.0, 2.0, 3.0, np.nan, np.nan]))
    assert spread is not None
    assert spread.standard_error == pytest.approx(1 / 3**0.5, rel=1e-15)  # standard deviation 1 of 3 values
