"""Intervals of error rates on a scale that keeps them between 0 and .5."""

import math
from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.error_rate.pairs import Floats

LEVEL = 0.90
"""Share of intervals that should hold the truth."""


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A value and the interval for it at the level of `LEVEL`; equal ends where topics do not matter."""

    value: float
    low: float
    high: float


def stretched(rates: Floats) -> Floats:
    """Map rates from 0 to .5 onto the whole line."""
    inside = np.clip(rates, 1e-300, 0.5 - 1e-12)
    return np.asarray(np.log(inside / (0.5 - inside)))


def around(value: float, standard_error: float, t: float) -> Interval:
    """Return the interval of t standard errors on the scale of `stretched` around a rate."""
    middle = float(stretched(np.array(value)))
    low, high = (0.5 / (1 + math.exp(min(-(middle + side * t * standard_error), 700.0))) for side in (-1, 1))
    return Interval(value=value, low=min(low, value), high=max(high, value))
