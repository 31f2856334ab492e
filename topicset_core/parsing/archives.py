"""Files out of gzip, zip and tar archives, one at a time, within the bounds of `limits`.

The size that an archive declares is not trusted: its content is counted piece by piece. Runs are
large, so their archives are unpacked once, with one file in memory at a time. Archives of scores are
small: they are first unpacked without being kept, so that a small file which unpacks to gigabytes costs
little time and no memory, and a damaged one is refused as a whole.
"""

import io
import lzma
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from topicset_core.errors import ParseError
from topicset_core.parsing import limits
from topicset_core.progress import ReportProgress, silently
from topicset_core.wording import counted, listed

GZIP = b"\x1f\x8b"
ZIP = b"PK\x03\x04"
EMPTY_ZIP = b"PK\x05\x06"
TAR_MARK = b"ustar"
TAR_MARK_AT = 257
WORKBOOK = "xl/workbook"
CLUTTER = ("__MACOSX/",)
"""Folders that systems put into archives next to the user's own files."""
SUMMARIES = re.compile(r"model_meta\.json|results_\d{4}-\d\d-\d\dT.*\.json")
"""Files without scores of topics that MTEB and lm-evaluation-harness write next to their results."""
INSPECT_LOG = ("header.json", "summaries.json")
_Z_MEM_ERROR = -4  # as in zlib.h
ZSTANDARD = 93
"""The number of this compression in zip archives."""

# Everything that zipfile and tarfile raise on files that are damaged, forged, encrypted or too new for them.
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
DAMAGED_TAR = (tarfile.TarError, EOFError, OSError, ValueError, OverflowError, IndexError, KeyError)

PIECE = 1 << 20
FED = 1 << 18
"""Bytes handed to zlib at a time: it copies the unused part, which of a large file is much."""

Files = Sequence[tuple[str, bytes | Path]]
"""Name and content of each file, or its path: then it is read later."""

ZEROS = re.compile(rb"\0*")

_WHOLE_GZIP = "expected a whole gzip file, found"
_ENCRYPTED = "expected an archive without a password, found"

_BEGINNING = 1 << 16  # bytes that show what a file holds


class File(NamedTuple):
    """A file out of `archive`, or itself where that is empty; `begin` and `end` are its bytes of all given."""

    name: str
    content: bytes
    archive: str
    begin: float
    end: float


class _Member(NamedTuple):
    """A file in an archive, without content where it is a link or a device; `reached` counts bytes to its end."""

    name: str
    pieces: Iterator[bytes] | None
    reached: float


class Watch:
    """Reports the share of the (packed) bytes that is read, which never falls; `report` may raise to cancel."""

    def __init__(self, total: int, report: ReportProgress) -> None:
        self._total = max(total, 1)
        self._report = report
        self._fraction = 0.0

    def reached(self, done: float) -> None:
        """Report that `done` bytes of those given are read."""
        self._fraction = max(self._fraction, min(done / self._total, 1.0))
        self._report(self._fraction)

    def within(self, file: File) -> ReportProgress:
        """Return a function that takes the share of a file that is read."""
        return lambda share: self.reached(file.begin + share * (file.end - file.begin))

    def beat(self) -> None:
        """Report the same fraction again: work goes on, and may be stopped."""
        self._report(self._fraction)


class WholeArchive(ParseError):  # noqa: N818 - named for its message
    """A refusal of a whole archive, not of one file in it."""


def unpack_scores(
    content: bytes, file: str, budget: limits.Budget
) -> tuple[list[File], list[ParseError], list[str]]:
    """Unpack gzip files and zip archives of scores; return files, errors, notes on omissions."""
    unpacker = _ScoreUnpacker(budget)
    try:
        files = list(unpacker.opened(file, content))
    except WholeArchive as error:  # it may name a file in the archive
        raise ParseError(file, None, error.expected) from None
    notes = [f"Left out of the archive: {listed(names, 20)}." for _, names in unpacker.left_out]
    return files, unpacker.errors, notes


def beginning(content: bytes, file: str) -> bytes:
    """Return whole lines from the beginning of a file, or of the first one in an archive; b"" if damaged."""
    try:
        # A large gzip file is not unpacked as a whole: a run is read later, with progress.
        text = next(inflate(content, file), b"") if content.startswith(GZIP) else b""
        if not text or is_tar(text):
            text = next(_Unpacker(Watch(0, silently)).opened(file, content)).content
    except ParseError:
        return b""
    return text if len(text) <= _BEGINNING else text[: text.rfind(b"\n", 0, _BEGINNING) + 1]


