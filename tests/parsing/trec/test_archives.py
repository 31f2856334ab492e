"""Archives of runs and files of other kinds: read, left out and refused."""

import bz2
import gzip
import tarfile
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.packed import damaged, encrypted, without_reason, workbook, zipped
from tests.parsing.trec_examples import run_text, tarred
from tests.refusals import unread
from tests.words import numbers_in
from topicset_core.parsing.trec.qrels import read_collections
from topicset_core.parsing.trec.runs import read_run, read_runs

A, B, C = (run_text(("1", "a", 1), ("2", "b", 2), tag=tag) for tag in "ABC")


def tags(*files: tuple[str, bytes | Path]) -> list[str]:
    read = read_runs(files)
    assert read.errors == ()
    assert read.notes == ()
    return [run.tag for run in read.runs]


def test_runs_of_all_kinds_in_one_go(tmp_path: Path) -> None:
    path = tmp_path / "c.gz"
    path.write_bytes(gzip.compress(C))
    assert tags(("a", A), ("b.gz", gzip.compress(B)), ("c.gz", path)) == ["A", "B", "C"]


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_tar(mode: str) -> None:
    content = tarred({"runs/a": A, "runs/b.gz": gzip.compress(B), "c.txt": C}, mode)
    assert tags(("runs.tar", content)) == ["A", "B", "C"]
    assert [one.file for one in read_runs([("r.tar", content)]).items] == [
        "r.tar/runs/a",
        "r.tar/runs/b.gz",
        "r.tar/c.txt",
    ]


