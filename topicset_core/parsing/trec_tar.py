"""Tar archives, packed or not, read once and forwards."""

import io
import tarfile
from collections.abc import Iterator
from typing import NamedTuple

from topicset_core.parsing.trec_budget import refuse_crowd, refuse_large

TAR_MARK = b"ustar"
TAR_MARK_AT = 257

DAMAGED_TAR = (tarfile.TarError, EOFError, OSError, ValueError, OverflowError, IndexError, KeyError)
"""Everything that tarfile raises on archives that are damaged or forged."""


class TarMember(NamedTuple):
    """A file in a tar archive; `content` is None for what is no plain file: a link, a device."""

    name: str
    content: bytes | None


class Pieces(io.RawIOBase):
    """A stream to be read once, forwards, over pieces of bytes.

    Parameters
    ----------
    pieces : iterator of bytes
        The stream in pieces of any size.
    """

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = memoryview(b"")
        self.n_read = 0

    def read(self, size: int = -1, /) -> bytes:
        """Return at least 1 byte and at most `size`, or nothing at the end."""
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return b""
            self._rest = memoryview(piece)
        size = len(self._rest) if size < 0 else size
        found, self._rest = bytes(self._rest[:size]), self._rest[size:]
        self.n_read += len(found)
        return found


def is_tar(content: bytes) -> bool:
    """Say whether bytes are those of a tar archive, by the mark that all but the oldest have."""
    return content[TAR_MARK_AT : TAR_MARK_AT + len(TAR_MARK)] == TAR_MARK


def read_tar(stream: Pieces, name: str) -> Iterator[TarMember]:
    """Yield the files of a tar archive, one at a time.

    Raises
    ------
    ParseError
        If there are too many files in it, or a file is too large.
    Exception
        One of `DAMAGED_TAR`, where it is damaged.
    """
    n_members = 0
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for info in archive:
            n_members += 1
            refuse_crowd(n_members, name)
            if info.isdir():
                continue
            member = archive.extractfile(info) if info.isreg() and not info.issparse() else None
            if member is None:
                yield TarMember(info.name, None)
                continue
            refuse_large(info.size, f"{name}/{info.name}")
            content = member.read()
            if len(content) < info.size:
                raise tarfile.ReadError("it is cut off")
            yield TarMember(info.name, content)
    # What is packed is checked at its end, and another archive may have been put behind this one.
    while rest := stream.read():
        if rest.strip(b"\0"):
            raise tarfile.ReadError("there is more behind its end")
