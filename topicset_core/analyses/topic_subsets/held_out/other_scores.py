"""Scores of another metric by which subsets may be judged: those of the same runs on the same topics."""

from collections.abc import Sequence

from topicset_core.collection import ScoreMatrix


def fit(matrix: ScoreMatrix, other: ScoreMatrix) -> bool:
    """Return whether two matrices have the same runs and topics, in whatever order."""
    return set(matrix.systems) == set(other.systems) and set(matrix.topics) == set(other.topics)


def of_runs(matrix: ScoreMatrix, runs: Sequence[str]) -> ScoreMatrix:
    """Return the columns of some runs, in their order: others may have been dropped on the way."""
    place_of = {system: place for place, system in enumerate(matrix.systems)}
    return ScoreMatrix(
        scores=matrix.scores[:, [place_of[run] for run in runs]],
        topics=matrix.topics,
        systems=tuple(runs),
        measure=matrix.measure,
        name=matrix.name,
    )
