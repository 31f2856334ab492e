"""How sure costs of designs are, over samples of judgments: by hand, against the delta method, in the sentence."""

import math
from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.words import numbers_in
from topicset_core.analyses.training_sensitivity import CompletenessDesign, cheapest_sentence
from topicset_core.analyses.training_sensitivity.designs import cost_factor
from topicset_core.analyses.training_sensitivity.report import designs_table

WHOLE = CompletenessDesign(
    level=100.0,
    measure="AP",
    judged_per_topic=100.0,
    lost_share=0.0,
    within_system_variance=0.05,
    slope=1.0,
    required_topics=50,
    required_topics_same_systems=50,
)
SPARSE = replace(WHOLE, level=10.0, judged_per_topic=10.0, required_topics_same_systems=200, cost_factor=2.0)


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
def test_too_little_says_nothing(variances: tuple[float, ...], covariances: tuple[float, ...]) -> None:
    parts = np.column_stack([covariances, np.ones(len(covariances))])
    assert cost_factor(np.array(variances), parts) is None


def test_likely_judgments_are_within_a_factor_either_way() -> None:
    assert SPARSE.total_judgments == 2_000
    assert SPARSE.likely_judgments == (1_000, 4_000)
    assert WHOLE.likely_judgments is None
    assert replace(SPARSE, cost_factor=1001.0).likely_judgments is None
    assert replace(SPARSE, required_topics_same_systems=None).likely_judgments is None
    table = designs_table([SPARSE, WHOLE])
    assert (table["judgments, low"], table["judgments, high"]) == ([1_000, None], [4_000, None])


@pytest.mark.parametrize(
    ("factor", "interval"),
    [
        pytest.param(2.0, [95, 1_000, 4_000], id="surely"),
        pytest.param(2.5, [95, 800, 5_000], id="perhaps"),  # 5,000, as whole pools
        pytest.param(None, [], id="unknown"),
    ],
)
def test_whether_the_cheapest_is_surely_cheaper_is_said(
    factor: float | None, interval: list[float], golden: SnapshotAssertion
) -> None:
    sentence = cheapest_sentence([replace(SPARSE, cost_factor=factor), WHOLE], "AP", 0.1)
    found = numbers_in(sentence)
    assert found[-3:] == [50, 100, 5_000]  # topics, documents each and judgments in all of whole pools
    assert found[-3 - len(interval) : -3] == interval
    assert (95 in found) == bool(interval)
    assert sentence == golden
