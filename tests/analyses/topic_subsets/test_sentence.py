"""The answer in words."""

from dataclasses import replace

from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_subsets.plain import random_matrix
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets.curve import CurvePoint, Subset, SubsetCurve
from topicset_core.analyses.topic_subsets.goodness import Agreement, measure_of
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, headline_curve, headline_request
from topicset_core.analyses.topic_subsets.held_out.splits import BothScores
from topicset_core.analyses.topic_subsets.report import findings
from topicset_core.analyses.topic_subsets.request import HeldOutRequest
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.findings import found_on, texts


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
        n_units=27,
        cardinalities=tuple(values),
        points=points,
        n_trials=10,
        seed=0,
    )


MATRIX = random_matrix(40, 10, seed=3)


def said(result: SubsetCurve, target: float, held: HeldOutCurve | None = None, place: str = "export") -> str:
    """Return what a curve says in a place."""
    return " ".join(texts(findings(MATRIX, result, target, held), place))


def tile_values(result: SubsetCurve, held: HeldOutCurve) -> list[str]:
    """Return the numbers beside the headline."""
    return [finding.value for finding in found_on(findings(MATRIX, result, 0.95, held), "tile")]


CORRELATIONS = {1: (0.96, 0.4, 0.2), 2: (0.97, 0.95, 0.96), 3: (0.98, 0.97, 0.9), 4: (1.0, 1.0, 1.0)}


def test_well_chosen_average_worst(golden: SnapshotAssertion) -> None:
    text = said(curve("pearson", CORRELATIONS), 0.95)
    # The best topic, all topics; target, average; worst: that of 3 falls below again, so only 4 are safe.
    assert numbers_in(text) == [0.96, 4, 4, 1, 0.95, 2, 4]  # 4 subsets of 1 topic
    assert text == golden


def test_sentence_for_an_error_rate_and_an_unreached_target(golden: SnapshotAssertion) -> None:
    errors = {size: tuple(1 - value for value in row) for size, row in CORRELATIONS.items() if size < 4}
    text = said(curve("error-rate", errors), 0.035)  # type: ignore[arg-type]
    never = said(curve("kendall", CORRELATIONS), 1.5)
    assert numbers_in(text) == [2, 3.0, 4, 6, 2, 0.035, 3]
    assert numbers_in(never) == [1.5, 4]
    assert [text, never] == golden


def held_of(matrix: ScoreMatrix, result: SubsetCurve) -> HeldOutCurve:
    request = headline_request(result, 0.95)
    assert request is not None
    held = headline_curve(BothScores(matrix), request)
    assert held is not None
    return held


def with_agreement(result: SubsetCurve, **counts: float) -> SubsetCurve:
    agreement = Agreement(**counts)  # type: ignore[arg-type]
    return replace(result, points=tuple(replace(point, agreement=agreement) for point in result.points))


def test_sentence_on_the_ranking_by_the_best_set_and_on_other_runs(golden: SnapshotAssertion) -> None:
    result = with_agreement(
        curve("pearson", CORRELATIONS), kendall=0.78, n_pairs=4560, n_reversed=497, n_tied=20
    )
    held = held_of(MATRIX, result)
    point = held.points[0]
    best, average = point.chosen.best, point.chosen.average
    assert best is not None
    assert average is not None
    # The very request of the page's second tab and of --holdout, so that no two numbers differ.
    assert held.request == HeldOutRequest(hold_out="runs", goodness="pearson", cardinalities=(1,))
    text = said(result, 0.95, held)
    three = [round(value, 3) for value in (best.mean, best.low, best.high, average.mean)]
    # 497 reversed pairs and half of 20 tied ones are 11.1 % of 4,560.
    assert numbers_in(text)[:7] == [0.96, 4, 0.78, 497, 4560, 20, 11.1]
    assert {*three, 100} <= set(numbers_in(text))
    large = said(result, 0.95, held, "headline")
    assert numbers_in(large) == [0.96, three[0]]
    assert numbers_in(" ".join(tile_values(result, held)))[:4] == [*three[1:], 11.1]
    assert [text, large] == golden


def test_only_subsets_that_are_better_in_most_splits_are_called_better(golden: SnapshotAssertion) -> None:
    result = curve("pearson", CORRELATIONS)
    held = held_of(MATRIX, result)
    point = held.points[0]
    assert point.gain is not None
    heads = []
    for low in (-0.01, 0.01):
        gain = replace(point.gain, difference=replace(point.gain.difference, low=low))
        one = replace(held, points=(replace(point, gain=gain),))
        assert one.points[0].is_better_than_random == (low > 0)
        heads.append(said(result, 0.95, one, "headline"))
        assert ("not resolved" in tile_values(result, one)[1]) == (low < 0)
        assert ("not reliably better" in said(result, 0.95, one)) == (low < 0)
    assert [*heads, said(replace(result, n_units=5), 0.95, place="headline")] == golden
    few = replace(result, n_units=5)
    assert headline_request(few, 0.95) is None
    assert said(few, 0.95) == golden


def test_only_equal_rankings_are_called_equal(golden: SnapshotAssertion) -> None:
    perfect = with_agreement(
        curve("pearson", CORRELATIONS), kendall=1.0, n_pairs=4560, n_reversed=0, n_tied=0
    )
    close = with_agreement(
        curve("pearson", CORRELATIONS), kendall=0.9999, n_pairs=4560, n_reversed=0, n_tied=1
    )
    assert perfect.points[0].agreement is not None
    assert perfect.points[0].agreement.is_perfect
    assert close.points[0].agreement is not None
    assert not close.points[0].agreement.is_perfect
    assert [said(one, 0.95) for one in (perfect, close)] == golden


def test_sizes_that_were_left_out_make_ranges(golden: SnapshotAssertion) -> None:
    sparse = {1: (0.5, 0.2, 0.1), 3: (0.97, 0.5, 0.4), 9: (0.98, 0.97, 0.6), 10: (1.0, 1.0, 1.0)}
    result = replace(curve("pearson", sparse), topics=tuple("abcdefghij"))
    crossings = result.crossings(0.95)
    assert crossings.by_side == {"best": 3, "mean": 9, "worst": 10}
    assert [result.fewest(size) for size in (3, 9, 10)] == [2, 4, 10]
    text = said(result, 0.95)
    assert numbers_in(text) == [2, 3, 0.97, 10, 3, 120, 3, 0.95, 4, 9, 10]
    assert text == golden


def test_points_of_a_stopped_search_replace_the_preview() -> None:
    first, later = curve("pearson", CORRELATIONS), curve("pearson", {2: (0.99, 0.95, 0.96)})
    together = replace(later, cardinalities=(1, 2, 3, 4)).laid_over(first)
    assert together.is_complete
    assert [point.best.value for point in together.points if point.best] == [0.96, 0.99, 0.98, 1.0]
