"""The answer in words."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_subsets.plain import random_matrix
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets.curve import CurvePoint, Subset, SubsetCurve, subset_curve
from topicset_core.analyses.topic_subsets.goodness import measure_of
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.analyses.topic_subsets.sentences import answer_sentence, shown


def curve(goodness: str, values: dict[int, tuple[float, float, float]]) -> SubsetCurve:
    """Best, mean, worst by cardinality of four topics."""

    def subset(value: float, size: int) -> tuple[Subset, ...]:
        return (Subset(value=value, topics=tuple("abcd"[:size]), status="exhaustive"),)

    points = tuple(
        CurvePoint(
            cardinality=size,
            ten_best=subset(best, size),
            ten_worst=subset(worst, size),
            mean=mean,
            mean_standard_error=0.0,
            n_averaged=1,
            n_undefined=0,
            percentiles={},
        )
        for size, (best, mean, worst) in values.items()
    )
    return SubsetCurve(
        measure=measure_of(goodness),
        topics=tuple("abcd"),
        n_systems=96,
        cardinalities=tuple(values),
        points=points,
        n_trials=10,
        seed=0,
    )


CORRELATIONS = {1: (0.96, 0.4, 0.2), 2: (0.97, 0.95, 0.96), 3: (0.98, 0.97, 0.9), 4: (1.0, 1.0, 1.0)}


def test_well_chosen_average_worst(golden: SnapshotAssertion) -> None:
    said = answer_sentence(curve("pearson", CORRELATIONS), 0.95)
    # Best topics, runs, all topics, target; average; worst: that of 3 falls below again, so that only 4 are safe.
    assert numbers_in(said) == [1, 96, 4, 0.95, 2, 4]
    assert said == golden


def test_of_an_error_rate_and_of_what_is_not_reached(golden: SnapshotAssertion) -> None:
    errors = {size: tuple(1 - value for value in row) for size, row in CORRELATIONS.items() if size < 4}
    said = answer_sentence(curve("error-rate", errors), 0.035)  # type: ignore[arg-type]
    never = answer_sentence(curve("kendall", CORRELATIONS), 1.5)
    assert numbers_in(said) == [2, 96, 4, 0.035, 3]
    assert numbers_in(never) == [4, 96, 1.5]
    assert [said, never] == golden


@pytest.mark.parametrize(
    ("value", "text"), [(0.95, ".95"), (1.0, "1"), (0.0, "0"), (-0.5, "-.5"), (0.123456789, ".123457")]
)
def test_numbers_as_papers_write_them(value: float, text: str) -> None:
    assert shown(value) == text


def test_plain_values_hold_the_curve() -> None:
    found = subset_curve(random_matrix(8, 5, seed=41), Request(goodness="kendall", cardinalities=(2, 8)))
    plain = found.record(0.9)
    assert [row["cardinality"] for row in plain["cardinalities"]] == [2, 8]
    first = plain["cardinalities"][0]
    best = found.points[0].best
    assert best is not None
    assert first["best"] == {"value": best.value, "topics": list(best.topics), "status": "exhaustive"}
    assert len(first["ten_worst"]) == 10
    crossings = found.crossings(0.9)
    assert plain["topics_for_target"] == {
        "best": crossings.best,
        "mean": crossings.mean,
        "worst": crossings.worst,
    }
