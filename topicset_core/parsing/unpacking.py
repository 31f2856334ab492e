"""Archives to the files in them, within bounds on what they unpack to.

What an archive says of its own size is not believed: its content is first unpacked piece by piece
and only counted, then unpacked again and kept. So a small file that unpacks to gigabytes costs
little time and no memory.
"""

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from topicset_core.errors import ParseError
from topicset_core.parsing.inflating import PIECE, inflate

LARGEST_MB = 200
LARGEST = LARGEST_MB * 1_000_000
"""Bytes that one upload may unpack to, all its files together."""

WORKBOOK = "xl/workbook"

MOST_MEMBERS = 5_000

GZIP = b"\x1f\x8b"
ZIP = b"PK\x03\x04"
EMPTY_ZIP = b"PK\x05\x06"
# Everything that zipfile raises on files that are damaged, forged, encrypted or too new for it.
DAMAGED_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
    IndexError,
    KeyError,
)
NO_SCORES = ("__MACOSX/",)
"""Folders that systems put into archives beside the user's own files."""


class _TooLarge(ParseError):  # noqa: N818 - private: what the whole archive is refused for
    """More than an archive may unpack to."""


class Member(NamedTuple):
    """A file out of an archive, or the file itself; `archive` is the archive it comes from, or empty."""

    file: str
    content: bytes
    archive: str


class Unpacked(NamedTuple):
    """The files, errors for those that could not be unpacked, and sentences on what was left out."""

    members: tuple[Member, ...]
    errors: tuple[ParseError, ...]
    said: tuple[str, ...]


def is_workbook(content: bytes) -> bool:
    """Say whether bytes are those of an xlsx workbook, by the names of what is in it."""
    if not content.startswith(ZIP):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return any(name.startswith(WORKBOOK) for name in archive.namelist())
    except DAMAGED_ZIP:
        # What is cut off is named for what it was: its first members are those of a workbook.
        return WORKBOOK.encode() in content or b"[Content_Types].xml" in content[:100]


def unpack(content: bytes, file: str) -> Unpacked:
    """Unpack gzip files and zip archives; everything else is handed through.

    Raises
    ------
    ParseError
        If an archive is damaged, encrypted, empty or unpacks past 200 MB, or holds an archive.
    """
    if content.startswith(GZIP):
        inner = gunzip(content, file, LARGEST)
        _refuse_nested(inner, file)
        return Unpacked((Member(file, inner, ""),), (), ())
    if content.startswith(EMPTY_ZIP):
        raise ParseError(file, None, "expected files of scores in the archive, found an empty zip archive")
    if content.startswith(ZIP) and not is_workbook(content):
        return _unzip(content, file)
    return Unpacked((Member(file, content, ""),), (), ())


def _refuse_nested(content: bytes, file: str) -> None:
    if content.startswith((GZIP, ZIP, EMPTY_ZIP)) and not is_workbook(content):
        raise ParseError(file, None, "expected a file of scores in the archive, found another archive")


def gunzip(content: bytes, file: str, most: int) -> bytes:
    """Decompress gzip, all members of it.

    Raises
    ------
    ParseError
        If it is cut off or damaged, or unpacks to more than `most` bytes.
    """
    # The size that the last four bytes state is no help: in a file that is cut off they are not it.
    for _ in _inflate(content, file, most):
        pass
    kept = io.BytesIO()
    for piece in _inflate(content, file, most):
        kept.write(piece)
    return kept.getvalue()


def _inflate(content: bytes, file: str, most: int) -> Iterator[bytes]:
    left = most
    for piece in inflate(content, file):
        left -= len(piece)
        if left < 0:
            _refuse_size(file)
        yield piece


def check_zip(content: bytes, file: str) -> int:
    """Unpack a zip archive without keeping it, and return how many bytes that makes.

    Raises
    ------
    ParseError
        If it is damaged or encrypted, or unpacks past 200 MB.
    """
    total = 0
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for info in _infos(archive, file):
                for piece in _pieces(archive, info):
                    total += len(piece)
                    if total > LARGEST:
                        _refuse_size(file)
    except DAMAGED_ZIP as error:
        _refuse_damaged(file, error)
    return total


def _unzip(content: bytes, file: str) -> Unpacked:
    total = check_zip(content, file)
    members: list[Member] = []
    errors: list[ParseError] = []
    left_out: list[str] = []
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for info in _infos(archive, file):
                name = info.filename
                base = name.rsplit("/", 1)[-1]
                if name.endswith("/"):
                    continue
                if name.startswith(NO_SCORES) or base.startswith("."):
                    left_out.append(name)
                    continue
                label = f"{file}/{name}"
                inner = b"".join(_pieces(archive, info))
                try:
                    if inner.startswith(GZIP):
                        inner = gunzip(inner, label, LARGEST - total)
                        total += len(inner)
                    _refuse_nested(inner, label)
                    if is_workbook(inner):
                        total += check_zip(inner, label)
                    if total > LARGEST:
                        _refuse_size(file)
                except _TooLarge:
                    # The rest could cost as much again, each of them.
                    _refuse_size(file)
                except ParseError as error:
                    errors.append(error)
                    continue
                members.append(Member(label, inner, file))
    except DAMAGED_ZIP as error:
        _refuse_damaged(file, error)
    if not members and not errors:
        raise ParseError(file, None, "expected files of scores in the archive, found none")
    said = (f"Left out of the archive: {', '.join(map(repr, left_out))}.",) if left_out else ()
    return Unpacked(tuple(members), tuple(errors), said)


def _infos(archive: zipfile.ZipFile, file: str) -> list[zipfile.ZipInfo]:
    infos = archive.infolist()
    if len(infos) > MOST_MEMBERS:
        raise ParseError(
            file, None, f"expected at most {MOST_MEMBERS:,} files in the archive, found {len(infos):,}"
        )
    if sum(info.file_size for info in infos) > LARGEST:
        _refuse_size(file)
    for info in infos:
        if info.flag_bits & 1:
            raise ParseError(
                file, None, f"expected an archive without a password, found {info.filename!r} encrypted"
            )
    return infos


def _pieces(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(info) as stream:
        while piece := stream.read(PIECE):
            yield piece


def _refuse_size(file: str) -> NoReturn:
    raise _TooLarge(
        file,
        None,
        f"expected an archive of at most {LARGEST_MB} MB once unpacked, found one that unpacks to more",
    )


def _refuse_damaged(file: str, error: Exception) -> NoReturn:
    if isinstance(error, ParseError):  # a ValueError as well
        raise error
    raise ParseError(
        file, None, f"expected a whole zip archive, found a damaged one ({error}); copy or download it again"
    ) from None
