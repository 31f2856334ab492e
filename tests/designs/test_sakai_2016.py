"""Numbers that Sakai, Topic set size design, IRJ 19 (2016) states, and its tables computed again.

Stated numbers carry the digits of the paper; the tolerance is then half a unit of the last one. The
tables in tests/reference say in their first lines where they come from.
"""

import math

import numpy as np
import pytest
from scipy import stats

from tests.designs.asking import (
    anova_topics,
    interval_topics,
    t_topics,
    t_topics_of_variance,
    two_sample_interval_topics,
    two_sample_topics,
)
from tests.reference.tables import numbers, table
from topicset_core.designs import confidence_interval, one_way_anova, paired_t
from topicset_core.designs.distributions import critical_f, critical_t
from topicset_core.designs.f_test import FTest
from topicset_core.designs.interval_width import LAST_TOPICS_OF_2016_SHEET
from topicset_core.designs.nagata import DERIVED_SIGN, LINEAR_LAMBDA, NagataF, NagataT, initial_topics_t
from topicset_core.designs.power_search import PowerSearch

AP_VARIANCE = 0.0471  # section 6.1: pooled over TREC03new and TREC04new, rounded
UNROUNDED_AP_VARIANCE = (49 * 0.0479 + 48 * 0.0462) / 97  # Eq. 38 with the two stated variances


def stated(value: float, digits: int) -> object:
    return pytest.approx(value, abs=0.5 * 10**-digits)


# Section 3.1, the paired t test.


def test_initial_topics_against_sakai_2016_eq_8() -> None:
    assert float(initial_topics_t(np.asarray(0.5**2), 0.05, 0.20, 1)) == stated(33.3, 1)
    assert float(initial_topics_t(np.asarray(0.5**2), 0.05, 0.20, 1)) == stated(33.316248, 6)  # SciPy


def test_critical_t_against_sakai_2016() -> None:
    assert float(critical_t(32, 0.05)) == stated(2.037, 3)
    assert float(critical_t(32, 0.05)) == pytest.approx(2.0369333434601, abs=1e-12)  # stats.t.isf(.025, 32)


@pytest.mark.parametrize(
    ("n_topics", "published", "exact"),
    # Eq. 6 and noncentral t at (.05, .20, .50), plain_designs.py; the paper states .808 at n = 34.
    [(33, 0.795298540, 0.795365841487504), (34, 0.807719956, 0.807777501279274)],
)
def test_paired_power_against_sakai_2016(n_topics: int, published: float, exact: float) -> None:
    assert float(paired_t.power(n_topics, 0.5, alpha=0.05, method="published")) == stated(published, 9)
    assert float(paired_t.power(n_topics, 0.5, alpha=0.05)) == pytest.approx(exact, abs=1e-12)


def test_paired_power_of_34_topics_against_sakai_2016() -> None:
    wanted = paired_t.Requirements(alpha=0.05, beta=0.20, min_delta=0.50)
    result = paired_t.required_topics(wanted, method="published")
    assert result.required_topics == 34
    assert result.attained_power == stated(0.808, 3)
    assert result.power_one_topic_fewer is not None
    assert result.power_one_topic_fewer < 0.80


def test_small_effect_against_sakai_2016() -> None:
    assert t_topics(0.05, 0.20, 0.2, "published") == t_topics(0.05, 0.20, 0.2) == 199
    assert float(paired_t.power(199, 0.2, alpha=0.05)) == pytest.approx(0.801691024037065, abs=1e-12)


def test_both_tails_are_in_the_power_against_theory() -> None:
    # Upper tail alone at n = 34, minDelta .5: .807776685514976 (stats.nct.sf); strict adds 8.2e-7.
    upper = 0.807776685514976
    assert float(paired_t.power(34, 0.5, alpha=0.05)) - upper == pytest.approx(8.158e-7, abs=1e-10)


