"""What the held-out experiments refuse, and that two matrices are matched by id and never silently."""

import numpy as np
import pytest

from tests.analyses.topic_subsets.plain import matrix_of, random_matrix
from topicset_core.analyses.topic_subsets.held_out.error_rates import held_out_error_rates
from topicset_core.analyses.topic_subsets.held_out.experiment import held_out_curve
from topicset_core.analyses.topic_subsets.held_out.matching import matched
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError

RUNS = {"hold_out": "runs", "goodness": "pearson", "n_splits": 3}
TOPICS = {"hold_out": "topics", "goodness": "pearson", "n_splits": 3}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (RUNS | {"hold_out": "teams"}, "hold_out = 'teams': must be one of runs, topics"),
        (RUNS | {"goodness": "rho"}, "goodness = 'rho'"),
        (RUNS | {"choose_by": "rho"}, "goodness = 'rho'"),
        (RUNS | {"n_splits": 1}, "n_splits = 1"),
        (RUNS | {"n_starts": -1}, "n_starts = -1"),
        (RUNS | {"n_trials": 1}, "n_trials = 1"),
        (RUNS | {"seed": -1}, "seed = -1"),
        (RUNS | {"cardinalities": ()}, "at least one number of topics"),
        (RUNS | {"cardinalities": (0,)}, "cardinality = 0"),
        (TOPICS | {"teams": ("a",)}, "teams = 1: must not be given where topics are held out"),
    ],
)
def test_requests(asked: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        HeldOutRequest(**asked)


@pytest.mark.parametrize(
    ("shape", "asked", "said"),
    [
        ((8, 5), RUNS, "systems = 5: must be at least 6 runs"),
        ((8, 1), TOPICS, "systems = 1: must be at least 2 runs"),
        ((3, 8), TOPICS, "topics = 3: must be at least 4 topics"),
        ((8, 8), RUNS | {"cardinalities": (9,)}, "cardinality = 9: must be a whole number from 1 to 8"),
        ((9, 8), TOPICS | {"cardinalities": (5,)}, "cardinality = 5: must be a whole number from 1 to 4"),
        ((8, 8), RUNS | {"teams": tuple("aabbccd")}, "teams = 7: must be one a run, 8"),
        ((8, 8), RUNS | {"teams": tuple("aabbcccc")}, "teams = 3: must be at least 4 teams"),
    ],
)
def test_matrices_that_are_too_small(shape: tuple[int, int], asked: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        held_out_curve(random_matrix(*shape, seed=1), HeldOutRequest(**asked))


def test_a_half_whose_runs_are_all_the_same_is_refused_and_its_split_named() -> None:
    scores = np.tile(random_matrix(6, 1, seed=2).scores, 8)
    scores[:, 0] += 0.1
    scores[:, 1] += 0.2  # whichever half has neither ranks nothing
    asked = HeldOutRequest(hold_out="runs", goodness="kendall", n_splits=20)
    with pytest.raises(
        InputError, match=r"different means over all topics, in each half; not so in split \d+"
    ):
        held_out_curve(matrix_of(scores), asked)
    flat = random_matrix(8, 6, seed=3).scores.copy()
    flat[:6] = 0.5
    asked = HeldOutRequest(hold_out="topics", goodness="pearson", n_splits=20)
    with pytest.raises(InputError, match=r"in each half; not so in split \d+"):
        held_out_curve(matrix_of(flat), asked)


def test_error_rates_are_for_held_out_topics() -> None:
    matrix = random_matrix(8, 8, seed=1)
    with pytest.raises(InputError, match="must be topics"):
        held_out_error_rates(matrix, HeldOutRequest(hold_out="runs", goodness="error-rate"))
    with pytest.raises(InputError, match="must be error-rate"):
        held_out_error_rates(matrix, HeldOutRequest(hold_out="topics", goodness="pearson"))


def renamed(matrix: ScoreMatrix, **changes: object) -> ScoreMatrix:
    given = {"scores": matrix.scores, "topics": matrix.topics, "systems": matrix.systems, "measure": "P@10"}
    return ScoreMatrix(**(given | {"name": "another"} | changes))  # type: ignore[arg-type]


def test_another_metric_in_another_order_is_matched_by_id_and_that_is_said() -> None:
    matrix = random_matrix(7, 8, seed=10)
    other = renamed(random_matrix(7, 8, seed=11))
    turned = renamed(
        other,
        scores=other.scores[::-1][:, ::-1],
        topics=other.topics[::-1],
        systems=other.systems[::-1],
    )
    straight, said = matched(matrix, other)
    assert said == "8 runs and 7 topics matched by id, in the same order"
    back, said = matched(matrix, turned)
    assert back == straight == other
    assert said == "8 runs and 7 topics matched by id; runs and topics of P@10 put in the order of AP"
    request = HeldOutRequest(hold_out="runs", goodness="pearson", n_splits=3, n_trials=5)
    curves = [held_out_curve(matrix, request, judged=one) for one in (other, turned)]
    assert curves[0].points == curves[1].points
    assert curves[1].matched == said
    assert (curves[1].judged_scores, curves[1].chosen_scores) == ("P@10 of another", "AP of made for a test")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"systems": tuple("abcdefgh")},
            "without 's0', 's1', 's2' and 5 more and with 'a', 'b', 'c' and 5 more",
        ),
        ({"topics": ("t0", "t1", "t2", "t3", "t4", "t5", "x")}, "same topics .* without 't6' and with 'x'"),
        (
            {"systems": tuple(f"s{n}" for n in range(7)), "scores": np.eye(7)},
            "systems = 'P@10 of another': must have the same runs as the other scores, but comes without 's7'",
        ),
    ],
)
def test_runs_or_topics_that_one_metric_lacks_are_refused(changes: dict, said: str) -> None:
    matrix = random_matrix(7, 8, seed=10)
    with pytest.raises(InputError, match=said):
        matched(matrix, renamed(matrix, **changes))
