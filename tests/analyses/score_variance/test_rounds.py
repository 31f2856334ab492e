"""Rounds of a task against the variances of their parts."""

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.variance.matrices import of
from topicset_core.analyses.score_variance.uncertainty import rounds, variance_uncertainty
from topicset_core.analyses.sizing import TopicsRule, topics_rule
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.variance import ONE_WAY, TWO_WAY, one_way, pooled

ANOVA = topics_rule("anova", alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)
RNG = np.random.default_rng(6)
TASK = (of(RNG.random((30, 8))), of(RNG.random((50, 3)) ** 2), of(RNG.random((25, 12)) / 2))


@pytest.mark.parametrize("weights", ["topics", "degrees-of-freedom"])
@pytest.mark.parametrize("estimate", [ONE_WAY, TWO_WAY], ids=["one-way", "two-way"])
def test_each_round_is_its_own_and_its_pool_that_of_all_so_far(weights: str, estimate: object) -> None:
    settings = {"estimate": estimate, "weights": weights}
    result = rounds(TASK, ANOVA, **settings)  # type: ignore[arg-type]
    assert len(result) == 3
    for place, (one, matrix) in enumerate(zip(result, TASK, strict=True)):
        assert (one.n_topics, one.n_systems) == (matrix.n_topics, matrix.n_systems)
        so_far = TASK[: place + 1]
        assert one.own.variance == pytest.approx(estimate(matrix), rel=1e-15)  # type: ignore[operator]
        assert one.so_far.variance == pooled(so_far, estimate, weights)  # type: ignore[arg-type]
        # Value for value what all matrices so far give when they are requested together.
        alone = variance_uncertainty(so_far, ANOVA, **settings)  # type: ignore[arg-type]
        assert one.so_far == alone
    assert result[0].own == result[0].so_far


def test_order_is_that_of_the_rounds() -> None:
    forwards, backwards = rounds(TASK, ANOVA), rounds(TASK[::-1], ANOVA)
    assert [one.own.variance for one in forwards] == [one.own.variance for one in backwards[::-1]]
    assert forwards[0].so_far.variance == one_way(TASK[0])
    assert backwards[0].so_far.variance == one_way(TASK[2])
    assert forwards[-1].so_far.variance == pytest.approx(backwards[-1].so_far.variance, rel=1e-14)


@pytest.mark.parametrize(
    ("matrices", "rule", "more", "parameter"),
    [
        pytest.param((), ANOVA, {}, "matrices", id="no matrix"),
        pytest.param((TASK[0], of(RNG.random((5, 2)), measure="RR")), ANOVA, {}, "matrices", id="measures"),
        pytest.param(
            TASK, topics_rule("paired-t", alpha=0.05, beta=0.2, min_d=0.1), {}, "estimate", id="estimate"
        ),
        pytest.param(TASK, ANOVA, {"level": 90}, "level", id="level"),
    ],
)
def test_invalid_input_is_refused(
    matrices: tuple[ScoreMatrix, ...],
    rule: TopicsRule,
    more: dict[str, float],
    parameter: str,
    golden: SnapshotAssertion,
) -> None:
    with pytest.raises(InputError) as caught:
        rounds(matrices, rule, **more)  # type: ignore[arg-type]
    assert caught.value.parameter == parameter
    assert str(caught.value) == golden
