"""A small collection in a folder, an archive or several files: documents, topics, judgments."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from topicset_core.collection.qrels import Qrels
from topicset_core.collection.text_collection import TextCollection
from topicset_core.errors import ParseError
from topicset_core.parsing.archives import File, Watch, each_file
from topicset_core.parsing.collections.documents import read_documents
from topicset_core.parsing.collections.topics import read_topics
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.track import Files
from topicset_core.progress import Report, silently
from topicset_core.wording import counted, listed, shown

DOCUMENTS = ("documents.jsonl", "documents.jsonl.gz")
TOPICS = ("topics.jsonl", "topics.jsonl.gz", "topics.txt", "topics.trec", "topics.xml")
QRELS = ("qrels.txt", "qrels.txt.gz")
_ARCHIVE = re.compile(r"\.(zip|tar|tgz|tar\.gz)$", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadTextCollection:
    """A collection, and sentences on what was found in its files.

    Parameters
    ----------
    collection : TextCollection
        Documents, topics and, where there are any, judgments.
    said : tuple of str
        What was recognised, and what to know about it.
    """

    collection: TextCollection
    said: tuple[str, ...]


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
        If a file is absent, there in two forms, or not what it should be; or if the judgments share
        no topic or no document with the rest.
    OSError
        If a file cannot be read.
    """
    if not folder.is_dir():
        raise ParseError(
            str(folder), None, "expected a folder with documents.jsonl, topics.jsonl and qrels.txt"
        )
    files = {name: str(folder / name) for name in (*DOCUMENTS, *TOPICS, *QRELS) if (folder / name).is_file()}
    return _collection(
        folder.resolve().name,
        str(folder),
        files,
        lambda name: (folder / name).read_bytes(),
        with_qrels=with_qrels,
    )


def read_uploaded_collection(files: Files, report: Report = silently) -> ReadTextCollection:
    """Read a collection with its judgments from files, or from an archive of them, named after the archive.

    Parameters
    ----------
    files : sequence of (str, bytes or Path)
        Name and content of each. What is not called as the files of a collection is passed over and named.
    report : callable, optional
        Takes the fraction unpacked.

    Raises
    ------
    ParseError
        As `read_text_collection` does, or if an archive is damaged.
    """
    contents: dict[str, File] = {}
    passed_over = []

    def take(file: File, watch: Watch) -> None:
        watch.reached(file.end)
        name = PurePosixPath(file.name.replace("\\", "/")).name
        if name not in (*DOCUMENTS, *TOPICS, *QRELS):
            passed_over.append(file.name)
            return
        if name in contents:
            expected = f"expected one file called {name}, found {shown(contents[name].name)} too"
            raise ParseError(file.name, None, expected)
        contents[name] = file

    said, errors = each_file(files, take, report)
    if errors:
        raise errors[0]
    places = {PurePosixPath(file.archive or "").name for file in contents.values()}
    of_archive = _ARCHIVE.sub("", places.pop()) if len(places) == 1 else ""
    read = _collection(
        of_archive or "collection",
        ", ".join(name for name, _ in files) or "the collection",
        {name: file.name for name, file in contents.items()},
        lambda name: contents[name].content,
        with_qrels=True,
    )
    if passed_over:
        said = (*said, f"Passed over: {listed(passed_over)}.")
    return replace(read, said=(*read.said, *said))


def _collection(
    name: str, place: str, files: Mapping[str, str], content: Callable[[str], bytes], *, with_qrels: bool
) -> ReadTextCollection:
    """Read a collection from those of its files that are there, called `files` where something is wrong."""
    documents_file, topics_file = _only(place, files, DOCUMENTS), _only(place, files, TOPICS)
    documents = read_documents(files[documents_file], content(documents_file))
    topics = read_topics(files[topics_file], content(topics_file))
    said = [*documents.said, *topics.said]
    qrels, qrels_file = None, ""
    if with_qrels:
        qrels_file = _only(place, files, QRELS)
        read = read_qrels(files[qrels_file], content(qrels_file))
        qrels = read.qrels
        said += read.said
    collection = TextCollection(name=name, documents=documents.documents, topics=topics.topics, qrels=qrels)
    if qrels is not None:
        said += _joined(collection, qrels, files[qrels_file])
    return ReadTextCollection(collection=collection, said=tuple(said))


def _only(place: str, files: Mapping[str, str], names: tuple[str, ...]) -> str:
    there = [name for name in names if name in files]
    if len(there) == 1:
        return there[0]
    wanted = f"{', '.join(names[:-1])} or {names[-1]}"
    found = " and ".join(there) or "none of them"
    raise ParseError(place, None, f"expected one file called {wanted}, found {found}")


def _joined(collection: TextCollection, qrels: Qrels, file: str) -> list[str]:
    """Say which judgments lack their topic or their document; refuse judgments of another collection."""
    topics = {topic.id for topic in collection.topics}
    documents = {document.id.encode() for document in collection.documents}
    n_topics = sum(topic not in topics for topic in qrels.topics)
    n_documents = len(set(qrels.documents.tolist()) - documents)
    if n_topics == qrels.n_topics:
        raise ParseError(file, None, "expected judgments of the topics beside it, found none of them judged")
    if not documents & set(qrels.documents.tolist()):
        raise ParseError(
            file, None, "expected judgments of the documents beside it, found none of them judged"
        )
    said = []
    if n_topics:
        said.append(
            f"{counted(n_topics, 'judged topic')} not among the topics: no run can find its documents."
        )
    if n_documents:
        said.append(
            f"{counted(n_documents, 'judged document')} not among the documents: no run can find them."
        )
    return said
