"""Mean squares against gt4ireval, Brennan, Sakai's book, SciPy and statsmodels.

"Notes" in comments are computed values: by separate NumPy code on the same public matrices, checked
with R where digits are shown. Their tolerance is half of the last digit they were printed with.
"""

import numpy as np
import pytest

from tests.reference_data import reference_matrix
from tests.variance.matrices import HALF_8TH, of, part
from topicset_core.variance import one_way, two_way
from topicset_core.variance.pair_differences import mean_pair_difference_variance
from topicset_core.variance.sums_of_squares import mean_squares


@pytest.mark.reference_data
def test_mean_squares_and_components_against_gt4ireval() -> None:
    """README and vignette of gt4ireval: TREC-3 ad hoc, all 40 systems and without the worst quarter."""
    whole = reference_matrix("trec3_adhoc_ap")
    result = mean_squares(whole)
    residual = result.residual_mean_square
    assert result.between_system_mean_square == pytest.approx(0.36926, abs=5e-6)
    assert result.between_topic_mean_square == pytest.approx(0.91661, abs=5e-6)
    assert residual == pytest.approx(0.01092, abs=5e-6)
    topics = (result.between_topic_mean_square - residual) / result.n_systems
    assert (result.between_system_mean_square - residual) / result.n_topics == pytest.approx(
        0.0071668, abs=5e-8
    )
    assert topics == pytest.approx(0.022642, abs=5e-7)
    assert one_way(whole) == pytest.approx(topics + residual, rel=1e-12)  # both components
    means = whole.scores.mean(axis=0)
    best = means > np.sort(means)[9]  # the worst 10 of 40 go
    result = mean_squares(part(whole, slice(None), best.tolist()))
    assert result.n_systems == 30
    assert result.between_system_mean_square == pytest.approx(0.15074, abs=5e-6)
    assert result.between_topic_mean_square == pytest.approx(0.85296, abs=5e-6)
    assert result.residual_mean_square == pytest.approx(0.010152, abs=5e-7)


@pytest.mark.reference_data
def test_synthetic_4_against_brennan() -> None:
    """Brennan 2001, tables 6.2 and 6.5: mean squares to 4 decimals; components are in tests of stability."""
    matrix = reference_matrix("brennan_synthetic4", "rating")
    result = mean_squares(matrix)
    assert result.between_system_mean_square == pytest.approx(10.2963, abs=5e-5)
    assert result.between_topic_mean_square == pytest.approx(11.6273, abs=5e-5)
    assert result.residual_mean_square == pytest.approx(2.7872, abs=5e-5)
    assert one_way(matrix) == pytest.approx(3.671212, abs=5e-7)  # notes
    assert two_way(matrix) == pytest.approx(2.787205, abs=5e-7)  # notes


@pytest.mark.reference_data
def test_three_systems_against_sakai_book() -> None:
    """Table 5.1 of Sakai's book; results as in the tests of elinor, R agrees."""
    matrix = reference_matrix("sakai_20x3", "nDCG@5")
    result = mean_squares(matrix)
    residual = result.residual_mean_square
    assert result.total_sum == pytest.approx(1.969333, abs=5e-7)
    assert (
        result.between_system_sum,
        result.between_topic_sum,
        result.residual_sum,
        result.between_system_mean_square,
        result.between_topic_mean_square,
        residual,
        result.between_system_mean_square / residual,
        result.between_topic_mean_square / residual,
    ) == pytest.approx((0.1083, 1.0293, 0.8317, 0.0542, 0.0542, 0.0219, 2.4749, 2.4754), abs=5e-5)
    one_way_f = result.between_system_mean_square / one_way(matrix)
    assert one_way_f == pytest.approx(1.659054, abs=5e-7)
    assert one_way(matrix) == pytest.approx(0.03264912, abs=HALF_8TH)
    assert two_way(matrix) == pytest.approx(0.02188596, abs=HALF_8TH)
    # The systems' own variances; a matrix of one system is the case m = 1 of Eq. 36.
    singles = [one_way(of(matrix.scores[:, [i]])) for i in range(3)]
    assert singles == pytest.approx([0.04892105, 0.02957895, 0.01944737], abs=HALF_8TH)
    # Paired difference X - Y: V = .0251, to 4 decimals.
    assert mean_pair_difference_variance(of(matrix.scores[:, :2])) == pytest.approx(0.0251, abs=5e-5)
