"""Correlations of run means over subsets with those over all topics, as exact as the scores are.

Where topics all but cancel, a subset's run means are small beside its scores, and a sum of rounded numbers leaves
few digits of them. So scores come as whole numbers that add up exactly, and what these leave of the scores, at
most half a unit: only differences of sums between runs are rounded.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.topic_subsets.judge import Floats
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
        full = _less_mean(whole.sum(axis=0), rest.sum(axis=0))
        largest = float(np.square(centred(whole, rest)).sum(axis=1).max())
        return cls(
            whole=whole, rest=rest, full=full, square=float(full @ full), tolerance=tolerance * largest
        )

    def correlation(self, topics: Sequence[int]) -> float | None:
        """Return the correlation of a subset, None where its run means are all the same."""
        places = list(topics)
        sums = _less_mean(self.whole[places].sum(axis=0), self.rest[places].sum(axis=0))
        square = float(sums @ sums)
        if square <= self.tolerance:
            return None
        # Rounding may leave 1 + 1e-16.
        return max(-1.0, min(1.0, float(sums @ self.full) / math.sqrt(square * self.square)))


def centred(whole: Floats, rest: Floats) -> Floats:
    """Return scores less their mean over runs, (n_topics, n_systems)."""
    above = (whole - whole[:, :1]) + (rest - rest[:, :1])
    return np.asarray(above - above.mean(axis=1, keepdims=True))


def _less_mean(whole: Floats, rest: Floats) -> Floats:
    """Return sums less their mean over runs; those of whole numbers are subtracted first, which is exact."""
    above = (whole - whole[0]) + (rest - rest[0])
    return np.asarray(above - above.mean())
