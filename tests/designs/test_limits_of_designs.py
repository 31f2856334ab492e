"""Answers of the designs at the limits of their input, and their form."""

import warnings
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

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
from tests.words import numbers_in
from topicset_core.designs import one_way_anova, paired_t
from topicset_core.errors import NoSolution


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize("difference", [1e-5, 1e-160, 5e-324])
@pytest.mark.parametrize("design", MODULES, ids=name_of)
def test_more_than_ten_million_topics_is_no_solution(design: Any, difference: float, method: str) -> None:
    name = "max_width" if design in INTERVALS else "min_d"
    requirements = design.Requirements(**VALID[design] | {name: difference})
    with pytest.raises(NoSolution, match="10,000,000"):
        design.required_topics(requirements, method=method)
    if design in T_TESTS:
        with pytest.raises(NoSolution, match="10,000,000"):
            design.required_topics_grid([0.5, difference], alpha=0.05, beta=0.2, method=method)


def test_ten_million_topics_are_still_an_answer() -> None:
    for design in T_TESTS:
        delta = float(design.detectable_delta(10_000_000, alpha=0.05, beta=0.2))
        enough = design.Requirements(alpha=0.05, beta=0.2, min_delta=delta * (1 + 1e-12))
        assert design.required_topics(enough).required_topics == 10_000_000
        too_small = design.Requirements(alpha=0.05, beta=0.2, min_delta=delta * (1 - 1e-6))
        with pytest.raises(NoSolution):
            design.required_topics(too_small)


def test_undetectable_differences_are_no_solution(golden: SnapshotAssertion) -> None:
    with pytest.raises(NoSolution) as caught:
        paired_t.detectable_delta(2, alpha=1e-8, beta=0.2)
    assert numbers_in(str(caught.value))[:2] == [2, 1000]  # topics and standard deviations
    assert str(caught.value) == golden
    with pytest.raises(NoSolution) as caught:
        one_way_anova.detectable_delta(2, alpha=0.05, beta=0.2, n_systems=3, method="published")
    assert numbers_in(str(caught.value))[0] == 2


@pytest.mark.parametrize("large", [900.0, 1e300])
@pytest.mark.parametrize("design", MODULES, ids=name_of)
def test_two_topics_are_the_fewest(design: Any, large: float) -> None:
    if design in INTERVALS:
        given = VALID[design] | {"max_width": large}
    else:
        given = standardised(design) | {"min_delta": 900.0}
    result = design.required_topics(design.Requirements(**given))
    assert (result.required_topics, result.one_fewer) == (2, None)
    low, high = (0, large) if design in INTERVALS else (0.8, 1)
    assert low <= result.attained <= high


@pytest.mark.parametrize("design", POWER_DESIGNS, ids=name_of)
def test_grids_keep_their_shape(design: Any) -> None:
    for shape in ((), (0,), (1,), (3, 2), (2, 1, 3)):
        values = np.linspace(0.3, 0.9, int(np.prod(shape))).reshape(shape)
        n = design.required_topics_grid(values, alpha=0.05, beta=0.2, **systems(design))
        assert n.shape == shape
        assert n.dtype == np.int64
        assert design.power(np.full(shape, 20), values, alpha=0.05, **systems(design)).shape == shape


def test_tiny_error_probabilities_do_not_warn_or_loop() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for alpha, beta in ((1e-12, 1e-9), (1e-100, 0.2), (0.999, 5e-4), (0.5, 0.499999)):
            for design in T_TESTS:
                n = design.required_topics_grid([0.02, 0.5, 30.0], alpha=alpha, beta=beta)
                power = design.power(n, [0.02, 0.5, 30.0], alpha=alpha)
                assert (power >= 1 - beta).all()