@pytest.mark.parametrize("kind", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_tar_with_long_names(kind: int) -> None:
    name = f"{'x' * 90}/{'y' * 90}" if kind == tarfile.USTAR_FORMAT else "long/" * 60 + "é"
    (one,) = read_runs([("r.tar", tarred({name: A}, form=kind))]).items
    assert one.file == f"r.tar/{name}"


def test_zip_with_gzip_in_it_and_folders() -> None:
    assert tags(("z.zip", zipped({"runs/": b"", "runs/a.gz": gzip.compress(A), "b": B}))) == ["A", "B"]


def test_one_run_may_come_in_an_archive(golden: SnapshotAssertion) -> None:
    assert read_run("z.zip", zipped({"a": A})).run.tag == "A"
    assert read_run("t.tgz", tarred({"a": A}, "w:gz")).file == "t.tgz/a"
    error = unread(read_run, "z.zip", zipped({"a": A, "b": B}))
    assert (error.file, error.line) == ("z.zip", None)
    assert 2 in numbers_in(error.expected)
    assert str(error) == golden


def test_files_added_by_operating_systems_are_left_out_with_a_note(golden: SnapshotAssertion) -> None:
    read = read_runs([("z.zip", zipped({"a": A, "__MACOSX/a": b"x", ".DS_Store": b"x"}))])
    assert (len(read.runs), read.errors) == (1, ())
    (note,) = read.notes
    assert note == golden
    members = {"runs": b"", "runs/link": b"", "runs/a": A, "runs/._a": b"x"}
    kinds = {"runs": tarfile.DIRTYPE, "runs/link": tarfile.SYMTYPE}
    read = read_runs([("t.tgz", tarred(members, "w:gz", kinds))])
    assert (len(read.runs), read.errors) == (1, ())
    (note,) = read.notes
    assert note == golden


def test_a_file_that_is_not_a_run_is_an_error_next_to_the_runs(golden: SnapshotAssertion) -> None:
    files = zipped({"a": A, "README.txt": b"These are the runs.\n", "qrels.txt": b"1 0 a 1\n", "b": B})
    read = read_runs([("z.zip", files), ("c", C)])
    assert [run.tag for run in read.runs] == ["A", "B", "C"]
    results = [(error.file, error.line) for error in read.errors]
    assert results == [("z.zip/README.txt", 1), ("z.zip/qrels.txt", 1)]
    assert "\n".join(map(str, read.errors)) == golden


@pytest.mark.parametrize(
    "names", [("x/a", "y/a"), ("a", "a"), ("a", "b")], ids=["folders", "same-name", "other-name"]
)
def test_a_run_uploaded_twice_is_refused_with_both_names(
    names: tuple[str, str], golden: SnapshotAssertion
) -> None:
    first, second = names
    read = read_runs([(first, A), (second, A), ("c", B)])
    assert [one.file for one in read.items] == [first, "c"]
    assert [run.tag for run in read.runs] == ["A", "B"]
    (error,) = read.errors
    assert error.file == second
    assert str(error) == golden


def test_runs_of_one_tag_are_named_after_their_files(golden: SnapshotAssertion) -> None:
    # As Pyserini writes them, where no one gives a tag; the other run has the name that a file has.
    one, two, three = (f"1 Q0 {document} 1 1.0 Anserini\n".encode() for document in "abc")
    other = b"1 Q0 d 1 1.0 bm25\n"
    read = read_runs(
        [("run.bm25.txt", one), ("z.zip", zipped({"x/bm25.trec": two, "y/ql": three})), ("o", other)]
    )
    assert not read.errors
    assert [run.tag for run in read.runs] == ["run.bm25", "bm25 (2)", "ql", "bm25"]
    assert [run.documents.tolist() for run in read.runs] == [[b"a"], [b"b"], [b"c"], [b"d"]]
    # One sentence more for each run that was named; none for the other.
    assert [len(item.notes) for item in read.items] == [2, 2, 2, 1]
    assert read.items[1].notes[-1] == golden
    (note,) = read.notes
    assert numbers_in(note) == [3]
    assert note == golden


UNOPENED: dict[str, tuple[bytes, str]] = {
    "gz-cut-off": (gzip.compress(A)[:-9], "r"),
    "gz-cut-in-size": (gzip.compress(A)[:-1], "r"),
    "gz-cut-in-header": (gzip.compress(A)[:7], "r"),
    "gz-and-junk": (gzip.compress(A) + b"no gzip at all", "r"),
    "gz-in-gz": (gzip.compress(gzip.compress(A)), "r"),
    "zip-in-gz": (gzip.compress(zipped({"a": A})), "r"),
    "bzip2": (bz2.compress(A), "r"),
    "workbook": (workbook({"AP": [["a"]]}), "r"),
    "zip-empty": (zipped({}), "r"),
    "zip-hidden-only": (zipped({".x": "x"}), "r"),
    "zip-in-zip": (zipped({"z": zipped({"a": A})}), "r/z"),
    "tar-in-zip": (zipped({"z": tarred({"a": A})}), "r/z"),
    "zip-with-cut-gz": (zipped({"z.gz": gzip.compress(A)[:-9]}), "r/z.gz"),
    "zip-cut-off": (zipped({"a": A})[:-10], "r"),
    "zip-damaged": (damaged(zipped({"a": A * 50})), "r"),
    "zip-encrypted": (encrypted(zipped({"a": A})), "r/a"),
    "tar-empty": (tarred({}), "r"),  # read as text if it had no mark
    "tar-cut-off": (tarred({"a": A})[:1000], "r"),
    "tar-twice": (tarred({"a": A}) * 2, "r"),
    "tar-cut-in-header": (tarred({"a": A})[:520], "r"),
    "tar-cut-in-header-gz": (gzip.compress(tarred({"a": A})[:520]), "r"),
    "tgz-cut-off": (tarred({"a": A}, "w:gz")[:-9], "r"),
    "tar-in-tar": (tarred({"t": tarred({"a": A})}), "r/t"),
}


BY_A_LIBRARY = ("gz-and-junk", "zip-damaged", "tar-cut-in-header", "tar-cut-in-header-gz")
"""Those whose message ends with the words of zlib, zipfile or tarfile."""


def test_archives_that_cannot_be_opened(golden: SnapshotAssertion) -> None:
    messages = []
    for name, (content, at) in UNOPENED.items():
        read = read_runs([("r", content), ("b", B)])
        assert read.runs[-1].tag == "B", name  # whatever was read of the archive before it
        (error,) = read.errors
        # Zeros alone have no mark of a tar archive: they are a text with a bad first line.
        assert (error.file, error.line) == (at, 1 if name == "tar-empty" else None), name
        messages.append(f"{name}: {without_reason(str(error)) if name in BY_A_LIBRARY else error}")
    assert "\n".join(messages) == golden


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_named(encoding: str, golden: SnapshotAssertion) -> None:
    content = A.decode().encode(encoding)
    (of_run,) = read_runs([("r", content)]).errors
    (of_qrels,) = read_collections([("r", content)]).errors
    assert (of_run.line, str(of_qrels)) == (1, str(of_run))
    assert str(of_run) == golden


def test_a_web_page_is_refused_and_an_archive_of_a_run_is_read(golden: SnapshotAssertion) -> None:
    (error,) = read_runs([("r", b"\n<!DOCTYPE html>\n<html><body>404</body></html>")]).errors
    assert (error.file, error.line) == ("r", None)
    assert str(error) == golden
    assert read_run("r", zipped({"r": A})).run.tag == "A"
