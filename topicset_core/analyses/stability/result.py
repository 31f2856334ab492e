"""How stable are scores over topics: variance components, E rho^2, Phi, and topics for a wanted value.

**For other systems too** both systems and topics are random samples. With the mean squares V_A (systems), V_B
(topics) and V_E of n topics and m systems, s = (V_A - V_E) / n, q = (V_B - V_E) / m, from 0, and e = V_E. The
noise N is e for E rho^2 and q + e for Phi. log(V_A / N) exists where s is below 0, too; its ends are

    log(V_A / N) +- t_{m-1} sqrt(jackknife variance over systems + jackknife variance over topics),

and s / N = (V_A / N - e / N) / n. The intervals of Feldt (Psychometrika 30, 357-370, 1965) and of Arteaga,
Jeyaratnam and Franklin (Communications in Statistics 11, 1643-1658, 1982) assume normal scores; runs have means
with a long lower tail. With twelve matrices as populations, 10 or 30 systems on 25 or 50 topics, theirs contained
the truth in .71 to .99 and .75 to .99 of samples, where these did in .84 to 1.00; more tests: docs/statements.md.

**For these systems** the topics are resampled, and this bootstrap is corrected. A resample repeats topics, so its
E[s*] is s + e / n. Per resample, with the mean squares V_A*, V_B*, V_E*:

    e' = V_E* n / (n - 1),   s' = (V_A* - V_E* - e') / n,   q' = (V_B* n / (n - 1) - e') / m.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.inputs import Inputs, given
from topicset_core.parameters import N_TOPICS, SEED, Parameter, number_of_trials
from topicset_core.variance.components import Coefficient, Components, topics_of_ratio, without_rounding
from topicset_core.variance.sums_of_squares import MeanSquares, mean_squares

Floats = NDArray[np.float64]

COVERS = 0.79, 1.0
"""Least and most coverage of the intervals for other systems, measured: docs/statements.md."""

ACHIEVED = (
    "In simulations with 10 or 30 systems and 10 to 50 topics, the 95 % intervals for other systems contained the "
    f"true value in {100 * COVERS[0]:g} to {100 * COVERS[1]:g} % of cases."
)
"""What pages and the command line say of the intervals for other systems."""


class Signal(NamedTuple):
    """Both ends of an interval of signal over noise: of s / e for E rho^2, of s / (q + e) for Phi."""

    # Not above 0 where scores do not exclude that systems do not differ
    low: float
    high: float

    def coefficients(self, n_topics: float) -> tuple[float, float]:
        """Return both ends of the coefficient with `n_topics` topics, 0 to 1."""
        return _coefficient(self.low, n_topics), _coefficient(self.high, n_topics)

    def topics(self, stability: float) -> tuple[int | None, int | None]:
        """Return the fewest and the most topics that `stability` may need; None where no number is enough."""
        fewest, most = (
            topics_of_ratio(stability, 1 / end) if end > 0 else None for end in (self.high, self.low)
        )
        return fewest, most


def _coefficient(ratio: float, n_topics: float) -> float:
    """Return n' l / (1 + n' l); 0 of a negative ratio."""
    if np.isinf(ratio):
        return 1.0
    return max(n_topics * ratio, 0.0) / (1 + max(n_topics * ratio, 0.0))


def for_other_systems(matrix: ScoreMatrix, squares: MeanSquares, level: float) -> tuple[Signal, Signal]:
    """Return the intervals of s / e and of s / (q + e) if other systems and topics had been drawn."""
    from scipy.special import stdtrit

    n, m = matrix.scores.shape
    between, residual = squares.between_system_mean_square, squares.residual_mean_square
    without_topic = _without_each_row(matrix.scores)
    without_system = _without_each_row(matrix.scores.T)[[1, 0, 2]]
    results = []
    for weight in (0, 1):  # of q in the noise: e, then q + e

        def noise_of(topics: Floats, e: Floats, n_systems: int, weight: int = weight) -> Floats:
            return np.asarray(e + weight * np.maximum((topics - e) / n_systems, 0.0))

        noise = float(noise_of(np.array(squares.between_topic_mean_square), np.array(residual), m))
        if noise == 0 or squares.residual_sum == squares.between_system_sum == 0:
            # Systems differ for certain, or not at all.
            results.append(Signal(*[math.inf if between > 0 else 0.0] * 2))
            continue
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            value = np.log(between / noise)
            variance = sum(
                _jackknife(np.log(v_a / noise_of(v_b, v_e, systems)))
                for (v_a, v_b, v_e), systems in ((without_topic, m), (without_system, m - 1))
            )
            reach = stdtrit(m - 1, (1 + level) / 2) * np.sqrt(variance)
            ends = (np.exp(value - reach), np.exp(value + reach)) if np.isfinite(reach) else (0.0, math.inf)
        low, high = ((float(end) - residual / noise) / n for end in ends)
        results.append(Signal(low, high))
    return results[0], results[1]


def _jackknife(without: Floats) -> float:
    """Return the variance from the values without each unit."""
    k = without.size
    return (k - 1) / k * float(np.square(without - without.mean()).sum())


@dataclass(frozen=True, eq=False)
class Resamples:
    """Components in resamples of the topics, corrected; arrays have shape (n_trials,)."""

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
    """Return the components of resamples of the topics; the systems stay."""
    n, m = matrix.scores.shape
    seeds = (
        np.random.SeedSequence(seed, spawn_key=(block, 0)) for block in range(-(-n_trials // BLOCK_RESAMPLES))
    )
    counts = (resampled_counts(n, BLOCK_RESAMPLES, np.random.default_rng(stream)) for stream in seeds)
    result = np.concatenate([_mean_squares(matrix.scores, block) for block in counts], axis=1)
    between, topics, residual = result[:, :n_trials]
    e = residual * n / (n - 1)
    return Resamples((between - residual - e) / n, (topics * n / (n - 1) - e) / m, e)


BLOCK_RESAMPLES = 250
"""Resamples that share a stream of random numbers: any block can be computed alone, and more trials do not change
the first ones."""

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


def _mean_squares(scores: Floats, counts: Floats) -> Floats:
    """Return V_A, V_B and V_E of samples of rows, (3, n_samples), from how often each has each row."""
    n, m = counts[0].sum(), scores.shape[1]
    scores = scores - scores.mean()
    by_topic = scores.mean(axis=1)
    means = counts @ scores / n
    grand = means.mean(axis=1)
    between = n * np.square(means - grand[:, np.newaxis]).sum(axis=1)
    topics = m * np.maximum(counts @ np.square(by_topic) - n * np.square(grand), 0.0)
    residuals = scores - scores.mean(axis=0)
    residuals -= residuals.mean(axis=1, keepdims=True)
    own = counts @ residuals / n
    residual = np.maximum(counts @ np.square(residuals).sum(axis=1) - n * np.square(own).sum(axis=1), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):  # of one row or column there is none
        return np.stack([between / (m - 1), topics / (n - 1), residual / ((m - 1) * (n - 1))])


def _without_each_row(scores: Floats) -> Floats:
    """Return V_A, V_B and V_E without each row in turn, (3, n), from the row's own part of each sum of squares."""
    n, m = scores.shape
    left = n - 1
    scores = scores - scores.mean()
    by_row, by_column = scores.mean(axis=1), scores.mean(axis=0)
    residuals = scores - by_row[:, np.newaxis] - by_column
    between = left * np.square(by_column - residuals / left).sum(axis=1)
    # The rest of a sum of squares about a mean of 0 when one term, and with it the mean, goes
    rows, own = np.square(by_row), np.square(residuals).sum(axis=1)
    topics = m * np.maximum(rows.sum() - rows * n / left, 0.0)
    residual = np.maximum(own.sum() - own * n / left, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):  # of one row or column there is none
        return np.stack([between / (m - 1), topics / (left - 1), residual / ((m - 1) * (left - 1))])


