"""Bytes to text to rows of cells: encodings, line ends, delimiters, quotation marks."""

import csv
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from topicset_core.errors import ParseError
from topicset_core.parsing.table import Row, Table

if TYPE_CHECKING:
    from _csv import Reader

FILE_KINDS = (
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel workbook or another Office file"),
    (b"%PDF-", "a PDF document"),
)
"""First bytes of files that people drop here, and what they are."""

TAR_MARK_AT = 257
WEB_PAGE = re.compile(rb"\s*<(?:!doctype html|html)[\s>]", re.IGNORECASE)

CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""What no text file holds: controls other than tab and line ends, and halves of characters."""

HEAD = 4096
"""Characters by which it is told what a file may be."""

MOST_LINES = 2_000_000
MOST_CELLS = 20_000_000
"""Hundreds of runs on thousands of topics in every measure of trec_eval are far below either."""

UNCLOSED = "one is opened and not closed on this line"

LINE_END = re.compile(r"\r\n|\n|\r")
"""Not `str.splitlines`, which also splits at characters that no editor counts as a line end."""


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


def decode(content: bytes | str, file: str) -> str:
    """Return the text of a file: UTF-8, or UTF-16 where a byte order mark says so.

    Raises
    ------
    ParseError
        If the bytes are those of an archive, or not text.
    """
    if isinstance(content, bytes):
        _refuse_other_files(content, file)
        encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8"
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError as error:
            before = content[: error.start].decode(encoding, "ignore")
            raise ParseError(
                file,
                _line_count(before),
                f"expected {encoding.upper()} text, found the byte 0x{content[error.start]:02X} that does "
                "not belong there; save the file as UTF-8 text",
            ) from None
    else:
        text = content
    text = text.removeprefix("\ufeff")
    stray = CONTROL_CHARACTERS.search(text)
    if stray:
        raise ParseError(
            file,
            _line_count(text[: stray.start()]),
            f"expected text, found the character U+{ord(stray.group()):04X}: {looks_like(text[:HEAD])}",
        )
    return text


def looks_like(head: str) -> str:
    """Say what text with a stray control character in it may be.

    Parameters
    ----------
    head : str
        The first characters of the file.
    """
    # Half of the bytes of English in UTF-16 are zeros, and no two of them are neighbours.
    if head.count("\0") * 3 > len(head) and "\0\0" not in head:
        return "this looks like UTF-16 without a byte order mark; save the file as UTF-8 text"
    return "this looks like a binary file"


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


def _refuse_other_files(content: bytes, file: str) -> None:
    kind = kind_of(content)
    if kind:
        raise ParseError(file, None, f"is {kind}, expected text such as CSV")


def kind_of(content: bytes) -> str | None:
    """Name the kind of a file that is no plain text and that its first bytes tell; else None."""
    if content[TAR_MARK_AT : TAR_MARK_AT + 5] == b"ustar":
        return "a tar archive (only zip and gz are unpacked here)"
    if WEB_PAGE.match(content):
        return "a web page"
    return next((kind for magic, kind in FILE_KINDS if content.startswith(magic)), None)


def _line_count(text_before: str) -> int:
    return len(LINE_END.split(text_before))


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
