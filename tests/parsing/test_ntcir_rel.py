"""Judgments of NTCIR: levels to grades, rel files to one collection, and what is refused with its place."""

# ruff: noqa: E501 - rows of a table
import pytest

from tests.parsing.packed import zipped
from topicset_core.collection import Qrels
from topicset_core.errors import ParseError
from topicset_core.parsing import read_collections, read_qrels

REL = b"d1 L3\nd2 L0\nd3 L1\n"
OTHER = b"d1 L0\nd4 L2\n"
EXPECTED = "expected a document and its level (L0, L1, L2 ...), perhaps with the topic before"


def judged(qrels: Qrels) -> dict[str, dict[str, int]]:
    """Grades by topic and document."""
    read = {}
    for place, topic in enumerate(qrels.topics):
        part = slice(qrels.starts[place], qrels.starts[place + 1])
        documents, grades = qrels.documents[part], qrels.grades[part]
        read[topic] = {d.decode(): g for d, g in zip(documents.tolist(), grades.tolist(), strict=True)}
    return read


BOTH = {"0001": {"d1": 3, "d2": 0, "d3": 1}, "0002": {"d1": 0, "d4": 2}}


@pytest.mark.parametrize(
    ("files", "name", "said"),
    [
        (
            [("0001.rel", REL), ("0002.rel", OTHER)],
            "0001 and 1 more file",
            "Lines of document and level, as NTCIR's rel files have them: 2 files, each named after its topic; levels "
            "are grades, L2 is 2.",
        ),
        (
            [("WWW.zip", zipped({"0001/0001.rel": REL, "0002/0002.test.rel": OTHER}))],
            "WWW",
            "Lines of document and level, as NTCIR's rel files have them: 2 files, each named after its topic; levels "
            "are grades, L2 is 2.",
        ),
        (
            [("test.qrels", b"0001 d1 L3\n0001\td2  L0\n# x\n\n0001 d3 L1\r\n0002 d1 L0\n0002 d4 L02")],
            "test",
            "Lines of topic, document and level, as NTCIR's qrels have them: levels are grades, L2 is 2.",
        ),
        (
            [
                (
                    "u.qrels",
                    "\ufeff0001;d1;L3\n0001; d2;L0\n0001;d3;L1\n0002;d1;L0\n0002;d4;L2".encode("utf-16-le"),
                )
            ],
            "u",
            "The file is in UTF-16; ids were recoded to UTF-8.",
        ),
    ],
)
def test_levels_are_grades(files: list[tuple[str, bytes]], name: str, said: str) -> None:
    read = read_collections(files)
    assert not read.errors
    (one,) = read.found
    assert one.qrels.name == name
    assert judged(one.qrels) == BOTH
    assert said in one.said
    assert any(
        "2 topics, 5 judgments. Grades and how often each is given: 0 (2), 1 (1), 2 (1), 3 (1)." in s
        for s in one.said
    )


def test_ids_with_spaces_stand_between_semicolons() -> None:
    read = read_qrels("1C0.rel", b"a b;L1\nc;L0\n")
    assert judged(read.qrels) == {"1C0": {"a b": 1, "c": 0}}


def test_each_archive_is_a_collection_beside_judgments_of_trec() -> None:
    read = read_collections(
        [
            ("a.zip", zipped({"1.rel": REL})),
            ("trec.txt", b"1 0 d1 1\n"),
            ("b.zip", zipped({"1.rel": OTHER, "2.rel": REL})),
        ]
    )
    assert not read.errors
    assert [(one.qrels.name, one.qrels.topics) for one in read.found] == [
        ("trec", ("1",)),
        ("a", ("1",)),
        ("b", ("1", "2")),
    ]


def test_the_same_level_again_counts_once() -> None:
    read = read_qrels("1.rel", b"d1 L1\nd2 L0\nd1 L1\n")
    assert judged(read.qrels) == {"1": {"d1": 1, "d2": 0}}
    assert "Judgments in 1.rel: 1 repeated with the same level; each counts once." in read.said


LONG = "d" * 501


@pytest.mark.parametrize(
    ("content", "line", "expected"),
    [
        ("d1 L1\nd2 2\n", 2, f"{EXPECTED}, found 'd2 2'"),
        ("d1 L1\n\n# x\nd2 L-1\n", 4, f"{EXPECTED}, found 'd2 L-1'"),
        ("d1 L1\nd2\n", 2, f"{EXPECTED}, found 'd2': a labelled ranking (lab)? It is no judgment"),
        ("d1 L1\n1 d2 L1\n", 2, f"{EXPECTED}, found '1 d2 L1'"),
        ("1;d1;L1\n1;;L1\n", 2, f"{EXPECTED}, found '1  L1'"),
        (
            "d1 L1\nd1 L2\n",
            2,
            "expected one level for each document of a topic, found L2 for 'd1', which has L1 on line 1",
        ),
        ("d1 L1\nd2 L1001\n", 2, "expected a level of at most L1,000, found 'L1001'"),
        (f"d1 L1\n{LONG} L1\n", 2, "expected a document id of at most 500 bytes, found one of 501"),
        (f"1 d1 L1\n{LONG} d L1\n", 2, "expected a topic id of at most 500 bytes, found one of 501"),
        ("d1 L1\nd\x00 L1\n", 2, "expected text, found the character U+0000: this looks like a binary file"),
    ],
)
def test_a_bad_line_is_refused_with_its_place(content: str, line: int, expected: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_qrels("0001.rel", content.encode())
    assert (caught.value.file, caught.value.line, caught.value.expected) == ("0001.rel", line, expected)


def test_a_topic_judged_by_two_rel_files_is_refused_and_the_others_are_read() -> None:
    read = read_collections([("a/1.rel", REL), ("b/1.rel", OTHER), ("2.rel", OTHER)])
    assert [str(error) for error in read.errors] == [
        "b/1.rel: expected one rel file a topic, found '1' judged by a/1.rel too; put the files of each collection "
        "into an archive of their own"
    ]
    assert judged(read.found[0].qrels) == {"1": BOTH["0001"], "2": BOTH["0002"]}
