"""Curves, lines and tables around a requirement: every point is an exact answer."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topicset_core.analyses.planning.curves import (
    COMMON_SIZES,
    CURVE,
    LEVELS,
    TABLE,
    VARIANCES,
    equal_topics,
    size_curve,
    topics_curves,
)
from topicset_core.designs import (
    Plan,
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.parameters import MOST_TOPICS

ALPHA, BETA = 0.05, 0.20
PAIRED = paired_t.DESIGN.plan(alpha=ALPHA, beta=BETA)
INTERVAL = confidence_interval.DESIGN.plan(alpha=ALPHA)
PLANS = (
    PAIRED,
    two_sample_t.DESIGN.plan(alpha=0.01, beta=0.10),
    one_way_anova.DESIGN.plan(alpha=ALPHA, beta=BETA, n_systems=10),
    INTERVAL,
    two_sample_confidence_interval.DESIGN.plan(alpha=0.01),
)
each_plan = pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.label)


def point(plan: Plan, difference: float, variance: float) -> Plan:
    """The plan with its difference and variance."""
    names = plan.design.difference_parameter.name, plan.variance_parameter.name
    return plan.with_(**dict(zip(names, (difference, variance), strict=True)))


PROFILE = settings(derandomize=True, deadline=None, max_examples=60, database=None)
MARGIN = 1e-9  # the difference that n topics detect is computed to about 1e-13; a hair more than that


def test_the_users_own_difference_is_on_every_curve() -> None:
    assert CURVE[len(CURVE) // 2] == 1.0
    assert 1.0 in TABLE
    assert VARIANCES[0] < 1.0 < VARIANCES[-1]  # the lines pass the user's variance
    for steps in (CURVE, TABLE, VARIANCES, LEVELS, COMMON_SIZES):
        assert list(steps) == sorted(set(steps))


def test_each_point_of_a_curve_is_the_answer_of_the_design() -> None:
    plans = [one_way_anova.DESIGN.plan(alpha=ALPHA, beta=BETA, n_systems=m) for m in (2, 10, 100)]
    plans = [point(plan, 0.10, 0.0471) for plan in plans]
    curves = topics_curves(plans, plans[1], TABLE)
    assert [curve.label for curve in curves] == ["m = 2", "m = 10", "m = 100"]
    assert [curve.is_yours for curve in curves] == [False, True, False]
    for curve, plan in zip(curves, plans, strict=True):
        np.testing.assert_array_equal(curve.difference, 0.10 * np.asarray(TABLE))
        np.testing.assert_array_equal(curve.topics, plan.topics(curve.difference, 0.0471))
    # minD .10 at sigma^2 .0471: tests/reference/sizes_anova_sweep.csv and sizes_interval_and_anova.csv.
    assert [int(curve.topics[TABLE.index(1.0)]) for curve in curves] == [75, 149, 381]


@PROFILE
@given(plan=st.sampled_from(PLANS), difference=st.floats(0.03, 1.0), variance=st.floats(0.001, 0.3))
def test_curves_fall_from_the_smallest_difference_on(plan: Plan, difference: float, variance: float) -> None:
    plan = point(plan, difference, variance)
    (curve,) = topics_curves([plan], plan)
    assert curve.difference.size == curve.topics.size == len(CURVE)
    assert (np.diff(curve.difference) > 0).all()
    assert (np.diff(curve.topics) <= 0).all()
    assert curve.topics[len(CURVE) // 2] == plan.topics(difference, variance)
    x, y = curve.drawn()  # each point, and each corner of a step to few topics, is an answer of the design
    assert (np.diff(x) >= 0).all()
    assert (np.diff(y) <= 0).all()
    np.testing.assert_array_equal(y, plan.topics(x * (1 + 1e-9)))
    few = np.unique(y[y < 100])
    np.testing.assert_array_equal(few, np.arange(few[0], few[-1] + 1) if few.size else few)


def test_points_beyond_ten_million_topics_are_left_out_of_all_curves() -> None:
    few, many = (one_way_anova.DESIGN.plan(alpha=ALPHA, beta=BETA, n_systems=m) for m in (2, 100))
    limit = float(many.detected(MOST_TOPICS, 0.0471))
    few, many = (point(plan, limit * 1.5, 0.0471) for plan in (few, many))
    curves = topics_curves([few, many], few)
    target = 1.5 * limit * np.asarray(CURVE)
    assert len(curves) == 2
    for curve in curves:
        np.testing.assert_array_equal(curve.difference, target[target > limit])
    assert 0 < curves[0].difference.size < len(CURVE)
    assert curves[1].topics.max() <= MOST_TOPICS


@pytest.mark.parametrize("beta", [0.20, 0.90])
def test_the_users_curve_is_drawn_for_any_number_of_topics(beta: float) -> None:
    """With 9.9 million topics for two systems there is no answer for a hundred, even at a wide range."""
    few, many = (one_way_anova.DESIGN.plan(alpha=ALPHA, beta=beta, n_systems=m) for m in (2, 100))
    difference = float(few.detected(9_900_000, 0.05))
    few, many = (point(plan, difference, 0.05) for plan in (few, many))
    for multiples in (CURVE, TABLE):
        (curve,) = topics_curves([few, many], few, multiples)
        assert (curve.label, curve.is_yours) == ("m = 2", True)
        assert curve.difference[0] <= difference * (1 + MARGIN)
        assert curve.topics[0] <= MOST_TOPICS
        assert curve.difference.size >= len(multiples) // 2
    # A difference that ten million topics detect except for rounding.
    limit = float(few.detected(MOST_TOPICS, 1.0))
    few = point(few, limit * (1 - 1e-13), 1.0)
    (curve,) = topics_curves([few], few)
    assert curve.difference.size == len(CURVE) // 2


@each_plan
@pytest.mark.parametrize("difference", [0.02, 0.1, 0.9])
def test_size_curve_shows_where_the_requirement_is_met(plan: Plan, difference: float) -> None:
    variance = 0.0471
    n = int(plan.topics(difference, variance))
    curve = size_curve(point(plan, difference, variance), n)
    assert curve.n_topics[0] == 2
    assert curve.n_topics[-1] == max(2 * n, 12)
    assert (np.diff(curve.n_topics) > 0).all()
    assert curve.n_topics.size <= 243
    at = curve.n_topics.tolist().index(n)
    assert n == 2 or curve.n_topics[at - 1] == n - 1
    rising = curve.exact if plan.design.has_power else -curve.exact
    assert (np.diff(rising) >= -1e-15).all()  # near 1 power moves by less than its last digit
    assert np.isfinite(curve.exact).all()


def test_size_curve_contains_both_methods() -> None:
    curve = size_curve(point(PAIRED, 0.5, 1.0), 34)
    at = curve.n_topics.tolist().index(34)
    # Sakai 2016, section 3.1: n = 33 falls short and 34 has .808 by Eq. 6; more digits computed by
    # plain_designs.py, exact ones also with mpmath (tests/reference/sizes_paired_t.csv).
    assert curve.exact[at - 1 : at + 1] == pytest.approx([0.795366, 0.807778], abs=0.5e-6)
    assert curve.published[at - 1 : at + 1] == pytest.approx([0.795299, 0.807720], abs=0.5e-6)
    widths = size_curve(point(INTERVAL, 0.10, 0.0942), 147)
    at = widths.n_topics.tolist().index(147)
    # E(2 MOE) by the Gamma ratio, Sakai 2016, Eq. 33, computed with SciPy to nine decimals.
    assert widths.exact[at - 1 : at + 1] == pytest.approx([0.100234718, 0.099888625], abs=0.5e-9)
    assert 0 < abs(widths.published[at] / widths.exact[at] - 1) < 1e-4
    assert size_curve(point(PAIRED, 0.001, 1.0), MOST_TOPICS).n_topics[-1] == MOST_TOPICS


@each_plan
@pytest.mark.parametrize("required", [2, 34, 149, 9_000])
def test_each_point_of_an_equal_line_needs_exactly_its_topics(plan: Plan, required: int) -> None:
    lines = equal_topics(point(plan, 0.10, 0.0471), required)
    assert [line.n_topics for line in lines] == [n for n in LEVELS if required / 5 <= n <= 5 * required]
    for line in lines:
        np.testing.assert_allclose(line.variance, 0.0471 * np.asarray(VARIANCES), rtol=1e-15)
        more, less = (line.difference * (1 + sign * MARGIN) for sign in (1, -1))
        assert (plan.topics(more, line.variance) == line.n_topics).all()
        assert (plan.topics(less, line.variance) == line.n_topics + 1).all()


def test_levels_without_a_detectable_difference_have_no_line() -> None:
    """With alpha 1e-30 ten topics detect no difference up to a thousand standard deviations."""
    tiny = paired_t.DESIGN.plan(alpha=1e-30, beta=BETA)
    required = 40
    levels = [line.n_topics for line in equal_topics(point(tiny, 0.10, 1.0), required)]
    assert levels == [20, 30, 50, 75, 100, 150, 200]
    assert required / 5 <= 10  # so that 10 is missing because it detects no difference
    assert [line.n_topics for line in equal_topics(point(PAIRED, 0.10, 0.05), 60_000)] == [
        60_000
    ]  # above the levels


def test_common_sizes_detect_the_differences_of_the_designs() -> None:
    # 0.0264 is the mean variance of paired differences of TREC robust 2004; with it 50 topics detect
    # .0657 and 150 topics .0374 (exact paired t; computed with SciPy from the public matrix).
    assert PAIRED.detected((50, 150), 0.0264) == pytest.approx([0.0657, 0.0374], abs=0.5e-4)
