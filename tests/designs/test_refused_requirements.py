"""Refusals of the designs, with the names of parameters."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.designs.refusing import (
    BAD_NUMBERS,
    INTERVALS,
    MODULES,
    POWER_DESIGNS,
    VALID,
    name_of,
    refused_by,
    standardised,
    systems,
)
from tests.refusals import refused
from tests.words import numbers_in
from topicset_core.designs import (
    all_pairs,
    blocked_anova,
    equivalence,
    error_rate,
    group_sequential,
    non_inferiority,
    one_way_anova,
)
from topicset_core.parameters import ALPHA, N_SYSTEMS, N_TOPICS

RULES = {"alpha": ALPHA.rule, "n_systems": N_SYSTEMS.rule}


@pytest.mark.parametrize(
    ("design", "parameter"), [(design, name) for design in VALID for name in VALID[design]], ids=name_of
)
def test_bad_values_are_refused_by_name(design: Any, parameter: str) -> None:
    beyond = {"alpha": [1.0, 7], "beta": [1.0, 0.95, 0.99], "n_systems": [1, 1001, 2.5]}
    for value in BAD_NUMBERS + beyond.get(parameter, []):
        error = refused_by(design, **{parameter: value})
        assert error.parameter == parameter
        assert error.rule == RULES.get(parameter, error.rule)


MORE: list[tuple[Any, dict[str, Any], str]] = [
    (blocked_anova, {"min_delta": 0.2}, "min_d"),
    (all_pairs, {"procedure": "dunnett"}, "procedure"),
    (all_pairs, {"topics": "mixed"}, "topics"),
    (all_pairs, {"detect": "some"}, "detect"),
    (all_pairs, {"means": "halves"}, "means"),
    (all_pairs, {"detect": "all"}, "means"),
    (all_pairs, {"detect": "any", "means": "one-differs"}, "means"),
    (all_pairs, {"topics": "separate"}, "residual_variance"),
    (all_pairs, {"within_system_variance": 0.05}, "within_system_variance"),
    (all_pairs, {"min_delta": 0.5}, "min_d"),
    (all_pairs, {"min_d": 1e9}, "min_d"),
    (one_way_anova, {"residual_variance": 0.0}, "residual_variance"),
    (one_way_anova, {"residual_variance": -1.0}, "residual_variance"),
    (
        one_way_anova,
        {"residual_variance": 0.1, "min_d": None, "within_system_variance": None, "min_delta": 0.5},
        "residual_variance",
    ),
    (equivalence, {"margin": 1000.0}, "margin"),
    (equivalence, {"true_difference": 0.05}, "true_difference"),
    (equivalence, {"true_difference": math.inf}, "true_difference"),
    (equivalence, {"true_difference": math.nan}, "true_difference"),
    (non_inferiority, {"true_difference": -0.05}, "true_difference"),
    (equivalence, {"alpha": 0.5}, "alpha"),
    (equivalence, {"within_system_variance": 0.02}, "within_system_variance"),
    (equivalence, {"topics": "separate"}, "difference_variance"),
    (equivalence, {"topics": "no such"}, "topics"),
    (error_rate, {"max_error": 0.5}, "max_error"),
    (error_rate, {"max_error": 1e-301}, "max_error"),
    *(
        (group_sequential, {"looks": looks}, "looks")
        for looks in (1, 6, 2.5, (0.5, 0.9), (0.5, 0.5, 1.0), (0.0, 1.0), ("a", 1.0), None)
    ),
    (group_sequential, {"spending": "haybittle"}, "spending"),
]


@pytest.mark.parametrize(("design", "changes", "parameter"), MORE, ids=name_of)
def test_bad_combinations_are_refused_by_name(design: Any, changes: dict[str, Any], parameter: str) -> None:
    design.Requirements(**VALID[design])
    assert refused_by(design, **changes).parameter == parameter


@pytest.mark.parametrize("value", [1, 1001, 2.5, "10"], ids=repr)
def test_bad_number_of_systems_is_refused_by_name(value: Any) -> None:
    for question in (
        lambda: one_way_anova.power(10, 0.5, alpha=0.05, n_systems=value),
        lambda: one_way_anova.required_topics_grid(0.5, alpha=0.05, beta=0.2, n_systems=value),
        lambda: one_way_anova.detectable_delta(10, alpha=0.05, beta=0.2, n_systems=value),
    ):
        assert refused(question).parameter == "n_systems"


@pytest.mark.parametrize("design", POWER_DESIGNS, ids=name_of)
def test_difference_must_be_given_exactly_once(design: Any, golden: SnapshotAssertion) -> None:
    both = refused_by(design, min_delta=0.5)
    assert (both.parameter, both.value) == ("min_d", 0.1)
    assert "min_delta" in both.rule
    variance = next(name for name in VALID[design] if name.endswith("variance"))
    assert refused_by(design, min_d=None, min_delta=0.5).parameter == variance
    missing = refused_by(design, **{variance: None})
    assert missing.parameter == variance
    neither = refused_by(design, min_d=None)
    assert neither.parameter == "min_d"
    assert variance in neither.rule
    assert [str(error) for error in (both, missing, neither)] == golden
    for value in [0.0, -1.0, math.nan, math.inf, "0.5", True]:
        assert (
            refused(design.Requirements, **standardised(design) | {"min_delta": value}).parameter
            == "min_delta"
        )


@pytest.mark.parametrize("design", POWER_DESIGNS, ids=name_of)
def test_wrong_units_are_refused(design: Any, golden: SnapshotAssertion) -> None:
    """A difference of more than a thousand standard deviations, also where it overflows."""
    for min_d in (500.0, 1e200, 1e308):
        error = refused_by(design, min_d=min_d)
        assert (error.parameter, error.value) == ("min_d", min_d)
        assert numbers_in(error.rule)[-1] == 1000
        assert str(error) == golden
    assert (
        refused(design.Requirements, **standardised(design) | {"min_delta": 500_001.0}).parameter
        == "min_delta"
    )


@pytest.mark.parametrize("value", [1, 2.5, 10_000_001, math.nan, "10", True, None, [10, 1]], ids=repr)
@pytest.mark.parametrize("design", MODULES, ids=name_of)
def test_bad_number_of_topics_is_refused_by_name(design: Any, value: object) -> None:
    if design in INTERVALS:
        questions = [lambda: design.width(value, 0.1, alpha=0.05)]
    else:
        questions = [
            lambda: design.power(value, 0.5, alpha=0.05, **systems(design)),
            lambda: design.detectable_delta(value, alpha=0.05, beta=0.2, **systems(design)),
        ]
    for question in questions:
        error = refused(question)
        assert (error.parameter, error.rule) == ("n_topics", N_TOPICS.rule)


@pytest.mark.parametrize("value", [0.0, "0.1", True, None, [0.5, math.nan], [[1.0], [-2.0]], 1j], ids=repr)
def test_bad_cells_of_grids_are_refused_by_name(value: Any) -> None:
    questions: list[tuple[str, Callable[[], object]]] = []
    for design in POWER_DESIGNS:
        grid = partial(design.required_topics_grid, value, alpha=0.05, beta=0.2, **systems(design))
        power = partial(design.power, 10, value, alpha=0.05, **systems(design))
        questions += [("min_delta", grid), ("min_delta", power)]
    for design in INTERVALS:
        questions += [
            ("max_width", partial(design.required_topics_grid, value, 0.1, alpha=0.05)),
            (design.DESIGN.variance.name, partial(design.required_topics_grid, 0.1, value, alpha=0.05)),
            (design.DESIGN.variance.name, partial(design.width, 10, value, alpha=0.05)),
        ]
    for name, question in questions:
        assert refused(question).parameter == name


@pytest.mark.parametrize("design", MODULES, ids=name_of)
def test_unknown_method_is_refused_by_name(design: Any) -> None:
    requirements = design.Requirements(**VALID[design])
    for method in ("nagata", "Exact", "", None):
        error = refused(design.required_topics, requirements, method=method)
        assert (error.parameter, error.value) == ("method", method)
        assert all(f'"{allowed}"' in error.rule for allowed in ("exact", "published"))


@pytest.mark.parametrize(
    ("alpha", "beta", "blamed", "value"),
    [
        (0.02, 0.20, "alpha", 0.02),
        (0.10, 0.20, "alpha", 0.10),
        (0.05, 0.25, "beta", 0.25),
        (0.01, 0.05, "beta", 0.05),
    ],
)
def test_published_anova_refuses_probabilities_missing_in_its_table(
    alpha: float, beta: float, blamed: str, value: float
) -> None:
    requirements = one_way_anova.Requirements(alpha=alpha, beta=beta, min_delta=0.5, n_systems=3)
    questions = (
        lambda: one_way_anova.required_topics(requirements, method="published"),
        lambda: one_way_anova.required_topics_grid(
            [0.5], alpha=alpha, beta=beta, n_systems=3, method="published"
        ),
        lambda: one_way_anova.detectable_delta(20, alpha=alpha, beta=beta, n_systems=3, method="published"),
    )
    for question in questions:
        error = refused(question)
        assert (error.parameter, error.value) == (blamed, value)
        assert {0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5} <= {*numbers_in(error.rule)}  # worded in tests/golden
    assert one_way_anova.required_topics(requirements).required_topics > 2  # the exact method takes them


def test_published_anova_accepts_its_ten_pairs_with_rounding_error() -> None:
    for alpha in (0.01, 0.05, 0.06 - 0.01, 1 - 0.99):
        for beta in (0.1, 0.2, 1 - 0.8, 0.1 + 0.2, 1 - 0.6, 0.5):
            requirements = one_way_anova.Requirements(alpha=alpha, beta=beta, min_delta=0.5, n_systems=3)
            assert one_way_anova.required_topics(requirements, method="published").required_topics > 2
