"""Qrels against its contract: kept values and refusals. The layout it shares with Run is tested there."""

import pickle

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from topicset_core.collection import Qrels
from topicset_core.errors import InputError


def qrels(**changes: object) -> Qrels:
    parts = {
        "name": "robust",
        "topics": ("b", "a", "c"),
        "starts": np.array([0, 2, 3, 6]),
        "documents": np.array([b"x", b"yy", b"x", b"1", b"2", b"3"]),
        "grades": np.array([0, 2, -1, 1, 1, 0], dtype=np.int16),
    }
    return Qrels(**{**parts, **changes})  # type: ignore[arg-type]


def test_keeps_its_arguments() -> None:
    new = qrels()
    assert (new.name, new.topics, new.n_topics) == ("robust", ("b", "a", "c"), 3)
    assert new.grades.tolist() == [0, 2, -1, 1, 1, 0]
    assert new.topic_of.tolist() == [0, 0, 1, 2, 2, 2]
    assert new.topic_of.dtype == np.int32


def test_pickle_round_trip() -> None:
    new = qrels()
    again = pickle.loads(pickle.dumps(new))
    assert again.documents.tolist() == new.documents.tolist()
    assert again.topic_of.tolist() == new.topic_of.tolist()


@pytest.mark.parametrize(
    ("changes", "parameter"),
    [
        pytest.param({"name": ""}, "name", id="no-name"),
        pytest.param({"topics": ("b", "a", "a")}, "topics", id="topic-twice"),
        pytest.param({"starts": np.array([0, 2, 2, 6])}, "starts", id="empty-topic"),
        pytest.param({"documents": np.array([b"x"])}, "documents", id="too-few-documents"),
        pytest.param({"grades": np.array([0, 1], dtype=np.int16)}, "grades", id="too-few-grades"),
        pytest.param({"grades": np.zeros(6)}, "grades", id="float-grades"),
        pytest.param({"grades": np.zeros(6, dtype=np.uint8)}, "grades", id="unsigned-grades"),
    ],
)
def test_refuses(changes: dict[str, object], parameter: str, golden: SnapshotAssertion) -> None:
    with pytest.raises(InputError) as caught:
        qrels(**changes)
    assert caught.value.parameter == parameter
    assert str(caught.value) == golden
