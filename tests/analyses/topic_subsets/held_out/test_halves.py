"""One split and the whole experiment against plain Python that evaluates all subsets.

Goodness agrees with scipy to rounding, 1e-11 here as correlations of a few runs may be of small differences.
"""

from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from tests.analyses.topic_subsets.held_out.plain_halves import (
    plain_against,
    plain_average,
    plain_extremes,
    plain_reversed,
)
from tests.analyses.topic_subsets.plain import matrix_of, random_matrix
from topicset_core.analyses.topic_subsets.goodness import Goodness
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, held_out_curve
from topicset_core.analyses.topic_subsets.held_out.splits import (
    FEWEST_SHOWN,
    SEARCHING,
    WALKING,
    WALKING_OWN,
    BothScores,
    evaluate_halves,
    evaluation_against,
    materials_of,
    split_number,
    split_tables,
    splits_shown,
    spread_of,
    stream,
)
from topicset_core.analyses.topic_subsets.request import HeldOutRequest, HoldOut
from topicset_core.collection import ScoreMatrix
from topicset_core.progress import Cancelled, silently

GOODNESS: tuple[Goodness, ...] = ("pearson", "kendall", "error-rate")
CLOSE = 1e-11


def other_metric(matrix: ScoreMatrix) -> ScoreMatrix:
    """Scores of the same runs and topics that go along with the first, but not all the way."""
    return matrix_of(
        (0.5 * matrix.scores + 0.5 * random_matrix(matrix.n_topics, matrix.n_systems, seed=99).scores).round(
            2
        )
    )


@pytest.mark.parametrize("hold_out", ["runs", "topics"])
@pytest.mark.parametrize("goodness", GOODNESS)
@pytest.mark.parametrize(("choose_by", "two"), [(None, False), ("kendall", False), ("pearson", True)])
def test_a_split_equals_plain_enumeration(
    hold_out: HoldOut, goodness: Goodness, choose_by: Goodness | None, two: bool
) -> None:
    matrix = random_matrix(8, 9, seed=4)
    second = other_metric(matrix) if two else None
    request = HeldOutRequest(
        hold_out=hold_out, goodness=goodness, choose_by=choose_by, n_splits=3, n_trials=12, seed=8
    )
    materials = materials_of(BothScores(matrix, second), request)
    sizes = request.sizes(matrix.n_topics)
    assert sizes == tuple(range(1, 9 if hold_out == "runs" else 5))
    for number in range(3):
        split = split_number(materials, number)
        here, there = split.chosen_on, split.evaluated_on
        scores, other = matrix.scores, matrix.scores if second is None else second.scores
        if hold_out == "runs":
            choosing, evaluating, own = scores[:, here], other[:, there], other[:, there]
        else:
            choosing, evaluating, own = scores[here], other[here], other[there]
        reference = own.sum(axis=0)
        walks = [
            stream(8, hold_out, number, purpose).permuted(np.tile(np.arange(n), (12, 1)), axis=1)
            for purpose, n in ((WALKING, len(choosing)), (WALKING_OWN, len(own)))
        ]
        table = evaluate_halves(materials, (number, sizes))
        for row, size in zip(table, sizes, strict=True):
            for place, sign in ((0, 1), (2, -1)):
                ends = plain_extremes(choosing, choosing.sum(axis=0), size, request.chosen_by, sign)
                allowed = [
                    plain_against(evaluating[list(end)].sum(axis=0), reference, goodness) for end in ends
                ]
                assert min(abs(row[place] - value) for value in allowed if value is not None) < CLOSE
                (one, *_) = plain_extremes(own, reference, size, goodness, sign)
                best = plain_against(own[list(one)].sum(axis=0), reference, goodness)
                assert row[3 + place] == pytest.approx(best, abs=CLOSE)
                if sign > 0:
                    shares = [plain_reversed(evaluating[list(end)].sum(axis=0), reference) for end in ends]
                    assert min(abs(row[7] - share) for share in shares) < CLOSE
            average = plain_average(own, reference, walks[1], size, goodness)
            assert row[4] == pytest.approx(average, abs=CLOSE)
            if hold_out == "topics":
                average = plain_average(evaluating, reference, walks[0], size, goodness)
            assert row[1] == pytest.approx(average, abs=CLOSE)
            assert np.isnan(row[6])


