"""A small collection in a folder, an archive or several files: documents, topics, judgments.

Documents are JSON Lines with ``id``, ``title`` and ``text``; topics are JSON Lines with ``id`` and ``text``,
or TREC's topics with fields.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, NoReturn

from topicset_core.collection.qrels import Qrels
from topicset_core.collection.text_collection import Document, TextCollection, Topic
from topicset_core.errors import ParseError
from topicset_core.parsing.archives import GZIP, File, Files, Watch, each_file, inflate
from topicset_core.parsing.limits import LARGEST_FILE, LARGEST_FILE_MB
from topicset_core.parsing.names import check_id
from topicset_core.parsing.text import plain_text, refuse_odd_bytes
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.progress import ReportProgress, silently
from topicset_core.wording import counted, joined, listed, names_of, quoted

HALF = re.compile(r"[\ud800-\udfff]")
"""Valid as an escape in JSON, invalid in text: half of a surrogate pair."""


class Record(NamedTuple):
    """The fields of one line; `line` counts from 1 and includes blank lines."""

    file: str
    line: int
    fields: dict[str, Any]

    def name(self) -> str:
        """Return the ``id``, or BEIR's ``_id``, a text or a whole number, as text that is valid in a run."""
        field = "_id" if "_id" in self.fields and "id" not in self.fields else "id"
        actual = self.fields.get(field)
        if isinstance(actual, int) and not isinstance(actual, bool):
            actual = str(actual)
        if not isinstance(actual, str):
            self._refuse_field("an id, a text or a whole number", field)
        check_id(actual, self.file, self.line)
        return actual

    def text(self, field: str, default: str | None = None) -> str:
        """Return the text of a field, or the default where the record lacks it; else it must be there."""
        result = self.fields.get(field, default)
        if not isinstance(result, str):
            self._refuse_field(f"a text called {field!r}", field)
        # A search of all characters takes five times as long as a check that they are ASCII.
        stray = None if result.isascii() else HALF.search(result)
        if stray:
            self.refuse(
                f"expected characters in {field!r}, found half of a character, U+{ord(stray.group()):04X}"
            )
        return result

    def refuse(self, expected: str) -> NoReturn:
        """Refuse the line."""
        raise ParseError(self.file, self.line, expected)

    def _refuse_field(self, expected: str, field: str) -> NoReturn:
        actual = quoted(json.dumps(self.fields[field])) if field in self.fields else "none"
        self.refuse(f"expected {expected}, found {actual}")


def opened(file: str, content: bytes) -> bytes:
    """Return text in UTF-8 with line feeds, unpacked where it is in gzip."""
    if content.startswith(GZIP):
        pieces, size = [], 0
        for piece in inflate(content, file):
            pieces.append(piece)
            size += len(piece)
            _refuse_too_much(size, file)
        content = b"".join(pieces)
    _refuse_too_much(len(content), file)
    text = plain_text(content, file).content
    refuse_odd_bytes(text, file, 1)
    return text


def _refuse_too_much(size: int, file: str) -> None:
    if size > LARGEST_FILE:
        raise ParseError(file, None, f"expected at most {LARGEST_FILE_MB:,} MB of text, found more")


def records(file: str, text: bytes) -> Iterator[Record]:
    """Read each line that is not blank as one JSON object."""
    number = 0

    def as_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) < len(pairs):  # Python would keep the last of its values
            key = Counter(key for key, _ in pairs).most_common(1)[0][0]
            expected = f"expected each key once in an object, found {quoted(key)} twice"
            raise ParseError(file, number, expected)
        return fields

    for number, line in enumerate(text.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line, object_pairs_hook=as_object)
        except ParseError:  # a ValueError as well
            raise
        except (ValueError, RecursionError) as error:
            reason = getattr(error, "msg", "it is nested too deeply, or a number is too long")
            raise ParseError(file, number, f"expected one JSON object on the line: {reason}") from None
        if not isinstance(fields, dict):
            expected = f"expected one JSON object on the line, found {quoted(line.decode())}"
            raise ParseError(file, number, expected)
        yield Record(file, number, fields)


