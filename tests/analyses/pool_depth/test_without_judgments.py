"""Runs without judgments: pools are counted, the variance is from elsewhere."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.pool_depth.small_runs import run
from topicset_core.analyses.pool_depth import pool_of, study_before_judging
from topicset_core.analyses.sizing import topics_rule
from topicset_core.errors import InputError

ANOVA = topics_rule("anova", alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)
RUNS = [run("one", {"1": "abcd", "2": "ab"}), run("two", {"1": "badx", "3": "xyz"})]


def test_pools_are_counted_by_hand() -> None:
    study = study_before_judging(RUNS, [4, 1, 2, 4], ANOVA, within_system_variance=0.0471, measure="AP")
    result = study.designs
    # Topic 1: ab, ab, abcd and x below; topic 2: a, ab, no more; topic 3: x, xy, xyz.
    assert [(one.pool_depth, one.pooled_per_topic) for one in result] == [
        (1, (2 + 1 + 1) / 3),
        (2, (2 + 2 + 2) / 3),
        (4, (5 + 2 + 3) / 3),
    ]
    # sigma^2 .0471 asks for 149 topics, tests/reference/sizes_interval_and_anova.csv.
    assert [one.total_judgments for one in result] == [149 * 1, 149 * 2, 149 * 3]
    assert {(one.measure, one.within_system_variance, one.required_topics) for one in result} == {
        ("AP", 0.0471, 149)
    }
    assert (study.judged, study.n_topics) == (None, 3)
    for name in ("judged_per_topic", "judged_share", "full_pool_per_topic", "kendall_tau", "relevant_known"):
        assert {getattr(one, name) for one in result} == {None}


def test_a_design_on_differences_takes_twice_the_variance() -> None:
    rule = topics_rule("paired-t", alpha=0.05, beta=0.20, min_d=0.10)
    (result,) = study_before_judging(RUNS, [1], rule, within_system_variance=0.0471, measure="AP").designs
    assert result.within_system_variance == 0.0471
    assert result.required_topics == 76  # s_d^2 .0942: tests/reference/sizes_paired_t.csv


def test_no_runs_and_no_depth_are_refused(golden: SnapshotAssertion) -> None:
    with pytest.raises(InputError) as caught:
        study_before_judging([], [1], ANOVA, within_system_variance=0.05, measure="AP")
    assert str(caught.value) == golden
    with pytest.raises(InputError, match="depths"):
        study_before_judging(RUNS, [0, 1], ANOVA, within_system_variance=0.05, measure="AP")


def test_without_depths_pools_are_counted_as_deep_as_the_runs_are() -> None:
    assert pool_of(RUNS).deepest == 4
    assert pool_of(RUNS, [2, 1]).deepest == 2
    result = study_before_judging(RUNS, None, ANOVA, within_system_variance=0.05, measure="AP")
    assert result.depths == (3, 4)
