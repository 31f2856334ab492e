"""Tables of numbers as CSV, at full precision."""

import csv
import io
from collections.abc import Mapping, Sequence


def csv_bytes(columns: Mapping[str, Sequence[object]]) -> bytes:
    """Return columns of equal length as CSV in UTF-8, one header row, CRLF line ends (RFC 4180).

    Floats are written with as many digits as it takes to read the same number back; None as an
    empty cell.

    Raises
    ------
    ValueError
        If the columns differ in length.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue().encode("utf-8")
