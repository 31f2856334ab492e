"""Passing in all of k tries, where each system answered each topic r times and each answer is right or wrong.

Of a topic that passed in c of r tries, C(c, k) / C(r, k) is the unbiased estimate of the probability to pass in all
of k new tries. Its mean over topics has the interval of Wilson (1927) for a share of as many topics as give the
observed variance, n p (1 - p) / s^2; for k = r, where each topic passed or not, these are n - 1, and n where
topics do not vary.

The intraclass correlation of the answers to a topic is that of the beta-binomial distribution,
(MSB - MSW) / (MSB + (r - 1) MSW) of the mean squares between and within topics; where it is 0 the tries are
independent, and passing in all of k has the probability of one try to the power of k.
"""

import math
from dataclasses import dataclass

import numpy as np

from topicset_core.collection.replicated_scores import ReplicatedScores
from topicset_core.designs.share_interval import share_interval

_ROUNDING = 1e-24  # of the variance of equal shares


@dataclass(frozen=True, kw_only=True)
class AllOfTries:
    """How often a system passes in all of k tries."""

    system: str
    tries: int  # k
    share: float  # estimate of the mean over topics
    # Confidence interval over topics
    low: float
    high: float
    correlation: float | None  # of the answers to one topic; at least 0, None where answers do not vary


def all_of_tries(scores: ReplicatedScores, alpha: float) -> tuple[AllOfTries, ...]:
    """Return how often each system passes in all of 1 to r tries; nothing where scores are others than 0 and 1."""
    if not np.isin(scores.scores, (0, 1)).all():
        return ()
    n, r = scores.n_topics, scores.n_repeats
    result = []
    for place, system in enumerate(scores.systems):
        passed = np.rint(scores.scores[:, place].sum(axis=1)).astype(int)
        correlation = _correlation(scores.scores[:, place])
        for k in range(1, r + 1):
            of_topic = np.array([math.comb(c, k) for c in range(r + 1)])[passed] / math.comb(r, k)
            share, spread = float(of_topic.mean()), float(of_topic.var(ddof=1))
            effective = n * share * (1 - share) / spread if spread > _ROUNDING else float(n)
            low, high = share_interval(share * effective, effective, alpha)
            result.append(
                AllOfTries(
                    system=system,
                    tries=k,
                    share=share,
                    low=float(low),
                    high=float(high),
                    correlation=correlation,
                )
            )
    return tuple(result)


def _correlation(answers: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float | None:
    """Return the intraclass correlation of a table of topics by tries."""
    n, r = answers.shape
    means = answers.mean(axis=1)
    between = r * float(np.square(means - means.mean()).sum()) / (n - 1)
    within = float(np.square(answers - means[:, np.newaxis]).sum()) / (n * (r - 1))
    whole = between + (r - 1) * within
    return max((between - within) / whole, 0.0) if whole > 0 else None
