"""A small collection in a folder: documents, topics, judgments."""

from dataclasses import dataclass
from pathlib import Path

from topicset_core.collection.qrels import Qrels
from topicset_core.collection.text_collection import TextCollection
from topicset_core.errors import ParseError
from topicset_core.parsing.documents import read_documents
from topicset_core.parsing.table import counted
from topicset_core.parsing.topics import read_topics
from topicset_core.parsing.trec_qrels import read_qrels

DOCUMENTS = ("documents.jsonl", "documents.jsonl.gz")
TOPICS = ("topics.jsonl", "topics.jsonl.gz", "topics.txt", "topics.trec", "topics.xml")
QRELS = ("qrels.txt", "qrels.txt.gz")


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadTextCollection:
    """A collection, and sentences on what was found in its files."""

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
    documents_file, topics_file = _only(folder, DOCUMENTS), _only(folder, TOPICS)
    documents = read_documents(str(documents_file), documents_file.read_bytes())
    topics = read_topics(str(topics_file), topics_file.read_bytes())
    said = [*documents.said, *topics.said]
    qrels = None
    if with_qrels:
        qrels_file = _only(folder, QRELS)
        read = read_qrels(str(qrels_file), qrels_file.read_bytes())
        qrels = read.qrels
        said += read.said
    collection = TextCollection(
        name=folder.resolve().name, documents=documents.documents, topics=topics.topics, qrels=qrels
    )
    if qrels is not None:
        said += _joined(collection, qrels, str(qrels_file))
    return ReadTextCollection(collection=collection, said=tuple(said))


def _only(folder: Path, names: tuple[str, ...]) -> Path:
    there = [name for name in names if (folder / name).is_file()]
    if len(there) == 1:
        return folder / there[0]
    wanted = f"{', '.join(names[:-1])} or {names[-1]}"
    found = " and ".join(there) or "none of them"
    raise ParseError(str(folder), None, f"expected one file called {wanted}, found {found}")


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
