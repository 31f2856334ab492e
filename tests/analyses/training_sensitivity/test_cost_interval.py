"""Uncertainty of costs of designs over judgment samples: by hand, against the delta method, in the sentence."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.words import numbers_in
from topicset_core.analyses.training_sensitivity.designs import (
    CompletenessDesign,
    cheapest,
    cheapest_sentence,
    cost_factor,
    plannable,
)
from topicset_core.analyses.training_sensitivity.report import designs_table

WHOLE = CompletenessDesign(
    level=100.0,
    measure="AP",
    judged_per_topic=100.0,
    relevant_per_topic=30.0,
    lost_share=0.0,
    within_system_variance=0.05,
    slope=1.0,
    required_topics=50,
    required_topics_same_systems=50,
)
SPARSE = replace(
    WHOLE,
    level=10.0,
    judged_per_topic=10.0,
    relevant_per_topic=3.0,
    required_topics_same_systems=200,
    cost_factor=2.0,
)


def test_the_factor_of_two_samples_by_hand() -> None:
    """Leaving one out leaves the other: logs 0 and 2, standard error 1; t(.975, 1 df) is 12.7062 (tables)."""
    variances, parts = np.array([1.0, math.exp(2)]), np.ones((2, 2))
    factor = cost_factor(variances, parts)
    assert factor is not None
    assert math.log(factor) == pytest.approx(12.7062, abs=5e-5)  # as many digits as the table has
    # A slope counts twice: those of exp(1) and 1 are as far apart as these variances.
    by_slope = cost_factor(np.ones(2), np.array([[math.e, 1.0], [1.0, 1.0]]))
    assert by_slope == pytest.approx(factor, rel=1e-12)
    assert cost_factor(np.ones(3), np.ones((3, 2))) == 1.0


def test_the_factor_against_the_delta_method() -> None:
    """Of -2 log(mean slope) the error is about 2 s / (mean sqrt(n)); t(.975, 99 df) is 1.98422 (tables)."""
    covariances = np.random.default_rng(3).normal(1.0, 0.1, 100)
    factor = cost_factor(np.full(100, 0.2), np.column_stack([covariances, np.ones(100)]))
    assert factor is not None
    error = 2 * covariances.std(ddof=1) / (covariances.mean() * 10)
    # The next term is of the order of (s / mean)^2 / n = 1e-4, relative.
    assert math.log(factor) / 1.98422 == pytest.approx(error, rel=1e-3)


def test_a_sample_without_variance_is_left_out() -> None:
    variances = np.array([1.0, np.nan, 3.0, 2.0])
    parts = np.array([[1.0, 2.0], [0.0, 0.0], [2.0, 2.0], [2.0, 3.0]])
    there = [0, 2, 3]
    assert cost_factor(variances, parts) == cost_factor(variances[there], parts[there])


@pytest.mark.parametrize(
    ("variances", "covariances"),
    [
        ((1.0,), (1.0,)),
        ((1.0, math.nan), (1.0, 0.0)),
        ((1.0, 2.0), (1.0, -0.5)),  # the second alone has a slope below 0
        ((0.0, 2.0), (1.0, 1.0)),  # and the first alone no variance
    ],
)
def test_too_few_samples_give_no_interval(
    variances: tuple[float, ...], covariances: tuple[float, ...]
) -> None:
    parts = np.column_stack([covariances, np.ones(len(covariances))])
    assert cost_factor(np.array(variances), parts) is None


def test_likely_judgments_are_within_a_factor_on_both_sides() -> None:
    assert SPARSE.total_judgments == 2_000
    assert SPARSE.likely_judgments == (1_000, 4_000)
    assert WHOLE.likely_judgments is None
    assert replace(SPARSE, cost_factor=1001.0).likely_judgments is None
    assert replace(SPARSE, required_topics_same_systems=None).likely_judgments is None
    table = designs_table([SPARSE, WHOLE])
    assert (table["judgments, low"], table["judgments, high"]) == ([1_000, None], [4_000, None])


@pytest.mark.parametrize(
    ("changed", "is_named"),
    [
        pytest.param({}, True, id="surely"),
        pytest.param(
            {"required_topics_same_systems": 300}, False, id="perhaps"
        ),  # up to 6,000 of whole 5,000
        pytest.param({"cost_factor": None}, False, id="unknown"),
        pytest.param({"cost_factor": 2.1}, False, id="uncertain"),
        pytest.param({"judged_per_topic": 9.9}, False, id="few judged"),
        pytest.param({"relevant_per_topic": 2.9}, False, id="few relevant"),
    ],
)
def test_a_level_is_the_cheapest_only_beyond_uncertainty(
    changed: dict[str, Any], is_named: bool, golden: SnapshotAssertion
) -> None:
    designs = [replace(SPARSE, **changed), WHOLE]
    assert cheapest(designs, "AP") is designs[0 if is_named else 1]
    sentence = cheapest_sentence(designs, "AP", 0.1)
    assert numbers_in(sentence).count(95) == is_named
    assert sentence == golden


def test_neighbours_that_contradict_a_level_leave_it_out() -> None:
    """1,000 to 4,000 judgments at 10 %; the next levels overlap, or cost at most twice as much, or do neither."""
    near = replace(SPARSE, level=20.0, judged_per_topic=20.0, relevant_per_topic=6.0, cost_factor=1.1)
    for topics, cost_agrees in (
        (190, True),
        (220, False),
    ):  # 3,800 (from 3,455) and 4,400 (from 4,000) judgments
        neighbour = replace(near, required_topics_same_systems=topics)
        assert (
            SPARSE.agrees_with(neighbour) == neighbour.agrees_with(SPARSE) == (cost_agrees or topics == 220)
        )
    far = replace(near, required_topics_same_systems=230)  # 4,600, from 4,182 on
    assert not SPARSE.agrees_with(far)
    assert cheapest([SPARSE, far, WHOLE], "AP") is WHOLE
    # Without enough documents a neighbour has no effect.
    few = replace(far, level=5.0, relevant_per_topic=1.0)
    assert cheapest([few, SPARSE, WHOLE], "AP") is SPARSE
    assert plannable([few, SPARSE, WHOLE], "AP") == (SPARSE, WHOLE)
    assert not SPARSE.agrees_with(replace(near, required_topics_same_systems=None))
