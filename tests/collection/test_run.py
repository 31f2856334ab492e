"""Run against its contract: kept values and refusals."""

import pickle

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

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


def test_keeps_its_arguments() -> None:
    new = run(n_tied=2)
    assert (new.tag, new.topics, new.n_topics, new.n_tied) == ("bm25", ("b", "a"), 2, 2)
    assert new.documents.tolist() == [b"x", b"yy", b"x"]
    assert new.depths.tolist() == [2, 1]
    assert run().n_tied == 0
    assert run().scores is None
    scores = np.array([2.0, -1.0, 3.5])
    assert run(scores=scores).scores is scores


def test_pickle_round_trip() -> None:
    again = pickle.loads(pickle.dumps(run()))
    assert (again.tag, again.topics, again.documents.tolist()) == ("bm25", ("b", "a"), [b"x", b"yy", b"x"])


@pytest.mark.parametrize(
    ("changes", "parameter"),
    [
        pytest.param({"tag": " \u00a0"}, "tag", id="blank-tag"),
        pytest.param(
            {"topics": (), "starts": np.array([0]), "documents": np.array([], "S1")}, "topics", id="no-topic"
        ),
        pytest.param({"topics": ("a", "a")}, "topics", id="topic-twice"),
        pytest.param({"topics": ("a",)}, "starts", id="too-few-topics"),
        pytest.param({"starts": np.array([1, 2, 3])}, "starts", id="starts-from-1"),
        pytest.param({"starts": np.array([0, 3, 3])}, "starts", id="empty-topic"),
        pytest.param({"starts": np.array([0, 3, 2])}, "starts", id="falling-starts"),
        pytest.param({"starts": np.array([0, 2, 4])}, "documents", id="too-few-documents"),
        pytest.param({"documents": np.array(["x", "y", "z"])}, "documents", id="no-bytes"),
        pytest.param({"documents": np.array([[b"x", b"y", b"z"]])}, "documents", id="table-of-documents"),
        pytest.param({"scores": np.array([1.0, 2.0])}, "scores", id="too-few-scores"),
        pytest.param({"scores": np.array([3, 2, 1])}, "scores", id="whole-scores"),
        pytest.param({"scores": np.array([3.0, np.nan, 1.0])}, "scores", id="nan-score"),
    ],
)
def test_refuses(changes: dict[str, object], parameter: str, golden: SnapshotAssertion) -> None:
    with pytest.raises(InputError) as caught:
        run(**changes)
    assert caught.value.parameter == parameter
    assert str(caught.value) == golden
