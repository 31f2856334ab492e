"""Excel workbooks (xlsx) to tables, one a sheet.

Cells are taken as stored, not as formatted on screen. Cells whose score would
depend on the evaluation of the sheet are refused: merged cells, and formulas whose value was not saved.
"""

import datetime
import io
import re
import warnings
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from topicset_core.errors import ParseError
from topicset_core.parsing.archives import DAMAGED_ZIP, check_zip
from topicset_core.parsing.names import Source
from topicset_core.parsing.table import Opened, Row, Table
from topicset_core.wording import listed, quoted

if TYPE_CHECKING:
    from openpyxl.workbook.workbook import Workbook

LAYOUT = "cells are taken from the sheet"
MERGED = re.compile(rb'<(?:\w+:)?mergeCell [^>]*ref="([A-Z]+[0-9]+(?::[A-Z]+[0-9]+)?)"')
FORMULA = re.compile(rb"<(?:\w+:)?f[ >/]")
DOCTYPE = re.compile(rb"<!(?:DOCTYPE|ENTITY)")
MOST_CELLS = 5_000_000
"""Cells of a sheet, empty ones included: a single cell far out makes a sheet of any size."""

# Exceptions of openpyxl on workbooks that break their own format, where it does not report that itself;
# SyntaxError is that of the XML reader.
DAMAGED = (*DAMAGED_ZIP, TypeError, AttributeError, SyntaxError, AssertionError)


def read_workbook(content: bytes, source: Source) -> Opened:
    """Read every sheet of a workbook as a table, with an error for each invalid one."""
    file = source.file
    check_zip(content, file)
    try:
        return _read(content, source)
    except DAMAGED as error:
        if isinstance(error, ParseError):  # a ValueError as well
            raise
        expected = f"expected an Excel workbook, found a file that cannot be read ({error})"
        raise ParseError(file, None, expected) from None


def _read(content: bytes, source: Source) -> Opened:
    file = source.file
    _refuse_entities(content, file)
    values, formulas = _open(content, data_only=True), None
    tables: list[Table] = []
    errors: list[ParseError] = []
    empty: list[str] = []
    for sheet in values.worksheets:
        label = f"{file}, sheet {sheet.title!r}"
        xml = _xml(content, sheet)
        merged = MERGED.search(xml)
        try:
            if merged:
                ref = merged.group(1).decode()
                row = int(re.sub(r"\D", "", ref.partition(":")[0]))
                expected = f"expected no merged cells, found {ref} merged; split them and fill each cell"
                raise ParseError(label, row, expected)
            rows = _rows(sheet, label)
            if FORMULA.search(xml):
                formulas = formulas or _open(content, data_only=False)
                _refuse_formulas(rows, _rows(formulas[sheet.title], label), label)
            table = _table(rows, source._replace(place=label, sheet=sheet.title))
        except ParseError as error:
            errors.append(error)
            continue
        if table is None:
            empty.append(sheet.title)
        else:
            tables.append(table)
    if len(tables) + len(errors) > 1:
        # Several sheets are several measures, collections or runs; their names separate them.
        tables = [replace(one, source=one.source._replace(run=one.source.sheet)) for one in tables]
    elif not tables and not errors:
        raise ParseError(file, None, "expected a sheet with a table of scores, found only empty sheets")
    notes = (f"Empty sheets of {file} left out: {listed(empty, 20)}.",) if empty else ()
    return Opened(tuple(tables), tuple(errors), notes)


def _open(content: bytes, *, data_only: bool) -> "Workbook":
    # The import costs 0.2 s, and nothing but a workbook needs it.
    import openpyxl

    with warnings.catch_warnings():
        # It warns of styles, validations and extensions that it does not keep: no score among them.
        warnings.simplefilter("ignore")
        return openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=data_only)


def _refuse_entities(content: bytes, file: str) -> None:
    """Refuse declarations of entities, which no workbook needs and with which a few bytes fill memory."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for info in archive.infolist():
            with archive.open(info) as stream:
                if DOCTYPE.search(stream.read(4096)):
                    expected = f"expected a workbook without document types, found one in {info.filename!r}"
                    raise ParseError(file, None, expected)


def _xml(content: bytes, sheet: Any) -> bytes:
    """Return a sheet as stored; openpyxl has no merged cells when it reads in pieces."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.read(sheet._worksheet_path)


def _rows(sheet: Any, label: str) -> list[tuple[int, Sequence[Any]]]:
    rows: list[tuple[int, Sequence[Any]]] = []
    n_cells = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # The stated size of a sheet may be wrong, and read-only sheets believe it.
        sheet.reset_dimensions()
        for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
            n_cells += len(cells) + 1
            if n_cells > MOST_CELLS:
                expected = (
                    f"expected at most {MOST_CELLS:,} cells, found more; delete cells far outside the table"
                )
                raise ParseError(label, number, expected)
            if any(_text(cell) for cell in cells):
                rows.append((number, cells))
    return rows


def _refuse_formulas(
    values: Sequence[tuple[int, Sequence[Any]]], formulas: Sequence[tuple[int, Sequence[Any]]], label: str
) -> None:
    """Refuse formulas without a value, as programs write them that do not calculate."""
    known = dict(values)
    for number, cells in formulas:
        for column, cell in enumerate(cells):
            written = cell if isinstance(cell, str) else getattr(cell, "text", None)
            value = known[number][column] if number in known and column < len(known[number]) else None
            if isinstance(written, str) and written.startswith("=") and value is None:
                raise ParseError(
                    label,
                    number,
                    f"cell {_letters(column)}{number}: expected a value, found the formula {quoted(written)} whose "
                    "value was not saved; open the workbook in Excel or LibreOffice and save it",
                )


def _table(rows: Sequence[tuple[int, Sequence[Any]]], source: Source) -> Table | None:
    """Cut rows to the columns in use and fill them up to the width of the first."""
    texts = [(number, [_text(cell) for cell in cells]) for number, cells in rows]
    used = [column for _, cells in texts for column, cell in enumerate(cells) if cell]
    if not used:
        return None
    # A table may be apart from the edge of its sheet; a first column that names rows has cells.
    start = min(used)
    ends = [max(column for column, cell in enumerate(cells) if cell) + 1 for _, cells in texts]
    width = ends[0] - start
    cut = [
        Row(
            number, (cells[start:end] + [""] * max(0, width - max(0, end - start)))[: max(width, end - start)]
        )
        for (number, cells), end in zip(texts, ends, strict=True)
    ]

    def at(line: int, column: int) -> str:
        return f"cell {_letters(column + start)}{line}"

    return Table(source, cut, LAYOUT, at)


def _text(cell: Any) -> str:
    """Write a stored value as it would be typed; 401.0 is 401, as Excel shows it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime.datetime | datetime.date | datetime.time | datetime.timedelta):
        return f"{cell} (a date)"
    return str(cell).strip()


def _letters(column: int) -> str:
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
