"""Text to rows of cells: delimiters and quotation marks."""

import csv
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from topicset_core.errors import ParseError
from topicset_core.parsing.table import Row, Table
from topicset_core.parsing.text import LINE_END

if TYPE_CHECKING:
    from _csv import Reader

MOST_LINES = 2_000_000
MOST_CELLS = 20_000_000
"""Hundreds of runs on thousands of topics in every measure of trec_eval are far below either."""

UNCLOSED = "one is opened and not closed on this line"


class Delimiter(NamedTuple):
    """What separates cells, and what it is called."""

    character: str
    name: str


SPACES = Delimiter(" ", "spaces")
# In this order: a comma may be a decimal comma where tabs or semicolons separate, and a space may
# be part of a name where anything else does.
DELIMITERS = (Delimiter("\t", "tabs"), Delimiter(";", "semicolons"), Delimiter(",", "commas"), SPACES)

SEPARATOR = re.compile(r'"?sep=([,;\t]|\\t)"?', re.IGNORECASE)
"""The first line by which Excel is told the delimiter."""


def split(text: str, file: str) -> Table:
    """Split text into rows of cells, with the delimiter that gives all lines the same number of cells.

    Raises
    ------
    ParseError
        If there is nothing but white space, or quotation marks do not match.
    """
    _refuse_too_much(text, file)
    lines = [(number, line) for number, line in enumerate(LINE_END.split(text), start=1) if line.strip()]
    if not lines:
        raise ParseError(file, None, "expected a table of scores, found an empty file")
    stated = SEPARATOR.fullmatch(lines[0][1].strip(" "))
    if stated and len(lines) > 1:
        lines = lines[1:]
        delimiter = next(one for one in DELIMITERS if one.character == stated[1].replace("\\t", "\t"))
    else:
        delimiter = _delimiter([line for _, line in lines[:20]])
    rows = list(_rows(lines, delimiter, file))
    layout = "there is one column" if len(rows[0].cells) == 1 else f"cells are separated by {delimiter.name}"
    return Table(file, rows, f"{layout}, as the line sep= says" if stated else layout)


def _refuse_too_much(text: str, file: str) -> None:
    """Refuse what no table of scores is, before memory is spent on a list of its lines or cells."""
    n_lines = text.count("\n") + text.count("\r")
    if n_lines > MOST_LINES:
        raise ParseError(file, None, f"expected at most {MOST_LINES:,} lines, found {n_lines:,}")
    for character, name in DELIMITERS:
        if text.count(character) > MOST_CELLS:
            raise ParseError(
                file, None, f"expected at most {MOST_CELLS:,} cells, found more {name} than that"
            )


def _delimiter(lines: Sequence[str]) -> Delimiter:
    """Choose the first delimiter on which the lines agree, else the first one in the header."""
    widths = [[_width(line, delimiter) for line in lines] for delimiter in DELIMITERS]
    for delimiter, (header, *body) in zip(DELIMITERS, widths, strict=True):
        # One cell fewer in the header: topic ids without a name above them.
        if header >= 2 and len(set(body)) <= 1 and all(width in (header, header + 1) for width in body):
            return delimiter
    return next((d for d, (header, *_) in zip(DELIMITERS, widths, strict=True) if header >= 2), SPACES)


def _width(line: str, delimiter: Delimiter) -> int:
    """Count the cells of a line; 0 where quotation marks do not match."""
    try:
        return len(next(_reader([line], delimiter)))
    except csv.Error:
        return 0


def _rows(lines: Sequence[tuple[int, str]], delimiter: Delimiter, file: str) -> Iterator[Row]:
    cells_of_lines = _reader([line for _, line in lines], delimiter)
    for number, _ in lines:
        lines_read = cells_of_lines.line_num
        try:
            cells = next(cells_of_lines)
        except csv.Error as error:
            unclosed = cells_of_lines.line_num > lines_read + 1 or "end of data" in str(error)
            _refuse_quotes(file, number, UNCLOSED if unclosed else str(error))
        if cells_of_lines.line_num > lines_read + 1:
            _refuse_quotes(file, number, UNCLOSED)
        yield Row(number, [cell.strip() for cell in cells])


def _refuse_quotes(file: str, line: int, reason: str) -> NoReturn:
    raise ParseError(file, line, f"expected cells with matching quotation marks: {reason}")


def _reader(lines: Sequence[str], delimiter: Delimiter) -> "Reader":
    """Read lines as cells; runs of spaces and tabs count as one delimiter where spaces separate."""
    if delimiter is SPACES:
        lines = [line.replace("\t", " ").strip() for line in lines]
    return csv.reader(lines, delimiter=delimiter.character, skipinitialspace=True, strict=True)
