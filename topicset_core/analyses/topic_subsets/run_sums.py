"""Correlations of run means over subsets with those over all topics, as exact as the scores are.

Where topics all but cancel, a subset's run means are small beside its scores, and a sum of rounded numbers leaves
few digits of them. So scores come as whole numbers that add up exactly, and what these leave of the scores, at
most half a unit: only differences of sums between runs are rounded.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from topicset_core.analyses.topic_subsets.judge import Floats, Topics
from topicset_core.analyses.topic_subsets.whole import whole_and_rest


@dataclass(frozen=True, kw_only=True, eq=False)
class RunSums:
    """Scores of all topics, ready to be added up.

    Parameters
    ----------
    whole, rest : ndarray of float64, shape (n_topics, n_systems)
        Scores in units of their own: see `whole.whole_and_rest`.
    full : ndarray of float64, shape (n_systems,)
        Sums over all topics, less their mean over runs.
    square : float
        Sum of squares of `full`.
    tolerance : float
        Subsets whose sums less their mean have squares that add up to at most this have no correlation.
    """

    whole: Floats
    rest: Floats
    full: Floats
    square: float
    tolerance: float

    @classmethod
    def of(cls, scores: Floats, tolerance: float) -> "RunSums":
        """Prepare scores, (n_topics, n_systems); `tolerance` is a share of the largest square of a topic."""
        whole, rest = whole_and_rest(scores)
        full = _above_first(whole.sum(axis=0)) + _above_first(rest.sum(axis=0))
        full = full - full.mean()
        largest = float(np.square(centred(whole, rest)).sum(axis=1).max())
        return cls(
            whole=whole, rest=rest, full=full, square=float(full @ full), tolerance=tolerance * largest
        )

    @cached_property
    def _leaves_nothing(self) -> bool:
        """Whether the scores are whole numbers, as those with a few decimals are."""
        return not self.rest.any()

    def correlation(self, topics: Sequence[int]) -> float | None:
        """Return the correlation of a subset, None where its run means are all the same."""
        return self.correlations(np.array([topics], dtype=np.int64))[0]

    def correlations(self, subsets: Topics) -> list[float | None]:
        """Return the correlation of each subset, (n_subsets, cardinality), as `correlation` does.

        The same to the last bit however many are asked for at a time: each is added up by itself.
        """
        sums = _above_first(self.whole[subsets].sum(axis=1))
        if not self._leaves_nothing:
            sums = sums + _above_first(self.rest[subsets].sum(axis=1))
        sums = sums - sums.mean(axis=1, keepdims=True)
        squares = np.square(sums).sum(axis=1)
        products = (sums * self.full).sum(axis=1)
        return [
            # Rounding may leave 1 + 1e-16.
            max(-1.0, min(1.0, product / math.sqrt(square * self.square)))
            if square > self.tolerance
            else None
            for square, product in zip(squares.tolist(), products.tolist(), strict=True)
        ]


def centred(whole: Floats, rest: Floats) -> Floats:
    """Return scores less their mean over runs, (n_topics, n_systems)."""
    above = _above_first(whole) + _above_first(rest)
    return np.asarray(above - above.mean(axis=1, keepdims=True))


def _above_first(sums: Floats) -> Floats:
    """Return sums, (..., n_systems), above the first run's; whole numbers are subtracted exactly."""
    return np.asarray(sums - sums[..., :1])
