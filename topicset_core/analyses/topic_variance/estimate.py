"""A simulated number with its standard error."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from topicset_core.analyses.topic_variance.cells import Floats, Ints

N_RESAMPLES = 200
"""Resamples of trials for a standard error: it is off by 5 % itself."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A number and how far the trials settle it.

    Parameters
    ----------
    value : float or None
        None where nothing was there to compute it from.
    standard_error : float or None
        Over trials: how the value would vary with the seed. 0 for what is computed from the raw scores;
        None where there are too few trials. It does not say how other topics would change the value.
    """

    value: float | None
    standard_error: float | None

    def record(self) -> dict[str, float | None]:
        """Return both as plain values for JSON."""
        return asdict(self)


def of_trials(values: Floats) -> Estimate:
    """Return the mean of independent values, one a trial; NaN are left out."""
    defined = values[~np.isnan(values)]
    if not defined.size:
        return Estimate(value=None, standard_error=None)
    error = float(defined.std(ddof=1)) / math.sqrt(defined.size) if defined.size > 1 else None
    return Estimate(value=float(defined.mean()), standard_error=error)


def raw(value: float) -> Estimate:
    """Return a number without simulation error."""
    return Estimate(value=value, standard_error=0.0)


def resampled(statistic: Callable[[Ints], Floats], n_units: int, seed: int) -> Estimate:
    """Return a statistic of all trials, with the standard deviation it has when trials are resampled.

    For shares beyond a threshold and for quantiles, which leaving out single trials does not serve.

    Parameters
    ----------
    statistic : callable
        Takes how often each trial, or group of trials, was drawn, (n_resamples, n_units); returns the
        value of each resample.
    n_units : int
        Trials or groups; with fewer than 2 there is no error.
    seed : int
        Of the resamples.
    """
    value = float(statistic(np.ones((1, n_units), dtype=np.int64))[0])
    if n_units < 2:
        return Estimate(value=value, standard_error=None)
    source = np.random.SeedSequence(seed, spawn_key=(2,))
    rng = np.random.Generator(np.random.PCG64(source))
    drawn = rng.multinomial(n_units, np.full(n_units, 1 / n_units), N_RESAMPLES)
    return Estimate(value=value, standard_error=float(statistic(drawn).std(ddof=1)))
