"""Mean squares against gt4ireval, Brennan, Sakai's book, SciPy and statsmodels.

"Notes" in comments are computed values: by separate NumPy code on the same public matrices, checked
with R where digits are shown. Their tolerance is half of the last digit they were printed with.
"""

import warnings

import numpy as np
import pytest

from tests.reference_data import reference_matrix
from tests.variance.matrices import HALF_8TH, of, part
from topicset_core.variance import mean_pair_difference_variance, mean_squares, one_way, two_way


@pytest.mark.reference_data
def test_mean_squares_against_gt4ireval() -> None:
    """README and vignette of gt4ireval: TREC-3 ad hoc, all 40 systems and without the worst quarter."""
    whole = reference_matrix("trec3_adhoc_ap")
    result = mean_squares(whole)
    assert result.between_system_mean_square == pytest.approx(0.36926, abs=5e-6)
    assert result.between_topic_mean_square == pytest.approx(0.91661, abs=5e-6)
    assert result.residual_mean_square == pytest.approx(0.01092, abs=5e-6)
    means = whole.scores.mean(axis=0)
    best = means > np.sort(means)[9]  # the worst 10 of 40 go
    result = mean_squares(part(whole, slice(None), best.tolist()))
    assert result.n_systems == 30
    assert result.between_system_mean_square == pytest.approx(0.15074, abs=5e-6)
    assert result.between_topic_mean_square == pytest.approx(0.85296, abs=5e-6)
    assert result.residual_mean_square == pytest.approx(0.010152, abs=5e-7)


@pytest.mark.reference_data
def test_variance_components_against_gt4ireval() -> None:
    """Components from the mean squares: README of gt4ireval, to the 5 digits it prints."""
    whole = reference_matrix("trec3_adhoc_ap")
    result = mean_squares(whole)
    residual = result.residual_mean_square
    systems = (result.between_system_mean_square - residual) / result.n_topics
    topics = (result.between_topic_mean_square - residual) / result.n_systems
    assert systems == pytest.approx(0.0071668, abs=5e-8)
    assert topics == pytest.approx(0.022642, abs=5e-7)
    # The one-way variance is topic plus residual component.
    assert one_way(whole) == pytest.approx(topics + residual, rel=1e-12)


@pytest.mark.reference_data
def test_synthetic_4_against_brennan() -> None:
    """Brennan 2001, tables 6.2 and 6.5: mean squares and components to 4 decimals."""
    matrix = reference_matrix("brennan_synthetic4", "rating")
    result = mean_squares(matrix)
    assert result.between_system_mean_square == pytest.approx(10.2963, abs=5e-5)
    assert result.between_topic_mean_square == pytest.approx(11.6273, abs=5e-5)
    assert result.residual_mean_square == pytest.approx(2.7872, abs=5e-5)
    components = (
        (result.between_system_mean_square - result.residual_mean_square) / 12,
        (result.between_topic_mean_square - result.residual_mean_square) / 10,
    )
    assert components == pytest.approx((0.6258, 0.8840), abs=5e-5)
    assert one_way(matrix) == pytest.approx(3.671212, abs=5e-7)  # notes
    assert two_way(matrix) == pytest.approx(2.787205, abs=5e-7)  # notes


@pytest.mark.reference_data
def test_three_systems_against_sakai_book() -> None:
    """Table 5.1 of Sakai's book; results as in the tests of elinor, R agrees."""
    matrix = reference_matrix("sakai_20x3", "nDCG@5")
    result = mean_squares(matrix)
    half_4th = 5e-5
    assert result.between_system_sum == pytest.approx(0.1083, abs=half_4th)
    assert result.between_topic_sum == pytest.approx(1.0293, abs=half_4th)
    assert result.residual_sum == pytest.approx(0.8317, abs=half_4th)
    assert result.total_sum == pytest.approx(1.969333, abs=5e-7)
    assert result.between_system_mean_square == pytest.approx(0.0542, abs=half_4th)
    assert result.between_topic_mean_square == pytest.approx(0.0542, abs=half_4th)
    assert result.residual_mean_square == pytest.approx(0.0219, abs=half_4th)
    residual = result.residual_mean_square
    assert result.between_system_mean_square / residual == pytest.approx(2.4749, abs=half_4th)
    assert result.between_topic_mean_square / residual == pytest.approx(2.4754, abs=half_4th)
    one_way_f = result.between_system_mean_square / result.within_system_mean_square
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
    from scipy.stats import f_oneway

    matrix = reference_matrix("web2012_err20", "ERR@20")
    result = mean_squares(matrix)
    expected = f_oneway(*matrix.scores.T).statistic
    # Two orders of summing 2400 doubles: about 1e-14, with room.
    assert result.between_system_mean_square / result.within_system_mean_square == pytest.approx(
        expected, rel=1e-11
    )


@pytest.mark.slow  # the import of statsmodels
@pytest.mark.reference_data
def test_two_way_anova_against_statsmodels() -> None:
    pandas = pytest.importorskip("pandas")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # statsmodels' own deprecations are not ours to answer for
        from statsmodels.formula.api import ols
        from statsmodels.stats.anova import anova_lm

        matrix = part(reference_matrix("trec3_adhoc_ap"), slice(0, 15))
        frame = pandas.DataFrame(
            {
                "score": matrix.scores.ravel(),
                "topic": np.repeat(matrix.topics, matrix.n_systems),
                "system": np.tile(matrix.systems, matrix.n_topics),
            }
        )
        table = anova_lm(ols("score ~ C(system) + C(topic)", frame).fit())
    result = mean_squares(matrix)
    # Least squares by a pseudo-inverse of 600 x 54 loses some digits; 1e-9 is far from any error in a formula.
    assert table["sum_sq"].tolist() == pytest.approx(
        [result.between_system_sum, result.between_topic_sum, result.residual_sum], rel=1e-9
    )
    assert table["df"].tolist() == [result.between_system_df, result.between_topic_df, result.residual_df]
