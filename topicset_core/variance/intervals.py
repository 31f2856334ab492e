"""The percentile interval of resampled values.

A nominal 90 % interval of a variance covers the true value less often than that, and errs on the low side
more than on the high; `coverage` gives how much.
"""

import math
from dataclasses import dataclass

import numpy as np

from topicset_core.errors import InputError
from topicset_core.variance.resampled_sums import Floats

DEFAULT_LEVEL = 0.90
"""Share of resamples between the ends; with 95 % the ends would rest on few resamples."""


@dataclass(frozen=True, kw_only=True)
class PercentileInterval:
    """The middle of many resampled values.

    Parameters
    ----------
    level : float
        Share of the resamples from `low` to `high`, both included: at least this.
    low, high : float
        Order statistics of the resampled values, with (1 - level) / 2 of them below and above.
    low_standard_error, high_standard_error : float
        How far each end would move with another seed.
    """

    level: float
    low: float
    high: float
    low_standard_error: float
    high_standard_error: float


def percentile_interval(values: Floats, level: float = DEFAULT_LEVEL) -> PercentileInterval:
    """Return the interval from the (1 - level)/2 to the (1 + level)/2 quantile.

    Quantiles are order statistics (`rank_of`), so that a quantity that rises with the variance, as
    the required topics do, has its interval exactly where the variance has its own.

    Parameters
    ----------
    values : ndarray of float64, shape (n_trials,)
        Of the resamples, in any order.
    level : float
        Above 0 and below 1.

    Raises
    ------
    InputError
        If `level` is not between 0 and 1.
    """
    check_level(level)
    ordered = np.sort(values)
    shares = ((1 - level) / 2, (1 + level) / 2)
    low, high = (float(ordered[rank_of(share, ordered.size) - 1]) for share in shares)
    errors = [_standard_error(ordered, share) for share in shares]
    return PercentileInterval(
        level=level, low=low, high=high, low_standard_error=errors[0], high_standard_error=errors[1]
    )


def rank_of(share: float, n_values: int) -> int:
    """Return the rank, from 1, of the smallest of n values which at least this share do not exceed."""
    # 0.95 x 2000 may come out a rounding error above 1900.
    return min(max(math.ceil(share * n_values * (1 - 1e-12)), 1), n_values)


def check_level(level: float) -> None:
    """Refuse a level that is not a share of resamples.

    Raises
    ------
    InputError
        If it is not a number above 0 and below 1.
    """
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise InputError("level", level, "must be a number above 0 and below 1")


def _standard_error(ordered: Floats, share: float) -> float:
    """Half the distance of the order statistics one binomial standard deviation below and above."""
    spread = math.sqrt(share * (1 - share) / ordered.size)
    low = rank_of(max(share - spread, 0.0), ordered.size)
    high = rank_of(min(share + spread, 1.0), ordered.size)
    return float(ordered[high - 1] - ordered[low - 1]) / 2
