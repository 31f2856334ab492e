"""State of an evaluation with interim looks: continue or stop, and evidence that is valid at any time.

A plan with looks decides at its looks only. The e-value decides whenever one likes: under the null its probability
of ever reaching 1 / alpha is alpha at most, after every topic and without any plan. It needs normal differences and
topics in random order, and costs power: the interval is about 1.6 times as wide as that of a t test.

``log e_n = -log(1 + n g) / 2 + (n / 2) (log(1 + t^2 / (n - 1)) - log(1 + t^2 / ((n - 1) (1 + n g))))``

is a Bayes factor of a normal prior with variance g on the standardised difference, with the right Haar prior on the
standard deviation [1]. g is tuned so that the interval is narrow at a planned number of topics.

References
----------
.. [1] H. Wang, A. Ramdas. Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance.
   arXiv:2310.03722 (2023).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topicset_core.designs.group_sequential import Looks
from topicset_core.errors import InputError
from topicset_core.parameters import ALPHA, N_TOPICS
from topicset_core.wording import counted, in_units

Floats = NDArray[np.float64]


def tuned_scale(planned_topics: int, alpha: float = 0.05) -> float:
    """Return g, the prior variance with which the interval is narrow at a number of topics.

    Examples
    --------
    >>> round(tuned_scale(50), 6)
    0.158723
    """
    twice = -2 * math.log(ALPHA.check(alpha))
    return (twice + math.log1p(twice)) / N_TOPICS.check(planned_topics)


def log_e(differences: Sequence[float] | Floats, planned_topics: int, *, alpha: float = 0.05) -> float:
    """Return the natural logarithm of the e-value of all differences so far."""
    return float(running_log_e(differences, planned_topics, alpha=alpha)[-1])


def running_log_e(
    differences: Sequence[float] | Floats, planned_topics: int, *, alpha: float = 0.05
) -> Floats:
    """Return the natural logarithm of the e-value after each topic, from the second on."""
    d = _checked(differences)
    scale = tuned_scale(planned_topics, alpha)
    n = np.arange(2.0, d.size + 1)
    means = np.cumsum(d)[1:] / n
    # Sums of squares around the running mean, topic by topic (Welford): no digits are lost to a large mean.
    before = np.concatenate([d[:1], means[:-1]])
    squares = np.cumsum((d[1:] - before) * (d[1:] - means))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(means == 0, 0.0, n * means**2 / squares)  # t^2 / (n - 1)
        spread = 1 + n * scale
        inside = np.where(np.isinf(ratio), np.log(spread), np.log1p(ratio) - np.log1p(ratio / spread))
    result = -np.log(spread) / 2 + n / 2 * inside
    return np.where(np.isinf(ratio), np.inf, np.where(squares + means**2 == 0, 0.0, result))


def always_valid_interval(
    differences: Sequence[float] | Floats, planned_topics: int, *, alpha: float = 0.05
) -> tuple[float, float]:
    """Return the interval of the mean difference that holds at all times together with probability 1 - alpha."""
    d = _checked(differences)
    n, spread = d.size, 1 + d.size * tuned_scale(planned_topics, alpha)
    # e = 1 / alpha solved for t^2: (1 + u) / (1 + u / spread) = growth, with u = t^2 / (n - 1).
    growth = math.exp(2 / n * (math.log(1 / alpha) + math.log(spread) / 2))
    if growth >= spread:
        return -math.inf, math.inf
    t = math.sqrt((n - 1) * (growth - 1) / (1 - growth / spread))
    half = t * float(d.std(ddof=1)) / math.sqrt(n)
    mean = float(d.mean())
    return mean - half, mean + half


@dataclass(frozen=True, kw_only=True)
class Standing:
    """State of an evaluation."""

    n_topics: int  # topics scored so far
    mean: float
    look: int  # the last look that was reached, or the one at which the test stopped
    t: tuple[float, ...]  # t statistic at each look that was reached, of the first topics only
    decision: str  # continue, stop (a significant difference) or end
    next_topics: int | None  # topics at the next look, where the test goes on
    log_e: float  # natural logarithm of the e-value of all topics so far
    interval: tuple[float, float]  # always-valid interval of the mean difference
    sentence: str  # the decision in words
    alpha: float
    unit: str  # "topic" or "group"

    @property
    def at_any_time(self) -> str:
        """What holds without a plan, in words."""
        low, high = self.interval
        reached = math.log(1 / self.alpha)
        e_value = f"{math.exp(self.log_e):.3g}" if self.log_e < 700 else "above 1e300"
        valid = "no bound yet" if math.isinf(low) else f"{low:.4f} to {high:.4f}"
        return (
            f"{counted(self.n_topics, self.unit)}, mean difference {self.mean:.4f}. Valid at any time, without a "
            f"plan: e-value {e_value} ({'significant' if self.log_e >= reached else 'not significant'}; the bound "
            f"is {math.exp(reached):.3g}), interval of the difference {valid}. Decide by the plan or by the "
            "e-value, and choose which before you test."
        )


def standing(plan: Looks, differences: Sequence[float] | Floats) -> Standing:
    """Return the decision of a plan with looks on the differences so far."""
    # Each look takes the first topics only, as many as it was planned for; topics scored beyond it wait for
    # the next.
    d = _checked(differences)
    alpha = plan.requirements.alpha
    results: list[float] = []
    decision = "continue"
    for n, bound in zip(plan.topics, plan.critical_t, strict=True):
        if d.size < n:
            break
        results.append(_t_statistic(d[:n]))
        if abs(results[-1]) >= bound:
            decision = "stop"
            break
    if decision == "continue" and len(results) == len(plan.topics):
        decision = "end"
    following = plan.topics[len(results)] if decision == "continue" else None
    return Standing(
        n_topics=d.size,
        mean=float(d.mean()),
        look=len(results),
        t=tuple(results),
        decision=decision,
        next_topics=following,
        log_e=log_e(d, plan.required_topics, alpha=alpha),
        interval=always_valid_interval(d, plan.required_topics, alpha=alpha),
        sentence=in_units(_sentence(plan, results, decision, d.size), plan.unit),
        alpha=alpha,
        unit=plan.unit,
    )


def _sentence(plan: Looks, result: Sequence[float], decision: str, n_topics: int) -> str:
    look = len(result)
    if not result:
        return f"Continue: {counted(n_topics, 'topic')} so far, and the first look is at {plan.topics[0]:,} topics."
    bound = plan.critical_t[look - 1]
    at = f"look {look} ({plan.topics[look - 1]:,} topics)"
    if decision == "stop":
        return (
            f"Stop: at {at} |t| = {abs(result[-1]):.3f} reaches {bound:.3f}. The difference is significant."
        )
    if decision == "end":
        return (
            f"End: at {at}, the last one, |t| = {abs(result[-1]):.3f} is below {bound:.3f}. No significant "
            "difference; more topics cannot change that within this plan."
        )
    return (
        f"Continue: at {at} |t| = {abs(result[-1]):.3f} is below {bound:.3f}. The next look is at "
        f"{plan.topics[look]:,} topics, {max(plan.topics[look] - n_topics, 0):,} more."
    )


def _t_statistic(differences: Floats) -> float:
    deviation = float(differences.std(ddof=1))
    mean = float(differences.mean())
    if deviation <= 1e-12 * abs(mean) or deviation == 0:
        return 0.0 if mean == 0 else math.copysign(math.inf, mean)
    return mean / deviation * math.sqrt(differences.size)


def _checked(differences: Sequence[float] | Floats) -> Floats:
    d = np.asarray(differences, dtype=np.float64)
    if d.ndim != 1 or d.size < 2:
        raise InputError("differences", d.size, "must be at least two numbers, one per topic")
    if not np.isfinite(d).all():
        raise InputError("differences", float(d[~np.isfinite(d)][0]), "must be finite numbers")
    return d
