"""Judgments of NTCIR: levels to grades, rel files to one collection, and refusals with their place."""

from functools import partial

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.packed import zipped
from tests.parsing.trec.test_qrels import grades_of
from tests.refusals import refusals
from tests.words import numbers_in
from topicset_core.parsing import read_qrels
from topicset_core.parsing.trec.qrels import read_collections

REL = b"d1 L3\nd2 L0\nd3 L1\n"
OTHER = b"d1 L0\nd4 L2\n"


BOTH = {"0001": {"d1": 3, "d2": 0, "d3": 1}, "0002": {"d1": 0, "d4": 2}}


FILES: dict[str, tuple[list[tuple[str, bytes]], str | None]] = {
    "two-files": ([("0001.rel", REL), ("0002.rel", OTHER)], None),
    "archive": ([("WWW.zip", zipped({"0001/0001.rel": REL, "0002/0002.test.rel": OTHER}))], "WWW"),
    "with-topics": (
        [("test.qrels", b"0001 d1 L3\n0001\td2  L0\n# x\n\n0001 d3 L1\r\n0002 d1 L0\n0002 d4 L02")],
        "test",
    ),
    "utf-16": (
        [
            (
                "u.qrels",
                "\ufeff0001;d1;L3\n0001; d2;L0\n0001;d3;L1\n0002;d1;L0\n0002;d4;L2".encode("utf-16-le"),
            )
        ],
        "u",
    ),
}


@pytest.mark.parametrize(("files", "name"), FILES.values(), ids=FILES)
def test_levels_are_grades(
    files: list[tuple[str, bytes]], name: str | None, golden: SnapshotAssertion
) -> None:
    read = read_collections(files)
    assert not read.errors
    (one,) = read.items
    if name is not None:
        assert one.qrels.name == name
    assert grades_of(one.qrels) == BOTH
    assert " ".join((one.qrels.name, *one.notes)) == golden
    # Topics, judgments; then each grade and how often it is given.
    counts = [numbers_in(note.replace(one.qrels.name, "")) for note in one.notes]
    assert [2, 5, 0, 2, 1, 1, 2, 1, 3, 1] in counts


def test_ids_with_spaces_are_separated_by_semicolons() -> None:
    read = read_qrels("1C0.rel", b"a b;L1\nc;L0\n")
    assert grades_of(read.qrels) == {"1C0": {"a b": 1, "c": 0}}


def test_each_archive_is_a_collection_next_to_trec_judgments() -> None:
    read = read_collections(
        [
            ("a.zip", zipped({"1.rel": REL})),
            ("trec.txt", b"1 0 d1 1\n"),
            ("b.zip", zipped({"1.rel": OTHER, "2.rel": REL})),
        ]
    )
    assert not read.errors
    assert [(one.qrels.name, one.qrels.topics) for one in read.items] == [
        ("trec", ("1",)),
        ("a", ("1",)),
        ("b", ("1", "2")),
    ]


def test_the_same_level_again_counts_once(golden: SnapshotAssertion) -> None:
    read = read_qrels("1.rel", b"d1 L1\nd2 L0\nd1 L1\n")
    assert grades_of(read.qrels) == {"1": {"d1": 1, "d2": 0}}
    assert " ".join(read.notes) == golden


LONG = "d" * 501


BAD = {
    "number": ("d1 L1\nd2 2\n", 2),
    "below-0": ("d1 L1\n\n# x\nd2 L-1\n", 4),
    "no-level": ("d1 L1\nd2\n", 2),
    "topic-in-one-line": ("d1 L1\n1 d2 L1\n", 2),
    "no-document": ("1;d1;L1\n1;;L1\n", 2),
    "two-levels": ("d1 L1\nd1 L2\n", 2),
    "too-high": ("d1 L1\nd2 L1001\n", 2),
    "long-document": (f"d1 L1\n{LONG} L1\n", 2),
    "long-topic": (f"1 d1 L1\n{LONG} d L1\n", 2),
    "nul": ("d1 L1\nd\x00 L1\n", 2),
}


def test_a_bad_line_is_refused_with_its_place(golden: SnapshotAssertion) -> None:
    read = partial(read_qrels, "0001.rel")
    assert refusals(lambda content: read(content.encode()), BAD, "0001.rel") == golden


def test_a_topic_judged_by_two_rel_files_is_refused_and_the_others_are_read(
    golden: SnapshotAssertion,
) -> None:
    read = read_collections([("a/1.rel", REL), ("b/1.rel", OTHER), ("2.rel", OTHER)])
    (error,) = read.errors
    assert (error.file, error.line) == ("b/1.rel", None)
    assert str(error) == golden
    assert grades_of(read.items[0].qrels) == {"1": BOTH["0001"], "2": BOTH["0002"]}
