"""Simulated annealing over a grid of settings, each of which is evaluated once at most.

He, Macdonald and Ounis (2008, section 4.2) trained b and c by simulated annealing (Kirkpatrick, Gelatt and
Vecchi, Science 220, 1983) and say no more of it. Here: from a point drawn at random, a step goes along one
dimension of the grid, up or down, by a distance drawn evenly up to a reach; it is taken if it does not lose,
else with the probability exp(-loss / T). T shrinks geometrically from the range of the first values seen
to a thousandth of it, the reach evenly from half of the grid to 1. The best point seen is the answer: as
values are kept, it costs nothing to remember. It may not be the best of the grid: only a sweep is sure of that.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from topicset_core.errors import InputError
from topicset_core.execution.seed import SEED

Point = tuple[int, ...]

N_STEPS = 400
N_FIRST = 5
"""Points drawn at random to begin with: the best of them is the start, their range the first T."""

COOLED_TO = 1e-3


@dataclass(frozen=True, kw_only=True)
class Annealed:
    """What was found.

    Parameters
    ----------
    point : tuple of int
        The best point that was seen; of several the first in the order of the grid.
    value : float
        The objective there.
    n_evaluated : int
        Points that the objective was asked for; all others were never seen.
    """

    point: Point
    value: float
    n_evaluated: int


def maximise(
    objective: Callable[[Point], float], shape: Sequence[int], *, seed: int, n_steps: int = N_STEPS
) -> Annealed:
    """Look for the point of a grid where a function is largest.

    Parameters
    ----------
    objective : callable
        Takes a point, indices into the grid; finite everywhere, and the same when asked again.
    shape : sequence of int
        Number of values of each dimension, at least 1 each.
    seed : int
        The same seed takes the same steps.
    n_steps : int
        Steps to try; at least 1.

    Raises
    ------
    InputError
        If the grid has no point, or `seed` or `n_steps` breaks its rule, or a value is not finite.
    """
    sizes = np.array(shape, dtype=np.int64)
    if not sizes.size or (sizes < 1).any():
        raise InputError("shape", tuple(shape), "must be at least 1 value in each dimension")
    if n_steps < 1:
        raise InputError("n_steps", n_steps, "must be at least 1")
    SEED.check(seed)
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    seen: dict[Point, float] = {}

    def value_at(point: Point) -> float:
        if point not in seen:
            value = float(objective(point))
            if not np.isfinite(value):
                raise InputError("objective", value, f"must be finite, also at {point}")
            seen[point] = value
        return seen[point]

    first = [tuple(rng.integers(sizes).tolist()) for _ in range(N_FIRST)]
    values = [value_at(point) for point in first]
    here = first[int(np.argmax(values))]
    hot = max(values) - min(values)
    movable = np.flatnonzero(sizes > 1)
    for step in range(n_steps if movable.size else 0):
        cooled = step / max(n_steps - 1, 1)
        temperature = hot * COOLED_TO**cooled
        there = _neighbour(here, sizes, movable, cooled, rng)
        gain = value_at(there) - seen[here]
        # Drawn whether or not it is needed, so that the steps do not hang on how values are rounded.
        luck = rng.random()
        if gain >= 0 or (temperature > 0 and luck < np.exp(gain / temperature)):
            here = there
    best = min(seen, key=lambda point: (-seen[point], point))
    return Annealed(point=best, value=seen[best], n_evaluated=len(seen))


def _neighbour(
    here: Point,
    sizes: np.ndarray[tuple[int], np.dtype[np.int64]],
    movable: np.ndarray[tuple[int], np.dtype[np.intp]],
    cooled: float,
    rng: np.random.Generator,
) -> Point:
    """Step along one dimension; a step that would leave the grid is taken the other way."""
    dimension = int(rng.choice(movable))
    size = int(sizes[dimension])
    reach = max(round(1 + (size / 2 - 1) * (1 - cooled)), 1)
    distance = int(rng.integers(1, reach + 1)) * (1 if rng.random() < 0.5 else -1)
    moved = here[dimension] + distance
    if not 0 <= moved < size:
        moved = here[dimension] - distance
    return (*here[:dimension], min(max(moved, 0), size - 1), *here[dimension + 1 :])
