"""Compiled draws against the distributions they are of, also at a scale at which a small error shows."""

import ast
from pathlib import Path

import numpy as np
import pytest
import scipy
from numba import njit

from topicset_core.analyses.topic_variance import kernels
from topicset_core.analyses.topic_variance.prepared import poisson_tables

ERROR = 1e-4  # each test below fails for that share of seeds; the seeds are fixed
N = 200_000
RANKS = np.array([3, 7, 13])  # relevant documents; of the others 2 are above the first, then 3, then 5


def state(seed: int) -> np.ndarray:
    return np.array([seed, 1], dtype=np.uint64)


def test_no_compiled_function_calls_one_of_another_file() -> None:
    """Numba's cache of a function sees a change in its own file alone."""
    modules = {
        node.module if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(ast.parse(Path(kernels.__file__).read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert modules == {"numpy", "numba", "topicset_core.execution.compiling"}  # the last is a decorator


@njit
def _normals(n, state):
    return np.array([kernels.normal(state) for _ in range(n)])


@njit
def _uniforms(n, state):
    return np.array([kernels.uniform(state) for _ in range(n)])


@njit
def _belows(n, bound, state):
    return np.array([kernels.below(bound, state) for _ in range(n)])


@njit
def _poissons(n, cumulated, guide, state):
    return np.array([kernels.poisson(cumulated, guide, state) for _ in range(n)])


@pytest.mark.slow
def test_normal_numbers_against_theory() -> None:
    """The tail beyond the last of Doornik's (2005) 128 layers has a way of its own."""
    edge = 3.442619855899
    drawn = _normals(20_000_000, state(6))
    assert scipy.stats.kstest(drawn[: 5 * N], "norm").pvalue > ERROR
    assert abs(np.sign(drawn).sum()) < 4 * np.sqrt(drawn.size)
    far = np.abs(drawn[np.abs(drawn) > edge])
    expected = drawn.size * 2 * 2.8804e-4  # P(X > 3.4426...) by R's pnorm
    assert abs(far.size - expected) < 4 * np.sqrt(expected)
    tail = scipy.special.ndtr(-edge)
    assert scipy.stats.kstest(far, lambda x: 1 - scipy.special.ndtr(-x) / tail).pvalue > ERROR


def test_uniform_and_whole_numbers_against_theory() -> None:
    assert scipy.stats.kstest(_uniforms(N, state(2)), "uniform").pvalue > ERROR
    assert scipy.stats.chisquare(np.bincount(_belows(N, 37, state(3)), minlength=37)).pvalue > ERROR


def test_no_uniform_number_is_0_or_1() -> None:
    """From the state (0, b) come the bits of b, inverted: all of them set, or none."""
    for word, expected in ((2**64 - 1, 1 - 2.0**-53), (0, 2.0**-53)):
        assert kernels.uniform(np.array([0, word], dtype=np.uint64)) == expected


def agrees(seen: np.ndarray, share: np.ndarray) -> bool:
    """Chi-square test of counts, with values that are expected fewer than 20 times as one."""
    n = seen.sum()
    often = share * n >= 20
    rest = n - seen[often].sum(), n * (1 - share[often].sum())
    table = (np.append(seen[often], rest[0]), np.append(n * share[often], rest[1]))
    if rest[1] < 20:  # join the remainder with the last
        table = tuple(np.append(one[:-2], one[-2:].sum()) for one in table)  # type: ignore[assignment]
    return bool(scipy.stats.chisquare(table[0], table[1] * table[0].sum() / table[1].sum()).pvalue > ERROR)


@njit
def _binomials(n, number, p, state, sums):
    result = np.zeros(number + 1, np.int64)
    for _ in range(n):
        result[kernels.binomial(number, p, np.log1p(-p), state, sums)] += 1
    return result


def _check_binomials(n: int, number: int, p: float, seed: int) -> None:
    sums = np.zeros((3, number + 2))
    k = np.arange(1, number + 2)
    sums[1, 1:], sums[2, 1:] = np.cumsum(np.log(k)), 1 / k
    drawn = _binomials(n, number, p, state(seed), sums)
    assert agrees(drawn, scipy.stats.binom.pmf(np.arange(number + 1), number, p))


# By inversion, by rejection, and both with p above a half; the edge between them lies at a mean of 10.
@pytest.mark.parametrize("number", [1, 7, 60, 950])
@pytest.mark.parametrize("p", [0.0004, 0.003, 0.0105, 0.0106, 0.04, 0.3, 0.5, 0.7, 0.97, 0.9995])
def test_binomial_numbers_against_theory(number: int, p: float) -> None:
    _check_binomials(N, number, p, 4)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "p"), [(950, 0.3), (950, 0.65), (200, 0.1), (60, 0.5)])
def test_binomial_numbers_by_rejection_against_theory(number: int, p: float) -> None:
    """Four million: were the quick acceptance of Hörmann (1993) .1 too wide, it would show at 1e-200."""
    _check_binomials(4_000_000, number, p, number)


@pytest.mark.parametrize("mean", [1, 2, 9, 42, 130, 400])
def test_poisson_numbers_against_theory(mean: int) -> None:
    places, (cumulated, guide) = poisson_tables(np.array([5, mean, 5]))
    begin, end = places[1]
    drawn = _poissons(N, cumulated[begin:end], guide[begin:end], state(5))
    seen = np.bincount(drawn, minlength=end - begin)
    assert agrees(seen, scipy.stats.poisson.pmf(np.arange(end - begin), mean))
    assert places[0].tolist() == places[2].tolist()
    # The guide never begins beyond the number that is meant.
    for row in np.flatnonzero(guide[begin:end] > 0)[:50]:
        assert cumulated[begin + guide[begin + row] - 1] < row / (end - begin)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 12, 13, 60, 500])
@pytest.mark.parametrize("kind", ["plain", "ties", "equal", "outlier"])
def test_sorting_against_numpy(n: int, kind: str) -> None:
    rng = np.random.default_rng(6)
    values = rng.normal(0, 1, n)
    if kind == "ties":
        values = np.round(values)
    elif kind == "equal":
        values[:] = 3.0
    elif kind == "outlier":
        values[n // 2] = 1e12
    result = np.empty(n)
    kernels.sort_falling(values, result, np.empty(n + 1, dtype=np.int64))
    assert result.tolist() == sorted(values.tolist(), reverse=True)


@njit
def _counted(times, others, left, gap_of, state):
    above = np.zeros((times, 3), np.int64)
    for row in above:
        kernels.count_by_gap(row, others, left, gap_of, state)
    return above


@pytest.mark.parametrize("left", range(8))
def test_every_document_that_is_drawn_is_counted_in_its_gap(left: int) -> None:
    gap_of = np.empty(20, dtype=np.int32)
    others = kernels.number_gaps(gap_of, RANKS)
    assert others == 10
    assert gap_of[:others].tolist() == [0] * 2 + [1] * 3 + [2] * 5
    above = _counted(20_000, others, left, gap_of, np.array([left, 1], dtype=np.uint64))
    assert (above.sum(axis=1) == left).all()
    if left:
        drawn = above.sum(axis=0)
        assert scipy.stats.chisquare(drawn, drawn.sum() * np.array([0.2, 0.3, 0.5])).pvalue > ERROR
