"""The smallest topic set size that meets a requirement, for one design or a whole grid of them."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from topicset_core.errors import NoSolution
from topicset_core.parameters import MOST_TOPICS

FEWEST_TOPICS = 2
"""One topic has no variance, so every design starts at two."""

SMALLEST_EFFECT = 1e-100
"""Noncentrality per topic below which effects are searched as this one: hopeless, but no overflow."""

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]


def smallest_integers(
    meets: Callable[[Integers, Integers], Booleans],
    start: Floats,
) -> Integers:
    """Return, for each cell, the smallest n up to ten million that meets its requirement, sought from `start`."""
    inside = np.nan_to_num(start, nan=MOST_TOPICS, posinf=MOST_TOPICS, neginf=FEWEST_TOPICS)
    guess = np.clip(np.ceil(inside), FEWEST_TOPICS, MOST_TOPICS).astype(np.int64)
    fails, enough = _bracket(meets, guess)
    while True:
        open_cells = np.flatnonzero(enough - fails > 1)
        if not open_cells.size:
            return enough
        middle = (fails[open_cells] + enough[open_cells]) // 2
        met = meets(middle, open_cells)
        enough[open_cells[met]] = middle[met]
        fails[open_cells[~met]] = middle[~met]


def _bracket(meets: Callable[[Integers, Integers], Booleans], guess: Integers) -> tuple[Integers, Integers]:
    """Return `fails` < `enough` for each cell; `fails` is 1 where even two topics are enough."""
    all_cells = np.arange(guess.size, dtype=np.int64)
    met = meets(guess, all_cells)
    fails = np.where(met, FEWEST_TOPICS - 1, guess)
    enough = np.where(met, guess, MOST_TOPICS + 1)
    for cells, sign in ((all_cells[met], -1), (all_cells[~met], 1)):
        looking, step = cells, 1
        while looking.size:
            n = np.clip(guess[looking] + sign * step, FEWEST_TOPICS, MOST_TOPICS)
            met_now = meets(n, looking)
            enough[looking[met_now]] = n[met_now]
            fails[looking[~met_now]] = n[~met_now]
            if sign < 0:  # going down: done where n fails, or where even the fewest are enough
                looking = looking[met_now & (n > FEWEST_TOPICS)]
            else:
                if np.any(~met_now & (n == MOST_TOPICS)):
                    raise NoSolution(f"not even {MOST_TOPICS:,} topics meet these requirements")
                looking = looking[~met_now]
            step *= 2
    return fails, enough


def least_roots(
    excess: Callable[[Floats, Integers], Floats], start: Floats, limit: Floats, relative: float = 1e-14
) -> Floats:
    """Return where a rising function reaches 0, from 0 on, for each cell; infinite where `limit` is too low."""
    from scipy.optimize import elementwise

    def at(values: Floats, /, cells: Floats) -> Floats:
        return excess(values, cells.astype(np.int64))

    cells, low = np.arange(limit.size, dtype=np.float64), np.zeros(limit.size)
    high = np.minimum(start, limit)
    while True:  # doubling, as functions of values far beyond the answer lose digits
        found = at(high, cells) >= 0
        short = ~found & (high < limit)
        if not short.any():
            break
        high[short] = np.minimum(2 * high[short], limit[short])
    roots = np.where(at(low, cells) >= 0, 0.0, np.inf)
    crossed = found & (roots > 0)
    roots[crossed] = elementwise.find_root(
        at,
        (low[crossed], high[crossed]),
        args=(cells[crossed],),
        tolerances={"xatol": 0, "xrtol": relative, "fatol": 0, "frtol": 0},
    ).x
    return roots