def each_file(
    files: Files, read: Callable[[File, Watch], None], report: ReportProgress
) -> tuple[tuple[str, ...], tuple[ParseError, ...]]:
    """Unpack files and `read` each; return notes on omitted files, and an error for each that was refused."""
    sizes = [size_of(content) for _, content in files]
    watch = Watch(sum(sizes), report)
    unpacker = _Unpacker(watch)
    begin = 0
    for (name, content), size in zip(files, sizes, strict=True):
        held = content.read_bytes() if isinstance(content, Path) else content
        try:
            for file in unpacker.opened(name, held, begin):
                try:
                    read(file, watch)
                except ParseError as error:
                    unpacker.errors.append(error)
        except ParseError as error:  # an archive that cannot be opened
            unpacker.errors.append(error)
        begin += size
        watch.reached(begin)
    notes = tuple(
        f"Left out of the archive {name}: {listed(names, 20)}." for name, names in unpacker.left_out
    )
    return notes, tuple(unpacker.errors)


def size_of(content: bytes | Path) -> int:
    """Return how many bytes were given, or are in the given file."""
    return content.stat().st_size if isinstance(content, Path) else len(content)


class _Unpacker:
    """Opens archives of runs and judgments; keeps errors, and notes on omitted files per archive."""

    files = "files"
    file = "a text file"
    takes_tar = True

    def __init__(self, watch: Watch) -> None:
        self.errors: list[ParseError] = []
        self.left_out: list[tuple[str, list[str]]] = []
        self._watch = watch
        self._left = limits.LARGEST_TOTAL

    def opened(self, name: str, content: bytes, begin: int = 0) -> Iterator[File]:
        """Yield the files in the given bytes, `begin` bytes after the first; refuse an incomplete archive."""
        end = begin + len(content)
        if content.startswith(GZIP):
            pieces = self._inflated(content, name)
            first = next(pieces, b"")
            pieces = chain((first,), pieces)
            if self.takes_tar and is_tar(first):
                # The size that gzip declares is true but for forgeries, and those end in an error.
                size = int.from_bytes(content[-4:], "little")
                members = self._tar_members(_Pieces(pieces), name, size, begin, end)
                yield from self._members(name, begin, "tar", members)
            else:
                inner = self._joined(pieces, name)
                self._refuse_nested(inner, name)
                yield File(name, inner, "", begin, end)
        elif content.startswith(EMPTY_ZIP):
            raise ParseError(name, None, f"expected {self.files} in the archive, found an empty zip archive")
        elif content.startswith(ZIP) and not is_workbook(content):
            yield from self._members(name, begin, "zip", self._zip_members(content, name, begin))
        elif self.takes_tar and is_tar(content):
            if any(content[-512:]):  # each tar archive ends in zeros
                raise _damaged(name, "tar", "it is cut off")
            members = self._tar_members(_Pieces(iter((content,))), name, len(content), begin, end)
            yield from self._members(name, begin, "tar", members)
        else:
            self._refuse_large(len(content), name)
            self._spend(len(content), name)
            yield File(name, content, "", begin, end)

    def _members(self, name: str, begin: float, kind: str, members: Iterator[_Member]) -> Iterator[File]:
        """Yield the files of an archive; its members come one after the other, in the order of unpacking."""
        left_out: list[str] = []
        n_files = 0
        errors = DAMAGED_ZIP if kind == "zip" else DAMAGED_TAR
        with _undamaged(name, kind, errors):
            for member, pieces, reached in members:
                if pieces is None or _is_clutter(member):
                    left_out.append(member)
                    continue
                n_files += 1
                label = f"{name}/{member}"
                inner = self._member(pieces, label)
                if inner is not None:
                    yield File(label, inner, name, begin, reached)
                begin = reached
        if not n_files:
            raise ParseError(name, None, f"expected {self.files} in the archive, found none")
        if left_out:
            self.left_out.append((name, left_out))

    def _zip_members(self, content: bytes, name: str, begin: float) -> Iterator[_Member]:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            self._admit(archive, content, name)
            for info in archive.infolist():
                if not info.is_dir():
                    pieces = self._zipped_pieces(archive, info, f"{name}/{info.filename}")
                    begin += info.compress_size
                    yield _Member(info.filename, pieces, begin)

    def _tar_members(
        self, stream: "_Pieces", name: str, size: int, begin: float, end: float
    ) -> Iterator[_Member]:
        """Yield the files of a tar archive that takes this number of bytes once unpacked."""
        n_members = 0
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            for info in archive:
                self._watch.beat()
                n_members += 1
                _refuse_crowd(n_members, name)
                if info.isdir():
                    continue
                pieces = None
                member = archive.extractfile(info) if info.isreg() and not info.issparse() else None
                if member is not None:
                    self._refuse_large(info.size, f"{name}/{info.name}")
                    content = member.read()
                    if len(content) < info.size:
                        raise tarfile.ReadError("it is cut off")
                    pieces = iter((content,))
                reached = begin + (end - begin) * min(1.0, stream.n_read / max(size, 1))
                yield _Member(info.name, pieces, reached)
        # Packed content is checked at its end, and another archive may have been put behind this one.
        while rest := stream.read():
            if rest.strip(b"\0"):
                raise tarfile.ReadError("there are more bytes after its end")

    def _member(self, pieces: Iterator[bytes], label: str) -> bytes | None:
        """Return the content of a file in an archive, or None and keep the error."""
        try:
            content = self._joined(pieces, label)
            if content.startswith(GZIP):
                content = self._joined(self._inflated(content, label), label)
            self._refuse_nested(content, label)
        except (WholeArchive, limits.TooMuch):
            raise
        except ParseError as error:
            self.errors.append(error)
            return None
        return content

    def _joined(self, pieces: Iterator[bytes], name: str) -> bytes:
        """Join the pieces of one file."""
        kept = []
        n_bytes = 0
        for piece in pieces:
            n_bytes += len(piece)
            self._refuse_large(n_bytes, name)
            kept.append(piece)
        return b"".join(kept)

    # The differences between archives of runs, here, and archives of scores, below.

    def _inflated(self, content: bytes, name: str) -> Iterator[bytes]:
        """Unpack gzip piece by piece, as far as that is allowed."""
        unpacked = 0
        for piece in inflate(content, name):
            self._watch.beat()
            unpacked += len(piece)
            _refuse_ratio(unpacked, len(content), name)
            self._spend(len(piece), name)
            yield piece

    def _admit(self, archive: zipfile.ZipFile, content: bytes, name: str) -> None:
        infos = archive.infolist()
        _refuse_crowd(len(infos), name)
        _refuse_layout(archive, name)
        _refuse_ratio(sum(info.file_size for info in infos), len(content), name)

    def _zipped_pieces(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, label: str) -> Iterator[bytes]:
        if info.flag_bits & 1:
            raise ParseError(label, None, f"{_ENCRYPTED} this file encrypted")
        for piece in _pieces(archive, info):
            self._watch.beat()
            self._spend(len(piece), label)
            yield piece

    def _refuse_nested(self, content: bytes, name: str) -> None:
        if content.startswith((GZIP, ZIP, EMPTY_ZIP)) or (self.takes_tar and is_tar(content)):
            raise ParseError(name, None, f"expected {self.file} in the archive, found another archive")

    def _refuse_large(self, n_bytes: int, name: str) -> None:
        if n_bytes > limits.LARGEST_FILE:
            expected = f"expected a file of at most {limits.LARGEST_FILE_MB} MB, found a larger one"
            raise ParseError(name, None, expected)

    def _spend(self, n_bytes: int, name: str) -> None:
        """Count bytes that were unpacked, of all files together."""
        self._left -= n_bytes
        if self._left < 0:
            raise WholeArchive(
                name,
                None,
                f"expected at most {limits.LARGEST_TOTAL_MB:,} MB of text in all files together, found more",
            )


