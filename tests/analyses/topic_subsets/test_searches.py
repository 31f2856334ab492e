"""Walks, swaps and the paper's heuristic follow their plain descriptions."""

import itertools

import numpy as np
import pytest

from tests.analyses.topic_subsets.plain import (
    constant_rows,
    plain_enumeration,
    plain_extension,
    plain_goodness,
    random_matrix,
)
from topicset_core.analyses.topic_subsets.by_measure import criterion_for
from topicset_core.analyses.topic_subsets.criterion import best_of
from topicset_core.analyses.topic_subsets.curve import subset_curve
from topicset_core.analyses.topic_subsets.enumeration import walk, walk_tasks
from topicset_core.analyses.topic_subsets.goodness import Goodness
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.analyses.topic_subsets.searches import extend_tasks, n_extensions
from topicset_core.collection import ScoreMatrix

GOODNESS: tuple[Goodness, ...] = ("pearson", "kendall", "error-rate")


def natural(value: float, goodness: Goodness) -> float:
    return -value if goodness == "error-rate" else value


@pytest.mark.parametrize("goodness", GOODNESS)
def test_walks_against_scipy(goodness: Goodness) -> None:
    matrix = constant_rows(random_matrix(9, 6, seed=11, decimals=1), 2)
    rng = np.random.default_rng(12)
    orders = rng.permuted(np.tile(np.arange(9), (30, 1)), axis=1)
    sizes = np.array([1, 2, 5, 9])
    values = criterion_for(matrix, goodness).walk(orders, sizes)
    for order, row in zip(orders, values, strict=True):
        for size, value in zip(sizes, row, strict=True):
            expected = plain_goodness(matrix.scores, order[:size], goodness)
            if expected is None:
                assert value <= -9
            else:
                assert natural(value, goodness) == pytest.approx(expected, abs=1e-14)  # rounding


def no_exchange_gains(matrix: ScoreMatrix, topics: tuple[int, ...], goodness: Goodness, sign: int) -> bool:
    here = plain_goodness(matrix.scores, topics, goodness)
    assert here is not None
    for out, new in itertools.product(topics, set(range(matrix.n_topics)) - set(topics)):
        other = plain_goodness(matrix.scores, [t for t in topics if t != out] + [new], goodness)
        if other is not None and sign * (natural(other, goodness) - natural(here, goodness)) > 1e-11:
            return False
    return True


@pytest.mark.parametrize("goodness", GOODNESS)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("start_size", [0, 3, 5, 12])
def test_no_exchange_improves_the_result_of_a_search(goodness: Goodness, sign: int, start_size: int) -> None:
    matrix = random_matrix(12, 8, seed=13)
    rng = np.random.default_rng(14)
    starts = np.sort(rng.permuted(np.tile(np.arange(12), (4, 1)), axis=1)[:, :start_size], axis=1)
    result = criterion_for(matrix, goodness).local_search(starts, 5, sign)
    assert len(result) == 4
    for value, topics in result:
        assert len(set(topics)) == 5
        expected = plain_goodness(matrix.scores, topics, goodness)
        assert natural(value, goodness) == pytest.approx(expected, abs=1e-11)
        assert no_exchange_gains(matrix, topics, goodness, sign)


@pytest.mark.parametrize("goodness", GOODNESS)
@pytest.mark.parametrize("sign", [1, -1])
def test_neighbours_are_the_ten_best_exchanges(goodness: Goodness, sign: int) -> None:
    matrix = constant_rows(random_matrix(9, 6, seed=15, decimals=1), 3)
    topics = (0, 1, 4)
    swaps = [
        tuple(sorted([t for t in topics if t != out] + [new]))
        for out, new in itertools.product(topics, [2, 3, 5, 6, 7, 8])
    ]
    values = [plain_goodness(matrix.scores, exchange, goodness) for exchange in swaps]
    plain = sorted((natural(v, goodness) for v in values if v is not None), key=lambda v: -sign * v)
    result = criterion_for(matrix, goodness).neighbours(topics, sign)
    assert [one.value for one in result] == pytest.approx(plain[:10], abs=1e-14)
    for value, exchange in result:
        expected = plain_goodness(matrix.scores, exchange, goodness)
        assert natural(value, goodness) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("goodness", GOODNESS)
