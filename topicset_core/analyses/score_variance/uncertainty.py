"""The uncertainty of the number of topics, given that the variance was estimated.

A design takes the variance as known. It comes from collections whose topics might have been others:
topics are drawn again within each collection, the variance and the number of topics are computed
from each of these resamples, and the middle 90 % of both are reported.

The interval does not show: other runs, another task, and that scores are not normal. Nor is
its nominal level quite reached: `topicset_core.variance.coverage` has what simulation found.

Sakai [1]_ hopes that tasks will pool the variances observed in their past rounds, and that the required
topics will stabilise after a few. `rounds` takes the collections of a task in the order of its rounds and
shows just that: each round's own variance, the variance pooled so far, and the topics that each would
have asked for in the next round.

References
----------
.. [1] T. Sakai. Topic set size design. Information Retrieval Journal 19, 256-283 (2016), section 7:
   "the greatest source of error for our topic set size design approach is probably the variance
   estimation step". https://doi.org/10.1007/s10791-015-9273-z
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.sizing import TopicsAnswer, TopicsRule, topics_of_variances
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.search import Floats
from topicset_core.errors import InputError
from topicset_core.variance import remarks
from topicset_core.variance.choices import ONE_WAY, Estimate
from topicset_core.variance.intervals import (
    DEFAULT_LEVEL,
    PercentileInterval,
    check_level,
    percentile_interval,
)
from topicset_core.variance.pooling import Weights, checked_collections, pooled, shares_of
from topicset_core.variance.resampling import (
    DEFAULT_SEED,
    DEFAULT_TRIALS,
    pooled_of_resamples,
    resampled_variances,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class VarianceUncertainty:
    """A variance, the topics it asks for, and how far both depend on the topics that were there.

    Parameters
    ----------
    design : str
        Name of the design that was asked.
    estimate : Estimate
        How the variance is taken from a matrix.
    measure : str
        Measure of the scores.
    collections : tuple of str
        Names of the matrices.
    weights : {"topics", "degrees-of-freedom"}
        How they are pooled.
    variance : float
        The estimate, pooled.
    interval : PercentileInterval
        Of the variance over resamples.
    topics_needed : AnsweredTopics
        Required topics at the estimate, if any; `topics` is their number.
    resampled_variances : ndarray of float64, shape (n_trials,)
        In the order in which they were drawn.
    resampled_topics : AnsweredTopics
        Required topics of each, with the count of variances without an answer.
    seed, n_trials : int
        Of the resampling.
    remarks : tuple of str
        What to know about the matrices and the estimate.
    """

    design: str
    estimate: Estimate
    measure: str
    collections: tuple[str, ...]
    weights: Weights
    variance: float
    interval: PercentileInterval
    topics_needed: TopicsAnswer
    resampled_variances: Floats
    resampled_topics: TopicsAnswer
    seed: int
    n_trials: int
    remarks: tuple[str, ...]

    @property
    def topics(self) -> int | None:
        """Required topics at the estimate; None where it is 0 or needs more than ten million."""
        return self.topics_needed.quantile(1.0)

    @property
    def topics_interval(self) -> tuple[int | None, int | None]:
        """Required topics at the two ends of the interval; None where there is no answer."""
        level = self.interval.level
        quantile = self.resampled_topics.quantile
        return quantile((1 - level) / 2), quantile((1 + level) / 2)

    @property
    def standard_error(self) -> float:
        """Standard deviation of the variance over resamples; 0 for a single trial."""
        return float(self.resampled_variances.std(ddof=1)) if self.n_trials > 1 else 0.0

    @property
    def sentence(self) -> str:
        """The answer in words, as "149 topics (90 % confidence interval, bootstrap over topics: 121 to 183)"."""
        answers, level = self.resampled_topics, self.interval.level
        low, high = (answers.quantile_in_words(share) for share in ((1 - level) / 2, (1 + level) / 2))
        at_estimate = "any number of" if self.variance == 0 else self.topics_needed.quantile_in_words(1.0)
        interval = f"{100 * level:g} % confidence interval, bootstrap over topics: {low} to {high}"
        text = f"{at_estimate} topics ({interval})"
        if answers.n_without_variance:
            text += f"; {answers.n_without_variance:,} of {answers.n_resamples:,} resamples have no variance"
        if answers.n_beyond:
            text += f"; {answers.n_beyond:,} of {answers.n_resamples:,} need more topics than are searched"
        return text


@dataclass(frozen=True, kw_only=True, eq=False)
class Round:
    """One round of a task.

    Parameters
    ----------
    name : str
        Name of the round's matrix.
    n_topics, n_systems : int
        Its size.
    own : VarianceUncertainty
        From this round alone.
    so_far : VarianceUncertainty
        From this and all earlier rounds, pooled: the plan for the next round.
    """

    name: str
    n_topics: int
    n_systems: int
    own: VarianceUncertainty
    so_far: VarianceUncertainty


def variance_uncertainty(
    matrices: Iterable[ScoreMatrix],
    rule: TopicsRule,
    *,
    estimate: Estimate = ONE_WAY,
    weights: Weights = "topics",
    level: float = DEFAULT_LEVEL,
    n_trials: int = DEFAULT_TRIALS,
    seed: int = DEFAULT_SEED,
    drawn: Floats | None = None,
) -> VarianceUncertainty:
    """Return a pooled variance and its required topics, each with an interval from resampling topics.

    Parameters
    ----------
    matrices : iterable of ScoreMatrix
        At least one, all of one measure.
    rule : TopicsRule
        The design with its requirements; see `variance_topics`.
    estimate : Estimate
        Of the kind that the design takes.
    weights : {"topics", "degrees-of-freedom"}
        How collections are pooled.
    level : float
        Share of resamples in the interval, above 0 and below 1.
    n_trials : int
        Resamples, from 1 to a million.
    seed : int
        From 0; the same seed gives the same answer.
    drawn : ndarray of float64, shape (n_trials, n_collections), optional
        What `resampled_variances` gave for the same matrices, estimate and seed: then another
        question about them draws nothing again.

    Raises
    ------
    InputError
        If a value breaks its rule, the matrices cannot be pooled, the estimate refuses one, or the
        estimate is of another kind than the design takes.
    """
    collections = checked_collections(matrices)
    check_request(rule, estimate, level)
    shares_of(collections, estimate, weights)  # refuses before the work
    variances = drawn
    if variances is None:
        variances = resampled_variances(collections, estimate, n_trials=n_trials, seed=seed)
    return summarised(
        collections, variances, rule, estimate=estimate, weights=weights, level=level, seed=seed
    )


def rounds(
    matrices: Iterable[ScoreMatrix],
    rule: TopicsRule,
    *,
    estimate: Estimate = ONE_WAY,
    weights: Weights = "topics",
    level: float = DEFAULT_LEVEL,
    n_trials: int = DEFAULT_TRIALS,
    seed: int = DEFAULT_SEED,
) -> tuple[Round, ...]:
    """Return one `Round` for each matrix, in the order given, the order of the task's rounds.

    A round is resampled once: its draws serve its own interval and every pool that it is in, so
    ``rounds(...)[-1].so_far`` is `variance_uncertainty` of all matrices, value for value.

    Errors are as in `variance_uncertainty`.

    Parameters
    ----------
    matrices : iterable of ScoreMatrix
        One per round, in the order of the rounds.
    rule, estimate, weights, level, n_trials, seed
        As in `variance_uncertainty`.
    """
    collections = checked_collections(matrices)
    check_request(rule, estimate, level)
    shares_of(collections, estimate, weights)
    variances = resampled_variances(collections, estimate, n_trials=n_trials, seed=seed)

    def of(start: int, stop: int) -> VarianceUncertainty:
        return summarised(
            collections[start:stop],
            variances[:, start:stop],
            rule,
            estimate=estimate,
            weights=weights,
            level=level,
            seed=seed,
        )

    return tuple(
        Round(
            name=matrix.name,
            n_topics=matrix.n_topics,
            n_systems=matrix.n_systems,
            own=of(place, place + 1),
            so_far=of(0, place + 1),
        )
        for place, matrix in enumerate(collections)
    )


def summarised(
    collections: Sequence[ScoreMatrix],
    variances: Floats,
    rule: TopicsRule,
    *,
    estimate: Estimate,
    weights: Weights,
    level: float,
    seed: int,
) -> VarianceUncertainty:
    """Return the result for resampled variances, (n_trials, n_collections), that are there already."""
    values = pooled_of_resamples(variances, shares_of(collections, estimate, weights))
    variance = pooled(collections, estimate, weights)
    summary = tuple(dict.fromkeys(text for matrix in collections for text in remarks(matrix)))
    return VarianceUncertainty(
        design=rule.design,
        estimate=estimate,
        measure=collections[0].measure,
        collections=tuple(matrix.name for matrix in collections),
        weights=weights,
        variance=variance,
        interval=percentile_interval(values, level),
        topics_needed=topics_of_variances(rule, np.array([variance])),
        resampled_variances=values,
        resampled_topics=topics_of_variances(rule, values),
        seed=seed,
        n_trials=values.size,
        remarks=(*summary, estimate.advice) if estimate.advice else summary,
    )


def check_request(rule: TopicsRule, estimate: Estimate, level: float) -> None:
    """Refuse an estimate that the design does not take, or an invalid level.

    Raises
    ------
    InputError
        In either case.
    """
    check_level(level)
    if estimate.kind != rule.takes:
        target = {"difference": "the variance of a difference", "within-system": "a within-system variance"}
        raise InputError("estimate", estimate.name, f"must be {target[rule.takes]} for {rule.design}")
