"""Intents of topics and grades by intent: valid arrays, and refusals."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.words import numbers_in
from topicset_core.collection import Qrels
from topicset_core.collection.intents import Intents
from topicset_core.errors import InputError

# Topic 1 has the intents a and b, topic 2 the intent c, topic 3 none. Document x serves a and b.
INTENTS = Intents(
    names=("a", "b", "c"),
    starts=np.array([0, 2, 3, 3]),
    judgments=np.array([0, 0, 3], dtype=np.int32),
    intents=np.array([0, 1, 2], dtype=np.int32),
    grades=np.array([2, 1, 3], dtype=np.int16),
)


def qrels(intents: Intents | None = INTENTS) -> Qrels:
    return Qrels(
        name="q",
        topics=("1", "2", "3"),
        starts=np.array([0, 2, 4, 5]),
        documents=np.array([b"x", b"y", b"x", b"z", b"x"]),
        grades=np.array([2, 0, -1, 3, 0], dtype=np.int16),
        intents=intents,
    )


def test_intents_of_each_topic() -> None:
    assert [INTENTS.of_topic(topic) for topic in range(3)] == [("a", "b"), ("c",), ()]
    assert INTENTS.topic_of.tolist() == [0, 0, 1]
    assert qrels().relevant_by_id.tolist() == [0, 3]
    assert qrels(None).relevant_by_id.tolist() == []


def test_relevant_documents_are_sorted_by_topic_then_descending_id() -> None:
    """In the order of bytes, as strcmp has it: z, a, Z, 10 and not by the length."""
    documents = np.array([b"Z", b"10", b"z", b"none", b"a", b"b"])
    result = Qrels(
        name="q",
        topics=("1", "2"),
        starts=np.array([0, 5, 6]),
        documents=documents,
        grades=np.array([1, 1, 1, 0, 1, 1], dtype=np.int16),
        intents=Intents(
            names=("a", "b"),
            starts=np.array([0, 1, 2]),
            judgments=np.array([0, 1, 2, 4, 5], dtype=np.int32),
            intents=np.array([0, 0, 0, 0, 1], dtype=np.int32),
            grades=np.ones(5, dtype=np.int16),
        ),
    )
    assert documents[result.relevant_by_id].tolist() == [b"z", b"a", b"Z", b"10", b"b"]


def test_notes_on_intents(golden: SnapshotAssertion) -> None:
    assert numbers_in(INTENTS.notes) == [1, 2, 3]  # intents: 1 to 2 per topic, 3 in all
    assert INTENTS.notes == golden
    given = replace(INTENTS, probabilities=np.array([0.4, 0.6, 1.0]), source="likely.txt")
    assert numbers_in(given.notes) == [1, 2, 3]
    assert given.source in given.notes
    assert given.notes == golden
    nothing = np.zeros(0, dtype=np.int32)
    none = Intents(
        names=(),
        starts=np.array([0, 0]),
        judgments=nothing,
        intents=nothing,
        grades=np.zeros(0, dtype=np.int16),
    )
    assert none.notes == golden


@pytest.mark.parametrize(
    ("parameter", "changed"),
    [
        ("starts", {"starts": np.array([0, 2, 3])[::-1].copy()}),
        ("starts", {"starts": np.array([0, 2, 2, 2])}),
        ("judgments", {"judgments": np.array([0, 0], dtype=np.int32)}),
        ("judgments", {"judgments": np.array([0, 3, 0], dtype=np.int32)}),
        ("judgments", {"intents": np.array([1, 0, 2], dtype=np.int32)}),
        ("grades", {"grades": np.array([2, 0, 3], dtype=np.int16)}),
        ("intents", {"intents": np.array([0, 1, 1], dtype=np.int32)}),
        ("probabilities", {"probabilities": np.array([0.5, 0.5])}),
        ("probabilities", {"probabilities": np.array([0.5, 0.5, 1.5])}),
        ("probabilities", {"probabilities": np.array([0.5, np.nan, 1.0])}),
    ],
)
def test_arrays_of_wrong_shape_are_refused(parameter: str, changed: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        replace(INTENTS, **changed)
    assert caught.value.parameter == parameter


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"starts": np.array([0, 2, 3])}, id="a-topic-less"),
        pytest.param({"judgments": np.array([0, 0, 5], dtype=np.int32)}, id="a-judgment-beyond"),
        pytest.param({"judgments": np.array([0, 0, 1], dtype=np.int32)}, id="another-topic"),
        pytest.param({"grades": np.array([1, 1, 3], dtype=np.int16)}, id="lower-grades"),
        pytest.param({"judgments": np.array([0, 0, 2], dtype=np.int32)}, id="grade-below-0"),
    ],
)
def test_intents_of_other_judgments_are_refused(changed: dict[str, Any], golden: SnapshotAssertion) -> None:
    with pytest.raises(InputError) as caught:
        qrels(replace(INTENTS, **changed))
    assert caught.value.parameter == "intents"
    assert str(caught.value) == golden
