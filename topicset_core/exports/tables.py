"""Tables of numbers as CSV at full precision, and as an Excel workbook, one sheet per table; runs as TREC has them.

A CSV file is data: every name is in it as it was given, so that an import gives the same
table. That includes names that begin with ``=``, which a spreadsheet would take for a formula; the
Excel workbook is the export for spreadsheets, and keeps these names as text.
"""

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

Table = Mapping[str, Sequence[object]]
"""Columns of equal length by name."""

Row = dict[str, Any]
"""One row of a table, by the keys that a record has."""


def rows_of(table: Table) -> list[Row]:
    """Return the rows of a table by the names of its columns, as a record has them."""
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def csv_bytes(columns: Table) -> bytes:
    """Return columns of equal length as CSV in UTF-8, one header row, CRLF line ends (RFC 4180)."""
    # Numbers have as many digits as it takes to read them back; None and NaN are empty cells.
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow("" if isinstance(value, float) and math.isnan(value) else value for value in row)
    return text.getvalue().encode("utf-8")


_NARROWEST, _WIDEST = 12, 80  # columns, in characters
_LONGEST_SHEET_NAME = 31  # Excel's limit
_NOT_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\\x00-\x1f]|^'|'$")  # Excel's rules, too

# What XML cannot hold: control characters but tab and line ends, halves of surrogate pairs, and the
# last two code points of the first plane.
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def xlsx_bytes(sheets: Mapping[str, Table]) -> bytes:
    """Return a workbook with one sheet for each named table, a header row on top that stays in view."""
    # A spreadsheet shows four digits of a column's largest number, and as many decimals of the others; among
    # texts, all digits. None, NaN and infinities, which Excel has no cells for, are empty; no text is a
    # formula.
    from openpyxl import Workbook
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    taken: set[str] = set()
    for name, columns in sheets.items():
        rows = [tuple(columns), *zip(*columns.values(), strict=True)]
        sheet = book.create_sheet(_sheet_name(name, taken))
        sheet.freeze_panes = "A2"
        for position, column in enumerate(columns, start=1):
            sheet.column_dimensions[get_column_letter(position)].width = _width(column, columns[column])
        looks = [_number_format(values) for values in columns.values()]
        for place, row in enumerate(rows):
            cells = [_cell(sheet, value) for value in row]
            for cell, look in zip(cells, looks, strict=True):
                if place == 0:
                    cell.font = Font(bold=True)
                elif cell.data_type == "n":
                    cell.number_format = look
            sheet.append(cells)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


_DIGITS = 4  # that a column shows of its largest number; the cell holds all
_MOST_DECIMALS = 8


def _number_format(values: Sequence[object]) -> str:
    """Return how a spreadsheet shows the numbers of a column: rounded, but not among texts."""
    sizes = [abs(value) for value in values if isinstance(value, float) and math.isfinite(value) and value]
    if not sizes or str in map(type, values) or all(size.is_integer() for size in sizes):
        return "General"
    decimals = _DIGITS - 1 - math.floor(math.log10(max(sizes)))
    if decimals > _MOST_DECIMALS or max(sizes) > 1e6 * min(sizes):  # no number of decimals suits all of them
        return f"0.{'0' * (_DIGITS - 1)}E+00"
    return f"0.{'0' * max(decimals, 1)}"


def _width(header: str, values: Sequence[object]) -> int:
    """Return the width of a column in characters."""
    texts = (len(value) for value in values if isinstance(value, str))
    return min(max(_NARROWEST, len(str(header)) + 2, max(texts, default=0) + 1), _WIDEST)


def _cell(sheet: Any, value: Any) -> Any:
    from openpyxl.cell import WriteOnlyCell

    if isinstance(value, str):
        cell = WriteOnlyCell(sheet, value=_NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", value))
        cell.data_type = "s"  # a name that begins with "=" must not become a formula
    elif isinstance(value, float):
        # As text, because openpyxl would write 16 digits, which may be another number.
        cell = WriteOnlyCell(sheet, value=repr(float(value)) if math.isfinite(value) else None)
        cell.data_type = "n"
    else:
        cell = WriteOnlyCell(sheet, value=value)
    return cell


def _sheet_name(name: str, taken: set[str]) -> str:
    """Return a name that Excel allows and no sheet has yet; it takes "a" and "A" for the same."""
    clean = _NOT_IN_XML.sub("-", _NOT_IN_SHEET_NAMES.sub("-", name)) or "table"
    text, number = clean[:_LONGEST_SHEET_NAME], 1
    while text.lower() in taken:
        number += 1
        text = f"{clean[: _LONGEST_SHEET_NAME - len(f' ({number})')]} ({number})"
    taken.add(text.lower())
    return text