@pytest.mark.parametrize("side", ["best", "worst"])
@pytest.mark.parametrize("topics", [(4,), (0, 7), (1, 3, 5, 6), (0, 1, 2, 3, 4, 5, 6, 7)])
def test_one_more_topic_with_at_most_three_new_ones(
    goodness: Goodness, side: str, topics: tuple[int, ...]
) -> None:
    matrix = random_matrix(9, 6, seed=16)
    sign = 1 if side == "best" else -1
    criterion = criterion_for(matrix, goodness)
    results = [criterion.extend(topics, removed, sign) for removed, _ in extend_tasks(criterion, len(topics))]
    (value, chosen) = best_of([one for one in results if one is not None], sign)[0]
    expected, _ = plain_extension(matrix.scores, topics, goodness, side)
    assert natural(value, goodness) == pytest.approx(expected, abs=1e-12)
    assert plain_goodness(matrix.scores, chosen, goodness) == pytest.approx(expected, abs=1e-12)
    assert len(set(chosen) - set(topics)) <= 3


def test_the_heuristic_evaluates_as_many_sets_as_counted() -> None:
    # 4 of 9 topics: 5 sets with one more, 4 x C(5, 2) with one changed, C(4, 2) x C(5, 3) with two.
    assert n_extensions(9, 4) == 5 + 4 * 10 + 6 * 10


@pytest.mark.parametrize("goodness", GOODNESS)
def test_local_search_equals_enumeration_on_twelve_topics(goodness: Goodness) -> None:
    matrix = random_matrix(12, 8, seed=17)
    matrix_curve = subset_curve(
        matrix, Request(goodness=goodness, cardinalities=(4, 6, 8), method="exhaustive", n_trials=10)
    )
    for point in matrix_curve.points:
        plain, _ = plain_enumeration(matrix.scores, point.cardinality, goodness)
        assert point.best is not None
        assert point.worst is not None
        assert point.best.value == pytest.approx(plain[0][0], abs=1e-14)
        result = criterion_for(matrix, goodness).local_search(
            np.array(list(itertools.combinations(range(12), point.cardinality))[::7]), point.cardinality, 1
        )
        assert natural(best_of(result, 1)[0].value, goodness) == pytest.approx(plain[0][0], abs=1e-12)


def test_random_subsets_do_not_depend_on_how_they_are_grouped(monkeypatch: pytest.MonkeyPatch) -> None:
    criterion = criterion_for(random_matrix(30, 6, seed=18), "pearson")
    together = [walk(criterion, 3, 230, task) for task in walk_tasks(criterion, (5, 15), 230)]
    monkeypatch.setattr("topicset_core.analyses.topic_subsets.enumeration._TASK_SECONDS", 0.0)
    apart = [walk(criterion, 3, 230, task) for task in walk_tasks(criterion, (5, 15), 230)]
    assert len(together) == 1
    assert len(apart) == 5  # blocks of 50
    assert np.array_equal(np.concatenate(together), np.concatenate(apart))
    assert len(np.concatenate(apart)) == 230
    other = walk(criterion, 4, 230, walk_tasks(criterion, (5, 15), 230)[0])
    assert not np.array_equal(other, apart[0])


def test_two_runs_whose_differences_cancel_end_the_search() -> None:
    """All subsets have r = 1 or -1 but for rounding, which a search took for a gain again and again."""
    rng = np.random.default_rng(1)
    first = rng.uniform(0.2, 0.7, 40)
    second = np.clip(first + rng.normal(0.05, 0.1, 40), 0, 1)
    matrix = ScoreMatrix(
        scores=np.column_stack([first, second]).round(4),
        topics=tuple(f"t{topic}" for topic in range(40)),
        systems=("old", "new"),
        measure="AP",
        name="two",
    )
    curve = subset_curve(matrix, Request(goodness="pearson", n_trials=10, effort=0.1))
    assert [point.best.value for point in curve.points if point.best] == pytest.approx([1.0] * 40)
