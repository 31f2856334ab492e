"""How good are the settings that each measure chose? Tables 2 and 3, and the curves of figure 2."""

from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.training_sensitivity.experiment import Floats, TrainingSensitivity
from topicset_core.analyses.training_sensitivity.significance import SIGNIFICANT, signed_rank

CONFIDENCE = 0.95


@dataclass(frozen=True, kw_only=True)
class CompleteComparison:
    """One cell of table 2 or 3: trained and tested with all judgments.

    Parameters
    ----------
    task : str
        What was tested on.
    evaluated_by, trained_by : str
        X and Y of X(Y).
    score : float
        X(Y).
    reference_score : float
        X(reference).
    n_topics : int
        Test topics on which the two settings differ.
    p_value : float
        Of the Wilcoxon signed-ranks test over test topics, two-sided.
    setting : str
        What Y chose.
    n_tied : int
        Settings that shared the best training score.
    """

    task: str
    evaluated_by: str
    trained_by: str
    score: float
    reference_score: float
    n_topics: int
    p_value: float
    setting: str
    n_tied: int

    @property
    def mark(self) -> str:
        """As in the paper: ">" where the difference from training by the reference is significant."""
        return ">" if self.p_value <= SIGNIFICANT else ""


@dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """One point of figure 2, over the samples of a level.

    Intervals are of the t distribution over samples; with several tasks each sample counts with its mean
    over tasks. They say how far the drawing of judgments moves the mean, not how far other topics would.

    Parameters
    ----------
    level : float
        Percent of the judgments.
    task : str
        What was tested on; "" for the mean of all tasks.
    evaluated_by, trained_by : str
        X and Y of X(Y).
    mean, low, high : float
        Mean over samples with its 95 % interval.
    difference, difference_low, difference_high : float
        The same of X(Y) - X(reference), sample by sample; 0 for the reference.
    p_value : float
        Of the signed-ranks test of the differences, two-sided.
    """

    level: float
    task: str
    evaluated_by: str
    trained_by: str
    mean: float
    low: float
    high: float
    difference: float
    difference_low: float
    difference_high: float
    p_value: float


def complete_comparisons(found: TrainingSensitivity) -> tuple[CompleteComparison, ...]:
    """Return tables 2 and 3: every X(Y) with X the reference or Y itself, by task.

    For the reference itself p is 1.

    Parameters
    ----------
    found : TrainingSensitivity
        The experiment.
    """
    cells = []
    for place, task in enumerate(found.tasks):
        rows = found.test_rows[place]
        chosen = found.complete.chosen[0, 0, place]
        for x, y in _pairs(len(found.measures)):
            scores = found.scores[x][rows]
            own, reference = scores[:, chosen[y]], scores[:, chosen[0]]
            test = signed_rank(own - reference)
            cells.append(
                CompleteComparison(
                    task=task.name,
                    evaluated_by=found.measures[x],
                    trained_by=found.measures[y],
                    score=float(own.mean()),
                    reference_score=float(reference.mean()),
                    n_topics=test.n,
                    p_value=test.p_value,
                    setting=found.settings.said(int(chosen[y])),
                    n_tied=int(found.complete.n_tied[0, 0, place, y]),
                )
            )
    return tuple(cells)


def curves(found: TrainingSensitivity) -> tuple[CurvePoint, ...]:
    """Return figure 2: every X(Y) with X the reference or M, Y the reference or the same M.

    First the means of all tasks, then, where there are several, each task.

    Parameters
    ----------
    found : TrainingSensitivity
        The experiment.
    """
    effectiveness = found.effectiveness
    tasks: list[tuple[str, Floats]] = [("", effectiveness.mean(axis=2))]
    if len(found.tasks) > 1:
        tasks += [(task.name, effectiveness[:, :, place]) for place, task in enumerate(found.tasks)]
    points = []
    for name, of_task in tasks:
        for x, y in _pairs(len(found.measures)):
            for level, own, reference in zip(
                found.levels, of_task[:, :, x, y], of_task[:, :, x, 0], strict=True
            ):
                points.append(_point(level, name, (found.measures[x], found.measures[y]), own, reference))
    return tuple(points)


def _point(level: float, task: str, names: tuple[str, str], own: Floats, reference: Floats) -> CurvePoint:
    differences = own - reference
    low, high = _interval(own)
    difference_low, difference_high = _interval(differences)
    return CurvePoint(
        level=level,
        task=task,
        evaluated_by=names[0],
        trained_by=names[1],
        mean=float(own.mean()),
        low=low,
        high=high,
        difference=float(differences.mean()),
        difference_low=difference_low,
        difference_high=difference_high,
        p_value=signed_rank(differences).p_value,
    )


def _interval(values: Floats) -> tuple[float, float]:
    from scipy.special import stdtrit

    half = float(stdtrit(values.size - 1, (1 + CONFIDENCE) / 2) * values.std(ddof=1) / np.sqrt(values.size))
    mean = float(values.mean())
    return mean - half, mean + half


def _pairs(n_measures: int) -> list[tuple[int, int]]:
    """X and Y as places: MAP(MAP); then for each M MAP(M), M(M) and M(MAP)."""
    pairs = [(0, 0)]
    for m in range(1, n_measures):
        pairs += [(0, m), (m, m), (m, 0)]
    return pairs
