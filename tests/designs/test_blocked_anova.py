"""Two-way ANOVA with topics as blocks: sizes and powers of another program, Box's correction, simulation."""

import numpy as np
import pytest

from tests.designs.asking import stated
from tests.reference_data import reference_matrix
from topicset_core.designs import blocked_anova, paired_t
from topicset_core.designs.f_test import FTest

VARIANCE = 0.01285


def topics(m: int, min_d: float = 0.10, variance: float = VARIANCE) -> int:
    requirements = blocked_anova.Requirements(
        alpha=0.05, beta=0.20, min_d=min_d, n_systems=m, residual_variance=variance
    )
    return blocked_anova.required_topics(requirements).required_topics


@pytest.mark.parametrize(
    ("m", "n", "power"), [(5, 31, 0.786875631), (10, 42, 0.809864485), (30, 63, 0.800179391)]
)
def test_powers_against_another_program(m: int, n: int, power: float) -> None:
    assert blocked_anova.power(n, 0.10**2 / (2 * VARIANCE), alpha=0.05, n_systems=m) == stated(power, 9)


@pytest.mark.parametrize(
    ("variance", "at_05", "at_10"),
    [  # residual variances of real matrices; topics for m = 2, 10, 30
        (0.012525065, (81, 158, 244), (22, 41, 62)),
        (0.038826634, (246, 488, 754), (63, 123, 189)),
        (0.020861662, (133, 263, 405), (35, 67, 102)),
    ],
)
def test_topics_of_real_variances_against_another_program(
    variance: float, at_05: tuple[int, ...], at_10: tuple[int, ...]
) -> None:
    assert tuple(topics(m, 0.05, variance) for m in (2, 10, 30)) == at_05
    assert tuple(topics(m, 0.10, variance) for m in (2, 10, 30)) == at_10


def test_with_two_systems_it_equals_the_paired_t_test() -> None:
    effects = np.geomspace(0.05, 3.0, 60)
    blocked = blocked_anova.required_topics_grid(effects**2, alpha=0.05, beta=0.2, n_systems=2)
    # minD^2 / 2 sigma_e^2 is the square of minD / sigma_t with sigma_t^2 = 2 sigma_e^2.
    np.testing.assert_array_equal(blocked, paired_t.required_topics_grid(effects, alpha=0.05, beta=0.2))


def test_box_correction_against_another_program() -> None:
    effect = 0.10**2 / (2 * VARIANCE)
    expected = {5: (32, 38, 46, 60), 10: (42, 48, 58, 76), 20: (54, 62, 74, 96)}
    for m, sizes in expected.items():
        results = [
            blocked_anova.box_topics(effect, epsilon, alpha=0.05, beta=0.2, n_systems=m)
            for epsilon in (1.0, 0.8, 0.6, 0.4)
        ]
        assert tuple(results) == sizes


def test_epsilon_of_real_matrices() -> None:
    # Stated to four digits for whole matrices, and as medians over random sets of 5, 10 and 20 good runs.
    assert blocked_anova.greenhouse_geisser(reference_matrix("trec8_adhoc_ap").scores) == stated(0.0678, 4)
    assert blocked_anova.greenhouse_geisser(reference_matrix("web2012_err20").scores) == stated(0.2002, 4)


def test_epsilon_is_1_where_all_differences_have_one_variance() -> None:
    two = np.array([[0.0, 0.3], [0.2, 0.1], [0.5, 0.9]])
    assert blocked_anova.greenhouse_geisser(two) == pytest.approx(1.0, rel=1e-12)
    same = np.eye(4) - 0.25  # double-centred identity
    assert blocked_anova.greenhouse_geisser(same) == pytest.approx(1.0, rel=1e-12)
    assert blocked_anova.typical_epsilon(np.zeros((5, 4)), 3) == 1.0


def test_power_against_simulated_scores() -> None:
    rng, trials, m, n = np.random.default_rng(22), 8000, 4, 9
    means = np.array([0.0, 0.5, 0.5, 1.0]) * 1.4
    scores = means + rng.standard_normal((trials, n, 1)) * 2 + rng.standard_normal((trials, n, m))
    systems, grand = scores.mean(axis=1), scores.mean(axis=(1, 2))
    residuals = scores - systems[:, None] - scores.mean(axis=2, keepdims=True) + grand[:, None, None]
    ratio = n * np.sum((systems - grand[:, None]) ** 2, axis=1) / (m - 1)
    ratio /= np.sum(residuals**2, axis=(1, 2)) / ((m - 1) * (n - 1))
    test = FTest(m - 1, m - 1)
    share = np.mean(ratio >= float(test.critical_value(n, 0.05)))
    exact = float(blocked_anova.power(n, 1.4**2 / 2, alpha=0.05, n_systems=m))
    assert abs(share - exact) <= 4 * (exact * (1 - exact) / trials) ** 0.5
