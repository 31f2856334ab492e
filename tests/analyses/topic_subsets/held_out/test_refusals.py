"""Refusals of the held-out experiments, and that two matrices are matched by id and never silently."""

import re

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_subsets.plain import matrix_of, random_matrix
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets.held_out.curve import held_out_curve
from topicset_core.analyses.topic_subsets.held_out.splits import matched
from topicset_core.analyses.topic_subsets.request import HeldOutRequest
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError

RUNS = {"hold_out": "runs", "goodness": "pearson", "n_splits": 3}
TOPICS = {"hold_out": "topics", "goodness": "pearson", "n_splits": 3}


@pytest.mark.parametrize(
    ("settings", "parameter", "value"),
    [
        pytest.param(RUNS | {"hold_out": "teams"}, "hold_out", "teams", id="hold_out"),
        pytest.param(RUNS | {"goodness": "rho"}, "goodness", "rho", id="goodness"),
        pytest.param(RUNS | {"choose_by": "rho"}, "choose_by", "rho", id="choose_by"),
        pytest.param(RUNS | {"n_splits": 1}, "n_splits", 1, id="splits"),
        pytest.param(RUNS | {"n_starts": -1}, "n_starts", -1, id="starts"),
        pytest.param(RUNS | {"n_trials": 1}, "n_trials_of_a_split", 1, id="trials"),
        pytest.param(RUNS | {"seed": -1}, "seed", -1, id="seed"),
        pytest.param(RUNS | {"cardinalities": ()}, "cardinalities", (), id="no size"),
        pytest.param(RUNS | {"cardinalities": (0,)}, "cardinalities", 0, id="size 0"),
        pytest.param(TOPICS | {"units": (0,)}, "units", 1, id="units of topics"),
    ],
)
def test_requests(settings: dict, parameter: str, value: object, golden: SnapshotAssertion) -> None:
    with pytest.raises(InputError) as caught:
        HeldOutRequest(**settings)
    assert (caught.value.parameter, caught.value.value) == (parameter, value)
    assert str(caught.value) == golden


@pytest.mark.parametrize(
    ("shape", "settings", "parameter", "value", "bounds"),
    [
        pytest.param((8, 5), RUNS, "systems", 5, [6], id="runs"),
        pytest.param((8, 1), TOPICS, "systems", 1, [2], id="one run"),
        pytest.param((3, 8), TOPICS, "topics", 3, [4], id="topics"),
        pytest.param((8, 8), RUNS | {"cardinalities": (9,)}, "cardinalities", 9, [1, 8], id="size"),
        pytest.param(
            (9, 8), TOPICS | {"cardinalities": (5,)}, "cardinalities", 5, [1, 4], id="size of a half"
        ),
        pytest.param((8, 8), RUNS | {"units": tuple(range(7))}, "units", 7, [8], id="a unit per run"),
        pytest.param((8, 8), RUNS | {"units": (0, 0, 1, 1, 2, 3, 4, 4)}, "systems", 5, [6], id="units"),
    ],
)
def test_matrices_that_are_too_small(
    shape: tuple[int, int],
    settings: dict,
    parameter: str,
    value: int,
    bounds: list[float],
    golden: SnapshotAssertion,
) -> None:
    with pytest.raises(InputError) as caught:
        held_out_curve(random_matrix(*shape, seed=1), HeldOutRequest(**settings))
    assert (caught.value.parameter, caught.value.value) == (parameter, value)
    assert numbers_in(caught.value.rule)[: len(bounds)] == bounds
    assert str(caught.value) == golden


def test_a_half_whose_runs_are_all_the_same_is_refused_and_its_split_named(
    golden: SnapshotAssertion,
) -> None:
    scores = np.tile(random_matrix(6, 1, seed=2).scores, 8)
    scores[:, 0] += 0.1
    scores[:, 1] += 0.2  # whichever half has neither ranks nothing
    request = HeldOutRequest(hold_out="runs", goodness="kendall", n_splits=20, units=tuple(range(8)))
    with pytest.raises(InputError) as caught:
        held_out_curve(matrix_of(scores), request)
    assert caught.value.parameter == "scores"
    assert 1 <= numbers_in(caught.value.rule)[-1] <= 20  # the split
    assert str(caught.value) == golden
    flat = random_matrix(8, 6, seed=3).scores.copy()
    flat[:6] = 0.5
    request = HeldOutRequest(hold_out="topics", goodness="pearson", n_splits=20)
    with pytest.raises(InputError) as caught:
        held_out_curve(matrix_of(flat), request)
    assert str(caught.value) == golden


def renamed(matrix: ScoreMatrix, **changes: object) -> ScoreMatrix:
    given = {"scores": matrix.scores, "topics": matrix.topics, "systems": matrix.systems, "measure": "P@10"}
    return ScoreMatrix(**(given | {"name": "another"} | changes))  # type: ignore[arg-type]


def test_another_metric_in_another_order_is_matched_by_id_with_a_note(
    golden: SnapshotAssertion,
) -> None:
    matrix = random_matrix(7, 8, seed=10)
    other = renamed(random_matrix(7, 8, seed=11))
    is_reversed = renamed(
        other,
        scores=other.scores[::-1][:, ::-1],
        topics=other.topics[::-1],
        systems=other.systems[::-1],
    )
    straight, in_order = matched(matrix, other)
    back, text = matched(matrix, is_reversed)
    assert back == straight == other
    assert numbers_in(in_order) == numbers_in(text)[:2] == [8, 7]  # runs and topics
    assert [in_order, text] == golden
    request = HeldOutRequest(
        hold_out="runs", goodness="pearson", n_splits=3, n_trials=5, units=tuple(range(8))
    )
    curves = [held_out_curve(matrix, request, evaluating=one) for one in (other, is_reversed)]
    assert curves[0].points == curves[1].points
    assert curves[1].both.note == text
    record = curves[1].record()
    assert (record["evaluated_scores"], record["chosen_scores"]) == (
        "P@10 of another",
        f"AP of {matrix.name}",
    )


@pytest.mark.parametrize(
    ("changes", "parameter", "named"),
    [
        pytest.param({"systems": tuple("abcdefgh")}, "systems", "s0 s1 s2 a b c", id="other runs"),
        pytest.param({"topics": (*(f"t{n}" for n in range(6)), "x")}, "topics", "t6 x", id="another topic"),
        pytest.param(
            {"systems": tuple(f"s{n}" for n in range(7)), "scores": np.eye(7)},
            "systems",
            "s7",
            id="a run less",
        ),
    ],
)
def test_runs_or_topics_missing_in_one_metric_are_refused(
    changes: dict, parameter: str, named: str, golden: SnapshotAssertion
) -> None:
    matrix = random_matrix(7, 8, seed=10)
    with pytest.raises(InputError) as caught:
        matched(matrix, renamed(matrix, **changes))
    assert (caught.value.parameter, caught.value.value) == (parameter, "P@10 of another")
    assert re.findall(r"'(\w+)'", caught.value.rule) == named.split()
    assert str(caught.value) == golden
