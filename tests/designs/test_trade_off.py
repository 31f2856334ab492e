"""One view of every design: it must give the same answers as the design."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.designs.refusing import INTERVALS, MODULES, name_of, valid
from topicset_core.designs import (
    TradeOff,
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
    view_of,
)

PAIRED = paired_t.DESIGN.view(alpha=0.05, beta=0.20)
VIEWS = (
    PAIRED,
    two_sample_t.DESIGN.view(alpha=0.01, beta=0.10),
    one_way_anova.DESIGN.view(alpha=0.05, beta=0.20, n_systems=2),
    one_way_anova.DESIGN.view(alpha=0.01, beta=0.30, n_systems=30),
    confidence_interval.DESIGN.view(alpha=0.05),
    two_sample_confidence_interval.DESIGN.view(alpha=0.10),
)
PROFILE = settings(derandomize=True, deadline=None, max_examples=60, database=None)


# Off the defaults, so that a view which forgets one of them is found out.
ODD = {"alpha": 0.01, "beta": 0.3, "n_systems": 7}


def odd(design: Any) -> dict[str, Any]:
    given = valid(design)
    return given | {name: value for name, value in ODD.items() if name in given}


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize("design", MODULES, ids=name_of)
def test_a_view_answers_as_its_design_does(design: Any, method: Any) -> None:
    requirements = design.Requirements(**odd(design))
    view = view_of(requirements)
    result = design.required_topics(requirements, method=method)
    n = result.required_topics
    assert view.topics(requirements.difference, requirements.variance, method) == n
    if design in INTERVALS:
        assert view.kind == "width"
        assert view.power is None
        assert view.difference(n, requirements.variance, method) == result.attained_width
        assert view.difference(n - 1, requirements.variance, method) == result.width_one_topic_fewer
    else:
        assert view.kind == "power"
        assert view.power is not None
        power = view.power([n, n - 1], requirements.difference, requirements.variance, method)
        # The view converts minD on arrays, the design on floats: the last bit of minDelta may differ.
        np.testing.assert_allclose(power, [result.attained_power, result.power_one_topic_fewer], rtol=1e-13)
        detected = view.difference([n, n - 1], requirements.variance, method)
        assert detected[0] <= requirements.difference < detected[1]


def test_a_view_hands_the_method_on_where_the_two_methods_differ() -> None:
    """Ordinary requirements have the same n by both, so these are made to lie between the methods."""
    for view in (confidence_interval.DESIGN.view(alpha=0.05), PAIRED):
        exact, published = (float(view.difference(20, 0.1, method)) for method in ("exact", "published"))
        between = (exact + published) / 2
        sizes = [int(view.topics(between, 0.1, method)) for method in ("exact", "published")]
        assert sorted(sizes) == [20, 21]
        assert sizes[0 if exact < published else 1] == 20


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.label)
def test_arrays_broadcast_to_the_same_cells(view: TradeOff) -> None:
    difference, variance = np.array([[0.05], [0.20]]), np.array([0.02, 0.0471, 0.3])
    topics = view.topics(difference, variance, "exact")
    fixed = view.difference(np.array([[25], [100]]), variance, "exact")
    assert topics.shape == fixed.shape == (2, 3)
    assert topics[1, 2] == view.topics(0.20, 0.3, "exact")
    assert fixed[1, 2] == pytest.approx(float(view.difference(100, 0.3, "exact")), rel=1e-14)


# A factor that is a power of two multiplies without rounding, its square and root too, so the
# answers must be equal to the last bit.
@PROFILE
@given(
    view=st.sampled_from(VIEWS),
    difference=st.floats(0.01, 1.0),
    variance=st.floats(0.001, 0.3),
    exponent=st.integers(-20, 20),
    method=st.sampled_from(["exact", "published"]),
)
def test_topics_do_not_depend_on_the_unit_of_the_measure(
    view: TradeOff, difference: float, variance: float, exponent: int, method: Any
) -> None:
    unit = 2.0**exponent
    topics = view.topics(difference, variance, method)
    assert view.topics(unit * difference, unit**2 * variance, method) == topics
    fixed = view.difference(100, variance, method)
    assert view.difference(100, unit**2 * variance, method) == unit * fixed
    if view.power is not None:
        power = view.power(100, difference, variance, method)
        assert view.power(100, unit * difference, unit**2 * variance, method) == power
