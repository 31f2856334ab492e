"""The answer in words."""

import pytest

from tests.analyses.topic_subsets.plain import random_matrix
from topicset_core.analyses.topic_subsets.curve import CurvePoint, Subset, SubsetCurve
from topicset_core.analyses.topic_subsets.explore import subset_curve
from topicset_core.analyses.topic_subsets.goodness import measure_of
from topicset_core.analyses.topic_subsets.plain_values import plain_curve
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.analyses.topic_subsets.sentence import answer_sentence, shown


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


def test_well_chosen_average_worst() -> None:
    # The worst of 3 falls below the target again, so that only 4 are safe.
    assert answer_sentence(curve("pearson", CORRELATIONS), 0.95) == (
        "1 well-chosen topic would have ranked the 96 runs as all 4 do (r = .95); 2 of an average draw; "
        "4 of the worst."
    )


def test_of_an_error_rate_and_of_what_is_not_reached() -> None:
    errors = {size: tuple(1 - value for value in row) for size, row in CORRELATIONS.items() if size < 4}
    assert answer_sentence(curve("error-rate", errors), 0.035) == (  # type: ignore[arg-type]
        "2 well-chosen topics would have ranked the 96 runs as all 4 do (error rate of .035); 3 of an average "
        "draw; no number of the worst."
    )
    assert answer_sentence(curve("kendall", CORRELATIONS), 1.5) == (
        "None of the 4 cardinalities that were looked at ranks the 96 runs as all topics do (τ = 1.5)."
    )


@pytest.mark.parametrize(
    ("value", "text"), [(0.95, ".95"), (1.0, "1"), (0.0, "0"), (-0.5, "-.5"), (0.123456789, ".123457")]
)
def test_numbers_as_papers_write_them(value: float, text: str) -> None:
    assert shown(value) == text


def test_plain_values_hold_the_curve() -> None:
    found = subset_curve(random_matrix(8, 5, seed=41), Request(goodness="kendall", cardinalities=(2, 8)))
    plain = plain_curve(found, 0.9)
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
