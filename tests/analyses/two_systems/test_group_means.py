"""Two systems by the mean of group means: against SciPy, next to the mean over topics, and what is told of both."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from tests.analyses.two_systems.test_comparison import said, sentences
from tests.refusals import refused
from tests.variance.matrices import of
from tests.variance.test_group_components import SIZES, drawn, grouped
from topicset_core.analyses.two_systems import Request, compare_two
from topicset_core.analyses.two_systems.report import report
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import non_inferiority

MATRIX = drawn((5, 30, 60), 0.3, 2)
GROUPS = Request(mean="groups")


def by_groups(matrix: ScoreMatrix) -> np.ndarray:
    rows = matrix.group_means().scores
    return np.asarray(rows[:, 1] - rows[:, 0])


def test_interval_and_p_value_against_scipy() -> None:
    found, expected = compare_two(MATRIX, GROUPS), stats.ttest_1samp(by_groups(MATRIX), 0.0)
    interval = expected.confidence_interval(0.95)
    assert found.difference == pytest.approx(by_groups(MATRIX).mean(), rel=1e-12)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), rel=1e-9)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert found.means == pytest.approx(MATRIX.group_means().scores.mean(axis=0))


def test_interval_for_the_same_groups_by_hand() -> None:
    """Standard error and Satterthwaite's degrees of freedom by plain loops."""
    d, start, v, n = MATRIX.scores[:, 1] - MATRIX.scores[:, 0], 0, [], (5, 30, 60)
    for size in n:
        v.append(d[start : start + size].var(ddof=1) / size)
        start += size
    df = sum(v) ** 2 / sum(one**2 / (size - 1) for one, size in zip(v, n, strict=True))
    mean, reach = by_groups(MATRIX).mean(), stats.t.ppf(0.975, df) * np.sqrt(sum(v)) / 3
    assert compare_two(MATRIX, GROUPS).same_groups == pytest.approx((mean - reach, mean + reach), rel=1e-9)
    one_alone = compare_two(drawn(SIZES, 0.3, 2), GROUPS)  # SIZES has a group of 1 topic
    assert one_alone.same_groups is None
    assert "there is none: a group of 1 topic has no variance" in said(one_alone)


def test_mean_over_topics_is_unchanged_and_both_are_named() -> None:
    usual, topics, groups = (compare_two(MATRIX, one) for one in (Request(), Request(mean="topics"), GROUPS))
    assert usual.request.mean == "topics"
    assert (usual.low, usual.high, usual.p_value) == (topics.low, topics.high, topics.p_value)
    assert usual.difference == float((MATRIX.scores[:, 1] - MATRIX.scores[:, 0]).mean())
    assert usual.by_other_mean == pytest.approx(groups.difference)
    assert groups.by_other_mean == pytest.approx(usual.difference)
    assert "mean over 95 topics in 3 groups" in said(usual)
    assert "By the mean over topics, s1 - s0 is" in said(groups)
    of_groups, named = "mean of 3 group means over 95 topics, each group counting the same", groups.record()
    assert of_groups in said(groups)
    assert (named["estimand"], usual.record()["estimand"]) == ("mean of group means", "mean over topics")
    (recorded,) = report(groups).record()["results"]
    assert (recorded["mean"], recorded["estimand"]) == ("groups", "mean of group means")
    assert report(groups).settings["Mean of a system"] == "mean of group means"
    assert "estimand" not in compare_two(MATRIX.grouped(None)).record()
    joined = compare_two(replace(MATRIX, is_joined=True))
    assert (joined.request.mean, joined.difference) == ("groups", groups.difference)


def test_lower_is_better_turns_both_means() -> None:
    found = compare_two(MATRIX, replace(GROUPS, lower_is_better=True))
    assert found.difference == pytest.approx(-compare_two(MATRIX, GROUPS).difference)
    assert "By the mean over topics, s0 - s1 is" in said(found)


def test_topics_that_decide_are_whole_groups() -> None:
    """As many groups as the test for the margin takes at the variance of group means, times the mean size."""
    request = Request(mean="groups", margin=0.4)
    found = compare_two(MATRIX, request)
    plan = non_inferiority.DESIGN.plan(
        alpha=0.025, beta=0.2, margin=0.4, true_difference=0.0, topics="shared"
    )
    (n_groups,) = plan.topics_of_variances([float(by_groups(MATRIX).var(ddof=1))])
    assert n_groups is not None
    assert found.topics == -(-n_groups * 95 // 3)
    low, high = found.topics_range
    assert low is not None
    assert low <= found.topics <= (high or 10**9)


def test_difference_rests_on_topics_by_their_weights() -> None:
    """A group of 1 topic among 9 has half the weight of two groups, so 9 equal differences rest on fewer."""
    d = np.ones(10) + np.tile([1e-3, -1e-3], 5)
    found = compare_two(grouped(np.column_stack([np.zeros(10), d]), (1, 9)), GROUPS)
    # Weights 5 and 10/18: (25 + 9 / 3.24)^2 / (625 + 9 / 3.24^2), with 10/18 squared 1 / 3.24
    assert found.n_effective == pytest.approx((25 + 9 / 3.24) ** 2 / (625 + 9 / 3.24**2), rel=1e-2)


def test_a_difference_that_is_equal_in_all_groups_is_refused() -> None:
    scores = np.column_stack([np.zeros(5), [0.1, 0.3, 0.2, 0.1, 0.3]])
    error = refused(compare_two, grouped(scores, (2, 3)), GROUPS)
    assert error.parameter == "difference"
    assert "every group of topics" in error.rule
    assert refused(compare_two, MATRIX.grouped(None), GROUPS).parameter == "mean"


def test_a_run_that_answered_nothing_is_in_the_headline() -> None:
    scores = np.column_stack([np.linspace(0.1, 0.9, 12), np.zeros(12)])
    found = compare_two(of(scores))
    assert found.verdict == "worse"
    verdict, caution = "Worse: s1 is worse than s0.", "s1 has the score 0 on every topic: did it run?"
    assert sentences(found)[:2] == [verdict, caution]
    assert report(found).sentence.startswith(f"{verdict} {caution}")
    assert verdict in report(found).text[0]
    assert "did it run" not in report(found).text[0]
    assert found.record()["constant_runs"] == {"s1": 0.0}
    other = compare_two(of(scores + np.array([0, 0.5])))
    assert sentences(other)[1].startswith("s1 has the score 0.5 on every topic: check its scores.")
    varying = compare_two(of(np.column_stack([scores[:, 0], scores[::-1, 0]])))
    assert sentences(varying)[0] == "Inconclusive: s1 is shown neither better nor worse than s0."
    assert "constant_runs" not in varying.record()
    both = refused(compare_two, of(np.column_stack([np.full(12, 0.5), np.zeros(12)])))
    assert "did it run?" in both.rule


def test_equal_runs_are_in_the_headline() -> None:
    column = np.linspace(0.1, 0.9, 12)
    found = compare_two(of(np.column_stack([column, column])))
    assert sentences(found)[0].endswith(
        "neither better nor worse than s0: their scores are equal on every topic."
    )
    passed = compare_two(of(np.column_stack([column, column])), Request(margin=0.1))
    assert sentences(passed)[0].startswith("Not worse: ")
    assert sentences(passed)[0].endswith(": their scores are equal on every topic.")
