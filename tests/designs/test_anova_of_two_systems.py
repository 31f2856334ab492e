"""One-way ANOVA of two systems and the two-sample t test are one test: F0 = t0 squared."""

import itertools

import numpy as np
import pytest

from topicset_core.designs import one_way_anova, two_sample_t

VARIANCES = (0.0003, 0.0471, 2.5)
DIFFERENCES = (0.01, 0.05, 0.1, 0.3, 1.0)
ALPHAS = (1e-9, 0.01, 0.05, 0.3)
BETAS = (0.001, 0.05, 0.1, 0.2, 0.5, 0.65)


@pytest.mark.slow
def test_anova_of_two_is_the_two_sample_t_by_theory() -> None:
    cells = list(itertools.product(VARIANCES, DIFFERENCES, ALPHAS, BETAS))
    assert len(cells) == 360
    different = []
    for variance, min_d, alpha, beta in cells:
        t_test = two_sample_t.required_topics(
            two_sample_t.Requirements(alpha=alpha, beta=beta, min_d=min_d, within_system_variance=variance)
        )
        anova = one_way_anova.required_topics(
            one_way_anova.Requirements(
                alpha=alpha, beta=beta, min_d=min_d, within_system_variance=variance, n_systems=2
            )
        )
        # The two effects, minDelta^2 / 2 and minD^2 / (2 sigma^2), may differ in their last digit.
        same_power = abs(t_test.attained_power - anova.attained_power) < 1e-12
        if t_test.required_topics != anova.required_topics or not same_power:
            different.append((variance, min_d, alpha, beta))
    assert different == []


def test_power_of_anova_of_two_is_that_of_the_two_sample_t_by_theory() -> None:
    n = np.array([2, 3, 10, 75, 1000, 10_000_000])[:, None]
    min_delta = np.array([1e-4, 0.05, 0.5, 2.0, 30.0])
    for alpha in ALPHAS:
        np.testing.assert_allclose(
            two_sample_t.power(n, min_delta, alpha=alpha),
            one_way_anova.power(n, min_delta**2 / 2, alpha=alpha, n_systems=2),
            rtol=1e-12,
        )
