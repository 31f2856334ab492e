"""A small test collection with its texts: documents, topics, judgments."""

from dataclasses import dataclass
from typing import Literal

from topicset_core.collection.qrels import Qrels
from topicset_core.errors import InputError


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """A document: its id, and its text."""

    id: str  # without white space, as runs and judgments name it
    title: str  # may be empty
    text: str  # may be empty

    def __post_init__(self) -> None:
        if self.id.split() != [self.id]:
            raise InputError("id", self.id, "must be a name without white space")

    @property
    def repeats_title(self) -> bool:
        """Whether the text begins with the title, so that indexing both would count it twice."""
        return bool(self.title) and self.text.startswith(self.title)

    @property
    def indexed(self) -> str:
        """Title and text; the text alone where it begins with the title."""
        return self.text if self.repeats_title else f"{self.title}\n{self.text}"


TopicFields = Literal["title", "full"]
"""Which fields make the query: the title alone, or title, description and narrative."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Topic:
    """A topic as TREC writes it."""

    id: str  # without white space, as runs and judgments name it
    title: str  # a few words
    # Empty if the collection has no judgments
    description: str = ""
    narrative: str = ""

    def __post_init__(self) -> None:
        if self.id.split() != [self.id]:
            raise InputError("id", self.id, "must be a name without white space")

    @property
    def has_fields(self) -> bool:
        """Whether there is more than a title."""
        return bool(self.description or self.narrative)

    def query(self, fields: TopicFields = "title") -> str:
        """Return the words to search with."""
        if fields == "title":
            return self.title
        return "\n".join((self.title, self.description, self.narrative))


@dataclass(frozen=True, kw_only=True, eq=False)
class TextCollection:
    """Documents, topics and judgments of one collection.

    Parameters
    ----------
    name : str
        Name of the collection, for example its folder.
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
                raise InputError(what, len(ids), "must be at least 1, without repeats")
