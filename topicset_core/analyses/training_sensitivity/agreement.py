"""How alike do measures see a sweep in training? Spearman's rho over settings (figures 1 and 3)."""

from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.training_sensitivity.request import COMPLETE
from topicset_core.analyses.training_sensitivity.result import Floats, TrainingSensitivity
from topicset_core.analyses.training_sensitivity.signed_rank import doubled_ranks


@dataclass(frozen=True)
class Agreement:
    """One point of figure 3.

    Parameters
    ----------
    level : float
        Percent of the judgments; 100 for all.
    measure : str
        M, whose training scores are compared with those of the reference.
    rho : float or None
        Spearman's rho over settings, mean over samples and tasks; None where it is defined for none.
    lowest, highest : float or None
        Over samples and tasks.
    n_undefined : int
        Samples and tasks in which one measure scores all settings the same.
    """

    level: float
    measure: str
    rho: float | None
    lowest: float | None
    highest: float | None
    n_undefined: int


def spearman(first: Floats, second: Floats) -> float | None:
    """Return Spearman's rho, tied values sharing their mean rank; None where either is constant.

    Parameters
    ----------
    first, second : ndarray of float64, shape (n,)
        One value a setting.
    """
    ranks = [doubled_ranks(one).astype(np.float64) for one in (first, second)]
    a, b = (one - one.mean() for one in ranks)
    squares = float((a * a).sum() * (b * b).sum())
    return None if squares == 0 else float((a * b).sum() / np.sqrt(squares))


def agreements(found: TrainingSensitivity) -> tuple[Agreement, ...]:
    """Return rho of each alternative with the reference at each level, and with all judgments."""
    surfaces = dict(zip(found.levels, found.trained.means, strict=True)) | {COMPLETE: found.complete.means[0]}
    points = []
    for place, measure in enumerate(found.alternatives, start=1):
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