def test_paired_sizes_against_sakai_2016_table_1() -> None:
    effects, computed, expected = [], [], []
    for row in numbers("sizes_paired_t"):
        alpha, beta, delta = row["alpha"], row["beta"], row["min_delta"]
        effects.append(float(initial_topics_t(np.asarray(delta**2), alpha, beta, 1)) - row["initial"])
        n = [t_topics(alpha, beta, delta, method) for method in ("published", "exact")]
        powers = (
            paired_t.power(n[0], delta, alpha=alpha, method="published"),
            paired_t.power([n[1], n[1] - 1], delta, alpha=alpha),
        )
        computed.append([*n, *np.hstack(powers).round(6)])
        expected.append([row[c] for c in ("published", "exact", "power_published", "power_exact")])
        expected[-1].append(row["power_exact_one_fewer"])
    assert len(computed) == 48
    # Powers have six decimals; rounding may fall either way at the seventh.
    np.testing.assert_allclose(np.array(computed, dtype=float), np.array(expected), rtol=0, atol=1.01e-6)
    np.testing.assert_allclose(effects, 0, atol=0.5001e-4)  # printed to four decimals


# 392 effect sizes from .05 to 2.005; counts below are of plain_designs.py over the same cells.
SWEEP = np.array([50 + 5 * step for step in range(392)]) / 1000


def test_published_t_is_at_most_one_topic_off_against_plain_designs() -> None:
    differences = np.concatenate(
        [
            paired_t.required_topics_grid(SWEEP, alpha=alpha, beta=beta, method="published")
            - paired_t.required_topics_grid(SWEEP, alpha=alpha, beta=beta)
            for alpha in (0.01, 0.05, 0.10)
            for beta in (0.05, 0.10, 0.20, 0.30)
        ]
    )
    assert differences.size == 4704
    assert np.abs(differences).max() == 1
    assert np.count_nonzero(differences) == 74


def test_closed_form_of_eq_7_is_not_enough_against_plain_designs() -> None:
    wrong = sum(
        np.count_nonzero(
            np.ceil(initial_topics_t(SWEEP**2, alpha, beta, 1))
            != paired_t.required_topics_grid(SWEEP, alpha=alpha, beta=beta)
        )
        for alpha in (0.01, 0.05)
        for beta in (0.10, 0.20)
    )
    assert wrong == 206  # of 1568


def test_one_sided_size_against_r_pwr() -> None:
    # pwr.t.test(d = .5, sig.level = .05, power = .8, type = "paired", alternative = "greater") gives 27
    # (two-sided 34). A two-sided test at .10 is that but for a far tail of 1e-6.
    assert t_topics(0.10, 0.20, 0.5) == 27
    assert t_topics(0.05, 0.20, 0.5) == 34


# Section 3.2, one-way ANOVA.


def test_linear_lambda_against_sakai_2016_table_2_and_the_book() -> None:
    transcript = {(row["alpha"], row["beta"]): (row["x1"], row["x2"]) for row in numbers("lambda_table_2")}
    assert transcript == LINEAR_LAMBDA


def test_lambda_of_infinite_topics_against_noncentral_chi_square() -> None:
    # With ten million topics phi_E is as good as infinite (Eq. 24): lambda is off by 1e-6 of itself.
    n = 10_000_000
    for row in numbers("lambda_table_2"):
        for phi_a in (1, 2, 3, 4, 9, 20, 30, 100):
            effect = one_way_anova.detectable_delta(
                n, alpha=row["alpha"], beta=row["beta"], n_systems=phi_a + 1
            )
            assert float(n * effect) == stated(row[f"lambda_{phi_a}"], 3)


