"""Which share of pairs would be resolved with more topics.

With lambda = sqrt(n') delta / sqrt(v), a pair with the true difference delta is resolved by n' topics with a
probability of about Phi(lambda - c) + Phi(-lambda - c). The true difference is not known, and observed differences
are too large on average. So delta is normal with mean k dbar and variance k v / n, where k = 2s / (2s + v / n)
and s is the variance component of systems. The average over delta has a closed form,

    E Phi(lambda - c) = Phi((sqrt(n'/v) k dbar - c) / sqrt(1 + k n'/n)).

**Calibration.** The statistic has a floor F in its denominator (see `pairs`), so c = b sqrt((v + F) / v). b is the
critical value with which n topics are expected to resolve the share that they do resolve: the curve goes through
what was found. Where all or none of M pairs are resolved, the curve comes within half a pair of M + 1 of it. Pairs
that differ by a constant are resolved once their sign test is significant, equal ones never.

**Intervals.** Forecasts of the share are wrong by about the same on the scale of Phi^-1(share), whether topics are
doubled or become 64 times as many. The interval of a share is therefore Phi^-1(share) plus or minus the 95 % point
of the normal distribution times an error: the root mean square of what halves of these topics miss when they
forecast the share of all (`N_CUTS` cuts, both halves of each), and in quadrature `_COMMON_ERROR`, as all halves are
of the same topics.

The interval of the topics for `TARGET_SHARE` is one of log n'. Each topic, or one of 50 groups of topics, is left
out once (delete-group jackknife), and the spread gives a t interval. The normal model of true differences misses
by a standard deviation of `_MODEL_ERROR` besides, which is added in quadrature. Where a few systems differ much
from many that hardly differ, one normal distribution takes all for different, and 80 % of the pairs for near. So
the interval goes as far as that of a mixture of normal distributions (Stephens 2017) with the likeliest weights:
of 10 close systems and 2 far below, none of 60 intervals held the true number without it. What both cover is
measured in docs/statements.md; errors of the forecast itself are in docs/evidence/leaderboard.md.

References
----------
M. Stephens. False discovery rates: a new deal. Biostatistics 18 (2017), 275-294. doi:10.1093/biostatistics/kxw041
"""

import math
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.rank_resolution.pairs import Floats, Places, student
from topicset_core.analyses.rank_resolution.resolution import Resolution
from topicset_core.analyses.sizing.replication import fewest
from topicset_core.designs.distributions import normal_cdf
from topicset_core.designs.search import root_below
from topicset_core.errors import InputError

TARGET_SHARE = 0.8
"""Share of pairs for which topics are given with their interval."""

LEVEL = 0.90
"""Of the intervals."""

TOPICS_COVER = 0.64, 1.0
SHARE_COVERS = 0.74, 1.0
"""How often the intervals held the number of topics, and the share of pairs, least and most of all data."""

FORECAST_NOTE = (
    f"In backtests with 10 to 50 topics, {100 * LEVEL:g} % intervals held the number of topics in "
    f"{100 * TOPICS_COVER[0]:g} to {100 * TOPICS_COVER[1]:g} % of cases, and the share that twice the topics "
    f"resolved in {100 * SHARE_COVERS[0]:g} to {100 * SHARE_COVERS[1]:g} %; least where "
    "most systems are nearly equal."
)

MOST_EXPECTED_TOPICS = 100_000
"""Beyond, no number of topics is given."""

N_CUTS = 10
"""Random cuts of the topics into halves that forecast the whole."""

