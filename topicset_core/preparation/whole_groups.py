"""Whole groups in the place of topics, for analyses that draw topics: they then draw and count groups."""

from topicset_core.collection import ScoreMatrix
from topicset_core.wording import counted


def whole_groups(matrix: ScoreMatrix) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """Return a row per group, the mean of its topics weighted by its size, and a note; itself without groups."""
    rows = matrix.by_group(centred=True)
    if rows is matrix:
        return matrix, ()
    return rows, (f"{size_in_words(rows)}: whole groups are drawn, each weighted by its number of topics.",)


def size_in_words(rows: ScoreMatrix) -> str:
    """Return how many topics there are: "300 topics", or "300 topics in 25 groups" where rows are groups."""
    if rows.by_topic is None:
        return counted(rows.n_topics, "topic")
    return f"{counted(rows.by_topic.n_topics, 'topic')} in {counted(rows.n_topics, 'group')}"


def units_in_words(rows: ScoreMatrix) -> str:
    """Return what rows are, in the plural: "topics", or "groups of 12 topics"."""
    if rows.by_topic is None:
        return "topics"
    sizes = sorted({*rows.by_topic.group_sizes.values()})
    return f"groups of {' to '.join(f'{size:,}' for size in (sizes[0], sizes[-1])[: len(sizes)])} topics"
