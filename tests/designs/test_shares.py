"""Score tests and intervals of shares: printed examples, R, plain enumeration and simulation."""

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

from tests.analyses.planning.stating import plan_with
from tests.cli.running import record, text
from tests.designs.asking import stated
from topicset_core.analyses.planning.curves import curves_around, share_curve, with_beside
from topicset_core.analyses.planning.report import in_short
from topicset_core.designs import (
    design_named,
    equivalent_shares,
    non_inferior_shares,
    paired_shares_interval,
    share_interval,
)
from topicset_core.designs.score_test import score, smallest_count, tango_interval
from topicset_core.designs.share_interval import share_interval as interval_of
from topicset_core.designs.share_width import nodes
from topicset_core.errors import InputError, NoSolution

MARGINS = [
    (non_inferior_shares, 0.10, 0.0, 0.11),
    (non_inferior_shares, 0.15, -0.02, 0.30),
    (equivalent_shares, 0.15, 0.02, 0.15),
]


def plain_score(b: int, c: int, n: int, difference: float) -> float:
    """T with the maximum of the likelihood found by search: Tango (1998), section 2."""

    def minus_log(p01: float) -> float:
        p10 = p01 + difference
        parts = ((b, p10), (c, p01), (n - b - c, 1 - p10 - p01))
        return -sum(count * math.log(max(p, 1e-300)) for count, p in parts if count)

    low, high = max(0.0, -difference), (1 - difference) / 2
    p01 = optimize.minimize_scalar(minus_log, bounds=(low, high), options={"xatol": 1e-12}).x
    spread = n * (2 * p01 + difference - difference**2)
    return float((b - c - n * difference) / math.sqrt(spread))


@pytest.mark.parametrize(
    ("b", "c", "n", "level", "limits", "digits"),
    [
        # Tango (1998), section 5, as the tests of the R package ratesci cite it: (a, b, c, d) = (4, 9, 3, 16)
        # and (43, 0, 1, 0).
        (9, 3, 32, 0.95, (-0.027, 0.390), 3),
        (0, 1, 44, 0.90, (-0.096, 0.037), 3),
        (16, 8, 86, 0.95, (-0.020, 0.207), 3),  # Agresti and Min (2005): (53, 16, 8, 9)
        (1, 7, 21, 0.95, (-0.517, -0.026), 3),  # Fagerland, Lydersen and Laake (2014), data of Bentur et al.
        (28, 25, 618, 0.90, (-0.0148, 0.0247), 4),  # R, PropCIs::scoreci.mp(25, 28, 618, .9), as published
    ],
)
def test_tangos_interval_against_printed_examples(
    b: int, c: int, n: int, level: float, limits: tuple[float, float], digits: int
) -> None:
    found = [float(one) for one in tango_interval(b, c, n, 1 - level)]
    assert found == [stated(one, digits) for one in limits]


def test_statistic_against_maximised_likelihood() -> None:
    for (b, c, n), d in product(((9, 3, 32), (1, 7, 21), (0, 4, 30)), (-0.2, -0.05, 0.1)):
        # The search finds the maximum of the likelihood to about the root of the last digit.
        assert float(score(b, c, n, d)) == pytest.approx(plain_score(b, c, n, d), abs=1e-5)
    assert float(score(9, 3, 32, 0.0)) == pytest.approx(6 / math.sqrt(12), abs=1e-14)  # McNemar's


def test_limits_have_the_critical_statistic() -> None:
    rng = np.random.default_rng(1)
    n = rng.integers(1, 400, 3000)
    m = rng.integers(0, n + 1)
    b = rng.integers(0, m + 1)
    low, high = tango_interval(b, m - b, n, 0.05)
    z = float(stats.norm.isf(0.025))
    assert (
        np.abs(score(b, m - b, n, low) - z)[low > -1].max() < 1e-8
    )  # limits have 13 digits; T is steep at the ends
    assert np.abs(score(b, m - b, n, high) + z)[high < 1].max() < 1e-8
    mirrored = tango_interval(m - b, b, n, 0.05)
    np.testing.assert_allclose([-mirrored[1], -mirrored[0]], [low, high], rtol=0, atol=1e-12)
    # No discordant topic: n lambda^2 = z^2 |lambda| (1 - |lambda|), by hand.
    assert float(tango_interval(0, 0, 5, 0.05)[1]) == pytest.approx(z**2 / (5 + z**2), abs=1e-12)


