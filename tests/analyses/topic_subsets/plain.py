"""Plain twins of the compiled loops: one subset at a time, by the formulas.

`test_goodness.py` compares these formulas with SciPy, which takes five times as long a subset.
"""

import itertools
import math
from collections.abc import Sequence

import numpy as np

from topicset_core.analyses.topic_subsets.goodness import Goodness
from topicset_core.collection import ScoreMatrix


def plain_goodness(scores: np.ndarray, topics: Sequence[int], goodness: Goodness) -> float | None:
    """Goodness of one subset; None where all its run means are the same."""
    subset = scores[list(topics)].sum(axis=0)
    everything = scores.sum(axis=0)
    if goodness == "error-rate":
        return plain_error_rate(subset, everything)
    # Sums differ by a decimal of the scores or by rounding: that of the twelfth decimal distinguishes them.
    if np.ptp(subset.round(12)) == 0:
        return None
    if goodness == "pearson":
        return plain_pearson(subset, everything)
    return plain_kendall(subset.round(12), everything.round(12))


def plain_pearson(x: np.ndarray, y: np.ndarray) -> float:
    """Pearson's correlation."""
    u, v = x - x.mean(), y - y.mean()
    return float(u @ v / (np.linalg.norm(u) * np.linalg.norm(v)))


def plain_kendall(x: np.ndarray, y: np.ndarray) -> float:
    """Kendall's tau-b: concordant less discordant pairs, over the roots of the pairs that do not tie."""
    u, v = np.sign(np.subtract.outer(x, x)), np.sign(np.subtract.outer(y, y))
    return float((u * v).sum() / np.sqrt(np.count_nonzero(u) * np.count_nonzero(v)))


def plain_error_rate(x: np.ndarray, y: np.ndarray) -> float:
    """Eq. 1 of Guiver et al., over all pairs, but for ties in x: half an error."""
    u, v = np.subtract.outer(x, x), np.subtract.outer(y, y)
    discordant = np.sign(u.round(12)) * np.sign(v.round(12)) < 0
    tied = (u.round(12) == 0) & (v.round(12) != 0)
    return float((np.abs(v[discordant]).sum() + np.abs(v[tied]).sum() / 2) / np.abs(v).sum())


def plain_enumeration(
    scores: np.ndarray, cardinality: int, goodness: Goodness
) -> tuple[list[tuple[float, tuple[int, ...]]], int]:
    """All subsets with a goodness, best first, and the number of undefined ones."""
    results, undefined = [], 0
    for topics in itertools.combinations(range(len(scores)), cardinality):
        value = plain_goodness(scores, topics, goodness)
        if value is None:
            undefined += 1
        else:
            results.append((value, topics))
    sign = 1 if goodness == "error-rate" else -1
    return sorted(results, key=lambda one: (sign * one[0], one[1])), undefined


def plain_extension(
    scores: np.ndarray, topics: Sequence[int], goodness: Goodness, side: str
) -> tuple[float, tuple[int, ...]]:
    """The best or worst set of one more topic with at most 3 topics that are new: section 4.6."""
    old = set(topics)
    sign = (1 if side == "best" else -1) * (-1 if goodness == "error-rate" else 1)
    candidates = [
        (value, new)
        for new in itertools.combinations(range(len(scores)), len(topics) + 1)
        if len(set(new) - old) <= 3 and (value := plain_goodness(scores, new, goodness)) is not None
    ]
    return max(candidates, key=lambda one: sign * one[0])


def random_matrix(n_topics: int, n_systems: int, seed: int, decimals: int = 2) -> ScoreMatrix:
    """Scores with few decimals, so that ties are many."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(0, 0.12, n_systems) + rng.normal(0.4, 0.15, (n_topics, 1))
    scores = np.clip(latent + rng.normal(0, 0.15, (n_topics, n_systems)), 0, 1)
    return matrix_of(np.round(scores, decimals))


def matrix_of(scores: Sequence[Sequence[float]] | np.ndarray) -> ScoreMatrix:
    """A matrix with numbered topics and runs."""
    table = np.asarray(scores, dtype=float)
    return ScoreMatrix(
        scores=table,
        topics=tuple(f"t{number}" for number in range(len(table))),
        systems=tuple(f"s{number}" for number in range(table.shape[1])),
        measure="AP",
        name="made for a test",
    )


def constant_rows(matrix: ScoreMatrix, n_constant: int) -> ScoreMatrix:
    """The matrix with its first topics scored equally for all runs."""
    scores = matrix.scores.copy()
    scores[:n_constant] = 0.1  # whose mean over runs is not .1 in binary
    return matrix_of(scores)


def n_subsets(matrix: ScoreMatrix, cardinality: int) -> int:
    return math.comb(matrix.n_topics, cardinality)
