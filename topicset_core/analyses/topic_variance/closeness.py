"""How near are simulated scores to those of the runs as they are? Of cells, and of whole runs.

A model that fits gives about the scores that are there on average; what it is off by is no noise of the
collection and does not go away with more trials.
"""

import math
from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.topic_variance.estimate import Estimate
from topicset_core.analyses.topic_variance.simulation import Simulation


def mean_absolute_shift(simulation: Simulation) -> Estimate:
    """Return the mean over topics and runs of |mean simulated score - score as it is|.

    Its standard error takes the signs of the differences for settled.
    """
    shifts = np.abs(simulation.cell_means - simulation.raw)
    n_trials = simulation.settings.n_trials
    error = None
    if n_trials > 1:
        error = math.sqrt(float(simulation.cell_variances.sum()) / n_trials) / shifts.size
    return Estimate(value=float(shifts.mean()), standard_error=error)


@dataclass(frozen=True, kw_only=True)
class RunShift:
    """A run, and its mean over trials less its mean as it is."""

    system: str
    shift: Estimate


def run_shifts(simulation: Simulation) -> tuple[RunShift, ...]:
    """Return all runs, the one that the model moves most first."""
    n_trials = simulation.settings.n_trials
    shifts = simulation.means.mean(axis=0) - simulation.raw_means
    errors: list[float | None] = [None] * shifts.size
    if n_trials > 1:
        errors = (simulation.means.std(axis=0, ddof=1) / math.sqrt(n_trials)).tolist()
    return tuple(
        RunShift(
            system=simulation.cells.systems[run],
            shift=Estimate(value=float(shifts[run]), standard_error=errors[run]),
        )
        for run in np.argsort(-np.abs(shifts), kind="stable").tolist()
    )