def test_smallest_counts_against_every_count() -> None:
    z = stats.norm.isf(0.05)
    for n, margin in product((3, 20, 61), (0.02, 0.1, 0.5)):
        m = np.arange(n + 1)
        plain = [
            next((b for b in range(one + 1) if score(b, one - b, n, -margin) >= z), one + 1) for one in m
        ]
        assert smallest_count(np.full(n + 1, n), m, margin, z).tolist() == plain


def plain_power(
    design: Any, n: int, margin: float, theta: float, variance: float, alpha: float = 0.05
) -> float:
    """The sum over all tables of n topics, each decided by T."""
    psi = variance + theta**2
    p10, p01 = (psi + theta) / 2, (psi - theta) / 2
    b, c = np.array([(b, c) for b in range(n + 1) for c in range(n + 1 - b)]).T
    z = stats.norm.isf(alpha)
    shown = score(b, c, n, -margin) >= z
    if design is equivalent_shares:
        shown &= score(b, c, n, margin) <= -z
    rows = np.column_stack([b, c, n - b - c])[shown]
    return float(stats.multinomial.pmf(rows, n, [p10, p01, 1 - psi]).sum())


@pytest.mark.parametrize(("design", "margin", "theta", "variance"), MARGINS)
def test_powers_of_score_tests_against_plain_enumeration(
    design: Any, margin: float, theta: float, variance: float
) -> None:
    wanted = design.Requirements(
        alpha=0.05, beta=0.2, margin=margin, true_difference=theta, difference_variance=variance
    )
    result = design.required_topics(wanted)
    n, least = result.required_topics, result.least_topics
    given = {"alpha": 0.05, "true_difference": theta}
    sizes = np.arange(2, 2 * n)
    powers = design.power(sizes, margin, variance, **given)
    for one in (20, n - 1, n):
        assert powers[one - 2] == pytest.approx(plain_power(design, one, margin, theta, variance), abs=1e-11)
    assert least == int(sizes[powers >= 0.8][0])
    assert n == int(sizes[powers < 0.8][-1]) + 1
    assert (result.attained_power, result.power_one_topic_fewer) == (powers[n - 2], powers[n - 3])
    at_margin = [
        plain_power(design, 30, margin, -margin, psi - margin**2) for psi in (margin + 1e-9, 0.3, 0.6)
    ]
    assert max(at_margin) <= design.DESIGN.level(30, margin, 0.05) + 1e-6


def test_the_largest_level_is_found_between_points_of_a_grid() -> None:
    # 3,001 discordant shares from .1 to 1 have the largest level at .1111.
    at_top = plain_power(equivalent_shares, 104, 0.1, -0.1, 0.1111 - 0.1**2)
    assert equivalent_shares.DESIGN.level(104, 0.1, 0.05) == pytest.approx(at_top, rel=1e-4)


@pytest.mark.parametrize(
    ("design", "margin", "theta", "psi", "beta"),
    [
        # Every topic is discordant, or all discordant ones favour one system, near the margin: steps far apart
        (equivalent_shares, 0.8615, 0.51, 1.0, 0.2),
        (equivalent_shares, 0.8356, -0.6437, 1.0, 0.2),
        (equivalent_shares, 0.9095, 0.8436, 0.8547, 0.1),
        (non_inferior_shares, 0.7574, -0.6964, 0.6964, 0.1),
    ],
)
def test_all_topics_from_the_required_on_reach_the_power_near_the_margin(
    design: Any, margin: float, theta: float, psi: float, beta: float
) -> None:
    """Against the power of every number of topics, which the plain enumeration has shown to be right."""
    given = {"alpha": 0.05, "true_difference": theta}
    result = design.required_topics(
        design.Requirements(beta=beta, margin=margin, difference_variance=psi - theta**2, **given)
    )
    sizes = np.arange(2, result.required_topics + 150)
    reached = design.power(sizes, margin, psi - theta**2, **given) >= 1 - beta
    assert result.least_topics == int(sizes[reached][0])
    assert result.required_topics == int(sizes[~reached][-1]) + 1


