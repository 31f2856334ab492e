"""Relevance judgments: accepted and refused spellings.

Every row of the first table: content, grades by topic and document. Of the second: content, and the line.
The notes and messages are in the golden record.
"""

import gzip

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.packed import zipped
from tests.parsing.trec_examples import tarred
from tests.refusals import notes, refusals, unread
from topicset_core.collection import Qrels
from topicset_core.parsing.trec import lines as trec_lines
from topicset_core.parsing.trec.qrels import read_collections, read_qrels

BLOCK = 1 << 15
"""Bytes read at a time, less than ever, so that a few thousand lines go across the ends of several blocks."""

PLAIN = b"1 0 a 1\n1 0 b 0\n2 0 a 2\n"
GRADES = {"1": {"a": 1, "b": 0}, "2": {"a": 2}}
BEIR = b"query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t0\n2\ta\t2\n"

GOOD: dict[str, tuple[bytes, dict[str, dict[str, int]]]] = {
    "plain": (PLAIN, GRADES),
    "tabs": (PLAIN[:-1].replace(b" ", b"\t").replace(b"\n", b"\r\n"), GRADES),
    "iteration-q0": (PLAIN.replace(b" 0 ", b"  Q0\t"), GRADES),
    "comment-above": (b"# iteration is ignored\n\n" + PLAIN, GRADES),
    "comment-below": (PLAIN + b"\n#1 0 c 1", GRADES),
    "gz": (gzip.compress(PLAIN), GRADES),
    "byte-order-mark": (b"\xef\xbb\xbf" + PLAIN, GRADES),
    "utf-16": (PLAIN.decode().encode("utf-16"), GRADES),
    "beir": (BEIR, GRADES),
    "beir-comment": (b"# x\n\n" + BEIR, GRADES),
    "beir-spaces": (BEIR.replace(b"\t", b" ").replace(b"-id", b"_id").replace(b"\n", b"\r"), GRADES),
    # Grades.
    "grades": (
        b"1 0 a -1\n1 0 b -2\n1 0 c +1\n1 0 d 04\n1 0 e 1000\n",
        {"1": {"a": -1, "b": -2, "c": 1, "d": 4, "e": 1000}},
    ),
    "below-0": (b"1 0 a -1\n2 0 a 1\n", {"1": {"a": -1}, "2": {"a": 1}}),
    "nothing-relevant": (b"1 0 a 0\n2 0 a 1\n3 0 a -1\n", {"1": {"a": 0}, "2": {"a": 1}, "3": {"a": -1}}),
    # Topics that are not contiguous, documents in the order of the file.
    "scattered": (
        b"2 0 b 1\n1 0 a 1\n2 0 a 0\n10 0 c 1\n1 0 z 2\n",
        {"2": {"b": 1, "a": 0}, "1": {"a": 1, "z": 2}, "10": {"c": 1}},
    ),
    # Repeats.
    "repeated": (PLAIN + b"1 0 a 1\n", GRADES),
    # Levels, as NTCIR has them; a column that differs from topic to topic alone is no intent.
    "levels": (b"1 0 a L1\n1 0 b L0\n2 0 a L2\n", GRADES),
    "iterations": (b"1 7 a 1\n1 8 b 0\n2 9 a 2\n", GRADES),
    "repeated-spellings": (PLAIN + b"1 0 a +1\n1 0 a 01\n", GRADES),
}