STABILITY = Parameter(
    name="stability",
    symbol="r",
    label="Required stability",
    help="E ρ² for the ranking, Φ for the means; 0.95 is usual.",
    upper=1.0,
    upper_included=False,
    default=0.95,
    step=0.01,
)

LEVEL = replace(
    STABILITY,
    name="level",
    symbol="1 − α",
    label="Level of intervals",
    help="Confidence level of the intervals of both coefficients.",
)

N_TRIALS = number_of_trials("For the bootstrap intervals.", label="Resamples of topics", lower=100)


TOPICS = replace(
    N_TOPICS, command_name="topics", label="Topics", help="Topics that the coefficients are for."
)


@dataclass(frozen=True, kw_only=True)
class Request(Inputs):
    """What is asked of a matrix."""

    stability: float = given(STABILITY)
    level: float = given(LEVEL)
    n_trials: int = given(N_TRIALS)
    seed: int = given(SEED)
    n_topics: int | None = given(TOPICS, unless="as scored")


@dataclass(frozen=True, kw_only=True)
class CoefficientStudy:
    """One coefficient."""

    name: Coefficient  # E rho^2 or Phi
    value: float  # estimate, 0 to 1
    # Interval for other systems too, by jackknife
    low: float
    high: float
    # Interval for these systems on other topics, by bootstrap
    low_of_these: float
    high_of_these: float
    topics: int | None  # fewest topics that reach the required value
    # The same by the ends of the first interval
    topics_low: int | None
    topics_high: int | None
    # The same by the ends of the bootstrap interval
    topics_low_of_these: int | None
    topics_high_of_these: int | None


