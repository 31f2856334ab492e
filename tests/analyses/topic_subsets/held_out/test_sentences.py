"""Answers in words: every number is one of the result. A preview is a small part of the same request."""

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_subsets.plain import constant_rows, random_matrix
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets.goodness import measure_of, number
from topicset_core.analyses.topic_subsets.held_out.audit import SubsetAudit, audit_subset
from topicset_core.analyses.topic_subsets.held_out.audit_report import (
    place_sentence,
    ranking_sentence,
    share_beaten,
    share_in_title,
)
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, held_out_curve, preview_request
from topicset_core.analyses.topic_subsets.held_out.report import size_sentence
from topicset_core.analyses.topic_subsets.held_out.splits import BestAverageWorst, BothScores, Gain, Spread
from topicset_core.analyses.topic_subsets.request import AuditRequest, HeldOutRequest, HoldOut

MATRIX = random_matrix(12, 11, seed=91)
FEW = {"n_splits": 5, "n_starts": 2, "n_trials": 20}


def spread(mean: float) -> Spread:
    return Spread(mean=mean, standard_error=0.01, low=mean - 0.05, high=mean + 0.05, n_splits=5)


def curve(hold_out: HoldOut, goodness: str = "pearson") -> HeldOutCurve:
    """Return a curve whose point of three topics has round numbers."""
    request = HeldOutRequest(hold_out=hold_out, goodness=goodness, cardinalities=(1, 3), cardinality=4, **FEW)  # type: ignore[arg-type]
    result = held_out_curve(MATRIX, request)
    chosen = BestAverageWorst(best=spread(0.91), average=spread(0.8), worst=spread(0.3))
    own = BestAverageWorst(best=spread(0.94), average=spread(0.85), worst=spread(0.2))
    return replace(result, points=(result.points[0], replace(result.points[1], chosen=chosen, own=own)))


def test_the_answer_about_topics_by_the_error_rate(golden: SnapshotAssertion) -> None:
    text = size_sentence(curve("topics", "error-rate"))  # 3 is nearest
    assert numbers_in(text) == [3, 91, 5, 5, 95, 86, 96, 80, 80, 3, 85, 94]
    assert text == golden


def test_an_undefined_correlation_on_the_other_half_is_reported(golden: SnapshotAssertion) -> None:
    result = curve("runs")
    none = BestAverageWorst(best=None, average=None, worst=None)
    point = replace(result.points[1], chosen=none)
    text = size_sentence(replace(result, points=(result.points[0], point)))
    assert numbers_in(text) == [3]
    assert text == golden


@pytest.fixture(scope="module")
def audit_of_ten() -> SubsetAudit:
    """An audit of 10 of 24 topics: there are two million sets, too many to enumerate."""
    matrix = random_matrix(24, 11, seed=92)
    return audit_subset(matrix, AuditRequest(topics=matrix.topics[:10], n_trials=100, n_splits=5, n_starts=2))


@pytest.mark.parametrize(
    ("percentile", "error", "sentence", "title"),
    [
        (69.26, 0.46, "69.3 % (± 0.5)", "69 %"),
        (51.75, 0.0, "51.8 %", "52 %"),
        (99.4, 0.08, "99.4 % (± 0.1)", "99.4 %"),
        (99.97, 0.02, "over 99.9 %", "over 99.9 %"),
        (100.0, 0.0, "over 99.9 %", "over 99.9 %"),
        (0.6, 0.08, "0.6 % (± 0.1)", "0.6 %"),
        (0.0, 0.0, "under 0.1 %", "under 0.1 %"),
    ],
)
def test_a_percentile_is_never_rounded_to_all_or_none(
    percentile: float, error: float, sentence: str, title: str, audit_of_ten: SubsetAudit
) -> None:
    one = audit_of_ten.goodness[0]
    one = replace(one, percentile=percentile, percentile_standard_error=error)
    assert (share_beaten(one), share_in_title(one)) == (sentence, title)


