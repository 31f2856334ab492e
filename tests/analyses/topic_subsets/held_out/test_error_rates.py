"""Error rates of chosen sets against algorithm 1 written plainly, on the same draws."""

import numpy as np
import pytest

from tests.analyses.topic_subsets.held_out.plain_halves import plain_extremes, plain_rates
from tests.analyses.topic_subsets.plain import random_matrix
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets.goodness import Goodness
from topicset_core.analyses.topic_subsets.held_out.error_rates import HeldOutErrorRates, held_out_error_rates
from topicset_core.analyses.topic_subsets.held_out.halves import materials_of, split_number
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.splits import COUNTING, BestAverageWorst, stream

N_SPLITS, N_TRIALS, SEED = 3, 6, 4


def requested(choose_by: Goodness | None = None, **others: object) -> HeldOutRequest:
    return HeldOutRequest(
        hold_out="topics",
        goodness="error-rate",
        choose_by=choose_by,
        n_splits=N_SPLITS,
        n_trials=N_TRIALS,
        seed=SEED,
        **others,  # type: ignore[arg-type]
    )


def check(levels: BestAverageWorst, expected: list[list[float]]) -> None:
    """Best, average and worst are the means over the splits that have a rate."""
    for spread, rates in zip((levels.best, levels.average, levels.worst), expected, strict=True):
        there = [rate for rate in rates if not np.isnan(rate)]
        if not there:
            assert spread is None
            continue
        assert spread is not None
        assert (spread.mean, spread.n_splits) == (pytest.approx(np.mean(there), abs=1e-14), len(there))


@pytest.mark.parametrize("choose_by", [None, "pearson"])
def test_rates_are_those_of_algorithm_1(choose_by: Goodness | None) -> None:
    matrix = random_matrix(9, 7, seed=21)
    request = requested(choose_by)
    result = held_out_error_rates(matrix, request)
    assert (result.decimals, result.scores_are_exact) == (2, True)
    materials, _ = materials_of(matrix, request)
    for point in result.points:
        size = point.cardinality
        rates = np.full((3, N_SPLITS, 21), np.nan)
        overall = np.full((3, N_SPLITS), np.nan)
        total = np.zeros(21, dtype=int)
        for number in range(N_SPLITS):
            split = split_number(materials, number)
            half = matrix.scores[split.chosen_on]
            drawn, truths = (
                [
                    matrix.scores[order[:size]].mean(axis=0)
                    for order in stream(SEED, "topics", number, COUNTING, side).permuted(
                        np.tile(places, (N_TRIALS, 1)), axis=1
                    )
                ]
                for side, places in enumerate((split.chosen_on, split.judged_on))
            )
            ends = [plain_extremes(half, half.sum(axis=0), size, request.chosen_by, sign) for sign in (1, -1)]
            # By the error rate sets may tie; the search and this list both take the first of them.
            best, worst = ([half[list(end[0])].mean(axis=0)] * N_TRIALS for end in ends)
            for side, seen in enumerate((best, drawn, worst)):
                pairs, wrong = plain_rates(seen, truths, size)
                rates[side, number] = [w / p if p else np.nan for w, p in zip(wrong, pairs, strict=True)]
                overall[side, number] = sum(wrong) / sum(pairs)
            total += pairs
        for place, levels in enumerate(point.bins):
            check(levels, rates[:, :, place].tolist())
        check(point.all_pairs, overall.tolist())
        check(point.average_of_bins, np.nanmean(rates[:, :, :20], axis=2).tolist())
        assert point.n_pairs == tuple(total.tolist())
        assert point.gain is not None
        assert point.gain.difference.mean == pytest.approx(np.mean(overall[1] - overall[0]), abs=1e-12)


def test_with_all_topics_of_the_half_there_is_one_set() -> None:
    result = held_out_error_rates(random_matrix(10, 8, seed=22), requested())
    last = result.points[-1]
    assert last.cardinality == 5
    for levels in (*last.bins, last.all_pairs, last.average_of_bins):
        assert levels.best == levels.average == levels.worst
    assert result.points[0].all_pairs.best != result.points[0].all_pairs.worst


def test_other_cardinalities_change_nothing() -> None:
    matrix = random_matrix(10, 8, seed=23)
    alone = held_out_error_rates(matrix, requested(cardinalities=(3,)))
    assert alone.points == (held_out_error_rates(matrix, requested()).points[2],)


def test_the_comparing_metric_may_differ() -> None:
    matrix, other = random_matrix(8, 7, seed=24), random_matrix(8, 7, seed=25)
    error_rates: HeldOutErrorRates = held_out_error_rates(matrix, requested(), judged=other)
    own = held_out_error_rates(other, requested())
    # Random sets do not depend on what chooses: they are compared by the same scores.
    for one, two in zip(error_rates.points, own.points, strict=True):
        assert one.all_pairs.average == two.all_pairs.average
        assert one.n_pairs == two.n_pairs
    assert [one.all_pairs.best for one in error_rates.points] != [two.all_pairs.best for two in own.points]
    assert numbers_in(error_rates.matched) == [7, 8]  # runs and topics
