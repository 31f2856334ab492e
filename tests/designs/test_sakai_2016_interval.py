"""Section 3.3 of Sakai, Topic set size design, IRJ 19 (2016): the confidence interval."""

import math

import pytest

from tests.designs.asking import (
    stated,
)
from tests.reference.tables import numbers
from topicset_core.designs import confidence_interval
from topicset_core.designs.interval_width import LAST_TOPICS_OF_2016_SHEET


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
    requirements = confidence_interval.Requirements(alpha=0.05, max_width=0.10, difference_variance=0.0942)
    result = confidence_interval.required_topics(requirements)
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
