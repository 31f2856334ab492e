"""A small test collection with its texts: documents, topics, judgments."""

from dataclasses import dataclass

from topicset_core.collection.document import Document
from topicset_core.collection.qrels import Qrels
from topicset_core.collection.topic import Topic
from topicset_core.errors import InputError


@dataclass(frozen=True, kw_only=True, eq=False)
class TextCollection:
    """Documents, topics and judgments of one collection.

    Parameters
    ----------
    name : str
        What the collection is called, for example its folder.
    documents : tuple of Document
        At least one, ids unique.
    topics : tuple of Topic
        At least one, ids unique.
    qrels : Qrels or None
        None where only runs are wanted.

    Raises
    ------
    InputError
        If there is no document or topic, or an id is there twice.
    """

    name: str
    documents: tuple[Document, ...]
    topics: tuple[Topic, ...]
    qrels: Qrels | None = None

    def __post_init__(self) -> None:
        for what, ids in (
            ("documents", [document.id for document in self.documents]),
            ("topics", [topic.id for topic in self.topics]),
        ):
            if not ids or len(set(ids)) != len(ids):
                raise InputError(what, len(ids), "must be at least 1, none of them repeated")
