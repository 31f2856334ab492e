"""Archives of runs: what is found in them, what is left out, and what is refused."""

import bz2
import gzip
import io
import tarfile
from pathlib import Path

import pytest

from tests.parsing.packed import workbook, zipped
from tests.parsing.trec_made import run_text, tarred
from topicset_core.errors import ParseError
from topicset_core.parsing.trec_runs import read_run, read_runs

A, B, C = (run_text(("1", "a", 1), ("2", "b", 2), tag=tag) for tag in "ABC")
AGAIN = "copy or download it again"


def tags(*files: tuple[str, bytes | Path]) -> list[str]:
    read = read_runs(files)
    assert read.errors == ()
    assert read.said == ()
    return [run.tag for run in read.runs]


def errors(*files: tuple[str, bytes]) -> list[str]:
    return [str(error) for error in read_runs(files).errors]


def linked(members: dict[str, bytes]) -> bytes:
    """A tar archive with a link and a folder beside its files."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for kind, name in ((tarfile.DIRTYPE, "runs"), (tarfile.SYMTYPE, "runs/link")):
            info = tarfile.TarInfo(name)
            info.type = kind
            archive.addfile(info)
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return file.getvalue()


def test_runs_of_all_kinds_in_one_go(tmp_path: Path) -> None:
    path = tmp_path / "c.gz"
    path.write_bytes(gzip.compress(C))
    assert tags(("a", A), ("b.gz", gzip.compress(B)), ("c.gz", path)) == ["A", "B", "C"]


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_tar(mode: str) -> None:
    content = tarred({"runs/a": A, "runs/b.gz": gzip.compress(B), "c.txt": C}, mode)
    assert tags(("runs.tar", content)) == ["A", "B", "C"]
    assert [one.file for one in read_runs([("r.tar", content)]).found] == [
        "r.tar/runs/a",
        "r.tar/runs/b.gz",
        "r.tar/c.txt",
    ]


@pytest.mark.parametrize("kind", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_tar_with_long_names(kind: int) -> None:
    name = f"{'x' * 90}/{'y' * 90}" if kind == tarfile.USTAR_FORMAT else "long/" * 60 + "é"
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=kind) as archive:
        info = tarfile.TarInfo(name)
        info.size = len(A)
        archive.addfile(info, io.BytesIO(A))
    assert [one.file for one in read_runs([("r.tar", file.getvalue())]).found] == [f"r.tar/{name}"]


def test_zip_with_gzip_in_it_and_folders() -> None:
    assert tags(("z.zip", zipped({"runs/": b"", "runs/a.gz": gzip.compress(A), "b": B}))) == ["A", "B"]


def test_one_run_may_come_in_an_archive() -> None:
    assert read_run("z.zip", zipped({"a": A})).run.tag == "A"
    assert read_run("t.tgz", tarred({"a": A}, "w:gz")).file == "t.tgz/a"
    with pytest.raises(ParseError, match=r"^z\.zip: expected one run, found 2$"):
        read_run("z.zip", zipped({"a": A, "b": B}))


def test_what_systems_add_is_left_out_and_said() -> None:
    read = read_runs([("z.zip", zipped({"a": A, "__MACOSX/a": b"x", ".DS_Store": b"x"}))])
    assert (len(read.runs), read.errors) == (1, ())
    assert read.said == ("Left out of the archive z.zip: '__MACOSX/a', '.DS_Store'.",)
    read = read_runs([("t.tgz", linked({"runs/a": A, "runs/._a": b"x"}))])
    assert (len(read.runs), read.errors) == (1, ())
    assert read.said == ("Left out of the archive t.tgz: 'runs/link', 'runs/._a'.",)


def test_a_file_that_is_no_run_is_an_error_beside_the_others() -> None:
    files = zipped({"a": A, "README.txt": b"These are the runs.\n", "qrels.txt": b"1 0 a 1\n", "b": B})
    read = read_runs([("z.zip", files), ("c", C)])
    assert [run.tag for run in read.runs] == ["A", "B", "C"]
    assert list(map(str, read.errors)) == [
        "z.zip/README.txt, line 1: expected a run, which has 6 columns (topic, Q0, document, rank, score, tag), "
        "found 4 columns",
        "z.zip/qrels.txt, line 1: expected a run, which has 6 columns (topic, Q0, document, rank, score, tag), "
        "found 4 columns as in relevance judgments; are runs and judgments swapped?",
    ]


@pytest.mark.parametrize("names", [("x/a", "y/a"), ("a", "a"), ("a", "b")])
def test_a_run_given_twice_is_refused_naming_both(names: tuple[str, str]) -> None:
    first, second = names
    read = read_runs([(first, A), (second, A), ("c", B)])
    assert [one.file for one in read.found] == [first, "c"]
    assert [run.tag for run in read.runs] == ["A", "B"]
    assert list(map(str, read.errors)) == [
        f"{second}: expected each run once, found the documents of {first} again, with its tag 'A' too"
    ]


def test_runs_of_one_tag_are_named_after_their_files() -> None:
    # As Pyserini writes them, where nobody gives a tag; the other run has the name that a file has.
    one, two, three = (f"1 Q0 {document} 1 1.0 Anserini\n".encode() for document in "abc")
    other = b"1 Q0 d 1 1.0 bm25\n"
    read = read_runs(
        [("run.bm25.txt", one), ("z.zip", zipped({"x/bm25.trec": two, "y/ql": three})), ("o", other)]
    )
    assert not read.errors
    assert [run.tag for run in read.runs] == ["run.bm25", "bm25 (2)", "ql", "bm25"]
    assert [run.documents.tolist() for run in read.runs] == [[b"a"], [b"b"], [b"c"], [b"d"]]
    assert read.found[1].said[-1] == (
        "Other runs have this tag too: it is called 'bm25 (2)', after its file."
    )
    assert read.said == ("3 runs have the tag 'Anserini': they are named after their files.",)
    assert not any("after its file" in said for said in read.found[3].said)


def damaged_zip() -> bytes:
    content = bytearray(zipped({"a": A * 50}))
    content[40:60] = bytes(20)
    return bytes(content)


def encrypted() -> bytes:
    content = bytearray(zipped({"a": A}))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + at] |= 1
    return bytes(content)


CUT_OFF = f"expected a whole gzip file, found one that is cut off; {AGAIN}"


UNOPENED = [
    (gzip.compress(A)[:-9], f"r: {CUT_OFF}"),
    (gzip.compress(A)[:-1], f"r: {CUT_OFF}"),
    (gzip.compress(A)[:7], f"r: {CUT_OFF}"),
    (
        gzip.compress(A) + b"no gzip at all",
        "r: expected a whole gzip file, found a damaged one (Error -3 while decompressing",
    ),
    (gzip.compress(gzip.compress(A)), "r: expected a text file in the archive, found another archive"),
    (gzip.compress(zipped({"a": A})), "r: expected a text file in the archive, found another archive"),
    (bz2.compress(A), "r: is a bzip2 archive, expected plain text"),
    (workbook({"AP": [["a"]]}), "r: is an Excel workbook, expected plain text"),
    (zipped({}), "r: expected files in the archive, found an empty zip archive"),
    (zipped({".x": "x"}), "r: expected files in the archive, found none"),
    (zipped({"z": zipped({"a": A})}), "r/z: expected a text file in the archive, found another archive"),
    (zipped({"z": tarred({"a": A})}), "r/z: expected a text file in the archive, found another archive"),
    (zipped({"z.gz": gzip.compress(A)[:-9]}), f"r/z.gz: {CUT_OFF}"),
    (
        zipped({"a": A})[:-10],
        "r: expected a whole zip archive, found a damaged one (File is not a zip file)",
    ),
    (damaged_zip(), "r: expected a whole zip archive, found a damaged one ("),
    (encrypted(), "r/a: expected an archive without a password, found this file encrypted"),
    (tarred({}), "r: expected files in the archive, found none"),  # read as text if it had no mark
    (tarred({"a": A})[:1000], "r: expected a whole tar archive, found a damaged one (it is cut off)"),
    (
        tarred({"a": A}) * 2,
        "r: expected a whole tar archive, found a damaged one (there is more behind its end)",
    ),
    (tarred({"a": A})[:520], "r: expected a whole tar archive, found a damaged one ("),
    (gzip.compress(tarred({"a": A})[:520]), "r: expected a whole tar archive, found a damaged one ("),
    (tarred({"a": A}, "w:gz")[:-9], f"r: {CUT_OFF}"),
    (tarred({"t": tarred({"a": A})}), "r/t: expected a text file in the archive, found another archive"),
]


@pytest.mark.parametrize(("content", "said"), UNOPENED, ids=range(len(UNOPENED)))
def test_archives_that_cannot_be_opened(content: bytes, said: str) -> None:
    found = errors(("r", content), ("b", B))
    if content == tarred({}):  # zeros alone have no mark of a tar archive
        assert found == [
            "r, line 1: expected text, found the character U+0000: this looks like a binary file"
        ]
        return
    assert len(found) == 1
    assert found[0].startswith(said)
