"""Files without scores, or without text: each message names the content found."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.packed import zipped
from tests.parsing.refusals import check_refused
from tests.parsing.trec_examples import tarred
from topicset_core.parsing import read_run, read_runs, read_scores
from topicset_core.parsing.trec.qrels import read_collections


@pytest.mark.parametrize(
    "content",
    [
        "401 1 d1 1\n401 2 d2 0\n",
        "401 0 11 1\n402 0 22 0\n",
        "query-id\tcorpus-id\tscore\n1\td1\t1\n2\td2\t1\n",
        '{"query-id": "1", "corpus-id": "d1", "score": 1}\n{"query-id": "2", "corpus-id": "d2", "score": 1}\n',
    ],
    ids=["by-intent", "numbered-documents", "beir", "beir-json"],
)
def test_judgments_are_not_accepted_as_scores(content: str, golden: SnapshotAssertion) -> None:
    check_refused(content, 1, golden)


def test_probabilities_of_intents_are_not_accepted_as_scores(golden: SnapshotAssertion) -> None:
    check_refused("401 1 0.5\n401 2 0.5\n402 1 0.25\n402 2 0.75\n", 1, golden)


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
    check_refused("topic,A\n1,.5\n2,.25\n".encode(encoding), 1, golden)
    content = PLAIN.encode(encoding)
    (of_run,) = read_runs([("r", content)]).errors
    (of_qrels,) = read_collections([("r", content)]).errors
    assert (of_run.line, str(of_qrels)) == (1, str(of_run))
    assert str(of_run) == golden


def test_other_zero_bytes_mean_a_binary_file(golden: SnapshotAssertion) -> None:
    check_refused(b"\x01\0\0\0\x02\0\0\0", 1, golden)


PAGE = b"\n<!DOCTYPE html>\n<html><body>404</body></html>"
OTHERS = {
    "tar": tarred({"a": b"topic,A\n1,.5\n2,.25\n"}),
    "tgz": tarred({"a": b"topic,A\n1,.5\n2,.25\n"}, "w:gz"),
    "web-page": PAGE,
}


@pytest.mark.parametrize("content", OTHERS.values(), ids=OTHERS)
def test_archives_and_pages_are_named(content: bytes, golden: SnapshotAssertion) -> None:
    check_refused(content, None, golden)


def test_a_web_page_is_refused_and_an_archive_of_a_run_is_read(golden: SnapshotAssertion) -> None:
    (error,) = read_runs([("r", PAGE)]).errors
    assert (error.file, error.line) == ("r", None)
    assert str(error) == golden
    assert read_run("r", zipped({"r": PLAIN})).run.tag == "A"
