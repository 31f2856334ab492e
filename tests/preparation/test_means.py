"""The mean of group means and both of its standard errors: by hand, by SciPy and by simulation; constant runs."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from tests.refusals import refused
from tests.variance.matrices import of
from tests.variance.test_group_components import SIZES, drawn, grouped
from topicset_core.collection import ScoreMatrix
from topicset_core.preparation import caution_on_constant_runs, constant_runs, join_topics, mean_of
from topicset_core.preparation.means import (
    estimand,
    for_other_groups,
    for_same_groups,
    rows_of,
    system_means,
    topic_weights,
)

BY_HAND = grouped(np.array([[1.0], [3.0], [2.0], [4.0], [6.0], [9.0]]), (2, 3, 1))
"""Group means 2, 4 and 9: their mean is 5 and their variance ((-3)^2 + (-1)^2 + 4^2) / 2 = 13."""


def test_tiny_table_by_hand() -> None:
    assert BY_HAND.group_means().scores[:, 0].tolist() == [2.0, 4.0, 9.0]
    assert system_means(BY_HAND, "groups").tolist() == [5.0]
    assert system_means(BY_HAND, "topics") == pytest.approx([25 / 6])
    found = for_other_groups(BY_HAND)
    assert (found.errors[0], found.df[0]) == (pytest.approx(math.sqrt(13 / 3)), 2.0)
    assert for_same_groups(BY_HAND) is None  # the last group has 1 topic
    # Without it variances within groups are 2 and 4, so v is 2 / 2 and 4 / 3, and df (7/3)^2 / (1 + 16/9 / 2).
    two = BY_HAND.taken(range(5), [0])
    same = for_same_groups(two)
    assert same is not None
    assert same.errors[0] == pytest.approx(math.sqrt(7 / 3) / 2)
    assert same.df[0] == pytest.approx((49 / 9) / (1 + 8 / 9))
    # Weights: 6 / (3 n_i) for groups of 2, 3 and 1, relative to 1 for each topic.
    assert topic_weights(BY_HAND, "groups") == pytest.approx([1, 1, 2 / 3, 2 / 3, 2 / 3, 2])
    assert topic_weights(BY_HAND, "topics").tolist() == [1.0] * 6


def test_other_groups_against_scipy() -> None:
    matrix = drawn(SIZES, 0.3, 4)
    rows, found = rows_of(matrix, "groups"), for_other_groups(matrix)
    assert rows.by_topic is matrix
    for place in range(4):
        expected = stats.ttest_1samp(rows.scores[:, place], 0.0)
        assert rows.scores[:, place].mean() / found.errors[place] == pytest.approx(
            expected.statistic, rel=1e-12
        )
        assert found.df[place] == expected.df


def test_same_groups_against_scipy() -> None:
    """Of two groups: Welch's test of their difference has the variance of their sum, and its degrees of freedom."""
    matrix = drawn((5, 9), 0.3, 2)
    found = for_same_groups(matrix)
    assert found is not None
    welch = stats.ttest_ind(matrix.scores[:5], -matrix.scores[5:], equal_var=False)
    assert found.df == pytest.approx(welch.df, rel=1e-12)
    means = matrix.scores[:5].mean(axis=0) + matrix.scores[5:].mean(axis=0)
    assert means / (2 * found.errors) == pytest.approx(welch.statistic, rel=1e-12)
    constant = for_same_groups(grouped(np.array([[1.0], [1.0], [2.0], [2.0]]), (2, 2)))
    assert constant is not None
    assert (constant.errors[0], constant.df[0]) == (0.0, 2.0)


def test_equal_groups_have_the_mean_over_topics() -> None:
    matrix = drawn((4,) * 10, 0.3, 3)
    assert system_means(matrix, "groups") == pytest.approx(system_means(matrix, "topics"), rel=1e-12)
    assert matrix.group_means().scores == pytest.approx(matrix.by_group().scores, rel=1e-12)


TRIALS = 4000


