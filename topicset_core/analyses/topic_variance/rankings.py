"""Do runs keep their order? Error rates, Kendall's tau, ranks of runs and pairs that reverse.

References
----------
.. [1] M. Yang, P. Zhang, D. Song. A study of per-topic variance on system comparison. SIGIR 2018,
   1181-1184, algorithms 1 and 2. https://doi.org/10.1145/3209978.3210122
"""

import math
from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.topic_variance.cells import Floats, Ints
from topicset_core.analyses.topic_variance.estimate import Estimate, of_trials
from topicset_core.analyses.topic_variance.simulation import Simulation

BIN_WIDTH = 0.01
N_BINS = 21
"""Bins [0.01 (k - 1), 0.01 k) of the absolute simulated difference, without 0; the last from .2 on."""

LEVEL = 0.95
"""Share of trials within a rank interval."""

TOLERATED = 0.05
"""A pair that reverses in less than this share of trials keeps its order, as pages and texts say it."""


def error_rates(simulation: Simulation) -> tuple[Estimate, ...]:
    """Return for each bin how often a pair of runs stands in the other order than in the raw data.

    [1], algorithm 1. A raw difference of 0 cannot reverse; a simulated one of 0 is in no bin. Pairs of one
    trial share its samples, so the trial is the unit of the standard error, that of a ratio of two sums.
    """
    n_trials = simulation.settings.n_trials
    return tuple(_ratio(sums, n_trials) for sums in simulation.sums[1:].tolist())


def pairs_by_bin(simulation: Simulation) -> Ints:
    """Return how many pairs of all trials fell into each bin, (21,)."""
    return np.asarray(simulation.sums[1:, 0])


def overall_error_rate(simulation: Simulation) -> Estimate:
    """Return how often a pair stands in the other order, whatever the difference."""
    n_pairs = simulation.reversed_pairs.size
    return of_trials(simulation.n_reversed / n_pairs)


def rank_correlation(simulation: Simulation) -> Estimate:
    """Return the mean of Kendall's tau-b between raw and simulated means, "KRCC"; [1], algorithm 2."""
    return of_trials(simulation.taus)


def ranks(means: Floats) -> Floats:
    """Return the rank of each run along the last axis, 1 for the best and mean ranks for ties."""
    falling = -np.round(means, 12)  # what differs by rounding only is tied
    order = np.argsort(falling, axis=-1, kind="stable")
    ordered = np.take_along_axis(falling, order, axis=-1)
    differs = ordered[..., 1:] != ordered[..., :-1]
    ends = np.ones((*means.shape[:-1], 1), dtype=np.bool_)
    places = np.arange(1, means.shape[-1] + 1)
    first = np.maximum.accumulate(np.where(np.concatenate([ends, differs], axis=-1), places, 0), axis=-1)
    beyond = places.size + 1
    last = np.where(np.concatenate([differs, ends], axis=-1), places, beyond)[..., ::-1]
    last = np.minimum.accumulate(last, axis=-1)[..., ::-1]
    found: Floats = np.empty(means.shape)
    np.put_along_axis(found, order, 0.5 * (first + last), axis=-1)
    return found


@dataclass(frozen=True, kw_only=True)
class RankInterval:
    """Where a run stands: its raw rank, and between which ranks it is in 95 % of the trials."""

    system: str
    raw_rank: float
    low: float
    high: float


def rank_intervals(simulation: Simulation) -> tuple[RankInterval, ...]:
    """Return the rank intervals of all runs, in their order; quantiles are ranks that occurred."""
    raw_ranks = ranks(simulation.raw_means)
    tail = (1 - LEVEL) / 2
    found = ranks(simulation.means)
    low = np.quantile(found, tail, axis=0, method="inverted_cdf")
    high = np.quantile(found, 1 - tail, axis=0, method="inverted_cdf")
    return tuple(
        RankInterval(system=system, raw_rank=float(at), low=float(lowest), high=float(highest))
        for system, at, lowest, highest in zip(simulation.cells.systems, raw_ranks, low, high, strict=True)
    )


@dataclass(frozen=True, kw_only=True)
class ReversedPair:
    """Two runs, the better one by raw means first, and the share of trials with the other order."""

    better: str
    worse: str
    raw_difference: float
    share: Estimate


def reversed_pairs(simulation: Simulation, at_least: float = TOLERATED) -> tuple[ReversedPair, ...]:
    """Return the pairs that stand the other way round in at least a share of the trials, most often first."""
    first, second = simulation.pairs
    n_trials = simulation.settings.n_trials
    shares = simulation.reversed_pairs / n_trials
    found = []
    for pair in np.argsort(-shares, kind="stable").tolist():
        share = float(shares[pair])
        if share < at_least or share == 0.0:
            break
        one, other = int(first[pair]), int(second[pair])
        if simulation.raw_means[one] < simulation.raw_means[other]:
            one, other = other, one
        error = math.sqrt(share * (1 - share) / (n_trials - 1)) if n_trials > 1 else None
        found.append(
            ReversedPair(
                better=simulation.cells.systems[one],
                worse=simulation.cells.systems[other],
                raw_difference=float(simulation.raw_means[one] - simulation.raw_means[other]),
                share=Estimate(value=share, standard_error=error),
            )
        )
    return tuple(found)


def _ratio(sums: list[int], n_trials: int) -> Estimate:
    """Return reversals / pairs; the sums are of pairs, reversals, their squares and product."""
    pairs, reversals, pairs_squared, product, reversals_squared = sums
    if not pairs:
        return Estimate(value=None, standard_error=None)
    rate = reversals / pairs
    if n_trials == 1:
        return Estimate(value=rate, standard_error=None)
    residual = reversals_squared - 2 * rate * product + rate**2 * pairs_squared
    return Estimate(
        value=rate, standard_error=math.sqrt(max(residual, 0.0) * n_trials / (n_trials - 1)) / pairs
    )
