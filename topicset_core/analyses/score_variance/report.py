"""The variance of scores as tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from topicset_core.analyses.score_variance.run_means import RunMeans
from topicset_core.analyses.score_variance.uncertainty import Round, VarianceUncertainty
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.tables import Table
from topicset_core.variance import ONE_WAY, TWO_WAY, VarianceInterval, pooled_interval


@dataclass(frozen=True, eq=False)
class MatrixVariances:
    """A matrix with its within-system variances; one run leaves no residual, so `two_way` is then None."""

    matrix: ScoreMatrix
    one_way: float  # residual variance of one-way ANOVA, in squared units of the measure
    two_way: float | None
    one_way_interval: VarianceInterval
    two_way_interval: VarianceInterval | None


def variances_of(matrix: ScoreMatrix) -> MatrixVariances:
    """Return both within-system variances of a matrix (Sakai 2016, Eqs. 36 and 37)."""
    has_two = matrix.n_systems > 1
    return MatrixVariances(
        matrix,
        ONE_WAY(matrix),
        TWO_WAY(matrix) if has_two else None,
        pooled_interval([matrix]),
        pooled_interval([matrix], TWO_WAY) if has_two else None,
    )


def variances_table(result: Sequence[MatrixVariances]) -> dict[str, list[object]]:
    """Return size and within-system variances of each matrix."""
    return {
        "scores": [one.matrix.name for one in result],
        "measure": [one.matrix.measure for one in result],
        "topics": [one.matrix.n_topics for one in result],
        "runs": [one.matrix.n_systems for one in result],
        "σ² one-way": [one.one_way for one in result],
        "σ² one-way, 90 % interval": [in_short(one.one_way_interval) for one in result],
        "σ² two-way": [one.two_way for one in result],
        "σ² two-way, 90 % interval": [in_short(one.two_way_interval) for one in result],
    }


def in_short(interval: VarianceInterval | None) -> str:
    """Return the ends of an interval, for a cell; "" without one."""
    return "" if interval is None else f"{interval.low:.3g} to {interval.high:.3g}"


def rounds_table(result: Sequence[Round]) -> Table:
    """Return each round's own variance and the variance so far, with intervals and the topics asked for."""
    return {
        "round": [each.name for each in result],
        "topics": [each.n_topics for each in result],
        "runs": [each.n_systems for each in result],
        "σ²": [each.own.variance for each in result],
        "interval": [in_short(each.own.interval) for each in result],
        "n": [_topics(each.own) for each in result],
        "σ² so far": [each.so_far.variance for each in result],
        "interval so far": [in_short(each.so_far.interval) for each in result],
        "n so far": [_topics(each.so_far) for each in result],
    }


def run_means_table(result: RunMeans) -> Table:
    """Return mean, interval and standard deviation of each run, best first."""
    return {
        "run": result.systems,
        f"mean {result.measure}": result.means.tolist(),
        "from": result.lower.tolist(),
        "to": result.upper.tolist(),
        "standard deviation": result.standard_deviations.tolist(),
    }


def _topics(one: VarianceUncertainty) -> str:
    low, high = ("none" if topics is None else f"{topics:,}" for topics in one.topics_interval)
    return f"{'none' if one.topics is None else f'{one.topics:,}'} ({low} to {high})"
