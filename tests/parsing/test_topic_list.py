"""Lists of topics: ids in order; unknown and repeated ones refused by line."""

import pytest

from topicset_core.errors import ParseError
from topicset_core.parsing.topic_list import read_topic_list

KNOWN = ("401", "402", "403", "q 1", "a, b", "c;d", "e f, g")


@pytest.mark.parametrize(
    ("content", "found"),
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
def test_ids_in_their_order(content: bytes, found: tuple[str, ...]) -> None:
    assert read_topic_list("mine.txt", content, KNOWN) == found


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        (b"401\n# a\n404\n", 3, "found '404'"),
        (b"401\n402\n401\n", 3, "found '401' again after line 1"),
        (b"401\n402, 404\n", 2, "found '404'"),
        (b"404\n401\n405 402", 1, "found '404', and 1 other like it"),
        (b"401\nq 1\nq 2, q 3\n404\n404", 3, "found 'q 2', and 2 others like it"),
        (b"402 401 402", 1, "found '402' again on the same line"),
        (b"\n# nothing\n", None, "found none"),
        (b"\x1f\x8b\x08", None, "gzip"),
    ],
)
def test_refusals(content: bytes, line: int | None, said: str) -> None:
    with pytest.raises(ParseError, match=said) as caught:
        read_topic_list("mine.txt", content, KNOWN)
    assert (caught.value.file, caught.value.line) == ("mine.txt", line)
