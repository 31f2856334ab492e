"""Files that are something else than scores, or no text: each refusal says what it found."""

import pytest

from tests.parsing.packed import zipped
from tests.parsing.refusals import check_refused
from tests.parsing.trec_made import tarred
from topicset_core.parsing import read_run, read_runs, read_scores
from topicset_core.parsing.trec_qrels import read_collections

JUDGMENTS = (
    "expected scores of runs on topics, found relevance judgments (topic, iteration, document, grade); scores are "
    "computed from them and rankings"
)
PROBABILITIES = (
    "expected scores of runs on topics, found probabilities of intents (topic, intent, probability, which add up "
    "to 1 in each topic); they are brought with relevance judgments by intent"
)


@pytest.mark.parametrize(
    "content",
    [
        "401 1 d1 1\n401 2 d2 0\n",
        "401 0 11 1\n402 0 22 0\n",
        "query-id\tcorpus-id\tscore\n1\td1\t1\n2\td2\t1\n",
        '{"query-id": "1", "corpus-id": "d1", "score": 1}\n{"query-id": "2", "corpus-id": "d2", "score": 1}\n',
    ],
)
def test_judgments_are_no_scores(content: str) -> None:
    check_refused(content, 1, JUDGMENTS)


def test_probabilities_of_intents_are_no_scores() -> None:
    check_refused("401 1 0.5\n401 2 0.5\n402 1 0.25\n402 2 0.75\n", 1, PROBABILITIES)


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
def test_numbers_alike_are_scores(content: str) -> None:
    assert read_scores(content, "s.txt").matrices


PLAIN = "401 Q0 d1 1 2.5 A\n402 Q0 d1 1 2.5 A\n"
WITHOUT_MARK = (
    "expected text, found the character U+0000: this looks like UTF-16 without a byte order mark; save the file as "
    "UTF-8 text"
)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_named(encoding: str) -> None:
    check_refused("topic,A\n1,.5\n2,.25\n".encode(encoding), 1, WITHOUT_MARK)
    content = PLAIN.encode(encoding)
    (of_run,) = read_runs([("r", content)]).errors
    (of_qrels,) = read_collections([("r", content)]).errors
    assert str(of_run) == str(of_qrels) == f"r, line 1: {WITHOUT_MARK}"


def test_other_zeros_are_a_binary_file() -> None:
    check_refused(
        b"\x01\0\0\0\x02\0\0\0", 1, "expected text, found the character U+0001: this looks like a binary file"
    )


def test_archives_and_pages_are_named() -> None:
    tar = "is a tar archive (only zip and gz are unpacked here), expected text such as CSV"
    check_refused(tarred({"a": b"topic,A\n1,.5\n2,.25\n"}), None, tar)
    check_refused(tarred({"a": b"topic,A\n1,.5\n2,.25\n"}, "w:gz"), None, tar)
    page = b"\n<!DOCTYPE html>\n<html><body>404</body></html>"
    check_refused(page, None, "is a web page, expected text such as CSV")
    (error,) = read_runs([("r", page)]).errors
    assert str(error) == "r: is a web page, expected plain text"
    assert read_run("r", zipped({"r": PLAIN})).run.tag == "A"