NO_GRADES = {
    "one-point-0": "1.0",
    "fraction": "2.5",
    "letter": "x",
    "level": "L2",
    "underscore": "1_0",
    "nan": "nan",
    "exponent": "1e0",
    "minus": "-",
    "two-signs": "+-1",
    "superscript": "²",
}
BAD: dict[str, tuple[bytes, int | None]] = {
    "empty": (b"", None),
    "comment-alone": (b"# x\n\n", None),
    "header-alone": (b"query-id\tcorpus-id\tscore\n", None),
    "a-run": (b"1 Q0 a 1 0.5 t\n", 1),
    "a-run-below-comment": (b"\n# x\n1 Q0 a 1 0.5 t\n", 3),
    "run-line": (PLAIN + b"1 Q0 a 1 0.5 t\n", 4),
    "three-columns": (PLAIN + b"1 0 c\n", 4),
    "three-columns-throughout": (b"1 a 1\n2 b 0\n", 1),
    "commas": (b"1,0,a,1\n", 1),
    "columns-differ": (b"1 0 a\n1 0 b 1 1\n", 1),
    "beir-cell-short": (BEIR + b"1\tc\n", 5),
    "beir-cell-too-many": (BEIR + b"1\tc d\t1\n", 5),
    **{f"grade-{name}": (PLAIN + f"1 0 c {grade}\n".encode(), 4) for name, grade in NO_GRADES.items()},
    "number-among-levels": (b"1 0 a L1\n1 0 b 1\n", 2),
    "level-without-number": (b"1 0 a L1\n1 0 b L\n", 2),
    "level-too-high": (b"1 0 a L1001\n", 1),
    "level-below-0": (b"1 0 a L1\n1 0 b L-1\n", 2),
    "two-levels": (b"1 0 a L1\n1 0 a L2\n", 2),
    "grade-too-high": (PLAIN + b"1 0 c 1001\n", 4),
    "grade-too-low": (PLAIN + b"1 0 c -99999999999999999999999\n", 4),
    "two-grades": (b"\n" + PLAIN + b"1 0 a 0\n", 5),
    "two-grades-after-repeat": (PLAIN + b"1 0 a 1\n1 0 a 2\n", 5),
    "beir-two-grades": (BEIR + b"2\ta\t1\n", 5),
    "long-id": (PLAIN + b"1 0 " + b"d" * 501 + b" 1\n", 4),
    "no-utf-8": (PLAIN + b"1 0 \xe9 1\n", 4),
    "nul": (PLAIN + b"1 0 a\0 1\n", 4),
    "gz-cut-off": (gzip.compress(PLAIN)[:-4], None),
    "two-files": (zipped({"a": PLAIN, "b": PLAIN}), None),
}


def grades_of(qrels: Qrels) -> dict[str, dict[str, int]]:
    return {
        topic: {
            document.decode(): grade
            for document, grade in zip(
                qrels.documents[begin:end].tolist(), qrels.grades[begin:end].tolist(), strict=True
            )
        }
        for topic, begin, end in zip(qrels.topics, qrels.starts, qrels.starts[1:], strict=False)
    }


@pytest.mark.parametrize(("content", "expected"), GOOD.values(), ids=GOOD)
def test_good_judgments(content: bytes, expected: dict[str, dict[str, int]]) -> None:
    read = read_qrels("q", content)
    assert grades_of(read.qrels) == expected
    assert [list(one) for one in grades_of(read.qrels).values()] == [list(one) for one in expected.values()]
    assert list(read.qrels.topics) == list(expected)
    assert read.qrels.grades.dtype == np.int16


def test_notes_on_good_judgments(golden: SnapshotAssertion) -> None:
    assert notes({name: read_qrels("q", content).notes for name, (content, _) in GOOD.items()}) == golden


def test_bad_judgments_are_refused_with_a_reason(golden: SnapshotAssertion) -> None:
    assert refusals(lambda content: read_qrels("q", content), BAD, "q") == golden


def test_large_judgments_across_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trec_lines, "BLOCK", BLOCK)
    rows = [(f"{row % 7}", f"d{row}", row % 3) for row in range(3 * BLOCK // 12)]
    content = "".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in rows).encode()
    expected: dict[str, dict[str, int]] = {}
    for topic, document, grade in rows:
        expected.setdefault(topic, {})[document] = grade
    read = grades_of(read_qrels("q", content).qrels)
    assert read == expected
    assert [list(one) for one in read.values()] == [list(one) for one in expected.values()]  # as in the file
    assert unread(read_qrels, "q", content + b"1 0 x x\n").line == len(rows) + 1


def test_several_files_are_several_collections(golden: SnapshotAssertion) -> None:
    read = read_collections(
        [
            ("robust.txt", PLAIN),
            ("new/robust.txt", PLAIN),
            ("new/robust.txt", PLAIN),
            ("dl19.qrels.gz", gzip.compress(PLAIN)),
            ("both.zip", zipped({"web/qrels.2011.txt": PLAIN, "bad.txt": "1 0 a x\n"})),
            ("more.tar", tarred({"x/million.tsv": BEIR})),
        ]
    )
    names = ["robust.txt", "new/robust.txt", "new/robust.txt (2)", "dl19", "qrels.2011", "million"]
    assert [one.name for one in read.qrels] == names
    assert all(grades_of(one) == GRADES for one in read.qrels)
    assert [one.file for one in read.items][3:] == [
        "dl19.qrels.gz",
        "both.zip/web/qrels.2011.txt",
        "more.tar/x/million.tsv",
    ]
    (error,) = read.errors
    assert (error.file, error.line) == ("both.zip/bad.txt", 1)
    assert str(error) == golden
