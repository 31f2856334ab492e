"""The interval of a variance that was estimated from topics.

A variance v is taken to scatter as sigma^2 chi^2_nu / nu, so that its interval and its upper limit with a certainty
gamma are

    v nu / chi^2_{nu; (1 + level) / 2} .. v nu / chi^2_{nu; (1 - level) / 2},    v nu / chi^2_{nu; 1 - gamma}.

Topics are what was sampled; the runs are kept, and share their topics, so nu is not m (n - 1). It is measured:

    nu = .8 (n - 3) / (n - 1) * 2 / e^2,

with e the jackknife standard error of log v over its n topics [1]; of n - 1 normal squares 2 / e^2 is about n - 1.
(n - 3) / (n - 1), one over the variance of t with n - 1 degrees of freedom, allows for the estimation of e from as
many topics, and .8 for the kurtosis that samples of real scores understate; both were chosen by simulation.
nu is at least 1, and at most the degrees of freedom of the residuals; of a percentile over pairs, which lies among
the variances of single pairs, n - 1 (topics less 1, also of topics in groups).

**One pair, or one run**: a single column of differences or scores has the heaviest tails, and a sample that lacks
the topics that differ most understates its kurtosis most. 1 / nu is then the mean of the measured 1 / nu and 5 / n,
that of a kurtosis of 11.

**Topics in groups**: the jackknife omits one group at a time; n is the number of groups. The upper limit of the
variance of a topic is too low more often, as s^2 lacks some of the variance between groups.

Coverage in simulation is in docs/evidence/variance.md.

References
----------
.. [1] R. G. Miller. Jackknifing variances. Annals of Mathematical Statistics 39, 567-582 (1968).
   https://doi.org/10.1214/aoms/1177698418
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parameters import EFFECTIVE_DF
from topicset_core.variance.choices import Estimate
from topicset_core.variance.estimates import has_groups

DEFAULT_LEVEL = 0.90
"""Of the interval."""


class Simulated(NamedTuple):
    """Per cent of simulated pilots in which an interval or a limit held: the least and the most."""

    low: int
    high: int

    @property
    def in_words(self) -> str:
        """The range, after "covers" or a certainty."""
        return f"{self.low} to {self.high} % in simulation"


MOST_WITH_LESS = 0.1
"""Largest share of the pairs of a matrix with intervals below `COVERS_ONE`, or limits below `HOLDS_ONE`."""


class SimulatedPairs(Simulated):
    """The same of single pairs, or runs: of all but `MOST_WITH_LESS`."""

    @property
    def in_words(self) -> str:
        """The range, and that some pairs have less."""
        return f"{super().in_words}, in up to {100 * MOST_WITH_LESS:g} % of cases less"


class SimulatedPercentiles(Simulated):
    """The same of a percentile over pairs, which is too high where only chance makes pairs differ in variance."""

    @property
    def in_words(self) -> str:
        """The range, and where it does not hold."""
        return f"{super().in_words}, less and too high where all pairs vary alike"


COVERS = {"sum of squares": Simulated(72, 98), "percentile": SimulatedPercentiles(75, 100)}
"""Per cent of pilots whose 90 % interval holds the variance of all topics: the least and the most of any matrix."""

HOLDS = {"sum of squares": Simulated(64, 97), "percentile": Simulated(72, 100)}
"""Per cent of pilots whose upper limit with certainty .80 was high enough; mean 81 to 88 %, 95 to 98 %."""

COVERS_IN_GROUPS = {"sum of squares": Simulated(75, 98), "percentile": SimulatedPercentiles(82, 100)}
"""The same of topics in groups: the least and the most of any setting."""

HOLDS_IN_GROUPS = {"sum of squares": Simulated(57, 96), "percentile": Simulated(73, 100)}
"""Of the upper limit; of means of groups at least 70 %, mean 84 %; of percentiles 90 %."""

COVERS_SIMILAR, HOLDS_SIMILAR = Simulated(86, 100), Simulated(89, 100)
"""Of a similar task: per cent of sets of systems of collections left out, the least and the most of any setting."""

COVERS_ONE, HOLDS_ONE = SimulatedPairs(80, 100), SimulatedPairs(65, 100)
"""Of one pair of runs, or of one run: the interval, and the upper limit with certainty .80."""

_TAILS = 5.0  # n / nu of one pair whose differences have a kurtosis of 11

FEWEST_TOPICS_TESTED, FEWEST_GROUPS_TESTED = 10, 5
"""Topics and groups from which on coverage was measured."""

_CAUTION = 0.8  # of the degrees of freedom: samples understate kurtosis
_SMALLEST_SHARE = 1e-12  # of a variance without a topic: below, its logarithm is that of rounding


@dataclass(frozen=True, kw_only=True)
class VarianceInterval:
    """The interval of a variance.

    Parameters
    ----------
    level : float
        Nominal coverage.
    low, high : float
        Ends, in squared units of the measure.
    effective_df : float
        Degrees of freedom of a chi-square distribution that varies as much over topics, 1 at least.
    covers : Simulated or None
        Per cent of simulated pilots whose 90 % interval held the variance, the least and the most of any matrix;
        None where a similar task is used together with scores.
    holds : Simulated or None
        The same of those whose upper limit with certainty .80 was high enough.
    """

    level: float
    low: float
    high: float
    effective_df: float
    covers: Simulated | None = None
    holds: Simulated | None = None

    def in_words(self, low: str, high: str) -> str:
        """Return the interval with these ends, as "90 % confidence interval: 121 to 183"; with its coverage."""
        text = f"{100 * self.level:g} % confidence interval: {low} to {high}"
        if self.level != DEFAULT_LEVEL or self.covers is None:
            return text
        return f"{text}, covers {self.covers.in_words}"

    @property
    def is_of_one(self) -> bool:
        """Whether it is of one pair of runs, or of one run."""
        return isinstance(self.covers, SimulatedPairs)

    @property
    def sentence(self) -> str:
        """The interval of the variance in words."""
        return self.in_words(f"{self.low:.3g}", f"{self.high:.3g}")


def variance_interval(
    collections: Sequence[ScoreMatrix],
    estimate: Estimate,
    shares: Sequence[int],
    level: float = DEFAULT_LEVEL,
) -> VarianceInterval:
    """Return the interval of the weighted mean of the collections' variances."""
    check_level(level)
    parts = np.array(
        [share * estimate(collection) for share, collection in zip(shares, collections, strict=True)]
    )
    variance = float(parts.sum() / sum(shares))
    errors = np.array([_log_error(collection, estimate) for collection in collections])
    squared = float(np.square(parts * errors).sum() / parts.sum() ** 2) if variance > 0 else 0.0
    df_of_t = sum(_sampled(collection) - 1 for collection in collections)
    of_residuals = estimate.degrees_of_freedom
    most = sum(
        collection.n_topics - 1 if of_residuals is None else of_residuals(collection)
        for collection in collections
    )
    measured = _CAUTION * (df_of_t - 2) / df_of_t * 2 / squared if squared > 0 else float(most)
    of_one = all(
        _is_one(collection, estimate) for collection in collections
    )  # 1 / nu: the mean with that of heavy tails
    if of_one:
        measured = 2 / (1 / min(max(measured, EFFECTIVE_DF.lower), most) + _TAILS / (df_of_t + 1))
    df = max(EFFECTIVE_DF.lower, min(measured, most))
    in_groups = any(map(has_groups, collections))
    interval = chi_square_interval(variance, df, level)
    if sum(map(_sampled, collections)) < (FEWEST_GROUPS_TESTED if in_groups else FEWEST_TOPICS_TESTED):
        return interval  # of fewer nobody knows how often it holds
    return coverage_of(interval, estimate, in_groups=in_groups, of_one=of_one)


