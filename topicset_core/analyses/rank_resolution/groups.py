"""Groups of systems that are not resolved: as lines next to the ranking, and as letters."""

import numpy as np
from numpy.typing import NDArray

MOST_LETTERS = 26

_MOST_STEPS = 20_000
"""Of the search for cliques; beyond it there are far more than 26."""

Resolved = NDArray[np.bool_]


def lines_of(resolved: Resolved) -> tuple[tuple[int, int], ...]:
    """Return the longest runs of consecutive places without a resolved pair.

    Two systems on one line are not resolved; the reverse need not hold.
    """
    either = resolved | resolved.T
    m = len(either)
    lines: list[tuple[int, int]] = []
    last = 0
    for first in range(m):
        last = max(last, first)
        while last + 1 < m and not either[last + 1, first : last + 1].any():
            last += 1
        if not lines or last + 1 > lines[-1][1]:
            lines.append((first + 1, last + 1))
    return tuple(lines)


def letters_of(resolved: Resolved) -> tuple[str, ...] | None:
    """Return a compact letter display (Piepho 2004): systems share a letter if they are not resolved.

    Each letter is a maximal clique of the graph of pairs that are not resolved (Bron and Kerbosch 1973).
    """
    m = len(resolved)
    if m > MOST_LETTERS:
        return None
    open_ = ~(resolved | resolved.T)
    near = [{k for k in range(m) if k != i and open_[i, k]} for i in range(m)]
    cliques = _cliques(near)
    if cliques is None or len(cliques) > MOST_LETTERS:
        return None
    ordered = sorted(sorted(clique) for clique in cliques)
    return tuple(
        "".join(chr(ord("a") + place) for place, clique in enumerate(ordered) if system in clique)
        for system in range(m)
    )


def _cliques(near: list[set[int]]) -> list[set[int]] | None:
    """Return all maximal cliques of a graph; None where the search is too long."""
    results: list[set[int]] = []
    waiting: list[tuple[set[int], set[int], set[int]]] = [(set(), set(range(len(near))), set())]
    steps = 0
    while waiting:
        steps += 1
        if steps > _MOST_STEPS:
            return None
        clique, may, done = waiting.pop()
        if not may and not done:
            results.append(clique)
            continue
        if not may:
            continue
        pivot = max(may | done, key=lambda one: len(near[one] & may))
        for one in sorted(may - near[pivot]):
            waiting.append((clique | {one}, may & near[one], done & near[one]))
            may = may - {one}
            done = done | {one}
    return results