def test_linear_lambda_errors_against_noncentral_chi_square() -> None:
    # The largest error downwards lies between 10 and 20, where it is flat; so not every phi_A is tried.
    phi_a = np.array([1, 2, 3, 4, *range(8, 26), 30, 50, 100])
    for row in numbers("lambda_table_2"):
        alpha, beta = row["alpha"], row["beta"]
        exact = [
            1e7 * float(one_way_anova.detectable_delta(10**7, alpha=alpha, beta=beta, n_systems=int(phi) + 1))
            for phi in phi_a
        ]
        error = 100 * ((row["x1"] + row["x2"] * np.sqrt(phi_a)) / exact - 1)
        assert error.max() == stated(row["worst_high"], 2)
        assert error.min() == stated(row["worst_low"], 2)
        assert error.argmax() == 0  # always at m = 2, where the search has to step down


def test_effect_of_the_worked_example_against_sakai_2016() -> None:
    assert float(one_way_anova.min_delta_of(0.5, 0.25)) == 0.5
    assert float(one_way_anova.min_d_of(0.5, 0.25)) == 0.5


def test_initial_anova_topics_against_sakai_2016() -> None:
    initial = float(NagataF(3).initial_topics(np.asarray(0.5), 0.05, 0.20))
    assert initial * 0.5 == stated(9.929, 3)
    assert initial == stated(19.9, 1)
    assert initial == stated(19.857, 3)


def test_worked_example_against_sakai_2016() -> None:
    n = 19
    assert float(critical_f(2, 54, 0.05)) == stated(3.168, 3)
    assert float(critical_f(2, 54, 0.05)) == pytest.approx(3.16824596725134, abs=1e-13)  # stats.f.isf
    published = float(one_way_anova.power(n, 0.5, alpha=0.05, n_systems=3, method="published"))
    assert published == stated(0.791, 3)
    assert stats.norm.isf(published) == stated(-0.809, 3)  # u
    assert stats.norm.isf(published) == stated(-0.809460, 6)
    at_20 = float(one_way_anova.power(20, 0.5, alpha=0.05, n_systems=3, method="published"))
    assert at_20 == stated(0.813, 3)
    assert anova_topics(3, 0.5, 0.25, "minus") == 20
    assert anova_topics(3, 0.5, 0.25, "plus") == 21
    assert anova_topics(3, 0.5, 0.25) == 21


@pytest.mark.parametrize("row", table("anova_worked_example"), ids=lambda row: row["n_topics"])
def test_worked_example_digits_against_plain_designs(row: dict[str, str]) -> None:
    n = int(row["n_topics"])
    computed = {
        "critical_f": critical_f(2, 3 * (n - 1), 0.05),
        "power_minus": one_way_anova.power(n, 0.5, alpha=0.05, n_systems=3, method="published"),
        "power_plus": NagataF(3, DERIVED_SIGN).power(n, 0.5, 0.05),
        "power_exact": one_way_anova.power(n, 0.5, alpha=0.05, n_systems=3),
    }
    for column, value in computed.items():
        digits = len(row[column].partition(".")[2])
        # Half a unit of the last digit; with fifteen, double precision leaves less than a dozen units.
        assert float(value) == pytest.approx(float(row[column]), abs=max(0.5001 * 10**-digits, 1e-14))


@pytest.mark.parametrize(
    ("m", "n_topics", "power"),
    # sigma^2 .0471, minD .10: stats.ncf.sf; at m = 2 and n = 74, 75 also stats.nct.sf, both tails.
    [
        (2, 73, 0.789652483855544),
        (2, 74, 0.795128893724259),
        (2, 75, 0.800483108220900),
        (10, 148, 0.799113288),
        (10, 149, 0.802394309),
    ],
)
def test_exact_anova_power_for_ap_against_scipy(m: int, n_topics: int, power: float) -> None:
    effect = one_way_anova.min_delta_of(0.10, AP_VARIANCE)
    attained = float(one_way_anova.power(n_topics, effect, alpha=0.05, n_systems=m))
    assert attained == pytest.approx(power, abs=1e-12 if m == 2 else 0.5e-9)


