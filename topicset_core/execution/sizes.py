"""Which sizes of topic sets a curve is evaluated at: all of up to 100 topics, log-spaced sizes of more.

A query set of a search engine has thousands of topics, and the work at every size grows with their square at
least. Between neighbouring sizes there is next to nothing to see: from 20 topics on, the standard error of a
mean over topics changes by less than 5 % from one evaluated size to the next.
"""

import math
from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

MOST_WITH_EVERY_SIZE = 100
"""Topics of scores up to which every size is evaluated."""

RATIO = 1.1
"""Of neighbouring sizes, where not all are evaluated; so all up to 20 are."""

LAST = 5
"""Largest sizes that are evaluated in any case: up to all topics, where curves meet."""


def default_sizes(most: int, n_topics: int, *, always: Iterable[int] = ()) -> tuple[int, ...]:
    """Return the sizes of a curve, ascending."""
    if n_topics <= MOST_WITH_EVERY_SIZE:
        return tuple(range(1, most + 1))
    return tuple(sorted({*log_spaced(most, RATIO), *(size for size in always if 1 <= size <= most)}))


def log_spaced(most: int, ratio: float) -> tuple[int, ...]:
    """Return sizes that grow by a factor, at least by 1, and the last few."""
    sizes, size = set(range(max(1, most - LAST + 1), most + 1)), 1
    while size < most:
        sizes.add(size)
        size = max(size + 1, math.floor(size * ratio))
    return tuple(sorted(sizes))


def share_of_sizes(sizes: Collection[int], most: int) -> str:
    """Return "74 of 3,500 sizes" where not all from 1 to `most` are evaluated, else ""."""
    return "" if len(sizes) >= most else f"{len(sizes):,} of {most:,} sizes"


def sizes_in_words(sizes: Collection[int], most: int) -> str:
    """Return how sizes were thinned, in a sentence; "" where all are there, or others were requested."""
    if len(sizes) >= most or not set(log_spaced(most, RATIO)) <= set(sizes):
        return ""
    return (
        f"Evaluated at {share_of_sizes(sizes, most)}, in steps of one topic or {100 * RATIO - 100:.0f} %, as "
        f"there are more than {MOST_WITH_EVERY_SIZE} topics."
    )


def stands_for(sizes: Collection[int]) -> NDArray[np.float64]:
    """Return how many sizes each represents: itself, and the omitted sizes that are nearest to it."""
    # A size as near to two of them counts half for either.
    given = np.array(list(sizes))
    order = np.argsort(given)
    left_out = np.diff(given[order]) - 1
    weights = np.ones(len(given))
    weights[order[:-1]] += left_out / 2
    weights[order[1:]] += left_out / 2
    return weights
