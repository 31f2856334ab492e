"""Tables of numbers as CSV, at full precision.

A CSV file is data: every name stands in it as it was given, so that reading it back gives the same
table. That includes names that begin with ``=``, which a spreadsheet would take for a formula; the
Excel workbook is the export for spreadsheets, and keeps such names as text.
"""

import csv
import io
import math
from collections.abc import Mapping, Sequence

Table = Mapping[str, Sequence[object]]
"""Columns of equal length by name."""


def csv_bytes(columns: Table) -> bytes:
    """Return columns of equal length as CSV in UTF-8, one header row, CRLF line ends (RFC 4180).

    Floats are written with as many digits as it takes to read the same number back; None and NaN as
    an empty cell.

    Parameters
    ----------
    columns : mapping of str to sequence
        Columns by the name that heads them.

    Raises
    ------
    ValueError
        If the columns differ in length.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow("" if isinstance(value, float) and math.isnan(value) else value for value in row)
    return text.getvalue().encode("utf-8")
