"""The curve as a whole: methods, partial results, workers, degenerate matrices, refusals."""

import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_subsets.plain import constant_rows, matrix_of, plain_enumeration, random_matrix
from topicset_core.analyses.topic_subsets.curve import CurvePoint, SubsetCurve, subset_curve
from topicset_core.analyses.topic_subsets.goodness import Goodness
from topicset_core.analyses.topic_subsets.request import (
    PREVIEW_SECONDS,
    Method,
    Request,
    preview_cardinalities,
    sizes_of,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.progress import Cancelled

GOODNESS: tuple[Goodness, ...] = ("pearson", "kendall", "error-rate")
ALL_12 = tuple(range(1, 13))


@pytest.mark.parametrize("goodness", GOODNESS)
def test_every_value_of_a_point_against_scipy(goodness: Goodness) -> None:
    matrix = constant_rows(random_matrix(9, 6, seed=21, decimals=1), 3)
    curve = subset_curve(matrix, Request(goodness=goodness, cardinalities=tuple(range(1, 10))))
    for point in curve.points:
        plain, undefined = plain_enumeration(matrix.scores, point.cardinality, goodness)
        values = [value for value, _ in plain]
        assert point.mean == pytest.approx(np.mean(values), abs=1e-13)
        assert point.mean_standard_error == 0
        assert (point.n_averaged, point.n_undefined) == (len(plain), undefined)
        for level, value in point.percentiles.items():
            assert value == pytest.approx(np.percentile(values, level), abs=1e-13)
        assert [one.value for one in point.ten_best] == pytest.approx(values[:10], abs=1e-13)
        assert [one.value for one in point.ten_worst] == pytest.approx(values[::-1][:10], abs=1e-13)
        assert {one.status for one in point.ten_best} == {"exhaustive"}


@pytest.mark.parametrize("goodness", GOODNESS)
@pytest.mark.parametrize("method", ["auto", "local", "guiver"])
def test_workers_and_grouping_change_nothing(goodness: Goodness, method: Method) -> None:
    matrix = random_matrix(22, 8, seed=22)
    request = Request(
        goodness=goodness, cardinalities=(1, 2, 10, 11, 18, 22), method=method, n_trials=300, effort=0.2
    )
    alone = subset_curve(matrix, request)
    with ThreadPoolExecutor(3) as executor:
        assert subset_curve(matrix, request, executor=executor) == alone
    assert [point.cardinality for point in alone.points] == [1, 2, 10, 11, 18, 22]


@pytest.mark.parametrize("goodness", GOODNESS)
def test_work_can_be_sent_to_other_processes(goodness: Goodness) -> None:
    matrix = random_matrix(16, 7, seed=30)
    request = Request(goodness=goodness, cardinalities=(3, 8), method="exhaustive", n_trials=100)

    class Elsewhere(ThreadPoolExecutor):
        def submit(self, work, task):  # type: ignore[override]
            function, sent = pickle.loads(pickle.dumps((work, task)))
            return super().submit(lambda: pickle.loads(pickle.dumps(function(sent))))

    with Elsewhere(1) as executor:
        for method in ("exhaustive", "local", "guiver"):
            requested = replace(request, method=method)
            assert subset_curve(matrix, requested, executor=executor) == subset_curve(matrix, requested)


@pytest.mark.parametrize("goodness", GOODNESS)
def test_a_sampled_mean_is_within_its_error_of_the_exact_one(goodness: Goodness) -> None:
    matrix = random_matrix(14, 8, seed=23)
    exact = subset_curve(
        matrix, Request(goodness=goodness, cardinalities=(6,), method="exhaustive", n_trials=500)
    )
    sampled = subset_curve(
        matrix, Request(goodness=goodness, cardinalities=(6,), method="guiver", n_trials=500)
    )
    (a,), (b,) = exact.points, sampled.points
    assert a.n_averaged == math.comb(14, 6)
    assert a.mean_standard_error == 0
    assert b.n_averaged == 500
    assert b.mean_standard_error > 0
    assert a.mean is not None
    assert b.mean == pytest.approx(a.mean, abs=4 * b.mean_standard_error)  # 1 in 16,000 by chance
    assert a.percentiles == b.percentiles  # of the same random subsets


@pytest.mark.slow
def test_partial_curves_grow_to_the_whole() -> None:
    matrix = random_matrix(20, 6, seed=24)
    shown: list[SubsetCurve] = []
    fractions: list[float] = []
    whole = subset_curve(
        matrix,
        Request(
            goodness="kendall",
            cardinalities=tuple(range(1, 21)),
            method="local",
            n_trials=200,
            effort=0.2,
        ),
        report_progress=fractions.append,
        show_partial=shown.append,
    )
    assert [len(curve.points) for curve in shown] == list(range(1, 21))
    assert shown[-1] == whole
    assert [curve.is_complete for curve in shown] == [False] * 19 + [True]
    assert all(point == whole.at(point.cardinality) for point in shown[5].points)
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0


@pytest.mark.parametrize("method", ["exhaustive", "local", "guiver"])
def test_work_is_cancelled_from_its_report(method: Method) -> None:
    def stop(fraction: float) -> None:
        if fraction > 0.3:
            raise Cancelled

    request = Request(goodness="pearson", cardinalities=tuple(range(1, 16)), method=method, n_trials=100)
    with ThreadPoolExecutor(2) as executor, pytest.raises(Cancelled):
        subset_curve(random_matrix(16, 6, seed=25), request, report_progress=stop, executor=executor)


def test_two_runs_agree_or_do_not() -> None:
    matrix = matrix_of([[0.5, 0.4], [0.3, 0.3], [0.2, 0.6], [0.9, 0.1]])
    points = subset_curve(matrix, Request(goodness="pearson", cardinalities=(1, 2))).points
    # Alone: topics 0 and 3 agree, 2 does not, 1 ties. Pairs: only {0, 2}, {1, 2} have run 1 ahead.
    assert (points[0].mean, points[0].n_averaged, points[0].n_undefined) == (pytest.approx(1 / 3), 3, 1)
    assert points[1].mean == pytest.approx((4 - 2) / 6)
    assert points[0].worst is not None
    assert points[0].worst.topics == ("t2",)


def test_crossings_read_across() -> None:
    curve = subset_curve(random_matrix(12, 8, seed=27), Request(goodness="pearson", cardinalities=ALL_12))
    target = 0.9
    crossings = curve.crossings(target)
    assert crossings.best is not None
    assert crossings.mean is not None
    assert crossings.worst is not None
    assert crossings.best <= crossings.mean <= crossings.worst
    for point in curve.points:
        assert point.best is not None
        assert point.worst is not None
        assert point.mean is not None
        assert (point.best.value >= target) == (point.cardinality >= crossings.best)
        assert (point.worst.value >= target) == (point.cardinality >= crossings.worst)
    assert curve.crossings(1.5).by_side == {"best": None, "mean": None, "worst": None}
    assert curve.fewest(None) is None


def test_cardinalities_in_words() -> None:
    assert sizes_of("1-4, 8,6-7") == (1, 2, 3, 4, 6, 7, 8)
    for text in ("", "a", "3-", "5-2", "0", "1-2-3", "-4"):
        with pytest.raises(InputError, match="cardinalities"):
            sizes_of(text)


@pytest.mark.parametrize(
    ("changed", "parameter", "value"),
    [
        pytest.param({"cardinalities": (13,)}, "cardinalities", 13, id="size 13"),
        pytest.param({"cardinalities": (0,)}, "cardinalities", 0, id="size 0"),
        pytest.param({"cardinalities": ()}, "cardinalities", (), id="no size"),
        pytest.param({"method": "sure"}, "method", "sure", id="method"),
        pytest.param({"n_trials": 1}, "n_trials", 1, id="trials"),
        pytest.param({"seed": -1}, "seed", -1, id="seed -1"),
        pytest.param({"seed": 1.5}, "seed", 1.5, id="seed 1.5"),
        pytest.param({"goodness": "spearman"}, "goodness", "spearman", id="goodness"),
    ],
)
def test_invalid_requests_are_refused(
    changed: dict, parameter: str, value: object, golden: SnapshotAssertion
) -> None:
    requested = {"goodness": "pearson", "cardinalities": (3,)} | changed
    with pytest.raises(InputError) as caught:
        subset_curve(random_matrix(12, 6, seed=28), Request(**requested))
    assert (caught.value.parameter, caught.value.value) == (parameter, value)
    assert str(caught.value) == golden


@pytest.mark.parametrize(
    ("shape", "goodness", "cardinality", "method"),
    [
        pytest.param((120, 30), "pearson", 30, "exhaustive", id="enumeration"),
        pytest.param((400, 6), "kendall", 400, "guiver", id="heuristic"),
        pytest.param((60, 6), "error-rate", 30, "exact", id="no proof for pairs of runs"),
        pytest.param((150, 6), "pearson", 30, "exact", id="more than 128 topics"),
    ],
)
def test_methods_that_take_too_long_or_cannot_prove_are_refused_at_once(
    shape: tuple[int, int], goodness: Goodness, cardinality: int, method: Method, golden: SnapshotAssertion
) -> None:
    request = Request(goodness=goodness, cardinalities=(cardinality,), method=method)
    with pytest.raises(InputError) as caught:
        subset_curve(random_matrix(*shape, seed=29), request)
    assert (caught.value.parameter, caught.value.value) == ("method", method)
    assert str(caught.value) == golden


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


def sizes(n_topics: int, seconds_of_each: float, cardinality: int = 12) -> tuple[int, ...] | None:
    return preview_cardinalities(lambda _: seconds_of_each, n_topics, cardinality)


def test_a_preview_covers_all_sizes_if_they_are_quick() -> None:
    assert sizes(50, PREVIEW_SECONDS / 50.1) == tuple(range(1, 51))
    many = sizes(249, 0.0)
    assert many is not None
    assert (many[:10], many[-5:]) == (tuple(range(1, 11)), tuple(range(245, 250)))


@pytest.mark.parametrize("seconds", [PREVIEW_SECONDS / 40, PREVIEW_SECONDS / 10])
def test_fewer_sizes_are_spread_over_the_whole_range(seconds: float) -> None:
    result = sizes(50, seconds, cardinality=13)
    assert result is not None
    assert len(result) < 50
    assert result[0] == 1
    assert result[-5:] == (46, 47, 48, 49, 50)
    assert 13 in result
    assert list(result) == sorted(set(result))
    assert all(later <= max(sooner + 1, 1.5 * sooner) for sooner, later in pairwise(result))


def test_a_coarse_preview_may_take_longer_up_to_a_limit() -> None:
    coarse = sizes(50, PREVIEW_SECONDS / 10)
    fine = sizes(50, PREVIEW_SECONDS / 40)
    assert coarse is not None
    assert fine is not None
    assert len(coarse) < len(fine)
    assert PREVIEW_SECONDS < len(coarse) * PREVIEW_SECONDS / 10 <= 4 * PREVIEW_SECONDS
    assert sizes(50, PREVIEW_SECONDS) is None
