"""What became of chosen subsets on the other half: means over splits, with how far splits differ."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from topicset_core.analyses.topic_subsets.goodness import GoodnessMeasure
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.analyses.topic_subsets.judge import Floats

LOW, HIGH = 5, 95
"""Percentiles over splits that make an interval: nine splits in ten lie between them."""

MEANING = (
    "The mean is over random splits, and nine splits in ten lie in the interval. The standard error says how "
    "well these splits settle the mean over all splits of these runs and topics. Neither says what other runs "
    "or topics would give: all splits share the same ones."
)
"""What the intervals mean, in words."""

_ROUNDING = 1e-12  # goodness that differs by less is the same


@dataclass(frozen=True, kw_only=True)
class Spread:
    """A number over splits.

    Parameters
    ----------
    mean : float
        Over the splits that have it.
    standard_error : float
        Of the mean; 0 with one split.
    low, high : float
        5th and 95th percentile over splits.
    n_splits : int
        Splits that have it: on others all runs tie on the subset.
    """

    mean: float
    standard_error: float
    low: float
    high: float
    n_splits: int


@dataclass(frozen=True, kw_only=True)
class Levels:
    """The best, the average and the worst subset; None where no split has a value.

    Parameters
    ----------
    best, average, worst : Spread or None
        In units of the measure.
    """

    best: Spread | None
    average: Spread | None
    worst: Spread | None


@dataclass(frozen=True, kw_only=True)
class Gain:
    """How much better the best chosen subset is than the average, split by split.

    Parameters
    ----------
    difference : Spread
        In units of the measure, above 0 where the chosen subset is better; also for the error rate.
    share_better : float
        Of the splits, those in which it is better.
    """

    difference: Spread
    share_better: float


@dataclass(frozen=True, kw_only=True)
class HeldOutPoint:
    """One cardinality; everything judged on the same half, the one that is held out.

    Parameters
    ----------
    cardinality : int
        Topics in a subset.
    chosen : Levels
        Chosen on the other half. The average is over random subsets of the topics of that half; where
        runs are held out, both halves have all topics, and it is that of `own`.
    own : Levels
        Chosen on the half they are judged on, so that best and worst are too good and too bad.
    gain : Gain or None
        Of the best chosen over the average of `chosen`.
    gain_over_own : Gain or None
        Of the best chosen over the average of `own`: where topics are held out, random subsets of the very
        topics that are the truth.
    """

    cardinality: int
    chosen: Levels
    own: Levels
    gain: Gain | None
    gain_over_own: Gain | None


@dataclass(frozen=True, kw_only=True)
class HeldOutCurve:
    """Goodness on the held-out half against cardinality.

    Parameters
    ----------
    request : HeldOutRequest
        What was asked.
    judge_by, choose_by : GoodnessMeasure
        How subsets are judged and chosen.
    judged_scores, chosen_scores : str
        "measure of name" of the matrix that judges, and of that by which they are chosen.
    matched : str
        How rows and columns of two matrices were brought together; "" with one matrix.
    n_topics, n_systems : int
        In all.
    n_teams : int or None
        Teams whose runs stayed together.
    half_sizes : tuple of int, (4,)
        Fewest and most runs (topics) in the half chosen on, and in the half judged on, over splits.
    points : tuple of HeldOutPoint
        By ascending cardinality.
    """

    request: HeldOutRequest
    judge_by: GoodnessMeasure
    choose_by: GoodnessMeasure
    judged_scores: str
    chosen_scores: str
    matched: str
    n_topics: int
    n_systems: int
    n_teams: int | None
    half_sizes: tuple[int, int, int, int]
    points: tuple[HeldOutPoint, ...]
    status: Literal["heuristic"] = "heuristic"

    def at(self, cardinality: int) -> HeldOutPoint | None:
        """Return the point of a cardinality, None where it was not looked at."""
        return next((point for point in self.points if point.cardinality == cardinality), None)


def spread_of(values: Floats, turn: float = 1.0) -> Spread | None:
    """Return the spread of values over splits, (n_splits,); those that are NaN do not exist."""
    defined = turn * values[~np.isnan(values)]
    if not defined.size:
        return None
    low, high = np.percentile(defined, (LOW, HIGH)).tolist()
    error = float(defined.std(ddof=1)) / defined.size**0.5 if defined.size > 1 else 0.0
    return Spread(
        mean=float(defined.mean()) + 0.0,  # no negative zeros
        standard_error=error,
        low=low + 0.0,
        high=high + 0.0,
        n_splits=int(defined.size),
    )


def gain_of(best: Floats, average: Floats) -> Gain | None:
    """Return the gain of oriented goodness over another, (n_splits,) each."""
    difference = best - average
    difference = np.where(np.abs(difference) <= _ROUNDING, 0.0, difference)  # NaN stays
    spread = spread_of(difference)
    if spread is None:
        return None
    return Gain(difference=spread, share_better=float(np.sum(difference > 0)) / spread.n_splits)