_FEWEST_FOR_INTERVAL = 8  # topics: with half of them, a variance has three degrees of freedom
_MODEL_ERROR = 0.35  # standard deviation of log n'
_COMMON_ERROR = 0.25  # standard deviation of Phi^-1(share)
_MOST_GROUPS = 50
_SCALES = np.concatenate([[0.0], 2.0 ** np.arange(-1.5, 6.0, 0.5)])  # of true differences, in standard errors
_STEPS = 100  # of the EM algorithm
_MOST_PAIRS = 2000  # of the intervals; of more pairs, every second, third ... one
_ROUNDING = 1e-12  # of the scores' mean square: a variance up to this is rounding
_SEED = 0  # of the cuts: the same scores have the same interval
_LARGEST_CRITICAL = 100.0  # of flips it is 2 to 6


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """The expected share of pairs that n' topics resolve, from dbar and v of all pairs; v is 0 if constant."""

    difference: Floats = field(repr=False)
    variance: Floats = field(repr=False)
    n_topics: int
    floor: float  # F, added to each variance
    critical: float  # b
    enough_for_shifts: float  # topics that resolve a constant difference

    @property
    def signal(self) -> float:
        """2s, twice the variance component of systems; may be negative."""
        return float(np.mean(np.square(self.difference)) - np.mean(self.variance) / self.n_topics)

    def share(self, n_topics: float) -> float:
        """Return the expected share, 0 to 1."""
        varies = self.variance > 0
        v, signal = self.variance[varies], max(self.signal, 0.0)
        k = signal / (signal + v / self.n_topics)
        return self._of_all(self._probability(k, v, self.difference[varies], n_topics), n_topics)

    def _probability(self, k: Floats, v: Floats, difference: Floats, n_topics: float) -> Floats:
        """Return the probability that n' topics resolve pairs, by the share k of their differences that remains."""
        critical = self.critical * np.sqrt((v + self.floor) / v)
        centre = np.sqrt(n_topics / v) * k * difference
        spread = np.sqrt(1 + k * n_topics / self.n_topics)
        return normal_cdf((centre - critical) / spread) + normal_cdf((-centre - critical) / spread)

    def _of_all(self, probability: Floats, n_topics: float) -> float:
        """Return the expected share of all pairs; of constant differences all or none are resolved."""
        varies = self.variance > 0
        shifts = np.count_nonzero(self.difference[~varies]) if n_topics >= self.enough_for_shifts else 0
        return float(probability.sum() + shifts) / varies.size

    def within(self, share: float) -> float:
        """Return a share, with none and all of M pairs as half a pair of M + 1 away from it."""
        least = 0.5 / (self.difference.size + 1)
        return min(max(share, least), 1 - least)

    def scaled(self, share: float) -> float:
        """Return Phi^-1 of a share, `within`."""
        from scipy.special import ndtri

        return float(ndtri(self.within(share)))

    def calibrated(self, resolved: float) -> Self:
        """Return the expectation whose critical value lets these topics resolve the share that they do."""
        target, now = self.within(resolved), self.share(self.n_topics)
        if (resolved < target and now <= target) or (resolved > target and now >= target):
            return self

        def expected(critical: float) -> float:
            return replace(self, critical=critical).share(self.n_topics)

        if not expected(_LARGEST_CRITICAL) < target < expected(0.0):  # where equal pairs and shifts decide
            return self
        critical = root_below(expected, target, low=0.0, high=_LARGEST_CRITICAL, absolute=1e-6)
        return replace(self, critical=critical)

    def log_topics(self, share: float) -> float:
        """Return log n' for a share, n' from 2 to `MOST_EXPECTED_TOPICS`."""
        low, high = math.log(2), math.log(MOST_EXPECTED_TOPICS)

        def unresolved(log_n: float) -> float:
            return -self.share(math.exp(log_n))

        if unresolved(low) <= -share:
            return low
        if unresolved(high) >= -share:
            return high
        return root_below(unresolved, -share, low=low, high=high, absolute=1e-4)


@dataclass(frozen=True, kw_only=True)
class Mixture(Expectation):
    """The same where true differences are of unequal sizes: a mixture of normal distributions about 0."""

    weights: Floats = field(repr=False)  # (n_pairs with a variance, scales): of each pair, of each scale

    def share(self, n_topics: float) -> float:
        """Return the expected share, 0 to 1."""
        varies = self.variance > 0
        k = np.square(_SCALES) / (1 + np.square(_SCALES))
        v, difference = self.variance[varies, np.newaxis], self.difference[varies, np.newaxis]
        return self._of_all(self.weights * self._probability(k, v, difference, n_topics), n_topics)


