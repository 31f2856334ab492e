"""The published approximations: steps of one topic from the closed form, in either direction."""

import itertools

import numpy as np
import pytest

from tests.reference import plain_designs as plain
from topicset_core.designs import (
    one_way_anova,
    paired_t,
    two_sample_t,
)


def test_published_anova_search_against_single_steps() -> None:
    """Over the ten rows of table 2 and effects with n from 2 to thousands, NaN at few topics included."""
    effects = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 40.0, 1000.0)
    wrong, up, down, undefined = [], 0, 0, 0
    for (alpha, beta), m in itertools.product(plain.LINEAR_LAMBDA, (2, 3, 10, 100)):
        table = one_way_anova.required_topics_grid(
            effects, alpha=alpha, beta=beta, n_systems=m, method="published"
        )
        for effect, n in zip(effects, table.tolist(), strict=True):
            start = plain.anova_initial(alpha, beta, m, effect)
            slow = plain.first_n(
                lambda n: plain.anova_power_nagata(n, m, effect, alpha, -1),  # noqa: B023
                1 - beta,
                start,
            )
            up, down = up + (slow > start + 1), down + (slow < start - 1)
            undefined += n > 2 and np.isnan(plain.anova_power_nagata(n - 1, m, effect, alpha, -1))
            if slow != n:
                wrong.append((alpha, beta, m, effect, slow, n))
    assert wrong == []
    assert min(up, down, undefined) >= 10  # the cases that the search could get wrong do occur


def test_published_t_search_against_single_steps() -> None:
    """For beta to .5, as published. Beyond that Eq. 6 is not monotone at two topics, and the two may differ."""
    wrong = []
    for design, groups in ((paired_t, 1), (two_sample_t, 2)):
        for alpha, beta in itertools.product((0.001, 0.01, 0.05, 0.1, 0.3), (0.01, 0.1, 0.2, 0.3, 0.5)):
            for delta in (0.1, 0.2, 0.35, 0.5, 0.8, 1.2, 2.0, 3.0, 5.0):
                requirements = design.Requirements(alpha=alpha, beta=beta, min_delta=delta)
                n = design.required_topics(requirements, method="published").required_topics
                slow = plain.first_n(
                    lambda n: plain.t_power_nagata(n, delta, alpha, groups),  # noqa: B023
                    1 - beta,
                    plain.t_initial(alpha, beta, delta, groups),
                )
                if slow != n:
                    wrong.append((design.DESIGN.name, alpha, beta, delta, slow, n))
    assert wrong == []


def test_undefined_published_power_is_not_reported_as_a_number() -> None:
    # alpha .05, minDelta 3, m = 3: Eq. 18 with minus sign has no value at n = 2 and 3 for weak effects.
    answer = 0
    for effect in np.linspace(1.5, 6, 40):
        requirements = one_way_anova.Requirements(alpha=0.05, beta=0.20, min_delta=effect, n_systems=3)
        result = one_way_anova.required_topics(requirements, method="published")
        n = result.required_topics
        fewer = plain.anova_power_nagata(n - 1, 3, effect, 0.05, -1) if n > 2 else np.nan
        assert (result.power_one_topic_fewer is None) == bool(np.isnan(fewer))
        answer += n > 2 and bool(np.isnan(fewer))
        assert result.attained_power == pytest.approx(
            plain.anova_power_nagata(n, 3, effect, 0.05, -1), abs=1e-12
        )
    assert answer > 0
