"""Limits on runs and archives, and how far a reading is."""

import gzip
import io
import struct
import tracemalloc
import zipfile
import zlib

import pytest

from tests.parsing.packed import zipped
from tests.parsing.trec_made import run_text, tarred
from topicset_core.parsing import trec_budget, trec_run_lines, trec_runs
from topicset_core.parsing.trec_runs import read_runs
from topicset_core.parsing.watching import Watch
from topicset_core.progress import Cancelled

A, B, C = (run_text(("1", "a", 1), ("2", "b", 2), tag=tag) for tag in "ABC")


def errors(*files: tuple[str, bytes]) -> list[str]:
    return [str(error) for error in read_runs(files).errors]


def gzipped_zeros(megabytes: int) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    return b"".join([*(packer.compress(bytes(1 << 20)) for _ in range(megabytes)), packer.flush()])


RATIO = "expected an archive that unpacks to at most 100 times its size, found one that unpacks to more"


def test_a_small_file_that_unpacks_to_much_is_refused_in_little_memory() -> None:
    bomb = gzipped_zeros(400)
    zip_file = io.BytesIO()
    with zipfile.ZipFile(zip_file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", A)
        archive.writestr("zeros", bytes(50_000_000))
    tar_file = tarred({"a": A, "zeros.gz": bomb})
    for content in (bomb, zip_file.getvalue(), tar_file):
        tracemalloc.start()
        found = errors(("r", content))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert len(found) == 1
        assert found[0].endswith(RATIO)
        assert peak < 100_000_000  # about 45 MB: what is always allowed, in pieces and joined


def test_a_zip_that_understates_its_size_is_refused() -> None:
    content = bytearray(zipped({"a": run_text(*(("1", f"d{n}", 1) for n in range(9999)))}))
    place = content.index(b"PK\x01\x02") + 24
    content[place : place + 4] = struct.pack("<I", 10)
    found = errors(("r", bytes(content)))
    assert len(found) == 1
    assert "damaged" in found[0]


def test_a_file_larger_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trec_budget, "LARGEST_FILE", len(A) - 1)
    large = "expected a file of at most 500 MB, found a larger one"
    small = b"1 Q0 a 1 1 S\n"
    contents = [A, gzip.compress(A), zipped({"a": A, "s": small}), tarred({"a": A, "s": small})]
    found = errors(*((f"r{number}", content) for number, content in enumerate(contents)))
    assert found[0] == f"r0: {large}"
    assert found[1] == f"r1: {large}"
    assert found[2] == f"r2/a: {large}"
    assert found[3] == f"r3/a: {large}"


def test_all_files_together_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trec_budget, "LARGEST_TOTAL", 2 * len(A))
    total = "expected at most 3,000 MB of text in all files together, found more"
    assert errors(("a", A), ("b", gzip.compress(B)), ("c", C)) == [f"c: {total}"]
    # One error for the archive: what follows would cost as much again, each file of it.
    assert errors(("z", zipped({"a": A, "b": B, "c": C, "d": A}))) == [f"z/c: {total}"]


def test_too_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trec_budget, "MOST_MEMBERS", 2)
    many = "expected at most 2 files in the archive, found more"
    members = {"a": A, "b": B, "c": C}
    assert errors(("z", zipped(members)), ("t", tarred(members))) == [f"z: {many}", f"t: {many}"]


def test_ids_have_a_limit_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trec_runs, "LARGEST_IDS", 3)
    found = errors(("a", A), ("b", B))
    assert found == [
        "b: expected document ids that take at most 1,000 MB of memory in all runs together, each at the length "
        "of the longest of its run; here are 2 of up to 1 bytes"
    ]
    assert trec_run_lines.LARGEST_IDS_MB == 1_000


def test_progress_rises_to_one_and_is_reported_for_every_file() -> None:
    heard: list[float] = []
    large = run_text(*(("1", f"d{number}", 1) for number in range(100_000)), tag="L")
    files = [
        ("a", A),
        ("l", large),
        ("z.zip", zipped({"b": B, "l2": large[:-3] + b" M\n"})),
        (
            "t.tgz",
            tarred({str(number): run_text(("1", "a", 1), tag=str(number)) for number in range(9)}, "w:gz"),
        ),
    ]
    read = read_runs(files, heard.append)
    assert len(read.runs) == 3 + 9
    assert heard == sorted(heard)
    assert heard[-1] == 1.0
    assert len(set(heard)) > 8


@pytest.mark.parametrize("after", [0, 1, 5, 9])
def test_reading_stops_when_the_report_says_so(after: int) -> None:
    calls = 0

    def report(_: float) -> None:
        nonlocal calls
        calls += 1
        if calls > after:
            raise Cancelled

    members = {f"{number}": run_text(("1", "a", 1), tag=str(number)) for number in range(20)}
    for content in (zipped(members), tarred(members), tarred(members, "w:gz")):
        calls = 0
        with pytest.raises(Cancelled):
            read_runs([("x", content)], report)
        assert calls == after + 1


def test_nothing_given_is_nothing_found() -> None:
    read = read_runs([])
    assert (read.found, read.errors, read.said) == ((), (), ())


def test_a_fraction_never_falls_nor_passes_one() -> None:
    """Also where an archive lies about its sizes."""
    heard: list[float] = []
    watch = Watch(10, heard.append)
    for done in (2, 5, 3, 20):
        watch.reached(done)
        watch.beat()
    assert heard == [0.2, 0.2, 0.5, 0.5, 0.5, 0.5, 1.0, 1.0]
