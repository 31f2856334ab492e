"""Variances against Sakai 2016, gt4ireval, Brennan, Sakai's book, SciPy, statsmodels and theory.

"Notes" in comments are computed values: by separate NumPy code on the same public matrices, checked
with R where digits are shown. Their tolerance is half of the last digit they were printed with.
"""

import warnings
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import f_oneway

from tests.reference_data import reference_file, reference_matrix
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.variance import (
    mean_pair_difference_variance,
    mean_squares,
    one_way,
    pooled,
    total,
    two_way,
)


def description_only() -> set[str]:
    """The 32 runs that Sakai's TREC04new leaves out, as the README of the reference data names them."""
    readme = reference_file("README.md").read_text(encoding="utf-8")
    names = readme.partition("The 32: ")[2].partition(".\n")[0].replace("\n", " ").split(",")
    return {name.strip() for name in names}


def of(scores: object, measure: str = "AP") -> ScoreMatrix:
    values = np.asarray(scores, dtype=float)
    return ScoreMatrix(
        scores=values,
        topics=tuple(f"t{i}" for i in range(values.shape[0])),
        systems=tuple(f"s{i}" for i in range(values.shape[1])),
        measure=measure,
        name="test",
    )


def part(matrix: ScoreMatrix, rows: slice, keep: list[bool] | None = None) -> ScoreMatrix:
    return of(matrix.scores[rows] if keep is None else matrix.scores[rows][:, keep])


@pytest.fixture(scope="module")
def trec03new() -> ScoreMatrix:
    """Topics 601-650: rows t051 to t100, all 78 runs."""
    whole = reference_matrix("robust2003_ap")
    assert whole.topics[50] == "t051"
    return part(whole, slice(50, 100))


@pytest.fixture(scope="module")
def trec04new() -> ScoreMatrix:
    """Topics 651-700 without 672, the 78 runs that are not description-only."""
    whole = reference_matrix("robust2004_ap")
    assert whole.topics[-49:] == tuple(str(topic) for topic in range(651, 701) if topic != 672)
    left_out = description_only()
    keep = [system not in left_out for system in whole.systems]
    assert sum(keep) == 78
    return part(whole, slice(-49, None), keep)


HALF_8TH = 5e-9  # values printed to 8 decimals


@pytest.mark.reference_data
def test_trec03new_against_notes(trec03new: ScoreMatrix) -> None:
    assert trec03new.scores.shape == (50, 78)
    assert one_way(trec03new) == pytest.approx(0.04797689, abs=HALF_8TH)
    assert two_way(trec03new) == pytest.approx(0.01317234, abs=HALF_8TH)
    assert total(trec03new) == pytest.approx(0.05355300, abs=HALF_8TH)
    assert mean_pair_difference_variance(trec03new) == pytest.approx(0.02634, abs=5e-6)


@pytest.mark.reference_data
def test_trec04new_against_notes(trec04new: ScoreMatrix) -> None:
    assert trec04new.scores.shape == (49, 78)
    assert one_way(trec04new) == pytest.approx(0.04620458, abs=HALF_8TH)
    assert two_way(trec04new) == pytest.approx(0.01252506, abs=HALF_8TH)
    assert total(trec04new) == pytest.approx(0.05101910, abs=HALF_8TH)
    assert mean_pair_difference_variance(trec04new) == pytest.approx(0.02505, abs=5e-6)


@pytest.mark.reference_data
def test_pooled_against_notes(trec03new: ScoreMatrix, trec04new: ScoreMatrix) -> None:
    both = (trec03new, trec04new)
    assert pooled(both) == pytest.approx(0.04709987, abs=HALF_8TH)
    assert pooled(both, two_way) == pytest.approx(0.01285204, abs=HALF_8TH)
    assert pooled(both, total) == pytest.approx(0.05229911, abs=HALF_8TH)


