"""Steps of a preparation, each alone and several at once: their order, their record, and refusals."""

import math

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.reference_data import reference_file, reference_matrix
from tests.refusals import refused
from tests.variance.matrices import of
from tests.words import numbers_in
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parsing import Choices, read_scores
from topicset_core.preparation import Steps, prepare
from topicset_core.preparation.runs import drop_runs
from topicset_core.preparation.scales import log_transform, standardise


def matrix_of(scores: list[list[float]]) -> ScoreMatrix:
    return of(scores, systems="ABCDEFGH"[: len(scores[0])])


@pytest.mark.reference_data
def test_worst_quarter_of_trec8_against_the_96_runs_of_guiver_et_al() -> None:
    # docs/reference_data.md: run UT803 is in the published subset although a run outside it
    # scores higher; so the two sets differ by that one exchange.
    prepared, record = drop_runs(reference_matrix("trec8_adhoc_ap"), worst_fraction=0.25)
    published = reference_matrix("trec8_adhoc_top96_ap")
    assert (record.n_before, record.n_after, len(record.worst)) == (129, 96, 33)
    assert set(published.systems) - set(prepared.systems) == {"UT803"}


@pytest.mark.reference_data
def test_worst_quarter_of_trec3_against_gt4ireval() -> None:
    # README of gt4ireval: 30 systems; their mean square between systems is 0.15074.
    prepared, _ = drop_runs(reference_matrix("trec3_adhoc_ap"), worst_fraction=0.25)
    assert prepared.n_systems == 30
    means = prepared.scores.mean(axis=0)
    assert prepared.n_topics * means.var(ddof=1) == pytest.approx(0.15074, abs=5e-6)


def test_zero_topics_are_counted_before_the_worst(golden: SnapshotAssertion) -> None:
    # C has 3 zeros and the highest mean; of A, B, D then the worst is A.
    matrix = matrix_of([[0.1, 0.2, 0, 0], [0.1, 0, 0, 0.5], [0.1, 0, 0, 0.5], [0.1, 0.9, 4, 0.5]])
    prepared, record = drop_runs(matrix, max_zero_topics=2, worst_count=1)
    assert record.with_too_many_zeros == ("C",)
    assert record.worst == ("A",)
    assert prepared.systems == ("B", "D")
    assert (record.n_before, record.n_after) == (4, 2)
    assert "\n".join(record.notes) == golden


def test_ties_at_the_cut_keep_the_earlier_run_and_are_reported(golden: SnapshotAssertion) -> None:
    matrix = matrix_of([[0.5, 0.1, 0.1, 0.1], [0.5, 0.3, 0.3, 0.3]])
    prepared, record = drop_runs(matrix, worst_count=2)
    assert record.worst == ("D", "C")
    assert record.tied == ("B",)
    assert prepared.systems == ("A", "B")
    assert "\n".join(record.notes) == golden


@pytest.mark.parametrize(
    ("n_runs", "fraction", "kept"), [(8, 0.25, 6), (5, 0.25, 3), (7, 0.0, 7), (3, 0.1, 2)]
)
def test_the_number_kept_is_rounded_down(n_runs: int, fraction: float, kept: int) -> None:
    matrix = matrix_of([[0.1 * run for run in range(n_runs)], [0.2] * n_runs])
    assert drop_runs(matrix, worst_fraction=fraction)[0].n_systems == kept


@pytest.mark.parametrize(
    ("settings", "parameter"),
    [
        ({"max_zero_topics": -1}, "max_zero_topics"),
        ({"max_zero_topics": 0}, "max_zero_topics"),  # no run is left
        ({"worst_fraction": 1.0}, "worst_fraction"),
        ({"worst_fraction": -0.1}, "worst_fraction"),
        ({"worst_fraction": float("nan")}, "worst_fraction"),
        ({"worst_fraction": 0.6}, "worst_fraction"),  # of 2 runs none is left
        ({"worst_count": -1}, "worst_count"),
        ({"worst_count": 2}, "worst_count"),
        ({"worst_count": 1, "worst_fraction": 0.5}, "worst_count"),
    ],
)
def test_invalid_drops_are_refused(settings: dict[str, float], parameter: str) -> None:
    assert refused(drop_runs, matrix_of([[0.0, 0.0], [0.5, 0.2]]), **settings).parameter == parameter


