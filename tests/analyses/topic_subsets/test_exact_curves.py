"""Curves by the exact method report proved and unproved sizes, and where there is no proof."""

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_subsets.plain import random_matrix
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets.curve import CurvePoint, subset_curve
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError


def exact(matrix: ScoreMatrix, **changed: Any) -> tuple[CurvePoint, ...]:
    request = Request(
        goodness="pearson", cardinalities=(5, 12, 20), method="exact", n_trials=50, effort=0.1, **changed
    )
    return subset_curve(matrix, request).points


@pytest.mark.slow
def test_a_curve_lists_proved_and_unproved_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = random_matrix(24, 12, seed=63)
    enumerated = exact(matrix)
    assert {point.best.status for point in enumerated if point.best} == {"exhaustive"}
    monkeypatch.setattr("topicset_core.analyses.topic_subsets.enumeration._QUICK_SECONDS", 0.0)
    proved, open_ = exact(matrix), exact(matrix, nodes=3)
    for sure, one, other in zip(enumerated, proved, open_, strict=True):
        for side in ("best", "worst"):
            true, result, doubted = (getattr(point, side) for point in (sure, one, other))
            assert (result.topics, result.status, result.bound) == (true.topics, "proved", None)
            assert doubted.status == "gap"
            beyond = doubted.bound - true.value
            assert beyond > 0 if side == "best" else beyond < 0
        assert [one.status for one in one.ten_best] == ["proved"] + ["heuristic"] * 9
        assert one.ten_worst[1].bound is None


def test_pairs_of_runs_have_no_proof_but_enumeration(golden: SnapshotAssertion) -> None:
    small = random_matrix(12, 6, seed=64)
    curve = subset_curve(small, Request(goodness="kendall", cardinalities=(6,), method="exact"))
    assert curve.points[0].best is not None
    assert curve.points[0].best.status == "exhaustive"
    large = random_matrix(60, 6, seed=65)
    with pytest.raises(InputError) as caught:
        subset_curve(large, Request(goodness="error-rate", cardinalities=(30,), method="exact"))
    assert caught.value.parameter == "method"
    assert str(caught.value) == golden
    wide = random_matrix(150, 6, seed=66)
    with pytest.raises(InputError) as caught:
        subset_curve(wide, Request(goodness="pearson", cardinalities=(30,), method="exact"))
    assert caught.value.parameter == "method"
    assert numbers_in(caught.value.rule) == [128, 150]
    assert str(caught.value) == golden
