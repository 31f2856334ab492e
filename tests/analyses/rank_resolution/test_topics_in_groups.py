"""Leaderboards of topics in groups: whole groups are flipped, and rows of groups have the means of topics."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from tests.analyses.rank_resolution.test_resolution import all_flips, rejected
from tests.refusals import refused
from tests.variance.test_clustered_differences import DIFFERENCES
from tests.variance.test_group_components import SIZES, drawn, grouped
from topicset_core.analyses.rank_resolution import Request, resolve
from topicset_core.analyses.rank_resolution.chosen_systems import two_systems, verify_top
from topicset_core.analyses.rank_resolution.discriminative_power import PowerRequest, discriminative_power
from topicset_core.analyses.rank_resolution.report import QUESTION
from topicset_core.analyses.score_variance.report import run_means
from topicset_core.analyses.two_systems import Request as TwoRequest
from topicset_core.analyses.two_systems import compare_two
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.findings import texts
from topicset_core.variance import clustered_differences

MATRIX = drawn((4,) * 10, 0.4, 5)
FEW = Request(n_trials=500)


def test_rows_of_groups_have_the_means_of_topics() -> None:
    matrix = drawn(SIZES, 0.3, 4)
    rows = matrix.by_group()
    assert rows.topics == ("g0", "g1", "g2", "g3", "g4")
    assert rows.groups is None
    assert rows.scores.mean(axis=0) == pytest.approx(matrix.scores.mean(axis=0), rel=1e-12)
    assert rows.scores[1] == pytest.approx(matrix.scores[3:5].sum(axis=0) * 5 / 15, rel=1e-12)
    centred = matrix.by_group(centred=True)
    assert centred.scores.mean(axis=0) == pytest.approx(matrix.scores.mean(axis=0), rel=1e-12)
    pairs = clustered_differences(matrix)  # CR1 is CR2 with g / (g - 1) for 1 / (1 - h_i)
    difference = centred.scores[:, 0] - centred.scores[:, 1]
    sums = np.add.reduceat(matrix.scores[:, 0] - matrix.scores[:, 1] - pairs.differences[0], [0, 3, 5, 9, 10])
    assert difference.var(ddof=1) / 5 == pytest.approx(5 / 4 * np.square(sums).sum() / 15**2, rel=1e-9)
    plain = matrix.grouped(None)
    assert plain.by_group() is plain
    assert refused(replace(matrix, groups=("x",) * matrix.n_topics).by_group).parameter == "groups"


def test_groups_of_one_topic_are_topics() -> None:
    alone = replace(MATRIX, groups=MATRIX.topics)
    found, plain = resolve(alone, FEW), resolve(MATRIX.grouped(None), FEW)
    assert np.array_equal(found.adjusted_p, plain.adjusted_p)
    assert np.array_equal(found.statistic, plain.statistic)
    assert found.unit == plain.unit == "topic"


def test_all_flips_of_whole_groups_by_hand() -> None:
    """Two systems in five groups: 2^5 sign patterns of the sums of groups, of which p is the share as extreme."""
    scores = np.column_stack([DIFFERENCES, np.zeros(15)])
    found = resolve(grouped(scores, SIZES))
    assert (found.n_flips, found.enumerated) == (32, True)
    sums = np.add.reduceat(np.array(DIFFERENCES), [0, 3, 5, 9, 10])
    signs = 1 - 2 * (np.arange(32)[:, np.newaxis] >> np.arange(5) & 1)
    extreme = np.abs(signs @ sums) >= abs(sums.sum()) - 1e-12
    assert found.adjusted_p[0] == extreme.mean()


def test_the_error_rate_of_equal_systems() -> None:
    """300 pairs of equal systems, correlated within groups: flips of topics find too many, of groups 5 %."""
    by_group = by_topic = 0
    for seed in range(300):
        matrix = drawn((6,) * 9, 0.5, 2, seed)
        by_group += resolve(matrix, FEW).n_resolved
        by_topic += resolve(matrix.grouped(None), FEW).n_resolved
    assert by_group <= 28  # 15 expected, four standard errors of 3.8
    assert by_topic > 60


def test_intervals_of_means_count_groups() -> None:
    """Of equal groups the t interval of their means."""
    found = run_means(MATRIX)
    means = MATRIX.scores.reshape(10, 4, 5).mean(axis=1)
    half = stats.t.ppf(0.975, 9) * means.std(axis=0, ddof=1) / np.sqrt(10)
    order = np.argsort(-means.mean(axis=0), kind="stable")
    assert found.upper - found.means == pytest.approx(half[order], rel=1e-9)
    assert found.means - found.lower == pytest.approx(half[order], rel=1e-9)


def test_sentences_name_groups() -> None:
    better = replace(MATRIX, scores=MATRIX.scores + np.arange(5))
    answer = QUESTION.answer(better, replace(FEW, pair=("s0", "s1")))
    text = "\n".join([*texts(QUESTION.report(answer).findings, "terminal"), *QUESTION.text(answer)])
    assert "mean over 40 topics in 10 groups" in text
    assert "A new set of 10 groups" in text
    assert "new topics" not in text
    record = QUESTION.report(answer).record()["results"][0]
    assert record["n_groups"] == 10
    of_pair = two_systems(answer.resolution, "s4", "s3")
    assert of_pair.n_again == 10
    assert of_pair.difference == pytest.approx(better.scores[:, 4].mean() - better.scores[:, 3].mean())


UNEQUAL = (1, 6, 2, 3, 5, 4, 2, 8)


def spread(sizes: tuple[int, ...], seed: int) -> ScoreMatrix:
    """Scores of four systems with different means."""
    matrix = drawn(sizes, 0.2, 4, seed)
    return replace(matrix, scores=matrix.scores + np.arange(4))


def test_unequal_groups_are_flipped_against_a_plain_twin() -> None:
    # The loop of Romano and Wolf on sums over groups, all 2^8 flips.
    matrix = spread(UNEQUAL, 2)
    names = np.array(matrix.groups)
    sums = np.stack([matrix.scores[names == one].sum(axis=0) for one in matrix.group_sizes])
    found = resolve(matrix)
    order = [matrix.systems.index(name) for name in found.systems]
    expected = rejected(sums, 0.05, 0.5, all_flips(8))
    assert {(order[i], order[k]) for i, k in np.argwhere(found.resolved).tolist()} == expected
    assert 0 < len(expected) < 6


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_two_systems_in_unequal_groups_are_as_compare_two_finds(lower_is_better: bool) -> None:
    matrix = spread(UNEQUAL, 7)
    resolution = resolve(matrix, replace(FEW, lower_is_better=lower_is_better))
    found = two_systems(resolution, "s0", "s3")
    asked = TwoRequest(pair=(found.worse, found.better), lower_is_better=lower_is_better)
    expected = compare_two(matrix, asked)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-9)
    assert found.p_by_t == pytest.approx(expected.p_value, rel=1e-9)
    assert found.same_groups == pytest.approx(expected.same_groups, rel=1e-9)
    best = verify_top(resolution, 1)
    closest = compare_two(matrix, replace(asked, pair=(best.closest[1], best.closest[0])))
    assert best.p_value == pytest.approx(closest.p_value, rel=1e-9)


def test_group_means_that_are_all_equal_have_no_interval_as_compare_two_refuses() -> None:
    eighths = np.array([1, 3, 0, 4, 2, 2, 3, 1])  # sums of groups are exact: 4
    matrix = grouped(np.column_stack([eighths / 8, np.zeros(8)]), (2, 2, 2, 2))
    assert "without variance between groups" in refused(lambda: compare_two(matrix)).rule
    two = two_systems(resolve(matrix), "s0", "s1")
    # All 4 groups are in favour: 2 of 2^4 sign flips are as extreme.
    assert two.comparison.startswith(
        "s0 leads s1 by 0.25 in every group (p values: 0.12 by all sign flips, 0.12 among all pairs). "
        "Without variance between groups there is neither a confidence interval nor a t test."
    )
    assert (two.low, two.p_by_t, two.statistic, two.same_groups) == (None, None, None, None)


def test_two_systems_are_not_all_1_pair() -> None:
    scores = np.column_stack([np.arange(4) / 8 + 1, np.zeros(4)])  # 4 groups have no p value below 2 / 2^4
    answer = QUESTION.answer(grouped(scores, (1,) * 4), Request(top_k=1))
    report = QUESTION.report(answer)
    assert any(
        text.endswith("The sign flips leave 2 candidates.") for text in texts(report.findings, "terminal")
    )
    assert "step-down. The order of the two systems is not resolved by" in report.text[0]
    assert "error rate of 5 %. Each of the 2" in report.text[0]


def test_two_systems_with_scores_of_0_and_1_in_groups_are_as_compare_two_finds() -> None:
    matrix = grouped((drawn(UNEQUAL, 0.2, 2, 3).scores > [0.0, 0.5]).astype(float), UNEQUAL)
    expected = compare_two(matrix)
    found = two_systems(resolve(matrix), *matrix.systems[:: 1 if expected.difference < 0 else -1])
    sign = 1 if found.better == expected.new else -1
    assert (found.low, found.high) == tuple(sorted((sign * expected.low, sign * expected.high)))
    assert found.same_groups is not None
    assert found.same_groups == tuple(sorted(sign * one for one in expected.same_groups or ()))
    assert "interval, Tango's" not in found.comparison


def test_discriminative_power_of_topics_that_only_repeat_their_group() -> None:
    matrix = spread((1,) * 25, 4).grouped(None)
    twice = grouped(np.repeat(matrix.scores, 2, axis=0), (2,) * 25)
    plain, found = (discriminative_power(one, PowerRequest(n_trials=200)) for one in (matrix, twice))
    assert found.tukey == pytest.approx(plain.tukey, rel=1e-9)
    assert found.smallest_significant == pytest.approx(plain.smallest_significant, rel=1e-9)
