"""Lists of topics: ids in order; unknown and repeated ones refused by line."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.refusals import refusals
from topicset_core.parsing.topic_list import read_topic_list

KNOWN = ("401", "402", "403", "q 1", "a, b", "c;d", "e f, g")


@pytest.mark.parametrize(
    ("content", "result"),
    [
        (b"402\n401\n", ("402", "401")),
        (b"\xef\xbb\xbf402\r\n\r\n# mine\r\n 401 \r\nq 1", ("402", "401", "q 1")),
        (b"402\tforeign minorities\n403\t", ("402", "403")),
        (b"402, 401;403", ("402", "401", "403")),
        (b"402,\n401 403,\nq 1", ("402", "401", "403", "q 1")),
        (b"q 1, 402", ("q 1", "402")),
        (b"q 1; 402; a, b", ("q 1", "402", "a, b")),
        (b"c;d, q 1", ("c;d", "q 1")),
        (b'"a, b", 401, "c;d"\ne f, g\n,\n', ("a, b", "401", "c;d", "e f, g")),
    ],
)
def test_ids_in_their_order(content: bytes, result: tuple[str, ...]) -> None:
    assert read_topic_list("mine.txt", content, KNOWN) == result


BAD: dict[str, tuple[bytes, int | None]] = {
    "unknown": (b"401\n# a\n404\n", 3),
    "twice": (b"401\n402\n401\n", 3),
    "unknown-behind-another": (b"401\n402, 404\n", 2),
    "two-unknown": (b"404\n401\n405 402", 1),
    "three-unknown": (b"401\nq 1\nq 2, q 3\n404\n404", 3),
    "twice-on-a-line": (b"402 401 402", 1),
    "none": (b"\n# nothing\n", None),
    "gz": (b"\x1f\x8b\x08", None),
}


def test_refusals(golden: SnapshotAssertion) -> None:
    assert refusals(lambda content: read_topic_list("mine.txt", content, KNOWN), BAD, "mine.txt") == golden
