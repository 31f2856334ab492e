"""Relevance judgments of every spelling that is read, and those that are refused: what is said to each.

Every row of the first table: content, grades by topic and document, and a sentence that must be among
those said. Of the second: content, and the whole of what is said.
"""

# ruff: noqa: E501 - rows of tables
import gzip

import numpy as np
import pytest

from tests.parsing.packed import zipped
from tests.parsing.trec_made import tarred
from topicset_core.collection import Qrels
from topicset_core.errors import ParseError
from topicset_core.parsing.trec_lines import BLOCK
from topicset_core.parsing.trec_qrels import read_collections, read_qrels

PLAIN = b"1 0 a 1\n1 0 b 0\n2 0 a 2\n"
GRADES = {"1": {"a": 1, "b": 0}, "2": {"a": 2}}
BEIR = b"query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t0\n2\ta\t2\n"

# fmt: off
GOOD: list[tuple[bytes, dict[str, dict[str, int]], str]] = [
    (PLAIN, GRADES, "Judgments 'q': 2 topics, 3 judgments. Grades and how often each is given: 0 (1), 1 (1), 2 (1)."),
    (PLAIN[:-1].replace(b" ", b"\t").replace(b"\n", b"\r\n"), GRADES, ""),
    (PLAIN.replace(b" 0 ", b"  Q0\t"), GRADES, ""),
    (b"# iteration is ignored\n\n" + PLAIN, GRADES, "1 line starting with # passed over."),
    (PLAIN + b"\n#1 0 c 1", GRADES, "1 line starting with # passed over."),
    (gzip.compress(PLAIN), GRADES, ""),
    (b"\xef\xbb\xbf" + PLAIN, GRADES, ""),
    (PLAIN.decode().encode("utf-16"), GRADES, "The file is in UTF-16; ids were recoded to UTF-8."),
    (BEIR, GRADES, "There are three columns below BEIR's header: query-id, corpus-id, score."),
    (b"# x\n\n" + BEIR, GRADES, "1 line starting with # passed over."),
    (BEIR.replace(b"\t", b" ").replace(b"-id", b"_id").replace(b"\n", b"\r"), GRADES, "There are three columns below BEIR's header: query-id, corpus-id, score."),
    # Grades.
    (b"1 0 a -1\n1 0 b -2\n1 0 c +1\n1 0 d 04\n1 0 e 1000\n", {"1": {"a": -1, "b": -2, "c": 1, "d": 4, "e": 1000}},
     "2 judgments are below 0: pooled but not judged, as trec_eval takes them."),
    (b"1 0 a -1\n2 0 a 1\n", {"1": {"a": -1}, "2": {"a": 1}}, "1 judgment is below 0: pooled but not judged, as trec_eval takes them."),
    (b"1 0 a 0\n2 0 a 1\n3 0 a -1\n", {"1": {"a": 0}, "2": {"a": 1}, "3": {"a": -1}}, "No document has a grade of at least 1 in 2 topics: '1', '3'."),
    # Topics that do not stand together, documents in the order of the file.
    (b"2 0 b 1\n1 0 a 1\n2 0 a 0\n10 0 c 1\n1 0 z 2\n", {"2": {"b": 1, "a": 0}, "1": {"a": 1, "z": 2}, "10": {"c": 1}}, ""),
    # Repeats.
    (PLAIN + b"1 0 a 1\n", GRADES, "1 judgment is repeated with the same grade; each counts once."),
    # Levels, as NTCIR has them; a column that differs from topic to topic alone is no intent.
    (b"1 0 a L1\n1 0 b L0\n2 0 a L2\n", GRADES, "Grades are NTCIR's levels: L2 is 2."),
    (b"1 7 a 1\n1 8 b 0\n2 9 a 2\n", GRADES, ""),
    (PLAIN + b"1 0 a +1\n1 0 a 01\n", GRADES, "2 judgments are repeated with the same grade; each counts once."),
]

