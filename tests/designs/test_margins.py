"""Equivalence and non-inferiority: sizes and powers against PowerTOST, integration, simulation and identities."""

import math
from typing import Any

import pytest
from scipy import integrate, special, stats

from topicset_core.designs import equivalence, non_inferiority, paired_t, two_sample_t
from topicset_core.errors import InputError, NoSolution

PAIRED, TWO_SAMPLE = "difference_variance", "within_system_variance"
TOPICS = {PAIRED: "shared", TWO_SAMPLE: "separate"}

# PowerTOST 1.5-7 in R 4.2.2: sampleN.TOST and sampleN.noninf with logscale = FALSE; its "paired" takes a within
# standard deviation, so sigma_t^2 = 2 CV^2, and its "parallel" n is the total of both groups.
SIZES: list[tuple[Any, str, float, float, float, tuple[int, int, int]]] = [
    # variance, its name, margin, theta; n at (alpha, beta) = (.05, .20), (.05, .10), (.025, .20)
    (equivalence, PAIRED, 0.0257, 0.05, 0.00, (90, 113, 110)),
    (equivalence, PAIRED, 0.0257, 0.05, 0.01, (106, 141, 132)),
    (equivalence, PAIRED, 0.0257, 0.10, 0.02, (28, 37, 35)),
    (equivalence, PAIRED, 0.0257, 0.02, 0.00, (552, 697, 678)),
    (equivalence, TWO_SAMPLE, 0.0471, 0.10, 0.00, (82, 103, 100)),
    (equivalence, TWO_SAMPLE, 0.0471, 0.05, 0.01, (382, 511, 476)),
    # n at (.05, .20), (.025, .10), (.025, .20)
    (non_inferiority, PAIRED, 0.0257, 0.05, 0.01, (46, 77, 58)),
    (non_inferiority, PAIRED, 0.0257, 0.05, -0.01, (101, 171, 129)),
    (non_inferiority, PAIRED, 0.0257, 0.02, 0.00, (399, 678, 507)),
    (non_inferiority, TWO_SAMPLE, 0.0471, 0.05, 0.00, (234, 397, 297)),
]
POWERS: list[tuple[Any, str, float, float, float, float, int, float]] = [
    # power.TOST(method = "exact") and power.noninf, as printed to ten digits
    (equivalence, PAIRED, 0.0257, 0.05, 0.00, 0.05, 90, 0.8034341896),
    (equivalence, TWO_SAMPLE, 0.0471, 0.10, 0.00, 0.05, 82, 0.8040561559),
    (equivalence, PAIRED, 0.0257, 0.05, 0.00, 0.05, 30, 0.0795270970),
    (equivalence, PAIRED, 0.0257, 0.05, 0.01, 0.05, 40, 0.2184379088),
    (non_inferiority, PAIRED, 0.0257, 0.05, 0.00, 0.025, 83, 0.8018022928),
    (non_inferiority, TWO_SAMPLE, 0.0471, 0.10, 0.00, 0.025, 75, 0.8004821569),
]


def topics(design: Any, name: str, variance: float, **settings: Any) -> int:
    requirements = design.Requirements(**{name: variance}, **settings)
    return int(design.required_topics(requirements).required_topics)


@pytest.mark.parametrize(("design", "name", "variance", "margin", "theta", "expected"), SIZES)
def test_sizes_against_powertost(
    design: Any, name: str, variance: float, margin: float, theta: float, expected: tuple[int, ...]
) -> None:
    second = (0.05, 0.10) if design is equivalence else (0.025, 0.10)
    for (alpha, beta), n in zip(((0.05, 0.20), second, (0.025, 0.20)), expected, strict=True):
        settings = {"alpha": alpha, "beta": beta, "margin": margin}
        assert topics(design, name, variance, true_difference=theta, **settings) == n
        if design is equivalence:  # by symmetry
            assert topics(design, name, variance, true_difference=-theta, **settings) == n