@pytest.mark.reference_data
def test_against_sakai_2016(trec03new: ScoreMatrix, trec04new: ScoreMatrix) -> None:
    """Sakai 2016 prints .0479, .0462 and pooled .0471 for AP.

    His AP comes from NTCIREVAL, the public matrices from trec_eval with scores rounded to 4
    decimals: .04798 here against .0479, hence one unit of the last digit.
    """
    last_digit = 1e-4
    assert one_way(trec03new) == pytest.approx(0.0479, abs=last_digit)
    assert one_way(trec04new) == pytest.approx(0.0462, abs=last_digit / 2)
    assert pooled([trec03new, trec04new]) == pytest.approx(0.0471, abs=last_digit / 2)


@pytest.mark.reference_data
@pytest.mark.parametrize(
    ("name", "rows", "one", "two", "all_scores", "pair"),
    [
        # Notes, table of variances; None where it prints none.
        ("trec3_adhoc_ap", slice(None), 0.03356, 0.01092, 0.04011, 0.02184),
        ("trec8_adhoc_ap", slice(None), 0.04008, 0.01361, None, 0.02722),
        ("robust2004_ap", slice(None), 0.04511, 0.01320, 0.04861, 0.02640),
        ("trec8_adhoc_top96_ap", slice(None), 0.04781, 0.01126, 0.04930, 0.02252),
        ("web2011_ndcg20", slice(None), 0.04226, 0.02116, None, None),
        ("web2012_ndcg20", slice(None), 0.02570, 0.01585, None, None),
        ("web2011_p10", slice(None), 0.09580, 0.03414, None, None),
        ("web2012_p10", slice(None), 0.08788, 0.04509, None, None),
        # Topics 651-700 of all 110 runs: the README of the reference data.
        ("robust2004_ap", slice(-49, None), 0.04808, None, None, None),
    ],
)
def test_real_matrices_against_notes(
    name: str, rows: slice, one: float, two: float | None, all_scores: float | None, pair: float | None
) -> None:
    matrix = part(reference_matrix(name), rows)
    for value, expected in (
        (one_way(matrix), one),
        (two_way(matrix), two),
        (total(matrix), all_scores),
        (mean_pair_difference_variance(matrix), pair),
    ):
        if expected is not None:
            assert value == pytest.approx(expected, abs=5e-6)  # 5 decimals are printed


@pytest.mark.reference_data
def test_trec3_to_all_digits_against_notes() -> None:
    matrix = reference_matrix("trec3_adhoc_ap")
    # Printed as doubles by other code: all but the last digits, which depend on the order of sums.
    assert one_way(matrix) == pytest.approx(0.03356198554857143, rel=1e-13)
    assert two_way(matrix) == pytest.approx(0.01091966740532705, rel=1e-13)
    assert mean_pair_difference_variance(matrix) == pytest.approx(0.02183933, abs=HALF_8TH)


@pytest.mark.reference_data
def test_mean_squares_against_gt4ireval() -> None:
    """README and vignette of gt4ireval: TREC-3 ad hoc, all 40 systems and without the worst quarter."""
    whole = reference_matrix("trec3_adhoc_ap")
    found = mean_squares(whole)
    assert found.between_system_mean_square == pytest.approx(0.36926, abs=5e-6)
    assert found.between_topic_mean_square == pytest.approx(0.91661, abs=5e-6)
    assert found.residual_mean_square == pytest.approx(0.01092, abs=5e-6)
    means = whole.scores.mean(axis=0)
    best = means > np.sort(means)[9]  # the worst 10 of 40 go
    found = mean_squares(part(whole, slice(None), best.tolist()))
    assert found.n_systems == 30
    assert found.between_system_mean_square == pytest.approx(0.15074, abs=5e-6)
    assert found.between_topic_mean_square == pytest.approx(0.85296, abs=5e-6)
    assert found.residual_mean_square == pytest.approx(0.010152, abs=5e-7)


