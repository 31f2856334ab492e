"""A curve as plain values for JSON."""

from typing import Any

from topicset_core.analyses.topic_subsets.curve import CurvePoint, Subset, SubsetCurve


def plain_curve(curve: SubsetCurve, target: float) -> dict[str, Any]:
    """Return a curve with what a target asks for.

    Parameters
    ----------
    curve : SubsetCurve
        As found.
    target : float
        Goodness at which the curve is read across.
    """
    crossings = curve.crossings(target)
    return {
        "goodness": curve.measure.key,
        "n_topics": curve.n_topics,
        "n_systems": curve.n_systems,
        "n_trials": curve.n_trials,
        "seed": curve.seed,
        "target": target,
        "topics_for_target": {"best": crossings.best, "mean": crossings.mean, "worst": crossings.worst},
        "cardinalities": [_plain_point(point) for point in curve.points],
    }


def _plain_point(point: CurvePoint) -> dict[str, Any]:
    return {
        "cardinality": point.cardinality,
        "best": _plain_subset(point.best),
        "worst": _plain_subset(point.worst),
        "mean": point.mean,
        "mean_standard_error": point.mean_standard_error,
        "n_averaged": point.n_averaged,
        "n_undefined": point.n_undefined,
        "percentiles": {str(level): value for level, value in point.percentiles.items()},
        "ten_best": [_plain_subset(one) for one in point.ten_best],
        "ten_worst": [_plain_subset(one) for one in point.ten_worst],
    }


def _plain_subset(subset: Subset | None) -> dict[str, Any] | None:
    if subset is None:
        return None
    plain = {"value": subset.value, "topics": list(subset.topics), "status": subset.status}
    return plain if subset.bound is None else plain | {"bound": subset.bound}
