"""Topics drawn again, with replacement, as counts.

Trials come in blocks of `BLOCK_TRIALS`, each with a random stream of its own: any block can be computed alone, by
any worker and in any order, and more trials do not change the first trials.
"""

import numpy as np
from numpy.typing import NDArray

from topicset_core.errors import InputError

BLOCK_TRIALS = 250
"""Resamples that share a stream of random numbers and are computed by one matrix product."""

_TOGETHER = 50_000  # topics drawn at a time


def resampled_counts(n_topics: int, n_trials: int, generator: np.random.Generator) -> NDArray[np.float64]:
    """Return how often each topic was drawn in each resample."""
    counts = np.empty((n_trials, n_topics))
    # Some rows at a time stay in the processor's cache; the numbers drawn are the same.
    together = max(1, _TOGETHER // n_topics)
    for start in range(0, n_trials, together):
        drawn = generator.integers(n_topics, size=(min(together, n_trials - start), n_topics))
        drawn += n_topics * np.arange(len(drawn))[:, np.newaxis]
        counts[start : start + len(drawn)] = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(
            drawn.shape
        )
    return counts


def checked_seed(seed: int) -> int:
    """Return the seed."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InputError("seed", seed, "must be a whole number from 0")
    return seed
