"""Short ways to ask the designs and to compare with a stated number, for the tests next to this file."""

from typing import Any

import pytest

from topicset_core.designs import (
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.designs.f_test import FTest
from topicset_core.designs.nagata import DERIVED_SIGN, NagataF
from topicset_core.designs.power_search import PowerSearch
from topicset_core.designs.results import Method


def t_topics(alpha: float, beta: float, min_delta: float, method: Method = "exact") -> int:
    """Paired t test."""
    requirements = paired_t.Requirements(alpha=alpha, beta=beta, min_delta=min_delta)
    return paired_t.required_topics(requirements, method=method).required_topics


def t_topics_of_variance(
    min_d: float, variance: float, method: Method = "exact", alpha: float = 0.05, beta: float = 0.20
) -> int:
    """Paired t test with sigma_t^2 = 2 `variance`, as Sakai 2016 takes it."""
    requirements = paired_t.Requirements(
        alpha=alpha, beta=beta, min_d=min_d, difference_variance=2 * variance
    )
    return paired_t.required_topics(requirements, method=method).required_topics


def two_sample_topics(
    min_d: float, variance: float, method: Method = "exact", alpha: float = 0.05, beta: float = 0.20
) -> int:
    """Two-sample t test."""
    requirements = two_sample_t.Requirements(
        alpha=alpha, beta=beta, min_d=min_d, within_system_variance=variance
    )
    return two_sample_t.required_topics(requirements, method=method).required_topics


def anova_topics(
    m: int, min_d: float, variance: float, method: str = "exact", alpha: float = 0.05, beta: float = 0.20
) -> int:
    """One-way ANOVA; `method` is exact, minus (the published one) or plus (Eq. 18 as derived)."""
    requirements = one_way_anova.Requirements(
        alpha=alpha, beta=beta, min_d=min_d, within_system_variance=variance, n_systems=m
    )
    if method == "exact":
        return one_way_anova.required_topics(requirements).required_topics
    if method == "minus":
        return one_way_anova.required_topics(requirements, method="published").required_topics
    if method == "plus":
        derived = PowerSearch(FTest(m - 1, m), NagataF(m, DERIVED_SIGN))
        return int(derived.grid([requirements.effect_size], alpha, beta, "published")[0])
    raise ValueError(method)


def interval_topics(width: float, variance: float, method: Method = "exact", alpha: float = 0.05) -> int:
    """Paired interval with sigma_t^2 = 2 `variance`."""
    requirements = confidence_interval.Requirements(
        alpha=alpha, max_width=width, difference_variance=2 * variance
    )
    return confidence_interval.required_topics(requirements, method=method).required_topics


def two_sample_interval_topics(
    width: float, variance: float, method: Method = "exact", alpha: float = 0.05
) -> int:
    """Two-sample interval."""
    requirements = two_sample_confidence_interval.Requirements(
        alpha=alpha, max_width=width, within_system_variance=variance
    )
    return two_sample_confidence_interval.required_topics(requirements, method=method).required_topics


def stated(value: float, digits: int) -> Any:
    """Equal to a number printed with this number of decimals: within half a unit of the last one."""
    return pytest.approx(value, abs=0.5 * 10**-digits)
