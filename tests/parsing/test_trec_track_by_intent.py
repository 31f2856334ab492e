"""Judgments by intent in a track: whatever order files come in, probabilities find the intents they are of."""

# ruff: noqa: E501 - rows of tables
import numpy as np
import pytest

from tests.parsing.test_trec_intents import LIKELY, WEB
from topicset_core.parsing.trec_track import Track, read_track

RUN = b"1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 a 1 1 t\n"
PLAIN = b"1 0 a 1\n2 0 a 1\n"
SAID = "Probabilities of 3 intents of 2 topics: lines of topic, intent and probability."


def likely(track: Track, place: int = 0) -> list[float] | None:
    """How likely the intents of a collection are."""
    intents = track.judged[place].qrels.intents
    return None if intents is None or intents.probabilities is None else intents.probabilities.tolist()


@pytest.mark.parametrize("order", ["together", "before", "after"])
def test_a_track_takes_probabilities_whenever_they_come(order: str) -> None:
    given, judged = ("likely.txt", LIKELY), ("web.txt", WEB)
    if order == "together":
        track = read_track([("r", RUN)], [given, judged])
    else:
        first, second = (given, judged) if order == "before" else (judged, given)
        track = read_track([], [second], read_track([("r", RUN)], [first]))
        track = read_track([], [], track)
    assert track.errors == ()
    (joined,) = track.judged
    assert joined.qrels.intents is not None
    assert np.array_equal(joined.qrels.intents.probabilities, [0.75, 0.25, 1.0])
    (one,) = track.qrels
    assert [text for text in one.said if "likely.txt" in text] == [
        "Intents with a relevant document: 1 to 2 a topic, 3 in all; as likely as likely.txt says. "
        "Measures that do not know intents take the highest grade of a document."
    ]
    assert one.said[-1] == SAID


def test_a_track_says_which_probabilities_fit_nothing() -> None:
    track = read_track([("r", RUN)], [("q.txt", WEB), ("p.txt", b"7 1 0.5\n7 2 0.5\n")])
    assert "p.txt: probabilities of intents of topics that no qrels have." in track.said
    track = read_track([("r", RUN)], [("q.txt", b"1 0 a 1\n2 0 a 1\n"), ("p.txt", LIKELY)])
    (error,) = track.errors
    assert str(error) == (
        "p.txt: expected judgments by intent of its topics, found 'q' without intents: no document has lines "
        "that differ in the second column"
    )
    assert len(track.judged) == 1


def test_a_file_brought_once_more_takes_the_place_of_what_it_was() -> None:
    track = read_track([("r", RUN)], [("web.txt", WEB), ("p.txt", LIKELY)])
    track = read_track([], [("p.txt", b"1 1 0.5\n1 2 0.5\n2 1 1.0\n")], track)
    assert likely(track) == [0.5, 0.5, 1.0]
    assert track.errors == ()
    assert len(track.probabilities) == 1
    # Nor is a sentence said twice, then or at another reading.
    track = read_track([], [], track)
    assert likely(track) == [0.5, 0.5, 1.0]
    assert [text for text in track.qrels[0].said if text.startswith("Probabilities")] == [SAID]


def test_the_last_of_two_files_counts_and_counts_at_later_readings() -> None:
    later = ("later.txt", b"1 1 0.5\n1 2 0.5\n2 1 1.0\n")
    track = read_track([("r", RUN)], [("web.txt", WEB), ("p.txt", LIKELY), later])
    for _ in range(2):
        assert likely(track) == [0.5, 0.5, 1.0]
        assert [text for text in track.qrels[0].said if text.startswith("Probabilities")] == [SAID]
        assert any("as likely as later.txt says" in text for text in track.qrels[0].said)
        track = read_track([], [], track)
    # Judgments that come later have both files' as well.
    track = read_track([], [("more.txt", WEB)], track)
    assert likely(track, 1) == [0.5, 0.5, 1.0]


def test_a_file_that_does_not_fit_is_an_error_once() -> None:
    track = read_track([("r", RUN)], [("web.txt", WEB), ("p.txt", b"1 1 1.0\n2 1 1\n")])
    (error,) = track.errors
    assert "found none for intent '2' of topic '1' in 'web'" in str(error)
    assert likely(track) is None
    track = read_track([], [("q.txt", LIKELY)], track)
    assert track.errors == ()
    assert likely(track) == [0.75, 0.25, 1.0]


def test_judgments_without_intents_beside_others_are_left_as_they_are() -> None:
    track = read_track([("r", RUN)], [("plain.txt", PLAIN), ("web.txt", WEB), ("p.txt", LIKELY)])
    assert track.errors == ()
    assert likely(track, 0) is None
    assert likely(track, 1) == [0.75, 0.25, 1.0]
    track = read_track([], [("plainer.txt", PLAIN)], track)
    assert track.errors == ()


@pytest.mark.parametrize(
    ("more", "counts", "said"),
    [
        (b"2 2 0\n", "4 intents of 2 topics", "1 of these intents has no relevant document and is left out; the others stay as likely as the file says."),
        (b"2 2 0\n2 3 0\n", "5 intents of 2 topics", "2 of these intents have no relevant document and are left out; the others stay as likely as the file says."),
        (b"9 1 1\n", "4 intents of 3 topics", "1 topic of the file is not judged."),
        (b"9 1 1\n8 1 1\n", "5 intents of 4 topics", "2 topics of the file are not judged."),
    ],
)  # fmt: skip
def test_what_judgments_have_no_use_for_is_said(more: bytes, counts: str, said: str) -> None:
    track = read_track([("r", RUN)], [("web.txt", WEB), ("p.txt", LIKELY + more)])
    assert track.errors == ()
    assert likely(track) == [0.75, 0.25, 1.0]
    assert (
        track.qrels[0].said[-1]
        == f"Probabilities of {counts}: lines of topic, intent and probability. {said}"
    )
