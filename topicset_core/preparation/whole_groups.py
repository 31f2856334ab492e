"""Whole groups in the place of topics, for analyses that draw topics: they then draw groups."""

from topicset_core.collection import ScoreMatrix
from topicset_core.wording import counted, few_groups


def whole_groups(matrix: ScoreMatrix) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """Return a row per group with the mean of its topics weighted by its size, and notes; itself without groups."""
    if matrix.groups is None:
        return matrix, ()
    rows = matrix.by_group(centred=True)
    note = (
        f"Numbers of topics are numbers of groups here: {counted(matrix.n_topics, 'topic')} in {rows.n_topics:,} "
        "groups, of which each takes the place of a topic, with the mean of its topics weighted by its size."
    )
    return rows, tuple(filter(None, (note, few_groups(rows.n_topics))))