@pytest.mark.reference_data
def test_variance_components_against_gt4ireval() -> None:
    """Components from the mean squares: README of gt4ireval, to the 5 digits it prints."""
    whole = reference_matrix("trec3_adhoc_ap")
    found = mean_squares(whole)
    residual = found.residual_mean_square
    systems = (found.between_system_mean_square - residual) / found.n_topics
    topics = (found.between_topic_mean_square - residual) / found.n_systems
    assert systems == pytest.approx(0.0071668, abs=5e-8)
    assert topics == pytest.approx(0.022642, abs=5e-7)
    # The one-way variance is topic plus residual component.
    assert one_way(whole) == pytest.approx(topics + residual, rel=1e-12)


@pytest.mark.reference_data
def test_synthetic_4_against_brennan() -> None:
    """Brennan 2001, tables 6.2 and 6.5: mean squares and components to 4 decimals."""
    matrix = reference_matrix("brennan_synthetic4", "rating")
    found = mean_squares(matrix)
    assert found.between_system_mean_square == pytest.approx(10.2963, abs=5e-5)
    assert found.between_topic_mean_square == pytest.approx(11.6273, abs=5e-5)
    assert found.residual_mean_square == pytest.approx(2.7872, abs=5e-5)
    components = (
        (found.between_system_mean_square - found.residual_mean_square) / 12,
        (found.between_topic_mean_square - found.residual_mean_square) / 10,
    )
    assert components == pytest.approx((0.6258, 0.8840), abs=5e-5)
    assert one_way(matrix) == pytest.approx(3.671212, abs=5e-7)  # notes
    assert two_way(matrix) == pytest.approx(2.787205, abs=5e-7)  # notes


@pytest.mark.reference_data
def test_three_systems_against_sakai_book() -> None:
    """Table 5.1 of Sakai's book; results as in the tests of elinor, R agrees."""
    matrix = reference_matrix("sakai_20x3", "nDCG@5")
    found = mean_squares(matrix)
    half_4th = 5e-5
    assert found.between_system_sum == pytest.approx(0.1083, abs=half_4th)
    assert found.between_topic_sum == pytest.approx(1.0293, abs=half_4th)
    assert found.residual_sum == pytest.approx(0.8317, abs=half_4th)
    assert found.total_sum == pytest.approx(1.969333, abs=5e-7)
    assert found.between_system_mean_square == pytest.approx(0.0542, abs=half_4th)
    assert found.between_topic_mean_square == pytest.approx(0.0542, abs=half_4th)
    assert found.residual_mean_square == pytest.approx(0.0219, abs=half_4th)
    residual = found.residual_mean_square
    assert found.between_system_mean_square / residual == pytest.approx(2.4749, abs=half_4th)
    assert found.between_topic_mean_square / residual == pytest.approx(2.4754, abs=half_4th)
    one_way_f = found.between_system_mean_square / found.within_system_mean_square
    assert one_way_f == pytest.approx(1.659054, abs=5e-7)
    assert one_way(matrix) == pytest.approx(0.03264912, abs=HALF_8TH)
    assert two_way(matrix) == pytest.approx(0.02188596, abs=HALF_8TH)
    # The systems' own variances; a matrix of one system is the case m = 1 of Eq. 36.
    singles = [one_way(of(matrix.scores[:, [i]])) for i in range(3)]
    assert singles == pytest.approx([0.04892105, 0.02957895, 0.01944737], abs=HALF_8TH)
    # Paired difference X - Y: V = .0251, to 4 decimals.
    assert mean_pair_difference_variance(of(matrix.scores[:, :2])) == pytest.approx(0.0251, abs=half_4th)


@pytest.mark.reference_data
def test_one_way_anova_against_scipy() -> None:
    matrix = reference_matrix("web2012_err20", "ERR@20")
    found = mean_squares(matrix)
    expected = f_oneway(*matrix.scores.T).statistic
    # Two orders of summing 2400 doubles: about 1e-14, with room.
    assert found.between_system_mean_square / found.within_system_mean_square == pytest.approx(
        expected, rel=1e-11
    )


