"""Answers of several pages as one document for a proposal: a single HTML file that prints well.

The entries of a dossier are plain: texts, numbers and figures as JSON. Therefore an entry outlives its
session, and is the same however often it is opened.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Any

from topicset_core import __version__, parameters
from topicset_core.errors import InputError
from topicset_core.exports.citing import CITATION, split_plain
from topicset_core.exports.figures import HEAD, PRINT_FONT, WIDTH, table_of
from topicset_core.exports.report import Report, scores_in_words
from topicset_core.exports.tables import Table

_LARGEST_FIGURE = 2_000_000  # characters of JSON
_MOST_ROWS, _MOST_COLUMNS = 20, 8  # of a table on paper
_INPUTS = ("requirements", "settings")
_LEFT_OUT_FIELDS = {"schema", "method", "analysis", "answer", "sentence"}


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

    def __post_init__(self) -> None:
        for what, text in (("record", self.record), *(("figures", drawn) for _, _, drawn in self.figures)):
            try:
                json.loads(text)
            except (ValueError, RecursionError):
                raise InputError(what, text[:20], "must be JSON") from None
        if self.link and not self.link.startswith(("http://", "https://", "?")):
            raise InputError("link", self.link[:40], "must be an address of the web")


def chapter(report: Report, question: str, assumption: str = "", title: str = "") -> Chapter:
    """Return the dossier entry of a report."""
    paragraph, works = split_plain(report.text[0])
    columns = (report.page_table or report.tables[0].columns)()
    record = report.record()
    drawn = [
        (one.name, one.alt, str(one.drawing.to_plotly(is_checked=False).to_json()))
        for one in report.figures()
    ]
    return Chapter(
        question=question,
        assumption=assumption,
        title=title or report.title,
        sentence=report.cautioned,
        settings=_requested(next(iter(record["results"]), {})),
        figures=tuple(one for one in drawn if len(one[2]) <= _LARGEST_FIGURE),
        table=_shortened(columns),
        n_rows=len(next(iter(columns.values()), ())),
        paragraph=paragraph,
        works=works,
        scores=tuple(map(scores_in_words, report.matrices)),
        measure=report.measure,
        source=report.variance_source,
        link=report.link,
        is_sample=report.is_sample,
        version=__version__,
        date=datetime.now(UTC).date().isoformat(),
        record=json.dumps(record, ensure_ascii=False, allow_nan=False),
    )


_LABELS = {
    one.name: f"{one.label} ({one.symbol})" if one.symbol and one.symbol not in one.label else one.label
    for one in vars(parameters).values()
    if isinstance(one, parameters.Parameter)
}

_SYMBOLS = {
    one.name: one.symbol
    for one in vars(parameters).values()
    if isinstance(one, parameters.Parameter) and one.symbol
}


def _requested(result: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the inputs among the values of a record, by what pages call them."""
    rows = [("method", str(result["method"]))] if isinstance(result.get("method"), str) else []
    groups = [result[name] for name in _INPUTS if isinstance(result.get(name), Mapping)]
    for name, value in (pair for group in groups or [result] for pair in group.items()):
        is_plain = isinstance(value, str | int | float) and not isinstance(value, bool)
        if is_plain and (groups or name in _LABELS) and name not in _LEFT_OUT_FIELDS:
            rows.append((_LABELS.get(name, name.replace("_", " ")), formatted(value)))
    return tuple(rows)


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
    works = list(dict.fromkeys(work for entry in entries for work in entry.chapter.works))
    scores = list(dict.fromkeys(one for entry in entries for one in entry.chapter.scores))
    n_sample = sum(entry.chapter.is_sample for entry in entries)
    figures: list[str] = []
    body = [
        f"<header><h1>{escape(title)}</h1>",
        f"<p class=authors>{escape(authors)}</p>" if authors else "",
        _paragraphs(summary),
    ]
    if n_sample:
        which = (
            "All answers rest" if n_sample == len(entries) else f"{n_sample} of {len(entries)} answers rest"
        )
        body.append(f"<p class=sample>{which} on simulated sample data, not on measured scores.</p>")
    body.append(f"<h2>The answers</h2>{_overview(entries)}</header>")
    for place, entry in enumerate(entries, start=1):
        body.append(_section(place, entry, works, figures))
    if scores:
        body.append(f"<section><h2>Data</h2><ul>{''.join(f'<li>{escape(one)}</li>' for one in scores)}</ul>")
        body.append("<p>The SHA-256 digest identifies these scores.</p></section>")
    listed = "".join(f"<li id=work-{number}>{escape(work)}</li>" for number, work in enumerate(works, 1))
    body.append(f"<section><h2>References</h2><ol>{listed}</ol></section>" if works else "")
    versions = ", ".join(dict.fromkeys(f"Topicset {entry.chapter.version}" for entry in entries))
    new = datetime.now(UTC).date().isoformat()
    body.append(f"<footer>Made with {escape(versions or f'Topicset {__version__}')} on {new}.</footer>")
    records = "[" + ",".join(entry.chapter.record for entry in entries) + "]"
    page = (
        f'<!doctype html><html lang="en"><head>{HEAD}<title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body>{''.join(body)}"
        f'<script type="application/json" id="records">{_inert(records)}</script>{_drawing(figures)}</body></html>'
    )
    return page.encode("utf-8")


def _overview(entries: Sequence[Entry]) -> str:
    rows = (
        f"<tr><td>{place}</td><td>{escape(entry.chapter.question)}</td>"
        f"<td><a href=#answer-{place}>{escape(entry.chapter.title)}</a>{_mark(entry.chapter)}"
        f"<div class=small>{escape(_first_sentence(entry.chapter.sentence))}</div></td></tr>"
        for place, entry in enumerate(entries, start=1)
    )
    header = "<thead><tr><th></th><th>Question</th><th>Answer</th></tr></thead>"
    return f"<table class=overview>{header}<tbody>{''.join(rows)}</tbody></table>"


