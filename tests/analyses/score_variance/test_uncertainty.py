"""A variance with its interval, carried to topics: against notes and the design."""

import time

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.robust_new_topics import trec03new, trec04new
from tests.variance.matrices import HALF_8TH, of
from tests.words import numbers_in
from topicset_core.analyses.score_variance.uncertainty import variance_uncertainty
from topicset_core.analyses.sizing import TopicsRule, topics_of, topics_rule
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
    pooled_interval,
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


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
@pytest.mark.parametrize("rule", [ANOVA, topics_rule("two-sample-t", alpha=0.01, beta=0.1, min_d=0.05)])
def test_the_topics_interval_is_at_the_ends_of_the_variances(rule: TopicsRule, level: float) -> None:
    result = variance_uncertainty([MATRIX], rule, level=level)
    interval = pooled_interval([MATRIX], level=level)
    assert result.interval == interval
    assert result.topics_interval == tuple(int(rule.topics(one)) for one in (interval.low, interval.high))
    assert numbers_in(result.sentence)[:4] == [result.topics, 100 * level, *result.topics_interval]


def test_every_estimate_is_passed_to_its_design() -> None:
    for estimate in (*ESTIMATES, chosen_pair("s0", "s1")):
        right, wrong = (PAIRED, ANOVA) if estimate.kind == "difference" else (ANOVA, PAIRED)
        result = variance_uncertainty([MATRIX], right, estimate=estimate)
        assert result.variance == pytest.approx(estimate(MATRIX), rel=1e-15)
        assert result.topics == topics_of(right, estimate(MATRIX))
        assert result.interval == pooled_interval([MATRIX], estimate)
        with pytest.raises(InputError) as caught:
            variance_uncertainty([MATRIX], wrong, estimate=estimate)
        assert (caught.value.parameter, caught.value.value) == ("estimate", estimate.name)


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
    for rule, estimate in ((PAIRED, MEAN_PAIR_DIFFERENCE), (PAIRED, PAIR_PERCENTILE), (ANOVA, TWO_WAY)):
        with pytest.raises(InputError) as caught:
            variance_uncertainty([single], rule, estimate=estimate)
        assert (caught.value.parameter, caught.value.value) == ("systems", 1)
        assert 2 in numbers_in(caught.value.rule)


def test_a_large_matrix_does_not_hang() -> None:
    rng = np.random.default_rng(1)
    large = of(rng.random((1000, 110)))
    variance_uncertainty([large], ANOVA)  # loads late imports of the design
    for rule, estimate in ((ANOVA, ONE_WAY), (ANOVA, TWO_WAY), (PAIRED, PAIR_PERCENTILE)):
        before = time.process_time()
        variance_uncertainty([large], rule, estimate=estimate)
        assert time.process_time() - before < 10  # some 0.01 s when measured, 0.3 s for 5,995 pairs
