"""The paragraph about subsets of topics: every number of it, how it was found, what to cite."""

from dataclasses import replace

import pytest

from tests.analyses.topic_subsets.plain import random_matrix
from topicset_core.analyses.topic_subsets.curve import Status, SubsetCurve
from topicset_core.analyses.topic_subsets.explore import subset_curve
from topicset_core.analyses.topic_subsets.goodness import Goodness
from topicset_core.analyses.topic_subsets.request import Method, Request
from topicset_core.analyses.topic_subsets.sentence import answer_sentence
from topicset_core.exports.topic_subsets_text import topic_subsets_text


def curve(goodness: Goodness, method: Method, n_topics: int) -> SubsetCurve:
    sizes = (1, 2, n_topics // 2, n_topics - 1, n_topics)
    request = Request(goodness=goodness, cardinalities=sizes, method=method, n_trials=50, seed=7)
    return subset_curve(random_matrix(n_topics, 6, seed=61), request)


def test_all_looked_at() -> None:
    found = curve("pearson", "exhaustive", 9)
    plain, latex = topic_subsets_text(found, 0.9, scores="AP", name="my task")
    assert answer_sentence(found, 0.9) in plain
    assert "Pearson's correlation of their run means with those over all topics" in plain
    assert "on the AP scores of 6 runs (my task)" in plain
    assert "All subsets were looked at. The subsets were chosen on the runs" in plain
    assert "10.1145/1629096.1629099" in plain
    assert "guiver2009few" in latex


def test_some_searched_for_and_sampled() -> None:
    plain, _ = topic_subsets_text(curve("kendall", "local", 40), 0.9, scores="AP", name="x")
    assert (
        "All subsets of 1 to 2 and 39 to 40 topics were looked at; those of other sizes were searched"
        in plain
    )
    assert "averages are over 50 random subsets (seed 7)" in plain
    assert "Biometrika" in plain


def test_proved_and_open_sizes_are_named_with_what_to_cite() -> None:
    found = curve("pearson", "exhaustive", 9)  # of 1, 2, 4, 8 and 9 topics
    statuses: tuple[Status, ...] = ("exhaustive", "proved", "gap", "heuristic", "exhaustive")
    points = []
    for point, status in zip(found.points, statuses, strict=True):
        assert point.best is not None
        points.append(replace(point, ten_best=(replace(point.best, status=status),)))
    plain, latex = topic_subsets_text(replace(found, points=tuple(points)), 0.9, scores="AP", name="x")
    assert (
        "All subsets of 1 and 9 topics were looked at; of 2 topics the best and the worst subset were proved by "
        "branch and bound over convexified quadratic forms; of 4 topics they are known up to a bound, as proofs "
        "were not finished; those of other sizes were searched for by swaps and may be exceeded" in plain
    )
    assert "10.1016/j.dam.2007.12.007" in plain
    assert "billionnet2009improving" in latex
    assert "Billionnet" not in topic_subsets_text(found, 0.9, scores="AP", name="x")[0]


@pytest.mark.parametrize(
    ("goodness", "said"), [("error-rate", "the weighted average error rate of their run")]
)
def test_error_rates(goodness: Goodness, said: str) -> None:
    plain, _ = topic_subsets_text(curve(goodness, "local", 40), 0.1, scores="AP", name="x")
    assert said in plain
    assert "error rate of .1" in plain
    assert "Biometrika" not in plain
