"""What the page on reported results gives to take home."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from pages.parts import downloads
from pages.parts.design_exports import unmarked
from pages.parts.reported import ReportedTest
from topicset_core.analyses.sizing import ReportedResult
from topicset_core.designs.curves import SizeCurve
from topicset_core.exports.analysis_text import audit_text
from topicset_core.exports.csv_table import Table
from topicset_core.exports.html_page import html_page
from topicset_core.exports.record import json_record


@dataclass(frozen=True)
class _Audited:
    """An audit that can write itself down."""

    asked: dict[str, Any]
    audit: ReportedResult

    def record(self) -> dict[str, Any]:
        return {
            "analysis": "reported result",
            "test": self.audit.test,
            "asked": self.asked,
            "p_value": self.audit.p_value,
            "effect_size": self.audit.effect_size,
            "achieved_power": self.audit.achieved_power,
            "replication": self.audit.replication.record(),
        }


def table(audit: ReportedResult) -> Table:
    """Return the audit as a table."""
    return {
        "quantity": ["statistic", "p value", "effect size", "achieved power", "topics for a replication"],
        "value": [
            audit.statistic,
            audit.p_value,
            audit.effect_size,
            audit.achieved_power,
            float(audit.replication.required_topics),
        ],
    }


def offer(
    test: ReportedTest,
    asked: dict[str, Any],
    audit: ReportedResult,
    curve: SizeCurve,
    *,
    said: str,
    link: str,
    chart: Callable[[], tuple[go.Figure, str]],
) -> None:
    """Draw the download buttons and the text for a paper.

    Parameters
    ----------
    test : ReportedTest
        The test.
    asked : dict
        Values of its fields.
    audit : ReportedResult
        The answer.
    curve : SizeCurve
        What the chart shows.
    said : str
        The answer in words, in Markdown.
    link : str
        The full link.
    chart : callable
        The figure in print style and what it says, made at the click.
    """
    text = audit_text(audit, test.study(asked))
    topics = audit.replication.required_topics

    def powers() -> Table:
        return {"n_topics": curve.n_topics.tolist(), "power_exact": curve.exact.tolist()}

    downloads.every_kind(
        "reported-result",
        tables=(
            downloads.NamedTable("Audit", "reported-result", lambda: table(audit)),
            downloads.NamedTable("By topics", "power-of-replication", powers),
        ),
        workbook=lambda: {"audit": table(audit), "power by topics": powers()},
        record=lambda: json_record([_Audited(asked, audit)], measure="", variance_source="", link=link),
        page=lambda: html_page(
            f"{audit.test}: a replication needs {topics:,} topics",
            f"{topics:,} topics {unmarked(said)}",
            [chart()],
            table(audit),
            f"{text[0]}\n\n{link}",
        ),
        text=text,
    )
