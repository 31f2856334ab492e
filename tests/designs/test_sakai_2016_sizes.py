"""Section 6 of Sakai, Topic set size design, IRJ 19 (2016): sizes at the variances of real collections.

The tables in tests/reference state their sources in their first lines.
"""

import math

import numpy as np
import pytest

from tests.designs.asking import (
    anova_topics,
    interval_topics,
    stated,
    t_topics_of_variance,
    two_sample_interval_topics,
    two_sample_topics,
)
from tests.reference.tables import numbers, table
from topicset_core.designs import one_way_anova
from topicset_core.designs.f_test import FTest
from topicset_core.designs.interval_width import LAST_TOPICS_OF_2016_SHEET
from topicset_core.designs.nagata import DERIVED_SIGN, NagataF, NagataT
from topicset_core.designs.power_search import PowerSearch

AP_VARIANCE = 0.0471  # section 6.1: pooled over TREC03new and TREC04new, rounded
UNROUNDED_AP_VARIANCE = (49 * 0.0479 + 48 * 0.0462) / 97  # Eq. 38 with the two stated variances


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


def test_nerr_ia_sizes_against_sakai_2016_section_6_2() -> None:
    # The 58 of the text is the t test at the top of the stated range of variances, .0798.
    assert t_topics_of_variance(0.15, 0.0798, "published") == 58
    assert [anova_topics(2, 0.15, 0.0798, method) for method in ("minus", "plus", "exact")] == [55, 56, 57]


@pytest.mark.parametrize("row", table("intervals_of_variance"), ids=lambda row: "-".join(row.values()))
def test_printed_size_is_right_within_its_interval_of_variance(row: dict[str, str]) -> None:
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

    # One unit of the last digit inside each end the size is right, one outside it is not.
    unit = 10 ** -len(row["lowest"].partition(".")[2])
    assert size(low + unit) == size(high - unit) == expected
    assert size(low - unit) == expected - 1
    assert size(high + unit) == expected + 1


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
        assert float(NagataT(1).initial_topics(effect, 0.05, 0.20)) == stated(row["t_initial"], 3)
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


def test_last_size_of_the_2016_sheet_against_excel() -> None:
    # Excel's GAMMA and math.gamma have the same range: 171.5 is in it, 172 (1.2410e309) is not.
    assert math.isfinite(math.gamma(LAST_TOPICS_OF_2016_SHEET / 2))
    with pytest.raises(OverflowError):
        math.gamma((LAST_TOPICS_OF_2016_SHEET + 1) / 2)
