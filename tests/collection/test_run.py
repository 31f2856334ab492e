"""Run against its contract: what it keeps and refuses."""

import pickle

import numpy as np
import pytest

from topicset_core.collection import Run
from topicset_core.errors import InputError


def run(**changes: object) -> Run:
    parts = {
        "tag": "bm25",
        "topics": ("b", "a"),
        "starts": np.array([0, 2, 3]),
        "documents": np.array([b"x", b"yy", b"x"]),
    }
    return Run(**{**parts, **changes})  # type: ignore[arg-type]


def test_keeps_what_it_is_given() -> None:
    made = run(n_tied=2)
    assert (made.tag, made.topics, made.n_topics, made.n_tied) == ("bm25", ("b", "a"), 2, 2)
    assert made.documents.tolist() == [b"x", b"yy", b"x"]
    assert made.depths.tolist() == [2, 1]
    assert run().n_tied == 0
    assert run().scores is None
    scores = np.array([2.0, -1.0, 3.5])
    assert run(scores=scores).scores is scores


def test_pickle_round_trip() -> None:
    again = pickle.loads(pickle.dumps(run()))
    assert (again.tag, again.topics, again.documents.tolist()) == ("bm25", ("b", "a"), [b"x", b"yy", b"x"])


@pytest.mark.parametrize(
    ("changes", "parameter", "text"),
    [
        ({"tag": " \u00a0"}, "tag", "must be a name"),
        (
            {"topics": (), "starts": np.array([0]), "documents": np.array([], "S1")},
            "topics",
            "at least 1 topic",
        ),
        ({"topics": ("a", "a")}, "topics", "none of them repeated"),
        ({"topics": ("a",)}, "starts", "one more than topics"),
        ({"starts": np.array([1, 2, 3])}, "starts", "must rise from 0"),
        ({"starts": np.array([0, 3, 3])}, "starts", "must rise from 0"),
        ({"starts": np.array([0, 3, 2])}, "starts", "must rise from 0"),
        ({"starts": np.array([0, 2, 4])}, "documents", "as many as starts says"),
        ({"documents": np.array(["x", "y", "z"])}, "documents", "must be bytes"),
        ({"documents": np.array([[b"x", b"y", b"z"]])}, "documents", "as many as starts says"),
        ({"scores": np.array([1.0, 2.0])}, "scores", "as many as documents"),
        ({"scores": np.array([3, 2, 1])}, "scores", "numbers of 64 bits"),
        ({"scores": np.array([3.0, np.nan, 1.0])}, "scores", "must all be finite"),
    ],
)
def test_refuses(changes: dict[str, object], parameter: str, text: str) -> None:
    with pytest.raises(InputError, match=text) as caught:
        run(**changes)
    assert caught.value.parameter == parameter
