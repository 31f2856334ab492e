"""What the designs refuse, under which name, and what they answer at the edge of what they accept."""

import math
import warnings
from typing import Any

import numpy as np
import pytest

from topicset_core.designs import (
    DESIGNS,
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.designs.results import PowerResult, WidthResult
from topicset_core.errors import InputError, NoSolution

T_TESTS = (paired_t, two_sample_t)
POWER_DESIGNS = (*T_TESTS, one_way_anova)
INTERVALS = (confidence_interval, two_sample_confidence_interval)
BAD_NUMBERS = [0.0, -1.0, math.nan, math.inf, "0.1", True, None]


def name_of(value: object) -> str:
    return getattr(value, "NAME", None) or repr(value)


def valid(design: Any) -> dict[str, Any]:
    """Requirements that each design accepts, the difference given as minD and a variance."""
    if design is paired_t:
        return {"alpha": 0.05, "beta": 0.2, "min_d": 0.1, "difference_variance": 0.0942}
    if design is two_sample_t:
        return {"alpha": 0.05, "beta": 0.2, "min_d": 0.1, "within_system_variance": 0.0471}
    if design is one_way_anova:
        return {"alpha": 0.05, "beta": 0.2, "min_d": 0.1, "within_system_variance": 0.0471, "n_systems": 10}
    if design is confidence_interval:
        return {"alpha": 0.05, "max_width": 0.1, "difference_variance": 0.0942}
    return {"alpha": 0.05, "max_width": 0.1, "within_system_variance": 0.0471}


def standardised(design: Any) -> dict[str, Any]:
    """The same with minDelta."""
    given = {key: value for key, value in valid(design).items() if key in ("alpha", "beta", "n_systems")}
    return given | {"min_delta": 0.5}


def refused(design: Any, **changes: Any) -> InputError:
    given = valid(design) | changes
    with pytest.raises(InputError) as caught:
        design.Requirements(**given)
    return caught.value


def systems(design: Any) -> dict[str, int]:
    """What the functions of the ANOVA need in addition."""
    return {"n_systems": 10} if design is one_way_anova else {}


@pytest.mark.parametrize("design", DESIGNS, ids=name_of)
def test_valid_requirements_are_answered(design: Any) -> None:
    assert design.required_topics(design.Requirements(**valid(design))).required_topics > 2


@pytest.mark.parametrize("value", [*BAD_NUMBERS, 1.0, 7], ids=repr)
@pytest.mark.parametrize("design", DESIGNS, ids=name_of)
def test_bad_alpha_is_refused_by_name(design: Any, value: object) -> None:
    error = refused(design, alpha=value)
    assert error.parameter == "alpha"
    assert error.rule == "must be a number above 0 and below 1"


@pytest.mark.parametrize("value", [*BAD_NUMBERS, 1.0, 0.95, 0.99], ids=repr)
@pytest.mark.parametrize("design", POWER_DESIGNS, ids=name_of)
def test_bad_beta_is_refused_by_name(design: Any, value: object) -> None:
    assert refused(design, beta=value).parameter == "beta"


@pytest.mark.parametrize("value", BAD_NUMBERS, ids=repr)
@pytest.mark.parametrize(
    ("design", "parameter"),
    [
        (design, name)
        for design in DESIGNS
        for name in valid(design)
        if name not in ("alpha", "beta", "n_systems")
    ],
    ids=name_of,
)
def test_bad_difference_width_or_variance_is_refused_by_name(
    design: Any, parameter: str, value: object
) -> None:
    assert refused(design, **{parameter: value}).parameter == parameter


@pytest.mark.parametrize("value", [1, 0, -3, 1001, 2.5, math.nan, "10", True, None], ids=repr)
def test_bad_number_of_systems_is_refused_by_name(value: object) -> None:
    error = refused(one_way_anova, n_systems=value)
    assert (error.parameter, error.rule) == ("n_systems", "must be a whole number from 2 to 1,000")
    for question in (
        lambda: one_way_anova.power(10, 0.5, alpha=0.05, n_systems=value),
        lambda: one_way_anova.required_topics_grid(0.5, alpha=0.05, beta=0.2, n_systems=value),
        lambda: one_way_anova.detectable_delta(10, alpha=0.05, beta=0.2, n_systems=value),
    ):
        with pytest.raises(InputError) as caught:
            question()
        assert caught.value.parameter == "n_systems"


@pytest.mark.parametrize("design", POWER_DESIGNS, ids=name_of)
def test_difference_must_be_given_exactly_once(design: Any) -> None:
    both = refused(design, min_delta=0.5)
    assert (both.parameter, both.value) == ("min_d", 0.1)
    assert "min_delta" in both.rule
    variance = next(name for name in valid(design) if name.endswith("variance"))
    assert refused(design, min_d=None, min_delta=0.5).parameter == variance
    missing = refused(design, **{variance: None})
    assert (missing.parameter, missing.rule) == (variance, "must be given where min_d is")
    neither = refused(design, min_d=None)
    assert neither.parameter == "min_d"
    assert variance in neither.rule
    for value in [0.0, -1.0, math.nan, math.inf, "0.5", True]:
        with pytest.raises(InputError) as caught:
            design.Requirements(**standardised(design) | {"min_delta": value})
        assert caught.value.parameter == "min_delta"


@pytest.mark.parametrize("design", POWER_DESIGNS, ids=name_of)
def test_slips_of_units_are_refused(design: Any) -> None:
    """A difference of more than a thousand standard deviations, also where it overflows."""
    for min_d in (500.0, 1e200, 1e308):
        error = refused(design, min_d=min_d)
        assert (error.parameter, error.value) == ("min_d", min_d)
        assert "standard deviations, above the limit of 1000" in error.rule
    with pytest.raises(InputError) as caught:
        design.Requirements(**standardised(design) | {"min_delta": 500_001.0})
    assert caught.value.parameter == "min_delta"


@pytest.mark.parametrize(
    "value", [1, 0, -5, 2.5, 10_000_001, math.nan, math.inf, "10", True, None, [10, 1]], ids=repr
)
@pytest.mark.parametrize("design", DESIGNS, ids=name_of)
def test_bad_number_of_topics_is_refused_by_name(design: Any, value: object) -> None:
    if design in INTERVALS:
        questions = [lambda: design.width(value, 0.1, alpha=0.05)]
    else:
        questions = [
            lambda: design.power(value, 0.5, alpha=0.05, **systems(design)),
            lambda: design.detectable_delta(value, alpha=0.05, beta=0.2, **systems(design)),
        ]
    for question in questions:
        with pytest.raises(InputError) as caught:
            question()
        assert (caught.value.parameter, caught.value.rule) == (
            "n_topics",
            "must be a whole number from 2 to 10,000,000",
        )


@pytest.mark.parametrize("value", [*BAD_NUMBERS, [0.5, 0.0], [0.5, math.nan], [[1.0], [-2.0]], 1j], ids=repr)
def test_bad_cells_of_grids_are_refused_by_name(value: object) -> None:
    for design in POWER_DESIGNS:
        for question in (
            lambda: design.required_topics_grid(value, alpha=0.05, beta=0.2, **systems(design)),  # noqa: B023
            lambda: design.power(10, value, alpha=0.05, **systems(design)),  # noqa: B023
        ):
            with pytest.raises(InputError) as caught:
                question()
            assert caught.value.parameter == "min_delta"
    for design in INTERVALS:
        variance = "within_system_variance" if "two-sample" in design.NAME else "difference_variance"
        for name, question in (
            ("max_width", lambda: design.required_topics_grid(value, 0.1, alpha=0.05)),  # noqa: B023
            (variance, lambda: design.required_topics_grid(0.1, value, alpha=0.05)),  # noqa: B023
            (variance, lambda: design.width(10, value, alpha=0.05)),  # noqa: B023
        ):
            with pytest.raises(InputError) as caught:
                question()
            assert caught.value.parameter == name


@pytest.mark.parametrize("design", DESIGNS, ids=name_of)
def test_unknown_method_is_refused_by_name(design: Any) -> None:
    wanted = design.Requirements(**valid(design))
    for method in ("nagata", "Exact", "", None):
        with pytest.raises(InputError) as caught:
            design.required_topics(wanted, method=method)
        assert (caught.value.parameter, caught.value.rule) == ("method", 'must be "exact" or "published"')


@pytest.mark.parametrize(
    ("alpha", "beta", "blamed", "value"),
    [
        (0.02, 0.20, "alpha", 0.02),
        (0.10, 0.20, "alpha", 0.10),
        (0.05, 0.25, "beta", 0.25),
        (0.01, 0.05, "beta", 0.05),
    ],
)
def test_published_anova_refuses_what_its_table_lacks(
    alpha: float, beta: float, blamed: str, value: float
) -> None:
    wanted = one_way_anova.Requirements(alpha=alpha, beta=beta, min_delta=0.5, n_systems=3)
    questions = (
        lambda: one_way_anova.required_topics(wanted, method="published"),
        lambda: one_way_anova.required_topics_grid(
            [0.5], alpha=alpha, beta=beta, n_systems=3, method="published"
        ),
        lambda: one_way_anova.detectable_delta(20, alpha=alpha, beta=beta, n_systems=3, method="published"),
    )
    for question in questions:
        with pytest.raises(InputError) as caught:
            question()
        assert (caught.value.parameter, caught.value.value) == (blamed, value)
        assert "alpha .01 or .05 with beta .10, .20, .30, .40 or .50" in caught.value.rule
    assert one_way_anova.required_topics(wanted).required_topics > 2  # the exact method takes them


def test_published_anova_takes_its_ten_pairs_however_they_are_computed() -> None:
    for alpha in (0.01, 0.05, 0.06 - 0.01, 1 - 0.99):
        for beta in (0.1, 0.2, 1 - 0.8, 0.1 + 0.2, 1 - 0.6, 0.5):
            wanted = one_way_anova.Requirements(alpha=alpha, beta=beta, min_delta=0.5, n_systems=3)
            assert one_way_anova.required_topics(wanted, method="published").required_topics > 2


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize("min_d", [1e-5, 1e-9, 1e-150, 1e-200, 5e-324])
@pytest.mark.parametrize("design", POWER_DESIGNS, ids=name_of)
def test_more_than_ten_million_topics_is_no_solution(design: Any, min_d: float, method: str) -> None:
    wanted = design.Requirements(**valid(design) | {"min_d": min_d})
    with pytest.raises(NoSolution, match="10,000,000"):
        design.required_topics(wanted, method=method)
    if design in T_TESTS:
        with pytest.raises(NoSolution, match="10,000,000"):
            design.required_topics_grid([0.5, min_d], alpha=0.05, beta=0.2, method=method)


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize("max_width", [1e-5, 1e-160, 5e-324])
@pytest.mark.parametrize("design", INTERVALS, ids=name_of)
def test_too_narrow_an_interval_is_no_solution(design: Any, max_width: float, method: str) -> None:
    wanted = design.Requirements(**valid(design) | {"max_width": max_width})
    with pytest.raises(NoSolution, match="10,000,000"):
        design.required_topics(wanted, method=method)


def test_ten_million_topics_are_still_an_answer() -> None:
    for design in T_TESTS:
        delta = float(design.detectable_delta(10_000_000, alpha=0.05, beta=0.2))
        enough = design.Requirements(alpha=0.05, beta=0.2, min_delta=delta * (1 + 1e-12))
        assert design.required_topics(enough).required_topics == 10_000_000
        too_small = design.Requirements(alpha=0.05, beta=0.2, min_delta=delta * (1 - 1e-6))
        with pytest.raises(NoSolution):
            design.required_topics(too_small)


def test_undetectable_whatever_the_difference_is_no_solution() -> None:
    with pytest.raises(NoSolution, match=r"2 topics detect no difference of up to 1000 standard deviations"):
        paired_t.detectable_delta(2, alpha=1e-8, beta=0.2)
    with pytest.raises(NoSolution, match="2 topics"):
        one_way_anova.detectable_delta(2, alpha=0.05, beta=0.2, n_systems=3, method="published")


@pytest.mark.parametrize("design", POWER_DESIGNS, ids=name_of)
def test_two_topics_are_the_fewest(design: Any) -> None:
    result = design.required_topics(design.Requirements(**standardised(design) | {"min_delta": 900.0}))
    assert isinstance(result, PowerResult)
    assert result.required_topics == 2
    assert result.power_one_topic_fewer is None
    assert 0.8 <= result.attained_power <= 1


@pytest.mark.parametrize("max_width", [50.0, 1e160, 1e300])
@pytest.mark.parametrize("design", INTERVALS, ids=name_of)
def test_two_topics_are_the_fewest_for_an_interval(design: Any, max_width: float) -> None:
    result = design.required_topics(design.Requirements(**valid(design) | {"max_width": max_width}))
    assert isinstance(result, WidthResult)
    assert result.required_topics == 2
    assert result.width_one_topic_fewer is None
    assert 0 < result.attained_width <= max_width


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize("design", DESIGNS, ids=name_of)
def test_result_carries_its_evidence(design: Any, method: str) -> None:
    wanted = design.Requirements(**valid(design))
    result = design.required_topics(wanted, method=method)
    assert (result.design, result.method, result.requirements) == (design.NAME, method, wanted)
    assert type(result.required_topics) is int
    n = result.required_topics
    if isinstance(result, PowerResult):
        assert result.power_one_topic_fewer < 0.8 <= result.attained_power
        assert result.effect_size == wanted.effect_size
        powers = design.power([n, n - 1], wanted.effect_size, alpha=0.05, method=method, **systems(design))
        assert powers.tolist() == [result.attained_power, result.power_one_topic_fewer]
    else:
        assert result.attained_width <= 0.1 < result.width_one_topic_fewer
    record = result.record()
    assert record["required_topics"] == n
    assert record["requirements"]["alpha"] == 0.05
    assert isinstance(record["notes"], list)
    explains = method == "published" and design not in T_TESTS
    assert bool(result.notes) == explains  # the t approximation needs no warning


@pytest.mark.parametrize("design", POWER_DESIGNS, ids=name_of)
def test_grids_of_any_shape_keep_it(design: Any) -> None:
    for shape in ((), (0,), (1,), (3, 2), (2, 1, 3)):
        values = np.linspace(0.3, 0.9, int(np.prod(shape))).reshape(shape)
        n = design.required_topics_grid(values, alpha=0.05, beta=0.2, **systems(design))
        assert n.shape == shape
        assert n.dtype == np.int64
        assert design.power(np.full(shape, 20), values, alpha=0.05, **systems(design)).shape == shape


def test_topics_and_effects_broadcast() -> None:
    n, delta = np.array([10, 20, 30])[:, None], np.array([0.3, 0.6])
    power = paired_t.power(n, delta, alpha=0.05)
    assert power.shape == (3, 2)
    assert float(power[1, 0]) == float(paired_t.power(20, 0.3, alpha=0.05))
    assert confidence_interval.width(n, np.array([0.1, 0.2]), alpha=0.05).shape == (3, 2)


def test_tiny_error_probabilities_do_not_warn_or_loop() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for alpha, beta in ((1e-12, 1e-9), (1e-100, 0.2), (0.999, 5e-4), (0.5, 0.499999)):
            for design in T_TESTS:
                n = design.required_topics_grid([0.02, 0.5, 30.0], alpha=alpha, beta=beta)
                power = design.power(n, [0.02, 0.5, 30.0], alpha=alpha)
                assert (power >= 1 - beta).all()


def test_requirements_cannot_be_changed() -> None:
    for design in DESIGNS:
        wanted = design.Requirements(**valid(design))
        with pytest.raises(AttributeError):
            wanted.alpha = 0.01