def _refuse_again(file: str, line: int, noun: str, name: str, lines: dict[str, int]) -> None:
    """Note the line of an id; refuse one that an earlier line has."""
    if name in lines:
        first = f"{lines[name]:,}"
        expected = f"expected each {noun} once, found {quoted(name)} again, which line {first} has already"
        raise ParseError(file, line, expected)
    lines[name] = line


def read_documents(file: str, content: bytes) -> tuple[tuple[Document, ...], list[str]]:
    """Read documents, and notes on them, from JSON lines, perhaps in gzip; a title may be absent, a text empty."""
    documents = []
    lines: dict[str, int] = {}
    for record in records(file, opened(file, content)):
        name = record.name()
        _refuse_again(file, record.line, "document", name, lines)
        documents.append(Document(id=name, title=record.text("title", ""), text=record.text("text")))
    if not documents:
        raise ParseError(file, None, "expected documents as JSON objects, one per line, found an empty file")
    return tuple(documents), _notes_on(documents)


def _notes_on(documents: Sequence[Document]) -> list[str]:
    notes = [f"Documents: {len(documents):,}, of which title and text are indexed."]
    n_repeating = sum(document.repeats_title for document in documents)
    if n_repeating:
        texts = "text begins with its" if n_repeating == 1 else "texts begin with their"
        notes.append(f"{n_repeating:,} {texts} title, which is not counted twice.")
    n_empty = sum(not document.indexed.strip() for document in documents)
    if n_empty:
        notes.append(f"{counted(n_empty, 'document')} without title and text cannot be retrieved.")
    return notes


def read_topics(file: str, content: bytes) -> tuple[tuple[Topic, ...], list[str]]:
    """Read topics, and notes on them, from text or gzip; the beginning of the file determines its format."""
    text = opened(file, content)
    start = text.lstrip()[:1]
    if not start:
        raise ParseError(file, None, "expected topics, found an empty file")
    if start == b"<":
        topics, passed_over = topics_in(file, text.decode())
        kind = "TREC topics"
    elif start == b"{":
        topics, passed_over = _from_json(file, text), ()
        kind = "topics in JSON Lines"
    else:
        actual = quoted(text.lstrip()[:40].decode(errors="ignore"))
        expected = "expected topics in JSON Lines, beginning with {, or TREC's, beginning with <top>, found "
        raise ParseError(file, None, expected + actual)
    notes = [f"Topics: {len(topics):,}, read as {kind}."]
    n_full = sum(topic.has_fields for topic in topics)
    if n_full:
        notes.append(f"{counted(n_full, 'topic')} with a description or a narrative next to the title.")
    if passed_over:
        notes.append(f"Other fields were ignored: {', '.join(passed_over)}.")
    return topics, notes


def _from_json(file: str, text: bytes) -> tuple[Topic, ...]:
    topics = []
    lines: dict[str, int] = {}
    for record in records(file, text):
        name = record.name()
        _refuse_again(file, record.line, "topic", name, lines)
        title = record.text("text")
        if not title.strip():
            record.refuse(f"expected words in the text of topic {quoted(name)}, found none")
        topics.append(Topic(id=name, title=title))
    return tuple(topics)


FIELDS = ("num", "title", "desc", "narr")
# A known tag anywhere, or any tag at the beginning of a line: text may contain a "<", too.
TAG = re.compile(
    r"<(?P<known>/?(?:top|num|title|desc|narr))\s*>|^[ \t]*<(?P<other>/?[a-z]+)\s*>", re.I | re.M
)
LABEL = re.compile(r"\s*(?:Number|Topic|Description|Narrative)\s*:", re.I)


@dataclass
class _Open:
    """A topic that is being read; `at` is the field that text belongs to."""

    line: int
    at: str = ""
    fields: dict[str, str] = field(default_factory=dict)


