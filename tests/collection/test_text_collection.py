"""Documents, topics and collections of texts: refusals."""

import pytest
from syrupy.assertion import SnapshotAssertion

from topicset_core.collection.text_collection import Document, TextCollection, Topic
from topicset_core.errors import InputError

DOCUMENT = Document(id="a", title="", text="ox")
TOPIC = Topic(id="1", title="ox")


@pytest.mark.parametrize(
    "identity", ["", " ", "a b", "a\n", "\u00a0a"], ids=["empty", "blank", "space", "line-end", "wide-space"]
)
def test_ids_that_are_invalid_in_a_run_are_refused(identity: str, golden: SnapshotAssertion) -> None:
    with pytest.raises(InputError) as of_document:
        Document(id=identity, title="", text="")
    assert of_document.value.value == identity
    assert str(of_document.value) == golden
    with pytest.raises(InputError) as of_topic:
        Topic(id=identity, title="")
    assert of_topic.value.value == identity
    assert str(of_topic.value) == golden


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
    with pytest.raises(InputError) as caught:
        TextCollection(name="zoo", documents=documents, topics=topics)
    assert (caught.value.parameter, caught.value.value) == (parameter, value)
    assert str(caught.value) == golden


@pytest.mark.parametrize(
    ("title", "text", "indexed"),
    [("Ox", "Ox eats", "Ox eats"), ("Ox", "ox eats", "Ox\nox eats"), ("", "ox", "\nox"), ("Ox", "", "Ox\n")],
)
def test_a_title_is_omitted_only_if_the_text_begins_with_it(title: str, text: str, indexed: str) -> None:
    document = Document(id="a", title=title, text=text)
    assert document.indexed == indexed
    assert document.repeats_title == (indexed == text)
