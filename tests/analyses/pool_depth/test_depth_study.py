"""Depth by depth: judgments, losses and required topics, also where measures or collections differ."""

from string import ascii_letters
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from syrupy.assertion import SnapshotAssertion

from tests.analyses.pool_depth.small_runs import judged, runs_of, study
from tests.refusals import refused
from tests.words import numbers_in
from topicset_core.analyses.pool_depth import Request, depth_study, grades_at
from topicset_core.analyses.pool_depth.pools import (
    complete_depths,
    judged_depth,
    leave_teams_out,
    usual_depths,
)
from topicset_core.analyses.pool_depth.study import finer_where_coverage_falls, kendall_tau, tau_ap
from topicset_core.collection.judged_runs import REMOVED, JudgedRuns
from topicset_core.collection.units import guessed_teams
from topicset_core.designs import Plan, one_way_anova, paired_t
from topicset_core.errors import InputError, NoSolution
from topicset_core.measures.binary import AP, Precision

RULE = one_way_anova.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.10, n_systems=2)
# Pooled to depth 2 on topic 1 and 2; z of topic 3 is judged although no run has it.
RUNS = {
    "one": {"1": "abcd", "2": "abcd", "3": "abcd"},
    "two": {"1": "bxay", "2": "cbya", "3": "xyab"},
}
QRELS = {
    "1": {"a": 1, "b": 0, "x": 0},
    "2": {"a": 0, "b": 0, "c": 1},
    "3": {"a": 0, "b": 0, "x": 0, "y": 0, "c": 1, "z": 1},
}


def test_shallower_pools_keep_documents_within_the_depth_of_some_run() -> None:
    runs = judged(RUNS, QRELS)
    kept = grades_at(runs, 1)
    names = [document.decode() for document in runs.qrels.documents]
    assert [name for name, grade in zip(names, kept, strict=True) if grade != REMOVED] == list("abacax")
    judged_at = [int((grades_at(runs, depth) >= 0).sum()) for depth in (1, 2, 3)]
    assert judged_at == [6, 3 + 3 + 4, 3 + 3 + 5]  # c of topic 3; z is in no run
    with pytest.raises(InputError, match="pool_depth = 0"):
        grades_at(runs, 0)


def test_the_depth_of_the_judgments_is_found() -> None:
    runs = judged(RUNS, QRELS)
    # Topic 1: "one" has c unjudged at 3, "two" a judged and y not at 4; topic 2: "one" d at 4, "two" y at 3;
    # topic 3: "one" d at 4, "two" is judged to its end.
    assert complete_depths(runs).tolist() == [2, 2, 3]
    result = judged_depth([runs])
    assert (result.depth, result.n_topics, result.n_deeper, result.n_shallower) == (2, 2, 1, 0)


TWO, THREE = {"a": 1, "b": 0}, {"a": 1, "b": 0, "c": 0}


@pytest.mark.parametrize(
    ("ranked", "grades", "expected"),
    [
        pytest.param(
            dict.fromkeys("1234", "abcd"),
            {"1": TWO, "2": THREE, "3": TWO, "4": THREE},
            (3, 2, 2),
            id="the deeper of two equally common depths",
        ),
        pytest.param(
            {"1": "abcd"}, {"1": TWO, "8": {"a": 1}, "9": {"a": 1}}, (2, 1, 0), id="topics without runs"
        ),
        pytest.param({"1": "abcd"}, {"1": {"a": 1}}, (None, 0, 1), id="one judged document per run"),
        pytest.param(
            {"1": "wxyz", "2": "wxya"}, {"1": {"a": 1}, "2": {"a": 1}}, (None, 0, 2), id="other runs"
        ),
    ],
)
def test_the_pool_depth_of_judgments(
    ranked: dict[str, str], grades: dict[str, dict[str, int]], expected: tuple[int | None, int, int]
) -> None:
    result = judged_depth([judged({"one": ranked}, grades)])
    assert (result.depth, result.n_topics, result.n_shallower) == expected


