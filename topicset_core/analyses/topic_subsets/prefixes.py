"""An enumeration of subsets cut into parts of bounded size.

Subsets are grown topic by topic in ascending order; a prefix stands for all subsets that begin with it. A
prefix with too many continuations is taken as it is, without them, and cut into longer ones.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Prefix = tuple[tuple[int, ...], bool]
"""First topics, and whether more may follow."""


@dataclass(frozen=True)
class Part:
    """Prefixes that are enumerated together.

    Parameters
    ----------
    prefixes : tuple of Prefix
        In ascending order.
    n_subsets : int
        How many subsets they stand for.
    """

    prefixes: tuple[Prefix, ...]
    n_subsets: int


def parts(n: int, cardinality: int, inner: int, limit: float) -> list[Part]:
    """Cut the c-subsets of n topics, `inner` of which are tabulated, by the other, outer topics.

    Outer topics are counted from 0. Each part has about `limit` subsets; one tabulated set of outer topics
    is never cut.
    """
    outer = n - inner

    def continuations(prefix: tuple[int, ...]) -> int:
        following = outer - (prefix[-1] + 1 if prefix else 0)
        return math.comb(following + inner, cardinality - len(prefix))

    def alone(prefix: tuple[int, ...]) -> int:
        return math.comb(inner, cardinality - len(prefix))

    return _grouped(_cut((), outer, cardinality, limit, continuations, alone), limit)


def parts_of_all(n: int, deepest: int, limit: float) -> list[Part]:
    """Cut all subsets of 1 to `deepest` of n topics."""

    def continuations(prefix: tuple[int, ...]) -> int:
        following = n - prefix[-1] - 1
        return sum(math.comb(following, more) for more in range(deepest - len(prefix) + 1))

    def alone(_: tuple[int, ...]) -> int:
        return 1

    prefixes = (
        found for topic in range(n) for found in _cut((topic,), n, deepest, limit, continuations, alone)
    )
    return _grouped(prefixes, limit)


def _cut(
    prefix: tuple[int, ...],
    n: int,
    longest: int,
    limit: float,
    continuations: Callable[[tuple[int, ...]], int],
    alone: Callable[[tuple[int, ...]], int],
) -> Iterator[tuple[Prefix, int]]:
    count = continuations(prefix)
    if count == 0:
        return
    first = prefix[-1] + 1 if prefix else 0
    if count <= limit or len(prefix) == longest or first == n:
        yield (prefix, True), count
        return
    if (own := alone(prefix)) > 0:
        yield (prefix, False), own
    for topic in range(first, n):
        yield from _cut((*prefix, topic), n, longest, limit, continuations, alone)


def _grouped(prefixes: Iterator[tuple[Prefix, int]], limit: float) -> list[Part]:
    found: list[Part] = []
    together: list[Prefix] = []
    size = 0
    for prefix, count in prefixes:
        if together and size + count > limit:
            found.append(Part(tuple(together), size))
            together, size = [], 0
        together.append(prefix)
        size += count
    return [*found, Part(tuple(together), size)] if together else found
