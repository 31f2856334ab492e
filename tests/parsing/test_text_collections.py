"""Documents, topics and folders of small collections: what is read, and what is said of what is not.

Rows of the tables of refusals: content, and the whole message.
"""

# ruff: noqa: E501 - rows of tables
import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest

from topicset_core.collection.topic import Topic
from topicset_core.errors import ParseError
from topicset_core.parsing.documents import read_documents
from topicset_core.parsing.text_collection import read_text_collection, read_uploaded_collection
from topicset_core.parsing.topics import read_topics

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


def test_documents_are_read_in_their_order() -> None:
    read = read_documents("d.jsonl", b"\xef\xbb\xbf" + DOCUMENTS.replace(b"\n", b"\r\n\r\n"))
    assert [(d.id, d.title, d.text) for d in read.documents] == [("a", "Ox", "an ox"), ("7", "", "")]
    assert read.said == (
        "Documents: 2, of which title and text are indexed.",
        "1 document without title and text can never be found.",
    )


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(DOCUMENTS),
        DOCUMENTS.decode().encode("utf-16"),
        DOCUMENTS.replace(b'"id"', b'"_id"'),  # as BEIR writes it
        DOCUMENTS.replace(b"{", b'{"url": ["x", null], '),
    ],
)
def test_documents_are_read_from_other_spellings(content: bytes) -> None:
    assert read_documents("d", content).documents == read_documents("d", DOCUMENTS).documents


def test_titles_that_texts_begin_with_are_counted() -> None:
    rows = [{"id": n, "title": "ox", "text": text} for n, text in enumerate(("ox eats", "ox", "an ox"))]
    read = read_documents("d", "\n".join(map(json.dumps, rows)).encode())
    assert [document.indexed for document in read.documents] == ["ox eats", "ox", "ox\nan ox"]
    assert read.said[1] == "2 texts begin with their title, which is not counted twice."


def test_topics_are_read_from_json_lines() -> None:
    read = read_topics("t.jsonl", b'{"id": 2, "text": "ox"}\n\n{"id": "q-1", "text": " elk yak ", "n": 1}')
    assert read.topics == (Topic(id="2", title="ox"), Topic(id="q-1", title=" elk yak "))
    assert read.said == ("Topics: 2, read as topics in JSON Lines.",)


@pytest.mark.parametrize(
    "content", [TREC.encode(), gzip.compress(TREC.encode()), TREC.replace("\n", "\r\n").encode()]
)
def test_topics_are_read_from_trec_with_their_fields(content: bytes) -> None:
    read = read_topics("t.txt", content)
    crime, airbus = read.topics
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
    assert read.said == (
        "Topics: 2, read as TREC topics.",
        "1 topic with a description or a narrative beside the title.",
        "Other fields were passed over: <dom>, <con>.",
    )


def test_topics_of_one_line_are_read() -> None:
    line = b"<TOP><NUM>1</NUM><TITLE>ox</TITLE><DESC>an ox</DESC></TOP><top><num>2<title>elk</top>"
    assert read_topics("t", line).topics == (
        Topic(id="1", title="ox", description="an ox"),
        Topic(id="2", title="elk"),
    )


