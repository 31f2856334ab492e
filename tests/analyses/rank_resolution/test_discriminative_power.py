"""Randomised Tukey HSD against its exact distribution and the figures of reference matrices."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from tests.analyses.rank_resolution.test_resolution import drawn
from tests.reference_data import reference_matrix
from topicset_core.analyses.rank_resolution.discriminative_power import (
    PowerRequest,
    curve_of,
    discriminative_power,
    randomised_ranges,
)


@pytest.mark.slow
@pytest.mark.reference_data
def test_sakai_20x3_against_the_exact_distribution() -> None:
    # By convolution over all 6^20 permutations: ASL of X - Y, X - Z and Y - Z. Four standard errors of 50,000.
    result = discriminative_power(reference_matrix("sakai_20x3"), PowerRequest(n_trials=50_000))
    assert result.asl == pytest.approx([0.89159987, 0.30376416, 0.10658730], abs=0.0084)
    assert result.tukey == pytest.approx(0.11409423, abs=5e-9)
    assert result.n_by_tukey == 0


def test_ranges_are_those_of_all_permutations() -> None:
    matrix = drawn(3, 3, 0)
    sums = [
        np.ptp(np.sum(rows, axis=0)) / 3
        for rows in itertools.product(*(list(itertools.permutations(row)) for row in matrix.scores))
    ]
    result = randomised_ranges(matrix, PowerRequest(n_trials=20_000, seed=1))
    for q in (0.1, 0.5, 0.9):
        point = np.quantile(sums, q)
        # Four standard errors of a share at 1/2.
        assert np.mean(result <= point + 1e-9) == pytest.approx(np.mean(sums <= point + 1e-9), abs=4 * 0.0036)


@pytest.mark.reference_data
@pytest.mark.parametrize(
    ("name", "n_significant", "point", "mean_asl", "n_by_tukey"),
    [  # 2,000 permutations (4,000 for the first); Tukey in closed form
        ("trec8_adhoc_top96_ap", 636, 0.0993, 0.783, 780),
        ("dl2019_passage_ndcg10", 220, 0.1596, None, 304),
        ("web2012_err20", 129, 0.1634, None, 154),
    ],
)
def test_reference_matrices(
    name: str, n_significant: int, point: float, mean_asl: float | None, n_by_tukey: int
) -> None:
    result = discriminative_power(reference_matrix(name), PowerRequest())
    assert result.n_by_tukey == n_by_tukey
    # The 95 % point of 2,000 ranges has a relative standard error of about .6 %, and pairs go with it.
    assert result.smallest_significant == pytest.approx(point, rel=0.02)
    assert result.n_significant == pytest.approx(n_significant, rel=0.03)
    if mean_asl is not None:
        assert result.mean_asl == pytest.approx(mean_asl, abs=0.01)
    assert result.predicted is not None
    assert result.smallest_significant == pytest.approx(result.predicted, rel=0.03)
    assert result.n_significant < result.n_by_tukey


@pytest.mark.parametrize(
    ("alpha", "n_trials"), [(0.05, 500), (0.05, 40), (0.07, 100), (0.29, 100), (0.01, 50)]
)
def test_pairs_above_the_point_are_those_with_a_level_below_alpha(alpha: float, n_trials: int) -> None:
    # 0.07 * 100 is above 7 in double precision, and 1 - 0.93 below 0.07: a level of 7 / 100 is not below 0.07.
    matrix = drawn(20, 24, 1, spread=0.15)
    result = discriminative_power(matrix, PowerRequest(alpha=alpha, n_trials=n_trials))
    ranges = randomised_ranges(matrix, PowerRequest(n_trials=n_trials))
    counts = np.array([(ranges >= one).sum() for one in result.difference])
    significant = [Fraction(int(count), n_trials) < Fraction(str(alpha)) for count in counts]
    assert result.asl.tolist() == [count / n_trials for count in counts]
    assert (result.difference > result.smallest_significant).tolist() == significant
    assert result.n_significant == sum(significant)
    assert result.share == sum(significant) / result.n_pairs
    share, asl = curve_of(result)
    assert share[-1] == 1.0
    assert np.all(np.diff(asl) <= 0)
    assert 0 < sum(significant) < result.n_pairs