class _ScoreUnpacker(_Unpacker):
    """Opens one archive of scores: gzip or zip, in which workbooks are no archives."""

    files = "files of scores"
    file = "a file of scores"
    takes_tar = False  # it is refused as a text

    def __init__(self, budget: limits.Budget) -> None:
        super().__init__(Watch(0, silently))
        self._budget = budget

    def opened(self, name: str, content: bytes, begin: int = 0) -> Iterator[File]:
        """Yield the files in the given bytes; the log of an evaluation by Inspect is one file."""
        if is_inspect_log(content):
            yield File(name, self._joined_log(content, name), "", begin, begin + len(content))
        else:
            yield from super().opened(name, content, begin)

    def _member(self, pieces: Iterator[bytes], label: str) -> bytes | None:
        content = super()._member(pieces, label)
        try:
            return self._joined_log(content, label) if content and is_inspect_log(content) else content
        except limits.TooMuch:
            raise
        except ParseError as error:
            self.errors.append(error)
            return None

    def _joined_log(self, content: bytes, name: str) -> bytes:
        """Return a log by Inspect as its JSON has it: the summaries of samples, then the header."""
        with _undamaged(name, "zip", DAMAGED_ZIP), zipfile.ZipFile(io.BytesIO(content)) as archive:
            infos = {info.filename: info for info in archive.infolist()}
            if not infos.keys() >= set(INSPECT_LOG):
                expected = f"expected the log of a finished evaluation, with {' and '.join(INSPECT_LOG)}"
                raise ParseError(name, None, f"{expected}; found one without")
            parts = []
            for member in INSPECT_LOG:
                pieces = list(self._counted(archive, infos[member], content))
                parts.append(b"".join(pieces).strip())
        header, samples = parts
        if not header.startswith(b"{") or not samples.startswith(b"["):
            raise ParseError(name, None, "expected objects of JSON in the log, found something else")
        return b'{"samples": ' + samples + b", " + header[1:]

    def _counted(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, content: bytes) -> Iterator[bytes]:
        pieces = (
            _zstandard_pieces(info, content) if info.compress_type == ZSTANDARD else _pieces(archive, info)
        )
        for piece in pieces:
            self._budget.take_bytes(len(piece))
            yield piece

    def _inflated(self, content: bytes, name: str) -> Iterator[bytes]:
        # The size that the last four bytes state is no help: in a file that is cut off they are not it.
        for piece in inflate(content, name):
            self._budget.take_bytes(len(piece))
        yield from inflate(content, name)

    def _admit(self, archive: zipfile.ZipFile, content: bytes, name: str) -> None:  # noqa: ARG002
        check_zip(content, name, self._budget)

    def _refuse_nested(self, content: bytes, name: str) -> None:
        if not is_workbook(content) and not is_inspect_log(content):
            super()._refuse_nested(content, name)

    def _refuse_large(self, n_bytes: int, name: str) -> None:
        """Refuse nothing: the content was counted before."""

    def _spend(self, n_bytes: int, name: str) -> None:
        """Count nothing: it was counted before."""


