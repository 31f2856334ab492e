"""Scores in training: of each setting (figure 1), and how similarly measures order them (figure 3)."""

from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.training_sensitivity.experiment import Floats, Ints, TrainingSensitivity
from topicset_core.analyses.training_sensitivity.request import COMPLETE
from topicset_core.analyses.training_sensitivity.significance import doubled_ranks
from topicset_core.collection.settings import Settings
from topicset_core.errors import InputError


@dataclass(frozen=True, kw_only=True, eq=False)
class Surface:
    """One measure over the settings of a sweep, on the training topics of one task."""

    # The measure, and the test topics
    measure: str
    task: str
    settings: Settings  # in the order of the arrays
    complete: Floats  # (n_systems,): mean score by all judgments
    chosen: int  # the setting chosen by all judgments
    level: float  # percent of the judgments for the rest
    # Mean score over samples of the level, and in the first of them
    mean: Floats  # (n_systems,)
    sample: Floats  # (n_systems,)
    times_chosen: Ints  # (n_systems,): in how many samples each setting is chosen

    @property
    def n_samples(self) -> int:
        """Samples of the level."""
        return int(self.times_chosen.sum())


def surface(sensitivity: TrainingSensitivity, task: str, measure: str, level: float) -> Surface:
    """Return the training surface of a task by a measure, and the setting chosen at a level."""
    places = {}
    for parameter, value, known in (
        ("task", task, tuple(one.name for one in sensitivity.tasks)),
        ("measure", measure, sensitivity.measures),
        ("level", level, sensitivity.levels),
    ):
        if value not in known:
            raise InputError(parameter, value, f"must be one of {', '.join(map(str, known))}")
        places[parameter] = known.index(value)
    at, by = places["task"], places["measure"]
    samples = sensitivity.trained.means[places["level"], :, at, by]
    return Surface(
        measure=measure,
        task=task,
        settings=sensitivity.settings,
        complete=sensitivity.complete.means[0, 0, at, by],
        chosen=int(sensitivity.complete.chosen[0, 0, at, by]),
        level=level,
        mean=samples.mean(axis=0),
        sample=samples[0],
        times_chosen=np.bincount(
            sensitivity.trained.chosen[places["level"], :, at, by],
            minlength=len(sensitivity.settings.systems),
        ),
    )


@dataclass(frozen=True)
class Agreement:
    """One point of figure 3."""

    level: float  # percent of the judgments
    measure: str  # M, whose training scores are compared with the reference's
    rho: float | None  # Spearman's rho over settings, mean over samples and tasks
    # Over samples and tasks
    lowest: float | None
    highest: float | None
    n_undefined: int  # samples and tasks in which one measure scores all settings the same


def spearman(first: Floats, second: Floats) -> float | None:
    """Return Spearman's rho, tied values sharing their mean rank; None where either is constant."""
    ranks = [doubled_ranks(one).astype(np.float64) for one in (first, second)]
    a, b = (one - one.mean() for one in ranks)
    squares = float((a * a).sum() * (b * b).sum())
    return None if squares == 0 else float((a * b).sum() / np.sqrt(squares))


def agreements(sensitivity: TrainingSensitivity) -> tuple[Agreement, ...]:
    """Return rho of each alternative with the reference at each level, and with all judgments."""
    surfaces = dict(zip(sensitivity.levels, sensitivity.trained.means, strict=True)) | {
        COMPLETE: sensitivity.complete.means[0]
    }
    points = []
    for place, measure in enumerate(sensitivity.alternatives, start=1):
        for level, means in surfaces.items():
            trainings = means.reshape(-1, *means.shape[-2:])  # samples and tasks together
            rhos = [spearman(training[0], training[place]) for training in trainings]
            known = [rho for rho in rhos if rho is not None]
            points.append(
                Agreement(
                    level=level,
                    measure=measure,
                    rho=float(np.mean(known)) if known else None,
                    lowest=min(known, default=None),
                    highest=max(known, default=None),
                    n_undefined=len(rhos) - len(known),
                )
            )
    return tuple(points)
