"""Power and replication of a reported t or F, against R's pwr, published replies and simulation."""

import math
from typing import Any

import numpy as np
import pytest
import scipy

from tests.refusals import refused
from topicset_core.analyses.sizing import from_one_way_f, from_paired_t, from_two_sample_t
from topicset_core.designs import one_way_anova, paired_t, two_sample_t
from topicset_core.errors import NoSolution

N_TRIALS = 60_000


def test_paired_t_against_r_pwr() -> None:
    # R 4.2.2, pwr 1.3.0: pwr.t.test(n = 28, d = .953 / sqrt(28), type = "paired")$power is .1510342;
    # pwr.t.test(d = .953 / sqrt(28), power = .8, type = "paired")$n is 243.907.
    audit = from_paired_t(0.953, n_topics=28, alpha=0.05, beta=0.20)
    assert audit.test == paired_t.NAME
    assert audit.statistic == 0.953
    assert audit.effect_size == pytest.approx(0.953 / math.sqrt(28), rel=1e-15)
    assert audit.achieved_power == pytest.approx(0.15103, abs=0.5e-5)
    assert audit.if_exact.required_topics == 244


@pytest.mark.parametrize(
    ("f", "power", "real_n"),
    # Two published pilot studies of m = 2, n = 5 that ran future.sample.1wayanova after Sakai (SIGIR 2016),
    # and got 16 and 56; pwr.anova.test(k = 2, f = sqrt(F0 / 8), ...) gives these powers and real n.
    [(2.145, 0.3032, 15.6576), (0.578, 0.1169, 55.2943)],
)
def test_one_way_f_against_r_pwr(f: float, power: float, real_n: float) -> None:
    audit = from_one_way_f(f, n_systems=2, n_topics=5, alpha=0.05, beta=0.20)
    assert audit.test == one_way_anova.NAME
    assert audit.effect_size == pytest.approx(math.sqrt(f / 8), rel=1e-15)
    assert audit.achieved_power == pytest.approx(power, abs=0.5e-4)
    assert audit.if_exact.required_topics == math.ceil(real_n)


def test_example_of_three_systems_against_r_pwr() -> None:
    """Three systems over 20 topics, table 5.1 of Sakai's book on experiments (in Japanese).

    t0 and F0 are those of its scores (R: t.test(x, y, paired = TRUE), oneway.test(var.equal = TRUE)), where
    the book prints t0 2.116, p .048 and effect size .473. Power and n: pwr.t.test, pwr.anova.test.
    """
    of_t = from_paired_t(2.1157598612734656, n_topics=20, alpha=0.05, beta=0.20)
    of_f = from_one_way_f(1.6590542718968295, n_systems=3, n_topics=20, alpha=0.05, beta=0.20)
    for audit, p, half_a_digit, effect, power, n in (
        (of_t, 0.048, 0.5e-3, 0.4730983, 0.5193232, 38),  # 37.03407
        (of_f, 0.1993763, 0.6e-7, 0.2412725, 0.3514216, 57),  # 56.18042
    ):
        assert audit.p_value == pytest.approx(p, abs=half_a_digit)
        assert audit.effect_size == pytest.approx(effect, abs=0.6e-7)
        assert audit.achieved_power == pytest.approx(power, abs=0.6e-7)
        assert audit.if_exact.required_topics == n


def test_p_values_against_scipy() -> None:
    for n in (2, 3, 28, 1000):
        for effect in (0.01, 0.2, 1.0, 30.0, 900.0):
            t = effect * math.sqrt(n)
            expected = 2 * scipy.stats.t.sf(t, n - 1)
            audit = from_paired_t(t, n_topics=n, alpha=0.05, beta=0.20)
            # A tail of 1e-300 is a high power of numbers that carry relative errors of 1e-16.
            assert audit.p_value == pytest.approx(expected, rel=1e-11)
    for m, n, f in ((2, 5, 0.578), (3, 20, 1.659), (10, 147, 4.2), (500, 3, 1.1), (5, 30, 90.0)):
        audit = from_one_way_f(f, n_systems=m, n_topics=n, alpha=0.05, beta=0.20)
        assert audit.p_value == pytest.approx(scipy.stats.f.sf(f, m - 1, m * (n - 1)), rel=1e-11)


def test_sign_of_t_does_not_matter() -> None:
    plus, minus = (from_paired_t(t, n_topics=28, alpha=0.05, beta=0.20) for t in (0.953, -0.953))
    assert minus.statistic == -0.953
    assert (minus.p_value, minus.effect_size) == (plus.p_value, plus.effect_size)
    assert minus.achieved_power == plus.achieved_power
    assert minus.if_exact.required_topics == plus.if_exact.required_topics


def test_two_sample_t_is_one_way_f_of_two_systems() -> None:
    """F0 = t0 squared. Only the effect differs: f of the scripts has phi_E below it, es has n."""
    t_audit = from_two_sample_t(2.3, n_topics=(15, 15), alpha=0.05, beta=0.20)
    f_audit = from_one_way_f(2.3**2, n_systems=2, n_topics=15, alpha=0.05, beta=0.20)
    assert f_audit.p_value == pytest.approx(t_audit.p_value, rel=1e-12)
    # minDelta: m f^2 = 2 t^2 / 28 against es^2 / 2 = t^2 / 15; the former is larger by 15/14.
    ratio = f_audit.if_exact.effect_size / (t_audit.if_exact.effect_size**2 / 2)
    assert ratio == pytest.approx(15 / 14, rel=1e-12)


