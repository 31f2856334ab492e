"""Error rates of chosen sets: the result, and how it comes from counts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.error_rate.units import N_BINS
from topicset_core.analyses.topic_subsets.goodness import GoodnessMeasure
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.result import Gain, Levels, gain_of, spread_of
from topicset_core.analyses.topic_subsets.judge import Floats

THREE_BINS = (0, 4, 9)
"""Bins to show where all are too many: differences up to .01, about .05 and about .1."""


@dataclass(frozen=True, kw_only=True)
class ErrorRatePoint:
    """Error rates at one cardinality, from 0 to 1; levels are None where no split has a pair.

    Parameters
    ----------
    cardinality : int
        Topics in the set and in the truth.
    bins : tuple of Levels
        By difference on the truth, `UPPER_EDGES` of `error_rate.units`: 20 bins and one for all above.
    all_pairs : Levels
        Over all pairs with a difference.
    average_of_bins : Levels
        Mean of the rates of the paper's 20 bins, those that have pairs.
    gain : Gain or None
        How much lower the rate over all pairs is with the best set than with random ones.
    n_pairs : tuple of int
        Pairs behind each bin, over splits and trials.
    """

    cardinality: int
    bins: tuple[Levels, ...]
    all_pairs: Levels
    average_of_bins: Levels
    gain: Gain | None
    n_pairs: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class HeldOutErrorRates:
    """Error rates of chosen sets against cardinality.

    Parameters
    ----------
    request : HeldOutRequest
        What was asked.
    choose_by : GoodnessMeasure
        How best and worst are chosen.
    judged_scores, chosen_scores, matched : str
        As in `HeldOutCurve`.
    n_topics, n_systems : int
        Of the matrix.
    decimals : int
        Decimals of the scores as they were compared.
    scores_are_exact : bool
        Whether the scores have no more decimals; else means that differ by rounding only are ties.
    points : tuple of ErrorRatePoint
        By ascending cardinality.
    """

    request: HeldOutRequest
    choose_by: GoodnessMeasure
    judged_scores: str
    chosen_scores: str
    matched: str
    n_topics: int
    n_systems: int
    decimals: int
    scores_are_exact: bool
    points: tuple[ErrorRatePoint, ...]


def point_of(size: int, counts: NDArray[np.int64], absent: NDArray[np.bool_]) -> ErrorRatePoint:
    """Return the rates from counts by split, cell and sum, (n_splits, N_CELLS, 4)."""
    pairs, reversals = counts[:, 1:, 0], counts[:, 1:, 1:]
    rates = _ratio(reversals, pairs[:, :, None])  # (n_splits, 21, 3)
    everywhere = _ratio(reversals.sum(axis=1), pairs.sum(axis=1)[:, None])  # (n_splits, 3)
    binned = rates[:, :N_BINS]
    there = ~np.isnan(binned)
    average = _ratio(np.where(there, binned, 0.0).sum(axis=1), there.sum(axis=1))
    for table in (rates, everywhere, average):
        table[absent, ..., 0] = np.nan
        table[absent, ..., 2] = np.nan
    return ErrorRatePoint(
        cardinality=size,
        bins=tuple(_levels(rates[:, place]) for place in range(rates.shape[1])),
        all_pairs=_levels(everywhere),
        average_of_bins=_levels(average),
        gain=gain_of(-everywhere[:, 0], -everywhere[:, 1]),
        n_pairs=tuple(pairs.sum(axis=0).tolist()),
    )


def _levels(rates: Floats) -> Levels:
    """Return the spread of each column of rates, (n_splits, 3)."""
    best, average, worst = (spread_of(column) for column in rates.T)
    return Levels(best=best, average=average, worst=worst)


def _ratio(above: NDArray[np.int64] | Floats, below: NDArray[np.int64]) -> Floats:
    """Divide; NaN where there is nothing to divide by."""
    empty: Floats = np.full(above.shape, np.nan)
    return np.asarray(np.divide(above, below, out=empty, where=np.broadcast_to(below > 0, above.shape)))
