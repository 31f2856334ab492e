"""Partial results: those of the first splits, exactly as a run with this number of splits."""

from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.analyses.topic_subsets.plain import random_matrix
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, held_out_curve
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest, HoldOut
from topicset_core.analyses.topic_subsets.held_out.splits import FEWEST_SHOWN, splits_shown

MATRIX = random_matrix(9, 8, seed=23)


def requested(hold_out: HoldOut, **more: object) -> HeldOutRequest:
    few = {"goodness": "pearson", "n_splits": 12, "n_starts": 1, "n_trials": 8, "seed": 5}
    if hold_out == "runs":
        few["units"] = tuple(range(8))
    return HeldOutRequest(hold_out=hold_out, **(few | more))  # type: ignore[arg-type]


def test_partial_results_come_often_at_first_and_until_the_end() -> None:
    assert splits_shown(FEWEST_SHOWN) == ()
    assert splits_shown(12) == (5, 6, 7, 8, 9, 10, 11)
    result = splits_shown(100)
    assert result[:8] == (5, 6, 7, 8, 10, 12, 15, 18)
    many = splits_shown(10_000)
    for splits in (result, many):
        assert list(splits) == sorted(set(splits))
    steps = [later - sooner for sooner, later in pairwise(many)]
    assert max(steps) == 500  # a twentieth
    assert all(step <= max(1, done // 4) for step, done in zip(steps, many, strict=False))
    assert 10_000 - many[-1] <= 500


@pytest.mark.parametrize("workers", [None, 2])
@pytest.mark.parametrize("hold_out", ["runs", "topics"])
def test_a_partial_curve_equals_a_run_with_as_many_splits(hold_out: HoldOut, workers: int | None) -> None:
    seen: list[HeldOutCurve] = []
    request = requested(hold_out)
    with ThreadPoolExecutor(workers) as threads:
        executor: Executor | None = None if workers is None else threads
        whole = held_out_curve(MATRIX, request, executor=executor, show_partial=seen.append)
    assert [curve.request.n_splits for curve in seen] == list(splits_shown(12))
    for curve in (seen[0], seen[-1]):
        assert curve == held_out_curve(MATRIX, replace(request, n_splits=curve.request.n_splits))
    assert whole == held_out_curve(MATRIX, request)
    assert whole.request == request