@pytest.mark.parametrize(
    ("alpha", "m", "last_undefined"),
    # The radicand of Eq. 18 with minus sign at minDelta .1, plain_designs.py.
    [(0.05, 2, 3), (0.05, 3, 3), (0.05, 5, 3), (0.05, 100, 2), (0.01, 2, 5)],
)
def test_published_anova_power_is_nan_only_at_few_topics(alpha: float, m: int, last_undefined: int) -> None:
    n = np.arange(2, 200)
    power = one_way_anova.power(n, 0.1, alpha=alpha, n_systems=m, method="published")
    np.testing.assert_array_equal(np.isnan(power), n <= last_undefined)
    assert not np.isnan(NagataF(m, DERIVED_SIGN).power(n, 0.1, alpha)).any()


# Section 6, sizes at the variances of real collections.


def test_pooled_variance_against_sakai_2016() -> None:
    assert stated(AP_VARIANCE, 4) == UNROUNDED_AP_VARIANCE


def test_ap_sizes_against_sakai_2016() -> None:
    assert t_topics_of_variance(0.10, AP_VARIANCE, "published") == 76  # figure 2
    assert anova_topics(2, 0.10, AP_VARIANCE, "minus") == 73  # section 6.2
    assert [anova_topics(2, 0.10, AP_VARIANCE, method) for method in ("plus", "exact")] == [74, 75]


def test_ap_size_of_ten_systems_against_sakai_2016_figure_3() -> None:
    # 147 comes out at the pooled variance before rounding; at the rounded .0471 it is 148.
    assert anova_topics(10, 0.10, UNROUNDED_AP_VARIANCE, "minus") == 147
    assert anova_topics(10, 0.10, AP_VARIANCE, "minus") == 148
    for variance in (UNROUNDED_AP_VARIANCE, AP_VARIANCE):
        assert anova_topics(10, 0.10, variance, "plus") == 148
        assert anova_topics(10, 0.10, variance) == 149


def test_pool_depth_10_sizes_against_sakai_2016_figures_2_and_3() -> None:
    # .0630 is not stated; it is in the intervals that 101 and 197 leave (intervals_of_variance.csv).
    assert t_topics_of_variance(0.10, 0.0630, "published") == 101
    assert anova_topics(10, 0.10, 0.0630, "minus") == 197
    assert anova_topics(10, 0.10, 0.0630) == 199
    assert interval_topics(0.10, 0.0630) == 196


def test_nerr_ia_sizes_against_sakai_2016_section_6_2() -> None:
    # The 58 of the text is the t test at the top of the stated range of variances, .0798.
    assert t_topics_of_variance(0.15, 0.0798, "published") == 58
    assert [anova_topics(2, 0.15, 0.0798, method) for method in ("minus", "plus", "exact")] == [55, 56, 57]


def test_sizes_from_total_variance_against_plain_designs() -> None:
    # The total variance of the same matrices, .0523, in place of the within-system .0471.
    assert t_topics_of_variance(0.10, 0.0523, "published") == 85
    assert [anova_topics(m, 0.10, 0.0523, "minus") for m in (2, 10)] == [81, 164]


@pytest.mark.parametrize("row", table("intervals_of_variance"), ids=lambda row: "-".join(row.values()))
def test_printed_size_holds_in_its_interval_of_variance(row: dict[str, str]) -> None:
    expected, low, high = int(row["required_topics"]), float(row["lowest"]), float(row["highest"])
    min_d = 0.15 if expected == 58 else 0.10  # 58 is of section 6.2, nERR-IA at minD .15

    def size(variance: float) -> int:
        match row["method"]:
            case "t_published":
                return t_topics_of_variance(min_d, variance, "published")
            case "interval":
                return interval_topics(min_d, variance)
            case method:
                return anova_topics(int(row["n_systems"]), min_d, variance, method)

    # One unit of the last digit inside each end the size holds, one outside it does not.
    unit = 10 ** -len(row["lowest"].partition(".")[2])
    assert size(low + unit) == size(high - unit) == expected
    assert size(low - unit) == expected - 1
    assert size(high + unit) == expected + 1


