"""Summaries of curves: stability, counts of topics, hardness."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_subsets.plain import constant_rows, plain_goodness, random_matrix
from topicset_core.analyses.topic_subsets.answer import goodness_alone, stability, topic_table
from topicset_core.analyses.topic_subsets.curve import CurvePoint, Status, Subset, SubsetCurve, subset_curve
from topicset_core.analyses.topic_subsets.goodness import measure_of
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.errors import InputError


def point(
    cardinality: int, best: list[tuple[float, str]], worst: list[tuple[float, str]], status: Status
) -> CurvePoint:
    def subsets(given: list[tuple[float, str]]) -> tuple[Subset, ...]:
        return tuple(Subset(value=value, topics=tuple(topics), status=status) for value, topics in given)

    return CurvePoint(
        cardinality=cardinality,
        ten_best=subsets(best),
        ten_worst=subsets(worst),
        mean=0.5,
        mean_standard_error=0.0,
        n_averaged=1,
        n_undefined=0,
        percentiles={},
    )


def curve(*points: CurvePoint, goodness: str = "pearson") -> SubsetCurve:
    return SubsetCurve(
        measure=measure_of(goodness),
        topics=tuple("abcd"),
        n_systems=3,
        n_units=3,
        cardinalities=tuple(point.cardinality for point in points),
        points=points,
        n_trials=10,
        seed=0,
    )


def test_stability_by_hand() -> None:
    # Of {a}, {b c}, {a b c}: none of the first stays, both of the second; at least 0 and 1, at most 1 and 2.
    worst = [(0.1, "a")]
    result = curve(
        point(1, [(0.9, "a")], worst, "exhaustive"),
        point(2, [(0.9, "bc")], worst, "exhaustive"),
        point(3, [(0.9, "abc")], worst, "exhaustive"),
    )
    assert stability(result, "best") == pytest.approx((2 - 1) / (3 - 1))
    assert stability(curve(point(1, [(0.9, "a")], worst, "exhaustive")), "best") is None


def test_topic_table_counts_and_advice(golden: SnapshotAssertion) -> None:
    ten_best = [(0.9, "ab")] * 9 + [(0.9, "bc")]
    ten_worst = [(0.1, "cd")] * 8 + [(0.1, "ad")] * 2
    result = curve(
        point(1, [(0.8, "a")], [(0.1, "d")], "exhaustive"),
        point(2, ten_best, ten_worst, "exhaustive"),
        point(3, [(0.9, "abc")], [(0.5, "bcd")], "exhaustive"),
    )
    matrix = random_matrix(4, 5, seed=31)
    renamed = type(matrix)(
        scores=matrix.scores, topics=tuple("abcd"), systems=matrix.systems, measure="AP", name="x"
    )
    table = topic_table(renamed, result, 2)
    assert [(row["in_ten_best"], row["in_ten_worst"]) for row in table.rows] == [
        (9, 2),
        (10, 0),
        (1, 8),
        (0, 10),
    ]
    assert [row["advice"] for row in table.rows] == ["keep", "keep", "exclude", "exclude"]
    # Cardinalities up to half of 4: best sets {a} and {a b}, worst {d} and {c d}.
    assert [(row["in_best"], row["in_worst"]) for row in table.rows] == [(2, 0), (1, 0), (0, 1), (0, 2)]
    for place, row in enumerate(table.rows):
        assert row["alone"] == pytest.approx(plain_goodness(matrix.scores, [place], "pearson"), abs=1e-14)
        assert row["mean_score"] == pytest.approx(matrix.scores[place].mean())
    with pytest.raises(InputError) as caught:
        topic_table(renamed, result, 4)
    assert (caught.value.parameter, caught.value.value) == ("cardinality", 4)
    assert str(caught.value) == golden


def test_hardness_correlation_against_scipy() -> None:
    from scipy.stats import pearsonr

    matrix = constant_rows(random_matrix(12, 8, seed=32), 2)
    result = subset_curve(matrix, Request(goodness="kendall", cardinalities=(3,), n_trials=10))
    table = topic_table(matrix, result, 3)
    pairs = [(row["alone"], row["mean_score"]) for row in table.rows if row["alone"] is not None]
    assert len(pairs) == 10
    expected = pearsonr([alone for alone, _ in pairs], [mean for _, mean in pairs]).statistic
    assert table.hardness_correlation == pytest.approx(expected, abs=1e-13)


def test_hardness_that_does_not_vary_has_no_correlation() -> None:
    matrix = random_matrix(6, 5, seed=33)
    level = type(matrix)(
        scores=matrix.scores - matrix.scores.mean(axis=1, keepdims=True) + 0.5,
        topics=matrix.topics,
        systems=matrix.systems,
        measure="AP",
        name="level",
    )
    result = subset_curve(level, Request(goodness="pearson", cardinalities=(2,), n_trials=10))
    assert topic_table(level, result, 2).hardness_correlation is None


def test_goodness_alone_has_the_units_of_the_measure() -> None:
    matrix = constant_rows(random_matrix(6, 5, seed=34), 1)
    for goodness in ("pearson", "kendall", "error-rate"):
        expected = [plain_goodness(matrix.scores, [topic], goodness) for topic in range(6)]
        result = goodness_alone(matrix, goodness)
        assert result == tuple(
            value if value is None else pytest.approx(value, abs=1e-14) for value in expected
        )
    assert goodness_alone(matrix, "pearson")[0] is None
    assert goodness_alone(matrix, "error-rate")[0] == 0.5  # all runs tie: a coin decides