@pytest.mark.parametrize(("design", "margin", "theta", "variance"), MARGINS)
def test_powers_of_score_tests_against_simulation(
    design: Any, margin: float, theta: float, variance: float
) -> None:
    n, trials, psi, z = 120, 1_000_000, variance + theta**2, stats.norm.isf(0.05)
    shares = [(psi + theta) / 2, (psi - theta) / 2, 1 - psi]
    b, c, _ = np.random.default_rng(45).multinomial(n, shares, size=trials).T
    counts = np.bincount(b * (n + 1) + c)
    b, c = np.divmod(np.flatnonzero(counts), n + 1)
    shown = score(b, c, n, -margin) >= z
    if design is equivalent_shares:
        shown &= score(b, c, n, margin) <= -z
    share = counts[counts > 0][shown].sum() / trials
    power = float(design.power(n, margin, variance, alpha=0.05, true_difference=theta))
    assert share == pytest.approx(power, abs=4 * math.sqrt(power * (1 - power) / trials))


def test_topics_of_score_tests_against_the_normal_formula() -> None:
    """Liu et al. (2002): with equal systems and a small margin n is near (z_a + z_b)^2 psi / margin^2."""
    z = [float(stats.norm.isf(one)) for one in (0.05, 0.2, 0.1)]
    for design, sum_of_z in ((non_inferior_shares, z[0] + z[1]), (equivalent_shares, z[0] + z[2])):
        n = int(design.required_topics_grid(0.02, 0.1, alpha=0.05, beta=0.2))
        assert n == pytest.approx(sum_of_z**2 * 0.1 / 0.02**2, rel=0.015)  # of order margin / psi


def test_small_margins_take_a_window_of_topics_that_fits_in_memory() -> None:
    """All numbers in the window have 17 million counts; every 17th is less than 1 in 10,000 off."""
    n = int(non_inferior_shares.required_topics_grid(0.001, 0.1, alpha=0.05, beta=0.2))
    z = float(stats.norm.isf(0.05) + stats.norm.isf(0.2))
    assert n == pytest.approx(z**2 * 0.1 / 0.001**2, rel=1e-3)
    power = non_inferior_shares.power([n, n - 100], 0.001, 0.1, alpha=0.05)
    assert power[1] < 0.8 <= power[0]


def test_smallest_margin_reaches_the_power() -> None:
    plan = non_inferior_shares.DESIGN.plan(
        alpha=0.05, beta=0.2, true_difference=0.01, difference_variance=0.1
    )
    margins = plan.detected([60, 300])
    assert (plan.power([60, 300], margins) >= 0.8).all()
    assert (plan.power([60, 300], margins * (1 - 1e-4)) < 0.8).all()


def test_intervals_of_a_share_against_r() -> None:
    """R 4.2.2: prop.test(x, n, correct = FALSE) is Wilson's, binom.test(x, n) Clopper and Pearson's."""
    assert [float(one) for one in interval_of(7, 50, 0.05)] == pytest.approx(
        [0.069508334, 0.261861937], abs=5e-10
    )
    exact = [float(one) for one in interval_of(7, 50, 0.05, "clopper-pearson")]
    assert exact == pytest.approx([0.05819170, 0.2673960], abs=5e-8)
    assert [float(one) for one in interval_of(0, 20, 0.05, "clopper-pearson")] == pytest.approx(
        [0, 1 - 0.025 ** (1 / 20)], abs=1e-14
    )
    assert [float(one) for one in interval_of(20, 20, 0.05)] == pytest.approx(
        [20 / (20 + stats.norm.isf(0.025) ** 2), 1], abs=1e-14
    )


