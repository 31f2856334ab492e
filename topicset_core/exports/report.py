"""One answer as its readers take it home: sentence, tables, figures, record, and text for a paper.

An analysis makes one `Report` of its result; a page draws buttons from it, and the command line prints
its sentence, its tables or its record. So a number has the same name wherever it is read.
"""

import json
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

from topicset_core import __version__
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.figures import Figure, html_page
from topicset_core.exports.tables import Table, csv_bytes, xlsx_bytes

SCHEMA = 1
"""Version of the record's layout; goes up when a name in it changes or disappears."""

_PACKAGES = ("numpy", "scipy")


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
        """Return the tables as one Excel workbook; its first sheet says what was asked and answered."""
        tables = {table.sheet: table.columns() for table in self.tables if table.sheet}
        return xlsx_bytes({"Answer": self.answer()} | tables)

    def answer(self) -> Table:
        """Return question and answer as a table of two columns: the sentence, every input, the data, the source."""
        first = next(iter(self.results()), {})
        rows: dict[str, object] = {"answer": self.sentence} | _scalars(first)
        rows |= {"measure": self.measure, "variance from": self.variance_source}
        for place, matrix in enumerate(self.matrices, start=1):
            size = f"{matrix.n_topics} topics x {matrix.n_systems} runs"
            rows[f"scores {place}"] = f"{matrix.name}, {matrix.measure}, {size}, SHA-256 {matrix.digest}"
        rows |= {"seed": self.seed, "link": self.link, "made by": f"Topicset {__version__}"}
        rows["date"] = datetime.now(UTC).date().isoformat()
        kept = {name: value for name, value in rows.items() if value not in ("", None)}
        return {self.title: list(kept), "value": list(kept.values())}

    def record(self) -> dict[str, Any]:
        """Return what was asked, with what, and what came out; digests of the scores, not the scores."""
        return {
            "schema": SCHEMA,
            "made_by": {"name": "topicset", "version": __version__},
            "with": {"python": platform.python_version()}
            | {name: metadata.version(name) for name in _PACKAGES},
            "measure": self.measure,
            "variance_source": self.variance_source,
            "scores": [_scores(matrix) for matrix in self.matrices],
            "seed": self.seed,
            "results": list(self.results()),
            "link": self.link,
        }

    def json(self) -> bytes:
        """Return the record as indented JSON."""
        return json.dumps(self.record(), indent=2, ensure_ascii=False, allow_nan=False).encode()

    def page(self) -> bytes:
        """Return sentence, figures, a table and the paragraph as one HTML file that needs no network."""
        table = self.page_table or self.tables[0].columns
        text = f"{self.text[0]}\n\n{self.link}" if self.link else self.text[0]
        return html_page(self.title, self.sentence, self.figures(), table(), text)


def _scalars(found: Mapping[str, Any], prefix: str = "") -> dict[str, object]:
    """Return the single values of a record by their names, those of a mapping within it as "mapping, name"."""
    rows: dict[str, object] = {}
    for name, value in found.items():
        if isinstance(value, Mapping) and not prefix:
            rows |= _scalars(value, f"{name}, ")
        elif isinstance(value, str | int | float):
            rows[f"{prefix}{name}"] = value
    return rows


def _scores(matrix: ScoreMatrix) -> dict[str, Any]:
    return {
        "name": matrix.name,
        "measure": matrix.measure,
        "n_topics": matrix.n_topics,
        "n_systems": matrix.n_systems,
        "sha256": matrix.digest,
    }
