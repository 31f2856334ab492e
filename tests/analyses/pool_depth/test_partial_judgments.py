"""Judgments of a part of the pools, of the pools of more runs than the given ones, and none.

Worked by hand on two runs: topic 1 ranks a b c d e and a x y z w, topic 2 f g h i j and g f k l m.
Pools of depth 1, 2, 3, 5 have 1, 3, 5, 9 documents for topic 1 and 2, 2, 4, 8 for topic 2.
"""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.pool_depth.small_runs import judged, run, runs_of, study
from tests.refusals import refused
from tests.words import numbers_in
from topicset_core.analyses.pool_depth import Request, depth_study, study_before_judging
from topicset_core.analyses.pool_depth.designs import Budget, choose
from topicset_core.analyses.pool_depth.report import Answer, report
from topicset_core.analyses.pool_depth.request import Asked
from topicset_core.analyses.pool_depth.study import pool_of
from topicset_core.designs import one_way_anova, paired_t
from topicset_core.errors import InputError
from topicset_core.exports.findings import texts
from topicset_core.measures.binary import AP

RULE = one_way_anova.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.10, n_systems=2)
ASKED = Asked(measures=("AP",), design=RULE.design.name, planned=RULE.given)
RUNS = {"one": {"1": "abcde", "2": "fghij"}, "two": {"1": "axyzw", "2": "gfklm"}}
POOLED = {1: 3 / 2, 2: 5 / 2, 3: 9 / 2, 5: 17 / 2}
# Judged to depth 2: a b x; f g. Nothing else.
SHALLOW = {"1": {"a": 1, "b": 0, "x": 0}, "2": {"f": 1, "g": 0}}
# The same with four documents that no run has.
MORE = {"1": {**SHALLOW["1"], "q": 1, "r": 0}, "2": {**SHALLOW["2"], "s": 0, "t": 1}}


def test_cost_counts_the_pool_whether_judged_or_not() -> None:
    result = study([judged(RUNS, SHALLOW)], [AP()], RULE, depths=[1, 2, 3, 5])
    assert {one.pool_depth: one.pooled_per_topic for one in result.designs} == POOLED
    assert [one.judged_per_topic for one in result.designs] == [3 / 2, 5 / 2, 5 / 2, 5 / 2]
    assert [one.judged_share for one in result.designs] == pytest.approx([1, 1, 5 / 9, 5 / 17], abs=1e-15)
    # Documents per topic are rounded up from a half.
    assert [(one.total_judgments or 0) / (one.required_topics or 1) for one in result.designs] == [2, 3, 5, 9]
    assert (result.n_judgments, result.n_unexplained, result.full_pool_factor) == (5, 0, None)
    choice = choose(result.designs)
    assert [one.pool_depth for one in choice.recommended] == [1, 2]


def test_judgments_of_documents_that_no_run_has_suggest_more_runs(golden: SnapshotAssertion) -> None:
    result = study([judged(RUNS, MORE)], [AP()], RULE, depths=[1, 2, 5])
    assert result.judged is not None
    assert result.judged.depth == result.explained_to == 2
    assert (result.n_judgments, result.n_unexplained) == (9, 4)
    assert result.full_pool_factor == 9 / 5
    assert [one.full_pool_per_topic for one in result.designs] == pytest.approx(
        [9 / 5 * POOLED[depth] for depth in (1, 2, 5)], abs=1e-15
    )
    choice = choose(result.designs, Budget(judgments=10**9))
    text = texts(report(Answer(study=result, choice=choice, asked=ASKED)).findings, "export")[-1]
    # Per cent unexplained (4 of 9), depth, the factor; what the chosen depth would cost: 9 / 5 * 5 / 2 = 4.5, so 5.
    of_depth_2 = next(one for one in result.designs if one.pool_depth == 2)
    assert numbers_in(text) == [44, 2, 1.8, 2, 5 * (of_depth_2.required_topics or 0)]
    assert text == golden


def test_the_estimated_pool_of_all_runs_can_be_planned_with(golden: SnapshotAssertion) -> None:
    result = study([judged(RUNS, MORE)], [AP()], RULE, depths=[1, 2])
    full = result.with_full_pool
    assert [one.pooled_per_topic for one in full.designs] == [
        one.full_pool_per_topic for one in result.designs
    ]
    assert [one.judged_share for one in full.designs] == [1, 1]  # of the given runs' pools, as before
    made = report(Answer(study=full, choice=choose(full.designs), asked=ASKED))
    assert made.warning == ""
    assert texts(made.findings, "export")[-1] == golden
    alone = study([judged(RUNS, SHALLOW)], [AP()], RULE, depths=[1, 2])
    assert alone.with_full_pool == alone


