"""How many topics for McNemar's test of two systems whose scores are 0 or 1?

Two systems are run on the same n topics and each topic is right or wrong: success@k, P@1, exact match, pass or
fail. McNemar's test asks whether the discordant topics, on which only one of the systems is right, favour one of
them. The design finds the n from which on a true difference of minD is missed with probability beta at most.

Model: that of `shares`. With m discordant topics, of which x favour the first system, and X binomial(m, 1/2), the
tests reject where

============== ========================================================================================
exact          2 Pr{X <= min(x, m - x)} <= alpha: conditional on m (McNemar 1947)
mid-p          the same less Pr{X = min(x, m - x)}; may exceed alpha slightly (Fagerland et al. 2013)
unconditional  |2x - m| / sqrt(m) >= z; z the least with an error probability of at most alpha at any
               discordant share (Suissa and Shuster 1991)
============== ========================================================================================

Power is the sum over m and x. As these are whole, the power of n + 1 topics may be below that of n. The decision of
the first two tests depends on n by m alone: their power is the mean over m of r(m), the probability to reject at
m. The mean of its rising envelope min{r(m'): m' >= m} never falls with n; where it reaches 1 - beta, all larger n
do. The power of all smaller n is computed, so the number from which on the power stays reached is proven, up to
20,000 discordant topics. Beyond the last computed m, Hoeffding's inequality bounds r.

Examples
--------
>>> wanted = Requirements(alpha=0.05, beta=0.20, min_d=0.05, difference_variance=0.1075)
>>> required_topics(wanted).required_topics
367
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.design import detects
from topicset_core.designs.distributions import upper_normal
from topicset_core.designs.requirements import Required, checked_topics, checked_values
from topicset_core.designs.results import Method, check_exact
from topicset_core.designs.search import FEWEST_TOPICS, NONE_IS_ENOUGH, Floats, Integers
from topicset_core.designs.shares import (
    PairedShares,
    SharesResult,
    at_least,
    binomial,
    check_shares,
    discordant_share,
    notes_of,
    shares_of,
)
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DIFFERENCE_VARIANCE,
    MIN_D,
    MOST_TOPICS,
    ChoiceParameter,
    Parameter,
    check_error_probabilities,
)
from topicset_core.references import FAGERLAND_2013, MCNEMAR_1947, SUISSA_SHUSTER_1991

MCNEMAR = ChoiceParameter(
    name="mcnemar",
    label="McNemar's test",
    help="How the test decides; conditional: given the discordant topics, on which only one system is right.",
    options={
        "exact": "exact, conditional",
        "mid-p": "mid-p",
        "unconditional": "exact, unconditional",
    },
    default="exact",
)

MOST_ENUMERATED = 1000
"""Topics up to which the unconditional test is enumerated."""

_SAME = 1 + 1e-12  # p values that equal alpha but for rounding reject
_BLOCK = 1024  # discordant topics whose critical counts are kept together
_PROVEN = (
    20_000  # discordant topics up to which the envelope is computed; steps of the power are tiny by then
)
_ROUNDING = 1e-12  # of a share that is a sum of two
_SCANNED = 4000  # topics whose power is computed one by one
_DIGITS = 1e-9  # of a difference that is searched, relative
_SPACING = 0.1  # of the grid of discordant shares, in standard deviations of arcsin(sqrt(share))
_GUARD = 1e-5  # by which the level is undercut, relative, as the grid may miss the top between its points


@dataclass(frozen=True, kw_only=True)
class Requirements(Required):
    """Error probabilities, a difference of shares, and its variance.

    Parameters
    ----------
    alpha, beta : float
        Error probabilities, 0 < alpha < 1 and 0 < beta < 1 - alpha.
    min_d : float
        Difference of the shares of right topics to detect, above 0 and at most 1: p10 - p01.
    difference_variance : float
        Variance of the per-topic difference: p10 + p01 - min_d^2.
    mcnemar : {"exact", "mid-p", "unconditional"}
        How the test decides.

    Raises
    ------
    InputError
        If a value breaks its rule, or scores of 0 and 1 cannot have a variance as large.
    """

    alpha: float
    beta: float
    min_d: float
    difference_variance: float
    mcnemar: str = "exact"

    def __post_init__(self) -> None:
        check_error_probabilities(self.alpha, self.beta)
        MIN_D.check(self.min_d)
        DIFFERENCE_VARIANCE.check(self.difference_variance)
        MCNEMAR.check(self.mcnemar)
        check_shares(self.min_d, self.difference_variance)


@dataclass(frozen=True, kw_only=True, eq=False)
class McNemarDesign(PairedShares):
    """McNemar's test."""

    has_power = True
    in_shares = MIN_D

    parameters: tuple[Parameter, ...] = field(default=(ALPHA, BETA, MIN_D))
    choices: tuple[ChoiceParameter, ...] = field(default=(MCNEMAR,))
    variance: Parameter = DIFFERENCE_VARIANCE
    is_published: bool = False

    def along(self, values: Mapping[str, Any]) -> dict[str, float]:
        """Return the smaller discordant share of a plan, which leaves any larger share possible."""
        if MIN_D.name not in values or self.variance.name not in values:
            return {}
        return {"smaller_share": self.as_shares(values)[1]}

    def in_axis(self, values: Mapping[str, Any]) -> str:
        """Return the smaller discordant share."""
        return "".join(f"p₀₁ = {share:.3g}" for share in self.along(values).values())

    def largest(self, values: Mapping[str, Any]) -> float:
        """Return the difference at which all topics are discordant."""
        return 1 - 2 * self.along(values).get("smaller_share", 0.0) + _ROUNDING

    def quickly(self, fixed: dict[str, Any]) -> dict[str, Any]:
        """Return the mid-p test for curves of the unconditional test, whose power it has but for a few topics."""
        is_slow = fixed[MCNEMAR.name] == "unconditional"
        return fixed | ({MCNEMAR.name: "mid-p"} if is_slow else {})

    def required_topics(self, requirements: Requirements, *, method: Method = "exact") -> SharesResult:
        """Return the number of topics from which on the power stays reached, and the least that reaches it.

        Parameters
        ----------
        requirements : Requirements
            Requirements of the test.
        method : {"exact"}
            The Excel tools do not cover this design.

        Raises
        ------
        NoSolution
            If more than ten million topics would be needed, or more than a thousand by the unconditional test.
        """
        check_exact(method)
        d, variance, test = requirements.min_d, requirements.difference_variance, requirements.mcnemar
        psi = float(discordant_share(d, variance))
        levels = requirements.alpha, requirements.beta
        search = _search_unconditional if test == "unconditional" else _search
        least, n = search(d, psi, *levels, test)
        power = {
            topics: float(_powers(np.array([topics]), d, psi, levels[0], test)[0])
            for topics in (n, max(n - 1, 1))
        }
        return SharesResult(
            design=self.name,
            method=method,
            requirements=requirements,
            required_topics=n,
            least_topics=least,
            notes=notes_of(d, variance),
            discordant_shares=shares_of(d, variance),
            attained_power=power[n],
            power_one_topic_fewer=None if n == FEWEST_TOPICS else power[n - 1],
            effect_size=d / math.sqrt(variance),
        )

    def topics(
        self,
        difference: ArrayLike,
        variance: ArrayLike,
        *,
        alpha: float,
        beta: float,
        mcnemar: str = "exact",
        smaller_share: float | None = None,
        method: Method = "exact",
    ) -> Integers:
        """Return the topics from which on the power stays reached, by the variance or p01; arrays broadcast."""
        check_error_probabilities(alpha, beta)
        check_exact(method)
        d, v = np.broadcast_arrays(
            checked_values(MIN_D, difference), checked_values(DIFFERENCE_VARIANCE, variance)
        )
        if np.any(d > 1):
            raise NoSolution("scores of 0 and 1 do not differ by more than 1")
        psi = discordant_share(d, v) if smaller_share is None else np.minimum(d + 2 * smaller_share, 1.0)
        search = _search_unconditional if MCNEMAR.check(mcnemar) == "unconditional" else _search
        cells = zip(d.ravel().tolist(), psi.ravel().tolist(), strict=True)
        return np.array([search(*cell, alpha, beta, mcnemar)[1] for cell in cells], dtype=np.int64).reshape(
            d.shape
        )

    def power(
        self,
        n_topics: ArrayLike,
        difference: ArrayLike,
        variance: ArrayLike,
        *,
        alpha: float,
        beta: float | None = None,  # noqa: ARG002 - given with the other keywords
        mcnemar: str = "exact",
        method: Method = "exact",
    ) -> Floats:
        """Return the probability that the test of n topics rejects, in either direction; arrays broadcast."""
        ALPHA.check(alpha)
        check_exact(method)
        MCNEMAR.check(mcnemar)
        n, d, v = np.broadcast_arrays(
            checked_topics(n_topics),
            np.minimum(checked_values(MIN_D, difference), 1.0),
            checked_values(DIFFERENCE_VARIANCE, variance),
        )
        psi, flat = discordant_share(d, v).ravel(), n.ravel().astype(np.int64)
        result = np.empty(flat.size)
        pairs = np.stack([d.ravel(), psi], axis=1)
        for pair in np.unique(pairs, axis=0):
            cells = np.flatnonzero((pairs == pair).all(axis=1))
            result[cells] = _powers(flat[cells], float(pair[0]), float(pair[1]), alpha, mcnemar)
        return result.reshape(n.shape)

    def difference(
        self,
        n_topics: ArrayLike,
        variance: ArrayLike,
        *,
        alpha: float,
        beta: float,
        mcnemar: str = "exact",
        smaller_share: float | None = None,
        method: Method = "exact",
    ) -> Floats:
        """Return the smallest difference that n topics detect at this variance, or this p01; arrays broadcast."""
        from scipy import optimize, special

        check_error_probabilities(alpha, beta)
        check_exact(method)
        MCNEMAR.check(mcnemar)
        n, v = np.broadcast_arrays(checked_topics(n_topics), checked_values(DIFFERENCE_VARIANCE, variance))

        def detected(topics: int, variance: float) -> float:
            def excess(d: float) -> float:
                psi = float(discordant_share(d, variance)) if smaller_share is None else d + 2 * smaller_share
                power = float(_powers(np.array([topics]), d, psi, alpha, mcnemar)[0])
                return float(special.ndtri(np.clip(power, 1e-300, 1 - 1e-16))) + upper_normal(1 - beta)

            widest = math.sqrt(max(1 - variance, 0.0)) or 1.0
            if smaller_share is not None:
                widest = 1 - 2 * smaller_share
            guess = (upper_normal(alpha / 2) + upper_normal(beta)) * math.sqrt(variance / topics)
            low, high = 0.98 * min(guess, widest), min(1.02 * guess + 1.5 / topics, widest)
            while excess(low) >= 0:
                low, high = low / 2, low
            while excess(high) < 0:
                if high >= widest:
                    raise NoSolution(f"{topics:,} topics detect no difference of shares with this variance")
                low, high = high, min(1.5 * high, widest)
            return float(optimize.brentq(excess, low, high, rtol=_DIGITS, xtol=_DIGITS * low))

        cells = zip(n.ravel().astype(np.int64).tolist(), v.ravel().tolist(), strict=True)
        return np.array([detected(*cell) for cell in cells]).reshape(n.shape)


