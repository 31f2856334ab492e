"""What the page that compares designs gives to take home."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pages.parts import comparison, data, downloads
from pages.parts.comparison_form import Asked
from pages.parts.design_exports import unmarked
from topicset_core.analyses.sizing import ComparisonTable
from topicset_core.exports.analysis_text import comparison_text
from topicset_core.exports.csv_table import Table
from topicset_core.exports.html_page import html_page
from topicset_core.exports.record import json_record


@dataclass(frozen=True)
class _Compared:
    """A comparison that can write itself down."""

    asked: Asked
    tables: Sequence[ComparisonTable]

    def record(self) -> dict[str, Any]:
        return {
            "analysis": "comparison of designs",
            "method": self.asked.method,
            "alpha": self.asked.alpha,
            "beta": self.asked.beta,
            "within_system_variances": self.asked.variances,
            "tables": [
                {
                    "method_label": table.method_label,
                    "differences": list(table.differences),
                    "required_topics": {
                        measure: table.topics[:, column].tolist()
                        for column, measure in enumerate(table.measures)
                    },
                    "anova_stands_in": table.stands_in.tolist(),
                }
                for table in self.tables
            ],
        }


def offer(
    asked: Asked,
    tables: Sequence[ComparisonTable],
    *,
    said: str,
    link: str,
    charts: Callable[[], Sequence[comparison.Drawn]],
) -> None:
    """Draw the download buttons and the text for a paper.

    Parameters
    ----------
    asked : Asked
        The question.
    tables : sequence of ComparisonTable
        The answer.
    said : str
        The answer in words, in Markdown.
    link : str
        The full link.
    charts : callable
        The figures in print style and what they say, made at the click.
    """
    # A file is made at the click, outside of the session: what belongs to it is taken here.
    matrices = () if asked.is_linked else data.matrices()
    measures = ", ".join(asked.variances)
    text = comparison_text(
        comparison.spoken_of(tables),
        comparison.DIFFERENCE,
        {found.measure: (found.value, found.source) for found in asked.measured},
        alpha=asked.alpha,
        beta=asked.beta,
        method=asked.method,
    )
    downloads.every_kind(
        "compare-designs",
        tables=[downloads.NamedTable("All tables", "compare-designs", lambda: _long(tables))],
        workbook=lambda: _sheets(tables),
        record=lambda: json_record(
            [_Compared(asked, tables)],
            measure=measures,
            variance_source="; ".join(found.source for found in asked.measured),
            matrices=matrices,
            link=link,
        ),
        page=lambda: html_page(
            f"Designs compared: {measures}",
            unmarked(said),
            [(drawn.figure, drawn.alt) for drawn in charts()],
            _wide(tables),
            f"{text[0]}\n\n{link}",
        ),
        text=text,
    )


def _sheets(tables: Sequence[ComparisonTable]) -> dict[str, Table]:
    """Return one sheet a method."""
    return {
        table.method_label.replace("confidence interval", "CI"): {"difference": list(table.differences)}
        | {
            f"topics, {measure}": table.topics[:, column].tolist()
            for column, measure in enumerate(table.measures)
        }
        for table in tables
    }


def _long(tables: Sequence[ComparisonTable]) -> Table:
    """Return all tables as one, a row a number."""
    rows = [
        (table.method_label, difference, measure, int(table.topics[row, column]))
        for table in tables
        for row, difference in enumerate(table.differences)
        for column, measure in enumerate(table.measures)
    ]
    columns = zip(*rows, strict=True)
    return dict(zip(("method", "difference", "measure", "topics"), map(list, columns), strict=True))


def _wide(tables: Sequence[ComparisonTable]) -> Table:
    """Return all tables one below the other, a column a measure."""
    names: Table = {
        "method": [table.method_label for table in tables for _ in table.differences],
        "difference": [difference for table in tables for difference in table.differences],
    }
    return dict(names) | {
        f"topics, {measure}": [int(topics) for table in tables for topics in table.topics[:, column]]
        for column, measure in enumerate(tables[0].measures)
    }
