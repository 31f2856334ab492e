"""Chosen sets compared: the paper's heuristic with the optimum, and the sets of one measure judged by the others.

Guiver, Mizzaro and Robertson (2009), section 5.1, on the heuristic:

    "the average and maximum score difference between the exhaustive and the heuristic choice, over all
    cardinalities, as a percentage of the score range"

The score range is taken from the worst to the best goodness of any subset, all topics included. The rank of
the heuristic's set is its place among the ten that enumeration puts first.

A best set that was proved by branch and bound serves as well, but for PROOF_TOLERANCE; of the sets after it nothing
is known, so that a set of the heuristic that falls short of it has no rank.

Sections 5.3 and 5.6.4 leave open whether "the optimum set for one measure is also good for the other measures".
`across_measures` judges the best and worst sets of one cardinality by each measure by all three.
"""

from concurrent.futures import Executor
from dataclasses import dataclass

from topicset_core.analyses.topic_subsets.certificates import PROOF_TOLERANCE
from topicset_core.analyses.topic_subsets.curve import Side, Subset, SubsetCurve, criterion_for, subset_curve
from topicset_core.analyses.topic_subsets.goodness import MEASURES, Goodness
from topicset_core.analyses.topic_subsets.request import DEFAULT_SEED, Method, Request
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.progress import Report, silently

_SAME = 1e-12  # goodness that differs by less is the same but for rounding


@dataclass(frozen=True, kw_only=True)
class HeuristicGap:
    """The heuristic at one cardinality."""

    cardinality: int  # topics in the subset
    gap: float  # how much worse (for the worst side: better) its set is, from 0, in units of the measure
    rank: int | None  # 1 where it is as good as the best
    proved: bool  # whether the best was proved by branch and bound


@dataclass(frozen=True, kw_only=True)
class HeuristicJudged:
    """The heuristic over all cardinalities with a certain best (worst) set."""

    side: Side  # which sets were looked for
    gaps: tuple[HeuristicGap, ...]  # by ascending cardinality
    score_range: float  # best less worst goodness of any subset

    @property
    def mean_percent(self) -> float:
        """Mean gap in percent of the score range."""
        return 100 * sum(gap.gap for gap in self.gaps) / len(self.gaps) / self.score_range

    @property
    def max_percent(self) -> float:
        """Largest gap in percent of the score range."""
        return 100 * max(gap.gap for gap in self.gaps) / self.score_range

    @property
    def n_within_ten(self) -> int:
        """Cardinalities at which its set is among the ten of enumeration; a proof gives rank 1 only."""
        return sum(gap.rank is not None for gap in self.gaps)

    @property
    def n_proved(self) -> int:
        """Cardinalities with a best (worst) set that was proved and not enumerated."""
        return sum(gap.proved for gap in self.gaps)


def compare_heuristic(certain: SubsetCurve, heuristic: SubsetCurve, side: Side) -> HeuristicJudged:
    """Compare two curves where the first was enumerated or its set proved, and the second has a set."""
    gaps = []
    values = []
    for point in certain.points:
        ten = point.ten_best if side == "best" else point.ten_worst
        values += [one.value for one in (point.best, point.worst) if one is not None]
        other = heuristic.at(point.cardinality)
        result = None if other is None else (other.best if side == "best" else other.worst)
        if not ten or ten[0].status not in ("exhaustive", "proved") or result is None:
            continue
        proved = ten[0].status == "proved"
        gap, same = abs(ten[0].value - result.value), PROOF_TOLERANCE if proved else _SAME
        gaps.append(
            HeuristicGap(
                cardinality=point.cardinality,
                gap=gap if gap > same else 0.0,
                rank=(1 if gap <= same else None)
                if proved
                else _rank(ten, result, certain.measure.higher_is_better == (side == "best")),
                proved=proved,
            )
        )
    if not gaps:
        raise InputError(
            "cardinality",
            0,
            "must include a size that was enumerated or proved, and searched by the heuristic",
        )
    return HeuristicJudged(side=side, gaps=tuple(gaps), score_range=max(values) - min(values))


def _rank(ten: tuple[Subset, ...], result: Subset, high_first: bool) -> int | None:
    sign = 1 if high_first else -1
    ahead = sum(sign * (one.value - result.value) > _SAME for one in ten)
    return ahead + 1 if ahead < len(ten) else None


@dataclass(frozen=True, kw_only=True)
class ChosenSet:
    """The best or worst set by one measure, judged by all."""

    chosen_by: Goodness  # the measure it is best (worst) by
    side: Side
    subset: Subset
    judged: dict[Goodness, float | None]


@dataclass(frozen=True, kw_only=True)
class AcrossMeasures:
    """Sets of one cardinality, chosen by each measure."""

    cardinality: int
    chosen: tuple[ChosenSet, ...]  # best by each measure, then worst by each, if they exist
    averages: dict[Goodness, float | None]  # mean goodness of random sets by each measure


def across_measures(
    matrix: ScoreMatrix,
    cardinality: int,
    *,
    method: Method = "local",
    n_trials: int = 1000,
    seed: int = DEFAULT_SEED,
    report_progress: Report = silently,
    executor: Executor | None = None,
) -> AcrossMeasures:
    """Choose sets by each measure and judge them by all."""
    points = {}
    for place, measure in enumerate(MEASURES):
        request = Request(
            goodness=measure.key, cardinalities=(cardinality,), method=method, n_trials=n_trials, seed=seed
        )

        def share(fraction: float, place: int = place) -> None:
            report_progress((place + fraction) / len(MEASURES))

        points[measure.key] = subset_curve(matrix, request, report_progress=share, executor=executor).points[
            0
        ]
    criteria = {measure: criterion_for(matrix, measure.key) for measure in MEASURES}
    places = {topic: place for place, topic in enumerate(matrix.topics)}

    def judged(subset: Subset) -> dict[Goodness, float | None]:
        topics = [places[topic] for topic in subset.topics]
        values = {measure: criterion.value(topics) for measure, criterion in criteria.items()}
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