def test_usual_depths_end_at_the_deepest() -> None:
    assert usual_depths(125) == (10, 30, 50, 70, 90, 100, 125)
    assert usual_depths(100) == (10, 30, 50, 70, 90, 100)
    assert usual_depths(220) == (10, 30, 50, 70, 90, 100, 150, 200, 220)
    assert usual_depths(11) == (10, 11)
    assert usual_depths(10) == (3, 5, 7, 10)
    assert usual_depths(7) == (3, 5, 7)
    assert usual_depths(1) == (1,)


@pytest.mark.parametrize(
    ("depths", "judged_to", "expected"),
    [
        pytest.param((10, 30, 50), 13, (10, 13, 15, 20, 25, 30, 50), id="steps of 5"),
        pytest.param((100, 150), 110, (100, 110, 120, 130, 140, 150), id="of 10 in a wide gap"),
        pytest.param((10, 30), 30, (10, 30), id="all judged"),
        pytest.param((10, 30), 9, (10, 30), id="none judged enough"),
        pytest.param((10, 30), 0, (10, 30), id="not even depth 1"),
    ],
)
def test_depths_are_finer_where_coverage_falls(
    depths: tuple[int, ...], judged_to: int, expected: tuple[int, ...]
) -> None:
    shares = np.where(np.arange(1, depths[-1] + 1) <= judged_to, 0.8, 0.79)
    assert finer_where_coverage_falls(depths, shares) == expected


def test_usual_depths_of_a_study_show_the_last_that_is_judged() -> None:
    """All but one of the first 12 documents are judged: 11 of 13 are enough, 11 of 14 are not."""
    letters = ascii_letters[:30]
    runs = {"one": {str(topic): letters for topic in range(8)}}
    qrels = {str(topic): {one: 1 for one in letters[:12] if one != letters[topic]} for topic in range(8)}
    result = study([judged(runs, qrels)], [AP()], RULE)
    assert result.depths == (10, 13, 15, 20, 25, 30)
    assert [one.judged_share for one in result.designs[:2]] == [9 / 10, 11 / 13]


def test_a_study_counted_by_hand() -> None:
    result = study([judged(RUNS, QRELS)], [Precision(depth=1)], RULE, depths=[3, 1, 3])
    assert result.depths == (1, 3)
    shallow, deep = result.designs
    assert (shallow.judged_per_topic, shallow.pooled_per_topic, shallow.judged_share) == (6 / 3, 6 / 3, 1)
    assert shallow.n_lost_topics == 1  # topic 3
    assert shallow.relevant_known == 2 / 4
    assert (deep.judged_per_topic, deep.n_lost_topics, deep.relevant_known) == (11 / 3, 0, 3 / 4)
    # Topic 1 pools a b c x, topic 2 a b c y, topic 3 a b c x y.
    assert (deep.pooled_per_topic, deep.judged_share) == (13 / 3, pytest.approx(11 / 13, abs=1e-15))
    assert deep.total_judgments == 4 * (deep.required_topics or 0)
    # P@1: "one" has a, a, a: 1 0 0; "two" has b, c, x: 0 1 0; variance of each 1/3.
    assert shallow.within_system_variance == pytest.approx(1 / 3, abs=1e-15)
    assert shallow.within_system_variance is not None
    assert shallow.required_topics == RULE.topics(variance=shallow.within_system_variance)
    assert shallow.total_judgments == 2 * (shallow.required_topics or 0)
    assert shallow.kendall_tau is None  # both runs have the same mean


def test_a_design_on_differences_takes_twice_the_variance() -> None:
    rule = paired_t.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.50)
    """That of two-way ANOVA, as the paired t test on its page; of one run, which has no pairs, the one-way one."""
    (result,) = study([judged(RUNS, QRELS)], [Precision(depth=1)], rule, depths=[1]).designs
    # Precision at 1 of two runs on three topics, so that the differences vary by 1: twice 1 / 2.
    assert result.within_system_variance == pytest.approx(1 / 2, abs=1e-15)
    assert result.required_topics == rule.topics(variance=1.0) != rule.topics(variance=1 / 2)
    (first, *_) = RUNS
    (alone,) = study([judged({first: RUNS[first]}, QRELS)], [Precision(depth=1)], rule, depths=[1]).designs
    assert alone.within_system_variance == pytest.approx(1 / 3, abs=1e-15)
    assert alone.required_topics == rule.topics(variance=2 / 3)