@dataclass(frozen=True, kw_only=True)
class Stability:
    """A generalizability study of one matrix.

    Parameters
    ----------
    matrix : ScoreMatrix
        The scores.
    request : Request
        The request.
    components : Components
        Variance components.
    relative_signal, absolute_signal : Signal
        Intervals of s / e and s / (q + e) for other systems too.
    resamples : Resamples
        Components in resamples of the topics.
    """

    matrix: ScoreMatrix
    request: Request
    components: Components
    relative_signal: Signal
    absolute_signal: Signal
    resamples: Resamples

    @property
    def n_topics(self) -> int:
        """Topics that the coefficients are for."""
        return self.matrix.n_topics if self.request.n_topics is None else int(self.request.n_topics)

    @cached_property
    def relative(self) -> CoefficientStudy:
        """E rho^2: the ranking."""
        return self._study("relative", self.relative_signal, self.resamples.relative(self.request.level))

    @cached_property
    def absolute(self) -> CoefficientStudy:
        """Phi: the means themselves."""
        return self._study("absolute", self.absolute_signal, self.resamples.absolute(self.request.level))

    def _study(self, name: Coefficient, sampled: Signal, bootstrap: Signal) -> CoefficientStudy:
        target = self.request.stability
        low, high = sampled.coefficients(self.n_topics)
        own_low, own_high = bootstrap.coefficients(self.n_topics)
        fewest, most = sampled.topics(target)
        own_fewest, own_most = bootstrap.topics(target)
        return CoefficientStudy(
            name=name,
            value=self.components.coefficient(self.n_topics, name),
            low=low,
            high=high,
            low_of_these=own_low,
            high_of_these=own_high,
            topics=self.components.topics_for(target, name),
            topics_low=fewest,
            topics_high=most,
            topics_low_of_these=own_fewest,
            topics_high_of_these=own_most,
        )


def stability(matrix: ScoreMatrix, request: Request | None = None) -> Stability:
    """Study how stable the scores of a matrix are over topics.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems.
    request : Request, optional
        The request; by default a stability of .95 and 95 % intervals.

    Raises
    ------
    InputError
        If there are fewer than 2 systems, or all scores are equal.

    Examples
    --------
    >>> from topicset_core.samples import simulated_task
    >>> study = stability(simulated_task()[0])
    >>> study.components.n_systems, study.relative.value > study.absolute.value
    (20, True)
    """
    request = Request() if request is None else request
    squares = without_rounding(mean_squares(matrix))
    if squares.total_sum == 0:
        raise InputError("scores", "all equal", "must differ: equal scores have no variance components")
    relative, absolute = for_other_systems(matrix, squares, request.level)
    return Stability(
        matrix=matrix,
        request=request,
        components=Components.from_mean_squares(squares),
        relative_signal=relative,
        absolute_signal=absolute,
        resamples=topic_bootstrap(matrix, n_trials=request.n_trials, seed=request.seed),
    )
