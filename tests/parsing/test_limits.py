"""Small files that unpack to very much: refused in little time and with little memory."""

import io
import subprocess
import sys
import time
import zipfile
import zlib
from pathlib import Path

import pytest

from topicset_core.errors import ParseError
from topicset_core.parsing import read_scores

ROOT = Path(__file__).resolve().parents[2]
MEGABYTE = bytes(1 << 20)
TOO_MUCH = "expected an archive of at most 200 MB once unpacked, found one that unpacks to more"


def gzipped_zeros(megabytes: int) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    return b"".join([packer.compress(MEGABYTE) for _ in range(megabytes)] + [packer.flush()])


def zipped_zeros(name: str, megabytes: int, times: int = 1) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(times):
            with archive.open(f"{number}{name}", "w") as member:
                for _ in range(megabytes):
                    member.write(MEGABYTE)
    return file.getvalue()


@pytest.fixture(scope="module")
def gigabyte(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("zeros") / "zeros.gz"
    path.write_bytes(gzipped_zeros(1000))
    return path


def test_a_gigabyte_of_zeros_is_refused_within_a_second_and_200_mb(gigabyte: Path) -> None:
    code = f"""
import time
from topicset_core.errors import ParseError
from topicset_core.parsing import read_scores
content = open({str(gigabyte)!r}, "rb").read()
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
    seconds, megabytes, said = result.stdout.strip().split("|")
    assert said == f"zeros.gz: {TOO_MUCH}"
    assert float(seconds) < 10  # about 0.4 s; the bound is against unpacking it all
    assert float(megabytes) < 200  # about 40 MB, nearly all of it Python and NumPy


def test_a_zip_that_states_its_size_is_refused_at_once() -> None:
    content = zipped_zeros(".csv", 250)
    start = time.process_time()
    with pytest.raises(ParseError, match=TOO_MUCH):
        read_scores(content, "z.zip")
    assert time.process_time() - start < 5  # about a millisecond; the bound is against unpacking it


def test_members_of_a_zip_count_together() -> None:
    with pytest.raises(ParseError, match=TOO_MUCH):
        read_scores(zipped_zeros(".csv", 60, times=4), "z.zip")


def test_gzip_members_of_a_zip_count_with_the_others() -> None:
    file = io.BytesIO()
    inner = gzipped_zeros(120)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.gz", inner)
        archive.writestr("b.gz", inner)
    with pytest.raises(ParseError, match=TOO_MUCH) as caught:
        read_scores(file.getvalue(), "z.zip")
    assert caught.value.file == "z.zip"


def test_a_workbook_of_too_much_is_refused() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<x/>")
        for number in range(4):
            archive.writestr(f"xl/worksheets/sheet{number}.xml", MEGABYTE * 60)
    with pytest.raises(ParseError, match=TOO_MUCH):
        read_scores(file.getvalue(), "w.xlsx")


def test_a_zip_that_understates_its_size_is_refused() -> None:
    content = bytearray(zipped_zeros(".csv", 3))
    # The size stands in the central directory, 24 bytes from its signature; here it says 10 bytes.
    place = content.index(b"PK\x01\x02") + 24
    content[place : place + 4] = (10).to_bytes(4, "little")
    with pytest.raises(ParseError, match="damaged"):
        read_scores(bytes(content), "z.zip")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1\n" * 2_000_001, "expected at most 2,000,000 lines, found 2,000,001"),
        ("," * 20_000_001, "expected at most 20,000,000 cells, found more commas than that"),
        # Each row has ids of its own: 10^10 cells out of 1 MB.
        (
            "topic,run,score\n" + "".join(f"{number},r{number},1\n" for number in range(100_000)),
            "expected a table of at most 20,000,000 scores, found 100,000 topic ids and 100,000 run names; are "
            "they the right columns?",
        ),
        (
            "\n".join(f'{{"k{number}": 1}}' for number in range(20_000)),
            "expected objects with the same keys, found 20,000 keys in 20,000 objects",
        ),
    ],
    ids=["lines", "cells", "ids", "keys"],
)
def test_text_that_spans_too_large_a_table_is_refused(text: str, said: str) -> None:
    start = time.process_time()
    with pytest.raises(ParseError) as caught:
        read_scores(text, "x.csv")
    assert caught.value.expected == said
    assert time.process_time() - start < 30  # the bound is against hanging


def test_archives_in_an_archive_do_not_each_cost_the_limit() -> None:
    """Two workbooks of 120 MB once unpacked, in an archive of some kilobytes."""
    book = io.BytesIO()
    with zipfile.ZipFile(book, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", MEGABYTE * 120)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(2):
            archive.writestr(f"{number}.xlsx", book.getvalue())
    with pytest.raises(ParseError, match=TOO_MUCH) as caught:
        read_scores(file.getvalue(), "z.zip")
    assert caught.value.file == "z.zip"