def test_without_a_depth_of_the_judgments_no_pool_of_all_runs_is_estimated(golden: SnapshotAssertion) -> None:
    """Qrels that list relevant documents alone, as BEIR's do."""
    result = study(
        [judged(RUNS, {"1": {"c": 1, "q": 1}, "2": {"l": 1, "s": 1}})], [AP()], RULE, depths=[3, 5]
    )
    assert result.judged is not None
    assert result.judged.depth is None
    assert (result.explained_to, result.n_unexplained, result.full_pool_factor) == (5, 2, None)
    choice = choose(result.designs, Budget(judgments=10**9))
    made = report(Answer(study=result, choice=choice, asked=ASKED))
    assert made.sentence.startswith("No depth can be recommended: ")
    *_, most, other_runs = texts(made.findings, "export")
    assert round(100 * 2 / 17) in numbers_in(most)  # at most: c and l, of 17 documents
    assert numbers_in(other_runs) == [50, 5]  # per cent: 2 of 4
    assert [made.sentence, made.warning] == golden


def test_unjudged_pooled_documents_cost_but_are_not_judgments() -> None:
    sampled = {"1": {"a": 1, "b": -1, "x": 0}, "2": {"f": 1, "g": -1}}
    (result,) = study([judged(RUNS, sampled)], [AP()], RULE, depths=[2]).designs
    assert (result.pooled_per_topic, result.judged_per_topic, result.judged_share) == (5 / 2, 3 / 2, 3 / 5)


def test_several_collections_are_counted_on_their_own_topics() -> None:
    other = {"one": {"7": "ab", "8": "ab"}, "three": {"7": "ac", "8": "cd"}}
    first, second = judged(RUNS, SHALLOW), judged(other, {"7": {"a": 1, "b": 0, "c": 0}, "8": {"a": 1}})
    (result,) = study([first, second], [AP()], RULE, depths=[2]).designs
    # abx, fg; abc, abcd of runs "one" and "three"; topics of the other collection are not counted twice.
    assert result.pooled_per_topic == (3 + 2 + 3 + 4) / 4
    assert result.judged_share == (3 + 2 + 3 + 1) / 12


def test_topics_without_judgments_cost_nothing() -> None:
    more = {tag: {**topics, "9": "abc"} for tag, topics in RUNS.items()}
    (result,) = study([judged(more, SHALLOW)], [AP()], RULE, depths=[2]).designs
    assert result.pooled_per_topic == POOLED[2]


def test_an_unknown_run_is_named(golden: SnapshotAssertion) -> None:
    collection = judged(RUNS, SHALLOW)
    error = refused(
        depth_study, [collection], runs_of([collection])[:1], Request(measures=[AP()], rule=RULE, depths=[1])
    )
    assert (error.parameter, error.value) == ("runs", "two")
    assert str(error) == golden
    further = [*runs_of([collection]), run("three", {"1": "mno"})]  # of another collection
    assert (
        study([collection], [AP()], RULE, runs=further, depths=[3]).designs
        == study([collection], [AP()], RULE, depths=[3]).designs
    )


ANOVA = one_way_anova.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)
UNJUDGED = [run("one", {"1": "abcd", "2": "ab"}), run("two", {"1": "badx", "3": "xyz"})]


def test_pools_are_counted_by_hand() -> None:
    study = study_before_judging(UNJUDGED, [4, 1, 2, 4], ANOVA, within_system_variance=0.0471, measure="AP")
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


def test_before_judging_a_design_on_differences_takes_twice_the_variance() -> None:
    rule = paired_t.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.10)
    (result,) = study_before_judging(UNJUDGED, [1], rule, within_system_variance=0.0471, measure="AP").designs
    assert result.within_system_variance == 0.0471
    assert result.required_topics == 76  # s_d^2 .0942: tests/reference/sizes_paired_t.csv


def test_no_runs_and_no_depth_are_refused(golden: SnapshotAssertion) -> None:
    assert (
        str(refused(study_before_judging, [], [1], ANOVA, within_system_variance=0.05, measure="AP"))
        == golden
    )
    with pytest.raises(InputError, match="depths"):
        study_before_judging(UNJUDGED, [0, 1], ANOVA, within_system_variance=0.05, measure="AP")


def test_without_depths_pools_are_counted_as_deep_as_the_runs_are() -> None:
    assert pool_of(UNJUDGED).deepest == 4
    assert pool_of(UNJUDGED, [2, 1]).deepest == 2
    result = study_before_judging(UNJUDGED, None, ANOVA, within_system_variance=0.05, measure="AP")
    assert result.depths == (3, 4)
