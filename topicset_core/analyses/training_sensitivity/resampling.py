"""How far test effectiveness would move on other topics: the experiment repeated on resampled topics.

Samples of judgments and splits can be drawn as often as one likes; topics cannot. A recommendation to someone
with other topics rests on their number. Therefore each draw of a Bayesian bootstrap [1]_ gives every topic a
weight (exponential, so that none has a weight of 0), once for all splits, and the whole experiment is
repeated with weighted means: settings are chosen again on the training topics, and evaluated on the test
topics. The spread over draws thus covers the training topics and the test topics. Splits do not change, so
that no topic is both trained and tested on.

References
----------
.. [1] D. B. Rubin. The Bayesian Bootstrap. Annals of Statistics 9(1), 1981, 130-134.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.training_sensitivity.sampling import stream

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

N_DRAWS = 200
"""Draws of topics: a standard error from 200 is itself known to 5 %."""

_DRAW_KEY = (0, 0, 0, 0)  # of the stream of topic weights; splits and samples have shorter keys
_TIE_KEY = 2  # last key of the stream that determines ties
_TIE = 1e-9  # of training means: far above rounding, far below any difference in a measure


@dataclass(frozen=True, eq=False)
class Resampler:
    """Weights of topics, and the weighted means over the test topics; `resampler_of` makes one."""

    weights: Floats  # (n_draws * n_tasks, n_topics): of the training topics, each row summing to 1
    # (n_measures, n_draws * n_tasks, n_systems): weighted mean score over the test topics, by all judgments
    test_means: Floats
    n_draws: int
    seed: int

    def effectiveness(self, scores: Floats, level: float, number: int) -> Floats:
        """Return X(Y) of each draw of topics, the mean over tasks.

        Settings that tie are ordered at random, in the same order for all draws, tasks and measures.
        """
        n_measures, n_topics, n_systems = scores.shape
        order = _TIE * stream(self.seed, level, number, _TIE_KEY).random(n_systems)
        columns = (scores + order).transpose(1, 0, 2).reshape(n_topics, -1)
        means = (self.weights @ columns).reshape(-1, n_measures, n_systems)
        chosen = means.argmax(axis=-1)  # rows, Y
        result = np.take_along_axis(self.test_means, chosen[None], axis=2)
        of_draws: Floats = result.reshape(n_measures, self.n_draws, -1, n_measures).mean(axis=2)
        return of_draws.transpose(1, 0, 2)


def resampler_of(
    scores: Floats, tasks: Sequence[tuple[Ints, Ints]], seed: int, n_draws: int = N_DRAWS
) -> Resampler:
    """Draw weights of topics."""
    sequence = np.random.SeedSequence(seed, spawn_key=_DRAW_KEY)
    drawn = np.random.Generator(np.random.PCG64(sequence)).exponential(size=(n_draws, 1, scores.shape[1]))
    inside = np.zeros((2, 1, len(tasks), scores.shape[1]))
    for place, both in enumerate(tasks):
        for role, rows in enumerate(both):
            inside[role, 0, place, rows] = 1.0
    weighted = drawn * inside
    training, test = (weighted / weighted.sum(axis=-1, keepdims=True)).reshape(2, -1, scores.shape[1])
    return Resampler(weights=training, test_means=np.matmul(test, scores), n_draws=n_draws, seed=seed)


def spread(draws: Floats, fewest: int) -> Floats:
    """Return standard deviations over draws of topics, as they would be for means.

    A Bayesian bootstrap of m topics has (m - 1)/(m + 1) times the unbiased variance of a mean.
    """
    if fewest < 2:
        return np.full(draws.shape[1:], np.inf)
    deviations: Floats = draws.std(axis=0, ddof=1) * np.sqrt((fewest + 1) / (fewest - 1))
    return deviations


def resampling_seconds(n_tasks: int, n_measures: int, n_topics: int, n_systems: int) -> float:
    """Return about how long one sample takes, on a core of 2026; only sizes batches."""
    return N_DRAWS * n_tasks * n_measures * n_systems * (n_topics * 8e-11 + 6e-9)
