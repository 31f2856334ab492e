"""JSON where lines of a run or of judgments belong: called JSON, not counted in columns."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.refusals import unread
from topicset_core.parsing import read_qrels, read_run

RUN = "expected a run, which has 6 columns (topic, Q0, document, rank, score, tag)"
QRELS = "expected relevance judgments, which have 4 columns (topic, iteration, document, grade)"
Read = Callable[[str, bytes], Any]

# Six and four words, so that counting columns would not refuse them; and what ranx and pytrec_eval keep.
JSON = {
    "one object": (b'{"q1": {"d1": 1.5, "d2": 0.5}}', 1),
    "lines": (b'{"a": 1, "b": 2, "c": 3}\n{"a": 1, "b": 2, "c": 3}\n', 1),
    "four words": (b'{"a": 1, "b": 2}\n', 1),
    "an array, indented": (b'\n[\n  {\n   "topic": "1"}]', 2),
    "nothing": (b"{}", 1),
}


@pytest.mark.parametrize(("read", "expected"), [(read_run, RUN), (read_qrels, QRELS)], ids=["run", "qrels"])
@pytest.mark.parametrize(("content", "line"), JSON.values(), ids=JSON)
def test_json_is_called_json(read: Read, expected: str, content: bytes, line: int) -> None:
    error = unread(read, "a.run", content)
    assert (error.line, error.expected) == (
        line,
        f"{expected}, found JSON; write it as lines of these columns",
    )


def test_ids_may_begin_with_brackets() -> None:
    run = read_run("a.run", b"[1] Q0 {d} 1 0.5 t\n{2} Q0 d 1 0.5 t\n").run
    assert run.topics == ("[1]", "{2}")