def test_sizes_almost_triple_from_ten_to_a_hundred_systems_against_sakai_2016() -> None:
    ratio = NagataF(100).initial_topics(np.ones(1), 0.05, 0.20) / NagataF(10).initial_topics(
        np.ones(1), 0.05, 0.20
    )
    assert float(ratio[0]) == stated(2.595, 3)  # 40.52 / 15.61 of table 2


def test_t_and_anova_of_two_against_plain_designs() -> None:
    wrong = []
    for row in numbers("sizes_t_and_anova_of_two"):
        variance, min_d = row["variance"], row["min_d"]
        computed = {
            "t_published": t_topics_of_variance(min_d, variance, "published"),
            "t_exact": t_topics_of_variance(min_d, variance),
            "anova_minus": anova_topics(2, min_d, variance, "minus"),
            "anova_plus": anova_topics(2, min_d, variance, "plus"),
            "anova_exact": anova_topics(2, min_d, variance),
            "t2_published": two_sample_topics(min_d, variance, "published"),
            "t2_exact": two_sample_topics(min_d, variance),
        }
        wrong += [(variance, min_d, column) for column, n in computed.items() if n != row[column]]
        effect = np.asarray(min_d**2 / (2 * variance))
        assert float(initial_topics_t(effect, 0.05, 0.20, 1)) == stated(row["t_initial"], 3)
        assert float(NagataF(2).initial_topics(effect, 0.05, 0.20)) == stated(row["anova_initial"], 3)
    assert wrong == []


def test_intervals_and_anova_of_many_against_plain_designs() -> None:
    wrong = []
    for row in numbers("sizes_interval_and_anova"):
        variance, width = row["variance"], row["width"]
        computed = {
            "paired_gamma": interval_topics(width, variance),
            "paired_approximate": interval_topics(width, variance, "published"),
            "two_sample_gamma": two_sample_interval_topics(width, variance),
            "two_sample_approximate": two_sample_interval_topics(width, variance, "published"),
        }
        for m in (10, 100):
            for method in ("minus", "plus", "exact"):
                computed[f"anova{m}_{method}"] = anova_topics(m, width, variance, method)
            effect = np.asarray(width**2 / (2 * variance))
            assert float(NagataF(m).initial_topics(effect, 0.05, 0.20)) == stated(row[f"anova{m}_initial"], 3)
        wrong += [(variance, width, column) for column, n in computed.items() if n != row[column]]
    assert wrong == []


def test_anova_sweep_against_plain_designs() -> None:
    wrong = []
    for row in numbers("sizes_anova_sweep"):
        alpha, beta, m = row["alpha"], row["beta"], int(row["n_systems"])
        for method in ("minus", "plus", "exact"):
            n = anova_topics(m, row["min_d"], row["variance"], method, alpha, beta)
            if n != row[method]:
                wrong.append((row, method, n))
        effect = np.asarray(row["min_d"] ** 2 / (2 * row["variance"]))
        assert float(NagataF(m).initial_topics(effect, alpha, beta)) == stated(row["initial"], 3)
    assert wrong == []


def test_agreement_of_the_approximations_with_exact_against_plain_designs() -> None:
    variances = np.array([20 + 5 * step for step in range(23)]) / 1000
    effects = one_way_anova.min_delta_of(np.array([0.05, 0.10, 0.15, 0.20, 0.25])[:, None], variances)
    for row in numbers("agreement_with_exact"):
        m = int(row["n_systems"])
        exact = one_way_anova.required_topics_grid(effects, alpha=0.05, beta=0.20, n_systems=m)
        assert exact.size == row["cells"] == 115
        minus = one_way_anova.required_topics_grid(
            effects, alpha=0.05, beta=0.20, n_systems=m, method="published"
        )
        plus = PowerSearch(FTest(m - 1, m), NagataF(m, DERIVED_SIGN)).grid(effects, 0.05, 0.20, "published")
        assert np.count_nonzero(minus == exact) == row["minus_equal"]
        assert np.count_nonzero(plus == exact) == row["plus_equal"]
        assert (minus - exact).min() == row["minus_worst"]
        assert (plus - exact).min() == row["plus_worst"]
        assert (minus - exact).max() <= 0  # at (.05, .20) the approximations never ask for more
        assert (plus - exact).max() <= 0


