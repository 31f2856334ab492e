"""A variance with its interval, carried to topics: against notes, a plain bootstrap and the design."""

import time

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.robust_new_topics import trec03new, trec04new
from tests.variance.matrices import HALF_8TH, of
from tests.words import numbers_in
from topicset_core.analyses.score_variance.uncertainty import variance_uncertainty
from topicset_core.analyses.sizing import TopicsRule, topics_of_variances, topics_rule
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.variance import (
    CONSERVATIVE_DIFFERENCE,
    ESTIMATES,
    MEAN_PAIR_DIFFERENCE,
    ONE_WAY,
    PAIR_PERCENTILE,
    TWO_WAY,
    chosen_pair,
    resampled_variances,
)

ANOVA = topics_rule("anova", alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)
PAIRED = topics_rule("paired-t", alpha=0.05, beta=0.20, min_d=0.10)
MATRIX = of(np.random.default_rng(4).random((30, 6)))


@pytest.fixture(scope="module")
def robust() -> tuple[ScoreMatrix, ScoreMatrix]:
    return trec03new(), trec04new()


@pytest.mark.reference_data
def test_trec_robust_against_notes(robust: tuple[ScoreMatrix, ScoreMatrix]) -> None:
    one = variance_uncertainty(robust, ANOVA)
    assert one.variance == pytest.approx(0.04709987, abs=HALF_8TH)  # notes, 8.1
    assert one.topics == 149  # notes, 0.1: exact at .0471, m = 10
    assert variance_uncertainty(robust, ANOVA, estimate=TWO_WAY).variance == pytest.approx(
        0.01285204, abs=HALF_8TH
    )
    paired = variance_uncertainty(robust, PAIRED, estimate=CONSERVATIVE_DIFFERENCE)
    assert paired.topics == 76  # notes, 5.3 and section 6: t at .0471
    interval = topics_rule("ci", alpha=0.05, max_width=0.10)
    width = variance_uncertainty(robust, interval, estimate=CONSERVATIVE_DIFFERENCE)
    assert width.topics == 147  # notes, section 6, CI column


@pytest.mark.reference_data
def test_trec_robust_against_a_plain_bootstrap(robust: tuple[ScoreMatrix, ScoreMatrix]) -> None:
    """Other draws, a loop, no shared code: ends agree within 4 standard errors of both."""
    rng = np.random.default_rng(12345)
    values = []
    for _ in range(2000):
        sums = 0.0
        for matrix in robust:
            n = matrix.n_topics
            drawn = matrix.scores[rng.integers(n, size=n)]
            sums += (n - 1) * np.var(drawn, axis=0, ddof=1).mean() * n / (n - 1)
        values.append(sums / (49 + 48))
    result = variance_uncertainty(robust, ANOVA)
    interval = result.interval
    low, high = np.quantile(values, [0.05, 0.95])
    assert interval.low == pytest.approx(low, abs=4 * 2**0.5 * interval.low_standard_error)
    assert interval.high == pytest.approx(high, abs=4 * 2**0.5 * interval.high_standard_error)
    # The standard deviation of 2,000 nearly normal values has an error of 1.6 %; twice, and 4 of them.
    assert result.standard_error == pytest.approx(np.std(values), rel=0.09)
    assert numbers_in(result.sentence)[:2] == [149, 90]  # topics, per cent of the resamples


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
@pytest.mark.parametrize("rule", [ANOVA, topics_rule("two-sample-t", alpha=0.01, beta=0.1, min_d=0.05)])
def test_the_topics_interval_is_at_the_ends_of_the_variances(rule: TopicsRule, level: float) -> None:
    result = variance_uncertainty([MATRIX], rule, level=level, n_trials=700, seed=1)
    ends = np.array([result.interval.low, result.interval.high])
    low, high = topics_of_variances(rule, ends).topics.tolist()
    assert result.topics_interval == (low, high)
    topics = result.resampled_topics.topics
    inside = (topics >= low) & (topics <= high)
    assert inside.mean() >= level


