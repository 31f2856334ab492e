"""Runs and judgments out of gzip files, zip and tar archives, one at a time, within bounds.

Unlike `unpacking`, which keeps all files of an archive of scores, this holds the text of one file at
a time, since runs are large, and unpacks once.
"""

import io
import zipfile
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from topicset_core.errors import ParseError
from topicset_core.parsing.inflating import PIECE, inflate
from topicset_core.parsing.trec_budget import (
    Budget,
    WholeArchive,
    refuse_crowd,
    refuse_large,
    refuse_ratio,
)
from topicset_core.parsing.trec_tar import DAMAGED_TAR, Pieces, is_tar, read_tar
from topicset_core.parsing.unpacking import (
    DAMAGED_ZIP,
    EMPTY_ZIP,
    GZIP,
    NO_SCORES,
    ZIP,
    is_workbook,
)
from topicset_core.parsing.watching import Watch
from topicset_core.wording import listed


class File(NamedTuple):
    """A file out of an archive, or the file itself.

    `archive` is the archive it comes from, or empty; `begin` and `end` say which of all bytes given
    it is made of, for progress.
    """

    name: str
    content: bytes
    archive: str
    begin: float
    end: float


class Unpacker:
    """Opens what was given, file by file; keeps errors, and sentences on what was left out.

    Parameters
    ----------
    watch : Watch
        Hears of every piece that is unpacked.
    """

    def __init__(self, watch: Watch) -> None:
        self.errors: list[ParseError] = []
        self.said: list[str] = []
        self._watch = watch
        self._budget = Budget()

    def files(self, name: str, content: bytes, begin: int = 0) -> Iterator[File]:
        """Yield the files in what was given; an archive that cannot be opened is kept as an error.

        Parameters
        ----------
        name : str
            The file as the user named it.
        content : bytes
            What it holds.
        begin : int, optional
            Bytes given before it.
        """
        try:
            yield from self._open(name, content, begin)
        except ParseError as error:
            self.errors.append(error)

    def _open(self, name: str, content: bytes, begin: int) -> Iterator[File]:
        end = begin + len(content)
        if content.startswith(GZIP):
            pieces = self._inflate(content, name)
            first = next(pieces, b"")
            if is_tar(first):
                # What gzip says of its size is true but for forgeries, and those end in an error.
                size = int.from_bytes(content[-4:], "little")
                yield from self._tar(Pieces(chain((first,), pieces)), name, size, begin, end)
            else:
                inner = _whole(chain((first,), pieces), name)
                _refuse_nested(inner, name)
                yield File(name, inner, "", begin, end)
        elif content.startswith(EMPTY_ZIP):
            raise ParseError(name, None, "expected files in the archive, found an empty zip archive")
        elif content.startswith(ZIP) and not is_workbook(content):
            yield from self._zip(content, name, begin)
        elif is_tar(content):
            if any(content[-512:]):  # each tar archive ends in zeros
                raise _damaged(name, "tar", "it is cut off")
            yield from self._tar(Pieces(iter((content,))), name, len(content), begin, end)
        else:
            refuse_large(len(content), name)
            self._budget.spend(len(content), name)
            yield File(name, content, "", begin, end)

    def _inflate(self, content: bytes, name: str) -> Iterator[bytes]:
        """Unpack gzip piece by piece, as far as that is allowed."""
        unpacked = 0
        for piece in inflate(content, name):
            self._watch.beat()
            unpacked += len(piece)
            refuse_ratio(unpacked, len(content), name)
            self._budget.spend(len(piece), name)
            yield piece

    def _zip(self, content: bytes, name: str, begin: int) -> Iterator[File]:
        left_out: list[str] = []
        n_files = 0
        done = float(begin)
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                infos = archive.infolist()
                refuse_crowd(len(infos), name)
                refuse_ratio(sum(info.file_size for info in infos), len(content), name)
                for info in infos:
                    if info.is_dir():
                        continue
                    if _is_clutter(info.filename):
                        left_out.append(info.filename)
                        continue
                    n_files += 1
                    label = f"{name}/{info.filename}"
                    inner = self._inner(self._zipped_pieces(archive, info, label), label)
                    if inner is not None:
                        yield File(label, inner, name, done, done + info.compress_size)
                    done += info.compress_size
        except ParseError:
            raise
        except DAMAGED_ZIP as error:
            raise _damaged(name, "zip", error) from None
        self._finish(name, n_files, left_out)

    def _zipped_pieces(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, label: str) -> Iterator[bytes]:
        if info.flag_bits & 1:
            raise ParseError(label, None, "expected an archive without a password, found this file encrypted")
        with archive.open(info) as stream:
            while piece := stream.read(PIECE):
                self._watch.beat()
                self._budget.spend(len(piece), label)
                yield piece

    def _tar(self, stream: Pieces, name: str, size: int, begin: float, end: float) -> Iterator[File]:
        left_out: list[str] = []
        n_files = 0
        done = begin
        try:
            for member in read_tar(stream, name):
                self._watch.beat()
                if member.content is None or _is_clutter(member.name):
                    left_out.append(member.name)
                    continue
                n_files += 1
                label = f"{name}/{member.name}"
                inner = self._inner(iter((member.content,)), label)
                reached = begin + (end - begin) * min(1.0, stream.n_read / max(size, 1))
                if inner is not None:
                    yield File(label, inner, name, done, reached)
                done = reached
        except ParseError:
            raise
        except DAMAGED_TAR as error:
            raise _damaged(name, "tar", error) from None
        self._finish(name, n_files, left_out)

    def _inner(self, pieces: Iterator[bytes], label: str) -> bytes | None:
        """Return what a file in an archive holds, or None and keep the error."""
        try:
            content = _whole(pieces, label)
            if content.startswith(GZIP):
                content = _whole(self._inflate(content, label), label)
            _refuse_nested(content, label)
        except WholeArchive:
            raise
        except ParseError as error:
            self.errors.append(error)
            return None
        return content

    def _finish(self, name: str, n_files: int, left_out: list[str]) -> None:
        if not n_files:
            raise ParseError(name, None, "expected files in the archive, found none")
        if left_out:
            self.said.append(f"Left out of the archive {name}: {listed(left_out, 20)}.")


def _whole(pieces: Iterator[bytes], name: str) -> bytes:
    """Join the pieces of one file."""
    kept = []
    n_bytes = 0
    for piece in pieces:
        n_bytes += len(piece)
        refuse_large(n_bytes, name)
        kept.append(piece)
    return b"".join(kept)


def _is_clutter(name: str) -> bool:
    """Say whether a file is one that systems put into archives beside the user's own."""
    return name.startswith(NO_SCORES) or name.rsplit("/", 1)[-1].startswith(".")


def _refuse_nested(content: bytes, name: str) -> None:
    if content.startswith((GZIP, ZIP, EMPTY_ZIP)) or is_tar(content):
        raise ParseError(name, None, "expected a text file in the archive, found another archive")


def _damaged(name: str, kind: str, error: Exception | str) -> ParseError:
    return ParseError(
        name,
        None,
        f"expected a whole {kind} archive, found a damaged one ({error}); copy or download it again",
    )
