"""Numbers over random splits: their means, with how far splits differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from topicset_core.analyses.topic_subsets.judge import Floats

LOW, HIGH = 5, 95
"""Percentiles over splits that make an interval: nine splits in ten lie between them."""

MEANING = (
    "The mean is over random splits, and nine splits in ten lie in the interval. The standard error says how "
    "well these splits settle the mean over all splits of these runs and topics. Neither says what other runs "
    "or topics would give: all splits share the same ones."
)
"""What the intervals mean, in words."""

INTERVALS: Mapping[str, Any] = {"low": LOW, "high": HIGH, "meaning": MEANING}
"""How a record describes them."""

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
class BestAverageWorst:
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


def spread_of(values: Floats, sign: float = 1.0) -> Spread | None:
    """Return the spread of values over splits, (n_splits,); those that are NaN do not exist."""
    defined = sign * values[~np.isnan(values)]
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
