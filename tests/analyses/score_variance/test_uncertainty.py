"""Variances with their intervals, carried to topics, round after round and after a preparation; means of runs."""

import time

import numpy as np
import pytest
from scipy import stats
from syrupy.assertion import SnapshotAssertion

from tests.refusals import refused
from tests.variance.matrices import of
from tests.words import numbers_in
from topicset_core.analyses.score_variance.report import run_means
from topicset_core.analyses.score_variance.uncertainty import preparation_effect, rounds, variance_uncertainty
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import Plan, one_way_anova, paired_t, two_sample_t
from topicset_core.errors import InputError
from topicset_core.preparation import Steps, prepare
from topicset_core.samples import simulated_task
from topicset_core.variance import (
    ESTIMATES,
    MEAN_PAIR_DIFFERENCE,
    ONE_WAY,
    PAIR_PERCENTILE,
    TWO_WAY,
    one_way,
    pooled,
    pooled_interval,
)
from topicset_core.variance.choices import chosen_pair

ANOVA = one_way_anova.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)
PAIRED = paired_t.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.10)
MATRIX = of(np.random.default_rng(4).random((30, 6)))


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
@pytest.mark.parametrize("plan", [ANOVA, two_sample_t.DESIGN.plan(alpha=0.01, beta=0.1, min_d=0.05)])
def test_the_topics_interval_is_at_the_ends_of_the_variances(plan: Plan, level: float) -> None:
    result = variance_uncertainty([MATRIX], plan, level=level)
    interval = pooled_interval([MATRIX], level=level)
    assert result.interval == interval
    assert result.topics_interval == tuple(
        int(plan.topics(variance=one)) for one in (interval.low, interval.high)
    )
    assert numbers_in(result.sentence)[:4] == [result.topics, 100 * level, *result.topics_interval]


def test_every_estimate_is_passed_to_its_design() -> None:
    for estimate in (*ESTIMATES, chosen_pair("s0", "s1")):
        right, wrong = (PAIRED, ANOVA) if estimate.kind == "difference" else (ANOVA, PAIRED)
        result = variance_uncertainty([MATRIX], right, estimate=estimate)
        assert result.variance == pytest.approx(estimate(MATRIX), rel=1e-15)
        assert result.topics == right.topics_of(estimate(MATRIX))
        assert result.interval == pooled_interval([MATRIX], estimate)
        error = refused(variance_uncertainty, [MATRIX], wrong, estimate=estimate)
        assert (error.parameter, error.value) == ("estimate", estimate.name)


def test_variances_without_topics_are_said_so(golden: SnapshotAssertion) -> None:
    huge = variance_uncertainty([of(MATRIX.scores * 1e5)], ANOVA)
    assert (huge.topics, huge.topics_interval) == (None, (None, None))
    assert numbers_in(huge.sentence)[:4] == [1e7, 90, 1e7, 1e7]
    flat = variance_uncertainty([of(np.ones((30, 3)) * [0.1, 0.5, 0.9])], ANOVA)
    assert (flat.variance, flat.topics) == (0, None)
    assert [huge.sentence, flat.sentence] == golden


def test_one_run_is_refused_where_two_are_needed() -> None:
    single = of(MATRIX.scores[:, :1])
    assert variance_uncertainty([single], ANOVA).topics is not None
    for plan, estimate in ((PAIRED, MEAN_PAIR_DIFFERENCE), (PAIRED, PAIR_PERCENTILE), (ANOVA, TWO_WAY)):
        error = refused(variance_uncertainty, [single], plan, estimate=estimate)
        assert (error.parameter, error.value) == ("systems", 1)
        assert 2 in numbers_in(error.rule)


def test_a_large_matrix_does_not_hang() -> None:
    rng = np.random.default_rng(1)
    large = of(rng.random((1000, 110)))
    variance_uncertainty([large], ANOVA)  # loads late imports of the design
    for plan, estimate in ((ANOVA, ONE_WAY), (ANOVA, TWO_WAY), (PAIRED, PAIR_PERCENTILE)):
        before = time.process_time()
        variance_uncertainty([large], plan, estimate=estimate)
        assert time.process_time() - before < 10  # some 0.01 s when measured, 0.3 s for 5,995 pairs


RNG = np.random.default_rng(6)
TASK = (of(RNG.random((30, 8))), of(RNG.random((50, 3)) ** 2), of(RNG.random((25, 12)) / 2))


def test_each_round_is_its_own_and_its_pool_that_of_all_so_far() -> None:
    result = rounds(TASK, ANOVA)
    assert len(result) == 3
    for place, (one, matrix) in enumerate(zip(result, TASK, strict=True)):
        assert (one.n_topics, one.n_systems) == (matrix.n_topics, matrix.n_systems)
        so_far = TASK[: place + 1]
        assert one.own.variance == pytest.approx(one_way(matrix), rel=1e-15)
        assert one.so_far.variance == pooled(so_far)
        # Value for value what all matrices so far give when they are requested together.
        assert one.so_far == variance_uncertainty(so_far, ANOVA)
    assert result[0].own == result[0].so_far