@pytest.mark.parametrize("interval", ["wilson", "clopper-pearson"])
def test_expected_widths_of_a_share_against_the_plain_sum(interval: str) -> None:
    for n, p in ((30, 0.3), (82, 0.5), (2100, 0.01), (3000, 0.2)):
        x = np.arange(n + 1)
        low, high = interval_of(x, n, 0.05, interval)
        plain = float(stats.binom.pmf(x, n, p) @ (high - low))
        found = float(share_interval.width(n, p * (1 - p), alpha=0.05, interval=interval))
        assert found == pytest.approx(plain, rel=1e-9)  # where the quadrature begins it errs by 1e-10


def test_expected_widths_of_tangos_interval_against_the_plain_sum() -> None:
    for n, psi, d in ((40, 0.2, 0.1), (160, 0.3, 0.28), (120, 0.9, 0.0)):
        m = np.repeat(np.arange(n + 1), np.arange(1, n + 2))
        b = np.concatenate([np.arange(one + 1) for one in range(n + 1)])
        chance = stats.binom.pmf(m, n, psi) * stats.binom.pmf(b, m, (psi + d) / (2 * psi))
        near = chance > 1e-14
        low, high = tango_interval(b[near], (m - b)[near], n, 0.05)
        found = float(paired_shares_interval.width(n, psi - d * d, alpha=0.05, true_difference=d))
        assert found == pytest.approx(float(chance[near] @ (high - low)), rel=1e-7)


def test_quadrature_has_the_moments_of_the_binomial() -> None:
    counts, weights = nodes(1000, 0.3)
    assert counts.size == 12
    for power in range(8):
        k = np.arange(1001)
        plain = float(stats.binom.pmf(k, 1000, 0.3) @ ((k - 300) / 14.5) ** power)
        assert float(weights @ ((counts - 300) / 14.5) ** power) == pytest.approx(plain, abs=1e-9)


@pytest.mark.parametrize(
    ("module", "variance", "fixed"),
    [
        (paired_shares_interval, 0.1075, {"true_difference": 0.05}),
        (share_interval, 0.21, {"interval": "wilson"}),
        (share_interval, 0.0099, {"interval": "clopper-pearson"}),
    ],
)
def test_widths_fall_with_topics_and_the_least_n_is_found(
    module: Any, variance: float, fixed: dict[str, Any]
) -> None:
    sizes = np.arange(2, 150) if module is share_interval else np.arange(2, 60)
    widths = module.width(sizes, variance, alpha=0.05, **fixed)
    assert (np.diff(widths) < 0).all()
    for widest in (0.3, 0.25):
        n = int(module.required_topics_grid(widest, variance, alpha=0.05, **fixed))
        assert n == int(sizes[widths <= widest][0])


def test_commands_take_shares(capsys: pytest.CaptureFixture[str]) -> None:
    common = ("--alpha", ".05")
    claim = ("--shares", ".06", ".05", "--margin", ".1", "--beta", ".2")
    printed = record(capsys, "size", "non-inferior-shares", *claim, *common)
    assert (printed["true_difference"], printed["least_topics"] <= printed["required_topics"]) == (
        stated(0.01, 12),
        True,
    )
    printed = record(
        capsys, "size", "paired-shares-ci", "--shares", ".08", ".03", "--max-width", ".1", *common
    )
    assert printed["required_topics"] == 184  # test_widths_fall... has the search against plain sums
    one = record(capsys, "size", "share-ci", "--shares", ".3", "--max-width", ".1", *common)
    other = record(capsys, "size", "share-ci", "--shares", ".7", "--max-width", ".1", *common)
    assert one["required_topics"] == other["required_topics"] == 319