@pytest.mark.reference_data
def test_two_way_anova_against_statsmodels() -> None:
    pandas = pytest.importorskip("pandas")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # statsmodels' own deprecations are not ours to answer for
        from statsmodels.formula.api import ols
        from statsmodels.stats.anova import anova_lm

        matrix = reference_matrix("trec3_adhoc_ap")
        frame = pandas.DataFrame(
            {
                "score": matrix.scores.ravel(),
                "topic": np.repeat(matrix.topics, matrix.n_systems),
                "system": np.tile(matrix.systems, matrix.n_topics),
            }
        )
        table = anova_lm(ols("score ~ C(system) + C(topic)", frame).fit())
    found = mean_squares(matrix)
    # Least squares by a pseudo-inverse of 2000 x 89 loses some digits; 1e-9 is far from any error in a formula.
    assert table["sum_sq"].tolist() == pytest.approx(
        [found.between_system_sum, found.between_topic_sum, found.residual_sum], rel=1e-9
    )
    assert table["df"].tolist() == [found.between_system_df, found.between_topic_df, found.residual_df]


# Scores as measures give them; steps of 1/64 keep sums exact enough for the tolerances below, and
# subnormal numbers, whose squares vanish, out of it.
SCORES = st.tuples(st.integers(2, 9), st.integers(2, 7)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(0, 64).map(lambda k: k / 64))
)
# Sums of at most 63 products of numbers in [0, 1]: errors stay below 63 * 2 ** -53.
NEAR = {"rel": 1e-12, "abs": 1e-13}


@given(SCORES)
def test_one_way_is_the_mean_of_system_variances(scores: np.ndarray) -> None:
    assert one_way(of(scores)) == pytest.approx(np.mean(np.var(scores, axis=0, ddof=1)), **NEAR)


@given(SCORES)
def test_two_way_is_half_the_mean_pair_variance(scores: np.ndarray) -> None:
    """The identity, with all pairs written out; and the function that computes them from covariances."""
    columns = combinations(scores.T, 2)
    by_pairs = np.mean([np.var(first - second, ddof=1) for first, second in columns])
    assert two_way(of(scores)) == pytest.approx(by_pairs / 2, **NEAR)
    assert mean_pair_difference_variance(of(scores)) == pytest.approx(by_pairs, **NEAR)


@given(SCORES)
def test_total_is_the_variance_of_all_scores(scores: np.ndarray) -> None:
    assert total(of(scores)) == pytest.approx(np.var(scores, ddof=1), **NEAR)


@given(SCORES)
def test_sums_of_squares_add_up(scores: np.ndarray) -> None:
    matrix = of(scores)
    found = mean_squares(matrix)
    parts = found.between_system_sum + found.between_topic_sum + found.residual_sum
    assert found.total_sum == pytest.approx(parts, **NEAR)
    assert found.within_system_sum == pytest.approx(found.between_topic_sum + found.residual_sum, **NEAR)
    assert found.total_df == found.between_system_df + found.between_topic_df + found.residual_df
    assert found.within_system_df == found.between_topic_df + found.residual_df
    assert found.within_system_mean_square == pytest.approx(one_way(matrix), **NEAR)
    assert found.residual_mean_square == pytest.approx(two_way(matrix), **NEAR)
    assert found.total_mean_square == pytest.approx(total(matrix), **NEAR)


ESTIMATES = (one_way, two_way, total, mean_pair_difference_variance)


