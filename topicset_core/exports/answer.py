"""An answer in Python: what a terminal prints, its record, its tables and its charts; a notebook shows it."""

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from topicset_core.errors import InputError
from topicset_core.exports.figures import below_title
from topicset_core.exports.html import written
from topicset_core.exports.records import plain
from topicset_core.exports.report import Report
from topicset_core.exports.svg import svg
from topicset_core.wording import first_sentence

if TYPE_CHECKING:  # frames and drawing are extras
    import pandas as pd
    import plotly.graph_objects as go

    from topicset_core.exports.tables import Table

A = TypeVar("A")
T = TypeVar("T")

_SIMULATIONS = "Simulations: docs/statements.md, or Tested statements in the guide of the app"
_MOST_ROWS = 20  # of a table in a notebook


@dataclass(frozen=True, kw_only=True, repr=False)
class Answer(Generic[A]):
    """An answer, as a command of the command line gives it; a notebook shows it.

    Parameters
    ----------
    text : str
        The lines that a terminal prints.
    record : mapping
        What the command prints with ``--json``, as plain values.
    answer : object
        The answer as the function of its analysis or design returns it.
    report : Report, optional
        Tables, figures and the paragraph for a paper; None where an answer is its record alone.
    status : int
        Exit status of the command.
    """

    text: str
    record: Mapping[str, Any]
    answer: A
    report: Report | None = None
    status: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "record", plain(self.record))
        if "n simulation" in self.text and _SIMULATIONS not in self.text:
            object.__setattr__(self, "text", f"{self.text.rstrip()}\n{_SIMULATIONS}")

    def __repr__(self) -> str:
        return self.text

    @property
    def tables(self) -> tuple[str, ...]:
        """The names that `table` takes."""
        return tuple(self._tables)

    @property
    def plots(self) -> tuple[str, ...]:
        """The names that `plot` takes."""
        return tuple(figure.name for figure in self.report.figures()) if self.report else ()

    def table(self, name: str | None = None) -> "pd.DataFrame":
        """Return a table with all digits; needs pandas.

        Parameters
        ----------
        name : str, optional
            One of `tables`; by default the table of the answer's page.

        Raises
        ------
        InputError
            If there is no such table.
        ImportError
            If pandas is not installed.
        """
        try:
            from pandas import DataFrame
        except ImportError:
            raise ImportError("table needs pandas: pip install pandas") from None
        page_table = self.report and self.report.page_table
        columns = page_table if name is None and page_table else _named("table", self._tables, name).columns
        return DataFrame(dict(columns()))

    def plot(self, name: str | None = None) -> "go.Figure":
        """Return a chart as a figure of Plotly; needs ``pip install "topicset[figures]"``.

        Parameters
        ----------
        name : str, optional
            One of `plots`; by default the main chart.

        Raises
        ------
        InputError
            If there is no such chart.
        ImportError
            If Plotly is not installed.
        """
        every = islice(self.report.figures() if self.report else (), 1 if name is None else None)
        figures = {chart.name: chart for chart in every}
        figure = _named("plot", figures, name)
        try:
            return figure.drawn
        except ImportError:
            raise ImportError('plot needs Plotly: pip install "topicset[figures]"') from None

    @property
    def _tables(self) -> dict[str, Any]:
        return {table.sheet or table.file: table for table in (self.report.tables if self.report else ())}

    def _repr_html_(self) -> str:
        """Return headline, cautions, chart, main table and text in the colours of the page around them."""
        if self.report is None:
            return f"<pre>{html.escape(self.text)}</pre>"
        report = self.report
        first = first_sentence(report.sentence)
        rest = html.escape(report.sentence.removeprefix(first))
        parts = [f"<p><strong>{html.escape(first)}</strong>{rest}</p>"]
        if report.caution:
            parts.append(f"<p><em>{html.escape(report.caution)}</em></p>")
        for figure in islice(report.figures(), 1):
            title, drawing, _ = below_title(figure.drawing)
            parts.append(title + svg(drawing, figure.alt))
        table = report.page_table or next((table.columns for table in report.tables), None)
        if table is not None:
            parts += _html_table(table())
        is_open = ' open=""' if table is None else ""  # the text is all there is
        for title, text in (("As in a terminal", self.text), ("Text for a paper", report.text[0])):
            if text:
                lines = f'<pre style="white-space:pre-wrap">{html.escape(text)}</pre>'
                parts.append(f"<details{is_open}><summary>{title}</summary>{lines}</details>")
        return f'<div class="topicset-answer" style="max-width:900px;overflow-x:auto">{"".join(parts)}</div>'


def _named(kind: str, every: Mapping[str, T], name: str | None) -> T:
    """Return the one with this name, by default the first."""
    if not every:
        raise InputError(kind, name, f"cannot be made: this answer has no {kind}")
    if name is not None and name not in every:
        raise InputError(kind, name, f"must be one of {', '.join(every)}")
    return every[name] if name is not None else next(iter(every.values()))


def _html_table(table: "Table") -> Iterator[str]:
    """Yield the first rows of a table, and how many there are."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in table)
    rows = list(zip(*table.values(), strict=True))
    cells = ("".join(f"<td>{html.escape(written(cell))}</td>" for cell in row) for row in rows[:_MOST_ROWS])
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    look = 'cellpadding="4" style="font-variant-numeric:tabular-nums"'
    yield f"<table {look}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    if len(rows) > _MOST_ROWS:
        yield f"<p>{_MOST_ROWS} of {len(rows):,} rows.</p>"
