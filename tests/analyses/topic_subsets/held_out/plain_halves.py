"""Plain twin of the held-out experiments: one subset, one pair of runs at a time, all subsets evaluated."""

import itertools
import math

import numpy as np

from tests.analyses.topic_subsets.plain import plain_error_rate, plain_kendall, plain_pearson
from topicset_core.analyses.topic_subsets.goodness import Goodness


def plain_against(x: np.ndarray, y: np.ndarray, goodness: Goodness) -> float | None:
    """Oriented goodness of run scores X against the reference Y; None where X is the same for all runs."""
    if goodness == "error-rate":
        return -plain_error_rate(x, y)
    # Sums differ by a decimal of the scores or by rounding: that of the ninth decimal distinguishes them.
    x, y = x.round(9), y.round(9)
    if np.ptp(x) == 0:
        return None
    return plain_pearson(x, y) if goodness == "pearson" else plain_kendall(x, y)


def plain_extremes(
    scores: np.ndarray, reference: np.ndarray, size: int, goodness: Goodness, sign: int
) -> list[tuple[int, ...]]:
    """All subsets of the rows that are best (worst) against the reference; several where they tie."""
    values = {
        topics: value
        for topics in itertools.combinations(range(len(scores)), size)
        if (value := plain_against(scores[list(topics)].sum(axis=0), reference, goodness)) is not None
    }
    if not values:
        return []
    extreme = max(sign * value for value in values.values())
    return [topics for topics, value in values.items() if sign * value > extreme - 1e-12]


def plain_average(
    scores: np.ndarray, reference: np.ndarray, orders: np.ndarray, size: int, goodness: Goodness
) -> float:
    """Mean goodness of the first topics of each order."""
    results = [
        plain_against(scores[order[:size]].sum(axis=0), reference, goodness) for order in np.asarray(orders)
    ]
    values = [value for value in results if value is not None]
    return float(np.mean(values)) if values else math.nan


def plain_reversed(x: np.ndarray, y: np.ndarray) -> float:
    """Share of the pairs of runs with a difference in Y that X orders in reverse, ties in X by half."""
    x, y = x.round(9), y.round(9)
    pairs = [(i, j) for i, j in itertools.combinations(range(len(y)), 2) if y[i] != y[j]]
    return float(np.mean([0.5 if x[i] == x[j] else (x[i] - x[j]) * (y[i] - y[j]) < 0 for i, j in pairs]))