@pytest.mark.parametrize("hold_out", ["runs", "topics"])
@pytest.mark.parametrize("goodness", GOODNESS)
def test_the_curve_is_mean_and_percentiles_over_splits(hold_out: HoldOut, goodness: Goodness) -> None:
    matrix = random_matrix(11, 8, seed=5)
    request = HeldOutRequest(hold_out=hold_out, goodness=goodness, n_splits=7, n_trials=9, n_starts=3)
    curve = held_out_curve(matrix, request)
    materials = materials_of(BothScores(matrix), request)
    sign = -1 if goodness == "error-rate" else 1
    for point in curve.points:
        table = np.stack([evaluate_halves(materials, (n, (point.cardinality,)))[0] for n in range(7)])
        levels = (point.chosen, point.own)
        results = [getattr(one, name) for one in levels for name in ("best", "average", "worst")]
        for column, spread in zip((sign * table).T, results, strict=False):
            assert (spread.mean, spread.n_splits) == (pytest.approx(column.mean(), abs=1e-15), 7)
            assert spread.standard_error == pytest.approx(column.std(ddof=1) / 7**0.5, abs=1e-15)
            assert [spread.low, spread.high] == pytest.approx(np.percentile(column, [5, 95]), abs=1e-15)
        assert point.reversed_pairs is not None
        assert point.reversed_pairs.mean == pytest.approx(table[:, 7].mean(), abs=1e-15)
        gain = table[:, 0] - table[:, 1]
        assert point.gain is not None
        assert point.gain.difference.mean == pytest.approx(gain.mean(), abs=1e-12)
        assert point.gain.share_better == np.mean(gain > 1e-12)
        assert point.gain_over_own is not None
        assert point.gain_over_own.difference.mean == pytest.approx(
            np.mean(table[:, 0] - table[:, 4]), abs=1e-12
        )


def test_all_topics_reach_the_reference_of_held_out_runs_but_not_of_held_out_topics() -> None:
    matrix = random_matrix(9, 8, seed=6)
    runs = held_out_curve(matrix, HeldOutRequest(hold_out="runs", goodness="kendall", n_splits=5))
    last = runs.points[-1]
    assert last.cardinality == 9
    assert last.chosen.best is not None
    assert last.chosen.best.low == 1.0
    assert last.gain is not None
    assert (last.gain.difference.mean, last.gain.share_better) == (0, 0)
    topics = held_out_curve(matrix, HeldOutRequest(hold_out="topics", goodness="kendall", n_splits=5))
    last = topics.points[-1]
    assert (last.cardinality, topics.half_sizes) == (4, (4, 4, 5, 5))
    assert last.chosen.best is not None
    assert last.chosen.average is not None
    assert last.chosen.best == last.chosen.worst  # there is one set of all
    assert last.chosen.average.mean == pytest.approx(last.chosen.best.mean, abs=1e-14)
    assert last.chosen.best.high < 1


def test_other_cardinalities_and_more_splits_change_nothing() -> None:
    matrix = random_matrix(10, 9, seed=7)
    request = HeldOutRequest(hold_out="runs", goodness="pearson", n_splits=4, n_trials=10)
    whole = held_out_curve(matrix, request)
    alone = held_out_curve(
        matrix,
        HeldOutRequest(hold_out="runs", goodness="pearson", n_splits=4, n_trials=10, cardinalities=(6,)),
    )
    assert alone.points == (whole.at(6),)
    materials = materials_of(BothScores(matrix), request)
    more = materials_of(
        BothScores(matrix), HeldOutRequest(hold_out="runs", goodness="pearson", n_splits=9, n_trials=10)
    )
    few = split_tables(materials, (3, 6), silently, None)
    assert np.array_equal(few, split_tables(more, (3, 6), silently, None)[:4], equal_nan=True)
    other = HeldOutRequest(hold_out="runs", goodness="pearson", n_splits=4, n_trials=10, seed=1)
    assert held_out_curve(matrix, other).points != whole.points