@pytest.mark.parametrize("hold_out", ["runs", "topics"])
@pytest.mark.parametrize(("low", "share"), [(-0.01, 0.8), (0.01, 1.0)])
def test_chosen_subsets_are_compared_with_random_ones(
    hold_out: HoldOut, low: float, share: float, golden: SnapshotAssertion
) -> None:
    result = curve(hold_out)
    gain = Gain(difference=replace(spread(0.11), low=low), share_better=share)
    text = size_sentence(replace(result, points=(replace(result.points[1], gain=gain),)))
    assert {80.0 if low < 0 else 100.0, 0.8} <= set(numbers_in(text))
    assert ("not reliably better" in text) == (low < 0)
    assert text == golden


def test_the_ranking_in_words(golden: SnapshotAssertion) -> None:
    result = audit_subset(MATRIX, AuditRequest(topics=MATRIX.topics[:4], **FEW))  # type: ignore[arg-type]
    ranking = replace(
        result.ranking,
        n_pairs=50,
        n_reversed=10,
        n_tied=2,
        top=("a",),
        top_on_subset=("b", "c"),
        top_kept=False,
        n_first=10,
        n_first_kept=9,
        largest_reversal={"better": "a", "worse": "d", "difference": 0.125, "difference_on_subset": -0.0625},
    )
    text = ranking_sentence(replace(result, ranking=ranking))
    # Reversed pairs of all, tied ones, both in per cent: 10 + 2 / 2 of 50; runs kept of the first; the largest
    # difference.
    assert numbers_in(text)[:4] == [10, 50, 2, 22]
    assert numbers_in(text)[-4:] == [9, 10, 0.125, 0.0625]
    assert text == golden


def test_a_topic_on_which_all_runs_tie(golden: SnapshotAssertion) -> None:
    result = audit_subset(constant_rows(MATRIX, 1), AuditRequest(topics=MATRIX.topics[:1], **FEW))  # type: ignore[arg-type]
    assert place_sentence(result) == golden


@pytest.mark.parametrize("hold_out", ["runs", "topics"])
def test_a_preview_is_a_part_of_the_same_request(hold_out: HoldOut) -> None:
    request = HeldOutRequest(hold_out=hold_out, goodness="pearson", choose_by="kendall", seed=5)
    few = preview_request(BothScores(MATRIX), replace(request, cardinality=6), 1000.0)
    assert few is not None
    assert few.cardinalities == ((1, 2, 3, 4, 5, 6, 7, 10, 12) if hold_out == "runs" else (1, 2, 3, 4, 5, 6))
    assert (few.n_splits, few.n_starts, few.n_trials) == (20, 0, 20)
    assert (
        replace(request, cardinality=6, cardinalities=few.cardinalities, n_splits=20, n_starts=0, n_trials=20)
        == few
    )
    assert len(held_out_curve(MATRIX, few).points) == len(few.cardinalities)


def test_no_preview_in_too_short_a_time_and_never_more_than_requested() -> None:
    request = HeldOutRequest(hold_out="runs", goodness="pearson", n_splits=2, n_trials=3)
    assert preview_request(BothScores(MATRIX), replace(request, cardinality=6), 1e-9) is None
    few = preview_request(BothScores(MATRIX), replace(request, cardinality=6), 1000.0)
    assert few is not None
    assert (few.n_splits, few.n_trials) == (2, 3)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.9, "0.900"), (0.0, "0.000"), (-0.05, "-0.050"), (0.9996, "1.000"), (1.0, "1.000"), (-1.0, "-1.000")],
)
def test_a_goodness_has_three_digits(value: float, text: str) -> None:
    assert number(value, measure_of("pearson")) == text


def test_an_error_rate_is_in_percent() -> None:
    assert number(0.0123, measure_of("error-rate")) == "1.2 %"
