"""Small collections to search, public ones, and the documents of a run for a topic."""

from collections.abc import Mapping
from functools import cache

from tests.reference_data import reference_file
from topicset_core.collection import Run
from topicset_core.collection.text_collection import Document, TextCollection, Topic
from topicset_core.parsing.text_collection import read_text_collection
from topicset_core.retrieval import Search, build_index, build_queries


def search_of(documents: Mapping[str, str], topics: Mapping[str, str]) -> Search:
    """Search texts by id for topics by id."""
    index = build_index(Document(id=name, title="", text=text) for name, text in documents.items())
    return Search(index, build_queries([Topic(id=name, title=text) for name, text in topics.items()], index))


@cache
def public_collection(name: str) -> tuple[TextCollection, Search]:
    """Cranfield or NPL, read and indexed once per process."""
    collection = read_text_collection(reference_file("collections", name, "qrels.txt").parent).collection
    index = build_index(collection.documents)
    return collection, Search(index, build_queries(collection.topics, index))


def returned(run: Run, topic: str) -> list[tuple[str, float]]:
    """Documents and scores of a topic, best first."""
    assert run.scores is not None
    at = run.topics.index(topic)
    part = slice(run.starts[at], run.starts[at + 1])
    ids = [document.decode() for document in run.documents[part].tolist()]
    return list(zip(ids, run.scores[part].tolist(), strict=True))
