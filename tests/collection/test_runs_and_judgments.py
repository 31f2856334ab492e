"""Run, Qrels and Intents against their contracts: kept values and refusals."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.refusals import refused
from tests.words import numbers_in
from topicset_core.collection import Qrels, Run
from topicset_core.collection.qrels import Intents
from topicset_core.errors import InputError

RUN = Run(
    tag="bm25",
    topics=("b", "a"),
    starts=np.array([0, 2, 3]),
    documents=np.array([b"x", b"yy", b"x"]),
    n_tied=2,
    scores=np.array([2.0, -1.0, 3.5]),
)
# Topic 1 has the intents a and b, topic 2 the intent c, topic 3 none. Document x serves a and b.
INTENTS = Intents(
    names=("a", "b", "c"),
    starts=np.array([0, 2, 3, 3]),
    judgments=np.array([0, 0, 3], dtype=np.int32),
    intents=np.array([0, 1, 2], dtype=np.int32),
    grades=np.array([2, 1, 3], dtype=np.int16),
)
QRELS = Qrels(
    name="q",
    topics=("1", "2", "3"),
    starts=np.array([0, 2, 4, 5]),
    documents=np.array([b"x", b"yy", b"x", b"z", b"x"]),
    grades=np.array([2, 0, -1, 3, 0], dtype=np.int16),
    intents=INTENTS,
)


@pytest.mark.parametrize("is_pickled", [False, True])
def test_keep_their_arguments(is_pickled: bool) -> None:
    both: tuple[Any, Any] = (RUN, QRELS)
    run, qrels = pickle.loads(pickle.dumps(both)) if is_pickled else both
    assert (run.tag, run.topics, run.n_topics, run.n_tied) == ("bm25", ("b", "a"), 2, 2)
    assert run.documents.tolist() == [b"x", b"yy", b"x"]
    assert (run.depths.tolist(), run.scores.tolist()) == ([2, 1], [2.0, -1.0, 3.5])
    assert (qrels.name, qrels.topics, qrels.n_topics) == ("q", ("1", "2", "3"), 3)
    assert (qrels.grades.tolist(), qrels.topic_of.tolist()) == ([2, 0, -1, 3, 0], [0, 0, 1, 1, 2])
    assert qrels.topic_of.dtype == np.int32
    assert [qrels.intents.of_topic(topic) for topic in range(3)] == [("a", "b"), ("c",), ()]
    assert qrels.intents.topic_of.tolist() == [0, 0, 1]
    assert qrels.relevant_by_id.tolist() == [0, 3]
    assert replace(qrels, intents=None).relevant_by_id.tolist() == []


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
    given = replace(INTENTS, probabilities=np.array([0.4, 0.6, 1.0]), source="likely.txt")
    nothing = np.zeros(0, dtype=np.int32)
    none = Intents(
        names=(),
        starts=np.array([0, 0]),
        judgments=nothing,
        intents=nothing,
        grades=np.zeros(0, dtype=np.int16),
    )
    for one in (INTENTS, given):
        assert numbers_in(one.notes) == [1, 2, 3]  # intents: 1 to 2 per topic, 3 in all
    assert [one.notes for one in (INTENTS, given, none)] == golden


REFUSED = [
    pytest.param(RUN, {"tag": " \u00a0"}, "tag", id="blank-tag"),
    pytest.param(
        RUN, {"topics": (), "starts": np.array([0]), "documents": np.array([], "S1")}, "topics", id="no-topic"
    ),
    pytest.param(RUN, {"topics": ("a", "a")}, "topics", id="topic-twice"),
    pytest.param(RUN, {"topics": ("a",)}, "starts", id="too-few-topics"),
    pytest.param(RUN, {"starts": np.array([1, 2, 3])}, "starts", id="starts-from-1"),
    pytest.param(RUN, {"starts": np.array([0, 3, 3])}, "starts", id="empty-topic"),
    pytest.param(RUN, {"starts": np.array([0, 3, 2])}, "starts", id="falling-starts"),
    pytest.param(RUN, {"starts": np.array([0, 2, 4])}, "documents", id="too-few-documents"),
    pytest.param(RUN, {"documents": np.array(["x", "y", "z"])}, "documents", id="no-bytes"),
    pytest.param(RUN, {"documents": np.array([[b"x", b"y", b"z"]])}, "documents", id="table-of-documents"),
    pytest.param(RUN, {"scores": np.array([1.0, 2.0])}, "scores", id="too-few-scores"),
    pytest.param(RUN, {"scores": np.array([3, 2, 1])}, "scores", id="whole-scores"),
    pytest.param(RUN, {"scores": np.array([3.0, np.nan, 1.0])}, "scores", id="nan-score"),
    pytest.param(QRELS, {"name": ""}, "name", id="no-name"),
    pytest.param(QRELS, {"topics": ("b", "a", "a")}, "topics", id="topic-twice-in-qrels"),  # as in a run
    pytest.param(QRELS, {"grades": np.array([0, 1], dtype=np.int16)}, "grades", id="too-few-grades"),
    pytest.param(QRELS, {"grades": np.zeros(5)}, "grades", id="float-grades"),
    pytest.param(QRELS, {"grades": np.zeros(5, dtype=np.uint8)}, "grades", id="unsigned-grades"),
]


def refusal(one: Run | Qrels | Intents, changes: dict[str, Any]) -> InputError:
    return refused(replace, one, **changes)


@pytest.mark.parametrize(("one", "changes", "parameter"), REFUSED)
def test_refused_runs_and_judgments(
    one: Run | Qrels, changes: dict[str, Any], parameter: str, golden: SnapshotAssertion
) -> None:
    error = refusal(one, changes)
    assert error.parameter == parameter
    assert str(error) == golden


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
    assert refusal(INTENTS, changed).parameter == parameter


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
    refused = refusal(QRELS, {"intents": replace(INTENTS, **changed)})
    assert refused.parameter == "intents"
    assert str(refused) == golden
