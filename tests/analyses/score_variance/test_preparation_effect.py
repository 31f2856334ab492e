"""Variance and required topics before and after a preparation."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.variance.matrices import of
from topicset_core.analyses.score_variance.uncertainty import preparation_effect
from topicset_core.designs import one_way_anova
from topicset_core.preparation import Steps, prepare
from topicset_core.samples import simulated_task
from topicset_core.variance import one_way


def _required(variance: float) -> int:
    requirements = one_way_anova.Requirements(
        alpha=0.05, beta=0.20, min_d=0.10, within_system_variance=variance, n_systems=10
    )
    return one_way_anova.required_topics(requirements).required_topics


@pytest.mark.parametrize("changes_scale", [False, True])
def test_variances_and_topics_against_the_design_alone(
    changes_scale: bool, golden: SnapshotAssertion
) -> None:
    raw = simulated_task()[0]
    prepared = prepare(raw, Steps(worst_fraction=0.25)).matrix
    effect = preparation_effect(raw, prepared, changes_scale=changes_scale)
    assert (effect.systems_before, effect.systems_after) == (20, 15)
    assert (effect.topics_before, effect.topics_after) == (50, 50)
    assert (effect.variance_before, effect.variance_after) == (one_way(raw), one_way(prepared))
    assert effect.required_before == _required(one_way(raw))
    # On another scale numbers of topics do not compare.
    assert effect.required_after == (None if changes_scale else _required(one_way(prepared)))
    assert effect.sentence == golden


def test_no_variance_gives_no_number(golden: SnapshotAssertion) -> None:
    effect = preparation_effect(of([[0.5], [0.5]]), of([[0.4], [0.5]]), changes_scale=False)
    assert effect.required_before is None
    assert effect.required_after == _required(0.005)  # (0.1)^2 / 2
    assert effect.sentence == golden
