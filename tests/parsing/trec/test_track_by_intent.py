"""Judgments by intent in a track: whatever order files come in, probabilities find the intents they are of."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.trec.test_intents import LIKELY, WEB
from tests.words import numbers_in
from topicset_core.errors import ParseError
from topicset_core.parsing.trec.intents import read_probabilities
from topicset_core.parsing.trec.track import Track, read_track

RUN = b"1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 a 1 1 t\n"
PLAIN = b"1 0 a 1\n2 0 a 1\n"
STATED_TEXTS = read_probabilities("likely.txt", LIKELY).notes


def likely(track: Track, place: int = 0) -> list[float] | None:
    """How likely the intents of a collection are."""
    intents = track.judged[place].qrels.intents
    return None if intents is None or intents.probabilities is None else intents.probabilities.tolist()


@pytest.mark.parametrize("order", ["together", "before", "after"])
def test_a_track_takes_probabilities_in_any_order(order: str, golden: SnapshotAssertion) -> None:
    given, judged = ("likely.txt", LIKELY), ("web.txt", WEB)
    if order == "together":
        track = read_track([("r", RUN)], [given, judged])
    else:
        first, second = (given, judged) if order == "before" else (judged, given)
        track = read_track([], [second], read_track([("r", RUN)], [first]))
        track = read_track([], [], track)
    assert track.errors == ()
    assert len(track.judged) == 1
    assert likely(track) == [0.75, 0.25, 1.0]
    (one,) = track.qrels
    assert one.notes[-1] == STATED_TEXTS
    assert " ".join(one.notes) == golden


def test_a_track_reports_unmatched_probabilities(golden: SnapshotAssertion) -> None:
    track = read_track([("r", RUN)], [("q.txt", WEB), ("p.txt", b"7 1 0.5\n7 2 0.5\n")])
    (note,) = [note for note in track.notes if "p.txt" in note]
    assert note == golden
    track = read_track([("r", RUN)], [("q.txt", b"1 0 a 1\n2 0 a 1\n"), ("p.txt", LIKELY)])
    (error,) = track.errors
    assert isinstance(error, ParseError)
    assert error.file == "p.txt"
    assert str(error) == golden
    assert len(track.judged) == 1


def test_a_file_uploaded_again_replaces_its_earlier_version() -> None:
    track = read_track([("r", RUN)], [("web.txt", WEB), ("p.txt", LIKELY)])
    track = read_track([], [("p.txt", b"1 1 0.5\n1 2 0.5\n2 1 1.0\n")], track)
    assert likely(track) == [0.5, 0.5, 1.0]
    assert track.errors == ()
    assert len(track.probabilities) == 1
    # No note is repeated, then or at another upload.
    track = read_track([], [], track)
    assert likely(track) == [0.5, 0.5, 1.0]
    assert track.qrels[0].notes.count(STATED_TEXTS) == 1


def test_the_last_of_two_files_counts_also_for_later_uploads() -> None:
    later = ("later.txt", b"1 1 0.5\n1 2 0.5\n2 1 1.0\n")
    track = read_track([("r", RUN)], [("web.txt", WEB), ("p.txt", LIKELY), later])
    for _ in range(2):
        assert likely(track) == [0.5, 0.5, 1.0]
        assert track.qrels[0].notes.count(STATED_TEXTS) == 1
        assert [name for name in ("p.txt", "later.txt") if name in " ".join(track.qrels[0].notes)] == [
            "later.txt"
        ]
        track = read_track([], [], track)
    # Judgments that come later have both files' as well.
    track = read_track([], [("more.txt", WEB)], track)
    assert likely(track, 1) == [0.5, 0.5, 1.0]


def test_an_unmatched_file_is_reported_once(golden: SnapshotAssertion) -> None:
    track = read_track([("r", RUN)], [("web.txt", WEB), ("p.txt", b"1 1 1.0\n2 1 1\n")])
    (error,) = track.errors
    assert isinstance(error, ParseError)
    assert error.file == "p.txt"
    assert str(error) == golden
    assert likely(track) is None
    track = read_track([], [("q.txt", LIKELY)], track)
    assert track.errors == ()
    assert likely(track) == [0.75, 0.25, 1.0]


def test_judgments_without_intents_are_not_changed_by_others() -> None:
    track = read_track([("r", RUN)], [("plain.txt", PLAIN), ("web.txt", WEB), ("p.txt", LIKELY)])
    assert track.errors == ()
    assert likely(track, 0) is None
    assert likely(track, 1) == [0.75, 0.25, 1.0]
    track = read_track([], [("plainer.txt", PLAIN)], track)
    assert track.errors == ()


@pytest.mark.parametrize(
    ("more", "numbers"),
    [
        # Intents and topics of the file; intents without a relevant document, or topics that are not judged.
        pytest.param(b"2 2 0\n", [4, 2, 1], id="1-intent"),
        pytest.param(b"2 2 0\n2 3 0\n", [5, 2, 2], id="2-intents"),
        pytest.param(b"9 1 1\n", [4, 3, 1], id="1-topic"),
        pytest.param(b"9 1 1\n8 1 1\n", [5, 4, 2], id="2-topics"),
    ],
)
def test_unused_probabilities_are_reported(
    more: bytes, numbers: list[float], golden: SnapshotAssertion
) -> None:
    track = read_track([("r", RUN)], [("web.txt", WEB), ("p.txt", LIKELY + more)])
    assert track.errors == ()
    assert likely(track) == [0.75, 0.25, 1.0]
    assert numbers_in(track.qrels[0].notes[-1]) == numbers
    assert track.qrels[0].notes[-1] == golden