def test_lost_topics_are_dropped_on_request() -> None:
    result = study([judged(RUNS, QRELS)], [Precision(depth=1)], RULE, depths=[1], lost_topics="drop")
    # Topics 1 and 2 are left: 1 0 and 0 1, variance 1/2 each. Judged documents are still those of all topics.
    assert result.designs[0].within_system_variance == pytest.approx(1 / 2, abs=1e-15)
    assert result.designs[0].judged_per_topic == 2


def test_without_topics_there_is_no_number() -> None:
    runs = judged({"one": {"1": "xa", "2": "xa"}}, {"1": {"x": 0, "a": 1}, "2": {"x": 0, "a": 1}})
    for lost_topics in ("zero", "drop"):
        result = study([runs], [AP()], RULE, depths=[1, 2], lost_topics=lost_topics)
        assert result.designs[0].required_topics is None
        assert result.designs[0].n_lost_topics == 2
        assert result.of("AP") == ()  # at depth 2 both topics score 1/2: no variance either
        assert result.most_demanding == ()


def test_variances_are_pooled_over_collections_and_documents_averaged_over_topics() -> None:
    first = judged(RUNS, QRELS)
    second = judged({"one": {"7": "ab", "8": "ba"}}, {"7": {"a": 1, "b": 0}, "8": {"a": 1, "b": 0}})
    result = study([first, second], [Precision(depth=1)], RULE, depths=[2]).designs[0]
    assert result.judged_per_topic == (10 + 4) / 5
    # Variances 1/3 with weight 2 and 1/2 with weight 1.
    assert result.within_system_variance == pytest.approx((2 / 3 + 1 / 2) / 3, abs=1e-15)


def test_topics_without_runs_are_left_out_with_a_note(golden: SnapshotAssertion) -> None:
    runs = judged(RUNS, QRELS)
    more = judged(RUNS, QRELS | {"8": {"a": 1, "b": 0}, "9": {"c": 0}})
    for lost_topics in ("zero", "drop"):
        expected, result = (
            study([one], [AP(), Precision(depth=1)], RULE, depths=[1, 3], lost_topics=lost_topics)
            for one in (runs, more)
        )
        assert result.designs == expected.designs
        assert (result.n_topics, expected.n_topics) == (3, 3)
        (remark,) = set(result.notes) - set(expected.notes)
        assert numbers_in(remark) == [2, 5]
        assert remark == golden
    assert leave_teams_out(more, ["A", "B"], [2], AP()) == leave_teams_out(runs, ["A", "B"], [2], AP())


def test_relevance_levels_are_those_of_the_collection(golden: SnapshotAssertion) -> None:
    graded = judged({"one": {"1": "ab", "2": "ab"}}, {"1": {"a": 1, "b": 2}, "2": {"b": 1, "a": 2}})
    result = study([graded], [AP(relevance_level=2)], RULE, depths=[1], relevance_level=2).designs[0]
    assert (result.n_lost_topics, result.relevant_known) == (1, 1 / 2)  # b of topic 1 is below
    error = refused(study, [graded], [AP(relevance_level=3)], RULE, depths=[1], relevance_level=3)
    assert (error.parameter, error.value) == ("relevance_level", 3)
    assert str(error) == golden


def test_pooled_but_unjudged_documents_cost_nothing_and_do_not_break_the_pool() -> None:
    runs = judged({"one": {"1": "ab", "2": "ab"}}, {"1": {"a": -1, "b": 1}, "2": {"a": 1, "b": -1}})
    result = study([runs], [Precision(depth=1)], RULE, depths=[1, 2])
    assert result.judged is not None
    assert result.judged.depth == 2
    assert [design.judged_per_topic for design in result.designs] == [1 / 2, 1]