FOUR = "expected relevance judgments, which have 4 columns (topic, iteration, document, grade), found"
THREE = (
    "three are read below BEIR's header only: query-id, corpus-id, score; or, with fractions such as 0.25 behind, "
    "as probabilities of intents: topic, intent, probability"
)
WHOLE = "topic '1', document 'c': expected a whole number as grade, found"
BAD: list[tuple[bytes, str]] = [
    (b"", f"q: {FOUR} no line of them"),
    (b"# x\n\n", f"q: {FOUR} no line of them"),
    (b"query-id\tcorpus-id\tscore\n", f"q: {FOUR} no line of them"),
    (b"1 Q0 a 1 0.5 t\n", f"q, line 1: {FOUR} 6 columns as in a run; are runs and judgments swapped?"),
    (b"\n# x\n1 Q0 a 1 0.5 t\n", f"q, line 3: {FOUR} 6 columns as in a run; are runs and judgments swapped?"),
    (PLAIN + b"1 Q0 a 1 0.5 t\n", f"q, line 4: {FOUR} 6 columns"),
    (PLAIN + b"1 0 c\n", f"q, line 4: {FOUR} 3 columns; {THREE}"),
    (b"1 a 1\n2 b 0\n", f"q, line 1: {FOUR} 3 columns; {THREE}"),
    (b"1,0,a,1\n", f"q, line 1: {FOUR} 1 column; columns are separated by tabs or spaces"),
    (b"1 0 a\n1 0 b 1 1\n", f"q, line 1: {FOUR} 3 columns; {THREE}"),
    (BEIR + b"1\tc\n", "q, line 5: expected judgments with 3 columns, as BEIR's header says, found 2 columns"),
    (BEIR + b"1\tc d\t1\n", "q, line 5: expected judgments with 3 columns, as BEIR's header says, found 4 columns"),
    *((PLAIN + f"1 0 c {grade}\n".encode(), f"q, line 4: {WHOLE} {grade!r}")
      for grade in ("1.0", "2.5", "x", "L2", "1_0", "nan", "1e0", "-", "+-1", "²")),
    (b"1 0 a L1\n1 0 b 1\n", "q, line 2: topic '1', document 'b': expected a level such as L2 as grade, found '1'"),
    (b"1 0 a L1\n1 0 b L\n", "q, line 2: topic '1', document 'b': expected a level such as L2 as grade, found 'L'"),
    (b"1 0 a L1001\n", "q, line 1: topic '1', document 'a': expected a level such as L2 between L0 and L1,000 as grade, found 'L1001'"),
    (b"1 0 a L1\n1 0 b L-1\n", "q, line 2: topic '1', document 'b': expected a level such as L2 as grade, found 'L-1'"),
    (b"1 0 a L1\n1 0 a L2\n", "q, line 2: expected one grade for each document of a topic, found L2 for 'a' of topic '1', which has the grade L1 on line 1"),
    (PLAIN + b"1 0 c 1001\n", "q, line 4: topic '1', document 'c': expected a whole number between -1,000 and 1,000 as grade, found '1001'"),
    (PLAIN + b"1 0 c -99999999999999999999999\n",
     "q, line 4: topic '1', document 'c': expected a whole number between -1,000 and 1,000 as grade, found '-99999999999999999999999'"),
    (b"\n" + PLAIN + b"1 0 a 0\n", "q, line 5: expected one grade for each document of a topic, found 0 for 'a' of topic '1', which has the grade 1 on line 2"),
    (PLAIN + b"1 0 a 1\n1 0 a 2\n", "q, line 5: expected one grade for each document of a topic, found 2 for 'a' of topic '1', which has the grade 1 on line 1"),
    (BEIR + b"2\ta\t1\n", "q, line 5: expected one grade for each document of a topic, found 1 for 'a' of topic '2', which has the grade 2 on line 4"),
    (PLAIN + b"1 0 " + b"d" * 501 + b" 1\n", "q, line 4: expected a document id of at most 500 bytes, found one of 501"),
    (PLAIN + b"1 0 \xe9 1\n",
     "q, line 4: expected UTF-8 text, found the byte 0xE9 that does not belong there; save all runs and judgments as UTF-8, so that the same ids are the same bytes"),
    (PLAIN + b"1 0 a\0 1\n", "q, line 4: expected text, found the character U+0000: this looks like a binary file"),
    (gzip.compress(PLAIN)[:-4], "q: expected a whole gzip file, found one that is cut off; copy or download it again"),
    (zipped({"a": PLAIN, "b": PLAIN}), "q: expected one file of relevance judgments, found 2"),
]
# fmt: on


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


@pytest.mark.parametrize(("content", "expected", "said"), GOOD, ids=range(len(GOOD)))
def test_good_judgments(content: bytes, expected: dict[str, dict[str, int]], said: str) -> None:
    read = read_qrels("q", content)
    assert grades_of(read.qrels) == expected
    assert [list(one) for one in grades_of(read.qrels).values()] == [list(one) for one in expected.values()]
    assert list(read.qrels.topics) == list(expected)
    assert read.qrels.grades.dtype == np.int16
    assert not said or said in read.said


@pytest.mark.parametrize(("content", "said"), BAD, ids=range(len(BAD)))
def test_bad_judgments_are_refused_and_said_why(content: bytes, said: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_qrels("q", content)
    assert str(caught.value) == said


def test_large_judgments_across_blocks() -> None:
    rows = [(f"{row % 7}", f"d{row}", row % 3) for row in range(3 * BLOCK // 12)]
    content = "".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in rows).encode()
    expected: dict[str, dict[str, int]] = {}
    for topic, document, grade in rows:
        expected.setdefault(topic, {})[document] = grade
    read = grades_of(read_qrels("q", content).qrels)
    assert read == expected
    assert [list(one) for one in read.values()] == [list(one) for one in expected.values()]  # as in the file
    with pytest.raises(ParseError, match="found 'x'") as caught:
        read_qrels("q", content + b"1 0 x x\n")
    assert caught.value.line == len(rows) + 1


def test_several_files_are_several_collections() -> None:
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
    assert [one.file for one in read.found][3:] == [
        "dl19.qrels.gz",
        "both.zip/web/qrels.2011.txt",
        "more.tar/x/million.tsv",
    ]
    assert list(map(str, read.errors)) == [
        "both.zip/bad.txt, line 1: topic '1', document 'a': expected a whole number as grade, found 'x'"
    ]
