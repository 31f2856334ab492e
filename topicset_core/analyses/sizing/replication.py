"""Was that difference real: errors of size and sign, and the probability that a difference comes again.

**Errors of size** (Gelman and Carlin 2014). For a true effect size delta that the reader believes, a study of n
topics finds significance with some power; if it does, the sign is wrong with probability S, and the difference is
M times too large on average. At the effect that was observed M would be a function of p alone: never ask for that.

With nu degrees of freedom, l the noncentrality, tc the critical t and C^2 = chi^2_nu / nu:

    power = E[Phi(l - tc C) + Phi(-l - tc C)],   S = E[Phi(-l - tc C)] / power,
    M = E[l (Phi(l - tc C) - Phi(-l - tc C)) + phi(tc C - l) + phi(tc C + l)] / (l power).

**Coming again.** From t0 on n topics, n2 new topics are significant in the same direction with probability

    Phi((k t0 sqrt(n2 / n) - tc) / sqrt(1 + k n2 / n)),

k the share of an observed difference that remains: E rho^2 of the field (`variance.components`). k = 1 is a flat
prior (Goodman 1992). With tc = 0 it is the probability of the same order. The difference itself as the true one, as
in "achieved power", promises too much. On Robust 2004 (30 runs, 50 topics, then 50 others, 60 cuts) differences
with |t| from 2.01 to 2.5, to 3, to 4 and to 6 were significant again in 54.0, 65.8, 81.2 and 95.1 % of cases;
this formula gave 52.2, 65.0, 80.5 and 95.5 %, achieved power 59.4, 76.7, 92.1 and 99.5 %.

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
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from topicset_core.designs import paired_t
from topicset_core.designs.distributions import critical_t, noncentral_f_tail, normal_cdf
from topicset_core.designs.search import Floats
from topicset_core.errors import InputError, NoSolution
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
    """What significant results are like, for an assumed true effect.

    Parameters
    ----------
    power : float
        Probability of significance, in either direction.
    sign : float
        Type S: probability of the wrong sign, given significance.
    magnitude : float
        Type M: mean absolute observed difference over the true one, given significance.
    """

    power: float
    sign: float
    magnitude: float


@dataclass(frozen=True)
class Field:
    """Published scores, and how far differences of two of their runs shrink.

    Parameters
    ----------
    name : str
        Which runs.
    ratio : float
        e / s: two-way residual variance over variance component of systems.
    """

    name: str
    ratio: float

    def shrinkage(self, n_topics: float) -> float:
        """Return k = E rho^2 for differences observed on `n_topics` topics."""
        return 1 / (1 + self.ratio / n_topics)


FIELDS = {
    "robust2004": Field("any two runs of Robust 2004 (110 runs, AP)", 3.609077797599064),
    "robust2004-best": Field("two good runs of Robust 2004 (its 28 best, AP)", 68.14262165019787),
    "trec8": Field("any two runs of TREC-8 ad hoc (129 runs, AP)", 1.4941708151427782),
    "trec8-best": Field("two good runs of TREC-8 ad hoc (its 32 best, AP)", 10.414282105152727),
    "dl2019": Field("any two runs of DL 2019 passages (37 runs, nDCG@10)", 1.2571578900132367),
    "dl2019-best": Field("two good runs of DL 2019 passages (its 9 best, nDCG@10)", 75.77890822189472),
    "web2012": Field("any two runs of Web 2012 (48 runs, ERR@20)", 9.149687052611695),
    "flat": Field("the difference unshrunk (flat prior, k = 1)", 0.0),
}
"""Where k may be taken from, by what links call it; ratios from the score matrices that "
"docs/reference_data.md names."""