def topics_in(file: str, text: str) -> tuple[tuple[Topic, ...], tuple[str, ...]]:
    """Return TREC topics in the order of the file, and the names of ignored fields."""
    topics: list[Topic] = []
    lines: dict[str, int] = {}
    passed_over: dict[str, None] = {}
    topic: _Open | None = None
    end = 0
    line = 1
    for tag in TAG.finditer(text):
        _add_text(topic, text[end : tag.start()], file, line)
        line += text.count("\n", end, tag.end())
        end = tag.end()
        name = (tag["known"] or tag["other"]).lower()
        if name == "top":
            if topic is not None:
                expected = f"expected </top> for the topic of line {topic.line:,}, found <top>"
                raise ParseError(file, line, expected)
            topic = _Open(line)
        elif topic is None:
            raise ParseError(file, line, f"expected <top> before anything else, found <{name}>")
        elif name == "/top":
            new = _closed(topic, file)
            _refuse_again(file, topic.line, "topic", new.id, lines)
            topics.append(new)
            topic = None
        elif name.startswith("/"):
            topic.at = ""
        else:
            if name in topic.fields:
                raise ParseError(file, line, f"expected each field once in a topic, found <{name}> again")
            if name not in FIELDS:
                passed_over[f"<{name}>"] = None
            topic.at = name
            topic.fields[name] = ""
    if topic is not None:
        expected = "expected </top> at the end of each topic, found none for this one"
        raise ParseError(file, topic.line, expected)
    _add_text(None, text[end:], file, line)
    return tuple(topics), tuple(passed_over)


def _add_text(topic: _Open | None, text: str, file: str, line: int) -> None:
    """Give text to the field that is open; there must be none outside of one."""
    if topic is not None and topic.at:
        topic.fields[topic.at] += text
    elif text.strip():
        line += text[: len(text) - len(text.lstrip())].count("\n")
        expected = f"expected text within the fields of a topic, found {quoted(text.strip())}"
        raise ParseError(file, line, expected)


def _closed(topic: _Open, file: str) -> Topic:
    parts = {name: " ".join(LABEL.sub("", text, count=1).split()) for name, text in topic.fields.items()}
    for name, what in (("num", "number"), ("title", "title")):
        if not parts.get(name):
            has = listed([f"<{name}>" for name in topic.fields]) or "no field"
            raise ParseError(file, topic.line, f"expected a {what} in <{name}> of each topic, found {has}")
    check_id(parts["num"], file, topic.line)
    return Topic(
        id=parts["num"],
        title=parts["title"],
        description=parts.get("desc", ""),
        narrative=parts.get("narr", ""),
    )


