"""Type I error of tests that take topics of groups as independent: trial by trial, and by theory."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from tests.analyses.achieved_power import plain
from tests.analyses.achieved_power.test_decisions import ALPHA, N_TRIALS, decided
from tests.variance.test_group_components import drawn
from topicset_core.analyses.achieved_power import Request, achieved_power
from topicset_core.analyses.achieved_power.report import QUESTION
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.search import Floats
from topicset_core.exports.findings import found_on

UNEQUAL = (1, 6, 2, 3, 5, 4, 2, 8, 3, 1, 7)
MATRIX = drawn(UNEQUAL, 0.4, 5, 8)
FEW = 4  # groups per trial: with more topics tests hardly depend on how many there are


def on_topics(matrix: ScoreMatrix, members: tuple[int, ...], *, is_swapped: bool = False) -> list[Floats]:
    """The scores of each trial on all topics of its groups, centred by topic, and exchanged in whole groups."""
    names, groups = list(matrix.group_sizes), np.array(matrix.groups)
    chosen, signs = plain.draws(0, len(names), FEW, N_TRIALS)
    x = (matrix.scores - matrix.scores.mean(axis=0))[:, members]
    result = []
    for of_trial, of_signs in zip(chosen, signs, strict=True):
        parts = [
            x[groups == names[group]][:, :: 1 if sign > 0 or not is_swapped else -1]
            for group, sign in zip(of_trial, of_signs, strict=True)
        ]
        result.append(np.concatenate(parts))
    return result


@pytest.mark.parametrize(
    ("name", "twin"),
    [
        ("paired-t", lambda x: plain.paired_t(x, ALPHA)),
        ("two-way-f", lambda x: plain.two_way_f(x, ALPHA)),
        ("bonferroni", lambda x: plain.bonferroni(x, ALPHA, power=False)),
        ("one-way-f", lambda x: plain.one_way_f(x, ALPHA)),
        ("wilcoxon", lambda x: plain.wilcoxon(x, ALPHA)),
    ],
)
def test_by_topic_against_scipy_on_the_topics_of_the_drawn_groups(
    name: str, twin: Callable[[Floats], bool]
) -> None:
    rows = MATRIX.by_group(centred=True)
    sets, result = decided(rows, test=name, topics="shared", min_d=0.5, n_topics=FEW)
    for place, members in enumerate(sets[:2]):
        x = on_topics(MATRIX, members, is_swapped=name == "wilcoxon")
        assert result["by topic"][place].tolist() == [twin(one) for one in x]
    assert 0 < result["by topic"].mean() < 1


@pytest.mark.parametrize("name", ["sign-flip", "randomised-tukey"])
def test_randomised_tests_by_topic_agree_with_the_t_test(name: str) -> None:
    """On some 50 topics of normal scores sign flips and the t test differ where p is near alpha only."""
    rows = MATRIX.by_group(centred=True)
    _, result = decided(rows, test=name, n_systems=2, n_permutations=999, min_d=0.5)
    _, by_t = decided(rows, test="paired-t", min_d=0.5)
    assert (result["by topic"] == by_t["by topic"]).mean() > 0.94


def test_the_type_one_error_by_topic_is_that_of_the_design_effect() -> None:
    """The variance of the mean is 1 + 11 rho that of independent topics: P(|t| > t_crit / sqrt(1 + 11 rho))."""
    matrix = drawn((12,) * 400, 0.2, 2, 1)  # so many groups that the sample has nearly the model's moments
    request = Request(test="paired-t", n_topics=25, min_d=0.5, n_trials=2000)
    found = achieved_power(matrix.by_group(centred=True), request)
    expected = 2 * stats.norm.sf(stats.t.isf(0.025, 299) / math.sqrt(3.2))
    by_topic = found.type_one_by_topic
    assert by_topic is not None
    # 4 standard errors of 2,000 trials, and .03 for the moments of 400 groups: their design effect is within 10 %
    assert by_topic.value == pytest.approx(expected, abs=0.03 + 4 * math.sqrt(0.25 / 2000))
    assert found.type_one.value == pytest.approx(0.05, abs=4 * math.sqrt(0.0475 / 2000) + 0.005)
    report = QUESTION.report(found)
    assert report.answers[0]["type_one_by_topic"]["rate"] == by_topic.value
    tiles = {number.label: number.value for number in found_on(report.findings, "tile")}
    assert f"{100 * by_topic.value:.1f} %" in tiles["Type I error by topic"]


def test_exchanging_groups_makes_no_correlation_of_a_difference() -> None:
    """Independent topics of two systems far apart: Wilcoxon's test keeps alpha by topic, too."""
    matrix = drawn((5,) * 40, 0.0, 2, 3)
    apart = replace(matrix, scores=matrix.scores + np.array([0.0, 2.0]))
    request = Request(test="wilcoxon", n_topics=40, min_d=0.5, n_trials=1000)
    found = achieved_power(apart.by_group(centred=True), request).type_one_by_topic
    assert found is not None
    # 4 standard errors of 1,000 trials; with the difference left in, it would be .5 and more
    assert found.value == pytest.approx(0.05, abs=0.01 + 4 * math.sqrt(0.0475 / 1000))


def test_no_rate_by_topic_where_there_is_none() -> None:
    rows, request = (
        MATRIX.by_group(centred=True),
        Request(test="two-sample-t", n_topics=9, n_trials=20, min_d=0.5),
    )
    assert achieved_power(rows, request).type_one_by_topic is None  # separate topics
    alone = achieved_power(MATRIX.grouped(None), Request(test="paired-t", n_topics=9, n_trials=20, min_d=0.5))
    assert "type_one_by_topic" not in QUESTION.report(alone).answers[0]
    too_many = Request(
        test="paired-t", n_topics=2600, n_trials=2, min_d=0.5
    )  # of up to 8 topics: over 20,000
    assert achieved_power(rows, too_many).type_one_by_topic is None
