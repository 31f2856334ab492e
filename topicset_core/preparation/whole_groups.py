"""Whole groups in the place of topics, for analyses that draw topics: they then draw groups."""

from topicset_core.collection import ScoreMatrix


def whole_groups(matrix: ScoreMatrix) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """Return a row per group, the mean of its topics weighted by its size, and a note; itself without groups."""
    rows = matrix.by_group(centred=True)
    if rows is matrix:
        return matrix, ()
    return rows, (f"{rows.size_in_words}: whole groups are drawn, each weighted by its number of topics.",)
