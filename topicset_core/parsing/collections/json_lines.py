"""JSON Lines to records: one JSON object a line, as the documents and topics of a collection are kept."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from topicset_core.errors import ParseError
from topicset_core.parsing.archives import GZIP, inflate
from topicset_core.parsing.ids import check_id
from topicset_core.parsing.limits import LARGEST_FILE, LARGEST_FILE_MB
from topicset_core.parsing.text import plain_text, refuse_odd_bytes
from topicset_core.wording import shown

HALF = re.compile(r"[\ud800-\udfff]")
"""What JSON can escape and no text holds: one of two that make a character together."""


class _Repeated(Exception):  # noqa: N818 - named for what it says
    """A key that an object has twice; Python would keep the last of its values."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(key)


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its keys and values."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise _Repeated(Counter(key for key, _ in pairs).most_common(1)[0][0])
    return fields


class Record(NamedTuple):
    """The fields of one line; `line` counts from 1 and includes blank lines."""

    file: str
    line: int
    fields: dict[str, Any]

    def name(self) -> str:
        """Return the ``id``, or BEIR's ``_id``, a text or a whole number, as text.

        Raises
        ------
        ParseError
            If there is none, or it could not stand in a line of a run.
        """
        field = "_id" if "_id" in self.fields and "id" not in self.fields else "id"
        found = self.fields.get(field)
        if isinstance(found, int) and not isinstance(found, bool):
            found = str(found)
        if not isinstance(found, str):
            self._refuse("an id, a text or a whole number", field)
        check_id(found, self.file, self.line)
        return found

    def text(self, field: str, default: str | None = None) -> str:
        """Return the text of a field.

        Parameters
        ----------
        field : str
            Its name.
        default : str, optional
            For records that lack the field; where None, it must be there.

        Raises
        ------
        ParseError
            If it is absent or no text.
        """
        found = self.fields.get(field, default)
        if not isinstance(found, str):
            self._refuse(f"a text called {field!r}", field)
        # To look through all characters takes five times as long as to see that they are ASCII.
        stray = None if found.isascii() else HALF.search(found)
        if stray:
            expected = f"expected characters in {field!r}, found half of one, U+{ord(stray.group()):04X}"
            raise ParseError(self.file, self.line, expected)
        return found

    def _refuse(self, expected: str, field: str) -> NoReturn:
        found = shown(json.dumps(self.fields[field])) if field in self.fields else "none"
        raise ParseError(self.file, self.line, f"expected {expected}, found {found}")


def opened(file: str, content: bytes) -> bytes:
    """Return text in UTF-8 with line feeds, unpacked where it is in gzip.

    Raises
    ------
    ParseError
        If it is no text, or too much.
    """
    if content.startswith(GZIP):
        pieces, size = [], 0
        for piece in inflate(content, file):
            pieces.append(piece)
            size += len(piece)
            _refuse_too_much(size, file)
        content = b"".join(pieces)
    _refuse_too_much(len(content), file)
    text = plain_text(content, file).content
    refuse_odd_bytes(text, file, 1)
    return text


def _refuse_too_much(size: int, file: str) -> None:
    if size > LARGEST_FILE:
        raise ParseError(file, None, f"expected at most {LARGEST_FILE_MB:,} MB of text, found more")


def records(file: str, text: bytes) -> Iterator[Record]:
    """Read each line that is not blank.

    Parameters
    ----------
    file : str
        The file as the user named it.
    text : bytes
        As `opened` returns it.

    Raises
    ------
    ParseError
        If a line is not one JSON object.
    """
    for number, line in enumerate(text.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line, object_pairs_hook=_fields)
        except _Repeated as error:
            expected = f"expected each key once in an object, found {shown(error.key)} twice"
            raise ParseError(file, number, expected) from None
        except (ValueError, RecursionError) as error:
            reason = getattr(error, "msg", "it is nested too deeply, or a number is too long")
            raise ParseError(file, number, f"expected one JSON object on the line: {reason}") from None
        if not isinstance(fields, dict):
            raise ParseError(
                file, number, f"expected one JSON object on the line, found {shown(line.decode())}"
            )
        yield Record(file, number, fields)
