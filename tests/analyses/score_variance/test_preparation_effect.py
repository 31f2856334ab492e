"""Variance and required topics before and after a preparation."""

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.reference_data import reference_matrix
from tests.words import numbers_in
from topicset_core.analyses.score_variance.preparation_effect import preparation_effect
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import one_way_anova
from topicset_core.preparation import Steps, prepare
from topicset_core.variance import one_way


def _required(variance: float) -> int:
    requirements = one_way_anova.Requirements(
        alpha=0.05, beta=0.20, min_d=0.10, within_system_variance=variance, n_systems=10
    )
    return one_way_anova.required_topics(requirements).required_topics


@pytest.mark.reference_data
def test_worst_quarter_of_trec8_against_the_design_alone(golden: SnapshotAssertion) -> None:
    raw = reference_matrix("trec8_adhoc_ap")
    prepared = prepare(raw, Steps(worst_fraction=0.25)).matrix
    effect = preparation_effect(raw, prepared, changes_scale=False)
    assert (effect.systems_before, effect.systems_after) == (129, 96)
    assert (effect.topics_before, effect.topics_after) == (50, 50)
    assert (effect.variance_before, effect.variance_after) == (one_way(raw), one_way(prepared))
    assert effect.required_before == _required(one_way(raw))
    assert effect.required_after == _required(one_way(prepared))
    assert numbers_in(effect.sentence) == [
        float(f"{one_way(raw):.4g}"),
        float(f"{one_way(prepared):.4g}"),
        effect.required_before,
        effect.required_after,
        *(0.05, 0.2, 0.1, 10),
    ]
    assert effect.sentence == golden


@pytest.mark.reference_data
def test_another_scale_has_a_variance_but_no_number_of_topics(golden: SnapshotAssertion) -> None:
    raw = reference_matrix("trec8_adhoc_ap")
    prepared = prepare(raw, Steps(standardise="std-AB")).matrix
    effect = preparation_effect(raw, prepared, changes_scale=True)
    assert effect.variance_after == one_way(prepared)
    assert effect.required_before == _required(one_way(raw))
    assert effect.required_after is None
    assert effect.sentence == golden


def test_no_variance_gives_no_number(golden: SnapshotAssertion) -> None:
    flat, other = (
        ScoreMatrix(scores=np.array(scores), topics=("1", "2"), systems=("A",), measure="AP", name="x")
        for scores in ([[0.5], [0.5]], [[0.4], [0.5]])
    )
    effect = preparation_effect(flat, other, changes_scale=False)
    assert effect.required_before is None
    assert effect.required_after == _required(0.005)  # (0.1)^2 / 2
    assert effect.sentence == golden
