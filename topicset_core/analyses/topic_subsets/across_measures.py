"""Is a set that is best by one measure of goodness good by the others?

Guiver, Mizzaro and Robertson (2009), sections 5.3 and 5.6.4.

The paper leaves it open whether "the optimum set for one measure is also good for the other measures". Here
the best and worst sets of one cardinality by each measure are judged by all three.
"""

from concurrent.futures import Executor
from dataclasses import dataclass

from topicset_core.analyses.topic_subsets.curve import Subset
from topicset_core.analyses.topic_subsets.explore import subset_curve
from topicset_core.analyses.topic_subsets.goodness import MEASURES, Goodness
from topicset_core.analyses.topic_subsets.heuristic_judged import Side
from topicset_core.analyses.topic_subsets.judge import judge_for
from topicset_core.analyses.topic_subsets.request import DEFAULT_SEED, Method, Request
from topicset_core.collection import ScoreMatrix
from topicset_core.progress import Report, silently


@dataclass(frozen=True, kw_only=True)
class ChosenSet:
    """The best or worst set by one measure, judged by all.

    Parameters
    ----------
    chosen_by : {"pearson", "kendall", "error-rate"}
        The measure it is best (worst) by.
    side : {"best", "worst"}
        Which of the two.
    subset : Subset
        The set, with its value by that measure.
    judged : dict of str to float or None
        Its goodness by each measure.
    """

    chosen_by: Goodness
    side: Side
    subset: Subset
    judged: dict[Goodness, float | None]


@dataclass(frozen=True, kw_only=True)
class AcrossMeasures:
    """Sets of one cardinality, chosen by each measure.

    Parameters
    ----------
    cardinality : int
        Topics in each.
    chosen : tuple of ChosenSet
        Best by each measure, then worst by each; those that exist.
    averages : dict of str to float or None
        Mean goodness of random sets by each measure.
    """

    cardinality: int
    chosen: tuple[ChosenSet, ...]
    averages: dict[Goodness, float | None]


def across_measures(
    matrix: ScoreMatrix,
    cardinality: int,
    *,
    method: Method = "local",
    n_trials: int = 1000,
    seed: int = DEFAULT_SEED,
    report: Report = silently,
    executor: Executor | None = None,
) -> AcrossMeasures:
    """Choose sets by each measure and judge them by all.

    Raises
    ------
    InputError
        As `subset_curve`.
    """
    points = {}
    for place, measure in enumerate(MEASURES):
        request = Request(
            goodness=measure.key, cardinalities=(cardinality,), method=method, n_trials=n_trials, seed=seed
        )

        def share(fraction: float, place: int = place) -> None:
            report((place + fraction) / len(MEASURES))

        points[measure.key] = subset_curve(matrix, request, report=share, executor=executor).points[0]
    judges = {measure: judge_for(matrix, measure.key) for measure in MEASURES}
    places = {topic: place for place, topic in enumerate(matrix.topics)}

    def judged(subset: Subset) -> dict[Goodness, float | None]:
        topics = [places[topic] for topic in subset.topics]
        values = {measure: judge.value(topics) for measure, judge in judges.items()}
        return {
            measure.key: None if value is None else (value if measure.higher_is_better else -value) + 0.0
            for measure, value in values.items()
        }

    sides: tuple[Side, ...] = ("best", "worst")
    return AcrossMeasures(
        cardinality=cardinality,
        chosen=tuple(
            ChosenSet(chosen_by=key, side=side, subset=subset, judged=judged(subset))
            for side in sides
            for key, point in points.items()
            if (subset := point.best if side == "best" else point.worst) is not None
        ),
        averages={key: point.mean for key, point in points.items()},
    )