@dataclass(frozen=True, kw_only=True)
class Reality:
    """The prediction of a reported paired t test for the next one.

    Parameters
    ----------
    n_again : int
        Topics of a replication, all new.
    field : str
        Where k is from.
    shrinkage : float
        k, the share of a difference that remains on average.
    same_order, significant_again : float
        Probability that the new topics give the same order, and a significant difference in the same direction.
    topics : int or None
        New topics that are significant again with power 1 - beta; None where no number is enough.
    topics_given_significance : int or None
        The same for a result that was reported because it was significant, in any field; None if it is not
        significant or no difference is left.
    interval : (float, float)
        Prediction interval of the effect size in the replication, at level 1 - alpha.
    true_effect : float
        Effect size that is believed.
    errors : SizeErrors
        Of significant results of the reported size, if that is the true one.
    beta : float
        1 - beta is the power of `topics`.
    """

    n_again: int
    field: str
    shrinkage: float
    same_order: float
    significant_again: float
    topics: int | None
    topics_given_significance: int | None
    interval: tuple[float, float]
    true_effect: float
    errors: SizeErrors
    beta: float

    @property
    def sentence(self) -> str:
        """The answer in words."""
        power = f"{100 * (1 - self.beta):g} %"
        needed = (
            f"No number of topics makes that {power}."
            if self.topics is None
            else f"{self.topics:,} new topics make that {power}."
        )
        return (
            f"{self.n_again:,} new topics give the same order with probability {self.same_order:.2f} "
            "and a significant "
            f"difference with probability {self.significant_again:.2f} (k = {self.shrinkage:.2f}: "
            f"{self.field}). {needed} "
            f"If the true effect size is {self.true_effect:g}, a study like this is significant with probability "
            f"{self.errors.power:.2f}; then it exaggerates the difference {self.errors.magnitude:.2f} times, and "
            f"{100 * self.errors.sign:.2g} % of significant results have the wrong sign."
        )

    def record(self) -> dict[str, Any]:
        """Return the answer as plain values for JSON."""
        return asdict(self) | {"sentence": self.sentence}


def was_it_real(
    statistic: float,
    *,
    n_topics: int,
    n_again: int,
    field: Field,
    true_effect: float,
    alpha: float,
    beta: float,
) -> Reality:
    """Return the prediction of a reported paired t test for the next one.

    Parameters
    ----------
    statistic : float
        t0, of either sign.
    n_topics, n_again : int
        Topics of the study and of its replication, from 2.
    field : Field
        Whose k is used.
    true_effect : float
        Effect size that is believed, in standard deviations, above 0.
    alpha, beta : float
        Error probabilities.

    Raises
    ------
    InputError
        If a value breaks its rule.

    Examples
    --------
    >>> asked = dict(n_topics=50, n_again=50, true_effect=0.2, alpha=0.05, beta=0.2)
    >>> found = was_it_real(2.5, field=FIELDS["robust2004-best"], **asked)
    >>> round(found.shrinkage, 2), found.topics_given_significance
    (0.42, 246)
    """
    n, again = int(N_TOPICS.check(n_topics)), int(N_AGAIN.check(n_again))
    k = field.shrinkage(n)
    reach = float(critical_t(n - 1, alpha)) * math.sqrt(1 / n + 1 / again)
    observed = T_STATISTIC.check(statistic) / math.sqrt(n)
    significant = abs(statistic) >= float(critical_t(n - 1, alpha))
    levels = {"alpha": alpha, "beta": beta}
    return Reality(
        n_again=again,
        field=field.name,
        shrinkage=k,
        same_order=comes_again(statistic, n, again, k, alpha=None),
        significant_again=comes_again(statistic, n, again, k, alpha=alpha),
        topics=topics_again(statistic, n, k, **levels),
        topics_given_significance=topics_given_significance(statistic, n, **levels) if significant else None,
        interval=(observed - reach, observed + reach),
        true_effect=BELIEVED.check(true_effect),
        errors=errors_of_size(true_effect, n, alpha),
        beta=beta,
    )


def errors_of_size(delta: float, n_topics: int, alpha: float) -> SizeErrors:
    """Return power and errors of significant paired t tests for a true effect size.

    Parameters
    ----------
    delta : float
        True mean difference in standard deviations of a per-topic difference, above 0.
    n_topics : int
        From 2.
    alpha : float
        Two-sided significance level.

    Raises
    ------
    InputError
        If a value breaks its rule.

    Examples
    --------
    >>> found = errors_of_size(0.1, 50, 0.05)
    >>> round(found.power, 5), round(found.sign, 5), round(found.magnitude, 4)
    (0.10663, 0.03736, 3.4048)
    """
    n = int(N_TOPICS.check(n_topics))
    return errors_of(BELIEVED.check(delta) * math.sqrt(n), n - 1, alpha)


def errors_of(noncentrality: float, df: int, alpha: float) -> SizeErrors:
    """Return the same for any t test.

    Parameters
    ----------
    noncentrality : float
        True difference over its standard error, above 0.
    df : int
        Degrees of freedom, from 1.
    alpha : float
        Two-sided significance level.
    """
    ALPHA.check(alpha)
    if not 0 < noncentrality < math.inf:
        raise InputError(BELIEVED.name, noncentrality, BELIEVED.rule)
    c, weight = _chi(df)
    bound, length = float(critical_t(df, alpha)) * c, noncentrality
    right, wrong = normal_cdf(length - bound), normal_cdf(-length - bound)
    power = float(weight @ (right + wrong))
    mean = float(weight @ (length * (right - wrong) + _phi(bound - length) + _phi(bound + length)))
    if power == 0:
        raise InputError(ALPHA.name, alpha, "is so small that no result would be significant")
    return SizeErrors(power=power, sign=float(weight @ wrong) / power, magnitude=mean / (length * power))


