"""Powers and widths against scores drawn from normal distributions.

Every test draws raw scores, computes the test statistic or the interval from them as a user of the
collection would, and compares the share of rejections, or the mean width, with the values of the
design. Critical values are those of the central distributions; no noncentral distribution is used.
Tolerance: four standard errors of the simulation, that is one false alarm in 16,000.
"""

import math

import numpy as np
import pytest
import scipy

from topicset_core.designs import (
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_t,
)

N_TRIALS = 60_000


def assert_share(rejected: np.ndarray, power: float) -> None:
    assert rejected.mean() == pytest.approx(power, abs=4 * math.sqrt(power * (1 - power) / N_TRIALS))


@pytest.mark.parametrize(
    ("n_topics", "mean", "variance", "alpha"),
    [(34, 0.10, 0.04, 0.05), (2, 0.5, 0.01, 0.20), (12, 0.02, 0.04, 0.50)],
)
def test_paired_power_by_simulation(n_topics: int, mean: float, variance: float, alpha: float) -> None:
    rng = np.random.default_rng(20160)
    # Two systems over the same topics: a common topic effect, which pairing takes out again.
    topics = rng.normal(0.3, 0.5, (N_TRIALS, n_topics))
    x = topics + rng.normal(mean, math.sqrt(0.7 * variance), (N_TRIALS, n_topics))
    y = topics + rng.normal(0, math.sqrt(0.3 * variance), (N_TRIALS, n_topics))
    t = (x - y).mean(axis=1) / np.sqrt((x - y).var(axis=1, ddof=1) / n_topics)
    power = float(paired_t.power(n_topics, paired_t.DESIGN.min_delta_of(mean, variance), alpha=alpha))
    assert_share(np.abs(t) >= scipy.stats.t.isf(alpha / 2, n_topics - 1), power)


@pytest.mark.parametrize(
    ("n_topics", "mean", "variance", "alpha"),
    [(75, 0.10, 0.0471, 0.05), (2, 0.2, 0.01, 0.10), (20, 0.1, 0.0471, 0.01)],
)
def test_two_sample_power_by_simulation(n_topics: int, mean: float, variance: float, alpha: float) -> None:
    rng = np.random.default_rng(20161)
    x = rng.normal(0.3 + mean, math.sqrt(variance), (N_TRIALS, n_topics))
    y = rng.normal(0.3, math.sqrt(variance), (N_TRIALS, n_topics))
    pooled = (x.var(axis=1, ddof=1) + y.var(axis=1, ddof=1)) / 2
    t = (x.mean(axis=1) - y.mean(axis=1)) / np.sqrt(pooled * 2 / n_topics)
    power = float(two_sample_t.power(n_topics, two_sample_t.DESIGN.min_delta_of(mean, variance), alpha=alpha))
    assert_share(np.abs(t) >= scipy.stats.t.isf(alpha / 2, 2 * n_topics - 2), power)


@pytest.mark.parametrize(
    ("m", "n_topics", "min_d", "variance", "alpha"),
    [(3, 21, 0.5, 0.25, 0.05), (10, 8, 0.3, 0.0471, 0.01), (30, 3, 0.5, 0.05, 0.10)],
)
def test_anova_power_by_simulation(
    m: int, n_topics: int, min_d: float, variance: float, alpha: float
) -> None:
    rng = np.random.default_rng(20162)
    means = np.zeros(m)
    means[[0, -1]] = min_d / 2, -min_d / 2  # the least favourable means of this range
    scores = rng.normal(means[:, None], math.sqrt(variance), (N_TRIALS, m, n_topics))
    averages = scores.mean(axis=2)
    # F0 of Sakai 2016, Eqs. 13 to 15.
    between = n_topics * averages.var(axis=1, ddof=1)
    within = ((scores - averages[:, :, None]) ** 2).sum(axis=(1, 2)) / (m * (n_topics - 1))
    power = float(
        one_way_anova.power(
            n_topics, one_way_anova.DESIGN.min_delta_of(min_d, variance), alpha=alpha, n_systems=m
        )
    )
    assert_share(between / within >= scipy.stats.f.isf(alpha, m - 1, m * (n_topics - 1)), power)


def test_other_means_with_the_same_range_are_detected_more_often_by_simulation() -> None:
    """Sakai 2016, Eq. 22: the stated power is the worst case over all means with the same range."""
    rng = np.random.default_rng(20163)
    for means in ((0.25, 0.25, -0.25, -0.25), (0.4, -0.1, -0.1, -0.1)):
        scores = rng.normal(np.array(means)[:, None], 0.5, (N_TRIALS, 4, 12))
        rejected = scipy.stats.f_oneway(*np.moveaxis(scores, 1, 0), axis=1).pvalue <= 0.05
        power = float(
            one_way_anova.power(12, one_way_anova.DESIGN.min_delta_of(0.5, 0.25), alpha=0.05, n_systems=4)
        )
        assert rejected.mean() > power


@pytest.mark.parametrize(("n_topics", "alpha"), [(147, 0.05), (3, 0.2)])
def test_paired_width_by_simulation(n_topics: int, alpha: float) -> None:
    rng = np.random.default_rng(20164)
    variance = 0.0942
    differences = rng.normal(0.05, math.sqrt(variance), (20_000, n_topics))
    half = scipy.stats.t.isf(alpha / 2, n_topics - 1) * np.sqrt(differences.var(axis=1, ddof=1) / n_topics)
    error = (2 * half).std(ddof=1) / math.sqrt(half.size)
    expected = float(confidence_interval.width(n_topics, variance, alpha=alpha))
    assert (2 * half).mean() == pytest.approx(expected, abs=4 * error)
    covered = np.abs(differences.mean(axis=1) - 0.05) <= half
    assert covered.mean() == pytest.approx(1 - alpha, abs=4 * math.sqrt(alpha * (1 - alpha) / half.size))
