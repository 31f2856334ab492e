"""Choosing a setting by simulated annealing, as He, Macdonald and Ounis did, over the grid of a sweep.

A sweep looks at every setting; annealing looks at some, and may miss the best. All scores being known here,
it costs nothing but its steps, and shows how much of the spread of trained settings is the optimiser's own.
"""

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.training_sensitivity.annealing import Point, maximise
from topicset_core.collection.settings import Settings
from topicset_core.errors import InputError


def grid_of(settings: Settings) -> NDArray[np.int64]:
    """Return which run has each combination of values, one axis a parameter, values ascending.

    Raises
    ------
    InputError
        If there is no parameter, or a combination has no run: then there are no steps to its neighbours.
    """
    axes = [np.unique(column, return_inverse=True) for column in settings.values.T]
    shape = tuple(values.size for values, _ in axes)
    if not axes or int(np.prod(shape)) != len(settings.systems):
        rule = f"needs a run for every combination of values, {shape} of them; the sweep has "
        raise InputError("optimiser", "annealing", f"{rule}{len(settings.systems)} runs")
    grid = np.empty(shape, dtype=np.int64)
    grid[tuple(place for _, place in axes)] = np.arange(len(settings.systems))
    return grid


def annealed_settings(
    means: NDArray[np.float64], grid: NDArray[np.int64], seeds: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the setting that annealing ends with.

    Parameters
    ----------
    means : ndarray of float64, shape (..., n_measures, n_systems)
        Training scores.
    grid : ndarray of int64
        From `grid_of`.
    seeds : ndarray of int64, shape (...)
        One for each sample and task: all its measures take the same first points and draws.

    Returns
    -------
    ndarray of int64, shape (..., n_measures)
        Index of the setting.
    """
    chosen = np.empty(means.shape[:-1], dtype=np.int64)
    for at in np.ndindex(chosen.shape):
        scores = means[at]

        def score(point: Point, scores: NDArray[np.float64] = scores) -> float:
            return float(scores[grid[point]])

        chosen[at] = grid[maximise(score, grid.shape, seed=int(seeds[at[:-1]])).point]
    return chosen
