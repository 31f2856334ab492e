"""Subsets of topics as tables: a row a cardinality, a set, a topic."""

from topicset_core.analyses.topic_subsets.curve import SubsetCurve
from topicset_core.analyses.topic_subsets.topic_counts import TopicTable
from topicset_core.exports.csv_table import Table

_SEPARATOR = " "


def curve_table(curve: SubsetCurve) -> Table:
    """Return a row a cardinality."""
    points = curve.points
    levels = sorted({level for point in points for level in point.percentiles})
    return {
        "topics": [point.cardinality for point in points],
        "best": [None if point.best is None else point.best.value for point in points],
        "best_status": [None if point.best is None else point.best.status for point in points],
        "best_bound": [None if point.best is None else point.best.bound for point in points],
        "mean": [point.mean for point in points],
        "mean_standard_error": [point.mean_standard_error for point in points],
        "worst": [None if point.worst is None else point.worst.value for point in points],
        "worst_status": [None if point.worst is None else point.worst.status for point in points],
        "worst_bound": [None if point.worst is None else point.worst.bound for point in points],
        **{f"percentile_{level}": [point.percentiles.get(level) for point in points] for level in levels},
        "subsets_averaged": [point.n_averaged for point in points],
        "subsets_without_correlation": [point.n_undefined for point in points],
    }


def set_table(curve: SubsetCurve) -> Table:
    """Return a row for each of the ten best and ten worst sets of each cardinality."""
    rows = [
        (point.cardinality, side, rank, one)
        for point in curve.points
        for side, sets in (("best", point.ten_best), ("worst", point.ten_worst))
        for rank, one in enumerate(sets, start=1)
    ]
    return {
        "topics": [size for size, _, _, _ in rows],
        "side": [side for _, side, _, _ in rows],
        "rank": [rank for _, _, rank, _ in rows],
        "value": [one.value for _, _, _, one in rows],
        "status": [one.status for _, _, _, one in rows],
        "topic_ids": [_SEPARATOR.join(one.topics) for _, _, _, one in rows],
    }


def topics_table(table: TopicTable) -> Table:
    """Return a row a topic."""
    return {
        "topic": [row.topic for row in table.rows],
        "in_best_sets": [row.in_best for row in table.rows],
        "in_worst_sets": [row.in_worst for row in table.rows],
        f"in_ten_best_of_{table.cardinality}": [row.in_ten_best for row in table.rows],
        f"in_ten_worst_of_{table.cardinality}": [row.in_ten_worst for row in table.rows],
        "goodness_alone": [row.alone for row in table.rows],
        "mean_score": [row.mean_score for row in table.rows],
        "advice": [row.advice for row in table.rows],
    }
