"""What could a reported t or F have shown?

From a test statistic and the sizes in a paper: the effect size in the sample, the power that a test
of this size has for an effect so large, and the topics that a replication needs to find it again.

An effect size from one sample overstates the true effect where the result was selected for being
significant, so the replication size is then too small; and the achieved power adds no information to the p
value. Both are conventions of the field, not new evidence.

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
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from topicset_core.designs import one_way_anova, paired_t, two_sample_t, view_of
from topicset_core.designs.curves import SizeCurve, size_curve
from topicset_core.designs.distributions import critical_f, f_tail, noncentral_f_tail
from topicset_core.designs.results import PowerResult
from topicset_core.errors import InputError
from topicset_core.parameters import (
    F_STATISTIC,
    LARGEST_EFFECT,
    N_SYSTEMS,
    N_TOPICS,
    T_STATISTIC,
    Parameter,
    check_error_probabilities,
)


@dataclass(frozen=True, kw_only=True)
class ReportedResult:
    """The effect behind a reported test statistic.

    Attributes
    ----------
    test : str
        Name of the test.
    statistic : float
        t0 or F0 as reported.
    p_value : float
        Two-sided for t, upper tail for F.
    effect_size : float
        es for the t tests (standard deviations), Cohen's f for the ANOVA.
    achieved_power : float
        Power of a test of the reported size for exactly this effect.
    replication : PowerResult
        The topics (per system) that find this effect with power 1 - beta.
    """

    test: str
    statistic: float
    p_value: float
    effect_size: float
    achieved_power: float
    replication: PowerResult

    def record(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the audit as plain values for JSON, with the request."""
        return {
            "analysis": "reported result",
            "test": self.test,
            "asked": dict(settings),
            "p_value": self.p_value,
            "effect_size": self.effect_size,
            "achieved_power": self.achieved_power,
            "replication": self.replication.record(),
        }


def from_paired_t(statistic: float, *, n_topics: int, alpha: float, beta: float) -> ReportedResult:
    """Audit a paired t test over `n_topics` topics.

    Parameters
    ----------
    statistic : float
        The t reported, of either sign, not 0.
    n_topics : int
        Topics that both systems share, from 2.
    alpha, beta : float
        Error probabilities, 0 < alpha < 1 and 0 < beta < 1 - alpha: of the test, and of the replication.

    Examples
    --------
    >>> audit = from_paired_t(0.953, n_topics=28, alpha=0.05, beta=0.20)
    >>> round(audit.achieved_power, 3), audit.replication.required_topics
    (0.151, 244)
    """
    check_error_probabilities(alpha, beta)
    t, n = T_STATISTIC.check(statistic), int(N_TOPICS.check(n_topics))
    effect_size = abs(t) / math.sqrt(n)
    _check_effect(T_STATISTIC, t, effect_size)
    p_value, power = _significance_and_power(t**2, 1, n - 1, alpha)
    requirements = paired_t.Requirements(alpha=alpha, beta=beta, min_delta=effect_size)
    return ReportedResult(
        test=paired_t.NAME,
        statistic=t,
        p_value=p_value,
        effect_size=effect_size,
        achieved_power=power,
        replication=paired_t.required_topics(requirements),
    )


def from_two_sample_t(
    statistic: float, *, n_topics: tuple[int, int], alpha: float, beta: float
) -> ReportedResult:
    """Audit a two-sample t test over n1 and n2 topics; the replication is per system, equal sizes.

    Parameters
    ----------
    statistic : float
        The t reported, of either sign, not 0.
    n_topics : (int, int)
        Topics of each system, from 2.
    alpha, beta : float
        Error probabilities, 0 < alpha < 1 and 0 < beta < 1 - alpha: of the test, and of the replication.

    Raises
    ------
    InputError
        If a value breaks its rule, or there are not two topic set sizes.
    """
    check_error_probabilities(alpha, beta)
    t = T_STATISTIC.check(statistic)
    if not isinstance(n_topics, tuple) or len(n_topics) != 2:
        raise InputError(N_TOPICS.name, n_topics, "must be the two topic set sizes, (n1, n2)")
    n1, n2 = (int(N_TOPICS.check(n)) for n in n_topics)
    effect_size = abs(t) * math.sqrt((n1 + n2) / (n1 * n2))
    _check_effect(T_STATISTIC, t, effect_size)
    p_value, power = _significance_and_power(t**2, 1, n1 + n2 - 2, alpha)
    requirements = two_sample_t.Requirements(alpha=alpha, beta=beta, min_delta=effect_size)
    return ReportedResult(
        test=two_sample_t.NAME,
        statistic=t,
        p_value=p_value,
        effect_size=effect_size,
        achieved_power=power,
        replication=two_sample_t.required_topics(requirements),
    )


def from_one_way_f(
    statistic: float, *, n_systems: int, n_topics: int, alpha: float, beta: float
) -> ReportedResult:
    """Audit a one-way ANOVA of `n_systems` systems with `n_topics` topics each.

    Parameters
    ----------
    statistic : float
        The F reported, above 0.
    n_systems : int
        m, 2 to 1000.
    n_topics : int
        Topics of each system, from 2.
    alpha, beta : float
        Error probabilities, 0 < alpha < 1 and 0 < beta < 1 - alpha: of the test, and of the replication.

    Examples
    --------
    >>> from_one_way_f(2.145, n_systems=2, n_topics=5, alpha=0.05, beta=0.20).replication.required_topics
    16
    """
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
        p_value=p_value,
        effect_size=effect_size,
        achieved_power=power,
        replication=one_way_anova.required_topics(requirements),
    )


def replication_curve(audit: ReportedResult, n_topics: int | None = None) -> SizeCurve:
    """Return the power of a replication against its size, up to the power of the reported study at least.

    Parameters
    ----------
    audit : ReportedResult
        The audit.
    n_topics : int, optional
        Topics of the reported study.
    """
    requirements, topics = audit.replication.requirements, audit.replication.required_topics
    return size_curve(
        view_of(requirements), requirements.standardised_difference, 1.0, max(topics, n_topics or 0)
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
