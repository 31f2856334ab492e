"""A plan gives the answers of its design, with difference and variance given, varied or left open."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.designs.refusing import MODULES, VALID, name_of
from topicset_core.analyses.score_variance.uncertainty import topics_in_words
from topicset_core.designs import (
    ALL_DESIGNS,
    Plan,
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import N_SYSTEMS

PAIRED = paired_t.DESIGN.plan(alpha=0.05, beta=0.20)
PLANS = (
    PAIRED,
    two_sample_t.DESIGN.plan(alpha=0.01, beta=0.10),
    one_way_anova.DESIGN.plan(alpha=0.05, beta=0.20, n_systems=2),
    one_way_anova.DESIGN.plan(alpha=0.01, beta=0.30, n_systems=30),
    confidence_interval.DESIGN.plan(alpha=0.05),
    two_sample_confidence_interval.DESIGN.plan(alpha=0.10),
)
PROFILE = settings(derandomize=True, deadline=None, max_examples=60, database=None)
TOO_LARGE = 1e6  # minD = .10 is then a ten-thousandth of a standard deviation: some 1.6e9 topics

# Off the defaults, so that a plan which forgets one of them is found out.
ODD = {"alpha": 0.01, "beta": 0.3, "n_systems": 7}
VARIED = ("paired-t", "anova", "two-sample-ci")


def defaults_of(design: Any) -> dict[str, Any]:
    """The start values of a form, with each choice in its first word."""
    words = {one.name: one.default for one in design.choices}
    numbers = (*design.parameters, design.variance)
    return {one.name: int(one.default) if one.integer else one.default for one in numbers} | words


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_a_plan_answers_as_its_design_does(module: Any, method: Any) -> None:
    values = VALID[module] | {name: value for name, value in ODD.items() if name in VALID[module]}
    plan = module.DESIGN.plan(method=method, **values)
    result = module.required_topics(module.Requirements(**values), method=method)
    assert plan.required_topics() == result
    n = result.required_topics
    assert plan.topics() == n
    # A plan converts minD on arrays, the design on floats: the last bit of minDelta may differ.
    np.testing.assert_allclose(plan.attained([n, n - 1]), [result.attained, result.one_fewer], rtol=1e-13)
    detected = plan.detected([n, n - 1])
    assert detected[0] <= plan.difference < detected[1]


@pytest.mark.parametrize("design", ALL_DESIGNS, ids=lambda design: design.slug)
def test_a_plan_of_any_design_is_one_value(design: Any) -> None:
    """Equal, hashable, and the same again from its values, its requirements and the requirements of its answer."""
    values = defaults_of(design)
    plan = design.plan(**values)
    assert plan == design.plan(**plan.values)
    assert {plan: 1}[design.plan(**dict(reversed(values.items())))] == 1
    assert plan.key == (design.slug, "exact", *plan.given)
    result = plan.required_topics()
    assert dict(result.requirements.plan().given) == plan.values
    assert (result.requirements.design, result.design) == (design, design.name)
    assert plan.with_(**{design.variance.name: None}).variance == 0
    assert plan.topics_of(plan.variance) == plan.topics()
    assert (result.target <= result.attained) == result.at_least
    inside = "; method exact" if design.choices else ", exact"
    assert result.lines[0].startswith(f"{result.required_topics} topics  ({design.name}")
    assert result.lines[0].endswith(f"{inside})")


def test_a_parameter_is_varied_and_the_plan_itself_stays() -> None:
    own = one_way_anova.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.1, n_systems=10)
    few, same, many = own.vary(N_SYSTEMS, (2, 10, 100))
    assert same is own
    assert [few.label, many.label] == ["m = 2", "m = 100"]
    assert few.with_(n_systems=10) == own


def test_a_plan_hands_the_method_on_where_the_two_methods_differ() -> None:
    """Ordinary requirements have the same n by both, so these are made to lie between the methods."""
    for exact in (PLANS[4], PAIRED):
        published = replace(exact, method="published")
        between = float(exact.detected(20, 0.1) + published.detected(20, 0.1)) / 2
        sizes = [int(one.topics(between, 0.1)) for one in (exact, published)]
        assert sorted(sizes) == [20, 21]
        assert sizes[0 if exact.detected(20, 0.1) < published.detected(20, 0.1) else 1] == 20


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.label)
def test_arrays_broadcast_to_the_same_cells(plan: Plan) -> None:
    difference, variance = np.array([[0.05], [0.20]]), np.array([0.02, 0.0471, 0.3])
    topics = plan.topics(difference, variance)
    detected = plan.detected(np.array([[25], [100]]), variance)
    assert topics.shape == detected.shape == (2, 3)
    assert topics[1, 2] == plan.topics(0.20, 0.3)
    assert detected[1, 2] == pytest.approx(float(plan.detected(100, 0.3)), rel=1e-14)


# A factor that is a power of two multiplies without rounding, its square and root too, so the
# answers must be equal to the last bit.
@PROFILE
@given(
    plan=st.sampled_from(PLANS),
    difference=st.floats(0.01, 1.0),
    variance=st.floats(0.001, 0.3),
    exponent=st.integers(-20, 20),
    method=st.sampled_from(["exact", "published"]),
)
def test_topics_do_not_depend_on_the_unit_of_the_measure(
    plan: Plan, difference: float, variance: float, exponent: int, method: Any
) -> None:
    unit, plan = 2.0**exponent, replace(plan, method=method)
    other = unit * difference, unit**2 * variance
    assert plan.topics(*other) == plan.topics(difference, variance)
    assert plan.detected(100, other[1]) == unit * plan.detected(100, variance)
    if plan.design.has_power:
        assert plan.power(100, *other) == plan.power(100, difference, variance)


def open_plan(slug: str) -> Plan:
    """A plan without its variance."""
    design = next(one for one in ALL_DESIGNS if one.slug == slug)
    return design.plan(**defaults_of(design) | {design.variance.name: None})


def one_by_one(plan: Plan, variance: float) -> int:
    return int(plan.with_(**{plan.variance_parameter.name: variance}).required_topics().required_topics)


@pytest.mark.parametrize("slug", VARIED)
@pytest.mark.parametrize(
    ("n_zero", "n_good", "n_huge"), [(0, 5, 0), (3, 2, 1), (0, 1, 4), (3, 0, 0), (0, 0, 0)]
)
def test_variances_without_an_answer_keep_their_place(
    slug: str, n_zero: int, n_good: int, n_huge: int
) -> None:
    good, huge = np.linspace(0.01, 0.2, n_good), TOO_LARGE * np.arange(1, n_huge + 1)
    every = np.concatenate([np.zeros(n_zero), good, good, huge])
    mixed = np.random.default_rng(1).permutation(every).tolist()
    plan = open_plan(slug)
    expected = [one_by_one(plan, variance) if 0 < variance < 1 else None for variance in mixed]
    assert plan.topics_of_variances(mixed) == expected


def test_the_last_variance_with_a_solution_is_found_against_the_design() -> None:
    """Around the limit of ten million topics, the count is that of one question at a time."""
    plan, variances = open_plan("paired-t"), np.geomspace(1e3, 1e5, 41).tolist()

    def solvable(variance: float) -> bool:
        try:
            one_by_one(plan, variance)
        except NoSolution:
            return False
        return True

    expected = [solvable(variance) for variance in variances]
    assert 0 < sum(expected) < 41
    assert [topics is not None for topics in plan.topics_of_variances(variances)] == expected


def test_topics_in_words() -> None:
    assert topics_in_words(1234, 0.5) == "1,234"
    assert topics_in_words(None, 0.0) == "any number"
    assert topics_in_words(None, TOO_LARGE) == "more than 10,000,000"


@pytest.mark.parametrize(
    ("slug", "changes", "named"),
    [
        ("paired-t", {"beta": 0.99}, "beta"),
        ("anova", {"n_systems": 1}, "n_systems"),
        ("two-sample-ci", {"max_width": -1}, "max_width"),
    ],
)
def test_values_are_checked_before_any_variance(slug: str, changes: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError, match=named):
        open_plan(slug).with_(**changes)