@pytest.mark.parametrize(
    ("collections", "measures", "more", "parameter"),
    [
        pytest.param(1, 2, {}, "measures", id="a measure twice"),
        pytest.param(1, 1, {"depths": [0, 10]}, "depths", id="depth 0"),
        pytest.param(1, 1, {"lost_topics": "keep"}, "lost_topics", id="unknown rule"),
        pytest.param(0, 1, {}, "collections", id="no collection"),
    ],
)
def test_questions_are_checked(
    collections: int, measures: int, more: dict[str, Any], parameter: str, golden: SnapshotAssertion
) -> None:
    error = refused(study, [judged(RUNS, QRELS)] * collections, [AP()] * measures, RULE, **more)
    assert error.parameter == parameter
    assert str(error) == golden


def test_work_is_reported() -> None:
    reported: list[float] = []
    runs, request = judged(RUNS, QRELS), Request(measures=[AP()], rule=RULE, depths=[1, 2])
    depth_study([runs], runs_of([runs]), request, report_progress=reported.append)
    assert reported == [0.0, 0.5]


def test_a_team_left_out_loses_its_unique_documents(golden: SnapshotAssertion) -> None:
    runs = judged(
        {"a1": {"1": "rx"}, "a2": {"1": "rs"}, "b": {"1": "xy"}}, {"1": {"r": 1, "s": 1, "x": 0, "y": 1}}
    )
    result = {one["system"]: one for one in leave_teams_out(runs, ["A", "A", "B"], [2], AP())}
    # R = 3. a1 finds r first: AP 1/3; a2 r and s: 2/3; b y second: 1/6.
    assert [result[run]["score"] for run in ("a1", "a2", "b")] == pytest.approx(
        [1 / 3, 2 / 3, 1 / 6], abs=1e-15
    )
    # Without A, r and s are gone and y is all: a1 and a2 score 0, b 1/2.
    assert (result["a2"]["n_unique"], result["a2"]["n_unique_relevant"]) == (2, 2)
    assert (result["a2"]["score_left_out"], result["a2"]["rank"], result["a2"]["rank_left_out"]) == (0, 1, 2)
    # Without B only y is gone, x being a1's too: R = 2 and b scores 0.
    assert (result["b"]["n_unique"], result["b"]["change"]) == (1, pytest.approx(-1 / 6, abs=1e-15))
    for teams in (["A", "A", "A"], ["A", "B"]):
        error = refused(leave_teams_out, runs, teams, [2], AP())
        assert error.parameter == "teams"
        assert str(error) == golden


def test_unique_documents_are_relevant_from_the_level() -> None:
    runs = judged({"a": {"1": "rs"}, "b": {"1": "xy"}}, {"1": {"r": 1, "s": 2, "x": 0, "y": 1}})
    for level, counts in ((1, [2, 1]), (2, [1, 0])):
        result = leave_teams_out(runs, ["A", "B"], [2], AP(), relevance_level=level)
        assert [one["n_unique_relevant"] for one in result] == counts


def test_teams_are_guessed_from_names() -> None:
    assert guessed_teams(["NTU-E-1", "NTU-E-2", "X-1"]) == ("NTU", "NTU", "X-1")
    assert guessed_teams(["pircRB1", "PIRCRBa2", "apl03"]) == ("pircRB", "pircRB", "apl03")
    assert guessed_teams([]) == ()
    assert guessed_teams(["AB-x-1", "AB-y-1"]) == ("AB", "AB")  # two runs make a team
    assert guessed_teams(["ABCx-1", "ABCx-2", "ABCy-1", "ABCy-2"]) == ("ABCx", "ABCx", "ABCy", "ABCy")


PAIR = judged(
    {"one": {"1": "abcd", "2": "abcd"}, "two": {"1": "bacd", "2": "dbca"}},
    {"1": {"a": 1, "b": 0, "c": 1, "d": 0}, "2": {"a": 0, "b": 1, "c": 0, "d": 1}},
)