@pytest.mark.parametrize("rho", [0.0, 0.2, 0.5])
@pytest.mark.parametrize("sizes", [(12,) * 10, (5, 30, 60), (2, 3, 4, 5, 8, 12, 16, 20, 25, 30)], ids=str)
def test_both_intervals_cover_in_simulation(sizes: tuple[int, ...], rho: float) -> None:
    """Each system is a trial of normal scores: 95 % for equal groups, and no less than 94 for unequal ones."""
    rng = np.random.default_rng(11)
    between = math.sqrt(rho) * rng.normal(size=(len(sizes), TRIALS))
    inside = math.sqrt(1 - rho) * rng.normal(size=(sum(sizes), TRIALS))
    matrix = grouped(np.repeat(between, sizes, axis=0) + inside, sizes)
    others, same = for_other_groups(matrix), for_same_groups(matrix)
    assert same is not None
    means, error = system_means(matrix, "groups"), 3.5 * math.sqrt(0.05 * 0.95 / TRIALS)
    covers = np.mean(np.abs(means) <= stats.t.ppf(0.975, others.df) * others.errors)
    covers_same = np.mean(np.abs(means - between.mean(axis=0)) <= stats.t.ppf(0.975, same.df) * same.errors)
    least = 0.95 if len(set(sizes)) == 1 else 0.94
    most = 0.95 if rho and len(set(sizes)) == 1 else 0.975  # without correlation unequal means vary unequally
    assert least - error <= covers <= most + error
    assert least - error <= covers_same <= 0.95 + error


def test_usual_mean_is_that_of_groups_where_matrices_were_joined() -> None:
    first, second = of(np.eye(3), name="one"), of(np.eye(3), name="two")
    joined, _ = join_topics([first, second])
    assert joined.is_joined
    assert (mean_of(joined, None), mean_of(joined, "topics"), mean_of(joined, "groups")) == (
        "groups",
        "topics",
        "groups",
    )
    assert mean_of(BY_HAND, None) == "topics"
    # It is kept where scores are taken or replaced, and lost with the groups; equality does not count it.
    assert joined.taken([0, 1, 3, 4], [0, 1]).is_joined
    assert replace(joined, scores=joined.scores + 1).is_joined
    assert not joined.grouped(None).is_joined
    assert not joined.group_means().is_joined
    again = joined.grouped(dict(zip(joined.topics, joined.groups or (), strict=True)))
    assert not again.is_joined
    assert (again, again.digest) == (joined, joined.digest)
    error = refused(mean_of, joined.grouped(None), "groups")
    assert error.parameter == "mean"
    assert "have none" in error.rule


def test_estimands_in_words() -> None:
    assert estimand(BY_HAND, "topics") == "mean over 6 topics in 3 groups"
    assert estimand(BY_HAND, "groups") == "mean of 3 group means over 6 topics, each group counting the same"
    assert estimand(BY_HAND.grouped(None), "topics") == "mean over 6 topics"


def _runs(*columns: float | None) -> ScoreMatrix:
    """Columns of one score each; None for scores that vary."""
    scores = [[0.1, 0.2, 0.3] if one is None else [one] * 3 for one in columns]
    return of(np.array(scores).T, systems=[f"r{place}" for place in range(len(columns))])


def test_constant_runs_are_named_with_their_score() -> None:
    assert constant_runs(_runs(None, 0.0, None, 0.5)) == {"r1": 0.0, "r3": 0.5}
    assert str(constant_runs(_runs(-0.0))) == "{'r0': 0.0}"
    for matrix, sentence in (
        (_runs(None, None), ""),
        (_runs(None, 0.0), "r1 has the score 0 on every topic: did it run?"),
        (_runs(0.0, 0.0), "r0 and r1 have the score 0 on every topic: did they run?"),
        (_runs(None, 0.5), "r1 has the score 0.5 on every topic: check its scores."),
        (
            _runs(*[0.0] * 7, 1.0, 1.0),
            "r0, r1, r2, r3, r4 and 2 more have the score 0 on every topic: did they run? "
            "r7 and r8 have the score 1 on every topic: check their scores.",
        ),
    ):
        assert caution_on_constant_runs(matrix) == sentence
    # Rows of groups vary with their sizes, but scores by topic do not.
    rows = grouped(np.array([[0.5, 1], [0.5, 2], [0.5, 3]]), (1, 2)).by_group()
    assert constant_runs(rows) == {"s0": 0.5}
