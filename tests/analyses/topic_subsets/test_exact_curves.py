"""Curves by the exact method say what is proved, what is not, and where there is no proof."""

import pytest

from tests.analyses.topic_subsets.plain import random_matrix
from topicset_core.analyses.topic_subsets.curve import CurvePoint
from topicset_core.analyses.topic_subsets.explore import subset_curve
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError


def exact(matrix: ScoreMatrix, **changed: object) -> tuple[CurvePoint, ...]:
    request = Request(
        goodness="pearson", cardinalities=(5, 12, 20), method="exact", n_trials=50, effort=0.1, **changed
    )  # type: ignore[arg-type]
    return subset_curve(matrix, request).points


def test_a_curve_says_what_is_proved_and_what_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = random_matrix(24, 12, seed=63)
    enumerated = exact(matrix)
    assert {point.best.status for point in enumerated if point.best} == {"exhaustive"}
    monkeypatch.setattr("topicset_core.analyses.topic_subsets.enumeration._QUICK_SECONDS", 0.0)
    proved, open_ = exact(matrix), exact(matrix, nodes=3)
    for sure, one, other in zip(enumerated, proved, open_, strict=True):
        for side in ("best", "worst"):
            true, found, doubted = (getattr(point, side) for point in (sure, one, other))
            assert (found.topics, found.status, found.bound) == (true.topics, "proved", None)
            assert doubted.status == "gap"
            beyond = doubted.bound - true.value
            assert beyond > 0 if side == "best" else beyond < 0
        assert [one.status for one in one.ten_best] == ["proved"] + ["heuristic"] * 9
        assert one.ten_worst[1].bound is None


def test_pairs_of_runs_have_no_proof_but_enumeration() -> None:
    small = random_matrix(12, 6, seed=64)
    curve = subset_curve(small, Request(goodness="kendall", cardinalities=(6,), method="exact"))
    assert curve.points[0].best is not None
    assert curve.points[0].best.status == "exhaustive"
    large = random_matrix(60, 6, seed=65)
    with pytest.raises(InputError, match=r"has a proof for Pearson's correlation only.*ask for auto"):
        subset_curve(large, Request(goodness="error-rate", cardinalities=(30,), method="exact"))
    wide = random_matrix(150, 6, seed=66)
    with pytest.raises(InputError, match=r"is for up to 128 topics, not 150; ask for auto"):
        subset_curve(wide, Request(goodness="pearson", cardinalities=(30,), method="exact"))
