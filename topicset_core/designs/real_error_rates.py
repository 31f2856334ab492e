"""Type I error rates of tests on real scores of equal systems: the numbers of all notes on them.

At alpha = .05, where the largest |t| or F of sets of 5, 10 and 20 random systems with equal means was compared with
its critical value on 10, 25 and 50 resampled topics. Data: 20 public matrices (AP, P@10, RR, nDCG, ERR@20), seven
of them in `docs/statements.md`, and seven simulated shapes. Runs that are equal on every topic count once.

The F test and the procedures with one variance exceed alpha where pairs of systems differ in variance, as
near-duplicate runs and others do. Tests with the variance of each pair exceed it where two runs are equal on most
topics: a sample has few of the others.
"""

from typing import NamedTuple

from topicset_core.wording import joined


class Rates(NamedTuple):
    """The least and the most of any data, as shares."""

    low: float
    high: float

    @property
    def in_words(self) -> str:
        """The range, without its unit."""
        return f"{100 * self.low:.0f} to {100 * self.high:.0f}"


F_TEST = {5: Rates(0.05, 0.13), 10: Rates(0.05, 0.15), 20: Rates(0.05, 0.20)}
"""Of the F test of two-way ANOVA, by systems."""

ONE_VARIANCE = {
    ("pairs", "shared"): (Rates(0.04, 0.14), Rates(0.03, 0.11)),
    ("pairs", "separate"): (Rates(0.04, 0.15), Rates(0.03, 0.12)),
    ("baseline", "shared"): (Rates(0.04, 0.11), Rates(0.03, 0.10)),
    ("baseline", "separate"): (Rates(0.04, 0.11), Rates(0.03, 0.09)),
}
"""Familywise, by comparisons and topics: of Tukey's or Dunnett's procedure, and of Bonferroni's and Holm's."""

OWN_VARIANCES = {"pairs": Rates(0.01, 0.12), "baseline": Rates(0.02, 0.11)}
"""Familywise, of paired t tests with Holm's correction, each with its own variance; no runs are nearly equal."""

NEARLY_EQUAL = {"pairs": 0.22, "baseline": 0.13}
"""The most of these where some runs are equal on most topics."""


def f_test_in_words() -> str:
    """Return the error rates of the F test, as "5 to 13 % for 5, ... systems"."""
    return f"{joined([f'{rates.in_words} % for {m}' for m, rates in F_TEST.items()])} systems"


def own_variances_in_words(family: str) -> str:
    """Return the error rate of paired t tests with Holm's correction, as "1 to 12 %, ..."."""
    return (
        f"{OWN_VARIANCES[family].in_words} %, and up to {100 * NEARLY_EQUAL[family]:.0f} % where some runs are "
        "nearly equal, as variants of one system"
    )
