"""Rows and columns swapped, where a table was read the wrong way round."""

from topicset_core.collection import ScoreMatrix


def turn(matrix: ScoreMatrix) -> ScoreMatrix:
    """Return the matrix with its topics as runs and its runs as topics.

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores of at least 2 runs.

    Raises
    ------
    InputError
        If the matrix has a single run, which would be a single topic.
    """
    return ScoreMatrix(
        scores=matrix.scores.T,
        topics=matrix.systems,
        systems=matrix.topics,
        measure=matrix.measure,
        name=matrix.name,
    )