DOCUMENTS = ("documents.jsonl", "documents.jsonl.gz")
TOPICS = ("topics.jsonl", "topics.jsonl.gz", "topics.txt", "topics.trec", "topics.xml")
QRELS = ("qrels.txt", "qrels.txt.gz")
_ARCHIVE = re.compile(r"\.(zip|tar|tgz|tar\.gz)$", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadTextCollection:
    """A collection, and notes on its files."""

    collection: TextCollection  # documents, topics and, where there are any, judgments
    notes: tuple[str, ...]  # notes on the format and the contents


def read_text_collection(folder: Path, *, with_qrels: bool = True) -> ReadTextCollection:
    """Read a collection, named after its folder.

    Parameters
    ----------
    folder : Path
        With documents.jsonl, topics.jsonl (or TREC topics in topics.txt) and qrels.txt; each may be
        in gzip.
    with_qrels : bool
        Whether there must be judgments. Otherwise they are not read.

    Raises
    ------
    ParseError
        If a file is absent, there in two forms, or invalid; or if the judgments share
        no topic or no document with the collection.
    OSError
        If a file cannot be read.
    """
    if not folder.is_dir():
        expected = "expected a folder with documents.jsonl, topics.jsonl and qrels.txt"
        raise ParseError(str(folder), None, expected)
    files = {name: str(folder / name) for name in (*DOCUMENTS, *TOPICS, *QRELS) if (folder / name).is_file()}
    return _collection(
        folder.resolve().name,
        str(folder),
        files,
        lambda name: (folder / name).read_bytes(),
        with_qrels=with_qrels,
    )


def read_uploaded_collection(files: Files, report: ReportProgress = silently) -> ReadTextCollection:
    """Read a collection with its judgments from files, or from an archive of them, named after the archive."""
    contents: dict[str, File] = {}
    passed_over = []

    def take(file: File, watch: Watch) -> None:
        watch.reached(file.end)
        name = PurePosixPath(file.name.replace("\\", "/")).name
        if name not in (*DOCUMENTS, *TOPICS, *QRELS):
            passed_over.append(file.name)
            return
        if name in contents:
            expected = f"expected one file called {name}, found {quoted(contents[name].name)} too"
            raise ParseError(file.name, None, expected)
        contents[name] = file

    notes, errors = each_file(files, take, report)
    if errors:
        raise errors[0]
    places = {PurePosixPath(file.archive or "").name for file in contents.values()}
    of_archive = _ARCHIVE.sub("", places.pop()) if len(places) == 1 else ""
    read = _collection(
        of_archive or "collection",
        names_of([name for name, _ in files]) or "the collection",
        {name: file.name for name, file in contents.items()},
        lambda name: contents[name].content,
        with_qrels=True,
    )
    if passed_over:
        notes = (*notes, f"Passed over: {listed(passed_over)}.")
    return replace(read, notes=(*read.notes, *notes))


def _collection(
    name: str, place: str, files: Mapping[str, str], content: Callable[[str], bytes], *, with_qrels: bool
) -> ReadTextCollection:
    """Read a collection from its present files, called `files` in errors."""
    documents_file, topics_file = _only(place, files, DOCUMENTS), _only(place, files, TOPICS)
    documents, notes = read_documents(files[documents_file], content(documents_file))
    topics, of_topics = read_topics(files[topics_file], content(topics_file))
    notes += of_topics
    qrels, qrels_file = None, ""
    if with_qrels:
        qrels_file = _only(place, files, QRELS)
        read = read_qrels(files[qrels_file], content(qrels_file))
        qrels = read.qrels
        notes += read.notes
    collection = TextCollection(name=name, documents=documents, topics=topics, qrels=qrels)
    if qrels is not None:
        notes += _joined(collection, qrels, files[qrels_file])
    return ReadTextCollection(collection=collection, notes=tuple(notes))


def _only(place: str, files: Mapping[str, str], names: tuple[str, ...]) -> str:
    present = [name for name in names if name in files]
    if len(present) == 1:
        return present[0]
    actual = " and ".join(present) or "no such file"
    raise ParseError(place, None, f"expected one file called {joined(names, 'or')}, found {actual}")


def _joined(collection: TextCollection, qrels: Qrels, file: str) -> list[str]:
    """List judgments that lack their topic or their document; refuse judgments of another collection."""
    topics = {topic.id for topic in collection.topics}
    documents = {document.id.encode() for document in collection.documents}
    n_topics = sum(topic not in topics for topic in qrels.topics)
    n_documents = len(set(qrels.documents.tolist()) - documents)
    if n_topics == qrels.n_topics:
        raise ParseError(file, None, "expected judgments of the collection's topics, found no judged topic")
    if not documents & set(qrels.documents.tolist()):
        expected = "expected judgments of the collection's documents, found no judged document"
        raise ParseError(file, None, expected)
    notes = []
    if n_topics:
        notes.append(
            f"{counted(n_topics, 'judged topic')} not among the topics: no run can find its documents."
        )
    if n_documents:
        notes.append(
            f"{counted(n_documents, 'judged document')} not among the documents: no run can find them."
        )
    return notes
