"""What could a reported t or F have shown, and how many topics does a replication need?

Published effects are too large on average, so a replication is sized for the effect shrunk by k (`replication`).
The size for exactly the published effect, and the power of the study for it, are conventions of the field [1]_:
functions of p, without new evidence.

============ ================= ==================================================================
paper        here              meaning
============ ================= ==================================================================
t0, F0       statistic         reported test statistic
es           effect_size       paired |t0| / sqrt(n); two-sample |t0| sqrt((n1 + n2) / (n1 n2));
                               one-way f = sqrt(F0 phi_A / phi_E)
============ ================= ==================================================================

References
----------
.. [1] T. Sakai. Statistical significance, power, and sample sizes: a systematic review of SIGIR and
   TOIS, 2006-2015. SIGIR 2016, 5-14. https://doi.org/10.1145/2911451.2911492
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.analyses.planning.curves import size_curve
from topicset_core.analyses.sizing.replication import (
    BELIEVED,
    N_AGAIN,
    SEPARATE,
    SHARED,
    Noise,
    SizeErrors,
    errors_of,
    f_again,
    fewest,
    same_order_again,
    t_again,
)
from topicset_core.designs import one_way_anova, paired_t, two_sample_t
from topicset_core.designs.distributions import critical_f, f_tail, noncentral_f_tail
from topicset_core.designs.results import PowerResult
from topicset_core.designs.search import Floats, Integers
from topicset_core.errors import InputError
from topicset_core.exports.records import attributes, fields_of
from topicset_core.parameters import (
    ALPHA,
    BETA,
    F_STATISTIC,
    LARGEST_EFFECT,
    N_SYSTEMS,
    N_TOPICS,
    T_STATISTIC,
    ListParameter,
    Parameter,
    Setting,
    check_error_probabilities,
)

MOST_TIMES = 100
"""Times the topics of a study up to which a replication is sized: beyond, more topics hardly add power."""

_STUDIED = ListParameter(name=N_TOPICS.name, label=N_TOPICS.label, help=N_TOPICS.help, placeholder="N")


class ReplicationCurve(NamedTuple):
    """Probability that a replication is significant, by topics: shrunk, and for exactly the published effect."""

    n_topics: Integers
    shrunk: Floats
    if_exact: Floats


@dataclass(frozen=True, kw_only=True)
class ReportedResult:
    """A reported test statistic, and the replication that it asks for.

    Attributes
    ----------
    test : str
        Name of the test.
    statistic : float
        t0 or F0 as reported.
    n_topics : tuple of int
        Topics: of all systems, or of each of two.
    n_systems : int
        m; 2 for t.
    alpha, beta : float
        Error probabilities of the test, and of a replication.
    p_value : float
        Two-sided for t, upper tail for F.
    effect_size : float
        es for the t tests (standard deviations), Cohen's f for the ANOVA.
    achieved_power : float
        Power of a test of the reported size for exactly this effect.
    if_exact : PowerResult
        The topics (per system) that find exactly this effect with power 1 - beta.
    n_again : int
        Topics (per system) of a replication whose result is predicted.
    true_effect : float or None
        Effect size that the reader believes; None for an F.
    errors : SizeErrors or None
        Of significant results of the reported size, if that is the true one.
    """

    test: str
    statistic: float
    n_topics: tuple[int, ...]
    n_systems: int
    alpha: float
    beta: float
    p_value: float
    effect_size: float
    achieved_power: float
    if_exact: PowerResult
    n_again: int
    true_effect: float | None = None
    errors: SizeErrors | None = None

    @property
    def settings(self) -> list[Setting]:
        """What was reported, and what is asked of a replication."""
        statistic = F_STATISTIC if self.test == one_way_anova.NAME else T_STATISTIC
        values = vars(self) | {statistic.name: self.statistic}
        declared = (statistic, _STUDIED, N_SYSTEMS, ALPHA, BETA, N_AGAIN, BELIEVED)
        return [Setting(one, values[one.name]) for one in declared if values[one.name] is not None]

    @property
    def size(self) -> float:
        """Topics per system: the harmonic mean, where two systems have different ones."""
        return len(self.n_topics) / sum(1 / n for n in self.n_topics)

    @property
    def noise(self) -> Noise:
        """Noise over signal on one topic, of published scores."""
        return SHARED if self.test == paired_t.NAME else SEPARATE

    def shrinkage(self, noise: float | None = None) -> float:
        """Return k, the share of the effect that remains on average, by default with the usual noise."""
        return 1 / (1 + (self.noise.usual if noise is None else noise) / self.size)

    def significant_again(self, n_topics: ArrayLike, noise: float | None = None) -> Floats:
        """Return the probability that so many new topics are significant, for t in the same direction."""
        n, k = np.asarray(n_topics, dtype=np.float64), self.shrinkage(noise)
        df = n - 1 if self.test == paired_t.NAME else self.n_systems * (n - 1)
        if self.test != one_way_anova.NAME:
            return t_again(self.statistic, n / self.size, k, self.alpha, df)
        above = self.n_systems - 1
        bound = critical_f(above, df, self.alpha)
        return f_again(self.statistic, n / self.size, k, bound, (above, df))

    @property
    def same_order(self) -> float | None:
        """Probability that `n_again` topics give the same order; None for an F."""
        if self.test == one_way_anova.NAME:
            return None
        return float(same_order_again(self.statistic, self.n_again / self.size, self.shrinkage()))

    @cached_property
    def topics(self) -> int | None:
        """New topics (per system) for power 1 - beta, two digits; None where `most` are too few."""
        return self._topics(self.noise.usual)

    @cached_property
    def topics_range(self) -> tuple[int | None, int | None]:
        """The same with the least and the most noise."""
        return self._topics(self.noise.least), self._topics(self.noise.most)

    @property
    def most(self) -> int:
        """Most topics that are considered."""
        return round(MOST_TIMES * self.size)

    def _topics(self, noise: float) -> int | None:
        found = fewest(lambda n: float(self.significant_again(n, noise)) >= 1 - self.beta, self.most)
        if found is None:
            return None
        unit: int = 10 ** max(len(str(found)) - 2, 0)
        return -(-found // unit) * unit  # a projection has two digits, and promises enough

    def curve(self) -> ReplicationCurve:
        """Return the probability of significance against topics, beyond the study and its replication."""
        requirements = self.if_exact.requirements
        last = max(self.if_exact.required_topics, *self.n_topics, self.topics or 0)
        point = {"min_d": requirements.standardised_difference, requirements.variance_parameter.name: 1.0}
        sizes = size_curve(requirements.plan().with_(min_delta=None, **point), last)
        return ReplicationCurve(sizes.n_topics, self.significant_again(sizes.n_topics), sizes.exact)

    def record(self) -> dict[str, Any]:
        """Return the audit for a record."""
        return fields_of(self) | {
            "analysis": "reported result",
            "shrinkage": self.shrinkage(),
            **attributes(self, "topics topics_range same_order"),
            "significant_again": self.significant_again(self.n_again),
        }


def from_paired_t(
    statistic: float,
    *,
    n_topics: int,
    alpha: float,
    beta: float,
    n_again: int = int(N_AGAIN.default),
    true_effect: float = BELIEVED.default,
) -> ReportedResult:
    """Audit a paired t test over `n_topics` topics."""
    check_error_probabilities(alpha, beta)
    t, n = T_STATISTIC.check(statistic), int(N_TOPICS.check(n_topics))
    root = math.sqrt(n)
    sample = _Sample(abs(t) / root, true_effect * root, n - 1)
    return _of_t(paired_t, t, (n,), sample, alpha, beta, n_again, true_effect)


def from_two_sample_t(
    statistic: float,
    *,
    n_topics: tuple[int, int],
    alpha: float,
    beta: float,
    n_again: int = int(N_AGAIN.default),
    true_effect: float = BELIEVED.default,
) -> ReportedResult:
    """Audit a two-sample t test over n1 and n2 topics; the replication is per system, equal sizes."""
    check_error_probabilities(alpha, beta)
    t = T_STATISTIC.check(statistic)
    if not isinstance(n_topics, tuple) or len(n_topics) != 2:
        raise InputError(N_TOPICS.name, n_topics, "must be the two topic set sizes, (n1, n2)")
    n1, n2 = (int(N_TOPICS.check(n)) for n in n_topics)
    scale, df = math.sqrt((n1 + n2) / (n1 * n2)), n1 + n2 - 2
    sample = _Sample(abs(t) * scale, true_effect / scale, df)
    return _of_t(two_sample_t, t, (n1, n2), sample, alpha, beta, n_again, true_effect)


class _Sample(NamedTuple):
    """A reported t as an effect size, the noncentrality of the believed one, and degrees of freedom."""

    effect_size: float
    noncentrality: float
    df: int


def _of_t(
    design: Any,
    t: float,
    n_topics: tuple[int, ...],
    sample: _Sample,
    alpha: float,
    beta: float,
    n_again: int,
    true_effect: float,
) -> ReportedResult:
    """Return the audit of a t test."""
    _check_effect(T_STATISTIC, t, sample.effect_size)
    p_value, power = _significance_and_power(t**2, 1, sample.df, alpha)
    requirements = design.Requirements(alpha=alpha, beta=beta, min_delta=sample.effect_size)
    return ReportedResult(
        test=design.NAME,
        statistic=t,
        n_topics=n_topics,
        n_systems=2,
        alpha=alpha,
        beta=beta,
        p_value=p_value,
        effect_size=sample.effect_size,
        achieved_power=power,
        if_exact=design.required_topics(requirements),
        n_again=int(N_AGAIN.check(n_again)),
        true_effect=BELIEVED.check(true_effect),
        errors=errors_of(sample.noncentrality, sample.df, alpha),
    )


def from_one_way_f(
    statistic: float,
    *,
    n_systems: int,
    n_topics: int,
    alpha: float,
    beta: float,
    n_again: int = int(N_AGAIN.default),
) -> ReportedResult:
    """Audit a one-way ANOVA of `n_systems` systems with `n_topics` topics each."""
    check_error_probabilities(alpha, beta)
    f0 = F_STATISTIC.check(statistic)
    m, n = int(N_SYSTEMS.check(n_systems)), int(N_TOPICS.check(n_topics))
    phi_a, phi_e = m - 1, m * (n - 1)
    effect_size = math.sqrt(f0 * phi_a / phi_e)  # Cohen's f, as in the script of [1]
    _check_effect(F_STATISTIC, f0, math.sqrt(2 * m) * effect_size)  # the range that minDelta describes
    p_value, power = _significance_and_power(f0, phi_a, phi_e, alpha, noncentrality=m * n * effect_size**2)
    requirements = one_way_anova.Requirements(
        alpha=alpha, beta=beta, min_delta=m * effect_size**2, n_systems=m
    )
    return ReportedResult(
        test=one_way_anova.NAME,
        statistic=f0,
        n_topics=(n,),
        n_systems=m,
        alpha=alpha,
        beta=beta,
        p_value=p_value,
        effect_size=effect_size,
        achieved_power=power,
        if_exact=one_way_anova.required_topics(requirements),
        n_again=int(N_AGAIN.check(n_again)),
    )


def _significance_and_power(
    f0: float, numerator_df: int, denominator_df: int, alpha: float, noncentrality: float | None = None
) -> tuple[float, float]:
    """Return the p value of `f0` and the power at a noncentrality, by default t0 squared."""
    df = np.asarray(float(denominator_df))
    at = np.asarray(f0 if noncentrality is None else noncentrality)
    power = noncentral_f_tail(critical_f(numerator_df, df, alpha), numerator_df, df, at)
    return f_tail(f0, numerator_df, denominator_df), float(power)


def _check_effect(parameter: Parameter, value: float, deviations: float) -> None:
    """Refuse a statistic that no replication can be planned for, under its own name."""
    if not 0 < deviations <= LARGEST_EFFECT:
        rule = (
            f"is an effect of {deviations:.4g} standard deviations; topics for a replication can be found "
            f"for effects above 0 and up to {LARGEST_EFFECT:,.0f}"
        )
        raise InputError(parameter.name, value, rule)
