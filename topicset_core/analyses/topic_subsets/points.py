"""From oriented goodness and topic numbers to a point of the curve, in units of the measure and ids."""

from collections.abc import Sequence

from topicset_core.analyses.topic_subsets.curve import CurvePoint, Status, Subset
from topicset_core.analyses.topic_subsets.goodness import GoodnessMeasure
from topicset_core.analyses.topic_subsets.judge import Valued
from topicset_core.analyses.topic_subsets.sampling import Sampled


def point_of(
    topics: Sequence[str],
    measure: GoodnessMeasure,
    cardinality: int,
    best_and_worst: tuple[Sequence[Valued], Sequence[Valued]],
    status: Status,
    sampled: Sampled,
) -> CurvePoint:
    """Return the point; the best subsets first, and values turned back where lower is better."""
    turn = 1.0 if measure.higher_is_better else -1.0

    def subsets(found: Sequence[Valued]) -> tuple[Subset, ...]:
        return tuple(
            Subset(
                value=turn * one.value + 0.0,  # no negative zeros
                topics=tuple(topics[place] for place in one.topics),
                status=status,
            )
            for one in found
        )

    best, worst = best_and_worst
    levels = sampled.percentiles
    return CurvePoint(
        cardinality=cardinality,
        ten_best=subsets(best),
        ten_worst=subsets(worst),
        mean=None if sampled.mean is None else turn * sampled.mean + 0.0,
        mean_standard_error=sampled.standard_error,
        n_averaged=sampled.n_averaged,
        n_undefined=sampled.n_undefined,
        # The 5th percentile of minus the error rate is minus its 95th.
        percentiles={
            level: turn * levels[level if measure.higher_is_better else 100 - level] + 0.0 for level in levels
        },
    )
