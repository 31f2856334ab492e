"""Documents of a small collection: JSON Lines with ``id``, ``title`` and ``text``."""

from dataclasses import dataclass

from topicset_core.collection.document import Document
from topicset_core.errors import ParseError
from topicset_core.parsing.collections.json_lines import opened, records
from topicset_core.wording import counted, shown


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadDocuments:
    """Documents in the order of the file, and sentences on what was found in it."""

    documents: tuple[Document, ...]
    said: tuple[str, ...]


def read_documents(file: str, content: bytes) -> ReadDocuments:
    """Read documents, one JSON object a line; other fields are passed over.

    Parameters
    ----------
    file : str
        The file as the user named it.
    content : bytes
        Text, or gzip.

    Raises
    ------
    ParseError
        If a line is no document, an id is there twice, or nothing is there. A ``title`` may be
        absent, a ``text`` may be empty.
    """
    documents: dict[str, Document] = {}
    line_of: dict[str, int] = {}
    for record in records(file, opened(file, content)):
        name = record.name()
        if name in documents:
            raise ParseError(
                file,
                record.line,
                f"expected each document once, found {shown(name)} again, which line {line_of[name]:,} has already",
            )
        line_of[name] = record.line
        documents[name] = Document(id=name, title=record.text("title", ""), text=record.text("text"))
    if not documents:
        raise ParseError(file, None, "expected documents as JSON objects, one a line, found an empty file")
    found = tuple(documents.values())
    return ReadDocuments(documents=found, said=tuple(_said(found)))


def _said(documents: tuple[Document, ...]) -> list[str]:
    said = [f"Documents: {len(documents):,}, of which title and text are indexed."]
    n_repeating = sum(document.repeats_title for document in documents)
    if n_repeating:
        texts = "text begins with its" if n_repeating == 1 else "texts begin with their"
        said.append(f"{n_repeating:,} {texts} title, which is not counted twice.")
    n_empty = sum(not document.indexed.strip() for document in documents)
    if n_empty:
        said.append(f"{counted(n_empty, 'document')} without title and text can never be found.")
    return said