def test_subsets_with_all_runs_tied_are_left_out_and_counted() -> None:
    scores = random_matrix(6, 8, seed=8).scores.copy()
    scores[:5] = 0.3  # alone, only the last topic distinguishes runs
    request = HeldOutRequest(hold_out="runs", goodness="pearson", n_splits=4, units=tuple(range(8)))
    curve = held_out_curve(matrix_of(scores), request)
    first = curve.points[0]
    assert first.own.average is not None
    assert first.own.average.mean == pytest.approx(1.0)  # of the random single topics, the ones with a value
    assert first.chosen.worst == first.chosen.best


def test_progress_goes_up_to_one_and_can_stop_the_work() -> None:
    matrix = random_matrix(8, 8, seed=9)
    request = HeldOutRequest(hold_out="topics", goodness="pearson", n_splits=5)
    seen: list[float] = []
    held_out_curve(matrix, request, report_progress=seen.append)
    assert seen == sorted(seen)
    assert len(seen) == 5
    assert seen[-1] == pytest.approx(1.0)

    def stop(fraction: float) -> None:
        if fraction > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        held_out_curve(matrix, request, report_progress=stop)


def test_a_subset_of_constant_topics_has_no_correlation_with_others() -> None:
    rng = np.random.default_rng(6)
    scores = rng.random((4, 5))
    scores[0] = 0.3
    # The reference is 1e6 times as large: the rounding tolerance depends on the topics that subsets are of.
    evaluating = evaluation_against(scores, 1e6 * rng.random((4, 5)), "pearson")
    assert evaluating.value((0,)) is None
    assert evaluating.value((1,)) is not None
    assert (evaluating.walk(np.array([[0, 1, 2, 3]]), np.array([1])) < -8).all()


def test_the_rounding_tolerance_depends_on_the_topics_of_the_subsets() -> None:
    rng = np.random.default_rng(8)
    scores, reference = rng.random((4, 5)), rng.random((2, 5))
    scores[0] *= 1e-3
    reference[1] = (
        1e-5 * reference[1] - reference[0]
    )  # what rounds sums of these is 1e10 times as large, next to their total
    assert evaluation_against(scores, reference, "pearson").value((0,)) is not None


def test_each_size_has_its_own_random_numbers() -> None:
    drawn = {stream(1, "runs", 0, SEARCHING, size).integers(2**62) for size in range(5)}
    assert len(drawn) == 5


def test_four_topics_can_be_halved() -> None:
    matrix = matrix_of(np.random.default_rng(7).random((4, 3)))
    request = HeldOutRequest(hold_out="topics", goodness="pearson")
    assert materials_of(BothScores(matrix), request).both.note == ""


def test_the_error_is_of_the_splits_that_have_a_value() -> None:
    spread = spread_of(np.array([1.0, 2.0, 3.0, np.nan, np.nan]))
    assert spread is not None
    assert spread.standard_error == pytest.approx(1 / 3**0.5, rel=1e-15)  # standard deviation 1 of 3 values


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
    request = HeldOutRequest(
        hold_out=hold_out,
        goodness="pearson",
        n_splits=12,
        n_starts=1,
        n_trials=8,
        seed=5,
        units=tuple(range(8)) if hold_out == "runs" else None,
    )
    matrix = random_matrix(9, 8, seed=23)
    with ThreadPoolExecutor(workers) as threads:
        executor: Executor | None = None if workers is None else threads
        whole = held_out_curve(matrix, request, executor=executor, show_partial=seen.append)
    assert [curve.request.n_splits for curve in seen] == list(splits_shown(12))
    for curve in (seen[0], seen[-1]):
        assert curve == held_out_curve(matrix, replace(request, n_splits=curve.request.n_splits))
    assert whole == held_out_curve(matrix, request)
    assert whole.request == request
