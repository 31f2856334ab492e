"""Topics of several matrices in one: values by hand, runs left out, topics renamed, and refusals."""

from dataclasses import replace

import numpy as np
import pytest

from tests.refusals import refused
from tests.variance.matrices import of
from topicset_core.analyses.two_systems import Request, compare_two
from topicset_core.collection import ScoreMatrix
from topicset_core.preparation import join_topics


def _year(name: str, topics: str, systems: str, first: float) -> ScoreMatrix:
    scores = first + np.arange(len(topics) * len(systems)).reshape(len(topics), len(systems)) / 100
    return replace(of(scores, topics=tuple(topics), systems=tuple(systems)), name=name)


ONE, OTHER, THIRD = (
    _year("19", "ab", "xyz", 0.0),
    _year("20", "cb", "wzx", 0.5),
    _year("21", "de", "xz", 0.75),
)


def test_topics_of_three_years_by_hand() -> None:
    matrix, notes = join_topics([ONE, OTHER, THIRD])
    assert matrix.topics == ("a", "19/b", "c", "20/b", "d", "e")
    assert matrix.groups == ("19", "19", "20", "20", "21", "21")
    assert (matrix.systems, matrix.measure, matrix.name) == (("x", "z"), ONE.measure, "19, 20, 21")
    expected = [[0.0, 0.02], [0.03, 0.05], [0.52, 0.51], [0.55, 0.54], [0.75, 0.76], [0.77, 0.78]]
    assert matrix.scores == pytest.approx(np.array(expected))
    assert notes == (
        "6 topics of 3 matrices were joined; each is a group: 19 (2), 20 (2), 21 (2).",
        "2 runs left out, as not all of these have them: 'y', 'w'.",
        "1 topic id is in several matrices; the name of the matrix was put before each, as '19/b'.",
    )
    alike, notes = join_topics([ONE, replace(ONE, name="x", topics=("c", "d"))])
    assert (alike.systems, len(notes)) == (ONE.systems, 1)


def test_refusals() -> None:
    for matrices, parameter, rule in (
        ([ONE], "matrices", "at least 2"),
        ([ONE, ONE], "matrices", "different names"),
        ([ONE, replace(OTHER, measure="other")], "measure", "the same"),
        ([ONE, replace(OTHER, groups=("g",) * OTHER.n_topics)], "matrices", "no groups"),
        ([ONE, replace(OTHER, systems=("p", "q", "r"))], "matrices", "20 has 'p', 'q', 'r'"),
    ):
        error = refused(join_topics, matrices)
        assert error.parameter == parameter
        assert rule in error.rule


def test_both_readings_of_an_average_over_datasets() -> None:
    """Scores that differ between datasets alone: certain for these datasets, and open for others like these."""
    rng = np.random.default_rng(47)
    years = [
        replace(
            of(np.column_stack([np.full(9, 0.4), 0.4 + gain + 0.001 * rng.standard_normal(9)])),
            name=f"y{gain}",
        )
        for gain in (-0.1, 0.0, 0.1, 0.3)
    ]
    answer = compare_two(join_topics(years)[0], Request())
    assert answer.n_groups == 4
    assert answer.difference == pytest.approx(0.075, abs=0.001)
    low, high = answer.same_groups or (0.0, 0.0)
    assert 0.07 < low < high < 0.08  # sd 0.001 over 36 topics: 0.0003
    # Of equal groups CR2 is the standard error of their means: sd .171 over the root of 4, with 3 df.
    reach = 3.182 * np.std([-0.1, 0.0, 0.1, 0.3], ddof=1) / 2
    assert answer.high - answer.difference == pytest.approx(reach, rel=0.01)