@pytest.mark.parametrize(
    ("given", "words"),
    [  # with and without the number of topics; "exact" alone would be read as the test
        ("mcnemar --mcnemar mid-p --beta .2", "(McNemar's test; mid-p; method exact)"),
        ("mcnemar --mcnemar mid-p --topics 150", "(McNemar's test; mid-p; method exact)"),
        ("mcnemar --beta .2", "(McNemar's test; exact, conditional; method exact)"),
        ("non-inferior-shares --margin .2 --beta .2", "(Non-inferiority of shares, exact)"),
    ],
)
def test_an_answer_names_the_test_that_was_chosen(
    given: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    common = "--shares", ".15", ".05", "--alpha", ".05"
    assert words in text(capsys, "size", *given.split(), *common)


def test_a_record_for_a_number_of_topics_has_the_choice_by_default(
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = "--shares", ".15", ".05", "--alpha", ".05", "--topics", "150"
    assert record(capsys, "size", "mcnemar", *given)["requirements"]["mcnemar"] == "exact"


def test_refusals_name_shares_where_these_were_given() -> None:
    import topicset_core as topicset

    given: dict[str, Any] = {"alpha": 0.05, "beta": 0.2, "margin": 0.1}
    with pytest.raises(
        InputError, match=r"^shares = \[0.05, 0.2\]: give a true difference of -0.15, which must"
    ):
        topicset.size("non-inferior-shares", shares=[0.05, 0.2], **given)
    with pytest.raises(InputError, match=r"^true_difference = -0.15: must be above minus the margin"):
        topicset.size("non-inferior-shares", true_difference=-0.15, difference_variance=0.2275, **given)


def test_what_shares_cannot_be() -> None:
    for shares, message in (((0.1, 0.2), "must be one share"), ((1.0,), "must be above 0 and below 1")):
        with pytest.raises(InputError, match=message):
            share_interval.DESIGN.of_shares(shares)
    with pytest.raises(InputError, match=r"within_system_variance = 0.51.* at most 0.5"):
        share_interval.DESIGN.plan(alpha=0.05, max_width=0.1, within_system_variance=0.51)
    # 25 of 50 topics are right: the unbiased variance is above that of any share
    few, half = (
        share_interval.DESIGN.plan(alpha=0.05, max_width=0.1, within_system_variance=one).required_topics()
        for one in (0.25 * 50 / 49, 0.25)
    )
    assert (few.required_topics, half.notes) == (half.required_topics, ())
    assert few.notes == ("A share has a variance of at most 0.25, which is used in place of 0.2551",)
    with pytest.raises(InputError, match=r"margin = 1.* must be below 1"):
        non_inferior_shares.DESIGN.plan(alpha=0.05, beta=0.2, margin=1.0, difference_variance=0.1)
    with pytest.raises(InputError, match=r"true_difference = -0.1.* or no number of topics"):
        non_inferior_shares.DESIGN.plan(
            alpha=0.05, beta=0.2, margin=0.1, true_difference=-0.1, difference_variance=0.2
        )
    for slug, pair in (
        ("mcnemar", (1.0, 0.0)),
        ("non-inferior-shares", (0.0, 0.0)),
        ("paired-shares-ci", (0.0, 1.0)),
    ):
        with pytest.raises(InputError, match=r"shares = .* must leave differences that vary"):
            design_named(slug).of_shares(pair)
    rounded: Any = equivalent_shares.DESIGN.of_shares((0.15, 0.05))  # .15 - .05 is below .1 by rounding
    with pytest.raises(InputError, match=r"true_difference = .* must be within the margin of 0.1"):
        equivalent_shares.DESIGN.plan(alpha=0.05, beta=0.2, margin=0.1, **rounded)
    # By the normal formulas 11.3 and 13.7 million
    tiny: Any = design_named("mcnemar").of_shares((7e-7, 0.0))
    for plan in (
        design_named("mcnemar").plan(alpha=0.05, beta=0.2, **tiny),
        equivalent_shares.DESIGN.plan(alpha=0.05, beta=0.2, margin=0.00025, difference_variance=0.1),
    ):
        with pytest.raises(NoSolution, match="10,000,000"):
            plan.required_topics()
    with pytest.raises(NoSolution, match="10,000,000"):
        share_interval.DESIGN.plan(alpha=0.05, max_width=1e-5, within_system_variance=0.2).topics()


def test_scores_of_0_and_1_are_recognised(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    """Half of the topics are discordant, three to one: the paired t plan names the other design."""
    right = [(1, 0), (1, 1), (0, 0), (1, 0), (0, 1), (1, 1), (0, 0), (1, 0)] * 8
    texts = {"binary": "1", "other": "0.9"}
    for name, one in texts.items():
        rows = [f"t{place},{one if a else 0},{b}" for place, (a, b) in enumerate(right)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["topic,a,b", *rows]))
    given = ("--alpha", ".05", "--beta", ".2", "--min-d", ".2")
    named = {
        "paired-t": "McNemar's exact test",
        "two-sample-t": "Confidence interval of a share",
        "mcnemar": "",
    }
    several = "For several systems there is no exact design here, but for two: McNemar's test"
    for design, name in (named | dict.fromkeys(("anova", "two-way-anova"), several)).items():
        systems = ["--systems", "3"] * (name == several)
        printed = text(capsys, "size", design, "--scores", str(tmp_path / "binary.csv"), *given, *systems)
        assert ("All scores are 0 or 1" in printed) == bool(name)
        assert name in printed
    topics = record(capsys, "size", "mcnemar", "--scores", str(tmp_path / "binary.csv"), *given)[
        "required_topics"
    ]
    printed = text(capsys, "size", "paired-t", "--scores", str(tmp_path / "binary.csv"), *given)
    assert f"McNemar's exact test: {topics} topics" in printed
    assert "0 or 1" not in text(capsys, "size", "paired-t", "--scores", str(tmp_path / "other.csv"), *given)


@pytest.mark.parametrize(
    ("slug", "values", "largest"),
    [  # curves go to four times the difference that is asked for, or to the largest there is
        ("mcnemar", {"min_d": 0.3, "difference_variance": 0.4}, 1 - 2 * 0.095),  # p01 stays
        ("non-inferior-shares", {"margin": 0.3, "true_difference": 0.0, "difference_variance": 0.3}, 1.0),
    ],
)
def test_curves_end_where_shares_do(slug: str, values: dict[str, Any], largest: float) -> None:
    plan = design_named(slug).plan(alpha=0.05, beta=0.2, **values)
    (curve,) = curves_around(plan, int(plan.topics())).topics
    assert 0.86 * largest < curve.difference[-1] <= largest * (1 + 1e-9)  # steps are 2.3 or 14.9 %
    assert curve.drawn()[0].size >= curve.difference.size


@pytest.mark.parametrize(
    ("slug", "shares", "values", "n_points"),
    [
        ("mcnemar", (0.15, 0.05), {}, 121),
        ("mcnemar", (0.1, 0.07), {}, 11),  # over a thousand topics: every 12th
        ("non-inferior-shares", (0.1, 0.1), {"margin": 0.1}, 21),  # every 6th
        ("equivalent-shares", (0.1, 0.1), {"margin": 0.04}, 11),
    ],
)
def test_curves_that_take_long_have_few_points_of_which_one_is_yours(
    slug: str, shares: tuple[float, ...], values: dict[str, Any], n_points: int
) -> None:
    design = design_named(slug)
    plan = design.plan(alpha=0.05, beta=0.2, **(values | design.of_shares(shares)))
    n = int(plan.topics())
    (curve,) = curves_around(plan, n).topics
    assert curve.difference.size == n_points
    yours = np.flatnonzero(np.isclose(curve.difference, plan.difference))
    assert yours.size == 1
    assert abs(int(curve.topics[yours[0]]) - n) <= 1
    assert int(curve.topics[-1]) == int(plan.topics(curve.difference[-1]))


def test_a_curve_of_shares_ends_where_ten_million_topics_are_not_enough() -> None:
    """Equivalence needs a margin above the true difference, whatever the topics."""
    design = design_named("equivalent-shares")
    values: dict[str, Any] = {"alpha": 0.05, "beta": 0.2, "margin": 0.3, **design.of_shares((0.3, 0.1))}
    plan = design.plan(**values)
    (curve,) = curves_around(plan, int(plan.topics())).topics
    assert 0.2 < curve.difference[0] < 0.2 * 1.15  # steps are 14.9 %
    assert (np.diff(curve.topics) <= 0).all()
    # Next to a curve of equal systems it ends there, too.
    equal: dict[str, Any] = values | design.of_shares((0.2, 0.2))
    curves = curves_around(design.plan(**equal), 60)
    (beside,) = with_beside(curves, plan, "A").beside
    assert curves.topics[0].difference[0] < 0.2 < beside.difference[0] < 0.2 * 1.15
    assert beside.topics[-1] == plan.topics(beside.difference[-1])


def test_intervals_of_scores_of_0_and_1_name_the_interval_of_shares(
    capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    rows = [f"t{place},{int(place % 3 > 0)},{place % 2}" for place in range(40)]
    (tmp_path / "right.csv").write_text("\n".join(["topic,a,b", *rows]))
    given = "--scores", str(tmp_path / "right.csv"), "--alpha", ".05", "--max-width", ".3"
    n = record(capsys, "size", "paired-shares-ci", *given)["required_topics"]
    assert f"Confidence interval of paired shares: {n:,} topics" in text(capsys, "size", "ci", *given)


@pytest.mark.parametrize(
    ("design", "shares", "values", "words"),
    [
        ("mcnemar", (0.08, 0.03), {"beta": 0.2}, "detect a difference of 0.05 in {} with 80 % power"),
        ("mcnemar", (0.05, 0.0), {"beta": 0.2}, "detect a difference of 0.05 in {} with 80 % power"),
        (
            "non-inferior-shares",
            (0.04, 0.06),
            {"beta": 0.2, "margin": 0.1},
            "show a loss below 0.1 in {} with 80 % power",
        ),
        (
            "equivalent-shares",
            (0.05, 0.05),
            {"beta": 0.2, "margin": 0.1},
            "show a difference below 0.1 in {} with 80 % power",
        ),
        (
            "paired-shares-ci",
            (0.08, 0.03),
            {"max_width": 0.3},
            "give a 95 % interval of width 0.3 of the difference in {}",
        ),
        ("share-ci", (0.3,), {"max_width": 0.1}, "give a 95 % interval of width 0.1 of {} of one system"),
    ],
)
def test_topics_by_the_share_of_the_worse_system(
    design: str, shares: tuple[float, ...], values: dict[str, float], words: str
) -> None:
    """Each point is the answer for shares with the same difference; the headline names the measure."""
    chosen = design_named(design)
    given: dict[str, Any] = {"alpha": 0.05, **values}
    plan = chosen.plan(**given | chosen.of_shares(shares))
    assert chosen.as_shares(plan.values) == pytest.approx(shares)
    answer = plan.required_topics()
    curve = share_curve(plan)
    assert curve.share == pytest.approx(shares[-1])
    assert dict(zip(curve.shares, curve.topics, strict=True)).get(curve.share) == answer.required_topics
    for place in (0, len(curve.shares) // 3, -1):
        moved = [one - shares[-1] + curve.shares[place] for one in shares]
        other = chosen.plan(**given | chosen.of_shares(moved))
        assert curve.topics[place] == other.required_topics().required_topics
    headlines = [in_short(plan_with(chosen, plan.values, measure=measure)) for measure in ("P@1", "")]
    assert headlines == [words.format("P@1"), words.format("the share of right topics")]