def test_paired_t_asks_for_at_most_one_topic_more_than_anova_of_two_by_theory() -> None:
    # With sigma_t^2 = 2 sigma^2 the noncentralities are equal; only the degrees of freedom differ.
    for row in numbers("sizes_t_and_anova_of_two"):
        assert row["t_exact"] - row["anova_exact"] in (0, 1)
        assert row["t2_exact"] == row["anova_exact"]


# Section 3.3, the confidence interval.


@pytest.mark.parametrize(
    ("n_topics", "gamma", "approximate"),
    # t_inv(n - 1; .05) E(sqrt V) / (sigma sqrt n): SciPy's t.isf and log-gamma; 1 - 1/(4 phi) for it.
    [
        (2, 7.168708358574936, 6.738482649),
        (3, 2.201509726685745, None),
        (5, 1.167146282058350, None),
        (10, 0.6957985288992922, 0.695485881),
        (50, 0.2827506642842889, None),
        (100, 0.1979212708954629, 0.197920630),
        (343, 0.1061263421677553, None),
    ],
)
def test_interval_widths_against_scipy(n_topics: int, gamma: float, approximate: float | None) -> None:
    half = float(confidence_interval.width(n_topics, 1.0, alpha=0.05)) / 2
    assert half == pytest.approx(gamma, rel=1e-13)
    if approximate is not None:
        half = float(confidence_interval.width(n_topics, 1.0, alpha=0.05, method="published")) / 2
        assert half == stated(approximate, 9)


def test_interval_for_ap_against_scipy() -> None:
    # sigma_t^2 .0942, delta .10; widths by t.isf and log-gamma.
    wanted = confidence_interval.Requirements(alpha=0.05, max_width=0.10, difference_variance=0.0942)
    result = confidence_interval.required_topics(wanted)
    assert result.required_topics == 147
    assert result.attained_width == stated(0.099888625, 9)
    assert result.width_one_topic_fewer == stated(0.100234718, 9)


def test_interval_sizes_are_close_to_those_of_ten_systems_against_sakai_2016() -> None:
    # "almost the same": 4 z^2 = 15.366 happens to be near lambda(9) = 15.612, 1.6 % apart; and the t
    # quantile asks for two or three topics more than z does.
    for row in numbers("sizes_interval_and_anova"):
        assert abs(row["anova10_minus"] - row["paired_gamma"]) <= max(3, 0.016 * row["paired_gamma"])


def test_last_size_of_the_2016_sheet_against_excel() -> None:
    # Excel's GAMMA and math.gamma have the same range: 171.5 is in it, 172 (1.2410e309) is not.
    assert math.isfinite(math.gamma(LAST_TOPICS_OF_2016_SHEET / 2))
    with pytest.raises(OverflowError):
        math.gamma((LAST_TOPICS_OF_2016_SHEET + 1) / 2)
    assert math.lgamma(172) / math.log(10) == pytest.approx(309 + math.log10(1.2410), abs=1e-4)


# Sizes from the variances of public matrices, and what numbers of topics detect.