@pytest.mark.reference_data
def test_geometric_mean_against_trec_eval() -> None:
    # gm_map of the summary of the same output, to its 4 digits; AP itself is rounded to 4 digits,
    # which moves the geometric mean of values such as 0.0324 by less than 0.0001.
    file = "expected_all_trec_per_topic.txt"
    content = reference_file("trec", "trec_eval_test", file).read_bytes()
    (matrix,) = read_scores(content, file, choices=Choices(measure="map")).matrices
    prepared, record = log_transform(matrix)
    assert record.geometric_means[0] == pytest.approx(0.1051, abs=1e-4)
    assert prepared.measure == "log AP"
    assert prepared.topics == ("301", "302", "303")


def test_scores_below_the_floor_count_as_the_floor(golden: SnapshotAssertion) -> None:
    prepared, record = log_transform(matrix_of([[0.0, 1.0], [1e-6, 1e-5]]))
    assert prepared.scores.tolist() == [[math.log(1e-5), 0.0], [math.log(1e-5), math.log(1e-5)]]
    assert (record.n_floored, record.n_scores, record.floor) == (2, 4, 1e-5)
    assert record.geometric_means == pytest.approx((1e-5, math.sqrt(1e-5)))
    assert numbers_in(record.notes[0]) == [2, 4, 1e-5]
    assert record.notes[0] == golden


@pytest.mark.parametrize(
    ("scores", "floor", "parameter", "value"),
    [
        ([[0.5], [0.2]], 0.0, "log_floor", 0.0),
        ([[0.5], [0.2]], math.nan, "log_floor", math.nan),
        ([[0.5], [-0.5]], 1e-5, "scores", -0.5),
    ],
)
def test_what_has_no_logarithm_is_refused(
    scores: list[list[float]], floor: float, parameter: str, value: float, golden: SnapshotAssertion
) -> None:
    error = refused(log_transform, matrix_of(scores), floor)
    assert (error.parameter, str(error.value)) == (parameter, str(value))
    assert str(error) == golden


def test_z_by_hand() -> None:
    # Topic 0: mean 0.2, sd 0.1. Topic 1: mean 0.5, sd 0.5.
    matrix = matrix_of([[0.1, 0.2, 0.3], [0.0, 0.5, 1.0]])
    prepared, record = standardise(matrix)
    assert prepared.scores == pytest.approx(np.array([[-1, 0, 1], [-1, 0, 1]]))
    assert prepared.measure == "z AP"
    assert record.reference == matrix.systems
    assert (record.n_clipped, record.n_beyond_3, record.left_out_topics) == (0, 0, ())


def test_std_ab_by_hand_with_the_ends_of_the_scale(golden: SnapshotAssertion) -> None:
    # A and B are the reference: sd sqrt(0.02)/... = 0.1 * sqrt(2), mean 0.2; C lies 5 sd above, D 4 below.
    sd = 0.1 * np.sqrt(2)
    matrix = matrix_of([[0.1, 0.3, 0.2 + 5 * sd, 0.2 - 4 * sd], [0.1, 0.3, 0.2 + 3.2 * sd, 0.2]])
    prepared, record = standardise(matrix, "std-AB", ["A", "B"])
    half = 0.15 / np.sqrt(2)
    expected = np.array([[0.5 - half, 0.5 + half, 1.0, 0.0], [0.5 - half, 0.5 + half, 0.98, 0.5]])
    assert prepared.scores == pytest.approx(expected)
    assert (record.n_clipped, record.n_beyond_3) == (2, 3)
    assert "\n".join(record.notes) == golden


def test_topics_without_variance_are_dropped_and_reported(golden: SnapshotAssertion) -> None:
    # 0.1 three times has a standard deviation of 1.7e-17 in floating point: detected by comparison instead.
    matrix = matrix_of([[0.1, 0.1, 0.1], [0.0, 0.5, 1.0], [0.3, 0.2, 0.1]])
    prepared, record = standardise(matrix)
    assert prepared.topics == ("t1", "t2")
    assert record.left_out_topics == ("t0",)
    assert (record.n_topics_before, record.n_topics_after) == (3, 2)
    assert "\n".join(record.notes) == golden


@pytest.mark.parametrize(
    ("method", "reference", "parameter"),
    [
        ("cdf", None, "method"),
        ("z", ["A"], "reference"),
        ("z", ["A", "A"], "reference"),
        ("z", ["A", "Z"], "reference"),
        ("z", ["A", "B"], "reference"),  # equal on every topic
    ],
)
def test_invalid_standardisations_are_refused(
    method: str, reference: list[str] | None, parameter: str
) -> None:
    matrix = matrix_of([[0.1, 0.1, 0.3], [0.2, 0.2, 0.5]])
    assert refused(standardise, matrix, method, reference).parameter == parameter


MATRIX = of([[0.0, 0.2, 0.5], [0.0, 0.4, 0.3], [0.1, 0.3, 0.0]], topics="123", systems="ABC")


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
