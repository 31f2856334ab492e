"""One variance from several collections."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.variance.choices import ONE_WAY, Estimate, estimate_of
from topicset_core.variance.estimates import one_way
from topicset_core.variance.intervals import DEFAULT_LEVEL, VarianceInterval, variance_interval

Weights = Literal["topics", "degrees-of-freedom"]
"""The weight of a collection when variances are pooled."""

_UNLIKE = 10.0
"""Ratio of the largest scores above which collections have unlike scales, as 0 to 1 and 0 to 100."""


def pooled(
    matrices: Iterable[ScoreMatrix],
    estimate: Callable[[ScoreMatrix], float] = one_way,
    weights: Weights = "topics",
) -> float:
    """Return the weighted mean of the matrices' variances.

    Sakai 2016 pools in its Eq. 38. The printed equation is missing from the copy that this was
    written from; the weights n_C - 1 were rebuilt from the text around it. They reproduce the
    paper's pooled .0471, which residual degrees of freedom as weights would do too, because both of
    the paper's collections have 78 runs. With unequal numbers of runs the two differ.

    Parameters
    ----------
    matrices : iterable of ScoreMatrix
        At least one, all of the same measure.
    estimate : callable
        The variance of one matrix: one of `choices.ESTIMATES`, or a function such as `one_way`.
    weights : {"topics", "degrees-of-freedom"}
        ``topics``: n_C - 1, the paper's; every collection speaks for its topics, however many runs
        it had. ``degrees-of-freedom``: those of the residual, m_C (n_C - 1) for one-way,
        (m_C - 1)(n_C - 1) for two-way and the mean over pairs, m_C n_C - 1 for total: the usual
        weights of a pooled variance, best where residuals are independent. Runs on the same topics
        are not, which speaks for the first.

    Raises
    ------
    InputError
        If there is no matrix, the matrices are of different measures, or the estimate has no degrees
        of freedom where they are to be the weights.
    """
    collections = checked_collections(matrices)
    shares = shares_of(collections, estimate, weights)
    # Sakai 2016, Eq. 38 (as rebuilt): sum_C (n_C - 1) sigma_C^2 / sum_C (n_C - 1)
    weighted = sum(share * estimate(matrix) for share, matrix in zip(shares, collections, strict=True))
    return weighted / sum(shares)


def pooled_interval(
    matrices: Iterable[ScoreMatrix],
    estimate: Estimate = ONE_WAY,
    weights: Weights = "topics",
    level: float = DEFAULT_LEVEL,
) -> VarianceInterval:
    """Return the interval of `pooled`, over the topics that might have been in the collections.

    Parameters
    ----------
    matrices, weights
        As in `pooled`.
    estimate : Estimate
        One of `choices.ESTIMATES`, or made by `pair_percentile` or `chosen_pair`.
    level : float
        Nominal coverage, above 0 and below 1.

    Raises
    ------
    InputError
        As `pooled`, or if `level` is not between 0 and 1.
    """
    collections = checked_collections(matrices)
    return variance_interval(collections, estimate, shares_of(collections, estimate, weights), level)


def shares_of(
    collections: Sequence[ScoreMatrix], estimate: Callable[[ScoreMatrix], float], weights: Weights
) -> tuple[int, ...]:
    """Return the weight of each collection, a whole number from 1."""
    if weights not in get_args(Weights):
        raise InputError("weights", weights, f"must be one of {', '.join(get_args(Weights))}")
    if weights == "topics":
        return tuple(matrix.n_topics - 1 for matrix in collections)
    known = estimate_of(estimate)
    if known is None or known.degrees_of_freedom is None:
        name = getattr(estimate, "__name__", "this estimate") if known is None else known.name
        raise InputError("weights", weights, f"must be topics: {name} has no degrees of freedom")
    return tuple(known.degrees_of_freedom(matrix) for matrix in collections)


def checked_collections(matrices: Iterable[ScoreMatrix]) -> tuple[ScoreMatrix, ...]:
    """Return the matrices as a tuple, after a check that they can be pooled."""
    collections = tuple(matrices)
    if not collections:
        raise InputError("matrices", 0, "must be at least one score matrix")
    measures = sorted({matrix.measure for matrix in collections})
    if len(measures) > 1:
        raise InputError("matrices", measures, "must all be scores of one measure")
    return collections


@dataclass(frozen=True, kw_only=True)
class LargestVariance:
    """The measure that varies most."""

    measure: str
    variance: float  # its variance, pooled over its matrices
    # All measures with their pooled variances, from the largest down
    by_measure: tuple[tuple[str, float], ...]


def largest_by_measure(
    matrices: Iterable[ScoreMatrix],
    estimate: Callable[[ScoreMatrix], float] = one_way,
    weights: Weights = "topics",
) -> LargestVariance:
    """Return the measure with the largest variance, each pooled over its matrices (Sakai 2016, 6.1 and 7)."""
    # Variances compare only between measures of one scale, from 0 to 1 as a rule; that is the caller's to see to.
    groups: dict[str, list[ScoreMatrix]] = {}
    for matrix in matrices:
        groups.setdefault(matrix.measure, []).append(matrix)
    if not groups:
        raise InputError("matrices", 0, "must be at least one score matrix")
    variances = [(measure, pooled(group, estimate, weights)) for measure, group in groups.items()]
    ordered = tuple(sorted(variances, key=lambda pair: -pair[1]))
    return LargestVariance(measure=ordered[0][0], variance=ordered[0][1], by_measure=ordered)


@dataclass(frozen=True, kw_only=True)
class Disagreement:
    """Collections with unlike scales, or with variances that differ by more than their intervals allow."""

    names: tuple[str, ...]  # of the collections, by rising variance, or by scale where scales are unlike
    variances: tuple[float, ...]  # sigma^2 of each, one-way
    intervals: tuple[tuple[float, float], ...]
    scales: tuple[tuple[float, float], ...]  # smallest and largest score of each

    @property
    def sentence(self) -> str:
        """Which scales or variances differ, in words."""
        low, high = (max(map(abs, self.scales[at])) for at in (0, -1))
        if high > _UNLIKE * low:
            first, last = (
                f"from {self.scales[at][0]:g} to {self.scales[at][1]:g} in {self.names[at]}" for at in (0, -1)
            )
            return f"The scales differ: scores run {first}, {last}"
        first, last = (
            f"{self.names[at]} {self.variances[at]:.3g} "
            f"({self.intervals[at][0]:.3g} to {self.intervals[at][1]:.3g})"
            for at in (0, -1)
        )
        return f"The variances differ by more than their intervals allow: {first}, {last}"


def disagreement(matrices: Iterable[ScoreMatrix]) -> Disagreement | None:
    """Return which collections have unlike scales or one-way variances; None where they may share a variance."""
    # Two collections have 90 % intervals; for more they are wider (Bonferroni), so that the rule as a whole is as
    # strict. Two collections of 5 to 50 topics drawn from those of one disagree in 0 to 6 % of cases.
    varying = [(one_way(collection), collection) for collection in checked_collections(matrices)]
    result = sorted((pair for pair in varying if pair[0] > 0), key=lambda pair: _largest(pair[1]))
    if len(result) < 2:
        return None
    are_unlike = _largest(result[-1][1]) > _UNLIKE * _largest(result[0][1])
    if not are_unlike:
        result.sort(key=lambda pair: pair[0])
    level = 1 - (1 - DEFAULT_LEVEL) / (len(result) * (len(result) - 1) / 2)
    intervals = [pooled_interval([matrix], level=level) for _, matrix in result]
    if not are_unlike and intervals[0].high >= intervals[-1].low:
        return None
    return Disagreement(
        names=tuple(matrix.name for _, matrix in result),
        variances=tuple(variance for variance, _ in result),
        intervals=tuple((interval.low, interval.high) for interval in intervals),
        scales=tuple((float(matrix.scores.min()), float(matrix.scores.max())) for _, matrix in result),
    )


def _largest(matrix: ScoreMatrix) -> float:
    return float(abs(matrix.scores).max())


def pool_of(matrices: Iterable[ScoreMatrix]) -> tuple[tuple[ScoreMatrix, ...], tuple[Disagreement, ...]]:
    """Return the first matrix with those that may share its variance, and why each of the others is left out."""
    first, *others = checked_collections(matrices)
    kept, reasons = [first], []
    for matrix in others:
        why = disagreement([*kept, matrix])
        if why is None:
            kept.append(matrix)
        else:
            reasons.append(why)
    return tuple(kept), tuple(reasons)


PER_CENT = 100.0
"""Upper end of a scale of scores in per cent."""


def scale_question(matrices: Iterable[ScoreMatrix], symbol: str, difference: float) -> str:
    """Return a question about a difference below one point on scores that look like per cent; "" for others."""
    high = [float(matrix.scores.max()) for matrix in matrices if looks_like_per_cent(matrix)]
    if not high or abs(difference) >= 1:
        return ""
    return (
        f"Scores run up to {max(high):g}: is their scale 0 to 100? Then {symbol} = {difference:g} is "
        f"{difference:g} of 100 points; did you mean {PER_CENT * difference:g}?"
    )


def looks_like_per_cent(matrix: ScoreMatrix) -> bool:
    """Return whether scores go above 1, but not above 100 nor below 0."""
    return bool(matrix.scores.min() >= 0 and 1 < matrix.scores.max() <= PER_CENT)
