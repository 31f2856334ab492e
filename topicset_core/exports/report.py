"""One answer as its readers take it home: sentence, tables, figures, record, and text for a paper.

An analysis makes one `Report` of its result; a page draws buttons from it, and the command line prints
its sentence, its tables or its record. So a number has the same name wherever it is read.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from topicset_core.collection import ScoreMatrix
from topicset_core.exports.csv_table import Table, csv_bytes
from topicset_core.exports.html_page import html_page
from topicset_core.exports.record import record_of, written
from topicset_core.exports.xlsx_table import xlsx_bytes

if TYPE_CHECKING:  # drawing is an extra: the command line works without it
    import plotly.graph_objects as go

Figure = tuple["go.Figure", str]
"""A figure, and what it shows in words for those who cannot see it."""


@dataclass(frozen=True)
class ReportTable:
    """One table of a report.

    Parameters
    ----------
    sheet : str
        Its title in the workbook; "" where it stands in no workbook.
    columns : callable
        The table, columns by name; made when it is asked for.
    label : str
        What the button says that hands it over alone as CSV; "" where none does.
    file : str
        Name of that file, without ending.
    """

    sheet: str
    columns: Callable[[], Table]
    label: str = ""
    file: str = ""

    def csv(self) -> bytes:
        """Return the table as CSV."""
        return csv_bytes(self.columns())


@dataclass(frozen=True, kw_only=True)
class Report:
    """One answer, ready to be taken home.

    Parameters
    ----------
    name : str
        File name of workbook, record and page, without ending.
    title, sentence : str
        Heading of the page, and the answer in plain words.
    tables : sequence of ReportTable
        In the order of buttons and sheets.
    results : callable
        What was found, as plain values for JSON, one mapping per result.
    text : (str, str)
        Paragraph for a paper, plain and LaTeX.
    figures : callable
        The figures in print style; made when they are asked for.
    page_table : callable, optional
        The table on the page; the first of `tables` where it is not given.
    measure, variance_source : str
        Which scores the answer rests on, and where their variance comes from.
    matrices : sequence of ScoreMatrix
        These scores; their digests are recorded.
    seed : int, optional
        Of whatever was drawn at random.
    link : str
        The full link to the answer; "" where there is none.
    """

    name: str
    title: str
    sentence: str
    tables: Sequence[ReportTable]
    results: Callable[[], Sequence[Mapping[str, Any]]]
    text: tuple[str, str]
    figures: Callable[[], Sequence[Figure]] = tuple
    page_table: Callable[[], Table] | None = None
    measure: str = ""
    variance_source: str = ""
    matrices: Sequence[ScoreMatrix] = field(default=(), repr=False)
    seed: int | None = None
    link: str = ""

    def workbook(self) -> bytes:
        """Return the tables as one Excel workbook."""
        return xlsx_bytes({table.sheet: table.columns() for table in self.tables if table.sheet})

    def record(self) -> dict[str, Any]:
        """Return what was asked, with what, and what came out."""
        return record_of(
            self.results(),
            measure=self.measure,
            variance_source=self.variance_source,
            matrices=self.matrices,
            seed=self.seed,
            link=self.link,
        )

    def json(self) -> bytes:
        """Return the record as indented JSON."""
        return written(self.record())

    def page(self) -> bytes:
        """Return sentence, figures, a table and the paragraph as one HTML file that needs no network."""
        table = self.page_table or self.tables[0].columns
        text = f"{self.text[0]}\n\n{self.link}" if self.link else self.text[0]
        return html_page(self.title, self.sentence, self.figures(), table(), text)
