"""The error rate as curves, over each of its three factors.

Lin and Hauptmann name the factors: the number of topics, the difference between the systems, and
the variance of the differences of their scores.

References
----------
.. [1] W.-H. Lin, A. Hauptmann. Revisiting the effect of topic set size on retrieval error. SIGIR 2005.
"""

from dataclasses import dataclass

import numpy as np

from topicset_core.designs.error_rate import SET_SIZE, reer
from topicset_core.designs.search import Floats
from topicset_core.parameters import DIFFERENCE_VARIANCE, MIN_D

MULTIPLES = tuple(float(step) for step in np.linspace(0.0, 3.0, 121))
"""Multiples of the user's value over which a factor runs; one of them is 1."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FactorCurve:
    """The error rate over one factor, with the other two fixed."""

    factor: str  # "n_topics", "difference" or "difference_variance"
    values: Floats
    errors: Floats  # error rate at each, above 0 and at most .5


def factor_curves(
    *, difference: float, difference_variance: float, n_topics: int
) -> tuple[FactorCurve, FactorCurve, FactorCurve]:
    """Return the curves over topics, difference and variance that cross at the given point."""
    point = {
        "n_topics": SET_SIZE.check(n_topics),
        "difference": MIN_D.check(difference),
        "difference_variance": DIFFERENCE_VARIANCE.check(difference_variance),
    }
    curves = []
    for factor, value in point.items():
        values = value * np.array(MULTIPLES[0 if factor == "difference" else 1 :])
        if factor == "n_topics":
            values = np.unique(np.clip(np.rint(values), 1, SET_SIZE.upper))
        curves.append(FactorCurve(factor=factor, values=values, errors=reer(**(point | {factor: values}))))
    topics, differences, variances = curves
    return topics, differences, variances
