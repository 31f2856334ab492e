"""Ids that differ only in zeros or invisible characters: kept separate, with a note."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.words import numbers_in
from topicset_core.errors import ParseError
from topicset_core.parsing import read_runs, read_score_files, read_scores
from topicset_core.parsing.choices import MissingScores
from topicset_core.parsing.names import lookalikes
from topicset_core.parsing.trec.track import read_track


@pytest.mark.parametrize(
    ("ids", "pairs"),
    [
        (["001", "1", "1.0", "2"], [("001", "1"), ("001", "1.0")]),
        (["q01", "q1", "Q1"], [("q01", "q1")]),
        (["1-01", "1-1", "01-1"], [("1-01", "1-1"), ("1-01", "01-1")]),
        # None of these is another one.
        (["1", "10", "100", "0", "2.01", "2.1", "2.10", "101", "11", "a0", "a", "1.00x", "1x", "00a"], []),
        (["0", "00", "0.0"], [("0", "00"), ("0", "0.0")]),
        ([], []),
    ],
)
def test_ids_that_differ_in_zeros_alone(ids: list[str], pairs: list[tuple[str, str]]) -> None:
    assert lookalikes(ids) == pairs


def test_ids_of_two_kinds() -> None:
    assert lookalikes(["1", "02"], ["2", "01", "1", "3"]) == [("02", "2"), ("1", "01")]


def test_topics_that_differ_in_zeros_stay_separate(golden: SnapshotAssertion) -> None:
    read = read_scores("topic,A\n001,.5\n1,.25\n2,0", "t.csv")
    assert read.matrices[0].topics == ("001", "1", "2")
    assert read.recognised[-1] == golden
    many = read_scores("topic,A\n" + "".join(f"{i},.5\n0{i},.25\n" for i in range(1, 8)), "t.csv")
    assert many.recognised[-1] == golden  # five pairs of seven, and 2 more
    assert numbers_in(many.recognised[-1])[-1] == 2


def test_a_message_on_missing_scores_suggests_equal_topics(golden: SnapshotAssertion) -> None:
    files = [("A.eval", "map 1 .5\nmap 2 .25"), ("B.eval", "map 01 .5\nmap 2 .25")]
    (error,) = read_score_files(files).errors
    assert isinstance(error, MissingScores)
    assert error.n_cells == 2
    assert str(error) == golden


def test_runs_and_judgments_that_write_topics_differently(golden: SnapshotAssertion) -> None:
    run = b"1 Q0 a 1 2 t\n2 Q0 a 1 1 t\n3 Q0 a 1 1 t\n"
    track = read_track([("r", run)], [("q", b"001 0 a 1\n002 0 a 1\n3 0 a 1\n4 0 a 1\n")])
    (note,) = track.notes
    assert numbers_in(note)[0] == 2  # topics
    assert note == golden
    none = read_track([("r", run)], [("q", b"01 0 a 1\n")])
    assert len(none.notes) == 3
    assert numbers_in(none.notes[0])[0] == 1
    assert " ".join(none.notes) == golden
    assert read_track([("r", run)], [("q", b"1 0 a 1\n7 0 a 1\n")]).notes == ()


def test_ids_with_invisible_characters(golden: SnapshotAssertion) -> None:
    read = read_scores("topic,A,B\u2060\n1,.5,1\n2\u200b,.25,0", "t.csv")
    assert read.matrices[0].topics == ("1", "2\u200b")
    (note,) = [note for note in read.recognised if "\\u200b" in note]
    assert "\\u2060" in note
    assert note == golden


@pytest.mark.parametrize(
    ("first", "second", "named"),
    [
        ("\u00e9", "e\u0301", "COMBINING ACUTE ACCENT"),  # as macOS writes file names
        ("a b", "a\u00a0b", "NO-BREAK SPACE"),
        ("ab", "a\u034fb", "COMBINING GRAPHEME JOINER"),
        ("ab", "a\u115fb", "HANGUL CHOSEONG FILLER"),
        ("ab", "a\U000e0041b", "TAG LATIN CAPITAL LETTER A"),
        ("a", "a\ufe0f", "VARIATION SELECTOR-16"),
        ("a\u2060bc", "ab\u2060c", "in other places"),
    ],
)
def test_names_that_look_the_same_are_refused(first: str, second: str, named: str) -> None:
    for text, what in (
        (f"topic,{first},{second}\nt1,.1,.2\nt2,.3,.5\n", "run name"),
        (f"topic,A,B\n{first},.1,.2\n{second},.3,.5\n", "topic id"),
    ):
        with pytest.raises(ParseError, match=f"each {what} to look different.*{named}"):
            read_scores(text, "t.csv")


@pytest.mark.parametrize("mark", ["\u061c", "\u200e", "\u200f", "\u202e", "\u2066"])
def test_marks_of_direction_are_refused(mark: str) -> None:
    with pytest.raises(ParseError, match=f"U\\+{ord(mark):04X} controls how text is displayed"):
        read_scores(f"topic,A,B{mark}\nt1,.1,.2\nt2,.3,.5\n", "t.csv")


def test_byte_order_marks_inside_concatenated_runs_are_refused(golden: SnapshotAssertion) -> None:
    one = "\ufeff1 Q0 a 1 2 t\n".encode()
    (error,) = read_runs([("r", one + one.replace(b"1 Q0", b"2 Q0"))]).errors
    assert (error.file, error.line) == ("r", None)
    assert str(error) == golden
