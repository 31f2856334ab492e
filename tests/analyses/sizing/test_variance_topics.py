"""Required topics of many variances against the designs asked one by one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from topicset_core.analyses.sizing import (
    TopicsRule,
    topics_in_words,
    topics_of,
    topics_of_variances,
    topics_rule,
)
from topicset_core.designs import (
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.errors import InputError, NoSolution

POWER: dict[str, Any] = {"alpha": 0.05, "beta": 0.20, "min_d": 0.10}
WIDTH: dict[str, Any] = {"alpha": 0.05, "max_width": 0.10}

RULES: dict[str, tuple[TopicsRule, Callable[[float], int]]] = {
    "paired t": (
        topics_rule("paired-t", **POWER),
        lambda v: (
            paired_t.required_topics(paired_t.Requirements(**POWER, difference_variance=v)).required_topics
        ),
    ),
    "two-sample t": (
        topics_rule("two-sample-t", **POWER),
        lambda v: (
            two_sample_t.required_topics(
                two_sample_t.Requirements(**POWER, within_system_variance=v)
            ).required_topics
        ),
    ),
    "ANOVA": (
        topics_rule("anova", **POWER, n_systems=10),
        lambda v: (
            one_way_anova.required_topics(
                one_way_anova.Requirements(**POWER, n_systems=10, within_system_variance=v)
            ).required_topics
        ),
    ),
    "interval": (
        topics_rule("ci", **WIDTH),
        lambda v: (
            confidence_interval.required_topics(
                confidence_interval.Requirements(**WIDTH, difference_variance=v)
            ).required_topics
        ),
    ),
    "two-sample interval": (
        topics_rule("two-sample-ci", **WIDTH),
        lambda v: (
            two_sample_confidence_interval.required_topics(
                two_sample_confidence_interval.Requirements(**WIDTH, within_system_variance=v)
            ).required_topics
        ),
    ),
}
VARIANCES = [0.0471, 0.0001, 0.0798, 0.0942, 3.5, 0.0301, 0.0471]
TOO_LARGE = 1e6  # minD = .10 is then a ten-thousandth of a standard deviation: some 1.6e9 topics


@pytest.mark.parametrize("name", RULES)
def test_rules_against_their_designs(name: str) -> None:
    rule, one_by_one = RULES[name]
    result = topics_of_variances(rule, VARIANCES)
    assert result == [one_by_one(variance) for variance in VARIANCES]


@pytest.mark.parametrize(
    ("rule", "variance", "topics"),
    [
        # Notes, 0.1, 3 and 8.1, at the pooled AP of Sakai 2016: exact, and as published.
        (topics_rule("anova", **POWER, n_systems=10), 0.0471, 149),
        (topics_rule("anova", **POWER, n_systems=10, method="published"), 0.0471, 148),
        (topics_rule("anova", **POWER, n_systems=2), 0.0471, 75),
        (topics_rule("anova", **POWER, n_systems=2, method="published"), 0.0471, 73),
        (topics_rule("paired-t", **POWER), 0.0942, 76),
        (topics_rule("ci", **WIDTH), 0.0942, 147),
    ],
)
def test_topics_against_notes(rule: TopicsRule, variance: float, topics: int) -> None:
    assert topics_of(rule, variance) == topics


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("n_zero", [0, 3])
@pytest.mark.parametrize("n_good", [0, 1, 2, 5])
@pytest.mark.parametrize("n_huge", [0, 1, 4])
def test_variances_without_an_answer_keep_their_place(
    name: str, n_zero: int, n_good: int, n_huge: int
) -> None:
    good, huge = np.linspace(0.01, 0.2, n_good), TOO_LARGE * np.arange(1, n_huge + 1)
    mixed = np.random.default_rng(1).permutation(np.concatenate([np.zeros(n_zero), good, huge])).tolist()
    rule, one_by_one = RULES[name]
    expected = [one_by_one(variance) if 0 < variance < 1 else None for variance in mixed]
    assert topics_of_variances(rule, mixed) == expected


def test_the_last_variance_with_a_solution_is_found_against_the_design() -> None:
    """Around the limit of ten million topics, the count is that of one question at a time."""
    rule, one_by_one = RULES["paired t"]
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


def test_requirements_are_checked_before_any_variance() -> None:
    with pytest.raises(InputError, match="beta"):
        topics_rule("paired-t", alpha=0.05, beta=0.99, min_d=0.1)
    with pytest.raises(InputError, match="min_d"):
        topics_rule("two-sample-t", alpha=0.05, beta=0.2, min_d=0)
    with pytest.raises(InputError, match="n_systems"):
        topics_rule("anova", **POWER, n_systems=1)
    for design in ("ci", "two-sample-ci"):
        with pytest.raises(InputError, match="max_width"):
            topics_rule(design, alpha=0.05, max_width=-1)
        with pytest.raises(InputError, match="alpha"):
            topics_rule(design, alpha=1, max_width=0.1)
