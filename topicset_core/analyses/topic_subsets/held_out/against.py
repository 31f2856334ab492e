"""Subsets of some topics judged against a ground truth of others.

The curve of one matrix judges subsets against the topics that they are part of; here the truth Y is the run
means over other topics, and X those over the subset, as in section 4.5.2 of Guiver et al. (2009).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from topicset_core.analyses.topic_subsets.by_correlation import CorrelationJudge
from topicset_core.analyses.topic_subsets.by_pairs import PairJudge
from topicset_core.analyses.topic_subsets.goodness import Goodness
from topicset_core.analyses.topic_subsets.judge import Floats, Judge, Topics

_NONE = -8.0  # as in the kernel


class Judging(Protocol):
    """What tells the goodness of subsets; all that a search has, but for the search."""

    def value(self, topics: Sequence[int]) -> float | None:
        """Return the oriented goodness of one subset, None where it has no correlation."""

    def walk(self, orders: Topics, cardinalities: Topics) -> Floats:
        """Return the oriented goodness of the first c topics of each order; -9 or less for none."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CorrelationAgainst:
    """Pearson's correlation of run means with others.

    Parameters
    ----------
    centred : ndarray of float64, shape (n_topics, n_systems)
        Scores less their mean over runs.
    truth : ndarray of float64, shape (n_systems,)
        Sums of scores over the other topics, less their mean over runs.
    tolerance : float
        Sums of squares up to this are rounding.
    """

    centred: Floats
    truth: Floats
    tolerance: float

    def value(self, topics: Sequence[int]) -> float | None:
        """See `Judging.value`."""
        means = self.centred[list(topics)].sum(axis=0)
        square = float(means @ means)
        if square <= self.tolerance:
            return None
        return max(
            -1.0,
            min(1.0, float(means @ self.truth) / math.sqrt(square * float(self.truth @ self.truth))),
        )

    def walk(self, orders: Topics, cardinalities: Topics) -> Floats:
        """See `Judging.walk`."""
        from topicset_core.analyses.topic_subsets.kernels import pearson_search

        values = pearson_search.walk(self.centred, self.truth, orders, cardinalities, self.tolerance)
        return np.where(values > _NONE, values / math.sqrt(float(self.truth @ self.truth)), -9.0)


def judge_of(scores: Floats, goodness: Goodness) -> Judge:
    """Return the judge of subsets of all rows of scores, (n_topics, n_systems).

    Raises
    ------
    InputError
        If all runs have the same mean.
    """
    judge: Judge
    if goodness == "pearson":
        judge = CorrelationJudge.of(scores)
    else:
        judge = PairJudge.of(scores, error_rate=goodness == "error-rate")
    return judge


def judging_against(scores: Floats, truth: Floats, goodness: Goodness) -> Judging:
    """Return what judges subsets of the rows of scores by the means over the rows of truth.

    Parameters
    ----------
    scores, truth : ndarray of float64, shapes (n_topics, n_systems), (n_others, n_systems)
        Of the same runs.
    goodness : {"pearson", "kendall", "error-rate"}
        How.

    Raises
    ------
    InputError
        If all runs have the same mean over the rows of either.
    """
    if goodness != "pearson":
        return PairJudge.of(scores, error_rate=goodness == "error-rate", truth=truth)
    subsets, others = CorrelationJudge.of(scores), CorrelationJudge.of(truth)
    return CorrelationAgainst(
        centred=subsets.centred, truth=others.centred.sum(axis=0), tolerance=subsets.tolerance
    )