def mixture(expected: Expectation) -> Mixture:
    """Return the mixture with the likeliest weights of `_SCALES`, by the EM algorithm."""
    varies = expected.variance > 0
    z = expected.difference[varies] / np.sqrt(expected.variance[varies] / expected.n_topics)
    widths = 1 + np.square(_SCALES)
    likelihood = np.exp(-np.square(z)[:, np.newaxis] / (2 * widths)) / np.sqrt(widths)
    shares = np.full(_SCALES.size, 1 / _SCALES.size)
    for _ in range(_STEPS):
        weights = likelihood * shares
        weights /= weights.sum(axis=1, keepdims=True)
        shares = weights.sum(axis=0) / max(len(weights), 1)
    return Mixture(
        difference=expected.difference,
        variance=expected.variance,
        n_topics=expected.n_topics,
        floor=expected.floor,
        critical=expected.critical,
        enough_for_shifts=expected.enough_for_shifts,
        weights=weights,
    )


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """What n' topics would resolve, next to the share of pairs that these topics resolve."""

    expected: Expectation
    mixed: Mixture
    resolved: float
    most: float  # share of pairs that are not equal on every topic
    reach: float | None  # half the interval of log n' for `TARGET_SHARE`
    miss: float | None  # half the interval of a share, on the scale of Phi^-1

    @property
    def n_topics(self) -> int:
        """Topics of the matrix."""
        return self.expected.n_topics

    @property
    def can_tell(self) -> bool:
        """Whether systems are estimated to differ at all, and the interval bounds their number of topics."""
        return self.reach is not None and (self.interval[1] is not None or self.interval[0] > self.n_topics)

    @property
    def interval(self) -> tuple[int, int | None]:
        """Interval of the topics for `TARGET_SHARE`, in two digits; its upper end is None beyond 100,000."""
        centres = [model.log_topics(TARGET_SHARE) for model in (self.expected, self.mixed)]
        reach, topics = self.reach or 0.0, self.topics_for(TARGET_SHARE) or MOST_EXPECTED_TOPICS
        low = min(math.exp(min(centres) - reach), topics)
        high = max(math.exp(min(max(centres) + reach, 99.0)), topics)
        return int(two_digits(max(low, 2))), int(two_digits(high)) if high < MOST_EXPECTED_TOPICS else None

    def share(self, n_topics: float) -> float:
        """Return the share of all pairs that `n_topics` topics are expected to resolve, 0 to 1."""
        if n_topics == self.n_topics:
            return self.resolved
        bound = max if n_topics > self.n_topics else min
        return bound(self.expected.share(n_topics), self.resolved)

    def share_interval(self, n_topics: float) -> tuple[float, float]:
        """Return the interval of the share that these topics and as many more as make `n_topics` resolve."""
        centre, miss = self.expected.scaled(self.share(n_topics)), self.miss or 0.0
        least = self.expected.scaled(0.0)  # what none and all count as
        low, high = centre - miss, centre + miss
        return (
            0.0 if low <= least else float(normal_cdf(np.asarray(low))),
            self.most if high >= -least else min(float(normal_cdf(np.asarray(high))), self.most),
        )

    def topics_for(self, share: float) -> int | None:
        """Return the fewest topics, from 2, expected to resolve this share of pairs; None beyond 100,000."""
        if not 0 < share < 1:
            raise InputError("share", share, "must be a number above 0 and below 1")
        return fewest(lambda n: self.share(n) >= share, MOST_EXPECTED_TOPICS)

    def stated_topics(self, share: float) -> int | None:
        """Return the same in two digits; None also where these topics cannot tell."""
        topics = self.topics_for(share) if self.can_tell else None
        return None if topics is None else int(two_digits(topics))


def outlook(resolution: Resolution) -> Outlook:
    """Return what more topics would resolve of these pairs."""
    pairs, floor = resolution.pairs, resolution.request.floor
    resolved = resolution.n_resolved / pairs.n_pairs
    expected = Expectation(
        difference=pairs.difference,
        variance=pairs.variance,
        n_topics=pairs.n_topics,
        floor=floor * float(pairs.mean_square.mean()),
        critical=_threshold(resolution),
        enough_for_shifts=1 + math.log2(pairs.n_pairs / resolution.request.alpha),
    )
    reach, miss = _errors(resolution, expected)
    return Outlook(
        expected=expected.calibrated(resolved),
        mixed=mixture(expected).calibrated(resolved),
        resolved=resolved,
        most=1 - float(pairs.tied.mean()),
        reach=reach,
        miss=miss,
    )


