"""Tests of significance: the exact signed-ranks test against scipy and all signs, sign tests against He et al.

Marks are those of tables 4 and 5 of He, Macdonald and Ounis (SIGIR 2008).
"""

from itertools import product
from math import comb

import numpy as np
import pytest
import scipy

from topicset_core.analyses.training_sensitivity.report import sign_test_text
from topicset_core.analyses.training_sensitivity.significance import (
    LARGEST_EXACT,
    doubled_ranks,
    sign_test,
    signed_rank,
)
from topicset_core.analyses.training_sensitivity.tables import spearman


@pytest.mark.parametrize(
    ("more", "less", "mark", "p_value"),
    [  # cells of both tables and their marks as printed; p: formulas-and-expected-values.md 9.3, three digits
        (17, 7, "", 0.0639),
        (18, 6, ">", 0.0227),
        (27, 13, ">", 0.0385),
        (19, 5, "≫", 0.00661),
        (24, 16, "", 0.268),
        (34, 30, "", 0.708),
        (16, 24, "", 0.268),
        (45, 19, "≫", 0.00156),
        (24, 0, "≫", 1.19e-7),
        (57, 7, "≫", 7.64e-11),
    ],
)
def test_marks_as_printed_and_p_values(more: int, less: int, mark: str, p_value: float) -> None:
    assert sign_test(more, less) == (pytest.approx(p_value, rel=5e-3), mark)
    assert sign_test(less, more)[0] == sign_test(more, less)[0]


def test_even_splits_ties_and_less_stable_measures() -> None:
    # Six of seven: 2 (1 + 7) of 128 signs are as uneven.
    assert sign_test(6, 1)[0] == 2 * (comb(7, 0) + comb(7, 1)) / 128
    assert sign_test(4, 4) == sign_test(0, 0) == (1.0, "")
    assert (sign_test(6, 18)[1], sign_test(0, 24)[1]) == ("<", "≪")


def test_a_sign_test_is_written_as_in_the_paper() -> None:
    for tied, text in ((1, "20/3 (1 tied) ≫"), (0, "20/3 ≫")):
        assert sign_test_text({"test": {"more": 20, "less": 3, "tied": tied}, "mark": "≫"}) == text
    assert sign_test_text({"test": {"more": 0, "less": 0, "tied": 9}, "mark": ""}) == "0/0 (9 tied)"


@pytest.mark.parametrize("n", [1, 10, 50])
def test_without_ties_against_scipy(n: int) -> None:
    differences = np.random.default_rng(n).normal(0.3, 1.0, n)
    expected = scipy.stats.wilcoxon(differences, method="exact").pvalue
    assert signed_rank(differences)[1] == pytest.approx(expected, rel=1e-12)  # sums of halves: rounding


def test_with_ties_and_zeros_against_all_signs() -> None:
    differences = np.array([0.1, -0.1, 0.2, 0.2, 0.3, -0.1, 0.0, 0.4, 0.2])
    kept = differences[differences != 0]
    ranks = scipy.stats.rankdata(np.abs(kept))
    observed = min(ranks[kept > 0].sum(), ranks[kept < 0].sum())
    sums = [(np.array(signs) * ranks).sum() for signs in product((0, 1), repeat=kept.size)]
    expected = min(1.0, 2 * np.mean([total <= observed for total in sums]))
    assert signed_rank(differences) == (8, pytest.approx(expected, rel=1e-12))


def test_rounding_error_is_not_a_difference() -> None:
    assert signed_rank(np.array([1e-17, -1e-16, 0.0])) == (0, 1.0)


def test_many_pairs_against_scipy() -> None:
    differences = np.random.default_rng(3).normal(0.05, 1.0, LARGEST_EXACT + 100)
    expected = scipy.stats.wilcoxon(differences, method="asymptotic").pvalue  # type: ignore[call-overload]  # the stubs lack "asymptotic"
    assert signed_rank(differences)[1] == pytest.approx(expected, rel=1e-9)


def test_ranks_and_spearman_against_scipy() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.integers(0, 6, (2, 40)).astype(float)
    assert doubled_ranks(first).tolist() == (2 * scipy.stats.rankdata(first)).tolist()
    expected = scipy.stats.spearmanr(first, second).statistic
    assert spearman(first, second) == pytest.approx(expected, rel=1e-12)
    assert spearman(first, np.ones(40)) is None
