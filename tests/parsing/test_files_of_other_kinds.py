"""Files without scores, or without text: each message names the content found."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.packed import zipped
from topicset_core.parsing import read_run, read_runs, read_scores
from topicset_core.parsing.trec.qrels import read_collections


@pytest.mark.parametrize(
    "content",
    [
        "401 1 0.5\n401 2 0.5\n402 1 0.25\n402 2 0.5\n",
        "401 1 0.5\n402 1 0.5\n403 1 1.0\n",
        "1 0 0.5 1\n2 0 0.25 1\n",
        "A 401 map 1\nA 402 map 0\n",
        "run topic measure value\nA 401 AP 1\nA 402 AP 0\n",
    ],
)
def test_similar_tables_of_numbers_are_scores(content: str) -> None:
    assert read_scores(content, "s.txt").matrices


PLAIN = "401 Q0 d1 1 2.5 A\n402 Q0 d1 1 2.5 A\n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_named(encoding: str, golden: SnapshotAssertion) -> None:
    content = PLAIN.encode(encoding)
    (of_run,) = read_runs([("r", content)]).errors
    (of_qrels,) = read_collections([("r", content)]).errors
    assert (of_run.line, str(of_qrels)) == (1, str(of_run))
    assert str(of_run) == golden


def test_a_web_page_is_refused_and_an_archive_of_a_run_is_read(golden: SnapshotAssertion) -> None:
    (error,) = read_runs([("r", b"\n<!DOCTYPE html>\n<html><body>404</body></html>")]).errors
    assert (error.file, error.line) == ("r", None)
    assert str(error) == golden
    assert read_run("r", zipped({"r": PLAIN})).run.tag == "A"