def test_agreement_is_a_mean_over_collections() -> None:
    # "one" finds all three, but the pool of depth 1 contains only a, which "two" has first.
    ranked = {"one": {"8": "xabc", "9": "xabc"}, "two": {"8": "ayyy", "9": "ayyy"}}
    is_reversed = judged(ranked, {topic: {"a": 1, "b": 1, "c": 1, "x": 0} for topic in "89"})
    each = [study([one], [AP()], RULE, depths=[1]).designs[0] for one in (PAIR, is_reversed)]
    assert [one.kendall_tau for one in each] == [1, -1]
    both = study([PAIR, is_reversed], [AP()], RULE, depths=[1]).designs[0]
    for name in ("kendall_tau", "tau_ap"):
        assert getattr(both, name) == np.mean([getattr(one, name) for one in each])
    # The full judgments are the reference, those of the pool the estimate.
    assert (kendall_tau([1, 2], [1, 2]), tau_ap([2, 1], [1, 2])) == (1, -1)


def test_requested_weights_of_collections_are_used() -> None:
    three = judged(
        {tag: {"5": tag + "x", "6": "x" + tag} for tag in "abc"},
        {"5": {"a": 1, "b": 1, "c": 0}, "6": {"a": 0, "b": 1, "c": 1}},
    )

    def variance(*collections: JudgedRuns, weights: str = "topics") -> float:
        (one,) = study(collections, [Precision(depth=1)], RULE, depths=[2], weights=weights).designs
        return one.within_system_variance or 0.0

    variances = [variance(PAIR), variance(three)]
    result = {weights: variance(PAIR, three, weights=weights) for weights in ("topics", "degrees-of-freedom")}
    # Two topics each, but two runs and three.
    assert result["topics"] == pytest.approx(np.average(variances, weights=[1, 1]), abs=1e-15)
    assert result["degrees-of-freedom"] == pytest.approx(np.average(variances, weights=[2, 3]), abs=1e-15)
    assert result["topics"] != pytest.approx(result["degrees-of-freedom"], abs=1e-3)


def _at_most(limit: float) -> Plan:
    """A plan without a solution for variances above a limit."""

    class Limited(Plan):
        def topics(self, difference: Any = None, variance: Any = None) -> NDArray[np.int64]:  # noqa: ARG002
            if (np.asarray(variance) > limit).any():
                raise NoSolution("too many")
            return np.ceil(np.asarray(variance) * 100).astype(np.int64)

    return Limited(RULE.design, RULE.given)


def test_a_measure_without_an_answer_does_not_affect_the_others() -> None:
    by_name = {
        design.measure: design.within_system_variance or 0
        for design in study([PAIR], [AP(), Precision(depth=1)], RULE, depths=[4]).designs
    }
    assert 0 < by_name["AP"] < by_name["P@1"]
    result = study(
        [PAIR], [AP(), Precision(depth=1)], _at_most((by_name["AP"] + by_name["P@1"]) / 2), depths=[4]
    )
    answers = {design.measure: design.required_topics for design in result.designs}
    assert answers == {"AP": int(np.ceil(100 * by_name["AP"])), "P@1": None}
    assert result.most_demanding == ()  # a design has to serve both


def test_without_a_pool_runs_are_evaluated_to_their_ends() -> None:
    letters = "abcdefghijklmnopqrst"
    runs = judged({"one": {"1": letters, "2": letters}}, {"1": {"c": 1}, "2": {"t": 1}})
    result = study([runs], [AP()], RULE)
    assert result.judged is not None
    assert result.judged.depth is None
    assert result.depths == (10, 20)


def test_remarks_begin_where_they_are_true(golden: SnapshotAssertion) -> None:
    runs, alone = judged(RUNS, QRELS), judged({"one": RUNS["one"]}, QRELS)
    counts = {depth: len(study([runs], [AP()], RULE, depths=[depth]).notes) for depth in (2, 3, 4, 5)}
    assert counts == {2: 1, 3: 2, 4: 2, 5: 3}  # judged to depth 2; runs of 4 documents
    notes = study([runs], [AP()], RULE, depths=[9]).notes
    # Depth of the judgments and its topics; depth beyond it; runs that are shorter.
    assert [numbers_in(remark) for remark in notes] == [[2, 3, 3], [9, 2], [2, 2, 9]]
    assert [notes, study([alone], [AP()], RULE, depths=[2]).notes] == golden
