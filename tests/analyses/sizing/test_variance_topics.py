"""Required topics of many variances against the designs asked one by one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from topicset_core.analyses.sizing import (
    TopicsRule,
    topics_in_words,
    topics_of_variances,
    topics_rule,
)
from topicset_core.designs import (
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
)
from topicset_core.errors import InputError, NoSolution

POWER: dict[str, Any] = {"alpha": 0.05, "beta": 0.20, "min_d": 0.10}
WIDTH: dict[str, Any] = {"alpha": 0.05, "max_width": 0.10}

DESIGNS: dict[str, tuple[Any, dict[str, Any]]] = {
    "paired-t": (paired_t, POWER),
    "anova": (one_way_anova, POWER | {"n_systems": 10}),
    "two-sample-ci": (two_sample_confidence_interval, WIDTH),
}


def rule_of(slug: str) -> tuple[TopicsRule, Callable[[float], int]]:
    """The rule of a design, and the design asked with one variance."""
    design, given = DESIGNS[slug]
    variance = design.DESIGN.variance.name

    def one_by_one(value: float) -> int:
        requirements = design.Requirements(**given, **{variance: value})
        return int(design.required_topics(requirements).required_topics)

    return topics_rule(slug, **given), one_by_one


TOO_LARGE = 1e6  # minD = .10 is then a ten-thousandth of a standard deviation: some 1.6e9 topics


@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize(
    ("n_zero", "n_good", "n_huge"), [(0, 5, 0), (3, 2, 1), (0, 1, 4), (3, 0, 0), (0, 0, 0)]
)
def test_variances_without_an_answer_keep_their_place(
    name: str, n_zero: int, n_good: int, n_huge: int
) -> None:
    good, huge = np.linspace(0.01, 0.2, n_good), TOO_LARGE * np.arange(1, n_huge + 1)
    mixed = (
        np.random.default_rng(1).permutation(np.concatenate([np.zeros(n_zero), good, good, huge])).tolist()
    )
    rule, one_by_one = rule_of(name)
    expected = [one_by_one(variance) if 0 < variance < 1 else None for variance in mixed]
    assert topics_of_variances(rule, mixed) == expected


def test_the_last_variance_with_a_solution_is_found_against_the_design() -> None:
    """Around the limit of ten million topics, the count is that of one question at a time."""
    rule, one_by_one = rule_of("paired-t")
    variances = np.geomspace(1e3, 1e5, 41)

    def solvable(variance: float) -> bool:
        try:
            one_by_one(variance)
        except NoSolution:
            return False
        return True

    expected = [solvable(float(variance)) for variance in variances]
    assert 0 < sum(expected) < 41
    assert [topics is not None for topics in topics_of_variances(rule, variances.tolist())] == expected


def test_topics_in_words() -> None:
    assert topics_in_words(1234, 0.5) == "1,234"
    assert topics_in_words(None, 0.0) == "any number"
    assert topics_in_words(None, TOO_LARGE) == "more than 10,000,000"


@pytest.mark.parametrize(
    ("design", "changes", "named"),
    [
        ("paired-t", {"beta": 0.99}, "beta"),
        ("anova", {"n_systems": 1}, "n_systems"),
        ("two-sample-ci", {"max_width": -1}, "max_width"),
    ],
)
def test_requirements_are_checked_before_any_variance(
    design: str, changes: dict[str, Any], named: str
) -> None:
    with pytest.raises(InputError, match=named):
        topics_rule(design, **DESIGNS[design][1] | changes)