BAD_DOCUMENTS = [
    (b"", "f: expected documents as JSON objects, one a line, found an empty file"),
    (b"\n \n", "f: expected documents as JSON objects, one a line, found an empty file"),
    (b'{"id": "a", "text": "x"}\n{"id": "b"', "f, line 2: expected one JSON object on the line: Expecting ',' delimiter"),
    (b'["a"]', "f, line 1: expected one JSON object on the line, found '[\"a\"]'"),
    (b'\n{"text": "x"}', "f, line 2: expected an id, a text or a whole number, found none"),
    (b'{"id": null, "text": "x"}', "f, line 1: expected an id, a text or a whole number, found 'null'"),
    (b'{"id": true, "text": "x"}', "f, line 1: expected an id, a text or a whole number, found 'true'"),
    (b'{"id": 1.5, "text": "x"}', "f, line 1: expected an id, a text or a whole number, found '1.5'"),
    (b'{"id": "", "text": "x"}', "f, line 1: expected an id without white space, found ''"),
    (b'{"id": "a b", "text": "x"}', "f, line 1: expected an id without white space, found 'a b'"),
    (b'{"id": "a\\ud800", "text": "x"}', "f, line 1: expected an id without white space, found 'a\\ud800'"),
    (b'{"id": "' + b"a" * 501 + b'", "text": "x"}', f"f, line 1: expected an id of at most 500 bytes, found '{'a' * 40}…'"),
    (b'{"id": "a"}', "f, line 1: expected a text called 'text', found none"),
    (b'{"id": "a", "text": 7}', "f, line 1: expected a text called 'text', found '7'"),
    (b'{"id": "a", "text": "x", "title": null}', "f, line 1: expected a text called 'title', found 'null'"),
    (b'{"id": "7", "text": "x"}\n\n{"id": 7, "text": "y"}', "f, line 3: expected each document once, found '7' again, which line 1 has already"),
    (b"[" * 100_000, "f, line 1: expected one JSON object on the line: it is nested too deeply, or a number is too long"),
    (b'{"id": ' + b"1" * 5000 + b"}", "f, line 1: expected one JSON object on the line: it is nested too deeply, or a number is too long"),
    (b'{"id": "a", "text": "caf\xe9"}', "f, line 1: expected UTF-8 text, found the byte 0xE9 that does not belong there; save all runs and judgments as UTF-8, so that the same ids are the same bytes"),
    (gzip.compress(DOCUMENTS)[:-12], "f: expected a whole gzip file, found one that is cut off; copy or download it again"),
    (b"%PDF-1.4", "f: is a PDF document, expected plain text"),
]  # fmt: skip

BAD_TOPICS = [
    (b"", "f: expected topics, found an empty file"),
    (b"1 ox", "f: expected topics in JSON Lines, beginning with {, or TREC's, beginning with <top>, found '1 ox'"),
    (b'{"id": 1, "text": " "}', "f, line 1: expected words in the text of topic '1', found none"),
    (b'{"id": 1, "title": "ox"}', "f, line 1: expected a text called 'text', found none"),
    (TOPICS * 2, "f, line 2: expected each topic once, found '1' again, which line 1 has already"),
    (b"<topics>\n<topic>", "f, line 1: expected <top> before anything else, found <topics>"),
    (b"<num> 1\n<top>", "f, line 1: expected <top> before anything else, found <num>"),
    (b"<top>\n<num> 1\n<title> ox\n", "f, line 1: expected </top> at the end of each topic, found none for this one"),
    (b"<top>\n<num> 1\n<title> ox\n<top>", "f, line 4: expected </top> for the topic of line 1, found <top>"),
    (b"<top>\n<title> ox\n</top>", "f, line 1: expected a number in <num> of each topic, found '<title>'"),
    (b"\n<top>\n<num> Number:\n<title> ox\n</top>", "f, line 2: expected a number in <num> of each topic, found '<num>', '<title>'"),
    (b"<top>\n<num> 1\n<desc> ox\n</top>", "f, line 1: expected a title in <title> of each topic, found '<num>', '<desc>'"),
    (b"<top></top>", "f, line 1: expected a number in <num> of each topic, found no field"),
    (b"<top>\n<num> 1 2\n<title> ox\n</top>", "f, line 1: expected an id without white space, found '1 2'"),
    (b"<top>\n<num> 1\n<title> ox\n<title> elk\n</top>", "f, line 4: expected each field once in a topic, found <title> again"),
    (b"<top>\n<num> 1\n<title> ox\n</top>\n<top><num>1<title>elk</top>", "f, line 5: expected each topic once, found '1' again, which line 1 has already"),
    (b"<top>\n<num> 1\n<title> ox\n</top>\n\n stray\n", "f, line 6: expected text within the fields of a topic, found 'stray'"),
    (b"<top>\n stray\n<num> 1\n<title> ox\n</top>", "f, line 2: expected text within the fields of a topic, found 'stray'"),
    (b"<top><num>1</num>\n\nstray<title> ox\n</top>", "f, line 3: expected text within the fields of a topic, found 'stray'"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "said"), BAD_DOCUMENTS)
