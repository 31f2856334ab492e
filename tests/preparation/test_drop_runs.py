"""Dropping of runs against the literature's TREC-8 and TREC-3 subsets, and how ties are decided."""

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.reference_data import reference_matrix
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.preparation import drop_runs


def matrix_of(scores: list[list[float]]) -> ScoreMatrix:
    values = np.array(scores)
    return ScoreMatrix(
        scores=values,
        topics=tuple(f"t{index}" for index in range(values.shape[0])),
        systems=tuple("ABCDEFGH"[: values.shape[1]]),
        measure="AP",
        name="x",
    )


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
    with pytest.raises(InputError) as caught:
        drop_runs(matrix_of([[0.0, 0.0], [0.5, 0.2]]), **settings)  # type: ignore[arg-type]
    assert caught.value.parameter == parameter
