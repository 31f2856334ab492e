"""Means of runs with their t intervals."""

import numpy as np
import pytest
from scipy import stats

from tests.variance.matrices import of
from topicset_core.analyses.score_variance.run_means import run_means
from topicset_core.errors import InputError


@pytest.mark.parametrize("level", [0.90, 0.95, 0.999])
def test_intervals_against_scipy_ttest_1samp(level: float) -> None:
    matrix = of(np.random.default_rng(6).random((50, 20)))
    result = run_means(matrix, level)
    assert result.n_topics == 50
    assert sorted(result.systems) == sorted(matrix.systems)
    assert np.all(np.diff(result.means) <= 0)
    for place in (0, 7, 19):
        scores = matrix.scores[:, matrix.systems.index(result.systems[place])]
        expected = stats.ttest_1samp(scores, 0.0).confidence_interval(level)
        ours = (
            result.means[place] - result.half_widths[place],
            result.means[place] + result.half_widths[place],
        )
        # Two implementations of the same t quantile agree to about 12 digits.
        assert ours == pytest.approx((expected.low, expected.high), rel=1e-10)
        assert result.standard_deviations[place] == pytest.approx(scores.std(ddof=1), rel=1e-12)


def test_equal_means_keep_their_order() -> None:
    matrix = of([[0.25, 0.375, 0.5], [0.75, 0.625, 1.0]])  # halves and eighths: means are exact
    assert run_means(matrix).systems == ("s2", "s0", "s1")


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_outside_0_to_1_is_refused(level: float) -> None:
    matrix = of([[0.2], [0.4]])
    with pytest.raises(InputError, match="level"):
        run_means(matrix, level)
