"""Enumeration where topics all but cancel: sets, values and means against fractions.

Sums of rounded covariances lose what cancels: on 6 decimals means were up to 1e-6 off, and values up to 6e-11.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from topicset_core.analyses.topic_subsets.by_measure import CorrelationCriterion
from topicset_core.analyses.topic_subsets.enumeration import enumerate_tasks, merged
from topicset_core.analyses.topic_subsets.exact_sums import RunSums, whole_and_rest


def pairs(noise: float, n_runs: int, seed: int, decimals: int | None = None) -> np.ndarray:
    """Scores of 8 topics, the second four .9 less the first four but for noise."""
    rng = np.random.default_rng(seed)
    half = rng.normal(0.4, 0.2, (4, n_runs))
    scores = np.vstack([half, 0.9 - half + noise * rng.normal(size=half.shape)])
    return scores if decimals is None else scores.round(decimals)


def exact_values(scores: np.ndarray, cardinality: int, decimals: int | None) -> dict[tuple[int, ...], float]:
    """All correlations by fractions; scores with decimals are exact decimals."""
    exact = [
        [Fraction(x) if decimals is None else Fraction(f"{x:.{decimals}f}") for x in row] for row in scores
    ]
    m = len(exact[0])
    rows = [[m * x - sum(row) for x in row] for row in exact]
    full = [sum(column) for column in zip(*rows, strict=True)]
    result = {}
    for topics in itertools.combinations(range(len(rows)), cardinality):
        sums = [sum(column) for column in zip(*(rows[topic] for topic in topics), strict=True)]
        num = sum(x * y for x, y in zip(sums, full, strict=True))
        den = sum(x * x for x in sums) * sum(x * x for x in full)
        if den:
            result[topics] = math.copysign(math.sqrt(num * num / den), num)
    return result


@pytest.mark.parametrize(("noise", "decimals"), [(1e-2, None), (1e-2, 2), (1e-4, 4), (1e-6, 6)])
@pytest.mark.parametrize("n_runs", [3, 8])
def test_sets_values_and_means_against_fractions(noise: float, decimals: int | None, n_runs: int) -> None:
    scores = pairs(noise, n_runs, seed=1, decimals=decimals)
    criterion = CorrelationCriterion.of(scores)
    assert criterion.covariances.are_exact == (decimals is not None)
    tasks = enumerate_tasks(criterion, range(1, 8))
    for cardinality in range(1, 8):
        result = merged(criterion.enumerate(task)[cardinality] for task in tasks if cardinality in task.sizes)
        values = exact_values(scores, cardinality, decimals)
        ranked = sorted(values.values())
        # Differences of run sums are rounded once, and so is each step of a correlation of 8 runs.
        for kept, exact in ((result.best, ranked[::-1]), (result.worst, ranked)):
            assert [one.value for one in kept] == pytest.approx(exact[:10], abs=4e-15)
            assert [values[one.topics] for one in kept] == pytest.approx(exact[:10], abs=4e-15)
        assert result.n_undefined == math.comb(8, cardinality) - len(values)
        # Exact covariances leave the rounding of roots; with noise of 1e-2 others keep ten digits.
        assert result.total == pytest.approx(math.fsum(ranked), abs=1e-10 if decimals is None else 1e-13)


def test_four_decimals_leave_no_rounding_and_floats_do() -> None:
    scores = np.random.default_rng(3).random((50, 129))
    assert CorrelationCriterion.of(scores.round(4)).covariances.are_exact
    assert not CorrelationCriterion.of(scores).covariances.are_exact
    # m^2 times squares of 9 decimals are beyond 2^53.
    assert not CorrelationCriterion.of(scores.round(9)).covariances.are_exact


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e9])
def test_integer_and_fraction_parts_add_up_to_the_scores(offset: float) -> None:
    scores = offset + np.random.default_rng(4).normal(size=(5, 4))
    whole, rest = whole_and_rest(scores)
    assert np.array_equal(whole, np.rint(whole))
    assert np.abs(rest).max() <= 0.5
    exact = [
        [(Fraction(x) + Fraction(y)) for x, y in zip(*two, strict=True)]
        for two in zip(whole, rest, strict=True)
    ]
    for row, given in zip(exact, scores, strict=True):
        least = Fraction(given.min())
        units = {one / (Fraction(x) - least) for one, x in zip(row, given, strict=True) if x > given.min()}
        assert len({float(unit) for unit in units}) == 1


def test_a_large_offset_costs_no_digit() -> None:
    scores = np.random.default_rng(5).integers(0, 100, (6, 5)).astype(float)
    plain, moved = (RunSums.of(one, 1e-12) for one in (scores, scores + 2.0**40))
    for topics in itertools.combinations(range(6), 3):
        assert plain.correlation(topics) == moved.correlation(topics)
