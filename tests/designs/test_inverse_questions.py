"""From topics back to differences and widths."""

import numpy as np
import pytest

from topicset_core.designs import (
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.designs.results import Method


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize("design", [paired_t, two_sample_t], ids=lambda design: design.NAME)
def test_detectable_delta_round_trip(design, method: str) -> None:
    n = np.array([2, 3, 5, 10, 34, 75, 96, 97, 105, 120, 147, 1000, 54_321, 10_000_000])
    for alpha, beta in ((0.01, 0.10), (0.05, 0.20), (0.05, 0.50), (1e-12, 1e-3)):
        n = n[n >= 10] if alpha < 1e-9 else n  # fewer do not reach a difference of a thousand deviations
        delta = design.detectable_delta(n, alpha=alpha, beta=beta, method=method)
        assert (np.diff(delta) < 0).all()
        # The root is found to the last digits of delta; power has a slope of at most about 1 in log delta.
        attained = design.power(n, delta, alpha=alpha, method=method)
        np.testing.assert_allclose(attained, 1 - beta, rtol=0, atol=1e-10)
        # A hair more is detected by n topics, a hair less needs another one.
        more = design.required_topics_grid(delta * (1 + 1e-9), alpha=alpha, beta=beta, method=method)
        np.testing.assert_array_equal(more, n)
        less = design.required_topics_grid(delta[:-1] * (1 - 1e-9), alpha=alpha, beta=beta, method=method)
        np.testing.assert_array_equal(less, n[:-1] + 1)


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize("m", [2, 3, 10, 100, 1000])
def test_detectable_anova_effect_round_trip(m: int, method: Method) -> None:
    # The published form has no value at the fewest topics, so it starts at 8 here.
    n = np.array([2, 3, 5, 10, 34, 96, 97, 147, 1000, 54_321, 1_000_000])
    n = n[n >= 8] if method == "published" else n
    for alpha, beta in ((0.01, 0.10), (0.05, 0.20), (0.05, 0.50)):
        effect = one_way_anova.detectable_delta(n, alpha=alpha, beta=beta, n_systems=m, method=method)
        attained = one_way_anova.power(n, effect, alpha=alpha, n_systems=m, method=method)
        np.testing.assert_allclose(attained, 1 - beta, rtol=0, atol=1e-10)

        def topics(effect: np.ndarray, alpha: float = alpha, beta: float = beta) -> np.ndarray:
            return one_way_anova.required_topics_grid(
                effect, alpha=alpha, beta=beta, n_systems=m, method=method
            )

        np.testing.assert_array_equal(topics(effect * (1 + 1e-9)), n)
        np.testing.assert_array_equal(topics(effect * (1 - 1e-9)), n + 1)


@pytest.mark.parametrize("design", [paired_t, two_sample_t, one_way_anova], ids=lambda design: design.NAME)
def test_units_of_the_measure_round_trip(design) -> None:
    min_d, variance = np.array([0.001, 0.05, 0.1, 2.0]), np.array([1e-6, 0.0471, 0.1206, 40.0])[:, None]
    back = design.min_d_of(design.min_delta_of(min_d, variance), variance)
    np.testing.assert_allclose(back, np.broadcast_to(min_d, back.shape), rtol=1e-15)


@pytest.mark.parametrize("groups", [1, 2])
def test_interval_width_round_trip(groups: int) -> None:
    design = confidence_interval if groups == 1 else two_sample_confidence_interval
    n = np.array([2, 3, 10, 147, 343, 344, 100_000, 10_000_000])
    width = design.width(n, 0.0942, alpha=0.05)
    np.testing.assert_array_equal(design.required_topics_grid(width * (1 + 1e-12), 0.0942, alpha=0.05), n)
    narrower = design.required_topics_grid(width[:-1] * (1 - 1e-12), 0.0942, alpha=0.05)
    np.testing.assert_array_equal(narrower, n[:-1] + 1)
