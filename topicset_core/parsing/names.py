"""Names: which ids are valid, and which may be equal; lists of ids; information in file names."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from topicset_core.collection.selection import pieces
from topicset_core.errors import ParseError
from topicset_core.parsing.limits import LONGEST_ID
from topicset_core.parsing.text import (
    LINE_END,
    NO_CHARACTER,
    decode,
    refuse_display_controls,
    refuse_odd_file_name,
)
from topicset_core.wording import counted, first_few, quoted

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that have no look of their own: Default_Ignorable_Code_Point of the Unicode Character Database 16."""

_ZEROS = re.compile(r"(?<![\d.])0+(?=\d)", re.ASCII)
_DECIMALS = re.compile(r"(?<=\d)\.0+", re.ASCII)


def lookalikes(ids: Iterable[str], others: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Pair ids that differ in zeros alone, among themselves or with others; each is second at most once."""
    others = tuple(others)
    first_with: dict[str, str] = {}
    pairs = []
    for name in ids:
        other = first_with.setdefault(_without_zeros(name), name)
        if not others and other != name:
            pairs.append((other, name))
    for other in others:
        result = first_with.get(_without_zeros(other), other)
        if result != other:
            pairs.append((result, other))
    return pairs


def _without_zeros(name: str) -> str:
    """Leave out zeros that precede digits and make no difference to a number, and decimals that are 0."""
    end = _DECIMALS.search(name)
    return _ZEROS.sub("", name[: end.start()] if end and end.end() == len(name) else name)


def name_of(cell: bytes, file: str, what: str) -> str:
    """Return an id or a tag as text; refuse white space of Unicode and byte order marks in it."""
    name = cell.decode()
    if "\ufeff" in name:
        raise ParseError(
            file,
            None,
            f"expected a {what}, found {name!r}, with a byte order mark in it: where files are put together, take "
            "the mark off each",
        )
    if not name.strip():
        raise ParseError(file, None, f"expected a {what}, found {name!r}, which has an invisible character")
    refuse_display_controls(name, file, None, what)
    return name


def shown(name: str) -> str:
    """Return what of a name can be seen: the same for an accented letter in one character or in two."""
    # Characters without a look may stand between those that are composed.
    return name if name.isascii() else unicodedata.normalize("NFKC", INVISIBLE.sub("", name))


def refuse_twins(names: Iterable[str], file: str, what: str) -> None:
    """Refuse two names that look the same, as they differ in invisible characters alone."""
    first_with: dict[str, str] = {}
    for name in names:
        other = first_with.setdefault(shown(name), name)
        if other != name:
            raise ParseError(
                file,
                None,
                f"expected each {what} to look different, found {quoted(other)} and {quoted(name)}: "
                f"{_strays(other, name)}; write both in the same characters",
            )


def _strays(first: str, second: str) -> str:
    """Name the characters that only one of two names has, which a reader cannot tell apart."""
    stray = []
    for which, name, other in (("first", first, second), ("second", second, first)):
        only = dict.fromkeys(letter for letter in name if letter not in other)
        named = [f"U+{ord(letter):04X} {unicodedata.name(letter, '')}".strip() for letter in only]
        if named:
            stray.append(f"the {which} has {first_few(named, 3)}")
    return ", ".join(stray) or "their invisible characters stand in other places"


def check_id(result: str, file: str, line: int) -> None:
    """Refuse an id that is invalid in a line of a run: empty, too long, or with white space in it."""
    if result.split() != [result] or NO_CHARACTER.search(result):
        raise ParseError(file, line, f"expected an id without white space, found {quoted(result)}")
    refuse_display_controls(result, file, line, "id")
    if len(result.encode()) > LONGEST_ID:
        raise ParseError(file, line, f"expected an id of at most {LONGEST_ID} bytes, found {quoted(result)}")


def refuse_long(cell: str, file: str, line: int | None, what: str) -> None:
    """Refuse an id or a tag that is too long to be one."""
    n_bytes = len(cell.encode())
    if n_bytes > LONGEST_ID:
        expected = f"expected a {what} of at most {LONGEST_ID} bytes, found one of {n_bytes:,}"
        raise ParseError(file, line, expected)


EXTENSIONS = frozenset(
    f".{candidate}"
    for candidate in "csv tsv tab txt dat out res eval trec json jsonl xlsx nev dnev dinnev nevia".split()  # noqa: SIM905
)
"""Endings that are no part of the name of a run, which may have dots itself: bm25.b=0.75."""

_PACKED_ENDINGS = re.compile(r"(\.(gz|txt|run|res|trec|out|eval|results?))+$", re.IGNORECASE)
"""Suffixes of packed files; ".75" of "b0.75" is not one."""


class Source(NamedTuple):
    """The source of a table, as far as names contain it: `file` as the user named it, `place` with the sheet."""

    file: str
    place: str
    stem: str  # the file without folder and extension
    run: str  # the name of the run of a table with a single one
    archive: str = ""  # the archive that the file was in
    sheet: str = ""


def source_of(file: str, archive: str = "") -> Source:
    """Take the names from a file as the user named it."""
    refuse_odd_file_name(file)
    base = PurePosixPath(file.replace("\\", "/").rstrip("/")).name.strip()
    if base.lower().endswith(".gz") and len(base) > 3:
        base = base[:-3]
    path = PurePosixPath(base)
    is_year = any(map(str.isdigit, path.suffix))  # or a version: "terabyte.2006" has no ending
    stem = (base if is_year else path.stem.strip()) or file.strip() or "scores"
    run = stem if path.suffix.lower() in EXTENSIONS else base or stem
    return Source(file, file, stem, run, archive)


def name_of_file(file: str) -> str:
    """Return the name of a file without folder and extensions: "runs/bm25_b0.75.txt.gz" is "bm25_b0.75"."""
    base = PurePosixPath(file.replace("\\", "/")).name
    return _PACKED_ENDINGS.sub("", base) or base


def read_topic_list(file: str, content: bytes | str, known: Sequence[str]) -> tuple[str, ...]:
    """Return the topics that a list names, in its order, without comments and text after a tab."""
    lines: dict[str, int] = {}
    unknown: dict[str, int] = {}
    topics = set(known)
    for number, line in enumerate(LINE_END.split(decode(content, file)), start=1):
        topic = line.partition("\t")[0].strip()
        if not topic or topic.startswith("#"):
            continue
        for piece in pieces(topic, topics.__contains__):
            if piece not in topics:
                unknown.setdefault(piece, number)
                continue
            if piece in lines:
                before = f"after line {lines[piece]:,}" if lines[piece] < number else "on the same line"
                raise ParseError(
                    file, number, f"expected each topic once, found {quoted(piece)} again {before}"
                )
            lines[piece] = number
    if unknown:
        first, *others = unknown
        more = f", and {counted(len(others), 'other')} like it" if others else ""
        expected = f"expected a topic that has scores or judgments, found {quoted(first)}{more}"
        raise ParseError(file, unknown[first], expected)
    if not lines:
        raise ParseError(file, None, "expected topic ids, one per line, found an empty file")
    return tuple(lines)