def _first_sentence(text: str) -> str:
    first, end, _ = text.partition(". ")
    return f"{first}." if end else first


def _mark(one: Chapter) -> str:
    return " <span class=sample>Simulated sample data</span>" if one.is_sample else ""


def _section(place: int, entry: Entry, works: Sequence[str], figures: list[str]) -> str:
    one = entry.chapter
    parts = [
        f"<section id=answer-{place}><h2>{place}. {escape(one.title)}{_mark(one)}</h2>",
        f"<p class=question>{escape(one.question)}</p><p>{escape(one.sentence)}</p>",
        _paragraphs(entry.note),
    ]
    for name, alt, drawn in one.figures:
        if name in entry.figures:
            number = len(figures)
            figures.append(drawn)
            parts.append(f'<figure><img id="figure-{number}" alt="{escape(alt)}"></figure>')
    facts = [
        *one.settings,
        ("measure", one.measure),
        ("source", one.source),
        ("assumption", one.assumption),
    ]
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts if value
    )
    parts.append(f"<h3>Inputs</h3><table class=facts>{rows}</table>")
    if len(one.table) > 1:
        parts.append(f"<h3>Numbers</h3>{_table(one)}")
    numbers = ", ".join(str(works.index(work) + 1) for work in one.works)
    parts.append(f"<h3>Method</h3><p>{escape(one.paragraph.replace(CITATION, f'[{numbers}]'))}</p>")
    if one.link:
        parts.append(
            f'<p class=link>Answer of {escape(one.date)}: <a href="{escape(one.link)}">{escape(one.link)}</a></p>'
        )
    return "".join(parts) + "</section>"


def _table(one: Chapter) -> str:
    header, *rows = one.table
    is_words = [not all(_is_number(row[place]) for row in rows) for place in range(len(header))]
    shortened = f"<p class=small>{len(rows)} of {one.n_rows:,} rows.</p>" if len(rows) < one.n_rows else ""
    return table_of(header, rows, is_words, "numbers") + shortened


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "") or "0")
    except ValueError:
        return False
    return True


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(one)}</p>" for one in text.split("\n") if one.strip())


def _inert(text: str) -> str:
    """Return JSON that cannot end the script it is in."""
    return text.replace("<", "\\u003c")


def _drawing(figures: Sequence[str]) -> str:
    """Return the chart library with figures, and a script that puts them into the page as images."""
    if not figures:
        return ""
    from plotly.offline import get_plotlyjs

    return (
        f"<script>{get_plotlyjs()}</script>"
        f'<script type="application/json" id="figures">{_inert("[" + ",".join(figures) + "]")}</script>'
        "<script>JSON.parse(document.getElementById('figures').textContent).forEach(async (figure, number) => {"
        "const height = figure.layout.height ?? 500;"
        f"Object.assign(figure.layout, {{width: {WIDTH}, height, autosize: false}});"
        f"figure.layout.font = {{...figure.layout.font, family: '{PRINT_FONT}'}};"
        f"const shape = {{format: 'svg', width: {WIDTH}, height}};"
        "document.getElementById(`figure-${number}`).src = await Plotly.toImage(figure, shape);"
        "});</script>"
    )


_STYLE = f"""
:root {{ color-scheme: light; }}
body {{ font: 15px/1.5 {PRINT_FONT}; color: #111; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }}
h1 {{ font-size: 1.8rem; line-height: 1.2; margin-bottom: 0.3rem; }}
h2 {{ font-size: 1.25rem; margin: 2.2rem 0 0.4rem; }}
h3 {{ font-size: 0.95rem; margin: 1.1rem 0 0.2rem; }}
a {{ color: #1f5c8b; }}
.authors, .question, .small, .link, footer {{ color: #444; }}
.small, .link, footer, .facts, .numbers {{ font-size: 0.85rem; }}
.link {{ overflow-wrap: anywhere; }}
.sample {{ color: #8a3b00; font-weight: 600; }}
h2 .sample, td .sample {{ font-size: 0.8rem; border: 1px solid; border-radius: 0.3rem; padding: 0 0.35rem; }}
table {{ border-collapse: collapse; margin: 0.4rem 0; font-variant-numeric: tabular-nums; }}
th, td {{ border-bottom: 1px solid #ccc; padding: 0.2rem 0.7rem 0.2rem 0; text-align: right; vertical-align: top; }}
.overview th, .overview td, .facts th, .facts td, th.words, td.words {{ text-align: left; }}
.overview {{ width: 100%; }}
.facts th {{ font-weight: normal; color: #444; min-width: 13rem; }}
.numbers td, .numbers th {{ padding-left: 0.7rem; }}
figure {{ margin: 0.8rem 0; }}
figure img {{ width: 100%; }}
li {{ margin: 0.3rem 0; overflow-wrap: anywhere; }}
footer {{ margin-top: 2rem; border-top: 1px solid #ccc; padding-top: 0.5rem; }}
@page {{
  size: A4; margin: 18mm 16mm 20mm;
  @bottom-right {{ content: counter(page) " / " counter(pages); font: 9pt {PRINT_FONT}; }}
}}
@media print {{
  body {{ font-size: 10.5pt; margin: 0; padding: 0; max-width: none; }}
  h1, h2, h3 {{ break-after: avoid; }}
  figure img {{ width: 92%; }}
  figure, tr, .facts {{ break-inside: avoid; }}
  p {{ orphans: 3; widows: 3; }}
  a {{ color: inherit; text-decoration: none; }}
}}
"""