@pytest.mark.parametrize(("design", "name", "variance", "margin", "theta", "alpha", "n", "expected"), POWERS)
def test_powers_against_powertost(
    design: Any,
    name: str,
    variance: float,
    margin: float,
    theta: float,
    alpha: float,
    n: int,
    expected: float,
) -> None:
    result = design.power(n, margin, variance, alpha=alpha, true_difference=theta, topics=TOPICS[name])
    assert float(result) == pytest.approx(expected, abs=6e-11)  # half a unit in the tenth digit


def owens_q(nu: int, t: float, delta: float, upper: float) -> float:
    """Owen's Q function as he defines it: an integral over x = s sqrt(nu)."""

    def integrand(x: float) -> float:
        log = (nu - 1) * math.log(x) - x * x / 2 - math.lgamma(nu / 2) - (nu / 2 - 1) * math.log(2)
        return float(special.ndtr(t * x / math.sqrt(nu) - delta)) * math.exp(log)

    middle = math.sqrt(nu)
    points = [p for p in (middle - 6, middle, middle + 6) if 0 < p < upper]
    return float(integrate.quad(integrand, 1e-300, upper, points=points, epsabs=1e-13, limit=400)[0])


@pytest.mark.parametrize("n", [2, 3, 12, 90, 400])
@pytest.mark.parametrize("theta", [0.0, 0.03])
def test_power_against_owens_q(n: int, theta: float) -> None:
    margin, variance, alpha = 0.05, 0.0257, 0.05
    se, nu = math.sqrt(variance / n), n - 1
    c = float(stats.t.isf(alpha, nu))
    c += float(
        (stats.t.sf(c, nu) - alpha) / stats.t.pdf(c, nu)
    )  # before 1.17, SciPy's quantile is 4e-11 too small
    upper, lower = (theta - margin) / se, (theta + margin) / se
    end = math.sqrt(nu) * (lower - upper) / (2 * c)
    expected = owens_q(nu, -c, upper, end) - owens_q(nu, c, lower, end)
    result = float(equivalence.power(n, margin, variance, alpha=alpha, true_difference=theta))
    assert result == pytest.approx(expected, abs=1e-11)  # quad asks for 1e-13 in each of two integrals


def test_power_for_many_topics_is_that_of_normal_deviates() -> None:
    # With 2e7 degrees of freedom t is normal to 1e-7.
    n, variance, margin = 10_000_000, 1.0, 1e-3
    se = math.sqrt(2 * variance / n)
    expected = 2 * special.ndtr(margin / se - special.ndtri(0.95)) - 1
    result = equivalence.power(n, margin, variance, alpha=0.05, topics="separate")
    assert float(result) == pytest.approx(float(expected), abs=1e-7)


@pytest.mark.parametrize("beta", [0.05, 0.1, 0.2])
def test_non_inferiority_is_a_one_sided_test_of_a_difference(beta: float) -> None:
    # The far tail of the two-sided test at 2 alpha is negligible at these powers (below 4e-10).
    settings = {"alpha": 0.025, "beta": beta}
    for variance, margin in ((0.0257, 0.05), (0.0942, 0.1), (0.02, 0.02)):
        t = paired_t.Requirements(alpha=0.05, beta=beta, min_d=margin, difference_variance=variance)
        of_t = paired_t.required_topics(t).required_topics
        assert topics(non_inferiority, PAIRED, variance, margin=margin, **settings) == of_t
        two = two_sample_t.Requirements(alpha=0.05, beta=beta, min_d=margin, within_system_variance=variance)
        of_two = two_sample_t.required_topics(two).required_topics
        assert topics(non_inferiority, TWO_SAMPLE, variance, margin=margin, **settings) == of_two
        half = {"alpha": 0.025, "beta": beta / 2, "margin": margin}
        assert topics(equivalence, PAIRED, variance, margin=margin, **settings) == topics(
            non_inferiority, PAIRED, variance, **half
        )


def test_a_worse_system_has_no_size() -> None:
    with pytest.raises(NoSolution):
        non_inferiority.required_topics_grid(0.05, 0.02, alpha=0.05, beta=0.2, true_difference=-0.06)
    with pytest.raises(InputError, match="exact"):
        equivalence.power(20, 0.05, 0.02, alpha=0.05, method="published")