@pytest.mark.parametrize(
    ("variance", "expected"),
    # TREC-3 ad hoc AP (julian-urbano/gt4ireval, data/adhoc3.rda): Eq. 36, Eq. 37; sizes at minD .05 and .10
    # by plain_designs.py.
    [
        (0.03356198554857143, [213, 55, 206, 52, 212, 54, 419, 105, 422, 106, 415, 106]),
        (0.01091966740532705, [71, 20, 68, 18, 70, 19, 137, 35, 138, 36, 137, 36]),
    ],
)
def test_trec_3_sizes_against_plain_designs(variance: float, expected: list[int]) -> None:
    differences = (0.05, 0.10)
    computed = [t_topics_of_variance(d, variance) for d in differences]
    computed += [
        anova_topics(m, d, variance, method)
        for m in (2, 10)
        for method in ("minus", "exact")
        for d in differences
    ]
    computed += [interval_topics(d, variance) for d in differences]
    assert computed == expected


@pytest.mark.parametrize(
    ("variance", "n_topics", "min_d"),
    # sigma_t^2 of public matrices: mean Var(d) over all pairs of runs of TREC Robust 2004 (.0264) and of the
    # 96 best of TREC-8 (.0225), and twice the one-way estimate of the former (.0902). Differences
    # detected at (.05, .20) by noncentral t, four decimals.
    [
        (0.02639751134, 50, 0.0657),
        (0.02639751134, 150, 0.0374),
        (0.02251670774, 50, 0.0606),
        (0.02251670774, 150, 0.0345),
        (0.09022079557, 50, 0.1214),
    ],
)
def test_detectable_differences_against_scipy(variance: float, n_topics: int, min_d: float) -> None:
    delta = paired_t.detectable_delta(n_topics, alpha=0.05, beta=0.20)
    assert float(paired_t.min_d_of(delta, variance)) == stated(min_d, 4)


def test_robust_2004_sizes_against_scipy() -> None:
    # The same variances; n by noncentral t.
    assert [t_topics_of_variance(d, 0.02639751134 / 2) for d in (0.05, 0.10)] == [85, 23]
    assert t_topics_of_variance(0.05, 0.09022079557 / 2) == 286


# Conventional tables.


@pytest.mark.parametrize("row", table("conventional_tables"), ids=lambda row: "-".join(row.values())[:40])
def test_conventional_tables_against_r_pwr(row: dict[str, str]) -> None:
    groups, effect, power, n = (
        int(row["groups"]),
        float(row["effect"]),
        float(row["power"]),
        float(row["n"]),
    )
    match row["test"]:
        case "paired" | "two.sample":
            test, per_topic = FTest(1, groups), effect**2 / groups
        case _:
            test, per_topic = FTest(groups - 1, groups), groups * effect**2  # lambda = k n f^2
    assert int(test.required_topics(per_topic, 0.05, 1 - power)) == math.ceil(n)
    # pwr's root is within 1.2e-4 of n, and a topic adds at most 2.5 % power here.
    assert float(test.power(n, per_topic, 0.05)) == pytest.approx(power, abs=1.2e-4 * 0.025)


@pytest.mark.parametrize(
    ("n_topics", "power"),
    # R, daewr::Fpower1(alpha = .05, nlev = 4, nreps = 2:6, Delta = 3, sigma = sqrt(2.1)).
    [(2, 0.1789448), (3, 0.3610072), (4, 0.5342442), (5, 0.6775021), (6, 0.7859062)],
)
def test_worst_case_power_against_r_daewr(n_topics: int, power: float) -> None:
    effect = one_way_anova.min_delta_of(3.0, 2.1)
    computed = float(one_way_anova.power(n_topics, effect, alpha=0.05, n_systems=4))
    # Half a unit of the last digit, and what R's noncentral pf() is off by, some 5e-10.
    assert computed == pytest.approx(power, abs=0.5e-7 + 1e-9)


def test_published_t_rejects_about_alpha_without_a_difference_by_theory() -> None:
    # Eq. 6 at Delta = 0, for one and for two groups.
    for groups in (1, 2):
        power = NagataT(groups).power(30, 0.0, 0.05)
        assert float(power) == pytest.approx(0.05, abs=1e-3)  # the approximation's own error at phi = 29
