"""Tables of numbers as an Excel workbook, one sheet a table."""

import io
import math
import re
from collections.abc import Mapping
from typing import Any

from topicset_core.exports.csv_table import Table

_LONGEST_SHEET_NAME = 31  # Excel's limit
_NOT_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\\x00-\x1f]|^'|'$")  # Excel's rules, too

# What XML cannot hold: control characters but tab and line ends, halves of surrogate pairs, and the
# last two code points of the first plane.
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def xlsx_bytes(sheets: Mapping[str, Table]) -> bytes:
    """Return a workbook with one sheet for each named table, a header row on top.

    Numbers stay numbers at full precision; None, NaN and infinities, which Excel has no cells for,
    become empty cells. Texts are stored as texts, also those that begin with ``=``, never as
    formulas. Characters that a workbook cannot hold become U+FFFD, and names of sheets are
    shortened, cleaned and numbered as Excel asks for.

    Parameters
    ----------
    sheets : mapping of str to Table
        Tables by the title of their sheet.

    Raises
    ------
    ValueError
        If the columns of a table differ in length.
    """
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    taken: set[str] = set()
    for name, columns in sheets.items():
        rows = [tuple(columns), *zip(*columns.values(), strict=True)]
        sheet = book.create_sheet(_sheet_name(name, taken))
        for row in rows:
            sheet.append([_cell(sheet, value) for value in row])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


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
    found, number = clean[:_LONGEST_SHEET_NAME], 1
    while found.lower() in taken:
        number += 1
        found = f"{clean[: _LONGEST_SHEET_NAME - len(f' ({number})')]} ({number})"
    taken.add(found.lower())
    return found
