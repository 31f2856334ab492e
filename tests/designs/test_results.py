"""Results as plain values, and values that the checks of requirements accept."""

import json
import math
from typing import Any

import numpy as np
import pytest

from tests.designs.refusing import (
    INTERVALS,
    MODULES,
    POWER_DESIGNS,
    T_TESTS,
    VALID,
    name_of,
    standardised,
    systems,
)
from tests.refusals import refused
from topicset_core.designs import one_way_anova
from topicset_core.designs.requirements import checked_topics, checked_values
from topicset_core.designs.results import rounded
from topicset_core.parameters import MIN_DELTA

SHARED = {"design", "method", "requirements", "required_topics", "notes"}


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize("design", MODULES, ids=name_of)
def test_a_record_has_the_whole_result_in_plain_values(design: Any, method: Any) -> None:
    requirements = design.Requirements(**VALID[design])
    result = design.required_topics(requirements, method=method)
    assert (result.design, result.method, result.requirements) == (design.DESIGN.name, method, requirements)
    n, record = result.required_topics, result.record()
    if design in INTERVALS:
        evidence = {"attained_width", "width_one_topic_fewer"}
        assert result.attained_width <= 0.1 < result.width_one_topic_fewer
    else:
        evidence = {"attained_power", "power_one_topic_fewer", "effect_size"}
        effect = requirements.effect_size
        powers = design.power([n, n - 1], effect, alpha=0.05, method=method, **systems(design))
        assert powers.tolist() == [result.attained_power, result.power_one_topic_fewer]
        assert result.power_one_topic_fewer < 0.8 <= result.attained_power
    on_shared_topics = {"shared_topics"} if design is one_way_anova else set()
    assert set(record) == SHARED | evidence | on_shared_topics
    for name in evidence | SHARED - {"requirements", "notes"}:
        assert record[name] == getattr(result, name)
        assert type(record[name]) in (str, int, float)  # no NumPy scalar, which JSON would refuse
    given = record["requirements"]
    assert {name: value for name, value in given.items() if value is not None} == VALID[design]
    assert record["notes"] == list(result.notes)
    explains = method == "published" and design not in T_TESTS  # the t approximation needs no warning
    assert len(result.notes) == explains + (design is one_way_anova)  # of systems that share their topics
    assert json.loads(json.dumps(record, allow_nan=False)) == record


@pytest.mark.parametrize("design", POWER_DESIGNS, ids=name_of)
def test_a_record_of_standardised_requirements_leaves_the_units_open(design: Any) -> None:
    record = design.required_topics(design.Requirements(**standardised(design))).record()
    assert record["requirements"]["min_d"] is None
    assert record["requirements"]["min_delta"] == record["effect_size"] == 0.5


@pytest.mark.parametrize(
    "values", [0.5, 1, np.float32(0.5), [1, 2], [[0.1], [0.2]], np.array([3, 4], dtype=np.uint8), []]
)
def test_good_values_become_floats_of_their_shape(values: Any) -> None:
    checked = checked_values(MIN_DELTA, values)
    assert checked.dtype == np.float64
    assert checked.shape == np.shape(values)
    np.testing.assert_array_equal(checked, np.asarray(values, dtype=np.float64))


@pytest.mark.parametrize(("values", "blamed"), [([0.5, -2.0, 0.1], -2.0), ([[1.0], [-math.inf]], -math.inf)])
def test_the_invalid_value_is_named(values: Any, blamed: float) -> None:
    error = refused(checked_values, MIN_DELTA, values)
    assert (error.parameter, error.value) == ("min_delta", blamed)
    assert error.rule == MIN_DELTA.rule


def test_topics_must_be_integers() -> None:
    np.testing.assert_array_equal(checked_topics([2, 3.0, 10_000_000]), [2.0, 3.0, 1e7])
    for n, blamed in (([2, 2.5, 3], 2.5), ([3, 1], 1.0), ([2, 10_000_001], 10_000_001.0)):
        error = refused(checked_topics, n)
        assert (error.parameter, error.value) == ("n_topics", blamed)


@pytest.mark.parametrize(
    ("value", "style", "shown"),
    [
        (0.80031, "f", "0.8003"),
        (0.8, "f", "0.8000"),
        (0.799961, "f", "0.79996"),
        (0.79999999, "f", "just below 0.8"),
        (0.85, "f", "0.8500"),
        (0.79999999, "g", "just below 0.8"),
        (12.3456, "g", "12.35"),
    ],
)
def test_rounding_never_makes_a_failure_a_success(value: float, style: Any, shown: str) -> None:
    assert rounded(value, 0.8, at_least=True, digits=4, style=style) == shown
    assert rounded(math.nextafter(0.8, 1.0), 0.8, at_least=False, digits=4, style=style) == "just above 0.8"
