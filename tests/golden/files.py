"""Files that users download, as text: tables by header and ends, records by their keys, pages by their words."""

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html.parser import HTMLParser
from typing import Any

import openpyxl

_FEW = 5
"""Of a list: so many values at most, from its beginning to its end."""

_WIDTH = 100
"""Of a line that several entries of a record share."""

_VERSIONS = (
    (re.compile(r"Topicset \d+\.\d+\.\d+"), "Topicset VERSION"),
    (re.compile(r'("(?:version|python|numpy|scipy)": )"\d[^"]*"'), r'\1"VERSION"'),
    (re.compile(r"(topicset[^\n]{0,40}version\s*=?\s*\{?)\d+\.\d+\.\d+"), r"\1VERSION"),
)

Row = Sequence[Any]


def without_versions(text: str) -> str:
    """Return text that is the same whatever versions of Topicset and of its packages made it."""
    for pattern, replacement in _VERSIONS:
        text = pattern.sub(replacement, text)
    return text


def rounded(value: Any) -> str:
    """Return a number by five digits, anything else by its words, on one line.

    Half a digit is rounded away from zero, as sums part in their last digits between processors.
    """
    if isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value):
        return value[:8]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return " / ".join(line.strip() for line in str(value).splitlines() if line.strip())
    if not math.isfinite(value) or value == int(value):
        return str(value).removesuffix(".0")
    return f"{round(value * (1 + 1e-10), 12):.5g}"


def some(values: Sequence[Any]) -> str:
    """Return up to five values of a list, evenly from its first to its last."""
    if len(values) <= _FEW:
        return f"[{', '.join(map(rounded, values))}]"
    places = [place * (len(values) - 1) // (_FEW - 1) for place in range(_FEW)]
    return f"[{', '.join(rounded(values[place]) for place in places)}] of {len(values)}"


def table(title: str, header: Row, rows: Sequence[Row]) -> list[str]:
    """Return a table: title with number of rows, header, first and last row."""
    shown = [header, *rows[:1], *rows[1:][-1:]]
    return [f"{title} ({len(rows)} rows)", *("  " + " | ".join(map(rounded, row)) for row in shown)]


def printed(text: str) -> Iterator[str]:
    """Return printed lines, of each block of numbers its first two rows and the last."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    are_rows = [len(re.findall(r"(?<!\S)[-\d.]\S*", line)) > 2 for line in lines]
    for place, line in enumerate(lines):
        if place < 2 or not all(are_rows[place - 2 : place + 2]) or place == len(lines) - 1:
            yield line


def record(text: str) -> Iterator[str]:
    """Return a JSON record by its keys; results repeat nothing that it has itself."""
    content = json.loads(text)
    results = content.pop("results", [])
    for same_everywhere in ("made_by", "with"):
        content.pop(same_everywhere, None)
    yield from _entries(content)
    known = content
    for place, result in enumerate(results, start=1):
        own = {key: result[key] for key in result if key not in known or known[key] != result[key]}
        if place > 1:  # of later ones what is no list, and what they alone have
            own = {key: own[key] for key in own if key not in known or not isinstance(own[key], (list, dict))}
        if own:
            yield f"result {place} of {len(results)}:"
            yield from (f" {line}" for line in _entries(own))
        known = content | result


def _entries(record: Mapping[str, Any]) -> Iterator[str]:
    """Return entries on lines that several short ones share; a long one with others in it has lines of its own."""
    line = ""
    for key, value in record.items():
        entry = f"{key}: {_on_a_line(value)}"
        first = value[0] if isinstance(value, list) and value else value
        is_long = isinstance(first, Mapping) and len(entry) > _WIDTH
        if line and (is_long or len(line) + len(entry) > _WIDTH):
            yield line
            line = ""
        if is_long:
            yield f"{key}, first of {len(value)}:" if first is not value else f"{key}:"
            yield from (f" {inner}" for inner in _entries(first))
        else:
            line += f"; {entry}" if line else entry
    if line:
        yield line


def _on_a_line(value: Any) -> str:
    if isinstance(value, Mapping) and len(value) > 5 and all(re.search(r"\d", key) for key in value):
        return f"{', '.join([*value][:2])} ...: {some([*value.values()])}"  # keys are ids
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key} {_on_a_line(value[key])}' for key in value)}}}"
    if not isinstance(value, list) or not value:
        return rounded(value)
    if isinstance(value[0], Mapping):
        return f"{_on_a_line(value[0])} of {len(value)}"
    if isinstance(value[0], list):
        return f"{len(value)} × {some([one for row in value for one in row or ()])}"
    return some(value)


def described(files: Mapping[str, bytes]) -> Iterator[str]:
    """Return the content of files by the kinds in their names; of a sheet that is also a CSV, the name."""
    tables = {
        name: _numbers(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
        for name, content in files.items()
        if name.endswith(".csv")
    }
    for name in sorted(files, key=lambda name: (_ORDER.get(name.rpartition(".")[2], 0), name)):
        if name in tables:
            yield from _shown(f"file {name}", tables[name])
            continue
        yield f"file {name}"
        if name.endswith(".xlsx"):
            yield from (f"  {line}" for line in _workbook(files[name], tables))
            continue
        text = without_versions(files[name].decode())
        reader = {"json": record, "html": _sentences}.get(name.rpartition(".")[2], printed)
        yield from (f"  {line}" for line in reader(text))


_ORDER = {"json": 1, "xlsx": 2, "html": 3}


def _workbook(content: bytes, tables: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    shown: list[Row] = []
    for sheet in openpyxl.load_workbook(io.BytesIO(content)).worksheets:
        rows = _numbers(
            ["" if cell is None else cell for cell in row] for row in sheet.iter_rows(values_only=True)
        )
        same = [name for name, other in tables.items() if other == rows]
        if same:
            yield f"sheet {sheet.title}: {same[0]}"
        elif sheet.title == "Answer":
            yield f"sheet {sheet.title}: {', '.join(str(row[0]) for row in rows)}"
        elif rows[0] in shown:
            yield f"sheet {sheet.title} ({len(rows) - 1} rows): {' | '.join(map(rounded, rows[-1]))}"
        else:
            shown.append(rows[0])
            yield from _shown(f"sheet {sheet.title}", rows)


def _shown(title: str, rows: Sequence[Row]) -> list[str]:
    return table(title, rows[0], rows[1:]) if rows else [title]


def _numbers(rows: Iterable[Row]) -> list[Row]:
    return [[_number(cell) for cell in row] for row in rows]


def _number(cell: Any) -> Any:
    try:
        return float(cell) if isinstance(cell, str) else cell
    except ValueError:
        return cell


class _Words(HTMLParser):
    """The sentences of an HTML page, without its scripts, styles, figures and tables."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, _attributes: object) -> None:
        self._hidden += tag in _NO_SENTENCES

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in _NO_SENTENCES

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.lines += [line.strip() for line in data.splitlines() if line.strip()]


_NO_SENTENCES = {"head", "script", "style", "table", "svg"}


def _sentences(content: str) -> list[str]:
    reader = _Words()
    reader.feed(content)
    return reader.lines
