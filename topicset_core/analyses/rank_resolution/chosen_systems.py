"""Systems chosen from a leaderboard: two by name, the observed top k, and the share of resamples that each wins.

**Two systems: was that difference real?** The interval is that of `topicset_core.analyses.two_systems`, which
refuses a difference without variance between topics or groups: there is no interval then. The p value by flips is
that of Fisher's randomisation test of these two alone. Where all differences but zeros have one size, as with
scores of 0 and 1, the number of positive ones after a flip is binomial, so the p value over all flips has a
closed form: that of McNemar's exact test. Elsewhere flips are enumerated or drawn, as in `resolution`.
`adjusted_p` is that among all pairs, which counts if the two were chosen from the table. The prediction for a new
set of topics, and the errors of size and sign, are of `sizing.replication`, with k = s / (s + v / (2n)): s is the
variance component of the systems in this matrix, v the variance of the per-topic difference of these two.

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
from typing import Any

import numpy as np

from topicset_core.analyses.rank_resolution.pairs import Floats, rests_on
from topicset_core.analyses.rank_resolution.resolution import Resolution, checked_k, resolve
from topicset_core.analyses.sizing.replication import SizeErrors, comes_again, errors_of
from topicset_core.analyses.two_systems import Answer, again, compare_two
from topicset_core.analyses.two_systems import Request as TwoRequest
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.distributions import upper_normal
from topicset_core.designs.mcnemar import two_sided_p
from topicset_core.errors import InputError
from topicset_core.exports.records import fields_of
from topicset_core.parameters import BETA, N_TOPICS
from topicset_core.wording import percent

N_RESAMPLES, BLOCK_RESAMPLES = 4000, 250
"""Resamples, and those that share a stream of random numbers and are computed by one matrix product."""

_MORE_FOR_T = 1.92
"""Topics that a t test needs beyond a z test at alpha = .05: half the square of its critical value."""


@dataclass(frozen=True, kw_only=True)
class Verification:
    """Whether the observed top k are the true top k."""

    k: int  # systems at the top, named in advance
    statistic: float | None
    p_value: float  # two-sided, n - 1 degrees of freedom; of groups Satterthwaite's
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
    difference, (errors, df) = pairs.difference[across], resolution.standard_errors
    with np.errstate(divide="ignore", invalid="ignore"):
        t = difference / errors[across]
        reach = upper_normal(alpha / 2) + upper_normal(BETA.default)
        n_topics = pairs.n_topics * np.square(errors[across]) / np.square(difference) * reach**2
    t = np.where(difference == 0, 0.0, t)  # equal columns have no variance either
    least = int(np.argmin(t))
    place = across[least]
    statistic = float(t[least])
    p = 2 * float(stdtr(df, -statistic)) if statistic > 0 else 1.0
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


_AMONG = {1.0: "all", 0.5: "the best half", 0.25: "the best quarter"}

_SMALLEST = 1e-9  # noncentrality of a true effect: below it only errors remain


@dataclass(frozen=True, kw_only=True)
class TwoSystems:
    """Facts about two systems."""

    # The one with the higher mean first
    better: str
    worse: str
    difference: float  # of their means, from 0
    interval: str  # of the difference at level 1 - alpha: by "t", of scores of 0 and 1 "Tango's"
    # Its ends; None without a variance
    low: float | None
    high: float | None
    statistic: float | None
    # Two-sided, of these two alone
    p_by_t: float | None  # None without a variance
    p_by_flips: float
    flips: str  # whether those of these two are all, "enumerated" or in "closed form", or "drawn"
    adjusted_p: float  # among all pairs of the leaderboard
    concentration: float  # number of topics that the difference rests on
    among: float  # share of the best systems whose variance component k rests on
    shrinkage: float  # k, the share of the difference that remains on average
    expected_difference: float
    n_again: int  # new topics
    # Probability that they give the same order, and a significant difference in this direction
    same_order: float | None
    significant_again: float | None
    topics_again: int | None  # new topics that are significant again with 80 % power
    # Power, wrong signs and exaggeration of significant results on as many topics as these, if the true
    # difference is the expected one
    errors: SizeErrors | None
    alpha: float  # significance level
    unit: str = "topic"  # what topics are: "group" where whole groups are compared
    # The interval for other topics of the same groups; the other one is for other groups like these
    same_groups: tuple[float, float] | None = None

    @property
    def sentence(self) -> str:
        """The answer in words."""
        return f"{self.comparison} {self.replication}".rstrip()

    @property
    def comparison(self) -> str:
        """The difference, its interval, its p values and topics for another experiment, in words."""
        if not self.difference:
            return f"{self.better} and {self.worse} have equal means, so there is no order to doubt."
        flips = f"{'all ' if self.flips == 'closed form' else ''}sign flips"
        p = f"{_p(self.p_by_flips)} by {flips}, {_p(self.adjusted_p)} among all pairs"
        if self.p_by_t is not None:
            p = f"{_p(self.p_by_t)} by t, {p}"
        text = f"{self.better} leads {self.worse} by {self.difference:.3g} in"
        if self.low is None:
            text += (
                f" every {self.unit} (p values: {p}). Without variance between {self.unit}s there is neither a "
                "confidence interval nor a t test."
            )
        else:
            which = "" if self.interval == "t" else f", {self.interval}:"
            between = f"{self.low:.3g} to {self.high:.3g}"
            text += f" these scores ({self._level} interval{which} {between}; p values: {p})."
        if self.same_groups is not None:
            low, high = self.same_groups
            text += (
                f" The interval is for other groups like these; for other topics of the same groups it is "
                f"{low:.3g} to {high:.3g}."
            )
        if self.topics_again is not None:
            text += f" {again.in_words(self.topics_again, self.unit, 1 - BETA.default)}"
        return f"{text} {rests_on(self.concentration, self.unit)}".rstrip()

    @property
    def _level(self) -> str:
        return percent(1 - self.alpha, ".12g")

    @property
    def replication(self) -> str:
        """What new topics would find, in words; "" where that cannot be told."""
        if self.same_order is None or self.significant_again is None:
            return ""
        text = (
            f"A new set of {self.n_again:,} {self.unit}s gives the same order with probability "
            f"{self.same_order:.2f} and "
            f"a significant difference with probability {self.significant_again:.2f}."
        )
        if self.errors is not None:
            sign = self.errors.sign
            wrong = percent(sign, ".2g") if sign >= 0.0001 else "less than 0.01 %"
            text += (
                f" Among {_AMONG.get(self.among, f'the best {100 * self.among:g} %')} of these systems, "
                f"{100 * self.shrinkage:.0f} % of an observed difference remains on average "
                f"({self.expected_difference:.3g}). If the true difference is this one, significant results "
                f"exaggerate it {self.errors.magnitude:.2f} times, and {wrong} of them have "
                "the wrong sign."
            )
        return text

    @property
    def table(self) -> dict[str, list[object]]:
        """The numbers, one per row."""
        interval = f"{'' if self.interval == 't' else f'{self.interval} '}interval at {self._level}"
        rows: dict[str, float | int | None] = {
            f"{self.better} leads {self.worse} by": self.difference,
            f"{interval}, low": self.low,
            f"{interval}, high": self.high,
            "paired t": self.statistic,
            "p by t": self.p_by_t,
            "p by sign flips": self.p_by_flips,
            "p among all pairs": self.adjusted_p,
            f"{self.unit}s that the difference rests on": self.concentration,
            "k, share that remains": self.shrinkage,
            "k times the difference": self.expected_difference,
            f"same order on {self.n_again:,} new {self.unit}s": self.same_order,
            f"significant on {self.n_again:,} new {self.unit}s": self.significant_again,
            f"new {self.unit}s for 80 %": self.topics_again,
        }
        if self.errors is not None:
            rows |= {
                "power, if k times the difference is the true one": self.errors.power,
                "type M, exaggeration of significant results": self.errors.magnitude,
                "type S, wrong sign of significant results": self.errors.sign,
            }
        return {"": list(rows), "value": list(rows.values())}

    def record(self) -> dict[str, Any]:
        """Return the answer for a record."""
        groups = {} if self.same_groups is None else {"same_groups": self.same_groups}
        return fields_of(self, "unit", "same_groups") | groups | {"sentence": self.sentence}


def _p(value: float) -> str:
    return f"{value:.2g}" if value >= 0.0001 else "< .0001"


def _best(resolution: Resolution, among: float) -> range:
    """Return the places of the best systems, at least 3 of them where there are as many."""
    n_systems = resolution.matrix.n_systems
    if not 0 < among <= 1:
        raise InputError("among", among, "must be a number above 0 and up to 1")
    return range(min(max(round(among * n_systems), 3), n_systems))


def _by_flips(resolution: Resolution, i: int, k: int) -> tuple[float, str]:
    """Return the p value by sign flips of two systems alone, and whether these are all flips or drawn ones."""
    scores = resolution.upright.scores
    differences = scores[:, i] - scores[:, k]
    sizes = np.abs(differences[differences != 0])
    if sizes.size and sizes.min() == sizes.max():
        n_positive = int((differences > 0).sum())
        fewer = min(n_positive, sizes.size - n_positive)
        return float(two_sided_p(fewer, sizes.size)), "closed form"
    matrix = resolution.matrix
    alone = resolve(matrix.taken(range(matrix.n_topics), [i, k]), resolution.request)
    return float(alone.adjusted_p[0]), "enumerated" if alone.enumerated else "drawn"


def two_systems(
    resolution: Resolution, first: str, second: str, *, n_again: int | None = None, among: float = 1.0
) -> TwoSystems:
    """Return the facts about two systems of a leaderboard."""
    from scipy.special import stdtr

    place, pairs, alpha = resolution.place_of(first, second), resolution.pairs, resolution.request.alpha
    n_new = int(N_TOPICS.check(resolution.pairs.n_topics if n_again is None else n_again))
    i, k, n = int(pairs.first[place]), int(pairs.second[place]), pairs.n_topics
    errors_of_pairs, df = resolution.standard_errors
    difference, error = float(pairs.difference[place]), float(errors_of_pairs[place])
    compared = _compared(resolution, i, k)
    if compared is None:
        error = 0.0
    p_by_flips, flips = _by_flips(resolution, i, k)
    statistic = difference / error if error > 0 else None
    p_by_t = 1.0 if difference == 0 else None if statistic is None else 2 * float(stdtr(df, -statistic))
    shrinkage = again.remaining_share(resolution.upright, error, _best(resolution, among))
    topics = again.new_topics(difference, error, n, shrinkage, alpha=alpha, beta=BETA.default)
    same = significant = errors = None
    if statistic is not None and shrinkage > 0:
        same = comes_again(statistic, n, n_new, shrinkage, alpha=None)
        significant = comes_again(statistic, n, n_new, shrinkage, alpha=alpha)
        if shrinkage * statistic > _SMALLEST:
            errors = errors_of(shrinkage * statistic, df, alpha)
    return TwoSystems(
        better=resolution.systems[i],
        worse=resolution.systems[k],
        difference=difference,
        interval="Tango's" if compared and compared.discordant is not None else "t",
        low=None if compared is None else compared.low,
        high=None if compared is None else compared.high,
        statistic=statistic,
        p_by_t=p_by_t,
        p_by_flips=p_by_flips,
        flips=flips,
        adjusted_p=float(resolution.adjusted_p[place]),
        concentration=float(np.float64(pairs.concentration[place])),
        among=among,
        shrinkage=shrinkage,
        expected_difference=shrinkage * difference,
        n_again=n_new,
        same_order=same,
        significant_again=significant,
        topics_again=topics,
        errors=errors,
        alpha=alpha,
        unit=resolution.unit,
        same_groups=None if compared is None else compared.same_groups,
    )


def _compared(resolution: Resolution, better: int, worse: int) -> Answer | None:
    """Return the comparison of two systems; None without a variance to test by, or a power that alpha allows."""
    names, request = resolution.systems, resolution.request
    try:
        asked = TwoRequest(
            alpha=request.alpha,
            beta=(1 - request.alpha) / 2,  # any that alpha allows: nothing that rests on it is read
            pair=(names[worse], names[better]),
            lower_is_better=request.lower_is_better,
            mean=request.mean,
        )
        return compare_two(resolution.matrix, asked)
    except InputError:
        return None
