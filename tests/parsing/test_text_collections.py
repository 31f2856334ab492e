"""Documents, topics and folders of small collections: accepted files, and messages on refused ones.

Rows of the tables of refusals: content, and the line; the golden record contains the messages.
"""

import gzip
import json
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.packed import without_reason, zipped
from tests.refusals import refusals, unread
from tests.words import numbers_in
from topicset_core.collection.text_collection import Topic
from topicset_core.parsing.text_collection import (
    read_documents,
    read_text_collection,
    read_topics,
    read_uploaded_collection,
)

DOCUMENTS = b'{"id": "a", "title": "Ox", "text": "an ox"}\n{"id": 7, "text": ""}\n'
TOPICS = b'{"id": "1", "text": "ox"}\n'
QRELS = b"1 0 a 1\n"
TREC = """
<top>

<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that
participate in it, with < 3 members.

<narr> Narrative:
A relevant document must
name the organization: Topic: crime.

</top>

<top>
<num> Number: 051</num>
<dom> Domain: International Economics
<title> Topic: Airbus
Subsidies</title>
<con> Concept(s):
1. Airbus
</top>
"""


def test_documents_are_read_in_their_order(golden: SnapshotAssertion) -> None:
    documents, notes = read_documents("d.jsonl", b"\xef\xbb\xbf" + DOCUMENTS.replace(b"\n", b"\r\n\r\n"))
    assert [(d.id, d.title, d.text) for d in documents] == [("a", "Ox", "an ox"), ("7", "", "")]
    assert [numbers_in(note) for note in notes] == [[2], [1]]  # documents; those without a text
    assert " ".join(notes) == golden


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(DOCUMENTS),
        DOCUMENTS.decode().encode("utf-16"),
        DOCUMENTS.replace(b'"id"', b'"_id"'),  # as BEIR writes it
        DOCUMENTS.replace(b"{", b'{"url": ["x", null], '),
    ],
)
def test_documents_are_read_with_other_key_names(content: bytes) -> None:
    assert read_documents("d", content)[0] == read_documents("d", DOCUMENTS)[0]


def test_repeated_titles_are_counted(golden: SnapshotAssertion) -> None:
    rows = [{"id": n, "title": "ox", "text": text} for n, text in enumerate(("ox eats", "ox", "an ox"))]
    documents, notes = read_documents("d", "\n".join(map(json.dumps, rows)).encode())
    assert [document.indexed for document in documents] == ["ox eats", "ox", "ox\nan ox"]
    assert numbers_in(notes[1]) == [2]
    assert " ".join(notes) == golden


def test_topics_are_read_from_json_lines(golden: SnapshotAssertion) -> None:
    topics, notes = read_topics(
        "t.jsonl", b'{"id": 2, "text": "ox"}\n\n{"id": "q-1", "text": " elk yak ", "n": 1}'
    )
    assert topics == (Topic(id="2", title="ox"), Topic(id="q-1", title=" elk yak "))
    (note,) = notes
    assert numbers_in(note) == [2]
    assert note == golden


@pytest.mark.parametrize(
    "content",
    [TREC.encode(), gzip.compress(TREC.encode()), TREC.replace("\n", "\r\n").encode()],
    ids=["plain", "gz", "crlf"],
)
def test_topics_are_read_from_trec_with_their_fields(content: bytes, golden: SnapshotAssertion) -> None:
    topics, notes = read_topics("t.txt", content)
    crime, airbus = topics
    assert crime == Topic(
        id="301",
        title="International Organized Crime",
        description="Identify organizations that participate in it, with < 3 members.",
        narrative="A relevant document must name the organization: Topic: crime.",
    )
    assert airbus == Topic(id="051", title="Airbus Subsidies")
    assert crime.query("title") == "International Organized Crime"
    assert crime.query("full").split("\n") == [crime.title, crime.description, crime.narrative]
    assert airbus.query("full").split() == ["Airbus", "Subsidies"]
    # Topics; those with a description or a narrative; ignored fields.
    assert [numbers_in(note) for note in notes] == [[2], [1], []]
    assert re.findall(r"<\w+>", notes[2]) == ["<dom>", "<con>"]
    assert " ".join(notes) == golden


