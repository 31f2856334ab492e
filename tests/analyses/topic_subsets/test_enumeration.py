"""Enumeration equals plain scipy on every subset, whatever the parts it is cut into."""

import math

import numpy as np
import pytest

from tests.analyses.topic_subsets.plain import constant_rows, matrix_of, plain_enumeration, random_matrix
from topicset_core.analyses.topic_subsets import by_measure
from topicset_core.analyses.topic_subsets.by_measure import criterion_for
from topicset_core.analyses.topic_subsets.criterion import Enumerated
from topicset_core.analyses.topic_subsets.enumeration import enumerate_tasks, merged, parts
from topicset_core.analyses.topic_subsets.goodness import Goodness
from topicset_core.collection import ScoreMatrix

GOODNESS: tuple[Goodness, ...] = ("pearson", "kendall", "error-rate")


def enumerated(matrix: ScoreMatrix, goodness: Goodness) -> dict[int, Enumerated]:
    criterion = criterion_for(matrix, goodness)
    result: dict[int, list[Enumerated]] = {}
    for task in enumerate_tasks(criterion, range(1, matrix.n_topics)):
        for cardinality, part in criterion.enumerate(task).items():
            result.setdefault(cardinality, []).append(part)
    return {cardinality: merged(several) for cardinality, several in result.items()}


def assert_as_plain(matrix: ScoreMatrix, goodness: Goodness) -> None:
    sign = -1 if goodness == "error-rate" else 1
    result = enumerated(matrix, goodness)
    assert sorted(result) == list(range(1, matrix.n_topics))
    for cardinality, one in result.items():
        plain, undefined = plain_enumeration(matrix.scores, cardinality, goodness)
        assert one.n_undefined == undefined
        best = [sign * kept.value for kept in one.best]
        worst = [sign * kept.value for kept in one.worst]
        # Correlations of two routes agree to a few units of the last digit; counts are exact.
        assert best == pytest.approx([value for value, _ in plain[:10]], abs=1e-14)
        assert worst == pytest.approx([value for value, _ in plain[::-1][:10]], abs=1e-14)
        assert sign * one.total == pytest.approx(math.fsum(value for value, _ in plain), abs=1e-11)
        values = {topics: value for value, topics in plain}
        for kept in (*one.best, *one.worst):
            assert sign * kept.value == pytest.approx(values[kept.topics], abs=1e-14)
        assert len({kept.topics for kept in one.best}) == len(one.best)


def ties() -> ScoreMatrix:
    """Three constant topics, and two runs with the same scores."""
    scores = constant_rows(random_matrix(8, 5, seed=6), 3).scores.copy()
    scores[:, 1] = scores[:, 0]
    return matrix_of(scores)


@pytest.mark.parametrize("goodness", GOODNESS)
@pytest.mark.parametrize(
    "matrix",
    [
        pytest.param(random_matrix(2, 6, seed=2, decimals=1), id="two topics"),
        pytest.param(random_matrix(9, 6, seed=9, decimals=1), id="nine topics"),
        pytest.param(random_matrix(8, 5, seed=5, decimals=15), id="full precision"),
        pytest.param(random_matrix(7, 2, seed=8), id="two runs"),
        pytest.param(ties(), id="constant topics and tied runs"),
    ],
)
def test_every_subset_against_scipy(goodness: Goodness, matrix: ScoreMatrix) -> None:
    assert_as_plain(matrix, goodness)


def test_full_precision_has_no_narrow_differences() -> None:
    matrix = random_matrix(8, 5, seed=5, decimals=15)
    assert criterion_for(matrix, "kendall")._differences.dtype == np.float64  # type: ignore[attr-defined]


@pytest.mark.parametrize("goodness", GOODNESS)
def test_cut_into_many_parts_against_scipy(goodness: Goodness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_measure, "_INNER_TOPICS", 3)
    monkeypatch.setattr(by_measure, "_TASK_SUBSETS_WITH_MEAN", 5.0)
    monkeypatch.setattr(by_measure, "_TASK_PAIRS", 200.0)
    by_measure._binomials.cache_clear()
    by_measure._tables.cache_clear()
    matrix = random_matrix(9, 5, seed=7)
    assert len(enumerate_tasks(criterion_for(matrix, goodness), range(1, 9))) > 20
    assert_as_plain(matrix, goodness)
    by_measure._binomials.cache_clear()
    by_measure._tables.cache_clear()


@pytest.mark.parametrize(("n", "cardinality", "inner"), [(9, 4, 3), (9, 1, 0), (6, 6, 2), (12, 5, 12)])
@pytest.mark.parametrize("limit", [1.0, 10.0, 1e9])
def test_parts_cover_all_subsets(n: int, cardinality: int, inner: int, limit: float) -> None:
    result = parts(n, (cardinality,), inner, limit)
    assert sum(n_subsets for _, n_subsets in result) == math.comb(n, cardinality)
    sizes = range(1, cardinality + 1)
    everything = parts(n, sizes, 0, limit, [(topic,) for topic in range(n)])
    assert sum(n_subsets for _, n_subsets in everything) == sum(math.comb(n, c) for c in sizes)