@pytest.mark.parametrize("estimate", ESTIMATES)
@given(scores=SCORES, factor=st.integers(-20, 20), shift=st.integers(-1000, 1000))
def test_scale_and_shift(estimate: object, scores: np.ndarray, factor: int, shift: int) -> None:
    """Var(c x + b) = c^2 Var(x)."""
    assert callable(estimate)
    expected = factor**2 * estimate(of(scores))
    # Scores of up to 20 in sums of 63 squares of up to 400; a shift of 1000 costs 6 bits more.
    assert estimate(of(factor * scores + shift)) == pytest.approx(expected, rel=1e-12, abs=1e-10)


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_a_large_common_value_keeps_the_digits(estimate: object) -> None:
    """At 2 ** 26 a sum of squares less n times the squared mean would have lost all of them."""
    assert callable(estimate)
    scores = np.random.default_rng(5).integers(0, 64, (40, 9)) / 64
    # Multiples of 1/64 near 2 ** 26 are exact, so only the centring can lose digits.
    assert estimate(of(scores + 2.0**26)) == pytest.approx(estimate(of(scores)), rel=1e-12)
    sums, moved = mean_squares(of(scores)), mean_squares(of(scores + 2.0**26))
    assert moved.between_system_sum == pytest.approx(sums.between_system_sum, rel=1e-7)


@given(scores=SCORES, offsets=st.lists(st.integers(0, 64), min_size=9, max_size=9, unique=True))
def test_topic_offsets_change_one_way_and_not_two_way(scores: np.ndarray, offsets: list[int]) -> None:
    difficulty = np.array(offsets[: len(scores)])[:, None]
    moved = of(scores + difficulty)
    assert two_way(moved) == pytest.approx(two_way(of(scores)), rel=1e-11, abs=1e-11)  # squares up to 65 ** 2
    # Var(x + b) = Var(x) + Var(b) + 2 Cov(x, b), averaged over systems.
    covariance = np.mean([np.cov(column, difficulty[:, 0])[0, 1] for column in scores.T])
    change = np.var(difficulty, ddof=1) + 2 * covariance
    assert one_way(moved) == pytest.approx(one_way(of(scores)) + change, rel=1e-11, abs=1e-11)


def test_topic_offsets_on_equal_topics_add_their_variance() -> None:
    scores = np.tile([0.2, 0.4, 0.9], (4, 1))
    moved = of(scores + np.array([[0.0], [1.0], [2.0], [3.0]]))
    assert one_way(of(scores)) == 0
    assert one_way(moved) == pytest.approx(5 / 3, rel=1e-14)  # variance of 0, 1, 2, 3
    assert two_way(moved) == pytest.approx(0, abs=1e-30)  # squares of rounding errors of 4e-16


@pytest.mark.parametrize("estimate", [two_way, mean_pair_difference_variance, mean_squares])
def test_one_system_is_refused(estimate: object) -> None:
    assert callable(estimate)
    with pytest.raises(InputError, match="systems = 1: must be at least 2 systems"):
        estimate(of([[0.5], [0.25]]))


def test_pooled_weights_are_topics_less_one() -> None:
    small, large = of([[0.0], [1.0]]), of([[0.0], [1.0], [2.0], [3.0]])
    # Variances 1/2 and 5/3, weights 1 and 3.
    assert pooled([small, large]) == pytest.approx((1 * 0.5 + 3 * 5 / 3) / 4, rel=1e-15)
    assert pooled(iter([small])) == one_way(small)
    # One system or two alike: degrees of freedom m (n - 1) as weights would give another number.
    doubled = of(np.repeat(large.scores, 2, axis=1))
    assert pooled([small, doubled]) == pytest.approx(pooled([small, large]), rel=1e-15)


def test_pooled_refuses_what_has_no_common_variance() -> None:
    with pytest.raises(InputError, match="matrices = 0: must be at least one score matrix"):
        pooled([])
    with pytest.raises(InputError, match=r"\['AP', 'RR'\]: must all be scores of one measure"):
        pooled([of([[0.0], [1.0]]), of([[0.0], [1.0]], measure="RR")])


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_the_largest_scores_do_not_overflow(estimate: object) -> None:
    assert callable(estimate)
    assert np.isfinite(estimate(of([[1e100, -1e100], [-1e100, 1e100], [1e100, 1e100]])))
