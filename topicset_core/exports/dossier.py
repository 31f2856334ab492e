"""Answers of several pages as one document for a proposal: a single HTML file that prints well.

The entries of a dossier are plain: texts, numbers and figures as JSON. Therefore an entry outlives its
session, and is the same however often it is opened.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from topicset_core import parameters
from topicset_core.errors import InputError
from topicset_core.exports.citing import CITATION, split_plain
from topicset_core.exports.figures import Figure, drawing_of
from topicset_core.exports.html import drawn as drawn_figure
from topicset_core.exports.html import rendered
from topicset_core.exports.report import Report, scores_in_words
from topicset_core.exports.tables import Table
from topicset_core.version import __version__
from topicset_core.wording import first_sentence

_LARGEST_FIGURE = 2_000_000  # characters of JSON
_MOST_ROWS, _MOST_COLUMNS = 20, 8  # of a table on paper


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """One answer as a dossier has it."""

    # The question of the page, and the assumption that matters most
    question: str
    assumption: str
    title: str
    sentence: str
    settings: tuple[tuple[str, str], ...]
    figures: tuple[tuple[str, str, str], ...]  # name, description, and figure as JSON
    table: tuple[tuple[str, ...], ...]  # rows of the main table, its header first
    n_rows: int  # how many rows the whole table has
    paragraph: str  # how it was computed, with `CITATION` for its references
    works: tuple[str, ...]  # references of that paragraph
    scores: tuple[str, ...]  # scores that it rests on, with their digests
    # As reports have them
    measure: str
    source: str
    link: str
    is_sample: bool  # whether it rests on the built-in sample
    # Of Topicset, and of the day on which it was kept
    version: str
    date: str
    record: str  # the record of the answer as JSON
    is_saved: bool = False  # whether it is from a file, as that has it

    def __post_init__(self) -> None:
        for what, text in (("record", self.record), *(("figures", drawn) for _, _, drawn in self.figures)):
            try:
                json.loads(text)
            except (ValueError, RecursionError):
                raise InputError(what, text[:20], "must be JSON") from None
        if self.link and not self.link.startswith(("http://", "https://", "?")):
            raise InputError("link", self.link[:40], "must be an address of the web")

    @property
    def words(self) -> list[bool]:
        """Which columns of the table have words."""
        return [not all(map(_is_number, cells)) for cells in zip(*self.table[1:], strict=True)]

    def numbered(self, works: Sequence[str]) -> str:
        """Return the paragraph with the numbers of its references among these works."""
        numbers = ", ".join(str(works.index(work) + 1) for work in self.works)
        return self.paragraph.replace(CITATION, f"[{numbers}]")


def chapter(report: Report, question: str, assumption: str = "", title: str = "") -> Chapter:
    """Return the dossier entry of a report."""
    paragraph, works = split_plain(report.text[0])
    columns = (report.page_table or report.tables[0].columns)()
    record = report.record()
    drawn = [
        (figure.name, figure.alt, str(figure.drawing.to_plotly(is_checked=False).to_json()))
        for figure in report.figures()
    ]
    return Chapter(
        question=question,
        assumption=assumption,
        title=title or report.title,
        sentence=report.cautioned,
        settings=tuple((label, formatted(value)) for label, value in report.settings.items()),
        figures=tuple(figure for figure in drawn if len(figure[2]) <= _LARGEST_FIGURE),
        table=_shortened(columns),
        n_rows=len(next(iter(columns.values()), ())),
        paragraph=paragraph,
        works=works,
        scores=tuple(map(scores_in_words, report.matrices)),
        measure=report.measure,
        source=report.source,
        link=report.link,
        is_sample=report.is_sample,
        version=__version__,
        date=datetime.now(UTC).date().isoformat(),
        record=json.dumps(record, ensure_ascii=False, allow_nan=False),
    )


NOT_COMPUTED = "As saved, not computed here"
"""Mark of an answer from a file."""

_SYMBOLS = {
    var.name: var.symbol
    for var in vars(parameters).values()
    if isinstance(var, parameters.Parameter) and var.symbol
}


def formatted(value: object) -> str:
    """Return a value as a table on paper has it: numbers with four digits, nothing where it is not available."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1e4 else f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _shortened(columns: Table) -> tuple[tuple[str, ...], ...]:
    """Return header and rows of a table, evenly spaced ones where there are many; the first columns."""
    names = list(columns)[:_MOST_COLUMNS]
    rows = list(zip(*(columns[name] for name in names), strict=True))
    if len(rows) > _MOST_ROWS:
        places = [round(step * (len(rows) - 1) / (_MOST_ROWS - 1)) for step in range(_MOST_ROWS)]
        rows = [rows[place] for place in places]
    header = tuple(_SYMBOLS.get(name, name.replace("_", " ")) for name in names)
    return (header, *(tuple(map(formatted, row)) for row in rows))


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A chapter as it will be in the document."""

    chapter: Chapter
    note: str = ""
    figures: Sequence[str] = ()


def dossier_page(entries: Sequence[Entry], *, title: str, authors: str = "", summary: str = "") -> bytes:
    """Return answers as one HTML page that needs no network and prints well."""
    chapters = [entry.chapter for entry in entries]
    versions = dict.fromkeys(f"Topicset {chapter.version}" for chapter in chapters)
    return rendered(
        title=title,
        authors=authors,
        summary=summary,
        entries=entries,
        shown=[
            [_shown(*figure) for figure in entry.chapter.figures if figure[0] in entry.figures]
            for entry in entries
        ],
        first_sentence=first_sentence,
        works=list(dict.fromkeys(work for chapter in chapters for work in chapter.works)),
        scores=list(dict.fromkeys(scores for chapter in chapters for scores in chapter.scores)),
        versions=", ".join(versions) or f"Topicset {__version__}",
        today=datetime.now(UTC).date().isoformat(),
        records=_inert([chapter.record for chapter in chapters]),
    )


def _shown(name: str, alt: str, drawn: str) -> tuple[str, str, str]:
    """Return a figure as a page has it; one of a file may be anything."""
    try:
        return drawn_figure(Figure(name, drawing_of(drawn), alt))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return alt, f"The figure {name.replace('-', ' ')} of the saved answer cannot be drawn.", ""


def _inert(texts: Sequence[str]) -> str:
    """Return a list of JSON texts that cannot end the script it is in."""
    return f"[{','.join(texts)}]".replace("<", "\\u003c")


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "") or "0")
    except ValueError:
        return False
    return True
