"""Outputs put together or cut off, headers of runs, keys twice in an object: nothing goes without a word."""

import json
from collections.abc import Callable

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.refusals import check_unread, unread
from tests.words import numbers_in
from topicset_core.parsing import read_runs, read_score_files, read_scores
from topicset_core.parsing.choices import RepeatedScores
from topicset_core.parsing.text_collection import read_documents, read_topics
from topicset_core.parsing.trec.qrels import read_collections

EVAL = "map 1 .5\nP_10 1 .25\nmap 2 .125\nP_10 2 .75\nmap 3 0\nP_10 3 1\n"


@pytest.mark.parametrize(
    ("content", "line"),
    [(EVAL + "map 1 .5\n", 7), ("topic,run,score\n1,A,.5\n1,A,.5\n1,B,.5\n2,B,1\n2,A,0\n", 3)],
    ids=["output", "table"],
)
def test_single_repeats_are_not_a_second_run(content: str, line: int, golden: SnapshotAssertion) -> None:
    with pytest.raises(RepeatedScores) as caught:
        read_scores(content, "A.eval")
    assert (caught.value.line, caught.value.n_cells) == (line, 1)
    assert str(caught.value) == golden


def test_the_same_file_twice_is_not_a_second_run(golden: SnapshotAssertion) -> None:
    (error,) = read_score_files([("A.eval", EVAL), ("A.eval", EVAL)]).errors
    assert isinstance(error, RepeatedScores)
    assert str(error) == golden


def test_a_measure_that_lacks_topics_is_named(golden: SnapshotAssertion) -> None:
    read = read_scores("map 1 .5\nP_10 1 .25\nmap 2 .5\nP_10 2 .5\nmap 3 0\n", "A.eval")
    assert [matrix.n_topics for matrix in read.matrices] == [3, 2]
    assert " ".join(read.recognised) == golden
    even = read_scores(EVAL, "A.eval")
    assert " ".join(even.recognised) == golden  # a sentence less


@pytest.mark.parametrize("score", ["score", "Sim", "rel"])
def test_messages_ask_to_remove_headers_of_runs_and_judgments(score: str, golden: SnapshotAssertion) -> None:
    (of_run,) = read_runs([("r", f"qid Q0 docno rank {score} tag\n1 Q0 a 1 2 t\n".encode())]).errors
    assert of_run.line == 1
    assert str(of_run) == golden
    (of_qrels,) = read_collections([("q", f"qid iter docno {score}\n1 0 a 1\n".encode())]).errors
    assert of_qrels.line == 1
    assert str(of_qrels) == golden


@pytest.mark.parametrize(
    ("line", "key"),
    [
        pytest.param('{"id": "a", "text": "x", "id": "b"}', "id", id="outer"),
        pytest.param('{"id": "a", "m": {"k": 1, "j": 2, "j": 3}, "text": "x"}', "j", id="inner"),
    ],
)
@pytest.mark.parametrize("read", [read_documents, read_topics])
def test_repeated_keys_in_an_object_are_refused(
    read: Callable[[str, bytes], object], line: str, key: str, golden: SnapshotAssertion
) -> None:
    error = unread(read, "f", f'{{"id": "1", "text": "ox"}}\n{line}\n'.encode())
    assert (error.file, error.line) == ("f", 2)
    assert repr(key) in error.expected
    assert str(error) == golden


def test_halves_of_characters_are_refused_in_texts_too(golden: SnapshotAssertion) -> None:
    half = json.dumps({"id": "a", "text": "ox \ud83d"})
    check_unread(golden, ("d", 1), read_documents, "d", half.encode())
    (whole,), _ = read_documents("d", json.dumps({"id": "a", "text": "\U0001f402"}).encode())
    assert whole.text == "\U0001f402"


def test_ignored_comments_are_counted(golden: SnapshotAssertion) -> None:
    read = read_collections(
        [
            ("1.rel", b"# of 2021\na L1\n#b L1\n"),
            ("w.qrels", b"1 a L1\n# x\n1 b L0\n"),
            ("p.txt", b"# x\n1 1 0.5\n #y\n1 2 0.5\n"),
        ]
    )
    assert read.errors == ()
    comments = [text for one in read.items for text in one.notes if "#" in text]
    assert "\n".join(comments) == golden
    of_intents = read.probabilities[0].notes
    assert numbers_in(of_intents) == [2, 1, 2]  # intents, topics, comments
    assert of_intents == golden
    plain = read_collections([("1.rel", b"a L1\n"), ("p.txt", b"1 1 0.5\n1 2 0.5\n")])
    assert not any("#" in text for text in (*plain.items[0].notes, plain.probabilities[0].notes))