def _is_one(matrix: ScoreMatrix, estimate: Estimate) -> bool:
    """Return whether an estimate is the variance of one pair of runs, or of one run."""
    df = estimate.degrees_of_freedom
    return matrix.n_systems == 2 if df is None else df(matrix) == matrix.n_topics - 1


def coverage_of(
    interval: VarianceInterval, estimate: Estimate | None, *, in_groups: bool = False, of_one: bool = False
) -> VarianceInterval:
    """Return an interval with the coverage that intervals of this estimate had in simulation."""
    if of_one:
        return replace(interval, covers=COVERS_ONE, holds=HOLDS_ONE)
    if estimate is None:
        return interval
    kind = "percentile" if estimate.degrees_of_freedom is None else "sum of squares"
    covers, holds = (COVERS_IN_GROUPS, HOLDS_IN_GROUPS) if in_groups else (COVERS, HOLDS)
    return replace(interval, covers=covers[kind], holds=holds[kind])


def coverage_of_similar(interval: VarianceInterval) -> VarianceInterval:
    """Return an interval with the coverage that intervals of similar tasks had in simulation."""
    return replace(interval, covers=COVERS_SIMILAR, holds=HOLDS_SIMILAR)


def chi_square_interval(variance: float, df: float, level: float = DEFAULT_LEVEL) -> VarianceInterval:
    """Return the interval of a variance with these degrees of freedom."""
    low, high = (
        variance * float(inflation(df, certainty)) for certainty in ((1 - level) / 2, (1 + level) / 2)
    )
    return VarianceInterval(level=level, low=low, high=high, effective_df=df)


def inflation(df: float | np.ndarray, certainty: float) -> np.ndarray:
    """Return nu / chi^2_{nu; 1 - certainty}: the upper limit of a variance over its estimate."""
    from scipy import special

    half = np.asarray(df, dtype=np.float64) / 2
    return np.asarray(half / special.gammainccinv(half, certainty))


def check_level(level: float) -> None:
    """Refuse a level that is no probability."""
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise InputError("level", level, "must be a number above 0 and below 1")


def _sampled(matrix: ScoreMatrix) -> int:
    """Return how many topics were sampled, or groups of topics."""
    return len(matrix.group_sizes) if has_groups(matrix) else matrix.n_topics


def _log_error(matrix: ScoreMatrix, estimate: Estimate) -> float:
    """Return the jackknife standard error of log v; that of one normal square of two topics or groups."""
    n, variance = _sampled(matrix), estimate(matrix)
    if n < 3 or variance == 0:
        return math.sqrt(2)
    logs = np.log(np.maximum(estimate.without_each(matrix) / variance, _SMALLEST_SHARE))
    return math.sqrt((n - 1) / n * float(np.square(logs - logs.mean()).sum()))
