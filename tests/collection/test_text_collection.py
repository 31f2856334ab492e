"""Documents, topics and collections of texts: refusals."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.refusals import refused
from topicset_core.collection.text_collection import Document, TextCollection, Topic

DOCUMENT = Document(id="a", title="", text="ox")
TOPIC = Topic(id="1", title="ox")


@pytest.mark.parametrize(
    "identity", ["", " ", "a b", "a\n", "\u00a0a"], ids=["empty", "blank", "space", "line-end", "wide-space"]
)
def test_ids_that_are_invalid_in_a_run_are_refused(identity: str, golden: SnapshotAssertion) -> None:
    error = refused(Document, id=identity, title="", text="")
    assert error.value == identity
    assert str(error) == golden
    refusal = refused(Topic, id=identity, title="")
    assert refusal.value == identity
    assert str(refusal) == golden


@pytest.mark.parametrize(
    ("documents", "topics", "parameter", "value"),
    [
        pytest.param((), (TOPIC,), "documents", 0, id="no-document"),
        pytest.param((DOCUMENT,), (), "topics", 0, id="no-topic"),
        pytest.param((DOCUMENT, DOCUMENT), (TOPIC,), "documents", 2, id="document-twice"),
        pytest.param((DOCUMENT,), (TOPIC, TOPIC), "topics", 2, id="topic-twice"),
    ],
)
def test_empty_collections_and_repeated_ids_are_refused(
    documents: tuple[Document, ...],
    topics: tuple[Topic, ...],
    parameter: str,
    value: int,
    golden: SnapshotAssertion,
) -> None:
    error = refused(TextCollection, name="zoo", documents=documents, topics=topics)
    assert (error.parameter, error.value) == (parameter, value)
    assert str(error) == golden


@pytest.mark.parametrize(
    ("title", "text", "indexed"),
    [("Ox", "Ox eats", "Ox eats"), ("Ox", "ox eats", "Ox\nox eats"), ("", "ox", "\nox"), ("Ox", "", "Ox\n")],
)
def test_a_title_is_omitted_only_if_the_text_begins_with_it(title: str, text: str, indexed: str) -> None:
    document = Document(id="a", title=title, text=text)
    assert document.indexed == indexed
    assert document.repeats_title == (indexed == text)