def test_topics_of_one_line_are_read() -> None:
    line = b"<TOP><NUM>1</NUM><TITLE>ox</TITLE><DESC>an ox</DESC></TOP><top><num>2<title>elk</top>"
    assert read_topics("t", line)[0] == (
        Topic(id="1", title="ox", description="an ox"),
        Topic(id="2", title="elk"),
    )


BAD_DOCUMENTS: dict[str, tuple[bytes, int | None]] = {
    "empty": (b"", None),
    "blank": (b"\n \n", None),
    "cut-off": (b'{"id": "a", "text": "x"}\n{"id": "b"', 2),
    "a-list": (b'["a"]', 1),
    "no-id": (b'\n{"text": "x"}', 2),
    "id-null": (b'{"id": null, "text": "x"}', 1),
    "id-true": (b'{"id": true, "text": "x"}', 1),
    "id-fraction": (b'{"id": 1.5, "text": "x"}', 1),
    "id-empty": (b'{"id": "", "text": "x"}', 1),
    "id-with-space": (b'{"id": "a b", "text": "x"}', 1),
    "id-half-a-character": (b'{"id": "a\\ud800", "text": "x"}', 1),
    "id-too-long": (b'{"id": "' + b"a" * 501 + b'", "text": "x"}', 1),
    "no-text": (b'{"id": "a"}', 1),
    "text-a-number": (b'{"id": "a", "text": 7}', 1),
    "title-null": (b'{"id": "a", "text": "x", "title": null}', 1),
    "id-twice": (b'{"id": "7", "text": "x"}\n\n{"id": 7, "text": "y"}', 3),
    "nested-deeply": (b"[" * 100_000, 1),
    "number-too-long": (b'{"id": ' + b"1" * 5000 + b"}", 1),
    "no-utf-8": (b'{"id": "a", "text": "caf\xe9"}', 1),
    "gz-cut-off": (gzip.compress(DOCUMENTS)[:-12], None),
    "pdf": (b"%PDF-1.4", None),
}

BAD_TOPICS: dict[str, tuple[bytes, int | None]] = {
    "empty": (b"", None),
    "no-format": (b"1 ox", None),
    "no-words": (b'{"id": 1, "text": " "}', 1),
    "no-text": (b'{"id": 1, "title": "ox"}', 1),
    "json-id-twice": (TOPICS * 2, 2),
    "other-tag": (b"<topics>\n<topic>", 1),
    "number-first": (b"<num> 1\n<top>", 1),
    "no-end": (b"<top>\n<num> 1\n<title> ox\n", 1),
    "no-end-before-next": (b"<top>\n<num> 1\n<title> ox\n<top>", 4),
    "no-number": (b"<top>\n<title> ox\n</top>", 1),
    "empty-number": (b"\n<top>\n<num> Number:\n<title> ox\n</top>", 2),
    "no-title": (b"<top>\n<num> 1\n<desc> ox\n</top>", 1),
    "empty-topic": (b"<top></top>", 1),
    "two-numbers": (b"<top>\n<num> 1 2\n<title> ox\n</top>", 1),
    "two-titles": (b"<top>\n<num> 1\n<title> ox\n<title> elk\n</top>", 4),
    "id-twice": (b"<top>\n<num> 1\n<title> ox\n</top>\n<top><num>1<title>elk</top>", 5),
    "text-between": (b"<top>\n<num> 1\n<title> ox\n</top>\n\n stray\n", 6),
    "text-before-number": (b"<top>\n stray\n<num> 1\n<title> ox\n</top>", 2),
    "text-between-fields": (b"<top><num>1</num>\n\nstray<title> ox\n</top>", 3),
}


def test_bad_documents_are_refused_with_a_reason(golden: SnapshotAssertion) -> None:
    assert refusals(lambda content: read_documents("f", content), BAD_DOCUMENTS, "f") == golden


def test_bad_topics_are_refused_with_a_reason(golden: SnapshotAssertion) -> None:
    assert refusals(lambda content: read_topics("f", content), BAD_TOPICS, "f") == golden


