"""Runs and judgments that belong together."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from topicset_core.errors import InputError
from topicset_core.parsing.trec.track import Track, check_repeated, read_track


def _run(tag: str, topics: str = "1 2") -> bytes:
    return "".join(
        f"{topic} Q0 d{k} {k} {9 - k} {tag}\n" for topic in topics.split() for k in (1, 2)
    ).encode()


def _qrels(topics: str = "1 2") -> bytes:
    return "".join(f"{topic} 0 d1 1\n{topic} 0 d2 0\n" for topic in topics.split()).encode()


def test_each_collection_is_joined_with_the_runs_on_its_topics(tmp_path: Path) -> None:
    for name, content in (("a", _run("a")), ("old.txt", _qrels())):
        (tmp_path / name).write_bytes(content)
    runs: list[tuple[str, bytes | Path]] = [
        ("a", tmp_path / "a"),
        ("b", _run("b", "2 7")),
        ("c", _run("c", "7")),
    ]
    track = read_track(runs, [("old.txt", tmp_path / "old.txt"), ("new.txt", _qrels("7 8"))])
    assert [(judged.qrels.name, judged.systems) for judged in track.judged] == [
        ("old", ("a", "b")),
        ("new", ("b", "c")),
    ]
    assert track.errors == ()


def test_unmatched_files_are_reported(golden: SnapshotAssertion) -> None:
    runs = [("a", _run("a")), ("x", _run("stray", "99"))]
    track = read_track(runs, [("q", _qrels()), ("other", _qrels("55"))])
    assert len(track.judged) == 1
    assert len(track.notes) == 2
    assert " ".join(track.notes) == golden


def test_files_are_added_and_a_bad_file_loses_nothing(golden: SnapshotAssertion) -> None:
    before = read_track([("a", _run("a"))], [("q", _qrels())])
    after = read_track(
        [("b", _run("b")), ("again", _run("a")), ("bad", b"1 2 3\n")], [("q", _qrels())], before
    )
    assert [one.run.tag for one in after.runs] == ["a", "b"]
    assert after.judged[0].systems == ("a", "b")
    result: Any = after.errors
    assert sorted((error.file, error.line) for error in result) == [
        ("again", None),
        ("bad", 1),
        ("q", None),
    ]
    assert "\n".join(map(str, after.errors)) == golden


def test_scores_are_kept_on_request() -> None:
    before = read_track([("a", _run("a"))], [("q", _qrels())])
    after = read_track([("b", _run("b"))], [], before, keep_scores=True)
    assert after.runs[0].run.scores is None
    scores = after.runs[1].run.scores
    assert scores is not None
    assert scores.tolist() == [8.0, 7.0, 8.0, 7.0]


def test_runs_may_be_loaded_before_their_judgments() -> None:
    before = read_track([("a", _run("a"))], [])
    assert before.judged == ()
    assert read_track([], [("q", _qrels())]).notes == ()  # judgments without runs make no difference, either
    assert before.notes == ()
    assert read_track([], [("q", _qrels())], before).judged[0].systems == ("a",)
    assert read_track([], [], Track()).runs == ()


def test_progress_rises_to_the_end() -> None:
    names: list[float] = []
    read_track([("a", _run("a"))], [("q", _qrels())], report=names.append)
    assert names == sorted(names)
    assert 0 <= names[0] <= names[-1] <= 1


def test_collections_with_shared_topics_are_reported(golden: SnapshotAssertion) -> None:
    track = read_track(
        [("a", _run("a"))], [("whole", _qrels("1 2 3")), ("half", _qrels("2 9")), ("far", _qrels("7"))]
    )
    assert " ".join(track.notes) == golden


def test_saved_judgments_with_a_document_twice_are_refused_by_its_topic() -> None:
    qrels = read_track([], [("q", _qrels("7 8"))]).qrels[0].qrels
    check_repeated(qrels)
    documents = qrels.documents.copy()
    documents[3] = documents[2]  # the second of topic 8; topic 7 is as it was
    with pytest.raises(InputError, match=re.escape("documents = '8': must occur once per topic")):
        check_repeated(replace(qrels, documents=documents))
