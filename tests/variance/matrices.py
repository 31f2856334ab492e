"""Shared by tests of variances: matrices of given scores and parts of real ones."""

import numpy as np

from topicset_core.collection import ScoreMatrix

HALF_8TH = 5e-9  # values printed to 8 decimals


def of(scores: object, name: str = "test", measure: str = "AP") -> ScoreMatrix:
    values = np.asarray(scores, dtype=float)
    return ScoreMatrix(
        scores=values,
        topics=tuple(f"t{i}" for i in range(values.shape[0])),
        systems=tuple(f"s{i}" for i in range(values.shape[1])),
        measure=measure,
        name=name,
    )


def part(matrix: ScoreMatrix, rows: slice, keep: list[bool] | None = None) -> ScoreMatrix:
    return of(matrix.scores[rows] if keep is None else matrix.scores[rows][:, keep])