def two_digits(value: float) -> float:
    """Return a value rounded to two significant digits, which is as much as an expectation deserves."""
    return float(f"{value:.2g}")


def _threshold(resolution: Resolution) -> float:
    """Return the statistic between the pairs that are resolved and those that are not."""
    size, varies, is_resolved = (
        np.abs(resolution.statistic),
        ~resolution.pairs.is_constant,
        resolution.is_resolved,
    )
    resolved, open_ = size[varies & is_resolved], size[varies & ~is_resolved]
    above = float(resolved.min(initial=resolution.critical))
    return (above + min(float(open_.max()), above)) / 2 if open_.size else above


def _errors(resolution: Resolution, expected: Expectation) -> tuple[float | None, float | None]:
    """Return half the intervals of log n' and of a share; None without differences, or with few topics."""
    from scipy.special import ndtri, stdtrit

    n, pairs = resolution.pairs.n_topics, resolution.pairs
    if n < _FEWEST_FOR_INTERVAL or expected.signal <= 0:
        return None, None
    some = slice(None, None, -(-pairs.n_pairs // _MOST_PAIRS))
    rows, level = _Rows(resolution, expected, some), (1 + LEVEL) / 2
    n_groups = min(n, _MOST_GROUPS)
    answers = [
        rows.seen(np.arange(n) % n_groups != group)[0].log_topics(TARGET_SHARE) for group in range(n_groups)
    ]
    error = math.sqrt((n_groups - 1) * float(np.var(answers)))
    resolved, missed = rows.seen(np.arange(n))[1], []
    rng = np.random.default_rng(_SEED)
    for _ in range(N_CUTS):
        cut = rng.permutation(n)
        for half in (cut[: n // 2], cut[n // 2 : 2 * (n // 2)]):
            ahead = rows.seen(half)[0]
            missed.append(ahead.scaled(ahead.share(n)) - ahead.scaled(resolved))
    normal = float(ndtri(level))
    return (
        math.hypot(float(stdtrit(n_groups - 1, level)) * error, normal * _MODEL_ERROR),
        normal * math.hypot(math.sqrt(float(np.mean(np.square(missed)))), _COMMON_ERROR),
    )


class _Rows:
    """Differences of some pairs per topic, and what parts of the topics resolve with the threshold of all."""

    def __init__(self, resolution: Resolution, expected: Expectation, some: slice) -> None:
        pairs, scores = resolution.pairs, resolution.upright.scores
        self._each = scores[:, pairs.first[some]] - scores[:, pairs.second[some]]
        self._floor, self._expected = resolution.request.floor, expected
        self._least = _ROUNDING * max(float(np.square(scores).mean()), 1e-300)

    def seen(self, topics: Places | NDArray[np.bool_]) -> tuple[Expectation, float]:
        """Return what these topics let expect, calibrated, and the share of pairs that they resolve."""
        each = self._each[topics]
        n, expected = len(each), self._expected
        mean, square, variance = each.mean(axis=0), np.square(each).mean(axis=0), each.var(axis=0)
        varies = variance > self._least
        floor = self._floor * float(np.where(varies, square, 0.0).mean())
        w = np.divide(mean, np.sqrt(square + floor), out=np.zeros_like(mean), where=varies)
        shifted = ~varies & (np.square(mean) > self._least) & (n >= expected.enough_for_shifts)
        resolved = float((np.where(varies, np.abs(student(w, n)) > expected.critical, shifted)).mean())
        part = replace(
            expected,
            difference=np.where(varies | shifted, mean, 0.0),
            variance=np.where(varies, variance * n / (n - 1), 0.0),
            n_topics=n,
            floor=floor,
        )
        return part.calibrated(resolved), resolved
