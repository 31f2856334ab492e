"""Qrels against its contract: what it keeps and refuses. The layout it shares with Run is tested there."""

import pickle

import numpy as np
import pytest

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


def test_keeps_what_it_is_given() -> None:
    made = qrels()
    assert (made.name, made.topics, made.n_topics) == ("robust", ("b", "a", "c"), 3)
    assert made.grades.tolist() == [0, 2, -1, 1, 1, 0]
    assert made.topic_of.tolist() == [0, 0, 1, 2, 2, 2]
    assert made.topic_of.dtype == np.int32


def test_pickle_round_trip() -> None:
    made = qrels()
    again = pickle.loads(pickle.dumps(made))
    assert again.documents.tolist() == made.documents.tolist()
    assert again.topic_of.tolist() == made.topic_of.tolist()


@pytest.mark.parametrize(
    ("changes", "parameter", "text"),
    [
        ({"name": ""}, "name", "must be a name"),
        ({"topics": ("b", "a", "a")}, "topics", "none of them repeated"),
        ({"starts": np.array([0, 2, 2, 6])}, "starts", "must rise from 0"),
        ({"documents": np.array([b"x"])}, "documents", "as many as starts says"),
        ({"grades": np.array([0, 1], dtype=np.int16)}, "grades", "must be as many as documents"),
        ({"grades": np.zeros(6)}, "grades", "must be whole numbers with a sign"),
        ({"grades": np.zeros(6, dtype=np.uint8)}, "grades", "must be whole numbers with a sign"),
    ],
)
def test_refuses(changes: dict[str, object], parameter: str, text: str) -> None:
    with pytest.raises(InputError, match=text) as caught:
        qrels(**changes)
    assert caught.value.parameter == parameter
