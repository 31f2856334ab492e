"""One batch of trials: all cells drawn, and all pairs of runs compared in each trial."""

from typing import Any, NamedTuple

import numpy as np

from topicset_core.analyses.topic_variance.cells import Floats, Ints
from topicset_core.analyses.topic_variance.settings import Settings

UNIT = 2.0**32
"""Sums of scores over trials are whole numbers of 1 / UNIT, so that their order makes no difference."""


class Batch(NamedTuple):
    """Consecutive trials of one group."""

    group: int
    first: int
    end: int


class Drawn(NamedTuple):
    """What one batch adds to a `simulation.Simulation`, in its terms.

    `found` has tau and the numbers of pairs reversed and rejected of each trial, `kept` deviations, and
    means and deviations with topics resampled, of raw and then of simulated scores, of the trials kept.
    """

    means: Floats
    found: Floats
    reversed_pairs: Ints
    rejected_pairs: Ints
    sums: Ints
    kept: tuple[Floats, Floats, Floats, Floats, Floats]
    cell_sums: Ints
    cell_squares: Ints


def critical_value(n_topics: int, alpha: float) -> float:
    """Return the two-sided critical value of the paired t test."""
    from scipy.special import stdtrit

    return -float(stdtrit(n_topics - 1, alpha / 2))


def draw(
    arguments: tuple[Any, ...],
    settings: Settings,
    raw: Floats,
    raw_means: Floats,
    n_kept: int,
    batch: Batch,
) -> Drawn:
    """Draw consecutive trials and compare the runs in each.

    Parameters
    ----------
    arguments : tuple
        As `prepared.Prepared` has them.
    settings : Settings
        All choices.
    raw, raw_means : ndarray
        Scores of the runs as they are, and their means.
    n_kept : int
        Trials, from the first, whose pairs are kept one by one.
    batch : Batch
        The trials.
    """
    from topicset_core.analyses.topic_variance.kernels import pairs, simulation

    kinds = {"AP": simulation.AP, "P": simulation.PRECISION, "recall": simulation.RECALL}
    kinds |= {"RR": simulation.RR, "nDCG": simulation.NDCG}
    cutoff = np.iinfo(np.int64).max if settings.depth is None else settings.depth
    measure = (kinds[settings.measure], int(cutoff), settings.denominator == "fixed")
    source = np.random.SeedSequence(settings.seed, spawn_key=(0, int(settings.model == "kde")))
    key = source.generate_state(1, np.uint64)[0]
    trials = (batch.first, batch.end)
    scores = _simulated(simulation.simulate, (*arguments, measure, key, trials))
    n_topics, n_systems = raw.shape
    n_pairs, n_kept_here = n_systems * (n_systems - 1) // 2, max(min(batch.end, n_kept) - batch.first, 0)
    weights = np.empty((n_kept_here, n_topics), dtype=np.int64)
    for row in range(n_kept_here):
        weights[row] = resampled_topics(n_topics, settings.seed, batch.first + row)
    reversed_pairs, rejected_pairs = (np.zeros(n_pairs, dtype=np.int64) for _ in range(2))
    sums = np.zeros((pairs.N_CELLS, pairs.N_SUMS), dtype=np.int64)
    means, found, kept = pairs.compare_trials(
        raw,
        raw_means,
        scores.reshape(-1, n_topics, n_systems),
        weights,
        critical_value(n_topics, settings.alpha),
        float(np.sqrt(n_topics)),
        reversed_pairs,
        rejected_pairs,
        sums,
    )
    return Drawn(
        means=means,
        found=found,
        reversed_pairs=reversed_pairs,
        rejected_pairs=rejected_pairs,
        sums=sums,
        kept=kept,
        cell_sums=np.rint(scores * UNIT).astype(np.int64).sum(axis=0),
        cell_squares=np.rint(np.square(scores) * UNIT).astype(np.int64).sum(axis=0),
    )


def _simulated(kernel: Any, arguments: tuple[Any, ...]) -> Floats:
    """Call the kernel; Numba's stubs know no arguments that come as a tuple."""
    scores: Floats = kernel(*arguments)
    return scores


def resampled_topics(n_topics: int, seed: int, trial: int) -> Ints:
    """Return how often each topic was drawn in a trial, n_topics times with replacement."""
    source = np.random.SeedSequence(seed, spawn_key=(1, trial))
    drawn = np.random.Generator(np.random.PCG64(source)).integers(0, n_topics, n_topics)
    return np.bincount(drawn, minlength=n_topics).astype(np.int64)
