"""Several steps at once: their order, their record, and refusals."""

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.reference_data import reference_matrix
from tests.words import numbers_in
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.preparation import Steps, drop_runs, log_transform, prepare, standardise

MATRIX = ScoreMatrix(
    scores=np.array([[0.0, 0.2, 0.5], [0.0, 0.4, 0.3], [0.1, 0.3, 0.0]]),
    topics=("1", "2", "3"),
    systems=("A", "B", "C"),
    measure="AP",
    name="x",
)


def test_no_steps_change_nothing() -> None:
    prepared = prepare(MATRIX, Steps())
    assert Steps().does_nothing
    assert prepared.matrix is MATRIX
    assert prepared.notes == ()
    assert Steps().settings() == {}


def test_zeros_are_counted_on_raw_scores_although_logarithms_have_none() -> None:
    assert prepare(MATRIX, Steps(max_zero_topics=1, log_floor=1e-5)).matrix.systems == ("B", "C")


def test_topics_or_runs_alone_are_taken() -> None:
    assert prepare(MATRIX, Steps(topics=("3", "1"))).matrix.topics == ("1", "3")
    assert prepare(MATRIX, Steps(systems=("B",))).matrix.systems == ("B",)


@pytest.mark.reference_data
def test_order_is_drop_then_log_then_standardise_against_each_alone() -> None:
    raw = reference_matrix("trec8_adhoc_ap")
    dropped, first = drop_runs(raw, max_zero_topics=10, worst_fraction=0.25)
    assert 0 < len(first.with_too_many_zeros) < len(first.worst)
    reference = dropped.systems[::2]
    logged, second = log_transform(dropped, 1e-4)
    last, third = standardise(logged, "std-AB", reference)
    steps = Steps(
        max_zero_topics=10, worst_fraction=0.25, log_floor=1e-4, standardise="std-AB", reference=reference
    )
    prepared = prepare(raw, steps)
    assert prepared.matrix == last
    assert dict(prepared.records) == {"drop_runs": first, "log_transform": second, "standardise": third}
    assert prepared.notes == (*first.notes, *second.notes, *third.notes)
    assert prepared.matrix.measure == f"std-AB {logged.measure}"


def test_only_changes_of_unit_change_the_scale() -> None:
    assert not Steps(max_zero_topics=0, worst_count=1).changes_scale
    assert Steps(log_floor=1e-5).changes_scale
    assert Steps(standardise="z").changes_scale


def test_reference_runs_that_cannot_be_used_are_refused(golden: SnapshotAssertion) -> None:
    with pytest.raises(InputError) as caught:  # A was dropped before
        prepare(MATRIX, Steps(max_zero_topics=1, standardise="z", reference=("A", "B")))
    assert (caught.value.parameter, caught.value.value) == ("reference", "A")
    assert str(caught.value) == golden
    with pytest.raises(InputError) as caught:  # nothing is standardised
        Steps(reference=("A", "B"))
    assert caught.value.parameter == "reference"
    assert str(caught.value) == golden


def test_a_few_words_for_each_step(golden: SnapshotAssertion) -> None:
    steps = Steps(
        max_zero_topics=3, worst_fraction=0.25, log_floor=1e-5, standardise="z", reference=("A", "B")
    )
    assert numbers_in(steps.summary) == [3, 25, 1e-5, 2]  # zero topics, per cent, floor, runs
    assert steps.summary == golden
    assert Steps(worst_count=4, standardise="std-AB").summary == golden
    assert Steps().summary == ""
