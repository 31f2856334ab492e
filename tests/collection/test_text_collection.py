"""Documents, topics and collections of texts: what they refuse."""

import pytest

from topicset_core.collection.document import Document
from topicset_core.collection.text_collection import TextCollection
from topicset_core.collection.topic import Topic
from topicset_core.errors import InputError

DOCUMENT = Document(id="a", title="", text="ox")
TOPIC = Topic(id="1", title="ox")


@pytest.mark.parametrize("identity", ["", " ", "a b", "a\n", "\u00a0a"])
def test_ids_that_no_line_of_a_run_could_hold_are_refused(identity: str) -> None:
    with pytest.raises(InputError, match="must be a name without white space"):
        Document(id=identity, title="", text="")
    with pytest.raises(InputError, match="must be a name without white space"):
        Topic(id=identity, title="")


@pytest.mark.parametrize(
    ("documents", "topics", "said"),
    [
        ((), (TOPIC,), "documents = 0: must be at least 1"),
        ((DOCUMENT,), (), "topics = 0: must be at least 1"),
        ((DOCUMENT, DOCUMENT), (TOPIC,), "documents = 2: must be at least 1, none of them repeated"),
        ((DOCUMENT,), (TOPIC, TOPIC), "topics = 2: must be at least 1, none of them repeated"),
    ],
)
def test_collections_with_nothing_or_something_twice_are_refused(
    documents: tuple[Document, ...], topics: tuple[Topic, ...], said: str
) -> None:
    with pytest.raises(InputError) as caught:
        TextCollection(name="zoo", documents=documents, topics=topics)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("title", "text", "indexed"),
    [("Ox", "Ox eats", "Ox eats"), ("Ox", "ox eats", "Ox\nox eats"), ("", "ox", "\nox"), ("Ox", "", "Ox\n")],
)
def test_a_title_is_left_out_only_where_the_text_begins_with_it(title: str, text: str, indexed: str) -> None:
    document = Document(id="a", title=title, text=text)
    assert document.indexed == indexed
    assert document.repeats_title == (indexed == text)
