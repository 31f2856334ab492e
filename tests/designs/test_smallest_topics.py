"""Is the answer the smallest number of topics? By brute force over all numbers of topics."""

import numpy as np
import pytest

from tests.reference import plain_designs as plain
from topicset_core.designs import (
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)

FIRST_TO_LAST = np.arange(2, 400)


@pytest.mark.parametrize("design", [paired_t, two_sample_t], ids=lambda design: design.NAME)
def test_t_topics_by_brute_force(design) -> None:
    rng = np.random.default_rng(7)
    compared = 0
    while compared < 150:
        alpha, beta, delta = rng.uniform(0.001, 0.4), rng.uniform(0.01, 0.59), np.exp(rng.uniform(-1.7, 2))
        enough = design.power(FIRST_TO_LAST, delta, alpha=alpha) >= 1 - beta
        if not enough.any():
            continue
        requirements = design.Requirements(alpha=alpha, beta=beta, min_delta=delta)
        assert design.required_topics(requirements).required_topics == FIRST_TO_LAST[enough][0]
        compared += 1


def test_anova_topics_by_brute_force() -> None:
    rng = np.random.default_rng(8)
    compared = 0
    while compared < 150:
        alpha, beta, m = rng.uniform(0.001, 0.4), rng.uniform(0.01, 0.59), int(rng.integers(2, 60))
        delta = np.exp(rng.uniform(-3, 3))
        enough = one_way_anova.power(FIRST_TO_LAST, delta, alpha=alpha, n_systems=m) >= 1 - beta
        if not enough.any():
            continue
        requirements = one_way_anova.Requirements(alpha=alpha, beta=beta, min_delta=delta, n_systems=m)
        assert one_way_anova.required_topics(requirements).required_topics == FIRST_TO_LAST[enough][0]
        compared += 1


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize(
    ("design", "groups"),
    [(confidence_interval, 1), (two_sample_confidence_interval, 2)],
    ids=["paired", "two-sample"],
)
def test_interval_topics_by_brute_force(design, groups: int, method: str) -> None:
    rng = np.random.default_rng(9)
    alpha = rng.uniform(0.001, 0.5, 60)
    width = np.exp(rng.uniform(-1.5, 3, 60))
    for a, w in zip(alpha, width, strict=True):
        enough = design.width(FIRST_TO_LAST, 0.7, alpha=a, method=method) <= w
        if not enough.any():
            continue
        name = "difference_variance" if groups == 1 else "within_system_variance"
        requirements = design.Requirements(alpha=a, max_width=w, **{name: 0.7})
        assert design.required_topics(requirements, method=method).required_topics == FIRST_TO_LAST[enough][0]
        slow = plain.interval_topics(a, w, 0.7 * groups, groups, gamma=method == "exact")
        assert slow == FIRST_TO_LAST[enough][0]
