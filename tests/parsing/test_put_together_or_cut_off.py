"""Outputs put together or cut off, headers of runs, keys twice in an object: nothing goes without a word."""

import json

import pytest

from tests.parsing.refusals import check_refused
from topicset_core.errors import ParseError
from topicset_core.parsing import read_runs, read_score_files, read_scores
from topicset_core.parsing.documents import read_documents
from topicset_core.parsing.topics import read_topics
from topicset_core.parsing.trec_qrels import read_collections

EVAL = "map 1 .5\nP_10 1 .25\nmap 2 .125\nP_10 2 .75\nmap 3 0\nP_10 3 1\n"


def test_outputs_of_several_runs_in_one_file() -> None:
    check_refused(
        EVAL + EVAL,
        7,
        "expected one score for topic '1', run 'my scores', measure 'map', found another on line 1 (3 cells are "
        "repeated in all); remove them, save each run to a file of its own if there are several, or choose to "
        "average repeats",
    )


@pytest.mark.parametrize(
    "content", [EVAL + "map 1 .5\n", "topic,run,score\n1,A,.5\n1,A,.5\n1,B,.5\n2,B,1\n2,A,0\n"]
)
def test_single_repeats_are_no_second_run(content: str) -> None:
    with pytest.raises(ParseError, match="remove them, or choose to average repeats"):
        read_scores(content, "A.eval")


def test_the_same_file_twice_is_no_second_run() -> None:
    (error,) = read_score_files([("A.eval", EVAL), ("A.eval", EVAL)]).errors
    assert "found the same one again" in str(error)
    assert "several" not in str(error)


def test_a_measure_that_lacks_topics_is_named() -> None:
    read = read_scores("map 1 .5\nP_10 1 .25\nmap 2 .5\nP_10 2 .5\nmap 3 0\n", "A.eval")
    assert [matrix.n_topics for matrix in read.matrices] == [3, 2]
    assert "Other measures have scores of topic '3', 'P_10' not." in read.recognised
    even = read_scores(EVAL, "A.eval")
    assert not any("Other measures" in text for text in even.recognised)


@pytest.mark.parametrize("score", ["score", "Sim", "rel"])
def test_headers_of_runs_and_judgments_are_to_be_taken_out(score: str) -> None:
    (of_run,) = read_runs([("r", f"qid Q0 docno rank {score} tag\n1 Q0 a 1 2 t\n".encode())]).errors
    assert (of_run.line, str(of_run).partition("; ")[2]) == (1, "if this is a header, take the line out")
    (of_qrels,) = read_collections([("q", f"qid iter docno {score}\n1 0 a 1\n".encode())]).errors
    assert (of_qrels.line, str(of_qrels).partition("; ")[2]) == (1, "if this is a header, take the line out")


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('{"id": "a", "text": "x", "id": "b"}', "id"),
        ('{"id": "a", "m": {"k": 1, "j": 2, "j": 3}, "text": "x"}', "j"),
    ],
)
def test_keys_that_come_twice_in_an_object_are_refused(line: str, key: str) -> None:
    said = f"f, line 2: expected each key once in an object, found {key!r} twice"
    content = f'{{"id": "1", "text": "ox"}}\n{line}\n'.encode()
    for read in (read_documents, read_topics):
        with pytest.raises(ParseError) as caught:
            read("f", content)
        assert str(caught.value) == said


def test_halves_of_characters_are_refused_in_texts_too() -> None:
    half = json.dumps({"id": "a", "text": "ox \ud83d"})
    with pytest.raises(
        ParseError, match=r"^d, line 1: expected characters in 'text', found half of one, U\+D83D$"
    ):
        read_documents("d", half.encode())
    whole = read_documents("d", json.dumps({"id": "a", "text": "\U0001f402"}).encode())
    assert whole.documents[0].text == "\U0001f402"


def test_comments_passed_over_are_counted() -> None:
    read = read_collections(
        [
            ("1.rel", b"# of 2021\na L1\n#b L1\n"),
            ("w.qrels", b"1 a L1\n# x\n1 b L0\n"),
            ("p.txt", b"# x\n1 1 0.5\n #y\n1 2 0.5\n"),
        ]
    )
    assert read.errors == ()
    said = {text for one in read.found for text in one.said}
    assert "2 lines starting with # in 1.rel passed over." in said
    assert "1 line starting with # in w.qrels passed over." in said
    assert read.probabilities[0].said == (
        "Probabilities of 2 intents of 1 topic: lines of topic, intent and probability. 2 lines starting with # "
        "passed over."
    )
    plain = read_collections([("1.rel", b"a L1\n"), ("p.txt", b"1 1 0.5\n1 2 0.5\n")])
    assert not any("#" in text for text in (*plain.found[0].said, plain.probabilities[0].said))
