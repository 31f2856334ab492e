"""The sizes of a first look: all of them where that is quick, else fewer and fewer, evenly over the whole range.

A curve that is known at small sizes only would be read across wrongly, so sizes are left out everywhere alike.
"""

import math
from collections.abc import Callable

from topicset_core.analyses.topic_subsets.request import default_cardinalities

SECONDS = 0.4
"""That somebody waits without a thought."""

_LONGER = 4 * SECONDS  # for a coarse look, where a finer one takes longer still
_ALL_UP_TO = 60
_FINE, _COARSE = 1.2, 1.5
_LAST = 5  # sizes, at which the worst sets come to be good enough


def first_sizes(
    seconds_of: Callable[[int], float], n_topics: int, cardinality: int
) -> tuple[int, ...] | None:
    """Return the sizes to look at first, ascending; None where even few of them take too long.

    Parameters
    ----------
    seconds_of : callable
        From a size to the CPU seconds of its search.
    n_topics : int
        In all.
    cardinality : int
        A size that must be among them.
    """
    usual = default_cardinalities(n_topics, "pearson" if n_topics <= _ALL_UP_TO else "kendall")
    for sizes, seconds in (
        (usual, SECONDS),
        (_grid(n_topics, _FINE), SECONDS),
        (_grid(n_topics, _COARSE), _LONGER),
    ):
        wanted = tuple(sorted({*sizes, cardinality}))
        if sum(map(seconds_of, wanted)) <= seconds:
            return wanted
    return None


def _grid(n_topics: int, ratio: float) -> tuple[int, ...]:
    """Return sizes of which each is so many times the one before, or one more, and the last few."""
    sizes, size = set(range(max(1, n_topics - _LAST + 1), n_topics + 1)), 1
    while size < n_topics:
        sizes.add(size)
        size = max(size + 1, math.floor(size * ratio))
    return tuple(sorted(sizes))
