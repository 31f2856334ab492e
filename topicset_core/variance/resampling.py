"""How far a variance depends on the topics that happened to be in the collections.

Topics are drawn with replacement within each collection, as many as it has; the runs stay. The
spread of the estimate over resamples estimates its spread over topic sets that might have been
made. Runs are kept because they are not a sample of anything: the question is how other topics
would have scored these systems.

Seeds: trials come in blocks of `BLOCK_TRIALS`, and block b of collection c draws from its own
`numpy.random.SeedSequence(seed, spawn_key=(b, c))`. So any block can be computed alone, by any
worker and in any order; more trials do not change the first trials, nor does another
collection. The block is also the unit of arithmetic, so nothing depends on how blocks are batched.

`intervals` makes an interval of the values, `coverage` gives how often it covers the true value.
"""

from collections.abc import Iterable

import numpy as np

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.variance.choices import ONE_WAY, Estimate
from topicset_core.variance.pooling import Weights, checked_collections, shares_of
from topicset_core.variance.resampled_sums import Floats

BLOCK_TRIALS = 250
"""Resamples that share a stream of random numbers and are computed by one matrix product."""

MOST_TRIALS = 1_000_000
DEFAULT_TRIALS = 2000
"""Enough for two digits of a 90 % interval: the share outside each end is 5 % +- 0.5 %."""

DEFAULT_SEED = 20160601

_TOGETHER = 50_000  # topics drawn at a time


def resampled_counts(n_topics: int, n_trials: int, generator: np.random.Generator) -> Floats:
    """Return how often each topic was drawn in each resample.

    Returns
    -------
    ndarray of float64, shape (n_trials, n_topics)
        Whole numbers; each row has the sum `n_topics`.
    """
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


def block_of_variances(
    matrices: Iterable[ScoreMatrix], estimate: Estimate, *, block: int, seed: int
) -> Floats:
    """Return the variance of each collection in each resample of one block.

    Parameters
    ----------
    matrices : iterable of ScoreMatrix
        At least one, all of one measure.
    estimate : Estimate
        One of `choices.ESTIMATES`, or made by `pair_percentile` or `chosen_pair`.
    block : int
        From 0.
    seed : int
        From 0.

    Returns
    -------
    ndarray of float64, shape (BLOCK_TRIALS, n_collections)
        Each with its factor n / (n - 1), see `resampled_sums`.

    Raises
    ------
    InputError
        If there is nothing to estimate from, or the seed is negative.
    """
    collections = checked_collections(matrices)
    checked_seed(seed)
    columns = []
    for place, matrix in enumerate(collections):
        stream = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(block, place)))
        columns.append(estimate.resampled(matrix, resampled_counts(matrix.n_topics, BLOCK_TRIALS, stream)))
    return np.stack(columns, axis=1)


def resampled_variances(
    matrices: Iterable[ScoreMatrix],
    estimate: Estimate = ONE_WAY,
    *,
    n_trials: int = DEFAULT_TRIALS,
    seed: int = DEFAULT_SEED,
) -> Floats:
    """Return the variance of each collection in each resample of its topics.

    2,000 resamples of 249 topics x 110 runs take some 0.02 s of CPU for the estimates from sums of
    squares, and 0.5 s for a percentile over its 5,995 pairs of runs.

    Parameters
    ----------
    matrices, estimate, seed
        As in `block_of_variances`.
    n_trials : int
        From 1 to a million.

    Returns
    -------
    ndarray of float64, shape (n_trials, n_collections)
        From 0; the same whatever was computed before, and a longer run begins with a shorter one.

    Raises
    ------
    InputError
        If there is nothing to estimate from, or a number is outside its range.
    """
    collections = checked_collections(matrices)
    if isinstance(n_trials, bool) or not isinstance(n_trials, int) or not 1 <= n_trials <= MOST_TRIALS:
        raise InputError("n_trials", n_trials, f"must be a whole number from 1 to {MOST_TRIALS:,}")
    # The last block is drawn whole and cut, so that it does not depend on n_trials.
    blocks = [
        block_of_variances(collections, estimate, block=block, seed=seed)
        for block in range(-(-n_trials // BLOCK_TRIALS))
    ]
    return np.concatenate(blocks)[:n_trials]


def resampled_pooled(
    matrices: Iterable[ScoreMatrix],
    estimate: Estimate = ONE_WAY,
    *,
    weights: Weights = "topics",
    n_trials: int = DEFAULT_TRIALS,
    seed: int = DEFAULT_SEED,
) -> Floats:
    """Return the pooled variance of each resample, shape (n_trials,).

    Parameters
    ----------
    matrices, estimate, n_trials, seed
        As in `resampled_variances`.
    weights : {"topics", "degrees-of-freedom"}
        As in `pooled`.

    Raises
    ------
    InputError
        As `resampled_variances` and `pooled`.
    """
    collections = checked_collections(matrices)
    shares = shares_of(collections, estimate, weights)  # before the work, so that a refusal is quick
    variances = resampled_variances(collections, estimate, n_trials=n_trials, seed=seed)
    return pooled_of_resamples(variances, shares)


def pooled_of_resamples(variances: Floats, shares: tuple[int, ...]) -> Floats:
    """Return the weighted means of the rows of `variances`, (n_trials, n_collections)."""
    return np.asarray(variances @ np.array(shares, dtype=np.float64) / sum(shares))


def checked_seed(seed: int) -> int:
    """Return the seed.

    Raises
    ------
    InputError
        If it is not a whole number from 0.
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InputError("seed", seed, "must be a whole number from 0")
    return seed
