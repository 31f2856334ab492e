"""What the topic subsets page gives to take home."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import plotly.graph_objects as go

from pages.parts import downloads
from pages.parts.subsets_form import Asked
from topicset_core.analyses.topic_subsets.curve import SubsetCurve
from topicset_core.analyses.topic_subsets.plain_values import plain_curve
from topicset_core.analyses.topic_subsets.sentence import answer_sentence
from topicset_core.analyses.topic_subsets.stability import stability
from topicset_core.analyses.topic_subsets.topic_counts import TopicTable
from topicset_core.exports.html_page import html_page
from topicset_core.exports.record import json_record
from topicset_core.exports.topic_subsets_text import topic_subsets_text

_SEPARATOR = " "


@dataclass(frozen=True)
class Answered:
    """The question and all that was found for it."""

    asked: Asked
    curve: SubsetCurve
    table: TopicTable

    def record(self) -> dict[str, Any]:
        """Return the answer as plain values for JSON."""
        return {
            "sentence": answer_sentence(self.curve, self.asked.target),
            "prepared": list(self.asked.said),
            "method": self.asked.method,
            **plain_curve(self.curve, self.asked.target),
            "stability": {"best": stability(self.curve, "best"), "worst": stability(self.curve, "worst")},
            "topics": [asdict(row) for row in self.table.rows],
            "topics_of_ten_sets_of": self.table.cardinality,
            "hardness_correlation": self.table.hardness_correlation,
        }


def offer(answered: Answered, charts: Callable[[], list[tuple[go.Figure, str]]]) -> None:
    """Draw the download buttons and the text for a paper.

    Parameters
    ----------
    answered : Answered
        What the page shows.
    charts : callable
        The figures in print style and what they say, made at the click.
    """
    # A file is made at the click, outside of the session: what belongs to it is taken here.
    asked, curve, table = answered.asked, answered.curve, answered.table
    link, sentence = asked.url, answer_sentence(curve, asked.target)
    text = topic_subsets_text(curve, asked.target, scores=asked.matrix.measure, name=asked.matrix.name)
    downloads.every_kind(
        "topic-subsets",
        tables=[
            downloads.NamedTable("Curve", "topic-subsets-curve", lambda: curve_table(curve)),
            downloads.NamedTable("Sets", "topic-subsets-sets", lambda: set_table(curve)),
            downloads.NamedTable("Topics", "topic-subsets-topics", lambda: topics_table(table)),
        ],
        workbook=lambda: {
            "curve": curve_table(curve),
            "sets": set_table(curve),
            "topics": topics_table(table),
        },
        record=lambda: json_record(
            [answered],
            measure=asked.matrix.measure,
            variance_source=" ".join(asked.said) or "as loaded",
            matrices=[asked.matrix],
            seed=curve.seed,
            link=link,
        ),
        page=lambda: html_page(
            f"A few good topics: {asked.matrix.measure}, {asked.matrix.name}",
            sentence,
            charts(),
            curve_table(curve),
            f"{text[0]}\n\n{link}",
        ),
        text=text,
    )


def curve_table(curve: SubsetCurve) -> dict[str, list[Any]]:
    """Return a row a cardinality."""
    points = curve.points
    levels = sorted({level for point in points for level in point.percentiles})
    return {
        "topics": [point.cardinality for point in points],
        "best": [None if point.best is None else point.best.value for point in points],
        "best_status": [None if point.best is None else point.best.status for point in points],
        "mean": [point.mean for point in points],
        "mean_standard_error": [point.mean_standard_error for point in points],
        "worst": [None if point.worst is None else point.worst.value for point in points],
        "worst_status": [None if point.worst is None else point.worst.status for point in points],
        **{f"percentile_{level}": [point.percentiles.get(level) for point in points] for level in levels},
        "subsets_averaged": [point.n_averaged for point in points],
        "subsets_without_correlation": [point.n_undefined for point in points],
    }


def set_table(curve: SubsetCurve) -> dict[str, list[Any]]:
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


def topics_table(table: TopicTable) -> dict[str, list[Any]]:
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
