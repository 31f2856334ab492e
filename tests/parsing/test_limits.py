"""Small files that unpack to very much: refused in little time and with little memory."""

import gzip
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.packed import without_reason, zipped
from tests.refusals import check_unread, unread
from tests.words import numbers_in
from topicset_core.parsing import limits, read_scores

ROOT = Path(__file__).resolve().parents[2]
MEGABYTE = bytes(1 << 20)


def gzipped_zeros(megabytes: int) -> bytes:
    """One gzip member of a number of blocks, each of which unpacks to a megabyte."""
    packer = zlib.compressobj(9, wbits=31)
    begin = packer.compress(MEGABYTE) + packer.flush(zlib.Z_FULL_FLUSH)
    # A block does not depend on those before it: all but the first, with gzip's header, are the same bytes.
    block = packer.compress(MEGABYTE) + packer.flush(zlib.Z_FULL_FLUSH)
    end = zlib.compressobj(9, wbits=-15).flush()
    checksum = 0
    for _ in range(megabytes):
        checksum = zlib.crc32(MEGABYTE, checksum)
    return begin + block * (megabytes - 1) + end + struct.pack("<II", checksum, megabytes << 20)


@pytest.fixture
def two_megabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundredth of the limit, so that archives to test it are made at once."""
    assert limits.LARGEST_SCORES == 200_000_000
    monkeypatch.setattr(limits, "LARGEST_SCORES", 2_000_000)


def check_too_much(content: bytes, file: str, golden: SnapshotAssertion) -> None:
    assert numbers_in(unread(read_scores, content, file).expected) == [200]  # MB
    check_unread(golden, (file, None), read_scores, content, file)


def test_zeros_are_packed_as_gzip_packs_them() -> None:
    assert gzip.decompress(gzipped_zeros(3)) == MEGABYTE * 3


@pytest.mark.slow
def test_a_gigabyte_of_zeros_is_refused_within_a_second_and_200_mb(
    tmp_path: Path, golden: SnapshotAssertion
) -> None:
    zeros = tmp_path / "zeros.gz"
    zeros.write_bytes(gzipped_zeros(1000))
    code = f"""
import time
from topicset_core.errors import ParseError
from topicset_core.parsing import read_scores
content = open({str(zeros)!r}, "rb").read()
start = time.process_time()
try:
    read_scores(content, "zeros.gz")
except ParseError as error:
    # Not ru_maxrss, which a process takes over from the one that started it.
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    print(time.process_time() - start, int(status["VmHWM"].split()[0]) / 1024, error, sep="|")
"""
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    seconds, megabytes, text = result.stdout.strip().split("|")
    assert text == golden
    assert float(seconds) < 10  # about 0.4 s; the bound is against unpacking it all
    assert float(megabytes) < 200  # about 40 MB, nearly all of it Python and NumPy


@pytest.mark.usefixtures("two_megabytes")
def test_a_zip_that_states_its_size_is_refused_unopened(
    monkeypatch: pytest.MonkeyPatch, golden: SnapshotAssertion
) -> None:
    content = zipped({"0.csv": MEGABYTE * 3})

    def unpacked(*_: object, **__: object) -> NoReturn:
        raise AssertionError

    monkeypatch.setattr(zipfile.ZipFile, "open", unpacked)
    check_too_much(content, "z.zip", golden)


SHEETS = {f"xl/worksheets/sheet{number}.xml": MEGABYTE[: 600 << 10] for number in range(4)}
TOO_MUCH: dict[str, tuple[str, bytes]] = {
    "members of a zip together": ("z.zip", zipped({"a.csv": MEGABYTE, "b.csv": MEGABYTE})),
    "gzip members of a zip with the others": (
        "z.zip",
        zipped(dict.fromkeys(("a.gz", "b.gz"), gzipped_zeros(1))),
    ),
    "a workbook": ("w.xlsx", zipped({"xl/workbook.xml": b"<x/>"} | SHEETS)),
    # Two workbooks of 1 MB once unpacked, in an archive of some kilobytes.
    "nested archives": (
        "z.zip",
        zipped(dict.fromkeys(("0.xlsx", "1.xlsx"), zipped({"xl/workbook.xml": MEGABYTE}))),
    ),
}


@pytest.mark.usefixtures("two_megabytes")
@pytest.mark.parametrize(("file", "content"), TOO_MUCH.values(), ids=TOO_MUCH)
def test_archives_that_unpack_to_too_much_are_refused(
    file: str, content: bytes, golden: SnapshotAssertion
) -> None:
    check_too_much(content, file, golden)


def test_a_zip_that_understates_its_size_is_refused(golden: SnapshotAssertion) -> None:
    content = bytearray(zipped({"0.csv": MEGABYTE * 3}))
    # The size is in the central directory, 24 bytes from its signature; here it is 10 bytes.
    place = content.index(b"PK\x01\x02") + 24
    content[place : place + 4] = (10).to_bytes(4, "little")
    error = unread(read_scores, bytes(content), "z.zip")
    assert (error.file, error.line) == ("z.zip", None)
    assert without_reason(str(error)) == golden


LARGE: dict[str, tuple[Callable[[], str], list[float]]] = {
    "lines": (lambda: "1\n" * 2_000_001, [2_000_000]),
    "columns": (lambda: "," * 2_000_000, [200_000, 2_000_001]),
    # Each row has ids of its own: 10^8 cells out of 100 kB.
    "ids": (
        lambda: "topic,run,score\n" + "".join(f"{number},r{number},1\n" for number in range(10_000)),
        [20_000_000, 10_000, 10_000],
    ),
    # 3,163 is the first number whose square is above 10 million.
    "keys": (lambda: "\n".join(f'{{"k{number}": 1}}' for number in range(5_000)), [3_163, 3_163]),
}


@pytest.mark.parametrize(("text", "numbers"), LARGE.values(), ids=LARGE)
def test_text_that_spans_too_large_a_table_is_refused(
    text: Callable[[], str], numbers: list[float], golden: SnapshotAssertion
) -> None:
    """At most, and found."""
    error = unread(read_scores, text(), "x.csv")
    assert numbers_in(error.expected) == numbers
    assert str(error) == golden
