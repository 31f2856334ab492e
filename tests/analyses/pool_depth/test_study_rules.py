"""Rules of a study where measures or collections differ: means, weights, depths, answers and their absence."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from syrupy.assertion import SnapshotAssertion

from tests.analyses.pool_depth.small_runs import judged, study
from tests.words import numbers_in
from topicset_core.analyses.pool_depth.study import kendall_tau, tau_ap
from topicset_core.analyses.sizing import TopicsRule, topics_rule
from topicset_core.errors import NoSolution
from topicset_core.measures import AP
from topicset_core.measures.precision_and_recall import Precision

RULE = topics_rule("anova", alpha=0.05, beta=0.20, min_d=0.10, n_systems=2)
FIRST = judged(
    {"one": {"1": "abcd", "2": "abcd"}, "two": {"1": "bacd", "2": "dbca"}},
    {"1": {"a": 1, "b": 0, "c": 1, "d": 0}, "2": {"a": 0, "b": 1, "c": 0, "d": 1}},
)
SECOND = judged(
    {"one": {"5": "abc", "6": "bca", "7": "abc"}, "two": {"5": "cba", "6": "abc", "7": "cab"}},
    {"5": {"a": 0, "b": 0, "c": 1}, "6": {"a": 1, "b": 0, "c": 1}, "7": {"c": 1, "b": 1, "a": 0}},
)


def test_agreement_is_a_mean_over_collections() -> None:
    # "one" finds all three, but the pool of depth 1 contains only a, which "two" has first.
    ranked = {"one": {"8": "xabc", "9": "xabc"}, "two": {"8": "ayyy", "9": "ayyy"}}
    is_reversed = judged(ranked, {topic: {"a": 1, "b": 1, "c": 1, "x": 0} for topic in "89"})
    each = [study([one], [AP()], RULE, depths=[1]).designs[0] for one in (FIRST, is_reversed)]
    assert [one.kendall_tau for one in each] == [1, -1]
    both = study([FIRST, is_reversed], [AP()], RULE, depths=[1]).designs[0]
    for name in ("kendall_tau", "tau_ap"):
        assert getattr(both, name) == np.mean([getattr(one, name) for one in each])
    # The full judgments are the reference, those of the pool the estimate.
    assert (kendall_tau([1, 2], [1, 2]), tau_ap([2, 1], [1, 2])) == (1, -1)


def test_requested_weights_of_collections_are_used() -> None:
    three = judged(
        {tag: {"5": tag + "x", "6": "x" + tag} for tag in "abc"},
        {"5": {"a": 1, "b": 1, "c": 0}, "6": {"a": 0, "b": 1, "c": 1}},
    )
    variances: list[Any] = [
        study([one], [Precision(depth=1)], RULE, depths=[2]).designs[0].within_system_variance
        for one in (FIRST, three)
    ]
    assert None not in variances
    result = {
        weights: study([FIRST, three], [Precision(depth=1)], RULE, depths=[2], weights=weights)
        .designs[0]
        .within_system_variance
        for weights in ("topics", "degrees-of-freedom")
    }
    # Two topics each, but two runs and three.
    assert result["topics"] == pytest.approx(np.average(variances, weights=[1, 1]), abs=1e-15)
    assert result["degrees-of-freedom"] == pytest.approx(np.average(variances, weights=[2, 3]), abs=1e-15)
    assert result["topics"] != pytest.approx(result["degrees-of-freedom"], abs=1e-3)


def _at_most(limit: float) -> TopicsRule:
    """A rule without a solution for variances above a limit."""

    def topics(variances: ArrayLike) -> NDArray[np.int64]:
        if (np.asarray(variances) > limit).any():
            raise NoSolution("too many")
        return np.ceil(np.asarray(variances) * 100).astype(np.int64)

    return TopicsRule(design="limited", takes="within-system", topics=topics)


def test_a_measure_without_an_answer_does_not_affect_the_others() -> None:
    by_name = {
        design.measure: design.within_system_variance or 0
        for design in study([FIRST], [AP(), Precision(depth=1)], RULE, depths=[4]).designs
    }
    assert 0 < by_name["AP"] < by_name["P@1"]
    result = study(
        [FIRST], [AP(), Precision(depth=1)], _at_most((by_name["AP"] + by_name["P@1"]) / 2), depths=[4]
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
    (at_the_end,) = study([SECOND], [AP()], RULE, depths=[3]).notes  # 2 and 3 documents are judged
    assert numbers_in(at_the_end)[0] == 3
    first, beyond, shorter = study([SECOND], [AP()], RULE, depths=[4]).notes
    assert first == at_the_end
    assert numbers_in(beyond) == [4, 3]
    assert numbers_in(shorter) == [2, 2, 4]  # runs, of all, depth
    _, alone = study(
        [judged({"one": {"1": "ab", "2": "ab"}}, {"1": {"a": 1, "b": 0}, "2": {"b": 1, "a": 0}})],
        [AP()],
        RULE,
        depths=[2],
    ).notes
    assert [at_the_end, beyond, shorter, alone] == golden