def critical_counts(first: int, last: int, alpha: float, mcnemar: str) -> Integers:
    """Return, for m = first to last discordant topics, the largest min(x, m - x) that rejects; -1 if none does."""
    blocks = range(first // _BLOCK, last // _BLOCK + 1)
    counts = np.concatenate([_kept_counts(block, alpha, mcnemar) for block in blocks])
    return counts[first - blocks[0] * _BLOCK : last + 1 - blocks[0] * _BLOCK]


@lru_cache(maxsize=128)
def _kept_counts(block: int, alpha: float, mcnemar: str) -> Integers:
    return _critical_counts(block * _BLOCK, (block + 1) * _BLOCK - 1, alpha, mcnemar)


def _critical_counts(first: int, last: int, alpha: float, mcnemar: str) -> Integers:
    m = np.arange(first, last + 1, dtype=np.float64)
    start = np.floor((m - upper_normal(alpha / 2) * np.sqrt(m)) / 2)
    c, limit = np.clip(start, -1.0, np.floor((m - 1) / 2)), np.floor((m - 1) / 2)

    def rejects(count: Floats) -> Any:
        return (count < 0) | (two_sided_p(count, m, mcnemar) <= alpha * _SAME)

    while True:  # the normal start is at most a few counts away
        over = ~rejects(c)
        under = ~over & (c < limit) & rejects(np.minimum(c + 1, limit))
        if not (over.any() or under.any()):
            return c.astype(np.int64)
        c = np.where(over, c - 1, np.where(under, c + 1, c))


def two_sided_p(count: ArrayLike, discordant: ArrayLike, mcnemar: str = "exact") -> Floats:
    """Return the p value of min(x, m - x) = count among m discordant topics, exact or mid-p; arrays broadcast."""
    c, m = np.broadcast_arrays(np.asarray(count, dtype=np.float64), np.asarray(discordant, dtype=np.float64))
    p = 2 * at_least(m - c, m, 0.5)  # Pr{X <= c} = Pr{X >= m - c}
    if mcnemar == "exact":
        return np.minimum(p, 1.0)
    observed = at_least(m - c, m, 0.5) - at_least(m - c + 1, m, 0.5)
    return np.asarray(np.where(2 * c == m, 1 - observed / 2, p - observed))


def _rejection(first: int, last: int, share: float, alpha: float, mcnemar: str) -> Floats:
    """Return r(m), the probability to reject at m = first to last discordant topics."""
    c, m = critical_counts(first, last, alpha, mcnemar), np.arange(first, last + 1)
    both = at_least(m - c, m, share) + at_least(m - c, m, 1 - share)
    return np.where(c >= 0, both, 0.0)


def _powers(n: Integers, d: float, psi: float, alpha: float, mcnemar: str) -> Floats:
    """Return the power of each n."""
    share = (psi + d) / (2 * psi)
    windows = [binomial(topics, psi) for topics in n.tolist()]
    if mcnemar == "unconditional":
        return np.array(
            [
                w @ _unconditional_rejection(topics, first, w.size, share, alpha)
                for topics, (first, w) in zip(n.tolist(), windows, strict=True)
            ]
        )
    starts = [first for first, _ in windows]
    low, high = min(starts), max(first + w.size - 1 for first, w in windows)
    if high - low > sum(w.size for _, w in windows):  # far apart
        return np.array([w @ _rejection(f, f + w.size - 1, share, alpha, mcnemar) for f, w in windows])
    r = _rejection(low, high, share, alpha, mcnemar)
    return np.array([w @ r[first - low : first - low + w.size] for first, w in windows])


def _start(d: float, psi: float, alpha: float, beta: float) -> float:
    """Return the topics by the normal approximation of Connett et al. (1987), which the search begins with."""
    z = upper_normal(alpha / 2) * math.sqrt(psi) + upper_normal(beta) * math.sqrt(max(psi - d * d, 0.0))
    return (z / d) ** 2


def _search(d: float, psi: float, alpha: float, beta: float, mcnemar: str) -> tuple[int, int]:
    """Return the least topics that reach the power, and those from which on all do."""
    share, start = (psi + d) / (2 * psi), _start(d, psi, alpha, beta)
    if start > 1.5 * MOST_TOPICS:
        raise NoSolution(NONE_IS_ENOUGH)
    spread = math.sqrt(math.log(2 / alpha) / 2)
    beyond = math.sqrt(-math.log(min(beta, 0.1) * 1e-3) / 2)  # r is above 1 - beta / 1000 from there on
    horizon = ((spread + beyond + 1) / (share - 0.5)) ** 2
    tooth = 4 / min(upper_normal(alpha / 2), 1.0)  # r falls once in about 4 sqrt(m) / z counts
    below = above = min(0.3 * start, tooth * math.sqrt(start) + 100)
    while True:
        low = max(int(start - below) - 5, FEWEST_TOPICS)
        high = min(int(start + above + 2 / d) + 30, MOST_TOPICS)
        low = min(low, high)
        first, (end, highest_weights) = binomial(low, psi)[0], binomial(high, psi)
        first = max(int(first - tooth * math.sqrt(first)) - 2, 0)
        last = max(end + highest_weights.size, int(min(horizon, _PROVEN)))
        r = _rejection(first, last, share, alpha, mcnemar)
        rising, highest = np.minimum.accumulate(r[::-1])[::-1], np.maximum.accumulate(r)
        rising = np.minimum(rising, 1 - min(beta, 0.1) * 1e-3)

        def mean(n: int, values: Floats, at: int = first) -> float:
            begin, w = binomial(n, psi)
            return float(w @ values[begin - at : begin - at + w.size])

        if low > FEWEST_TOPICS and mean(low, highest) >= 1 - beta:
            below *= 4
        elif mean(high, rising) < 1 - beta:
            if high >= MOST_TOPICS:
                raise NoSolution(NONE_IS_ENOUGH)
            above = 4 * above + 100
        else:
            break
    bottom = _least(lambda n: mean(n, highest) >= 1 - beta, low, high)
    top = _least(lambda n: mean(n, rising) >= 1 - beta, bottom, high)
    if top - bottom > _SCANNED:  # so many topics that single ones do not matter
        n = _least(lambda n: mean(n, r) >= 1 - beta, bottom, top)
        return n, n
    begin, w = binomial(bottom, psi)
    reached = np.empty(top - bottom + 1, dtype=np.bool_)
    w = np.concatenate([w, np.zeros(binomial(top, psi)[0] + binomial(top, psi)[1].size - begin - w.size)])
    values = r[begin - first : begin - first + w.size]
    for place in range(reached.size):
        reached[place] = w @ values >= 1 - beta
        w = (1 - psi) * w + psi * np.concatenate([[0.0], w[:-1]])  # one topic more
    failing = np.flatnonzero(~reached)
    return bottom + int(np.argmax(reached)), bottom + (int(failing[-1]) + 1 if failing.size else 0)


def _least(meets: Any, low: int, high: int) -> int:
    """Return the least n that meets a requirement which larger n meet too; `high` does."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if meets(middle) else (middle + 1, high)
    return high


def _search_unconditional(d: float, psi: float, alpha: float, beta: float, mcnemar: str) -> tuple[int, int]:
    """Return the same of the unconditional test, among the topics around those of the conditional ones.

    Its power is computed from 10 % fewer topics than by mid-p to 10 % more than by the exact test.
    """
    few, many = (_search(d, psi, alpha, beta, method) for method in ("mid-p", "exact"))
    low, high = max(int(0.9 * few[0]), FEWEST_TOPICS), int(1.1 * many[1]) + 1
    if high > MOST_ENUMERATED:
        raise NoSolution(
            f"the unconditional test is enumerated up to {MOST_ENUMERATED:,} topics, and would need about "
            f"{few[1]:,}; the mid-p test needs {few[1]:,}, the exact conditional test {many[1]:,}"
        )
    reached = _powers(np.arange(low, high + 1), d, psi, alpha, mcnemar) >= 1 - beta
    failing = np.flatnonzero(~reached)
    return low + int(np.argmax(reached)), low + (int(failing[-1]) + 1 if failing.size else 0)


def _unconditional_rejection(n: int, first: int, size: int, share: float, alpha: float) -> Floats:
    """Return r(m) of the unconditional test of n topics."""
    if n > MOST_ENUMERATED:
        raise InputError("n_topics", n, f"must be at most {MOST_ENUMERATED:,} by the unconditional test")
    m = np.arange(first, first + size)
    k = _upper_count(m, unconditional_critical(n, alpha))
    both = at_least(k, m, share) + at_least(k, m, 1 - share)
    return np.where(m > 0, both, 0.0)


def _upper_count(m: Integers, z: float) -> Floats:
    """Return the smallest x > m / 2 with (2x - m) / sqrt(m) >= z."""
    return np.ceil((m + z * np.sqrt(m)) / 2 - 1e-9)


@lru_cache(maxsize=4096)
def unconditional_critical(n: int, alpha: float) -> float:
    """Return z of the unconditional test: the least with an error probability of at most alpha at any share.

    The largest error probability is sought on a grid of discordant shares, a tenth of a standard deviation apart.
    """
    from scipy import special

    m = np.arange(n + 1)
    angles = np.arange(1, int(math.pi / (_SPACING / math.sqrt(n))) + 1) * _SPACING / (2 * math.sqrt(n))
    shares = np.append(np.square(np.sin(angles[angles < math.pi / 2])), 1.0)[:, np.newaxis]
    log = special.gammaln(n + 1) - special.gammaln(m + 1) - special.gammaln(n - m + 1)
    weights = np.exp(log + special.xlogy(m, shares) + special.xlog1py(n - m, -shares))

    def size(z: float) -> float:
        both = 2 * at_least(_upper_count(m, z), m, 0.5)
        return float((weights @ np.where(m > 0, both, 0.0)).max())

    low, high = 0.0, math.sqrt(2 * math.log(2 / alpha)) + 1e-6  # by Hoeffding's inequality
    while high - low > 1e-7:
        middle = (low + high) / 2
        low, high = (low, middle) if size(middle) <= alpha * (1 - _GUARD) else (middle, high)
    return high


DESIGN = McNemarDesign(
    slug="mcnemar",
    name="McNemar's test",
    label="McNemar's test",
    headline="detect a difference of {difference:g} in {measure} with {power:g} % power",
    requirements=Requirements,
    claim=detects("McNemar's test ({mcnemar})", "a difference of minD = {min_d:g} in {measure}"),
    works=(MCNEMAR_1947,),
    works_by_choice={"mid-p": (FAGERLAND_2013,), "unconditional": (SUISSA_SHUSTER_1991,)},
)

required_topics, required_topics_grid = DESIGN.required_topics, DESIGN.topics
power, detectable_difference = DESIGN.power, DESIGN.difference