def test_bad_documents_are_refused_and_said_why(content: bytes, said: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_documents("f", content)
    assert str(caught.value) == said


@pytest.mark.parametrize(("content", "said"), BAD_TOPICS)
def test_bad_topics_are_refused_and_said_why(content: bytes, said: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_topics("f", content)
    assert str(caught.value) == said


def folder_of(path: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (path / name).write_bytes(content)
    return path


def test_a_folder_is_a_collection(tmp_path: Path) -> None:
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
    assert read.said[-2:] == (
        "1 judged topic not among the topics: no run can find its documents.",
        "1 judged document not among the documents: no run can find them.",
    )


def test_a_folder_without_judgments_can_be_searched(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {"documents.jsonl": DOCUMENTS, "topics.jsonl": TOPICS})
    assert read_text_collection(folder, with_qrels=False).collection.qrels is None
    with pytest.raises(
        ParseError, match=r"expected one file called qrels.txt or qrels.txt.gz, found none of them"
    ):
        read_text_collection(folder)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "expected one file called documents.jsonl or documents.jsonl.gz, found none of them"),
        ({"documents.jsonl": DOCUMENTS, "documents.jsonl.gz": b""}, "expected one file called documents.jsonl or documents.jsonl.gz, found documents.jsonl and documents.jsonl.gz"),
        ({"documents.jsonl": DOCUMENTS, "topics.jsonl": TOPICS, "qrels.txt": b"2 0 a 1\n"}, "expected judgments of the topics beside it, found none of them judged"),
        ({"documents.jsonl": DOCUMENTS, "topics.jsonl": TOPICS, "qrels.txt": b"1 0 b 1\n"}, "expected judgments of the documents beside it, found none of them judged"),
        ({"documents.jsonl": DOCUMENTS, "topics.jsonl": TOPICS, "qrels.txt": b"1 0 b\n"}, "qrels.txt, line 1: expected"),
    ],
)  # fmt: skip
def test_bad_folders_are_refused_and_said_why(tmp_path: Path, files: dict[str, bytes], said: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_text_collection(folder_of(tmp_path, files))
    assert said in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path))


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParseError, match=r"expected a folder with documents\.jsonl"):
        read_text_collection(tmp_path / "absent")


def test_an_archive_is_a_collection_too() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mine/documents.jsonl.gz", gzip.compress(DOCUMENTS))
        archive.writestr("mine/topics.jsonl", TOPICS)
        archive.writestr("mine/qrels.txt", b"1 0 a 1\n")
        archive.writestr("mine/notes.md", b"of no use")
    read = read_uploaded_collection([("cisi.zip", packed.getvalue())])
    assert read.collection.name == "cisi"
    assert read.collection.qrels is not None
    assert read.said[-1] == "Passed over: 'cisi.zip/mine/notes.md'."
    files = [("documents.jsonl", DOCUMENTS), ("topics.jsonl", TOPICS), ("qrels.txt", b"1 0 a 1\n")]
    several = read_uploaded_collection(files).collection
    assert several.name == "collection"
    assert several.documents == read.collection.documents


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([], "the collection: expected one file called documents.jsonl or documents.jsonl.gz, found none of them"),
        ([("documents.jsonl", DOCUMENTS), ("topics.jsonl", b'{"id": "1"}\n'), ("qrels.txt", b"1 0 a 1\n")], "topics.jsonl, line 1: expected"),
        ([("documents.jsonl", DOCUMENTS), ("documents.jsonl", DOCUMENTS)], "documents.jsonl: expected one file called documents.jsonl, found 'documents.jsonl' too"),
        ([("broken.zip", b"PK\x03\x04 and then nothing")], "broken.zip: expected a whole zip archive"),
    ],
)  # fmt: skip
def test_uploads_that_are_no_collection_are_refused_and_said_why(
    files: list[tuple[str, bytes]], said: str
) -> None:
    with pytest.raises(ParseError) as caught:
        read_uploaded_collection(files)
    assert str(caught.value).startswith(said)
