"""Runs as files: a written run is read back unchanged."""

from typing import Any

import numpy as np
import pytest

from tests.parsing.trec_examples import documents_of
from topicset_core.collection import Run
from topicset_core.collection.run import trec_run
from topicset_core.errors import InputError
from topicset_core.parsing import read_run


def run_of(scores: list[float] | None, tag: str = "t", topic: str = "2") -> Run:
    return Run(
        tag=tag,
        topics=(topic, "1"),
        starts=np.array([0, 3, 4]),
        documents=np.array([b"\xc3\xa4", b"b", b"a", b"b"]),
        scores=None if scores is None else np.array(scores, dtype=np.float64),
    )


def test_lines_have_ranks_from_1_in_each_topic() -> None:
    assert trec_run(run_of([2.5, 1, -0.1, 1e-10])).decode() == (
        "2 Q0 ä 1 2.5 t\n2 Q0 b 2 1.0 t\n2 Q0 a 3 -0.1 t\n1 Q0 b 1 1e-10 t\n"
    )


@pytest.mark.parametrize(
    "scores",
    [
        [3.0, 2.0, 1.0, 0.0],
        [1 + 2**-23, 1.0, 1 - 2**-24, 1.0],  # neighbours in single precision
        [1 + 2**-30, 1.0, 1 - 2**-30, 1.0],  # equal in single precision: ids decide
        [3e38, 1e-30, -3e38, 1e-45],
    ],
)
def test_the_order_is_kept_when_read_back(scores: list[float]) -> None:
    run = run_of(scores)
    read = read_run("run", trec_run(run), keep_scores=True).run
    assert documents_of(read) == documents_of(run)
    assert read.scores is not None
    assert read.scores.astype(np.float32).tolist() == np.array(scores, np.float32).tolist()


@pytest.mark.parametrize(("parameter", "value"), [("scores", None), ("tag", "a b"), ("topic", "1 2")])
def test_runs_that_no_file_can_represent_are_refused(parameter: str, value: Any) -> None:
    with pytest.raises(InputError) as caught:
        trec_run(run_of(**{"scores": [3, 2, 1, 0], parameter: value}))
    assert (caught.value.parameter, caught.value.value) == (parameter, value)