def _chi(df: int) -> tuple[Floats, Floats]:
    """Return nodes c of C = sqrt(chi^2_df / df), and their weights: quadrature pieces around its mean."""
    from scipy.special import gammaln

    cuts = np.unique(np.maximum(1 + _CUTS / math.sqrt(2 * df), 0.0))
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


def _phi(value: Floats) -> Floats:
    return np.asarray(np.exp(-np.square(value) / 2) / math.sqrt(2 * math.pi))


def comes_again(
    statistic: float,
    n_topics: int,
    n_again: int,
    shrinkage: float = 1.0,
    *,
    alpha: float | None = ALPHA.default,
) -> float:
    """Return the probability that new topics give a significant difference in the same direction again.

    Parameters
    ----------
    statistic : float
        t0 of a paired t test, of either sign, on `n_topics` topics.
    n_topics, n_again : int
        Topics of the study and of its replication, from 2.
    shrinkage : float
        k, above 0 and up to 1.
    alpha : float or None
        Two-sided significance level; None asks for the same order only.

    Raises
    ------
    InputError
        If a value breaks its rule.

    Examples
    --------
    >>> round(comes_again(2.0095752371292397, 50, 50), 4)  # p = .05, a flat prior
    0.5
    """
    t, k = abs(T_STATISTIC.check(statistic)), SHRINKAGE.check(shrinkage)
    n, again = int(N_TOPICS.check(n_topics)), int(N_AGAIN.check(n_again))
    bound = 0.0
    if alpha is not None:
        ALPHA.check(alpha)
        bound = float(critical_t(again - 1, alpha))
    ratio = again / n
    return float(normal_cdf(np.asarray((k * t * math.sqrt(ratio) - bound) / math.sqrt(1 + k * ratio))))


def topics_again(
    statistic: float,
    n_topics: int,
    shrinkage: float = 1.0,
    *,
    alpha: float = ALPHA.default,
    beta: float = BETA.default,
) -> int | None:
    """Return the fewest new topics that are significant again with probability 1 - beta.

    Returns
    -------
    int or None
        From 2; None where no number is enough: with all topics there could be, Phi(sqrt(k) t0) remains.

    Raises
    ------
    InputError
        If a value breaks its rule.
    """
    BETA.check(beta)
    most = int(N_TOPICS.upper)

    def enough(again: int) -> bool:
        return comes_again(statistic, n_topics, again, shrinkage, alpha=alpha) >= 1 - beta

    low, high = 1, most
    if not enough(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def given_significance(statistic: float, df: int, alpha: float) -> float:
    """Return the median-unbiased noncentrality of a result that was reported because it was significant.

    The l with P(|T| >= t0; l) / P(|T| >= tc; l) = 1/2 (Taylor and Muller 1996); 0 where |t0| is so near the
    critical value that no difference is left.

    Raises
    ------
    InputError
        If |t0| is below the critical value.
    """
    t, bound = abs(T_STATISTIC.check(statistic)), float(critical_t(df, ALPHA.check(alpha)))
    if t < bound:
        raise InputError(T_STATISTIC.name, statistic, f"must be significant: {bound:.4g} or more")

    def share(length: float) -> float:
        at = np.asarray(length**2)
        above, all_ = (
            float(noncentral_f_tail(np.asarray(value**2), 1, np.asarray(float(df)), at))
            for value in (t, bound)
        )
        return above / all_

    if share(0.0) >= 0.5:
        return 0.0
    low, high = 0.0, t + 1.0
    while share(high) < 0.5:
        high *= 2
    for _ in range(80):  # halving: no digit is left
        middle = (low + high) / 2
        low, high = (low, middle) if share(middle) >= 0.5 else (middle, high)
    return high


def topics_given_significance(
    statistic: float, n_topics: int, *, alpha: float = ALPHA.default, beta: float = BETA.default
) -> int | None:
    """Return the topics of a replication of a paired t test by `given_significance`; or None.

    Raises
    ------
    InputError
        If a value breaks its rule, or the result is not significant.
    """
    length = given_significance(statistic, n_topics - 1, alpha)
    if length < 1e-6:
        return None
    requirements = paired_t.Requirements(alpha=alpha, beta=beta, min_delta=length / math.sqrt(n_topics))
    try:
        return paired_t.required_topics(requirements).required_topics
    except NoSolution:
        return None
