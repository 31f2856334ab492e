"""Common parts of the designs for scores that are 0 or 1: a difference of two shares of topics.

On a topic both systems have the same score, or only one has a 1: the topic is discordant. With the share p10 of
topics on which only the first system has a 1, and p01 of those on which only the second has,

================== ============================ ==================================
quantity           in shares                    in values of a plan
================== ============================ ==================================
true difference d  p10 - p01                    min_d, or the true difference
variance sigma^2   psi - d^2                    variance of the per-topic difference
discordant share   psi = p10 + p01              sigma^2 + d^2
================== ============================ ==================================

so a difference and its variance are both shares, and these designs take a variance from scores as all others do. It
is between d (1 - d), where no topic favours the second system, and 1 - d^2, where all topics are discordant.

Of n topics, m are discordant, binomial(n, psi), and x of these favour the first system, binomial(m, p10 / psi). A
test reports a result for some (m, x); every probability here is the sum over these, without approximation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from topicset_core.designs.design import Design
from topicset_core.designs.results import PowerResult
from topicset_core.designs.search import Floats
from topicset_core.errors import InputError
from topicset_core.parameters import (
    DIFFERENCE_VARIANCE,
    MIN_D,
    ONLY_A,
    ONLY_B,
    SHARES,
    TRUE_DIFFERENCE,
    Parameter,
)

_WIDE = 9.0  # standard deviations around the mode, beyond which binomial probabilities sum to less than 1e-17
_FEW = 30  # further counts, as small binomials have longer tails
_ROUNDING = 1e-12  # of a share that is a sum of two


RIGHT = "the share of right topics"
"""The measure where there are no scores of a named one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PairedShares(Design):
    """A design for the difference of two shares of the same topics."""

    shares: ClassVar[tuple[Parameter, ...]] = (ONLY_A, ONLY_B)
    in_shares: ClassVar[Parameter] = TRUE_DIFFERENCE
    """Its parameter that is p10 - p01."""

    def of_shares(self, shares: Sequence[float]) -> dict[str, float]:
        """Return difference and variance of the two discordant shares."""
        return from_discordant(shares, self.in_shares)

    def as_shares(self, values: Mapping[str, Any]) -> tuple[float, float]:
        """Return the two discordant shares of difference and variance."""
        return shares_of(values[self.in_shares.name], values[self.variance.name])


@dataclass(frozen=True, kw_only=True)
class SharesResult(PowerResult):
    """The topics from which on the power stays reached, and the least that reach it.

    Attributes
    ----------
    required_topics : int
        n, from which on every number of topics reaches the power.
    least_topics : int
        The smallest n that reaches it; more topics may fall short again, as counts are whole.
    discordant_shares : (float, float)
        p10 and p01 of the plan.
    """

    least_topics: int
    discordant_shares: tuple[float, float]

    @property
    def in_words(self) -> str:
        """The discordant shares, and the least topics where they are others."""
        first, second = self.discordant_shares
        shares = f"discordant shares {first:.4g} and {second:.4g}"
        return f"{shares}; {self._least}" if self._least else shares

    @property
    def _least(self) -> str:
        n, least = self.required_topics, self.least_topics
        return f"{least:,} topics are the least, but some numbers up to {n - 1:,} fall short" * (least < n)

    @property
    def evidence(self) -> str:
        """The attained powers, and the least topics where they are others."""
        return f"{super().evidence} {self._least}." if self._least else super().evidence

    @property
    def about_test(self) -> str:
        """The discordant shares, as a sentence."""
        first, second = self.discordant_shares
        return f"Discordant topics: {100 * first:.4g} % and {100 * second:.4g} %."


def shares_of(difference: float, variance: float) -> tuple[float, float]:
    """Return p10 and p01; a variance below that of scores of 0 and 1 counts as the least that they have."""
    psi = float(discordant_share(difference, variance))
    return (psi + difference) / 2, (psi - difference) / 2


def discordant_share(difference: Any, variance: Any) -> Floats:
    """Return psi of a difference and a variance, at least the difference and at most 1; arrays broadcast."""
    d = np.asarray(difference, dtype=np.float64)
    return np.clip(np.asarray(variance, dtype=np.float64) + np.square(d), np.abs(d), 1.0)


def check_shares(difference: float, variance: float, of: Parameter = MIN_D) -> None:
    """Raise unless scores of 0 and 1 can have this difference with this variance."""
    d = abs(difference)
    if d > 1:
        raise InputError(of.name, difference, "must be at most 1, as scores are 0 or 1")
    high = 1 - d * d
    if variance > high + _ROUNDING:
        rule = f"must be at most {high:.6g} where scores of 0 and 1 differ by {d:g}"
        raise InputError(DIFFERENCE_VARIANCE.name, variance, rule)


def notes_of(difference: float, variance: float) -> tuple[str, ...]:
    """Return a note where scores of 0 and 1 with this difference vary more: their least variance is used."""
    low = abs(difference) * (1 - abs(difference))
    if variance >= low - _ROUNDING:
        return ()
    return (
        f"Scores of 0 and 1 that differ by {difference:g} have a variance of at least {low:.4g}, which is used in "
        f"place of {variance:.4g}",
    )


def from_discordant(shares: Sequence[float], difference: Parameter) -> dict[str, float]:
    """Return difference and variance of the two discordant shares."""
    if len(shares) != 2:
        rule = "must be two shares of topics: those on which only the one, and only the other system has a 1"
        raise InputError(SHARES.name, shares, rule)
    first, second = (SHARES.check(share) for share in shares)
    if first + second > 1 + _ROUNDING:
        raise InputError(SHARES.name, shares, "must not sum to more than 1")
    if first + second == 0 or abs(first - second) == 1:
        raise InputError(SHARES.name, shares, "must leave differences that vary, not be 0 and 0, or 1 and 0")
    if difference is MIN_D:
        if first == second:
            raise InputError(SHARES.name, shares, "must differ, or there is no difference to detect")
        first, second = max(first, second), min(first, second)
    return {difference.name: first - second, DIFFERENCE_VARIANCE.name: first + second - (first - second) ** 2}


def binomial(n: int, share: float) -> tuple[int, Floats]:
    """Return the first count that matters of a binomial distribution, and the probabilities from there on."""
    if share >= 1 or share <= 0:
        return (n if share >= 1 else 0), np.ones(1)
    mode = min(int((n + 1) * share), n)
    half = int(_WIDE * np.sqrt(n * share * (1 - share))) + _FEW
    first, last = max(mode - half, 0), min(mode + half, n)
    odds = share / (1 - share)
    up, down = np.arange(mode + 1, last + 1, dtype=np.float64), np.arange(mode, first, -1, dtype=np.float64)
    above = np.cumprod((n - up + 1) / up * odds)
    below = np.cumprod(down / (n - down + 1) / odds)
    weights = np.concatenate([below[::-1], [1.0], above])
    return first, weights / weights.sum()


def at_least(k: Any, m: Any, share: Any) -> Floats:
    """Return Pr{x >= k} of a binomial(m, share); arrays broadcast."""
    from scipy import special

    k, m = np.broadcast_arrays(np.asarray(k, dtype=np.float64), np.asarray(m, dtype=np.float64))
    inside = (k > 0) & (k <= m)
    tail = special.betainc(np.where(inside, k, 1.0), np.where(inside, m - k + 1, 1.0), share)
    return np.where(inside, tail, np.where(k <= 0, 1.0, 0.0))
