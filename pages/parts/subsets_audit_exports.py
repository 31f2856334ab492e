"""What the audit view of the topic subsets page gives to take home."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from pages.parts import downloads
from pages.parts.subsets_audit_form import AuditAsked
from topicset_core.analyses.topic_subsets.held_out.audit import SubsetAudit
from topicset_core.analyses.topic_subsets.held_out.sentences import audit_answer
from topicset_core.exports.audit_records import audit_record, audit_table, rank_changes_table
from topicset_core.exports.held_out_text import subset_audit_text
from topicset_core.exports.html_page import html_page
from topicset_core.exports.record import json_record


@dataclass(frozen=True)
class Answered:
    """The question and what was found."""

    question: AuditAsked
    found: SubsetAudit

    @property
    def sentence(self) -> str:
        """The answer by the goodness of the page."""
        return audit_answer(self.found, self.question.asked.measure.key)

    def record(self) -> dict[str, Any]:
        """Return the answer as plain values for JSON."""
        return {
            "sentence": self.sentence,
            "prepared": list(self.question.asked.said),
            "left_out_runs": list(self.question.left_out),
            "teams_together": self.question.teams is not None,
            **audit_record(self.found),
        }


def offer(answered: Answered, charts: Callable[[], list[tuple[go.Figure, str]]]) -> None:
    """Draw the download buttons and the text for a paper.

    Parameters
    ----------
    answered : Answered
        What the view shows.
    charts : callable
        The figures in print style and what they say, made at the click.
    """
    # A file is made at the click, outside of the session: what belongs to it is taken here.
    question, found = answered.question, answered.found
    asked, url, sentence = question.asked, question.url, answered.sentence
    text = subset_audit_text(found)
    downloads.every_kind(
        "topic-subset-audit",
        tables=[
            downloads.NamedTable("Place", "topic-subset-audit-place", lambda: audit_table(found)),
            downloads.NamedTable("Ranks", "topic-subset-audit-ranks", lambda: rank_changes_table(found)),
        ],
        workbook=lambda: {"place": audit_table(found), "ranks": rank_changes_table(found)},
        record=lambda: json_record(
            [answered],
            measure=asked.matrix.measure,
            variance_source=" ".join(asked.said) or "as loaded",
            matrices=[asked.matrix],
            seed=found.request.seed,
            link=url,
        ),
        page=lambda: html_page(
            f"Audit of a set of topics: {found.scores}",
            sentence,
            charts(),
            audit_table(found),
            f"{text[0]}\n\n{url}",
        ),
        text=text,
    )
