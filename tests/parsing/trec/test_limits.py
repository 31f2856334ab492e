"""Limits on runs and archives, and how far a reading is."""

import gzip
import struct
import tracemalloc
from collections.abc import Callable

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.packed import without_reason, zipped
from tests.parsing.test_limits import gzipped_zeros
from tests.parsing.trec_examples import run_text, tarred
from tests.words import numbers_in
from topicset_core.errors import ParseError
from topicset_core.parsing import limits
from topicset_core.parsing.archives import Watch
from topicset_core.parsing.trec import lines as trec_lines
from topicset_core.parsing.trec import runs as trec_runs
from topicset_core.parsing.trec.runs import read_runs
from topicset_core.progress import Cancelled

A, B, C = (run_text(("1", "a", 1), ("2", "b", 2), tag=tag) for tag in "ABC")


def errors(*files: tuple[str, bytes]) -> tuple[ParseError, ...]:
    return read_runs(files).errors


BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "gz": (lambda: gzipped_zeros(200), "r"),
    "zip": (lambda: zipped({"a": A, "zeros": bytes(50_000_000)}), "r"),
    "tar": (lambda: tarred({"a": A, "zeros.gz": gzipped_zeros(200)}), "r/zeros.gz"),
}


@pytest.mark.parametrize(("make", "at"), BOMBS.values(), ids=BOMBS)
def test_a_small_file_that_unpacks_to_much_is_refused_in_little_memory(
    make: Callable[[], bytes], at: str, golden: SnapshotAssertion
) -> None:
    content = make()
    tracemalloc.start()
    (error,) = errors(("r", content))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert error.file == at
    assert numbers_in(error.expected) == [100]  # times its size
    assert str(error) == golden
    assert peak < 100_000_000  # about 45 MB: the allowed size, in pieces and joined


def test_a_zip_that_understates_its_size_is_refused(golden: SnapshotAssertion) -> None:
    content = bytearray(zipped({"a": run_text(*(("1", f"d{n}", 1) for n in range(9999)))}))
    place = content.index(b"PK\x01\x02") + 24
    content[place : place + 4] = struct.pack("<I", 10)
    (error,) = errors(("r", bytes(content)))
    assert error.file == "r"
    assert without_reason(str(error)) == golden


def test_a_file_larger_than_allowed(monkeypatch: pytest.MonkeyPatch, golden: SnapshotAssertion) -> None:
    monkeypatch.setattr(limits, "LARGEST_FILE", len(A) - 1)
    small = b"1 Q0 a 1 1 S\n"
    contents = [A, gzip.compress(A), zipped({"a": A, "s": small}), tarred({"a": A, "s": small})]
    result = errors(*((f"r{number}", content) for number, content in enumerate(contents)))
    assert [error.file for error in result] == ["r0", "r1", "r2/a", "r3/a"]
    assert {tuple(numbers_in(error.expected)) for error in result} == {(500,)}  # MB
    assert "\n".join(map(str, result)) == golden


def test_all_files_together_have_a_limit(monkeypatch: pytest.MonkeyPatch, golden: SnapshotAssertion) -> None:
    monkeypatch.setattr(limits, "LARGEST_TOTAL", 2 * len(A))
    (of_files,) = errors(("a", A), ("b", gzip.compress(B)), ("c", C))
    assert of_files.file == "c"
    assert numbers_in(of_files.expected) == [3_000]  # MB
    assert str(of_files) == golden
    # One error for the archive: each further file would cost as much again.
    (of_archive,) = errors(("z", zipped({"a": A, "b": B, "c": C, "d": A})))
    assert (of_archive.file, of_archive.expected) == ("z/c", of_files.expected)


def test_too_many_files(monkeypatch: pytest.MonkeyPatch, golden: SnapshotAssertion) -> None:
    monkeypatch.setattr(limits, "MOST_MEMBERS", 2)
    members = {"a": A, "b": B, "c": C}
    in_zip, in_tar = errors(("z", zipped(members)), ("t", tarred(members)))
    assert (in_zip.file, in_tar.file, in_tar.expected) == ("z", "t", in_zip.expected)
    assert numbers_in(in_zip.expected) == [2]
    assert str(in_zip) == golden


def test_ids_have_a_memory_limit(monkeypatch: pytest.MonkeyPatch, golden: SnapshotAssertion) -> None:
    monkeypatch.setattr(trec_runs, "LARGEST_IDS", 3)
    (error,) = errors(("a", A), ("b", B))
    assert error.file == "b"
    assert numbers_in(error.expected) == [1_000, 2, 1]  # MB; 2 ids of up to 1 byte
    assert str(error) == golden
    assert limits.LARGEST_IDS_MB == 1_000


def test_progress_rises_to_one_and_is_reported_for_every_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trec_lines, "BLOCK", 1 << 15)
    heard: list[float] = []
    large = run_text(*(("1", f"d{number}", 1) for number in range(7_000)), tag="L")
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
def test_reading_stops_when_the_report_cancels(after: int) -> None:
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


def test_no_files_give_no_runs() -> None:
    read = read_runs([])
    assert (read.items, read.errors, read.notes) == ((), (), ())


def test_a_fraction_never_falls_or_exceeds_one() -> None:
    """Also where an archive lies about its sizes."""
    heard: list[float] = []
    watch = Watch(10, heard.append)
    for done in (2, 5, 3, 20):
        watch.reached(done)
        watch.beat()
    assert heard == [0.2, 0.2, 0.5, 0.5, 0.5, 0.5, 1.0, 1.0]
