"""The estimates without each topic against the same estimates of matrices without it, and draws of topics."""

from dataclasses import replace

import numpy as np
import pytest

from tests.variance.matrices import of
from tests.variance.test_group_components import drawn
from topicset_core.analyses.stability.result import resampled_counts
from topicset_core.variance import ESTIMATES, Estimate
from topicset_core.variance.choices import chosen_pair, pair_percentile
from topicset_core.variance.group_components import of_group_means

ALL = (*ESTIMATES, pair_percentile(50), chosen_pair("s0", "s2"))
RNG = np.random.default_rng(11)
SMALL = of(RNG.random((12, 5)) + RNG.random((12, 1)))


def plain(scores: np.ndarray, estimate: Estimate, places: range) -> list[float]:
    return [estimate(of(np.delete(scores, place, axis=0))) for place in places]


@pytest.mark.parametrize("estimate", ALL, ids=lambda estimate: estimate.name)
@pytest.mark.parametrize("n_topics", [3, 12])
def test_closed_forms_against_a_loop(estimate: Estimate, n_topics: int) -> None:
    scores = SMALL.scores[:n_topics]
    # Sums of some 60 squares in another order: errors of some 1e-15.
    assert estimate.without_each(of(scores)) == pytest.approx(
        plain(scores, estimate, range(n_topics)), rel=1e-12
    )


@pytest.mark.parametrize("estimate", ALL, ids=lambda estimate: estimate.name)
def test_without_each_group_against_a_loop(estimate: Estimate) -> None:
    """The estimate, and that of means of groups, of matrices that lack a group."""
    matrix = drawn((3, 2, 4, 1, 5, 2), 0.3, 4)
    names = np.array(matrix.groups)
    others = [matrix.taken(np.flatnonzero(names != group).tolist(), range(4)) for group in matrix.group_sizes]
    for one in (estimate, of_group_means(estimate, 1), of_group_means(estimate, 12)):
        expected = [one(other) for other in others]
        assert one.without_each(matrix) == pytest.approx(expected, rel=1e-12)  # sums of some 60 squares
    alone = replace(matrix, groups=("x",) * matrix.n_topics)
    assert estimate.without_each(alone).tolist() == estimate.without_each(matrix.grouped(None)).tolist()


@pytest.mark.parametrize("estimate", [one for one in ALL if one.name != "total"], ids=lambda one: one.name)
def test_nothing_is_left_without_the_only_topic_that_differs(estimate: Estimate) -> None:
    scores = np.tile(RNG.random(5), (12, 1))
    scores[4] += RNG.random(5)
    result = estimate.without_each(of(scores))
    assert result[4] < 1e-16  # of variances of some 0.01: rounding
    assert (np.delete(result, 4) > 0.001).all()


def test_a_common_value_changes_nothing() -> None:
    """Centring first: at 2 ** 26 sums of raw squares would have lost all digits."""
    scores = RNG.integers(0, 64, (20, 4)) / 64
    for estimate in ESTIMATES:
        near, far = estimate.without_each(of(scores)), estimate.without_each(of(scores + 2.0**26))
        assert far == pytest.approx(near, rel=1e-12)


def test_the_memory_limit_changes_no_percentile(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pair_percentile(95).without_each(SMALL)
    monkeypatch.setattr("topicset_core.variance.estimates._MOST_VALUES", 70)  # 7 topics of 10 pairs
    assert pair_percentile(95).without_each(SMALL).tolist() == whole.tolist()


def test_counts_are_draws_with_replacement() -> None:
    counts = resampled_counts(6, 20_000, np.random.default_rng(5))
    assert counts.shape == (20_000, 6)
    assert (counts.sum(axis=1) == 6).all()
    # Multinomial: variance n (1/n)(1 - 1/n) = 5/6, covariance -1/6; standard errors below .01.
    covariance = np.cov(counts.T)
    assert np.diagonal(covariance) == pytest.approx(np.full(6, 5 / 6), abs=0.04)
    assert covariance[np.triu_indices(6, k=1)] == pytest.approx(np.full(15, -1 / 6), abs=0.04)


def test_many_topics_are_drawn_in_parts_with_the_same_counts() -> None:
    n_topics, n_trials = 20_000, 7  # two resamples at a time
    drawn = np.random.default_rng(4).integers(n_topics, size=(n_trials, n_topics))
    counts = resampled_counts(n_topics, n_trials, np.random.default_rng(4))
    assert counts.tolist() == [np.bincount(row, minlength=n_topics).tolist() for row in drawn]
