"""Shared by tests of variances: matrices of given scores and parts of real ones."""

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from topicset_core.collection import ScoreMatrix
from topicset_core.collection.replicated_scores import ReplicatedScores

# Scores as measures give them; steps of 1/64 keep sums exact enough for the tolerances of tests, and
# subnormal numbers, whose squares vanish, out of it.
SCORES = (
    st.tuples(st.integers(2, 9), st.integers(2, 7))
    .flatmap(lambda shape: arrays(np.int64, shape, elements=st.integers(0, 64)))
    .map(lambda numerators: numerators / 64)
)
HALF_8TH = 5e-9  # values printed to 8 decimals


def of(
    scores: object,
    measure: str = "AP",
    name: str = "test",
    topics: Sequence[str] | None = None,
    systems: Sequence[str] | None = None,
) -> ScoreMatrix:
    """The matrix, by default of topics t0, t1 and so on and systems s0, s1 and so on."""
    values = np.asarray(scores, dtype=float)
    return ScoreMatrix(
        scores=values,
        topics=tuple(topics or (f"t{i}" for i in range(values.shape[0]))),
        systems=tuple(systems or (f"s{i}" for i in range(values.shape[1]))),
        measure=measure,
        name=name,
    )


def replicated(scores: np.ndarray) -> ReplicatedScores:
    n, m, r = scores.shape
    return ReplicatedScores(
        scores=scores,
        topics=tuple(f"t{j}" for j in range(n)),
        systems=tuple(f"s{i}" for i in range(m)),
        repeats=tuple(f"r{k}" for k in range(r)),
        measure="AP",
        name="made",
    )


def part(matrix: ScoreMatrix, rows: slice, keep: list[bool] | None = None) -> ScoreMatrix:
    return of(matrix.scores[rows] if keep is None else matrix.scores[rows][:, keep])
