"""What each training chooses: the best setting of a sweep, or the one that annealing ends with."""

from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.training_sensitivity.annealed_choice import annealed_settings, grid_of
from topicset_core.analyses.training_sensitivity.annealing import N_STEPS
from topicset_core.analyses.training_sensitivity.choosing import best_settings
from topicset_core.analyses.training_sensitivity.request import Request
from topicset_core.analyses.training_sensitivity.result import Floats, Ints
from topicset_core.analyses.training_sensitivity.sampling import stream
from topicset_core.collection.settings import Settings

_DRAW = 1  # last key of the stream that settles ties; samples have none
_SECONDS_A_STEP = 33e-6  # of annealing, on a core of 2026


@dataclass(frozen=True, eq=False)
class Chooser:
    """Chooses settings from training scores; `chooser_of` makes one.

    Parameters
    ----------
    seed : int
        Of draws among settings that tie, and of annealing.
    grid : ndarray of int64 or None
        From `grid_of`; None to look at every setting.
    """

    seed: int
    grid: Ints | None

    def choose(self, means: Floats, level: float, number: int) -> tuple[Ints, Ints]:
        """Return the settings chosen on one sample, and how many share the best score.

        Parameters
        ----------
        means : ndarray of float64, shape (n_tasks, n_measures, n_systems)
            Training scores.
        level : float
            Percent of the judgments.
        number : int
            Of the sample at this level.

        Returns
        -------
        chosen, n_tied : ndarray of int64, shape (n_tasks, n_measures)
        """
        draws = stream(self.seed, level, number, _DRAW).random((means.shape[0],))
        chosen, n_tied = best_settings(means, draws)
        if self.grid is not None:
            chosen = annealed_settings(means, self.grid, (draws * 2**53).astype(np.int64))
        return chosen, n_tied


def chooser_of(request: Request, settings: Settings) -> Chooser:
    """Return what chooses in an experiment.

    Raises
    ------
    InputError
        If annealing is asked for over settings that are no grid.
    """
    return Chooser(request.seed, grid_of(settings) if request.optimiser == "annealing" else None)


def choosing_seconds(request: Request, n_tasks: int) -> float:
    """Return about how long the choices on one sample take; only sizes batches."""
    if request.optimiser == "sweep":
        return 0.0
    return _SECONDS_A_STEP * N_STEPS * n_tasks * len(request.chosen)
