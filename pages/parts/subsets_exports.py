"""What the topic subsets page gives to take home."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import plotly.graph_objects as go

from pages.parts import downloads
from pages.parts.subsets_form import Asked
from topicset_core.analyses.topic_subsets.curve import SubsetCurve
from topicset_core.analyses.topic_subsets.sentences import answer_sentence
from topicset_core.analyses.topic_subsets.topic_counts import TopicTable, stability
from topicset_core.exports.html_page import html_page
from topicset_core.exports.record import json_record
from topicset_core.exports.topic_subsets_tables import curve_table, set_table, topics_table
from topicset_core.exports.topic_subsets_text import topic_subsets_text


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
            **self.curve.record(self.asked.target),
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
    link, sentence = asked.url("topics"), answer_sentence(curve, asked.target)
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
