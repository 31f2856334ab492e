"""Leaderboards by the mean of group means: the paired t statistic of group means, both orders, constant runs."""

import numpy as np
import pytest
from scipy import stats

from tests.refusals import refused
from tests.variance.matrices import of
from tests.variance.test_group_components import drawn, grouped
from topicset_core.analyses.rank_resolution import Request, resolve
from topicset_core.analyses.rank_resolution.chosen_systems import two_systems
from topicset_core.analyses.rank_resolution.discriminative_power import PowerRequest, discriminative_power
from topicset_core.analyses.rank_resolution.leaderboard import Leaderboard, paper_table
from topicset_core.analyses.rank_resolution.report import QUESTION
from topicset_core.analyses.score_variance.report import run_means, run_means_table
from topicset_core.analyses.two_systems import Request as TwoRequest
from topicset_core.analyses.two_systems import compare_two
from topicset_core.exports.findings import texts


def said(leaderboard: Leaderboard) -> list[str]:
    """What a terminal prints above the table."""
    return texts(QUESTION.report(leaderboard).findings, "terminal")


MATRIX = drawn((5, 30, 60, 8), 0.4, 4)
GROUPS = Request(mean="groups", floor=0.0)


def test_ranks_are_those_of_group_means_as_topics() -> None:
    """Group means take the place of topics: the same as a table of them without groups."""
    found, rows = resolve(MATRIX, GROUPS), MATRIX.group_means().scores
    plain = resolve(of(rows, systems=MATRIX.systems), Request(floor=0.0))
    assert found.systems == plain.systems
    assert found.means == pytest.approx(np.sort(rows.mean(axis=0))[::-1], rel=1e-12)
    assert np.array_equal(found.adjusted_p, plain.adjusted_p)
    assert (found.n_flips, found.enumerated, found.unit) == (16, True, "group")
    first, second = (MATRIX.systems.index(name) for name in found.systems[:2])
    expected = stats.ttest_rel(rows[:, first], rows[:, second])
    assert found.statistic[0] == pytest.approx(expected.statistic, rel=1e-9)
    errors, df = found.standard_errors
    assert (found.pairs.difference[0] / errors[0], df) == (pytest.approx(expected.statistic), 3)


def test_two_systems_and_means_have_the_same_mean() -> None:
    found = resolve(MATRIX, GROUPS)
    two = two_systems(found, found.systems[0], found.systems[1])
    pair = (found.systems[1], found.systems[0])
    alone = compare_two(MATRIX, TwoRequest(mean="groups", pair=pair))
    assert (two.low, two.high, two.same_groups) == (alone.low, alone.high, alone.same_groups)
    assert two.difference == pytest.approx(alone.difference)
    means = run_means(MATRIX, mean="groups")
    assert means.systems == found.systems
    best = stats.ttest_1samp(MATRIX.group_means().scores[:, MATRIX.systems.index(means.systems[0])], 0.0)
    interval = best.confidence_interval(0.95)
    assert (means.lower[0], means.upper[0]) == pytest.approx((interval.low, interval.high), rel=1e-9)
    assert "mean of group means, AP" in run_means_table(means)
    assert "mean of group means, for other groups like these" in means.interval
    assert "mean over topics" in run_means(MATRIX).interval


def test_estimand_is_named_and_the_other_order_told() -> None:
    """By topics s1 leads, as in the large group; by group means s0, as in the two small ones."""
    d = np.r_[np.full(2, 1.0), np.full(3, 1.0), np.full(20, -0.5)]
    varied = d + np.tile([0.01, -0.01, 0.02, 0.0, -0.02], 5)
    matrix = grouped(np.column_stack([varied, np.zeros(25)]), (2, 3, 20))
    by_topics, by_groups = (
        QUESTION.answer(matrix, Request(mean=one, n_trials=100)) for one in ("topics", "groups")
    )
    assert by_topics.resolution.systems == ("s1", "s0")
    assert by_groups.resolution.systems == ("s0", "s1")
    assert "By the mean over topics, s1 is first." in said(by_groups)
    assert "By the mean of group means, s0 is first." in said(by_topics)
    assert "(mean over 25 topics in 3 groups)" in said(by_topics)[0]
    assert "(mean of 3 group means over 25 topics, each group counting the same)" in said(by_groups)[0]
    assert list(paper_table(by_groups))[2] == "Mean of group means, AP"
    for one, name in ((by_topics, "mean over topics"), (by_groups, "mean of group means")):
        (result,) = QUESTION.report(one).record()["results"]
        assert result["estimand"] == name
    refusal = refused(QUESTION.answer, matrix.grouped(None), GROUPS)
    assert refusal.parameter == "mean"


def test_several_pairs_that_change_order_are_counted() -> None:
    scores = np.array([[0.9, 0.1, 0.2], [0.9, 0.2, 0.3], *[[0.1, 0.5, 0.6 + x / 100] for x in range(9)]])
    found = QUESTION.answer(grouped(scores, (1, 1, 9)), Request(mean="groups"))
    assert found.resolution.systems[0] == "s0"
    assert "By the mean over topics, 2 of 3 pairs change order and s2 is first." in said(found)


def test_discriminative_power_of_group_means() -> None:
    """The largest difference is that of the group means, and so is Tukey's HSD: as of a table of them."""
    request = PowerRequest(n_trials=200, mean="groups")
    found = discriminative_power(MATRIX, request)
    plain = discriminative_power(
        of(MATRIX.group_means().scores, systems=MATRIX.systems), PowerRequest(n_trials=200)
    )
    assert found.difference == pytest.approx(plain.difference)
    assert found.asl == pytest.approx(plain.asl)
    assert found.tukey == pytest.approx(plain.tukey)


def test_constant_runs_are_told_once() -> None:
    scores = np.column_stack([np.linspace(0.1, 0.9, 12), np.linspace(0.2, 0.8, 12), np.zeros(12)])
    found = QUESTION.answer(of(scores), Request(n_trials=100, pair=("s0", "s2")))
    caution = "s2 has the score 0 on every topic: did it run?"
    assert said(found)[1] == caution
    report = QUESTION.report(found)
    assert report.cautioned.count(caution) == 1
    assert report.findings[0].text.endswith(f". {caution}")  # the headline
    assert caution not in report.text[0]
    (result,) = report.record()["results"]
    assert result["constant_runs"] == {"s2": 0.0}
