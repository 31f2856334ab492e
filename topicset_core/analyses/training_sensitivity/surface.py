"""The training surface: what each setting scores on the training topics (figure 1), and which ones are chosen."""

from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.training_sensitivity.result import Floats, Ints, TrainingSensitivity
from topicset_core.collection.settings import Settings
from topicset_core.errors import InputError


@dataclass(frozen=True, kw_only=True, eq=False)
class Surface:
    """One measure over the settings of a sweep, on the training topics of one task.

    Parameters
    ----------
    measure, task : str
        By what, and what is tested on.
    settings : Settings
        In the order of the arrays.
    complete : ndarray of float64, shape (n_systems,)
        Mean score by all judgments.
    chosen : int
        What is chosen by all judgments.
    level : float
        Percent of the judgments of what follows.
    mean, sample : ndarray of float64, shape (n_systems,)
        Mean score over samples of the level, and in the first of them.
    times_chosen : ndarray of int64, shape (n_systems,)
        In how many samples each setting is chosen.
    """

    measure: str
    task: str
    settings: Settings
    complete: Floats
    chosen: int
    level: float
    mean: Floats
    sample: Floats
    times_chosen: Ints

    @property
    def n_samples(self) -> int:
        """Samples of the level."""
        return int(self.times_chosen.sum())


def surface(found: TrainingSensitivity, task: str, measure: str, level: float) -> Surface:
    """Return the training surface of a task by a measure, and what is chosen at a level.

    Raises
    ------
    InputError
        If the task, the measure or the level is none of the experiment.
    """
    places = {}
    for parameter, value, known in (
        ("task", task, tuple(one.name for one in found.tasks)),
        ("measure", measure, found.measures),
        ("level", level, found.levels),
    ):
        if value not in known:
            raise InputError(parameter, value, f"must be one of {', '.join(map(str, known))}")
        places[parameter] = known.index(value)
    at, by = places["task"], places["measure"]
    samples = found.trained.means[places["level"], :, at, by]
    return Surface(
        measure=measure,
        task=task,
        settings=found.settings,
        complete=found.complete.means[0, 0, at, by],
        chosen=int(found.complete.chosen[0, 0, at, by]),
        level=level,
        mean=samples.mean(axis=0),
        sample=samples[0],
        times_chosen=np.bincount(
            found.trained.chosen[places["level"], :, at, by], minlength=len(found.settings.systems)
        ),
    )
