"""The exact signed-ranks test, against scipy and against all signs."""

from itertools import product

import numpy as np
import pytest
import scipy

from topicset_core.analyses.training_sensitivity.significance import (
    LARGEST_EXACT,
    doubled_ranks,
    holm,
    signed_rank,
)
from topicset_core.analyses.training_sensitivity.surfaces import spearman


@pytest.mark.parametrize("n", [1, 2, 5, 10, 30, 50])
def test_without_ties_against_scipy(n: int) -> None:
    differences = np.random.default_rng(n).normal(0.3, 1.0, n)
    expected = scipy.stats.wilcoxon(differences, method="exact").pvalue
    assert signed_rank(differences).p_value == pytest.approx(expected, rel=1e-12)  # sums of halves: rounding


def test_with_ties_and_zeros_against_all_signs() -> None:
    differences = np.array([0.1, -0.1, 0.2, 0.2, 0.3, -0.1, 0.0, 0.4, 0.2])
    kept = differences[differences != 0]
    ranks = scipy.stats.rankdata(np.abs(kept))
    observed = min(ranks[kept > 0].sum(), ranks[kept < 0].sum())
    sums = [(np.array(signs) * ranks).sum() for signs in product((0, 1), repeat=kept.size)]
    expected = min(1.0, 2 * np.mean([total <= observed for total in sums]))
    found = signed_rank(differences)
    assert found.n == 8
    assert found.p_value == pytest.approx(expected, rel=1e-12)


def test_ten_samples_that_all_favour_one_side() -> None:
    assert signed_rank(np.full(10, 0.01)).p_value == 2 / 2**10


def test_rounding_is_no_difference() -> None:
    found = signed_rank(np.array([1e-17, -1e-16, 0.0]))
    assert (found.n, found.p_value) == (0, 1.0)


def test_many_pairs_against_scipy() -> None:
    differences = np.random.default_rng(3).normal(0.05, 1.0, LARGEST_EXACT + 100)
    expected = scipy.stats.wilcoxon(differences, method="asymptotic").pvalue  # type: ignore[call-overload]
    assert signed_rank(differences).p_value == pytest.approx(expected, rel=1e-9)


def test_ranks_and_spearman_against_scipy() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.integers(0, 6, (2, 40)).astype(float)
    assert doubled_ranks(first).tolist() == (2 * scipy.stats.rankdata(first)).tolist()
    expected = scipy.stats.spearmanr(first, second).statistic
    assert spearman(first, second) == pytest.approx(expected, rel=1e-12)
    assert spearman(first, np.ones(40)) is None


def test_holm_by_hand() -> None:
    # .01 x 3; then .03 x 2; .04 may not fall below what stands before it.
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.7, 0.9]) == [1.0, 1.0]
