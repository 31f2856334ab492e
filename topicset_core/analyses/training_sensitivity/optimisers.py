"""Which setting training chooses: the best one of a sweep, or the one that simulated annealing ends with.

A sweep evaluates every setting; annealing evaluates some, and may miss the best. All scores being known here,
it costs nothing but its steps, and shows how much of the spread of trained settings is the optimiser's own.

He, Macdonald and Ounis (2008, section 4.2) trained b and c by simulated annealing (Kirkpatrick, Gelatt and
Vecchi, Science 220, 1983) and give no details. Here: from a point drawn at random, a step goes along one
dimension of the grid, up or down, by a distance drawn evenly up to a reach; it is taken if it does not lose,
else with the probability exp(-loss / T). T shrinks geometrically from the range of the first values seen
to a thousandth of it, the reach evenly from half of the grid to 1. The best point seen is the answer. It may not be
the best of the grid: only a sweep guarantees that.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.training_sensitivity.request import Request
from topicset_core.analyses.training_sensitivity.sampling import stream
from topicset_core.collection.run import Settings
from topicset_core.errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Point = tuple[int, ...]

TOLERANCE = 1e-12
"""Relative difference of means up to which settings tie: sums of the same numbers in another order."""

N_STEPS = 400
N_FIRST = 5
"""Points drawn at random to begin with: the best of them is the start, their range the first T."""

COOLED_TO = 1e-3

_DRAW = 1  # last key of the stream that determines ties; samples do not use it
_SECONDS_PER_STEP = 10e-6  # of annealing, on a busy core of 2026


def best_settings(means: Floats, draws: Floats) -> tuple[Ints, Ints]:
    """Return the best setting of each training, of tied ones one drawn at random, and how many share its score."""
    best = means.max(axis=-1, keepdims=True)
    tied = means >= best * (1 - TOLERANCE)
    n_tied = tied.sum(axis=-1)
    # Taking the first would make a measure that cannot decide look stable. All measures of a sample and task use
    # one draw, so that measures with the same tie choose the same setting.
    ranks = np.minimum((draws[..., None] * n_tied).astype(np.int64), n_tied - 1)
    chosen = (tied.cumsum(axis=-1) <= ranks[..., None]).sum(axis=-1)
    return chosen.astype(np.int64), n_tied.astype(np.int64)


def grid_of(settings: Settings) -> Ints:
    """Return which run has each combination of values, one axis per parameter, values ascending."""
    axes = [np.unique(column, return_inverse=True) for column in settings.values.T]
    shape = tuple(values.size for values, _ in axes)
    n_runs = len(settings.systems)
    if not axes or int(np.prod(shape)) != n_runs:
        rule = f"needs a run for every combination of values, {shape} of them; the sweep has {n_runs} runs"
        raise InputError("optimiser", "annealing", rule)
    grid = np.empty(shape, dtype=np.int64)
    grid[tuple(place for _, place in axes)] = np.arange(n_runs)
    return grid


def annealed_settings(means: Floats, grid: Ints, seeds: Ints) -> Ints:
    """Return the setting that annealing ends with."""
    chosen = np.empty(means.shape[:-1], dtype=np.int64)
    for at in np.ndindex(chosen.shape):
        chosen[at] = grid[annealed(means[at][grid], int(seeds[at[:-1]]))]
    return chosen


def annealed(scores: Floats, seed: int) -> Point:
    """Return the best point that annealing over a grid of scores sees."""
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    shape = scores.shape
    first = [tuple(rng.integers(shape).tolist()) for _ in range(N_FIRST)]
    values = [float(scores[point]) for point in first]
    here = first[int(np.argmax(values))]
    hot = max(values) - min(values)
    seen = set(first)
    movable = [dimension for dimension, size in enumerate(shape) if size > 1]
    for step in range(N_STEPS if movable else 0):
        cooled = step / max(N_STEPS - 1, 1)
        temperature = hot * COOLED_TO**cooled
        neighbour = _neighbour(here, shape, movable, cooled, rng)
        seen.add(neighbour)
        gain = float(scores[neighbour]) - float(scores[here])
        # Drawn whether or not it is needed, so that the steps do not depend on how values are rounded.
        luck = rng.random()
        if gain >= 0 or (temperature > 0 and luck < np.exp(gain / temperature)):
            here = neighbour
    return min(seen, key=lambda point: (-scores[point], point))


def _neighbour(
    here: Point, shape: Sequence[int], movable: Sequence[int], cooled: float, rng: np.random.Generator
) -> Point:
    """Step along one dimension; a step that would leave the grid is reversed."""
    dimension = movable[int(rng.integers(len(movable)))]
    size = shape[dimension]
    reach = max(round(1 + (size / 2 - 1) * (1 - cooled)), 1)
    distance = int(rng.integers(1, reach + 1)) * (1 if rng.random() < 0.5 else -1)
    moved = here[dimension] + distance
    if not 0 <= moved < size:
        moved = here[dimension] - distance
    return (*here[:dimension], min(max(moved, 0), size - 1), *here[dimension + 1 :])


class Chooser:
    """Chooses settings from training scores; its seed is of draws among settings that tie, and of annealing."""

    def __init__(self, request: Request, settings: Settings) -> None:
        self.seed = request.seed
        self.grid = grid_of(settings) if request.optimiser == "annealing" else None

    def choose(self, means: Floats, level: float, number: int) -> tuple[Ints, Ints]:
        """Return the settings chosen on one sample, and how many share the best score."""
        draws = stream(self.seed, level, number, _DRAW).random((means.shape[0],))
        chosen, n_tied = best_settings(means, draws)
        if self.grid is not None:
            chosen = annealed_settings(means, self.grid, (draws * 2**53).astype(np.int64))
        return chosen, n_tied


def choosing_seconds(request: Request, n_tasks: int) -> float:
    """Return about how long the choices on one sample take; only sizes batches."""
    if request.optimiser == "sweep":
        return 0.0
    return _SECONDS_PER_STEP * N_STEPS * n_tasks * len(request.chosen)