def folder_of(path: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (path / name).write_bytes(content)
    return path


def test_a_folder_is_a_collection(tmp_path: Path, golden: SnapshotAssertion) -> None:
    files = {
        "documents.jsonl.gz": gzip.compress(DOCUMENTS),
        "topics.txt": TREC.encode(),
        "qrels.txt": b"301 0 a 1\n051 0 b 1\n9 0 a 0\n",
    }
    read = read_text_collection(folder_of(tmp_path, files))
    assert read.collection.name == tmp_path.name
    assert [topic.id for topic in read.collection.topics] == ["301", "051"]
    assert read.collection.qrels is not None
    assert read.collection.qrels.topics == ("301", "051", "9")
    # Of topics 301, 051 and 9 the last is no topic, and b is no document.
    assert [numbers_in(note) for note in read.notes[-2:]] == [[1], [1]]
    assert " ".join(read.notes) == golden


def test_a_folder_without_judgments_can_be_searched(tmp_path: Path, golden: SnapshotAssertion) -> None:
    folder = folder_of(tmp_path, {"documents.jsonl": DOCUMENTS, "topics.jsonl": TOPICS})
    assert read_text_collection(folder, with_qrels=False).collection.qrels is None
    error = unread(read_text_collection, folder)
    assert (Path(error.file), error.line) == (folder, None)
    assert error.expected == golden


TWO = {"documents.jsonl": DOCUMENTS, "topics.jsonl": TOPICS}


@pytest.mark.parametrize(
    ("files", "at", "line"),
    [
        pytest.param({}, "", None, id="empty"),
        pytest.param(None, "absent", None, id="no-folder"),
        pytest.param(
            {"documents.jsonl": DOCUMENTS, "documents.jsonl.gz": b""}, "", None, id="documents-twice"
        ),
        pytest.param(TWO | {"qrels.txt": b"2 0 a 1\n"}, "qrels.txt", None, id="other-topics"),
        pytest.param(TWO | {"qrels.txt": b"1 0 b 1\n"}, "qrels.txt", None, id="other-documents"),
        pytest.param(TWO | {"qrels.txt": b"1 0 b\n"}, "qrels.txt", 1, id="three-columns"),
    ],
)
def test_bad_folders_are_refused_with_a_reason(
    tmp_path: Path, files: dict[str, bytes] | None, at: str, line: int | None, golden: SnapshotAssertion
) -> None:
    folder = tmp_path / at if files is None else folder_of(tmp_path, files)
    error = unread(read_text_collection, folder)
    assert (Path(error.file), error.line) == (tmp_path / at, line)
    assert error.expected == golden


def test_an_archive_is_a_collection_too(golden: SnapshotAssertion) -> None:
    members: dict[str, bytes | str] = {
        "mine/documents.jsonl.gz": gzip.compress(DOCUMENTS),
        "mine/topics.jsonl": TOPICS,
        "mine/qrels.txt": QRELS,
        "mine/notes.md": "of no use",
    }
    read = read_uploaded_collection([("cisi.zip", zipped(members))])
    assert read.collection.name == "cisi"
    assert read.collection.qrels is not None
    assert "cisi.zip/mine/notes.md" in read.notes[-1]
    assert " ".join(read.notes) == golden
    files = [("documents.jsonl", DOCUMENTS), ("topics.jsonl", TOPICS), ("qrels.txt", QRELS)]
    several = read_uploaded_collection(files).collection
    assert several.name == "collection"
    assert several.documents == read.collection.documents


@pytest.mark.parametrize(
    ("files", "at", "line"),
    [
        pytest.param([], "the collection", None, id="nothing"),
        pytest.param(
            [("documents.jsonl", DOCUMENTS), ("topics.jsonl", b'{"id": "1"}\n'), ("qrels.txt", b"1 0 a 1\n")],
            "topics.jsonl",
            1,
            id="bad-topics",
        ),
        pytest.param([("documents.jsonl", DOCUMENTS)] * 2, "documents.jsonl", None, id="documents-twice"),
        pytest.param([("broken.zip", b"PK\x03\x04 and then nothing")], "broken.zip", None, id="broken-zip"),
    ],
)
def test_uploads_without_a_collection_are_refused_with_a_reason(
    files: list[tuple[str, bytes]], at: str, line: int | None, golden: SnapshotAssertion
) -> None:
    error = unread(read_uploaded_collection, files)
    assert (error.file, error.line) == (at, line)
    assert without_reason(str(error)) == golden