def test_every_estimate_is_passed_to_its_design() -> None:
    for estimate in (*ESTIMATES, chosen_pair("s0", "s1")):
        right, wrong = (PAIRED, ANOVA) if estimate.kind == "difference" else (ANOVA, PAIRED)
        result = variance_uncertainty([MATRIX], right, estimate=estimate, n_trials=50)
        assert result.variance == pytest.approx(estimate(MATRIX), rel=1e-15)
        assert result.topics == topics_of_variances(right, np.array([estimate(MATRIX)])).topics[0]
        assert result.resampled_topics.n_resamples == 50
        assert result.estimate.advice in ("", *result.remarks)
        with pytest.raises(InputError) as caught:
            variance_uncertainty([MATRIX], wrong, estimate=estimate, n_trials=50)
        assert (caught.value.parameter, caught.value.value) == ("estimate", estimate.name)


def test_the_same_seed_gives_the_same_answer() -> None:
    first, again = (variance_uncertainty([MATRIX], ANOVA, n_trials=300, seed=9) for _ in range(2))
    other = variance_uncertainty([MATRIX], ANOVA, n_trials=300, seed=10)
    assert np.array_equal(first.resampled_variances, again.resampled_variances)
    assert not np.array_equal(first.resampled_variances, other.resampled_variances)
    assert (first.seed, first.n_trials, first.sentence) == (9, 300, again.sentence)


def test_resamples_without_variance_are_reported(golden: SnapshotAssertion) -> None:
    """Two topics: half of all resamples draw one of them twice."""
    result = variance_uncertainty([of([[0.1, 0.3], [0.6, 0.2]])], ANOVA, n_trials=1000)
    answers = result.resampled_topics
    # Binomial(1000, 1/2): standard deviation 16.
    assert abs(answers.n_without_variance - 500) < 64
    assert answers.n_without_variance + answers.topics.size == 1000
    assert result.topics_interval[0] is None
    assert numbers_in(result.sentence)[-2:] == [answers.n_without_variance, 1000]
    assert [result.sentence, result.remarks] == golden


def test_resamples_beyond_the_search_are_reported(golden: SnapshotAssertion) -> None:
    huge = variance_uncertainty([of(MATRIX.scores * 1e5)], ANOVA, n_trials=20)
    assert huge.topics is None
    assert huge.topics_interval == (None, None)
    assert numbers_in(huge.sentence) == [1e7, 90, 1e7, 1e7, 20, 20]
    assert huge.sentence == golden


def test_zero_variance_is_an_answer(golden: SnapshotAssertion) -> None:
    flat = variance_uncertainty([of(np.ones((30, 3)) * [0.1, 0.5, 0.9])], ANOVA, n_trials=20)
    assert (flat.variance, flat.topics) == (0, None)
    assert numbers_in(flat.sentence) == [90, 20, 20]
    assert flat.sentence == golden


def test_one_run_is_answered_with_a_warning_and_refused_where_two_are_needed(
    golden: SnapshotAssertion,
) -> None:
    single = of(MATRIX.scores[:, :1])
    result = variance_uncertainty([single], ANOVA, n_trials=50)
    assert result.remarks == golden
    for rule, estimate in ((PAIRED, MEAN_PAIR_DIFFERENCE), (PAIRED, PAIR_PERCENTILE), (ANOVA, TWO_WAY)):
        with pytest.raises(InputError) as caught:
            variance_uncertainty([single], rule, estimate=estimate, n_trials=50)
        assert (caught.value.parameter, caught.value.value) == ("systems", 1)
        assert 2 in numbers_in(caught.value.rule)


def test_two_thousand_resamples_of_a_large_matrix_do_not_hang() -> None:
    rng = np.random.default_rng(1)
    large = of(rng.random((249, 110)))
    variance_uncertainty([large], ANOVA, n_trials=1)  # loads late imports of the design
    for estimate in (ONE_WAY, TWO_WAY):
        before = time.process_time()
        variance_uncertainty([large], ANOVA, estimate=estimate, n_trials=2000)
        assert time.process_time() - before < 10  # some 0.05 s when measured


def test_earlier_resamples_are_reused() -> None:
    drawn = resampled_variances([MATRIX], ONE_WAY, n_trials=200, seed=7)
    anew = variance_uncertainty([MATRIX], ANOVA, n_trials=200, seed=7)
    again = variance_uncertainty([MATRIX], ANOVA, seed=7, drawn=drawn)
    assert again.interval == anew.interval
    assert again.sentence == anew.sentence
    assert again.n_trials == 200