def test_order_is_that_of_the_rounds() -> None:
    forwards, backwards = rounds(TASK, ANOVA), rounds(TASK[::-1], ANOVA)
    assert [one.own.variance for one in forwards] == [one.own.variance for one in backwards[::-1]]
    assert forwards[0].so_far.variance == one_way(TASK[0])
    assert backwards[0].so_far.variance == one_way(TASK[2])
    assert forwards[-1].so_far.variance == pytest.approx(backwards[-1].so_far.variance, rel=1e-14)


@pytest.mark.parametrize(
    ("matrices", "plan", "level", "parameter"),
    [
        ((), ANOVA, 0.9, "matrices"),
        ((TASK[0], of(RNG.random((5, 2)), measure="RR")), ANOVA, 0.9, "matrices"),
        (TASK, PAIRED, 0.9, "estimate"),
        (TASK, ANOVA, 90, "level"),
    ],
)
def test_invalid_input_is_refused(
    matrices: tuple[ScoreMatrix, ...], plan: Plan, level: float, parameter: str
) -> None:
    assert refused(variance_uncertainty, matrices, plan, level=level).parameter == parameter


@pytest.mark.parametrize("level", [0.90, 0.95, 0.999])
def test_intervals_against_scipy_ttest_1samp(level: float) -> None:
    matrix = of(np.random.default_rng(6).random((50, 20)))
    result = run_means(matrix, level)
    assert result.n_topics == 50
    assert sorted(result.systems) == sorted(matrix.systems)
    assert np.all(np.diff(result.means) <= 0)
    for place in (0, 7, 19):
        scores = matrix.scores[:, matrix.systems.index(result.systems[place])]
        expected = stats.ttest_1samp(scores, 0.0).confidence_interval(level)
        ours = (result.lower[place], result.upper[place])
        # Two implementations of the same t quantile agree to about 12 digits.
        assert ours == pytest.approx((expected.low, expected.high), rel=1e-10)
        assert result.standard_deviations[place] == pytest.approx(scores.std(ddof=1), rel=1e-12)


def test_intervals_of_shares_against_scipy() -> None:
    """Of scores of 0 and 1 Wilson's, which has a width where all are 1; by groups the t interval stays."""
    matrix = of([[1, 0]] * 7 + [[1, 1]] * 3)
    result = run_means(matrix, 0.9)
    for place, right in enumerate((10, 3)):
        expected = stats.binomtest(right, 10).proportion_ci(0.9, "wilson")
        assert (result.lower[place], result.upper[place]) == pytest.approx((expected.low, expected.high))
    assert result.best == "1.000 (0.787 to 1.000), s0"  # z^2 = 2.7055: 10 / 12.7055
    grouped = run_means(matrix.grouped(dict(zip(matrix.topics, "aaaaabbbbb", strict=True))))
    assert grouped.lower[0] == grouped.upper[0] == 1


def test_equal_means_keep_their_order() -> None:
    matrix = of([[0.25, 0.375, 0.5], [0.75, 0.625, 1.0]])  # halves and eighths: means are exact
    assert run_means(matrix).systems == ("s2", "s0", "s1")


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_outside_0_to_1_is_refused(level: float) -> None:
    matrix = of([[0.2], [0.4]])
    with pytest.raises(InputError, match="level"):
        run_means(matrix, level)


def _required(variance: float) -> int:
    requirements = ANOVA.with_(within_system_variance=variance).requirements
    return one_way_anova.required_topics(requirements).required_topics


@pytest.mark.parametrize("changes_scale", [False, True])
def test_variances_and_topics_against_the_design_alone(
    changes_scale: bool, golden: SnapshotAssertion
) -> None:
    raw = simulated_task()[0]
    prepared = prepare(raw, Steps(worst_fraction=0.25)).matrix
    effect = preparation_effect(raw, prepared, changes_scale=changes_scale)
    assert (effect.systems_before, effect.systems_after) == (20, 15)
    assert (effect.topics_before, effect.topics_after) == (50, 50)
    assert (effect.variance_before, effect.variance_after) == (one_way(raw), one_way(prepared))
    assert effect.required_before == _required(one_way(raw))
    # On another scale numbers of topics do not compare.
    assert effect.required_after == (None if changes_scale else _required(one_way(prepared)))
    assert effect.sentence == golden


def test_no_variance_gives_no_number(golden: SnapshotAssertion) -> None:
    flat, other = of([[0.5], [0.5]]), of([[0.4], [0.5]])
    effect = preparation_effect(flat, other, changes_scale=False)
    assert effect.required_before is None
    assert effect.required_after == _required(0.005)  # (0.1)^2 / 2
    assert effect.sentence == golden
