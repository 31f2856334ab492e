"""Passing in all of k tries, where each system answered each topic r times and each answer is right or wrong.

Of a topic that passed in c of r tries, C(c, k) / C(r, k) is the unbiased estimate of the probability to pass in all
of k new tries. Its mean over topics has the interval of Wilson (1927) for a share of as many topics as give the
observed variance, n p (1 - p) / s^2; for k = r, where each topic passed or not, these are n - 1, and n where
topics do not vary.

**Rare passes.** A few topics that pass often give most of a small share, and a sample may have none of them: its
variance is then too small, and Wilson's interval covered .59 to .97. So where fewer than 5 topics passed in all r
tries, the upper limit is that of the sample with one more topic that passed in all. Where fewer than 5 topics
passed in at least k tries, it is at most the upper limit of Clopper and Pearson (1934) for that many topics, and
the lower limit at most theirs for the topics that passed in all r tries; for k = r these are their interval. (For
k < r the interval of Clopper and Pearson alone, of the topics that passed in at least k tries, covered .67 to .99.)

The intraclass correlation of the answers to a topic is that of the beta-binomial distribution,
(MSB - MSW) / (MSB + (r - 1) MSW) of the mean squares between and within topics; where it is 0 the tries are
independent, and passing in all of k has the probability of one try to the power of k.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.replicated_scores import ReplicatedScores
from topicset_core.designs.share_interval import share_interval
from topicset_core.wording import ranging

Floats = NDArray[np.float64]

_ROUNDING = 1e-24  # of the variance of equal shares
_FEW = 5  # topics below which passes are rare

TRIES_COVER = (0.93, 1.0)
"""Least and most coverage of 95 % intervals."""
TRIES_NOTE = (
    "In simulation with 10 to 100 topics, 95 % intervals of passing in all of k tries covered "
    f"{ranging(TRIES_COVER)}; those of rare passes are wide."
)


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
    r = scores.n_repeats
    result = []
    for place, system in enumerate(scores.systems):
        passed = np.rint(scores.scores[:, place].sum(axis=1)).astype(int)
        correlation = _correlation(scores.scores[:, place])
        for k in range(1, r + 1):
            of_topic = np.array([math.comb(c, k) for c in range(r + 1)])[passed] / math.comb(r, k)
            low, high = _interval(of_topic, alpha)
            result.append(
                AllOfTries(
                    system=system,
                    tries=k,
                    share=float(of_topic.mean()),
                    low=low,
                    high=high,
                    correlation=correlation,
                )
            )
    return tuple(result)


def _interval(of_topic: Floats, alpha: float) -> tuple[float, float]:
    """Return the confidence interval of a mean over topics of values from 0 to 1."""
    n, n_passed, n_ever = of_topic.size, int((of_topic == 1).sum()), int((of_topic > 0).sum())
    low, high = _wilson(of_topic, alpha)
    if n_passed < _FEW:
        high = _wilson(np.append(of_topic, 1.0), alpha)[1]
    if n_ever < _FEW:
        low = min(low, float(share_interval(n_passed, n, alpha, "clopper-pearson")[0]))
        high = min(high, float(share_interval(n_ever, n, alpha, "clopper-pearson")[1]))
    return low, high


def _wilson(of_topic: Floats, alpha: float) -> tuple[float, float]:
    """Return Wilson's interval for as many topics as give the variance."""
    n, share, spread = of_topic.size, float(of_topic.mean()), float(of_topic.var(ddof=1))
    effective = n * share * (1 - share) / spread if spread > _ROUNDING else float(n)
    low, high = share_interval(share * effective, effective, alpha)
    return float(low), float(high)


def _correlation(answers: Floats) -> float | None:
    """Return the intraclass correlation of a table of topics by tries."""
    n, r = answers.shape
    means = answers.mean(axis=1)
    between = r * float(np.square(means - means.mean()).sum()) / (n - 1)
    within = float(np.square(answers - means[:, np.newaxis]).sum()) / (n * (r - 1))
    whole = between + (r - 1) * within
    return max((between - within) / whole, 0.0) if whole > 0 else None
