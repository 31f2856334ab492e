"""New topics that show a difference again, against the leaderboard's and by hand."""

from typing import Any

import numpy as np
import pytest

from tests.variance.test_group_components import grouped
from topicset_core.analyses.rank_resolution.report import QUESTION
from topicset_core.analyses.sizing.replication import comes_again
from topicset_core.analyses.two_systems import Request, again, compare_two
from topicset_core.analyses.two_systems.report import report
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.findings import texts
from topicset_core.samples.simulated import simulated_task

AP = simulated_task()[0]


def _rounded(matrix: ScoreMatrix) -> ScoreMatrix:
    """The same scores as 0 and 1."""
    return ScoreMatrix(
        scores=(matrix.scores > 0.3).astype(float),
        topics=matrix.topics,
        systems=matrix.systems,
        measure="P@1",
        name="of 0 and 1",
    )


@pytest.mark.parametrize("places", [(0, 1), (0, 19), (7, 3), (2, 3)])
@pytest.mark.parametrize("kind", ["AP", "0 and 1", "groups", "lower is better", "group means"])
def test_the_leaderboard_has_the_same_topics(kind: str, places: tuple[int, int]) -> None:
    matrix = AP
    asked: dict[str, Any] = {}
    if kind == "0 and 1":
        matrix = _rounded(AP)
    if kind in ("groups", "group means"):
        matrix = grouped(AP.scores, (4, 6, 8, 2, 5, 5, 3, 7, 6, 4))
        asked = {"mean": "groups" if kind == "group means" else "topics"}
    if kind == "lower is better":
        asked = {"lower_is_better": True}
    pair = matrix.systems[places[0]], matrix.systems[places[1]]
    two = QUESTION.answer(matrix, QUESTION.request(pair=pair, n_trials=1000, **asked)).two
    assert two is not None
    answer = compare_two(matrix, Request(pair=pair, **asked))
    assert answer.topics_again == two.topics_again
    assert answer.shrinkage == pytest.approx(two.shrinkage, rel=1e-9)
    if two.topics_again is not None:
        (told,) = (
            text
            for text in texts(report(answer).findings, "page")
            if "difference would be significant" in text
        )
        assert told in two.comparison


def test_topics_are_the_fewest_with_the_power_and_the_share_is_that_of_two_components() -> None:
    scores = AP.scores
    n, m = scores.shape
    answer = compare_two(AP, Request(pair=(AP.systems[0], AP.systems[19])))
    # Two-way mean squares by hand: s = (MS of systems - MS of the residual) / n.
    residual = scores - scores.mean(axis=0) - scores.mean(axis=1)[:, None] + scores.mean()
    within = np.square(residual).sum() / ((n - 1) * (m - 1))
    of_systems = (scores.mean(axis=0).var(ddof=1) * n - within) / n
    d = scores[:, 19] - scores[:, 0]
    share = 2 * of_systems / (2 * of_systems + d.var(ddof=1) / n)
    assert answer.shrinkage == pytest.approx(share, rel=1e-9)
    least, t = answer.topics_again, d.mean() / (d.std(ddof=1) / np.sqrt(n))
    assert least is not None
    assert comes_again(t, n, least, share) >= 0.8 > comes_again(t, n, least - 1, share)


def test_equal_systems_have_no_such_topics() -> None:
    equal = ScoreMatrix(
        scores=np.tile([[0.1], [0.5], [0.3]], 2),
        topics=("1", "2", "3"),
        systems=("a", "b"),
        measure="AP",
        name="e",
    )
    answer = compare_two(equal)
    assert (answer.topics_again, answer.shrinkage) == (None, 0)
    assert "significant with" not in " ".join(texts(report(answer).findings, "terminal"))
    assert again.new_topics(0.1, 0.0, 5, 1.0, alpha=0.05, beta=0.2) is None


def test_first_screen_has_the_topics_to_show_a_difference_again() -> None:
    matrix = simulated_task()[0]
    answer = compare_two(matrix, Request(pair=("sim01", "sim02")))
    shown = {finding.label: finding.value for finding in report(answer).findings}
    assert shown["new topics to show it again"] == f"{answer.topics_again}"
    # Of systems whose order is not shown there is nothing to show again.
    unclear = compare_two(matrix, Request(pair=("sim01", "sim08")))
    assert unclear.verdict == "inconclusive"
    assert "new topics to show it again" not in {finding.label for finding in report(unclear).findings}


def test_a_pair_of_many_systems_is_told_to_be_one_of_many() -> None:
    matrix = simulated_task()[0]
    pair = Request(pair=("sim01", "sim02"))
    (caution,) = [one for one in report(compare_two(matrix, pair)).findings if "1 of 190 pairs" in one.text]
    assert "paper" not in caution.on
    alone = matrix.select(systems=("sim01", "sim02"))
    assert not [
        one for one in report(compare_two(alone, pair)).findings if "chosen by their scores" in one.text
    ]
