"""Print the tables of topic set sizes next to this file, from `plain_designs.py` alone.

    python -m tests.reference.make_size_tables

writes sizes_paired_t.csv, sizes_t_and_anova_of_two.csv, sizes_interval_and_anova.csv and
sizes_anova_sweep.csv in a few seconds. SciPy 1.17.1 made the files
that are committed.

The variances are those which Sakai (Information Retrieval Journal 19, 2016) states in its text. The
printed tables of that paper are not at hand, so these rows are its equations computed again, not a
transcript; numbers which the text does state are in `tests/designs/test_sakai_2016_*.py`.
"""

import itertools
from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np

from tests.reference import plain_designs as plain
from tests.reference.tables import write

MADE = "make_size_tables.py with SciPy 1.17.1"
STATED_VARIANCES = (0.0301, 0.0471, 0.0477, 0.0798, 0.0824, 0.0835, 0.1006, 0.1206)
DIFFERENCES = (0.02, 0.05, 0.10, 0.15, 0.20, 0.25)


def paired_t() -> Iterable[Sequence[object]]:
    """As table 1 of Sakai 2016 is laid out: Eq. 7, Eq. 6 and noncentral t."""
    for alpha, beta in itertools.product((0.01, 0.05), (0.10, 0.20)):
        for delta in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.5, 2.0):
            start = plain.t_initial(alpha, beta, delta)
            nagata = plain.first_n(lambda n: plain.t_power_nagata(n, delta, alpha), 1 - beta, start)  # noqa: B023
            exact = plain.first_n(lambda n: plain.t_power_exact(n, delta, alpha), 1 - beta, start)  # noqa: B023
            powers = (
                plain.t_power_nagata(nagata, delta, alpha),
                plain.t_power_exact(exact, delta, alpha),
                plain.t_power_exact(exact - 1, delta, alpha),
            )
            yield alpha, beta, delta, f"{start:.4f}", nagata, exact, *(f"{power:.6f}" for power in powers)


def anova_sizes(alpha: float, beta: float, variance: float, min_d: float, m: int) -> Sequence[object]:
    """First guess, minus sign, plus sign, noncentral F."""
    delta = min_d**2 / (2 * variance)
    start = plain.anova_initial(alpha, beta, m, delta)
    sizes = [
        plain.first_n(
            partial(plain.anova_power_nagata, m=m, delta=delta, alpha=alpha, sign=sign), 1 - beta, start
        )
        for sign in (-1, +1)
    ]
    exact = plain.first_n(lambda n: plain.anova_power_exact(n, m, delta, alpha), 1 - beta, start)
    return f"{start:.3f}", *sizes, exact


def t_and_anova_of_two() -> Iterable[Sequence[object]]:
    """As table 6 of Sakai 2016, with sigma_t^2 = 2 sigma^2; alpha .05, beta .20."""
    for variance, min_d in itertools.product(STATED_VARIANCES, DIFFERENCES):
        paired, unpaired = min_d / np.sqrt(2 * variance), min_d / np.sqrt(variance)
        start = plain.t_initial(0.05, 0.20, paired)
        sizes = [
            plain.first_n(partial(power, delta=delta, alpha=0.05, groups=groups), 0.80, start)
            for delta, groups in ((paired, 1), (unpaired, 2))
            for power in (plain.t_power_nagata, plain.t_power_exact)
        ]
        yield (
            variance,
            min_d,
            f"{start:.3f}",
            *sizes[:2],
            *anova_sizes(0.05, 0.20, variance, min_d, 2),
            *sizes[2:],
        )


def interval_and_anova() -> Iterable[Sequence[object]]:
    """As table 7 of Sakai 2016; the 2016 sheet itself stopped at n = 343."""
    for variance, width in itertools.product(STATED_VARIANCES, DIFFERENCES):
        start = plain.interval_initial(0.05, width, 2 * variance)
        sizes = [
            plain.interval_topics(0.05, width, 2 * variance, groups, gamma)
            for groups in (1, 2)
            for gamma in (True, False)
        ]
        anova = [anova_sizes(0.05, 0.20, variance, width, m) for m in (10, 100)]
        yield variance, width, f"{start:.3f}", *sizes, *anova[0], *anova[1]


def anova_sweep() -> Iterable[Sequence[object]]:
    """Over m and the four (alpha, beta) of table 2 of Sakai 2016."""
    for alpha, beta in itertools.product((0.01, 0.05), (0.10, 0.20)):
        for variance, min_d in ((0.0471, 0.1), (0.25, 0.5)):
            for m in (2, 3, 4, 5, 10, 20, 30, 50, 100, 184):
                yield alpha, beta, variance, min_d, m, *anova_sizes(alpha, beta, variance, min_d, m)


def main() -> None:
    """Write all four."""
    write(
        "sizes_paired_t",
        "Paired t test: Sakai 2016 Eq. 7, Eq. 6 and noncentral t (both tails), with powers.",
        MADE,
        "alpha beta min_delta initial published exact power_published power_exact power_exact_one_fewer",
        paired_t(),
    )
    write(
        "sizes_t_and_anova_of_two",
        "alpha .05, beta .20, sigma_t^2 = 2 sigma^2: paired t, ANOVA with m = 2, two-sample t.",
        MADE,
        "variance min_d t_initial t_published t_exact anova_initial anova_minus anova_plus anova_exact "
        "t2_published t2_exact",
        t_and_anova_of_two(),
    )
    write(
        "sizes_interval_and_anova",
        "alpha .05, beta .20: confidence intervals (Gamma ratio, and 1 - 1/(4 phi) for it), ANOVA m = 10, 100.",
        MADE,
        "variance width initial paired_gamma paired_approximate two_sample_gamma two_sample_approximate "
        "anova10_initial anova10_minus anova10_plus anova10_exact "
        "anova100_initial anova100_minus anova100_plus anova100_exact",
        interval_and_anova(),
    )
    write(
        "sizes_anova_sweep",
        "One-way ANOVA: Sakai 2016 Eq. 23, Eq. 20 with minus and plus sign, noncentral F.",
        MADE,
        "alpha beta variance min_d n_systems initial minus plus exact",
        anova_sweep(),
    )


if __name__ == "__main__":
    main()