@pytest.mark.parametrize(("n1", "n2", "t"), [(12, 30, 2.4), (25, 25, 2.0), (2, 9, 2.5)])
def test_two_sample_sizes_by_simulation(n1: int, n2: int, t: float) -> None:
    """Scores that differ by es standard deviations are found significant with the achieved power."""
    audit = from_two_sample_t(t, n_topics=(n1, n2), alpha=0.05, beta=0.20)
    assert audit.effect_size == pytest.approx(t * math.sqrt(1 / n1 + 1 / n2), rel=1e-14)
    rng = np.random.default_rng(2016)
    x = rng.normal(audit.effect_size, 1, (N_TRIALS, n1))
    y = rng.normal(0, 1, (N_TRIALS, n2))
    within = ((n1 - 1) * x.var(axis=1, ddof=1) + (n2 - 1) * y.var(axis=1, ddof=1)) / (n1 + n2 - 2)
    t0 = (x.mean(axis=1) - y.mean(axis=1)) / np.sqrt(within * (1 / n1 + 1 / n2))
    rejected = (np.abs(t0) >= scipy.stats.t.isf(0.025, n1 + n2 - 2)).mean()
    error = math.sqrt(audit.achieved_power * (1 - audit.achieved_power) / N_TRIALS)
    assert rejected == pytest.approx(audit.achieved_power, abs=4 * error)


def test_two_sample_replication_is_of_equal_sizes() -> None:
    audit = from_two_sample_t(2.0, n_topics=(20, 30), alpha=0.05, beta=0.20)
    assert audit.test == two_sample_t.NAME
    # R: pwr.t.test(d = 2 * sqrt(50 / 600), power = .8)$n is 48.07; pwr.t2n.test(20, 30, d = ...)$power .50003.
    assert audit.if_exact.required_topics == 49
    assert audit.achieved_power == pytest.approx(0.50003, abs=0.5e-5)


def test_power_of_a_just_significant_result_is_about_a_half_by_theory() -> None:
    """The achieved power has the information of the p value: at p = alpha it is a half, whatever n is."""
    for n in (10, 50, 1000):
        t = scipy.stats.t.isf(0.025, n - 1)
        audit = from_paired_t(float(t), n_topics=n, alpha=0.05, beta=0.20)
        assert audit.p_value == pytest.approx(0.05, rel=1e-10)
        # Noncentral t has its median a share of 1/(4 phi) above t (Sakai 2016, Eq. 5), which is worth
        # that times the normal density at 0, .3989; and the far tail has 4.4e-5.
        assert audit.achieved_power == pytest.approx(0.5, abs=0.3989 / 4 * 1.01 * t / (n - 1) + 5e-5)


LEVELS: dict[str, Any] = {"alpha": 0.05, "beta": 0.2}
AUDITS: dict[str, tuple[Any, str, dict[str, Any]]] = {
    "paired": (from_paired_t, "t", {"n_topics": 28}),
    "two samples": (from_two_sample_t, "t", {"n_topics": (28, 30)}),
    "one-way": (from_one_way_f, "f", {"n_systems": 3, "n_topics": 20}),
}


@pytest.mark.parametrize("audit", AUDITS)
def test_bad_statistics_are_refused_by_name(audit: str) -> None:
    """No numbers, no effect, and effects of more than a thousand standard deviations."""
    function, name, sizes = AUDITS[audit]
    for value in (
        "2.0",
        None,
        True,
        math.nan,
        math.inf,
        0,
        -0.0,
        1e9,
        1e200,
        *([-2.0] if name == "f" else []),
    ):
        assert refused(function, value, **sizes, **LEVELS).parameter == name


def test_effects_too_small_to_find_again_are_no_solution() -> None:
    for audit in (
        lambda: from_paired_t(1e-6, n_topics=28, alpha=0.05, beta=0.2),
        lambda: from_paired_t(1e-300, n_topics=28, alpha=0.05, beta=0.2),
        lambda: from_two_sample_t(1e-6, n_topics=(28, 28), alpha=0.05, beta=0.2),
        lambda: from_one_way_f(1e-12, n_systems=2, n_topics=5, alpha=0.05, beta=0.2),
    ):
        with pytest.raises(NoSolution, match="10,000,000"):
            audit()


@pytest.mark.parametrize(
    ("audit", "changes", "name"),
    [
        *(
            ("paired", {"n_topics": one}, "n_topics")
            for one in (1, 2.5, -4, "28", True, math.nan, 10_000_001)
        ),
        *(("two samples", {"n_topics": one}, "n_topics") for one in ((1, 30), (30, 2.5))),
        ("one-way", {"n_topics": 1}, "n_topics"),
        ("one-way", {"alpha": 0.0}, "alpha"),
        ("one-way", {"beta": 0.95}, "beta"),
        ("one-way", {"n_systems": 1}, "n_systems"),
    ],
)
def test_other_bad_inputs_are_refused_by_name(audit: str, changes: dict[str, Any], name: str) -> None:
    function, _, sizes = AUDITS[audit]
    assert refused(function, 2.0, **sizes | LEVELS | changes).parameter == name


def test_two_topics_are_enough_to_be_audited() -> None:
    """One degree of freedom, where SciPy's noncentral F fails next to a noncentrality of zero."""
    audit = from_paired_t(5.0, n_topics=2, alpha=0.05, beta=0.2)
    # Cauchy distribution: 2 (1/2 - atan(5) / pi).
    assert audit.p_value == pytest.approx(1 - 2 * math.atan(5) / math.pi, rel=1e-13)
    assert audit.if_exact.required_topics == 3
