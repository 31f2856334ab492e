"""Was that difference real: errors of size and sign, and the probability that a difference comes again.

**Errors of size** (Gelman and Carlin 2014). For a true effect size delta that the reader believes, a study of n
topics finds significance with some power; if it does, the sign is wrong with probability S, and the difference is
M times too large on average. At the effect that was observed M would be a function of p alone: never ask for that.

With nu degrees of freedom, l the noncentrality, tc the critical t and C^2 = chi^2_nu / nu:

    power = E[Phi(l - tc C) + Phi(-l - tc C)],   S = E[Phi(-l - tc C)] / power,
    M = E[l (Phi(l - tc C) - Phi(-l - tc C)) + phi(tc C - l) + phi(tc C + l)] / (l power).

**Coming again.** From t0 on n topics, n2 = r n new topics are significant in the same direction with probability

    Pr{t' >= tc / sqrt(1 + k r)},    t' noncentral with k t0 sqrt(r) / sqrt(1 + k r) and the new study's nu,

k = 1 / (1 + g / n) the share of an observed difference that remains: E rho^2 (`variance.components`). k = 1 is a
flat prior (Goodman 1992). True differences vary normally, and the standard deviation of the first study is taken
as the true one. The probability is at least alpha / 2. With tc = 0 it is that of the same order. An F0 of m systems
with n topics each is (1 + k r) F' again, F' noncentral with lambda = r k^2 phi_A F0 / (1 + k r).

**How much remains.** g is noise over signal of two systems on one topic. Between two runs of a track it was
`SHARED` or `SEPARATE` in the 19 score matrices of 8 collections that the tests name. How often the topics for 80 %
replicated a result is in docs/evidence/replication.md.

References
----------
.. [1] A. Gelman, J. Carlin. Beyond power calculations: assessing Type S (sign) and Type M (magnitude) errors.
   Perspectives on Psychological Science 9, 641-651 (2014). https://doi.org/10.1177/1745691614551642
.. [2] J. Lu, Y. Qiu, A. Deng. A note on Type S/M errors in hypothesis testing. British Journal of Mathematical and
   Statistical Psychology 72, 1-17 (2019). https://doi.org/10.1111/bmsp.12132
.. [3] S. N. Goodman. A comment on replication, p-values and evidence. Statistics in Medicine 11, 875-879 (1992).
   https://doi.org/10.1002/sim.4780110705
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.distributions import (
    critical_t,
    noncentral_f_tail,
    noncentral_t_tail,
    normal_cdf,
    normal_density,
)
from topicset_core.designs.search import Floats
from topicset_core.errors import InputError
from topicset_core.parameters import ALPHA, BETA, MIN_DELTA, N_TOPICS, T_STATISTIC, Parameter

SHRINKAGE = Parameter(
    name="shrinkage",
    symbol="k",
    label="k, share of a difference that remains",
    help="Of a difference observed on that many topics, on average; E ρ² of the systems. 1 does not shrink it.",
    lower=0.0,
    upper=1.0,
    default=1.0,
    step=0.05,
)

BELIEVED = replace(
    MIN_DELTA,
    name="true_effect",
    symbol="δ",
    label="δ, true effect size that you assume",
    help="In standard deviations of the per-topic difference; from earlier studies, not from this one.",
    default=0.2,
    step=0.05,
)

N_AGAIN = replace(
    N_TOPICS,
    name="n_again",
    symbol="n₂",
    label="n₂, topics of a replication",
    help="All of them are new topics.",
)

_CUTS = np.array([-9.0, -7.0, -4.0, -2.0, 0.0, 2.0, 4.0, 7.0, 9.0])
_NODES = 40


@dataclass(frozen=True, kw_only=True)
class SizeErrors:
    """What significant results are like, for an assumed true effect."""

    power: float  # probability of significance, in either direction
    sign: float  # type S: probability of the wrong sign, given significance
    magnitude: float  # type M: mean absolute observed difference over the true one, given significance


class Noise(NamedTuple):
    """g, noise over signal of a difference on one topic: least, median and most of published score matrices."""

    least: float
    usual: float
    most: float


SHARED = Noise(1.26, 4.25, 10.3)
"""Both systems on the same topics: two-way residual variance over variance component of systems, e / s."""
SEPARATE = Noise(3.52, 10.2, 24.4)
"""Each system on its own topics: (q + e) / s."""


def errors_of(noncentrality: float, df: float, alpha: float) -> SizeErrors:
    """Return power and errors of significant t tests, sqrt(n) delta being the noncentrality of a paired one."""
    ALPHA.check(alpha)
    if not 0 < noncentrality < math.inf:
        raise InputError(BELIEVED.name, noncentrality, BELIEVED.rule)
    critical, length = float(critical_t(df, alpha)), noncentrality
    c, weight = _chi(df, np.concatenate([_CUTS - length, _CUTS + length]) / critical)
    bound = critical * c
    right, wrong = normal_cdf(length - bound), normal_cdf(-length - bound)
    power = float(weight @ (right + wrong))
    density = normal_density(bound - length) + normal_density(bound + length)
    mean = float(weight @ (length * (right - wrong) + density))
    if power == 0:
        raise InputError(ALPHA.name, alpha, "is so small that no result would be significant")
    return SizeErrors(power=power, sign=float(weight @ wrong) / power, magnitude=mean / (length * power))


def _chi(df: float, bends: Floats) -> tuple[Floats, Floats]:
    """Return nodes c of C = sqrt(chi^2_df / df), and their weights: pieces around its mean, cut at the bends."""
    # The bends are where the integrand rises and falls: with few degrees of freedom in a small part of the range.
    from scipy.special import gammaln

    around = np.maximum(1 + _CUTS / math.sqrt(2 * df), 0.0)
    cuts = np.unique(np.clip(np.concatenate([around, bends]), around[0], around[-1]))
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    half = np.diff(cuts)[:, np.newaxis] / 2
    c = (cuts[:-1, np.newaxis] + half * (nodes + 1)).ravel()
    log_density = (
        math.log(2)
        + df / 2 * math.log(df / 2)
        - gammaln(df / 2)
        + (df - 1) * np.log(c)
        - df * np.square(c) / 2
    )
    return c, (half * weights).ravel() * np.exp(log_density)


def comes_again(
    statistic: float,
    n_topics: int,
    n_again: int,
    shrinkage: float = 1.0,
    *,
    alpha: float | None = ALPHA.default,
) -> float:
    """Return the probability that new topics give a significant difference in the same direction again."""
    t, k = abs(T_STATISTIC.check(statistic)), SHRINKAGE.check(shrinkage)
    n, again = int(N_TOPICS.check(n_topics)), int(N_AGAIN.check(n_again))
    if alpha is None:
        return float(same_order_again(t, again / n, k))
    return float(t_again(t, again / n, k, ALPHA.check(alpha), again - 1))


def t_again(statistic: float, ratio: ArrayLike, shrinkage: float, alpha: float, df: float | Floats) -> Floats:
    """Return Pr{`ratio` times the topics are significant in the direction of `statistic`}; arrays broadcast."""
    k, r = shrinkage, np.asarray(ratio, dtype=np.float64)
    spread = np.sqrt(1 + k * r)
    return noncentral_t_tail(critical_t(df, alpha) / spread, df, k * abs(statistic) * np.sqrt(r) / spread)


def same_order_again(statistic: float, ratio: ArrayLike, shrinkage: float) -> Floats:
    """Return the probability that `ratio` times the topics give the same order; arrays broadcast."""
    k, r = shrinkage, np.asarray(ratio, dtype=np.float64)
    return normal_cdf(k * abs(statistic) * np.sqrt(r) / np.sqrt(1 + k * r))


def f_again(
    statistic: float, ratio: ArrayLike, shrinkage: float, bound: Floats, df: tuple[int, Floats]
) -> Floats:
    """Return Pr{F of `ratio` times the topics >= bound}; `df` are those of the replication."""
    k, r = shrinkage, np.asarray(ratio, dtype=np.float64)
    return noncentral_f_tail(bound / (1 + k * r), *df, r * k**2 * df[0] * statistic / (1 + k * r))


def topics_again(
    statistic: float,
    n_topics: int,
    shrinkage: float = 1.0,
    *,
    alpha: float = ALPHA.default,
    beta: float = BETA.default,
) -> int | None:
    """Return the fewest new topics that are significant again with probability 1 - beta."""
    BETA.check(beta)

    def enough(again: int) -> bool:
        return comes_again(statistic, n_topics, again, shrinkage, alpha=alpha) >= 1 - beta

    return fewest(enough, int(N_TOPICS.upper))


def fewest(enough: Callable[[int], bool], most: int) -> int | None:
    """Return the fewest topics, from 2, that are enough, by halving; None where `most` are not."""
    low, high = 1, most
    if not enough(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
