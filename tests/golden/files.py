"""Files that users download, as text: header and first rows of tables, records whole, pages by their words."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import openpyxl
import pandas as pd

_WHOLE = 12
"""Arrays and tables up to this number of entries or rows are written out."""

_VERSIONS = (
    (re.compile(r"Topicset \d+\.\d+\.\d+"), "Topicset VERSION"),
    (re.compile(r'("(?:version|python|numpy|scipy)": )"\d[^"]*"'), r'\1"VERSION"'),
    (re.compile(r"(topicset[^\n]{0,40}version\s*=?\s*\{?)\d+\.\d+\.\d+"), r"\1VERSION"),
)


def without_versions(text: str) -> str:
    """Return text that is the same whatever versions of Topicset and of its packages made it."""
    for pattern, replacement in _VERSIONS:
        text = pattern.sub(replacement, text)
    return text


def numbers(values: np.ndarray) -> str:
    """Return numbers: all of a few, otherwise count, ends and sum, so that none can change unseen."""
    flat = np.asarray(values, dtype=float).ravel()
    if len(flat) <= _WHOLE:
        return "[" + ", ".join(_number(value) for value in flat) + "]"
    known = flat[np.isfinite(flat)]
    weights = np.arange(1, len(known) + 1)  # detects an exchange of two
    return (
        f"{len(flat)} values, {len(known)} finite: {_number(flat[0])} ... {_number(flat[-1])}, "
        f"sum {_number(known.sum())}, weighted {_number(float(known @ weights))}"
    )


def table(frame: pd.DataFrame) -> str:
    """Return a table: header, the first rows, and a summary line per column."""
    lines = ["  " + " | ".join(str(column) for column in frame.columns)]
    rows = frame if len(frame) <= _WHOLE else frame.head(3)
    lines += ["  " + " | ".join(_cell(cell) for cell in row) for row in rows.itertuples(index=False)]
    if len(frame) > len(rows):
        lines.append(f"  {len(frame)} rows")
        for column in frame.columns:
            entries = frame[column]
            if pd.api.types.is_numeric_dtype(entries) and not pd.api.types.is_bool_dtype(entries):
                lines.append(f"  {column}: {numbers(entries.to_numpy(dtype=float))}")
            else:
                words = [_cell(cell) for cell in entries]
                lines.append(f"  {column}: {len(set(words))} different, last {words[-1]}")
    return "\n".join(lines)


def described(name: str, content: bytes) -> str:
    """Return the content of a file, by the kind in its name."""
    kind = name.rpartition(".")[2]
    reader = {"csv": _csv, "json": _json, "xlsx": _workbook, "html": _page}.get(kind, bytes.decode)
    return without_versions(reader(content))


def _csv(content: bytes) -> str:
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    return table(_frame(rows))


def _workbook(content: bytes) -> str:
    book = openpyxl.load_workbook(io.BytesIO(content))
    parts = []
    for sheet in book.worksheets:
        rows = [
            ["" if cell is None else cell for cell in row]
            for row in sheet.iter_rows(values_only=True)
            if row[0] not in ("date", "made by")
        ]
        parts.append(f"  sheet {sheet.title}\n{table(_frame(rows))}")
    return "\n".join(parts)


def _frame(rows: list[list[Any]]) -> pd.DataFrame:
    header, *body = rows or [[]]
    width = max(map(len, rows), default=0)
    padded = [list(row) + [""] * (width - len(row)) for row in body]
    columns = [str(name) for name in header] + [""] * (width - len(header))
    frame = pd.DataFrame(padded, columns=pd.Index(columns))
    if len(set(columns)) < len(columns):
        return frame
    for column in columns:
        converted = pd.to_numeric(frame[column].replace("", None), errors="coerce")
        if converted.notna().sum() == (frame[column] != "").sum() and converted.notna().any():
            frame[column] = converted
    return frame


def _json(content: bytes) -> str:
    return json.dumps(short(json.loads(content)), indent=1, ensure_ascii=False)


def short(value: Any) -> Any:
    """Return a record in which long lists are described by their numbers or their ends."""
    if isinstance(value, dict):
        return {name: short(inner) for name, inner in value.items()}
    if isinstance(value, list):
        if len(value) > _WHOLE and all(isinstance(entry, (int, float)) or entry is None for entry in value):
            return numbers(np.array([np.nan if entry is None else entry for entry in value], dtype=float))
        if len(value) > _WHOLE:
            return [*(short(entry) for entry in value[:2]), f"... {len(value)} in all", _sums(value)]
        return [short(entry) for entry in value]
    return value


def _sums(value: Any) -> str:
    """Return one line on all numbers and words anywhere in a record."""
    results: list[float] = []
    words: set[str] = set()

    def walk(inner: Any) -> None:
        if isinstance(inner, dict):
            for name in inner:
                walk(inner[name])
        elif isinstance(inner, list):
            for entry in inner:
                walk(entry)
        elif isinstance(inner, (int, float)):
            results.append(float(inner))
        elif inner is not None:
            words.add(str(inner))

    walk(value)
    return f"{numbers(np.array(results))}; {len(words)} different words"


class _Words(HTMLParser):
    """The text of an HTML page, without its scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in ("script", "style")
        alt = dict(attrs).get("alt") or dict(attrs).get("aria-label")
        if alt:
            self.lines.append(f"[{tag}: {alt}]")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._hidden and data.strip():
            self.lines += [line.strip() for line in data.splitlines() if line.strip()]


def _page(content: bytes) -> str:
    reader = _Words()
    reader.feed(content.decode())
    return "\n".join(f"  {line}" for line in reader.lines[:200])


def _cell(cell: Any) -> str:
    if isinstance(cell, (float, np.floating)):
        return _number(float(cell))
    return str(cell).replace("\n", " / ")


def _number(value: float) -> str:
    return (
        str(int(value))
        if np.isfinite(value) and value == int(value) and abs(value) < 1e15
        else repr(float(value))
    )
