"""From oriented goodness and topic numbers to a point of the curve, in units of the measure and ids."""

from collections.abc import Sequence
from dataclasses import replace

from topicset_core.analyses.topic_subsets.certificates.proof import Proof
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
    certified: tuple[Proof, Proof] | None = None,
) -> CurvePoint:
    """Return the point; the best subsets first, and values turned back where lower is better.

    `certified` speaks for the first of the best and the first of the worst, of a correlation.
    """
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
    ten_best, ten_worst = subsets(best), subsets(worst)
    if certified is not None:
        ten_best, ten_worst = _with_first(ten_best, certified[0]), _with_first(ten_worst, certified[1])
    return CurvePoint(
        cardinality=cardinality,
        ten_best=ten_best,
        ten_worst=ten_worst,
        mean=None if sampled.mean is None else turn * sampled.mean + 0.0,
        mean_standard_error=sampled.standard_error,
        n_averaged=sampled.n_averaged,
        n_undefined=sampled.n_undefined,
        # The 5th percentile of minus the error rate is minus its 95th.
        percentiles={
            level: turn * levels[level if measure.higher_is_better else 100 - level] + 0.0 for level in levels
        },
    )


def _with_first(subsets: tuple[Subset, ...], proof: Proof) -> tuple[Subset, ...]:
    """Return the subsets with the status of the first, which is the set of the proof."""
    status: Status = "proved" if proof.status == "proved" else "gap"
    first = replace(subsets[0], status=status, bound=None if status == "proved" else proof.bound)
    return (first, *subsets[1:])