class _Pieces(io.RawIOBase):
    """A stream to be read once, forwards, over pieces of bytes of any size."""

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
        result, self._rest = bytes(self._rest[:size]), self._rest[size:]
        self.n_read += len(result)
        return result


def is_tar(content: bytes) -> bool:
    """Return whether bytes are a tar archive, by the mark that all but the oldest have."""
    return content[TAR_MARK_AT : TAR_MARK_AT + len(TAR_MARK)] == TAR_MARK


def is_workbook(content: bytes) -> bool:
    """Return whether bytes are an xlsx workbook, by the names of its parts."""
    if not content.startswith(ZIP):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return any(name.startswith(WORKBOOK) for name in archive.namelist())
    except DAMAGED_ZIP:
        # A truncated archive is named by its kind: its first members are parts of a workbook.
        return WORKBOOK.encode() in content or b"[Content_Types].xml" in content[:100]


def is_inspect_log(content: bytes) -> bool:
    """Return whether bytes are an archive that Inspect writes, by the names of its parts."""
    if not content.startswith(ZIP):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return "_journal/start.json" in archive.namelist()
    except DAMAGED_ZIP:
        return False


def _zstandard_pieces(info: zipfile.ZipInfo, content: bytes) -> Iterator[bytes]:
    """Decompress a member that `zipfile` takes from Python 3.14 on only."""
    try:
        from pyarrow import BufferReader, CompressedInputStream
    except ImportError:
        rule = "its parts are packed by Zstandard, which needs pyarrow here: pip install pyarrow"
        raise OSError(rule) from None
    lengths = struct.unpack_from("<HH", content, info.header_offset + 26)
    begin = info.header_offset + 30 + sum(lengths)
    packed = BufferReader(content[begin : begin + info.compress_size])
    checksum = 0
    with CompressedInputStream(packed, "zstd") as stream:
        while piece := stream.read(PIECE):
            checksum = zlib.crc32(piece, checksum)
            yield piece
    if checksum != info.CRC:
        raise zipfile.BadZipFile(f"wrong checksum of {info.filename!r}")


def check_zip(content: bytes, file: str, budget: limits.Budget) -> None:
    """Unpack a zip archive of scores or a workbook without keeping it."""
    with _undamaged(file, "zip", DAMAGED_ZIP), zipfile.ZipFile(io.BytesIO(content)) as archive:
        infos = archive.infolist()
        if len(infos) > limits.MOST_MEMBERS:
            expected = f"expected at most {limits.MOST_MEMBERS:,} files in the archive, found {len(infos):,}"
            raise ParseError(file, None, expected)
        _refuse_layout(archive, file)
        replace(budget).take_bytes(sum(info.file_size for info in infos))  # as stated: not spent
        for info in infos:
            if info.flag_bits & 1:
                raise ParseError(file, None, f"{_ENCRYPTED} {info.filename!r} encrypted")
        for piece in chain.from_iterable(_pieces(archive, info) for info in infos):
            budget.take_bytes(len(piece))


