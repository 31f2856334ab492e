"""Bytes to text: encodings, line ends, and the refusal of other content.

Tables are decoded as a whole (`decode`); runs and judgments, which are large, stay bytes (`plain_text`).
"""

import re
from typing import NamedTuple

from topicset_core.errors import ParseError
from topicset_core.parsing.archives import GZIP, ZIP, is_tar
from topicset_core.parsing.limits import LONGEST_ID
from topicset_core.wording import display_control, quoted

UTF_8_MARK = b"\xef\xbb\xbf"
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")

FILE_KINDS = (
    (GZIP, "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel workbook or another Office file"),
    (b"%PDF-", "a PDF document"),
)
"""First bytes of files that people drop here, and their kinds."""

WEB_PAGE = re.compile(rb"\s*<(?:!doctype html|html)[\s>]", re.IGNORECASE)

CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""Invalid in a text file: controls other than tab and line ends, and halves of characters."""

NO_CHARACTER = re.compile(r"[\x00\ud800-\udfff]")
"""Valid as an escape in JSON, invalid in text."""

# Tab and line feed are the only controls that a line of columns has; carriage returns are gone by then.
CONTROLS = bytes((*range(9), *range(11, 32), 127))
CONTROL = re.compile(b"[" + re.escape(CONTROLS) + b"]")

HEAD = 4096
"""Characters, or bytes, that identify the kind of a file."""

LINE_END = re.compile(r"\r\n|\n|\r")
"""Not `str.splitlines`, which also splits at characters that no editor counts as a line end."""


def line_ends(text: str, start: int, end: int) -> int:
    """Count the line ends in a part of a text."""
    part = text[start:end]
    return part.count("\n") + part.count("\r") - part.count("\r\n")


def refuse_display_controls(name: str, file: str, line: int | None, what: str) -> None:
    """Refuse a name that reads otherwise than it is written, as it overrides the direction of text."""
    stray = display_control(name)
    if stray:
        expected = (
            f"expected a {what}, found {quoted(name)}: {stray} controls how text is displayed; remove it"
        )
        raise ParseError(file, line, expected)


def refuse_odd_file_name(file: str) -> None:
    """Refuse the name of a file that reads otherwise than it is written, or that no file system has."""
    base = file.rpartition("/")[2]
    if len(base.encode(errors="replace")) > LONGEST_ID:
        expected = (
            f"expected a file name of at most {LONGEST_ID} bytes, found one that begins with {quoted(base)}"
        )
        raise ParseError(f"{file[:40]}…", None, expected)
    refuse_display_controls(file, file, None, "file name")


def decode(content: bytes | str, file: str) -> str:
    """Return the text of a file: UTF-8, or UTF-16 with a byte order mark."""
    refuse_odd_file_name(file)
    if isinstance(content, bytes):
        kind = kind_of(content)
        if kind:
            raise ParseError(file, None, f"is {kind}, expected text such as CSV")
        encoding = "utf-16" if content.startswith(UTF_16_MARKS) else "utf-8"
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
        expected = f"expected text, found the character U+{ord(stray.group()):04X}: {looks_like(text[:HEAD])}"
        raise ParseError(file, _line_count(text[: stray.start()]), expected)
    return text


def _line_count(text_before: str) -> int:
    return len(LINE_END.split(text_before))


class PlainText(NamedTuple):
    """Bytes whose lines end in line feeds, and a sentence where they had to be recoded."""

    content: bytes
    notes: tuple[str, ...]


def plain_text(content: bytes, file: str) -> PlainText:
    """Convert line ends to line feeds and UTF-16 to UTF-8, and take a byte order mark off."""
    refuse_odd_file_name(file)
    kind = kind_of(content)
    if content.startswith(ZIP):  # all other zip archives are unpacked by now
        kind = "an Excel workbook"
    if kind:
        raise ParseError(file, None, f"is {kind}, expected plain text")
    notes: tuple[str, ...] = ()
    if content.startswith(UTF_16_MARKS):
        try:
            content = content.decode("utf-16").encode()
        except UnicodeError:
            expected = "expected UTF-16 text, as announced by its first bytes, found invalid bytes"
            raise ParseError(file, None, expected) from None
        notes = ("The file is in UTF-16; ids were recoded to UTF-8.",)
    content = content.removeprefix(UTF_8_MARK)
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return PlainText(content, notes)


def first_lines(content: bytes) -> list[bytes]:
    """Return the lines within the first bytes of a file, whole ones only, as `plain_text` would have them."""
    head = content[:HEAD]
    if head.startswith(UTF_16_MARKS):
        head = head.decode("utf-16", "ignore").encode()
    lines = head.removeprefix(UTF_8_MARK).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return lines if len(content) <= HEAD else lines[:-1]


def refuse_odd_bytes(block: bytes, file: str, line: int) -> None:
    """Refuse control characters and invalid UTF-8, in whole lines of which the first is number `line`."""
    # Deleting is ten times faster than searching, and nearly always there is nothing to delete.
    if len(block.translate(None, CONTROLS)) != len(block):
        stray = CONTROL.search(block)
        if stray is not None:
            raise ParseError(
                file,
                line + block.count(b"\n", 0, stray.start()),
                f"expected text, found the character U+{ord(stray.group()):04X}: "
                f"{looks_like(block[:HEAD].decode('latin-1'))}",
            )
    if block.isascii():
        return
    try:
        block.decode()
    except UnicodeDecodeError as error:
        # Taking these bytes for Latin-1 would be a guess that parts ids from the same ids in UTF-8.
        raise ParseError(
            file,
            line + block.count(b"\n", 0, error.start),
            f"expected UTF-8 text, found the byte 0x{block[error.start]:02X} that does not belong there; "
            "save all runs and judgments as UTF-8, so that the same ids are the same bytes",
        ) from None


def kind_of(content: bytes) -> str | None:
    """Name the kind of a file that is no plain text, by its first bytes; else None."""
    if is_tar(content):
        return "a tar archive (only zip and gz are unpacked here)"
    if WEB_PAGE.match(content):
        return "a web page"
    return next((kind for magic, kind in FILE_KINDS if content.startswith(magic)), None)


def looks_like(head: str) -> str:
    """Name the likely kind of text that begins so and has a stray control character in it."""
    # Half of the bytes of English in UTF-16 are zeros, and no two of them are neighbours.
    if head.count("\0") * 3 > len(head) and "\0\0" not in head:
        return "this looks like UTF-16 without a byte order mark; save the file as UTF-8 text"
    return "this looks like a binary file"
