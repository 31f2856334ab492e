"""Intervals of stability coefficients: for other systems too, or for these systems on other topics.

Feldt's interval of E rho^2 and that of Arteaga, Jeyaratnam and Franklin for Phi take the systems for a random
sample: they are about other systems of this kind too. The bootstrap over topics keeps the systems: it is
about these systems on other topics.

**The bootstrap is corrected.** A resample repeats topics, so its E[s*] is s + e / n. Per resample, with the mean
squares V_A*, V_B*, V_E*:

    e' = V_E* n / (n - 1),   s' = (V_A* - V_E* - e') / n,   q' = (V_B* n / (n - 1) - e') / m.

References
----------
.. [1] L. S. Feldt. The approximate sampling distribution of Kuder-Richardson reliability coefficient twenty.
   Psychometrika 30, 357-370 (1965). https://doi.org/10.1007/BF02289499
.. [2] C. Arteaga, S. Jeyaratnam, G. A. Franklin. Confidence intervals for proportions of total variance in the
   two-way cross component of variance model. Communications in Statistics 11, 1643-1658 (1982).
.. [3] J. Urbano, M. Marrero, D. Martin. On the measurement of test collection reliability. SIGIR 2013, 393-402;
   formulas as in their package gt4ireval.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.designs.distributions import critical_chi_square, critical_f
from topicset_core.variance.components import topics_of_ratio
from topicset_core.variance.estimates import less_system_means
from topicset_core.variance.resampling import BLOCK_TRIALS, resampled_counts
from topicset_core.variance.sums_of_squares import MeanSquares

Floats = NDArray[np.float64]


class Signal(NamedTuple):
    """Both ends of an interval of signal over noise: of s / e for E rho^2, of s / (q + e) for Phi.

    Parameters
    ----------
    low, high : float
        Not above 0 where scores do not exclude that systems do not differ; infinite without noise.
    """

    low: float
    high: float

    def coefficients(self, n_topics: float) -> tuple[float, float]:
        """Return both ends of the coefficient with `n_topics` topics, as computed: one may be negative."""
        return _coefficient(self.low, n_topics), _coefficient(self.high, n_topics)

    def topics(self, stability: float) -> tuple[int | None, int | None]:
        """Return the fewest and the most topics that `stability` may need; None where no number is enough."""
        fewest, most = (
            topics_of_ratio(stability, 1 / end) if end > 0 else None for end in (self.high, self.low)
        )
        return fewest, most


def _coefficient(ratio: float, n_topics: float) -> float:
    """Return n' l / (1 + n' l), from minus infinity to 1."""
    if np.isinf(ratio):
        return 1.0
    below = 1 + n_topics * ratio
    return n_topics * ratio / below if below > 0 else -np.inf


def feldt(squares: MeanSquares, level: float) -> Signal:
    """Return the interval of s / e; exact for normal scores of randomly chosen systems.

    Parameters
    ----------
    squares : MeanSquares
        Of the matrix.
    level : float
        Of the interval, above 0 and below 1, as .95.
    """
    if squares.residual_mean_square == 0:
        return _without_noise(squares)
    a = (1 - level) / 2
    observed = squares.between_system_mean_square / squares.residual_mean_square
    df = squares.between_system_df, squares.residual_df
    ends = (observed / float(critical_f(*df, tail)) for tail in (a, 1 - a))
    low, high = ((end - 1) / squares.n_topics for end in ends)
    return Signal(low, high)


def _without_noise(squares: MeanSquares) -> Signal:
    """Return the coefficient for scores without a residual: systems differ for certain, or not at all."""
    ratio = math.inf if squares.between_system_sum > 0 else 0.0
    return Signal(ratio, ratio)


def arteaga(squares: MeanSquares, level: float) -> Signal:
    """Return the interval of s / (q + e) from that of the share p1 = s / (s + q + e); approximate.

    Parameters
    ----------
    squares, level
        As in `feldt`.
    """
    if squares.residual_mean_square == 0 and 0 in (squares.between_topic_sum, squares.between_system_sum):
        return _without_noise(squares)
    a = (1 - level) / 2
    low, high = (_arteaga_end(squares, tail) for tail in (a, 1 - a))
    return Signal(low, high)


def _arteaga_end(squares: MeanSquares, tail: float) -> float:
    """Return p1 / (1 - p1), p1 = m g / (m g + n): that is m g / n."""
    m, n = squares.n_systems, squares.n_topics
    between, topics, residual = (
        squares.between_system_mean_square,
        squares.between_topic_mean_square,
        squares.residual_mean_square,
    )
    f0 = critical_chi_square(m - 1, tail) / (m - 1)  # F(m - 1, infinity)
    f1 = float(critical_f(m - 1, (m - 1) * (n - 1), tail))
    f2 = float(critical_f(m - 1, n - 1, tail))
    above = between**2 - f0 * between * residual + (f0 - f1) * f1 * residual**2
    below = (m - 1) * f0 * between * residual + f2 * between * topics
    return m * above / below / n


@dataclass(frozen=True, eq=False)
class Resamples:
    """Components in resamples of the topics, corrected; arrays have shape (n_trials,).

    Parameters
    ----------
    system, topic, residual : ndarray of float64
        s', q' and e'.
    """

    system: Floats
    topic: Floats
    residual: Floats

    def relative(self, level: float) -> Signal:
        """Return the percentile interval of s / e."""
        return _percentiles(self.system, self.residual, level)

    def absolute(self, level: float) -> Signal:
        """Return the percentile interval of s / (q + e)."""
        return _percentiles(self.system, np.maximum(self.topic, 0.0) + self.residual, level)


def _percentiles(signal: Floats, noise: Floats, level: float) -> Signal:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(noise > 0, signal / noise, np.where(signal > 0, np.inf, 0.0))
    a = (1 - level) / 2
    low, high = np.quantile(ratio, (a, 1 - a), method="inverted_cdf")
    return Signal(float(low), float(high))


def topic_bootstrap(matrix: ScoreMatrix, *, n_trials: int, seed: int) -> Resamples:
    """Return the components of resamples of the topics; the systems stay.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems.
    n_trials : int
        Resamples, from 1.
    seed : int
        From 0; resamples come in blocks with seeds of their own, as in `variance.resampling`.
    """
    n, m = matrix.scores.shape
    blocks = range(-(-n_trials // BLOCK_TRIALS))
    result = np.concatenate([_components(matrix, _counts(n, block, seed)) for block in blocks], axis=1)
    between, topics, residual = result[:, :n_trials]
    e = residual * n / (n - 1)
    return Resamples((between - residual - e) / n, (topics * n / (n - 1) - e) / m, e)


def _counts(n_topics: int, block: int, seed: int) -> Floats:
    stream = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(block, 0)))
    return resampled_counts(n_topics, BLOCK_TRIALS, stream)


def _components(matrix: ScoreMatrix, counts: Floats) -> Floats:
    """Return V_A*, V_B* and V_E* of each resample, (3, n_trials), from how often it drew each topic."""
    n, m = matrix.scores.shape
    scores = matrix.scores - matrix.scores.mean()
    by_topic = scores.mean(axis=1)
    means = counts @ scores / n
    grand = means.mean(axis=1)
    between = n * np.square(means - grand[:, np.newaxis]).sum(axis=1)
    topics = m * np.maximum(counts @ np.square(by_topic) - n * np.square(grand), 0.0)
    residuals = less_system_means(matrix)
    residuals -= residuals.mean(axis=1, keepdims=True)
    own = counts @ residuals / n
    residual = np.maximum(counts @ np.square(residuals).sum(axis=1) - n * np.square(own).sum(axis=1), 0.0)
    return np.stack([between / (m - 1), topics / (n - 1), residual / ((m - 1) * (n - 1))])
