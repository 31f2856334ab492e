"""All pairs, against a baseline: sizes and powers of another program, R, mpmath and simulation; properties."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from scipy import special, stats

from tests.designs.asking import stated
from tests.reference.tables import table
from topicset_core.designs import (
    against_baseline,
    all_pairs,
    blocked_anova,
    holm,
    one_way_anova,
    paired_t,
    studentised,
    two_sample_t,
)
from topicset_core.designs.one_way_anova import familywise_error_rate, n_pairs
from topicset_core.errors import InputError, NoSolution

REQUESTS: dict[str, tuple[Any, dict[str, str]]] = {
    "TP": (all_pairs, {}),
    "TY": (all_pairs, {"detect": "any"}),
    "TB": (all_pairs, {"detect": "all", "means": "one-better"}),
    "TH": (all_pairs, {"detect": "all", "means": "halves"}),
    "BP": (all_pairs, {"procedure": "bonferroni"}),
    "DP": (against_baseline, {}),
    "DA": (against_baseline, {"detect": "all"}),
    "bP": (against_baseline, {"procedure": "bonferroni"}),
    "bA": (against_baseline, {"procedure": "bonferroni", "detect": "all"}),
    "ladder": (all_pairs, {"detect": "all", "means": "ladder"}),
}
SEPARATE, SHARED = 0.0471, 0.01285


def given_variance(topics: str, variance: float) -> dict[str, Any]:
    name = "residual_variance" if topics == "shared" else "within_system_variance"
    return {"topics": topics, name: variance}


def topics_of(design: Any, m: int, topics: str = "separate", **parameters: Any) -> int:
    """At alpha .05, beta .20, minD .10 and the variances of AP in TREC Robust 2004."""
    variance = given_variance(topics, SHARED if topics == "shared" else SEPARATE)
    requirements = design.Requirements(
        alpha=0.05, beta=0.20, min_d=0.10, n_systems=m, **variance, **parameters
    )
    result: int = design.required_topics(requirements).required_topics
    return result


@pytest.mark.parametrize("row", table("multiple_comparison_topics"), ids=lambda row: ",".join(row.values()))
def test_required_topics_against_another_program(row: dict[str, str]) -> None:
    topics = "shared" if row["model"] == "blocked" else "separate"
    common: dict[str, Any] = {
        "alpha": float(row["alpha"]),
        "beta": float(row["beta"]),
        "min_d": float(row["minD"]),
        "n_systems": int(row["m"]),
    }
    variance = given_variance(topics, float(row["var"]))
    for column, (design, requested) in REQUESTS.items():
        if column in row:
            requirements = design.Requirements(**common, **variance, **requested)
            assert design.required_topics(requirements).required_topics == int(row[column]), column
    anova: Any = blocked_anova if topics == "shared" else one_way_anova
    del variance["topics"]
    assert anova.required_topics(anova.Requirements(**common, **variance)).required_topics == int(row["A"])


@pytest.mark.parametrize("row", table("multiple_comparison_powers"), ids=lambda row: ",".join(row.values()))
def test_powers_against_another_program(row: dict[str, str]) -> None:
    *systems, column = row["criterion"].split()
    design, requested = REQUESTS[column]
    n = int(row["n"])
    result = design.power(
        [n, n - 1],
        0.10 / float(row["var"]) ** 0.5,
        alpha=0.05,
        n_systems=int(systems[0][1:]) if systems else 10,
        topics="shared" if row["model"] == "blocked" else "separate",
        **requested,
    )
    # Printed with nine decimals by a program whose quadrature errs by up to 1e-9 for the ladder.
    assert result == pytest.approx([float(row["power_n"]), float(row["power_n_minus_1"])], abs=2e-9)


def test_other_configurations_of_means_against_another_program() -> None:
    def any_pair(m: int, means: str) -> int:
        return topics_of(all_pairs, m, detect="any", means=means)

    assert [any_pair(m, "one-better") for m in (3, 5, 10, 30, 100)] == [71, 71, 75, 84, 95]
    assert [any_pair(m, "equally-spaced") for m in (3, 5, 10)] == [92, 98, 90]
    ladder: dict[str, Any] = {"detect": "all", "means": "ladder"}
    assert [topics_of(all_pairs, m, **ladder) for m in (3, 5, 10)] == [125, 180, 250]
    assert [topics_of(all_pairs, m, "shared", **ladder) for m in (3, 5, 10)] == [36, 50, 69]


def test_critical_values_against_mpmath() -> None:
    # q of infinitely many degrees of freedom, and c; mpmath quadrature, printed with 10 decimals (Dunnett: 9).
    tukey = {
        (3, 288): 2.3558959110,
        (10, 1510): 3.1684482409,
        (30, 200): 3.8046801800,
        (10, 1e13): 4.4741242217 / 2**0.5,
        (1000, 1e13): 7.3696274851 / 2**0.5,
    }
    for (m, df), c in tukey.items():
        assert studentised.critical_value("pairs", m, df, 0.05) == pytest.approx(c, abs=1e-10)
    dunnett = {
        (3, 288): 2.223010088,
        (5, 132): 2.471677860,
        (10, 1510): 2.689437144,
        (4, 1e13): 2.348970590,
        (10, 1e13): 2.686223367,
    }
    for (m, df), c in dunnett.items():
        assert studentised.critical_value("baseline", m, df, 0.05) == stated(c, 9)
    for m, df, q, tail in OF_MPMATH:
        # A relative error of the tail is one of q that is several times smaller.
        assert studentised.critical_value("pairs", m, df, tail) * 2**0.5 == pytest.approx(q, rel=1e-11)


OF_MPMATH = [
    # mpmath to 18 digits.
    (3, 20, 3.5, 0.055891849081749),
    (10, 60, 4.5, 0.065286101676717),
    # SciPy's tests, studentized_range_mpmath_ref.json, made with mpmath: 1 less the distribution function.
    (3, 10, 1.0, 1 - 0.23510918942128056),
    (3, 10, 10.0, 1 - 0.999908236635449),
]
"""Means, degrees of freedom, studentised range q, and the probability of a larger one."""


def plain_tail(m: int, df: int, q: float) -> float:
    """Two nested integrals as they are defined, by panels of 40 nodes over the means and over s."""
    nodes, weights = np.polynomial.legendre.leggauss(40)

    def panels(edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
        return (middle[:, None] + half[:, None] * nodes).ravel(), (half[:, None] * weights).ravel()

    z, of_z = panels(np.linspace(-9, 9, 19))
    s, of_s = panels(np.concatenate([[0], np.geomspace(1e-6, 1, 30)]) * min(14 / q, 60.0))
    above, below = special.ndtr(z), special.ndtr(z - q * s[:, None])
    beyond = m * (above ** (m - 1) - (above - below) ** (m - 1)) @ (of_z * stats.norm.pdf(z))
    return float(of_s @ (beyond * stats.chi.pdf(s * df**0.5, df) * df**0.5))


@pytest.mark.parametrize("df", [1, 2, 5, 10, 41])
def test_critical_values_of_few_degrees_of_freedom_against_plain_quadrature(df: int) -> None:
    for m in (3, 50):
        for alpha in (0.05, 0.001):
            q = float(studentised.critical_value("pairs", m, df, alpha)) * 2**0.5
            assert plain_tail(m, df, q) == pytest.approx(alpha, rel=1e-10)


def plain_powers(
    family: str, m: int, nu: int, distance: float, means: np.ndarray, trials: int
) -> dict[str, float]:
    """Simulate means and s, and count; nothing here is shared with the package but the critical value of t."""
    rng = np.random.default_rng([m, nu, len(family)])
    x = rng.standard_normal((trials, m)) + distance * means
    s = np.sqrt(rng.chisquare(nu, trials) / nu)
    pairs = [(i, j) for i in range(m) for j in range(i) if family == "pairs" or j == 0]
    t = np.stack([np.abs(x[:, i] - x[:, j]) for i, j in pairs], axis=1) / (s[:, None] * 2**0.5)
    target = np.array([abs(means[i] - means[j]) >= 1 - 1e-12 for i, j in pairs])
    result: dict[str, float] = {}
    first = "tukey" if family == "pairs" else "dunnett"
    single = {
        first: float(studentised.critical_value(family, m, nu, 0.05)),  # type: ignore[arg-type]
        "bonferroni": float(stats.t.isf(0.05 / len(pairs) / 2, nu)),
    }
    levels = stats.t.isf(0.05 / np.arange(len(pairs), 0, -1) / 2, nu)
    order = np.argsort(-t, axis=1)
    passes = np.logical_and.accumulate(np.take_along_axis(t, order, 1) >= levels, axis=1)
    stepped = np.empty_like(passes)
    np.put_along_axis(stepped, order, passes, 1)
    for procedure, rejected in {**{name: t >= c for name, c in single.items()}, "holm": stepped}.items():
        result[f"{procedure} pair"] = rejected[:, target][:, 0].mean()
        result[f"{procedure} any"] = rejected.any(axis=1).mean()
        result[f"{procedure} all"] = rejected[:, target].all(axis=1).mean()
    return result


@pytest.mark.parametrize(
    ("family", "m", "n", "distance", "means"),
    [
        ("pairs", 4, 12, 3.6, "two-extremes"),
        ("pairs", 5, 30, 3.8, "one-better"),
        ("pairs", 5, 30, 4.5, "halves"),
        ("baseline", 6, 25, 3.6, "all-differ"),
        ("baseline", 4, 10, 3.2, "one-differs"),
    ],
)
def test_powers_against_simulation(family: str, m: int, n: int, distance: float, means: str) -> None:
    design: Any = all_pairs if family == "pairs" else against_baseline
    trials = 60_000
    offsets = holm.offsets_of(means, m)
    simulated = plain_powers(family, m, (m - 1) * (n - 1), distance, offsets, trials)
    assert len(simulated) == 9
    for name, share in simulated.items():
        procedure, detect = name.split()
        exact = float(
            design.power(
                n,
                distance / n**0.5,
                alpha=0.05,
                n_systems=m,
                procedure=procedure,
                detect=detect,
                means=None if detect == "pair" else means,
            )
        )
        error = (exact * (1 - exact) / trials) ** 0.5
        if procedure == "holm" and (detect == "pair" or means in ("two-extremes", "one-differs")):
            assert share >= exact - 4 * error, name  # Bonferroni's, a bound
        else:
            assert abs(share - exact) <= 4 * error, name


def test_holm_against_a_baseline_against_another_program() -> None:
    for topics, variance, sizes in (
        ("separate", SEPARATE, {3: 95, 5: 114, 10: 135, 20: 154}),
        ("shared", SHARED, {3: 27, 5: 32, 10: 37, 20: 43}),
    ):
        for m, n in sizes.items():
            powers = against_baseline.power(
                [n - 1, n],
                0.10 / variance**0.5,
                alpha=0.05,
                n_systems=m,
                topics=topics,
                procedure="holm",
                detect="all",
            )
            assert powers[0] < 0.80 <= powers[1]
            if n == 135:
                assert powers[1] == pytest.approx(0.80215960, abs=1e-8)
    # There by 300,000 simulated trials; here those of Bonferroni's procedure.
    assert [topics_of(against_baseline, m, procedure="holm") for m in (3, 5, 10)] == [91, 106, 124]


def test_a_simulated_power_is_reported_as_simulated() -> None:
    requirements = all_pairs.Requirements(
        alpha=0.05,
        beta=0.2,
        min_d=0.1,
        n_systems=5,
        residual_variance=SHARED,
        procedure="holm",
        detect="all",
        means="halves",
    )
    result = all_pairs.required_topics(requirements)
    assert result.critical_value is None
    assert result.seed == holm.SEED
    assert result.n_trials == 100_000
    assert 0 < (result.standard_error or 0) < 0.001
    assert "simulated" in result.notes[1]
    assert result == all_pairs.required_topics(requirements)


PROFILE = settings(derandomize=True, deadline=None, max_examples=40, database=None)


@PROFILE
@given(
    alpha=st.floats(1e-6, 0.3),
    share=st.floats(1e-3, 0.9),
    delta=st.floats(0.05, 3.0),
    topics=st.sampled_from(["shared", "separate"]),
    design=st.sampled_from([all_pairs, against_baseline]),
    place=st.integers(0, 2),
)
def test_with_two_systems_every_design_is_the_t_test(
    alpha: float, share: float, delta: float, topics: str, design: Any, place: int
) -> None:
    beta = share * (1 - alpha)
    procedure = list(design.PROCEDURE.options)[place]
    requirements = design.Requirements(
        alpha=alpha, beta=beta, n_systems=2, min_delta=delta, topics=topics, procedure=procedure
    )
    if topics == "shared":  # sigma_t^2 is twice sigma_e^2
        t_test: Any = paired_t.Requirements(alpha=alpha, beta=beta, min_delta=delta / 2**0.5)
        expected = paired_t.required_topics(t_test)
    else:
        t_test = two_sample_t.Requirements(alpha=alpha, beta=beta, min_delta=delta)
        expected = two_sample_t.required_topics(t_test)
    result = design.required_topics(requirements)
    assert result.attained_power == pytest.approx(expected.attained_power, abs=1e-9)
    assert result.required_topics == expected.required_topics


@settings(PROFILE, max_examples=12)
@given(
    alpha=st.floats(1e-5, 0.3),
    share=st.floats(0.01, 0.9),
    delta=st.floats(0.1, 2.0),
    m=st.integers(3, 20),
    topics=st.sampled_from(["shared", "separate"]),
)
def test_order_of_procedures_and_powers(
    alpha: float, share: float, delta: float, m: int, topics: str
) -> None:
    beta = share * (1 - alpha)
    common: dict[str, Any] = {"alpha": alpha, "beta": beta, "n_systems": m, "topics": topics}

    def n(design: Any, **parameters: Any) -> int:
        result: int = design.required_topics(
            design.Requirements(min_delta=delta, **common, **parameters)
        ).required_topics
        return result

    dunnett, of_baseline = n(against_baseline), n(against_baseline, procedure="bonferroni")
    tukey, bonferroni = n(all_pairs), n(all_pairs, procedure="bonferroni")
    assert dunnett <= of_baseline <= bonferroni
    assert dunnett <= tukey <= bonferroni
    assert n(all_pairs, detect="any") <= tukey <= n(all_pairs, detect="all", means="one-better")
    any_holm = n(all_pairs, procedure="holm", detect="any")
    assert any_holm == n(all_pairs, procedure="bonferroni", detect="any")
    for design, detect in ((all_pairs, "pair"), (against_baseline, "any")):
        result = n(design, detect=detect)
        fixed = {key: value for key, value in common.items() if key != "beta"}
        assert design.power(result, delta, **fixed, detect=detect) >= 1 - beta
        if result > 2:
            assert design.power(result - 1, delta, **fixed, detect=detect) < 1 - beta
        detected = float(design.detectable_delta(result, **common, detect=detect))
        assert detected <= delta * (1 + 1e-9)


@pytest.mark.parametrize(
    "parameters",
    [{}, {"detect": "any"}, {"detect": "all", "means": "halves"}, {"procedure": "bonferroni"}],
    ids=str,
)
def test_grid_equals_single_answers_and_is_monotone(parameters: dict[str, str]) -> None:
    effects = np.geomspace(0.05, 4.0, 40)[::-1]
    common: dict[str, Any] = {"alpha": 0.05, "beta": 0.2, "n_systems": 7, **parameters}
    grid = all_pairs.required_topics_grid(effects, **common)
    assert np.all(np.diff(grid) >= 0)
    for effect, n in list(zip(effects, grid, strict=True))[::5]:
        requirements = all_pairs.Requirements(min_delta=float(effect), **common)
        assert all_pairs.required_topics(requirements).required_topics == n


def test_means_outside_the_middle_never_lower_any_pair_power() -> None:
    # Least favourable: all but two in the middle (Hayter and Liu 1990).
    reach = np.array([[4.0]])
    least = 1 - float(studentised.no_pair(reach, [np.array(v) for v in (0.0, 1.5, 3.0)], [1, 4, 1])[0])
    rng = np.random.default_rng(3)
    for _ in range(50):
        inner = np.sort(rng.uniform(0, 3, 4))
        means = [np.array(float(v)) for v in (0.0, *inner, 3.0)]
        assert 1 - float(studentised.no_pair(reach, means, [1] * 6)[0]) >= least - 1e-12


def test_there_is_no_published_method() -> None:
    common: dict[str, Any] = {"alpha": 0.05, "n_systems": 10, "method": "published"}
    with pytest.raises(InputError):
        all_pairs.power(10, 0.5, **common)
    for question in (all_pairs.required_topics_grid, all_pairs.detectable_delta):
        with pytest.raises(InputError):
            question(5, beta=0.2, **common)


def test_impossible_and_easy_requirements() -> None:
    with pytest.raises(NoSolution):
        all_pairs.required_topics_grid(1e-6, alpha=0.05, beta=0.2, n_systems=10)
    assert int(all_pairs.required_topics_grid(900.0, alpha=0.05, beta=0.2, n_systems=10)) == 2
    # A tiny alpha is searched cell by cell; the power decides.
    grid = all_pairs.required_topics_grid([0.5, 2.0], alpha=1e-40, beta=0.2, n_systems=3)
    powers = all_pairs.power([*grid, *(grid - 1)], [0.5, 2.0, 0.5, 2.0], alpha=1e-40, n_systems=3)
    assert np.all(powers[:2] >= 0.8)
    assert np.all(powers[2:] < 0.8)


def test_warm_up_compiles_every_kernel() -> None:
    from topicset_core.designs import holm_kernels

    holm.warm_up()
    assert holm_kernels.all_reached.signatures
    assert holm_kernels.pairs_found.signatures


def test_holm_curves_are_those_of_bonferroni_where_they_would_take_long() -> None:
    def drawn_by(design: Any, m: int, means: str) -> str:
        given = {"n_systems": m, "procedure": "holm", "topics": "shared", "detect": "all", "means": means}
        procedure: str = design.DESIGN.quickly(given)["procedure"]
        return procedure

    assert drawn_by(all_pairs, 5, "halves") == "bonferroni"
    assert drawn_by(against_baseline, 5, "all-differ") == "holm"
    assert drawn_by(against_baseline, 50, "all-differ") == "bonferroni"


def test_holm_for_one_pair_or_some_is_bonferroni_and_says_so() -> None:
    for detect in ("pair", "any"):
        common: dict[str, Any] = {"alpha": 0.05, "beta": 0.2, "min_d": 0.1, "n_systems": 5, "detect": detect}
        results = [
            all_pairs.required_topics(
                all_pairs.Requirements(**common, residual_variance=SHARED, procedure=procedure)
            )
            for procedure in ("holm", "bonferroni")
        ]
        assert results[0].required_topics == results[1].required_topics
        assert results[0].attained_power == results[1].attained_power
        assert [any("Bonferroni's" in note for note in one.notes) for one in results] == [True, False]


def test_pairs_are_counted_once() -> None:
    assert [n_pairs(m) for m in (2, 3, 10, 1000)] == [1, 3, 45, 499_500]
    with pytest.raises(InputError, match="n_systems"):
        n_pairs(1001)


# 1 - .95^k for the k of Sakai 2016, section 2.2, to six decimals, by hand.
@pytest.mark.parametrize(
    ("m", "rate"), [(2, 0.05), (3, 0.142625), (4, 0.264908), (5, 0.401263), (10, 0.900560)]
)
def test_rate_at_five_per_cent_against_sakai_2016(m: int, rate: float) -> None:
    assert familywise_error_rate(0.05, m) == pytest.approx(rate, abs=0.5e-6)


# As small as alpha may be and as large as a double below 1 can represent. A result in the range of normal
# doubles is right to a few units of the last digit, which the two functions behind it lose.
@settings(PROFILE, max_examples=100)
@given(alpha=st.floats(min_value=1e-100, max_value=1 - 1e-6), m=st.integers(2, 1000))
def test_every_digit_against_mpmath(alpha: float, m: int) -> None:
    with mp.workdps(150):
        exact = 1 - (1 - mpf(alpha)) ** n_pairs(m)
        assert familywise_error_rate(alpha, m) == pytest.approx(float(exact), rel=1e-15)


@pytest.mark.parametrize(
    ("alpha", "m", "named"),
    [(0.0, 10, "alpha"), (None, 10, "alpha"), (0.05, 1, "n_systems"), (0.05, 2.5, "n_systems")],
)
def test_bad_input_is_refused_by_name(alpha: Any, m: Any, named: str) -> None:
    with pytest.raises(InputError, match=named):
        familywise_error_rate(alpha, m)


def test_adjusted_p_values_by_hand() -> None:
    # Of four hypotheses: .01 x 4, .02 x 3 = .06, and .025 x 2 = .05 is raised to no less than the one before.
    assert holm.adjusted([0.025, 0.01, 0.5, 0.02]) == pytest.approx([0.06, 0.04, 0.5, 0.06])
    # .01 x 3; then .03 x 2; .04 may not fall below the value before it.
    assert holm.adjusted([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm.adjusted([0.7, 0.9]) == [1.0, 1.0]
    # One that cannot be tested counts among the three.
    assert holm.adjusted([0.02, None, 0.01]) == pytest.approx([0.04, None, 0.03])
