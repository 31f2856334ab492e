"""Remarks on scores that are unusual, none of which is an error."""

import re
from collections.abc import Iterator

import numpy as np

from topicset_core.collection import ScoreMatrix
from topicset_core.parsing.alike import alike
from topicset_core.wording import listed, shown

MOST_PAIRS = 5
"""Runs that are equal are named up to this many pairs, and counted beyond."""


INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
"""Soft hyphens, spaces of no width, marks of direction, byte order marks."""


def remarks(matrix: ScoreMatrix) -> Iterator[str]:
    """Say what is unusual about the scores of a matrix."""
    outside = int(np.count_nonzero((matrix.scores < 0) | (matrix.scores > 1)))
    if outside:
        scores = "1 score lies" if outside == 1 else f"{outside:,} scores lie"
        low, high = matrix.scores.min(), matrix.scores.max()
        yield f"{scores} outside 0 to 1 (lowest {low:g}, highest {high:g})."
    yield from _topics_alike(matrix)
    hidden = [name for name in (*matrix.topics, *matrix.systems) if INVISIBLE.search(name)]
    if hidden:
        yield f"Ids with characters that nobody can see: {listed(hidden)}."
    yield from _equal_runs(matrix)


def _topics_alike(matrix: ScoreMatrix) -> Iterator[str]:
    """Name topics that may be one: as two they count twice in every sample size."""
    pairs = alike(matrix.topics)
    if pairs:
        more = f"; and {len(pairs) - MOST_PAIRS:,} more" if len(pairs) > MOST_PAIRS else ""
        named = "; ".join(f"{shown(one)} and {shown(other)}" for one, other in pairs[:MOST_PAIRS])
        yield f"Topics whose ids differ in zeros alone were kept apart: {named}{more}."


def _equal_runs(matrix: ScoreMatrix) -> Iterator[str]:
    """Name runs with equal columns: a test of their difference divides zero by zero."""
    first_with: dict[bytes, str] = {}
    pairs = []
    for system, column in zip(matrix.systems, matrix.scores.T, strict=True):
        same = first_with.setdefault(column.tobytes(), system)
        if same != system:
            pairs.append(f"{shown(same)} and {shown(system)}")
    if pairs:
        more = f"; and {len(pairs) - MOST_PAIRS:,} more" if len(pairs) > MOST_PAIRS else ""
        yield f"Runs with the same score on every topic: {'; '.join(pairs[:MOST_PAIRS])}{more}."
