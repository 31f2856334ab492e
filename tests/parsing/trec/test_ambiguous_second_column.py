"""A second column that may number intents, though no document has two: reported, and decided by probabilities."""

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.words import numbers_in
from topicset_core.errors import ParseError
from topicset_core.parsing.trec.intents import read_probabilities
from topicset_core.parsing.trec.qrels import IGNORED, read_qrels
from topicset_core.parsing.trec.track import read_track, with_probabilities

OPEN = b"1 1 a 2\n1 2 b 1\n1 2 c 0\n2 01 a 1\n2 10 b 1\n"
LIKELY = b"1 1 0.75\n1 2 0.25\n2 1 0.5\n2 10 0.5\n"
RUN = b"1 Q0 a 1 2 t\n2 Q0 b 1 1 t\n"


def test_an_ignored_second_column_is_reported() -> None:
    read = read_qrels("web.txt", OPEN)
    assert read.qrels.intents is None
    assert read.notes[-1] == IGNORED
    assert read.qrels.grades.tolist() == [2, 1, 0, 1, 1]


@pytest.mark.parametrize(
    "content",
    [
        b"1 0 a 1\n1 0 b 0\n2 0 a 1\n",
        b"1 Q0 a 1\n1 Q0 b 0\n",
        b"1 10 a 1\n1 10 b 0\n",
        # One value a topic: rounds of feedback, or whatever numbers them.
        b"1 1 a 1\n1 1 b 0\n2 2 a 1\n",
        b"query-id corpus-id score\n1 a 1\n1 b 2\n",
    ],
)
def test_a_constant_second_column_gets_no_note(content: bytes) -> None:
    read = read_qrels("web.txt", content)
    assert read.by_intent is None
    assert IGNORED not in read.notes


@pytest.mark.parametrize("second", [b"11", b"21", b"1", b"101"])
def test_each_character_of_the_second_column_counts(second: bytes) -> None:
    assert (read_qrels("q", b"1 11 a 1\n1 %b b 1\n" % second).by_intent is None) == (second == b"11")


def test_a_line_that_is_repeated_changes_nothing() -> None:
    read = read_qrels("web.txt", OPEN + b"1 1 a 2\n")
    assert read.qrels.grades.tolist() == [2, 1, 0, 1, 1]
    assert (numbers_in(read.notes[-2])[0], read.notes[-1]) == (1, IGNORED)  # one judgment is repeated


def test_probabilities_decide_that_it_numbers_intents(golden: SnapshotAssertion) -> None:
    read = with_probabilities(read_qrels("web.txt", OPEN), read_probabilities("p.txt", LIKELY))
    intents = read.qrels.intents
    assert intents is not None
    assert intents.names == ("1", "2", "1", "10")
    assert intents.probabilities is not None
    assert np.array_equal(intents.probabilities, [0.75, 0.25, 0.5, 0.5])
    assert read.qrels.name == "web"
    assert IGNORED not in read.notes
    assert " ".join(read.notes) == golden


@pytest.mark.parametrize("together", [True, False])
def test_a_track_decides_it_when_probabilities_arrive(together: bool) -> None:
    if together:
        track = read_track([("r", RUN)], [("web.txt", OPEN), ("p.txt", LIKELY)])
    else:
        track = read_track([], [("p.txt", LIKELY)], read_track([("r", RUN)], [("web.txt", OPEN)]))
    assert track.errors == ()
    assert track.judged[0].qrels.intents is not None
    assert all(IGNORED not in one.notes for one in track.qrels)


def test_probabilities_of_other_intents_change_nothing(golden: SnapshotAssertion) -> None:
    track = read_track([("r", RUN)], [("web.txt", OPEN), ("p.txt", LIKELY.replace(b"1 2 ", b"1 3 "))])
    (error,) = track.errors
    assert isinstance(error, ParseError)
    assert error.file == "p.txt"
    assert str(error) == golden
    assert track.judged[0].qrels.intents is None
    assert track.qrels[0].notes[-1] == IGNORED


def test_certain_judgments_by_intent_come_first() -> None:
    sure = OPEN + b"1 2 a 1\n"
    track = read_track([], [("open.txt", OPEN), ("sure.txt", sure), ("p.txt", LIKELY)])
    assert [one.qrels.intents is None for one in track.qrels] == [True, False]
