"""One exact topic set size, next to statsmodels' solver."""

import math

from statsmodels.stats.power import FTestAnovaPower, TTestPower

from benchmarks.timing import Comparison, cpu_seconds
from topicset_core.designs import one_way_anova, paired_t

MIN_D, VARIANCE, SYSTEMS = 0.10, 0.0471, 10


def our_paired_t() -> int:
    """Paired t test, minDelta .5."""
    return paired_t.required_topics(
        paired_t.Requirements(alpha=0.05, beta=0.20, min_delta=0.5)
    ).required_topics


def their_paired_t() -> int:
    """The same; n of `TTestPower` is the number of pairs."""
    return math.ceil(TTestPower().solve_power(0.5, alpha=0.05, power=0.80))


def our_anova() -> int:
    """One-way ANOVA, m = 10, at the AP variance of Sakai 2016."""
    requirements = one_way_anova.Requirements(
        alpha=0.05, beta=0.20, min_d=MIN_D, within_system_variance=VARIANCE, n_systems=SYSTEMS
    )
    return one_way_anova.required_topics(requirements).required_topics


def their_anova() -> int:
    """The same; nobs of `FTestAnovaPower` is the total over the groups."""
    f = math.sqrt(MIN_D**2 / (2 * VARIANCE) / SYSTEMS)
    total = FTestAnovaPower().solve_power(f, alpha=0.05, power=0.80, k_groups=SYSTEMS)
    return math.ceil(total / SYSTEMS)


def compare() -> list[Comparison]:
    """Return one comparison a design."""
    comparisons = []
    for task, ours, theirs in (
        ("one exact paired t design", our_paired_t, their_paired_t),
        ("one exact ANOVA design, m = 10", our_anova, their_anova),
    ):
        answers = ours(), theirs()
        note = (
            f"n = {answers[0]} both" if answers[0] == answers[1] else f"n = {answers[0]}, theirs {answers[1]}"
        )
        comparisons.append(
            Comparison(task, cpu_seconds(ours, calls=20), cpu_seconds(theirs, calls=20), "statsmodels", note)
        )
    return comparisons
