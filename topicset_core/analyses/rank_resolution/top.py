"""The systems at the top: is the top k the top k, and how often is each system the best.

**Verification** (Sood, arXiv:2503.01065, 2025; for k = 1 Gutmann and Maymin, Annals of Statistics 15, 456-461,
1987). t_k is the least paired t statistic of a system of the observed top k against one outside. If t_k > 0 and
its ordinary two-sided p value is at most alpha, the observed top k are the true ones: no correction for the
number of systems, or for having looked which they are. One k must be named in advance.

**Share of resamples in which a system is the best.** The Bayesian bootstrap (Rubin, Annals of Statistics 9,
130-134, 1981) gives each topic the weight of an exponential number over their sum. It is no confidence level:
for near-duplicates at the top it claims too much.
"""

import math
from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.rank_resolution.pairs import Floats
from topicset_core.analyses.rank_resolution.resolution import Resolution, checked_k
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.distributions import upper_normal
from topicset_core.parameters import BETA

N_RESAMPLES, BLOCK_RESAMPLES = 4000, 250
"""Resamples, and those that share a stream of random numbers and are computed by one matrix product."""

_MORE_FOR_T = 1.92
"""Topics that a t test needs beyond a z test at alpha = .05: half the square of its critical value."""


@dataclass(frozen=True, kw_only=True)
class Verification:
    """Whether the observed top k are the true top k."""

    k: int  # systems at the top, named in advance
    statistic: float | None
    p_value: float  # two-sided, n - 1 degrees of freedom
    closest: tuple[str, str]  # the pair of the least t
    # Topics at which the pair that needs most is significant with probability 1 - beta, if differences are as
    # observed
    topics: int | None
    alpha: float  # significance level

    @property
    def is_verified(self) -> bool:
        """Whether the top k are verified at level alpha."""
        return self.p_value <= self.alpha


def verify_top(resolution: Resolution, k: int) -> Verification:
    """Verify the observed top k; topics are for a power of 80 %."""
    from scipy.special import stdtr

    checked_k(resolution.matrix, k, resolution.matrix.n_systems - 1)
    alpha, pairs = resolution.request.alpha, resolution.pairs
    across = np.flatnonzero((pairs.first < k) & (pairs.second >= k))
    difference, variance = pairs.difference[across], pairs.variance[across]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = difference / np.sqrt(variance / pairs.n_topics)
        n_topics = (
            variance / np.square(difference) * (upper_normal(alpha / 2) + upper_normal(BETA.default)) ** 2
        )
    t = np.where(difference == 0, 0.0, t)  # equal columns have no variance either
    least = int(np.argmin(t))
    place = across[least]
    statistic = float(t[least])
    p = 2 * float(stdtr(pairs.n_topics - 1, -statistic)) if statistic > 0 else 1.0
    most = float(np.max(np.where(difference > 0, n_topics, math.inf)))
    names = resolution.systems
    return Verification(
        k=k,
        statistic=statistic if statistic > 0 else None,
        p_value=p,
        closest=(names[pairs.first[place]], names[pairs.second[place]]),
        topics=math.ceil(most + _MORE_FOR_T) if math.isfinite(most) else None,
        alpha=alpha,
    )


def chance_of_best(matrix: ScoreMatrix, *, seed: int) -> Floats:
    """Return the share of Bayesian bootstrap resamples in which each system has the highest mean."""
    won = np.zeros(matrix.n_systems)
    for block in range(N_RESAMPLES // BLOCK_RESAMPLES):
        stream = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1, block)))
        weights = stream.standard_exponential((BLOCK_RESAMPLES, matrix.n_topics))
        sums = weights @ matrix.scores
        largest = sums.max(axis=1, keepdims=True)
        best = sums >= largest - 1e-12 * np.abs(largest)
        won += (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
    return np.asarray(won / N_RESAMPLES)
