"""Tables of numbers as an Excel workbook, one sheet a table."""

import io
import math
from collections.abc import Mapping, Sequence

_LONGEST_SHEET_NAME = 31  # Excel's limit


def xlsx_bytes(sheets: Mapping[str, Mapping[str, Sequence[object]]]) -> bytes:
    """Return a workbook with one sheet for each named table, a header row on top.

    Numbers stay numbers at full precision; None and NaN become empty cells.

    Raises
    ------
    ValueError
        If the columns of a table differ in length.
    """
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    for name, columns in sheets.items():
        sheet = book.create_sheet(name[:_LONGEST_SHEET_NAME])
        for row in (tuple(columns), *zip(*columns.values(), strict=True)):
            cells = []
            for value in row:
                empty = isinstance(value, float) and math.isnan(value)
                cell = WriteOnlyCell(sheet, value=None if empty else value)
                if isinstance(value, str):
                    cell.data_type = "s"  # a name that begins with "=" must not become a formula
                elif isinstance(value, float) and math.isfinite(value):
                    cell.value = repr(
                        float(value)
                    )  # openpyxl would write 16 digits, which may be another number
                    cell.data_type = "n"
                cells.append(cell)
            sheet.append(cells)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()
