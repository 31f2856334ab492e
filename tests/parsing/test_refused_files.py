"""Files that hold no text: each refusal with its file, line and text."""

import io
import zipfile

import pytest

from tests.parsing.refusals import check_refused


def zipped(*members: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for member in members:
            archive.writestr(member, "x" * 100)
    return file.getvalue()


FILES = [
    ("", None, "expected a table of scores, found an empty file"),
    (b"", None, "expected a table of scores, found an empty file"),
    (b"\xef\xbb\xbf\r\n \t \n", None, "expected a table of scores, found an empty file"),
    (
        zipped("[Content_Types].xml", "xl/workbook.xml"),
        None,
        "expected an Excel workbook, found one that cannot be read (syntax error: line 1, column 0)",
    ),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 ...",
        None,
        "is an old Excel workbook or another Office file, expected text such as CSV",
    ),
    (b"%PDF-1.7\n%\xe2", None, "is a PDF document, expected text such as CSV"),
    (
        b"topic,A\r\nt1,0.5\r\ncaf\xe9,1\r\n",
        3,
        "expected UTF-8 text, found the byte 0xE9 that does not belong there; save the file as UTF-8 text",
    ),
    (
        "a\nb".encode("utf-16") + b"\x00",
        2,
        "expected UTF-16 text, found the byte 0x00 that does not belong there; save the file as UTF-8 text",
    ),
    (
        "topic,A\nt1,0.5\nt2,1\n".encode("utf-16-le"),
        1,
        "expected text, found the character U+0000: this looks like UTF-16 without a byte order mark; save the "
        "file as UTF-8 text",
    ),
    (
        "topic,A\nt1,\x1b[31m0.5",
        2,
        "expected text, found the character U+001B: this looks like a binary file",
    ),
    ("topic,A\n\ud800,1", 2, "expected text, found the character U+D800: this looks like a binary file"),
]


@pytest.mark.parametrize(("content", "line", "expected"), FILES)
def test_file_is_refused_at_its_place(content: bytes | str, line: int | None, expected: str) -> None:
    check_refused(content, line, expected)