def _refuse_layout(archive: zipfile.ZipFile, file: str) -> None:
    """Refuse files that overlap, and what lies before the first one: another archive, which nothing would read."""
    infos = sorted(archive.infolist(), key=lambda info: info.header_offset)
    starts = [*(info.header_offset for info in infos), archive.start_dir]
    if infos and starts[0]:
        before = f"{counted(starts[0], 'byte')} in front of it, such as another archive"
        raise ParseError(file, None, f"expected one zip archive, found {before}; give each as its own file")
    for info, end in zip(infos, starts[1:], strict=True):
        if info.header_offset + _LOCAL_HEADER + info.compress_size > end:
            expected = (
                f"expected files that lie apart in the archive, found {info.filename!r} overlapping the next"
            )
            raise ParseError(file, None, expected)


_LOCAL_HEADER = 30
"""Bytes in front of a file in a zip archive, without its name: APPNOTE 6.3.10, 4.3.7."""


def inflate(content: bytes, file: str) -> Iterator[bytes]:
    """Decompress gzip, all members of it, to pieces of at most 1 MiB: whoever asks for them counts them."""
    view = memoryview(content)
    at = n_members = 0
    try:
        while at < len(view):
            n_members += 1
            if n_members > limits.MOST_GZIP_MEMBERS:
                expected = f"expected a gzip file of at most {limits.MOST_GZIP_MEMBERS:,} members, found more"
                raise ParseError(file, None, expected)
            inflater = zlib.decompressobj(wbits=31)
            while not inflater.eof:
                fed: bytes | memoryview = inflater.unconsumed_tail
                if not fed:
                    fed = view[at : at + FED]
                    at += len(fed)
                piece = inflater.decompress(fed, PIECE)
                if not piece and not fed and not inflater.eof:
                    raise ParseError(
                        file,
                        None,
                        f"{_WHOLE_GZIP} a truncated file; copy or download it again",
                    )
                yield piece
            at -= len(inflater.unused_data)
            # Zeros may follow the last member, as tape archives leave them.
            zeros = ZEROS.match(content, at)
            at = zeros.end() if zeros else at
    except zlib.error as error:
        _check_memory(error)
        raise ParseError(file, None, f"{_WHOLE_GZIP} a damaged one ({error})") from None


def _pieces(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(info) as stream:
        while piece := stream.read(PIECE):
            yield piece


def _is_clutter(name: str) -> bool:
    """Return whether a file was added to the archive by an operating system, not by the user."""
    base = name.rsplit("/", 1)[-1]
    return name.startswith(CLUTTER) or base.startswith(".") or SUMMARIES.fullmatch(base) is not None


def _refuse_ratio(unpacked: int, packed: int, name: str) -> None:
    """Refuse what unpacks to far more than text of runs does."""
    if unpacked > max(limits.HIGHEST_RATIO * packed, limits.ALWAYS_ALLOWED):
        raise WholeArchive(
            name,
            None,
            f"expected an archive that unpacks to at most {limits.HIGHEST_RATIO} times its size, found one that "
            "unpacks to more",
        )


def _refuse_crowd(n_members: int, name: str) -> None:
    if n_members > limits.MOST_MEMBERS:
        expected = f"expected at most {limits.MOST_MEMBERS:,} files in the archive, found more"
        raise WholeArchive(name, None, expected)


@contextmanager
def _undamaged(name: str, kind: str, errors: tuple[type[Exception], ...]) -> Iterator[None]:
    """Refuse an archive as damaged where a library reports it; earlier refusals stay unchanged."""
    try:
        yield
    except ParseError:  # a ValueError as well
        raise
    except errors as error:
        _check_memory(error)
        raise _damaged(name, kind, error) from None


def _check_memory(error: Exception) -> None:
    """Raise MemoryError where zlib ran out of memory, which it tells by the number of its error alone."""
    if isinstance(error, zlib.error) and str(error).startswith(f"Error {_Z_MEM_ERROR} "):
        raise MemoryError from None


def _damaged(name: str, kind: str, error: Exception | str) -> ParseError:
    return ParseError(
        name,
        None,
        f"expected a whole {kind} archive, found a damaged one ({error}); copy or download it again",
    )
