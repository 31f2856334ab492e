"""Files of lines to plain bytes: encodings, line ends, and what is no text."""

import re
from typing import NamedTuple

from topicset_core.errors import ParseError
from topicset_core.parsing.text import kind_of, looks_like
from topicset_core.parsing.unpacking import ZIP

UTF_8_MARK = b"\xef\xbb\xbf"
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")

# Tab and line feed are the only controls that a line of columns has; carriage returns are gone by then.
CONTROLS = bytes((*range(9), *range(11, 32), 127))
CONTROL = re.compile(b"[" + re.escape(CONTROLS) + b"]")


HEAD = 4096
"""Bytes by which the format of a file is told."""


def first_lines(content: bytes) -> list[bytes]:
    """Return the lines within the first bytes of a file, whole ones only, as `plain_text` would have them."""
    head = content[:HEAD]
    if head.startswith(UTF_16_MARKS):
        head = head.decode("utf-16", "ignore").encode()
    lines = head.removeprefix(UTF_8_MARK).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return lines if len(content) <= HEAD else lines[:-1]


class PlainText(NamedTuple):
    """Bytes whose lines end in line feeds, and a sentence where they had to be recoded."""

    content: bytes
    said: tuple[str, ...]


def plain_text(content: bytes, file: str) -> PlainText:
    """Bring line ends to line feeds and UTF-16 to UTF-8, and take a byte order mark off.

    Raises
    ------
    ParseError
        If the bytes are those of an archive or another file that is no text, or break UTF-16.
    """
    kind = kind_of(content)
    if content.startswith(ZIP):  # all other zip archives are unpacked by now
        kind = "an Excel workbook"
    if kind:
        raise ParseError(file, None, f"is {kind}, expected plain text")
    said: tuple[str, ...] = ()
    if content.startswith(UTF_16_MARKS):
        try:
            content = content.decode("utf-16").encode()
        except UnicodeError:
            raise ParseError(
                file, None, "expected UTF-16 text, as its first bytes say, found bytes that are none"
            ) from None
        said = ("The file is in UTF-16; ids were recoded to UTF-8.",)
    content = content.removeprefix(UTF_8_MARK)
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return PlainText(content, said)


def refuse_odd_bytes(block: bytes, file: str, line: int) -> None:
    """Refuse control characters and what is not UTF-8.

    Parameters
    ----------
    block : bytes
        Whole lines.
    file : str
        The file as the user named it.
    line : int
        Number of the first line.

    Raises
    ------
    ParseError
        At the first byte that does not belong there.
    """
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
        # Taking such bytes for Latin-1 would be a guess that parts ids from the same ids in UTF-8.
        raise ParseError(
            file,
            line + block.count(b"\n", 0, error.start),
            f"expected UTF-8 text, found the byte 0x{block[error.start]:02X} that does not belong there; "
            "save all runs and judgments as UTF-8, so that the same ids are the same bytes",
        ) from None
