"""From the scores of two systems on the same topics to a verdict.

With the mean d of the per-topic differences of n topics (new minus baseline), their variance V, and t the upper
alpha / 2 point of Student's t with n - 1 degrees of freedom, the interval is low, high = d -+ t sqrt(V / n). The
first row that holds is the verdict; without a margin, the margin is 0:

============ ============== ===========
verdict      holds where    exit status
============ ============== ===========
better       low > 0        0
not worse    low > -margin  0
worse        high < 0       1
inconclusive no row holds   3
============ ============== ===========

"Not worse" is the test of `non_inferiority` at level alpha / 2. Where high < 0 holds, too, the new system is worse,
but by less than the margin, which is what the margin allows; the headline tells it.

**Two tests without a correction.** All verdicts are read off one interval: where it contains the true difference,
none of them is wrong. "Better" at a true difference of 0 or less, and "not worse" at -margin or less, have a
probability of at most alpha / 2 each, for normal differences (Morikawa and Yoshida 1995, by closed testing;
Committee for Proprietary Medicinal Products 2001, https://doi.org/10.1046/j.0306-5251.2001.01397-3.x). The margin
must be chosen before the scores are known.

**Topics that decide** an inconclusive comparison: as many as show "not worse" with power 1 - beta at a true
difference of 0. The observed difference would promise too much or too little.

**Scores of 0 and 1**, without groups: "better" and "worse" hold where McNemar's exact test of the discordant topics
has p <= alpha, so each has a probability of at most alpha / 2 between equal systems. Low and high are the ends of
Tango's score interval (`topicset_core.designs.score_test`), which decides on the margin and is approximate. Topics
that decide are those of the score test, from 50,000 on those of the t test, which are nearly as many.

**Topics in groups**: d is the mean over topics, with the standard error CR2 and Satterthwaite's degrees of freedom
(`topicset_core.variance.clustered_differences`), or the mean of group means, with the t test on these
(`topicset_core.preparation.means`). Topics that decide are whole groups of as many topics as the mean of these; the
difference in one of them has the variance g SE^2, with g groups and this standard error. A difference that is the
same in every group is refused.

The verdict is on other groups like these; `by_group` has the interval for other topics of the same groups, and the
difference in each group.

**Equal scores on every topic** have the interval 0 to 0, so that a change without effect passes with a margin.
Scores of 0 and 1 have Tango's interval then, too, as systems that differ on few topics are often equal on 50.
Another difference that is the same on every topic has no variance to test by; it is refused, except of such scores.

**Topics that show it again** allow for the share of a difference that remains on average, by the spread of all
systems of the scores (`again`).

How often each verdict is given, and how often the t test finds equal systems different (`TYPE_ONE`), is in
docs/evidence/two-systems.md. No sample shows which topics it lacks: that a difference rests on few topics is told
as a fact, and not as a warning of the test.
"""

import math
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from topicset_core.analyses.two_systems import again
from topicset_core.analyses.two_systems.by_group import OfGroup, by_group, for_same_groups
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.score_matrix import pair_of
from topicset_core.designs import mcnemar, non_inferior_shares, non_inferiority, paired_t
from topicset_core.designs.design import Plan
from topicset_core.designs.distributions import critical_t, f_tail
from topicset_core.designs.f_test import FTest
from topicset_core.designs.mcnemar import two_sided_p
from topicset_core.designs.score_test import tango_interval
from topicset_core.errors import InputError, NoSolution
from topicset_core.exports.records import attributes, fields_of
from topicset_core.inputs import Inputs, given
from topicset_core.measures.ranges import check_in_range
from topicset_core.parameters import (
    ALPHA,
    BETA,
    LOWER_IS_BETTER,
    MARGIN,
    ListParameter,
    check_error_probabilities,
)
from topicset_core.preparation.means import (
    ESTIMANDS,
    MEAN,
    OTHER,
    USUAL_MEAN,
    for_other_groups,
    mean_of,
    rows_of,
    system_means,
    topic_weights,
)
from topicset_core.preparation.runs import caution_on_constant_runs, constant_runs
from topicset_core.variance import one_way
from topicset_core.variance.choices import ONE_WAY
from topicset_core.variance.clustered_differences import clustered_errors
from topicset_core.variance.intervals import VarianceInterval, variance_interval
from topicset_core.variance.pair_differences import difference_of
from topicset_core.wording import quoted

Verdict = Literal["better", "not worse", "worse", "inconclusive"]

STATUS: dict[Verdict, int] = {"better": 0, "not worse": 0, "worse": 1, "inconclusive": 3}
"""Exit status of the command; 2 is a refusal."""

TYPE_ONE = (0.04, 0.09)
"""Share of pairs of equal systems that the t test finds different at alpha = .05, least and most of any matrix."""

TYPE_ONE_NOTE = (
    f"On public scores of 10 to 50 topics, the paired t test at α = .05 found a difference in "
    f"{100 * TYPE_ONE[0]:g} to {100 * TYPE_ONE[1]:g} % of pairs of equal systems."
)

_MANY = 50_000  # topics from which on the score test of shares takes seconds
_ROUNDING = 1e-12  # of the largest score: differences that vary by no more are constant

PAIR = ListParameter(
    name="pair",
    label="Baseline and new system",
    help="Baseline and new system by name.",
    placeholder="SYSTEM",
    size=2,
)


DECIDING = replace(BETA, help="Probability that the topics found are not enough. Power is 1 − β.")


@dataclass(frozen=True, kw_only=True)
class Request(Inputs):
    """What the new system must show.

    Parameters
    ----------
    margin : float, optional
        Least loss that matters, above 0 and in units of the measure. Without it only a difference counts.
    alpha : float
        1 minus the confidence of the interval, 0 < alpha < 1.
    beta : float
        1 minus the power of the topics that would decide, 0 < beta < 1 - alpha.
    pair : (str, str), optional
        Baseline and new system; the two systems of the scores in their order by default.
    lower_is_better : bool
        Whether low scores are good.
    mean : {"topics", "groups"}, optional
        Where topics have groups: whether systems are compared by the mean over topics or of group means. By default
        the mean over topics; of joined matrices that of group means.

    Raises
    ------
    InputError
        If a value breaks its rule.
    """

    margin: float | None = given(MARGIN, unless="no margin: better or worse")
    alpha: float = given(ALPHA)
    beta: float = given(DECIDING)
    pair: tuple[str, str] | None = given(PAIR, unless="the two systems of the scores, in their order")
    lower_is_better: bool = given(LOWER_IS_BETTER)
    mean: str | None = given(MEAN, unless=USUAL_MEAN)

    def check_together(self) -> None:
        """Refuse error probabilities that leave no test."""
        check_error_probabilities(self.alpha, self.beta)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Comparison of a new system with a baseline.

    Attributes
    ----------
    request : Request
        The request, complete.
    matrix : ScoreMatrix
        The scores of the two systems, the baseline first.
    differences : ScoreMatrix
        One column: by how much the new system is better on each topic.
    difference, variance : float
        Mean of the differences, by the mean of the request, and their unbiased variance over topics.
    low, high : float
        Ends of the t interval with confidence 1 - alpha; of scores of 0 and 1 Tango's interval.
    p_value : float
        Two-sided, of the paired t test; of scores of 0 and 1 McNemar's exact test.
    n_effective : float
        Topics that the difference rests on, 1 to n: (sum d^2)^2 / sum d^4, each d by its weight in the mean; n for
        equal scores.
    standard_error : float
        Of the difference, by topics or by groups.
    shrinkage : float
        Share of the difference that remains on average, by the spread of all systems of the scores, 0 to 1.
    n_systems : int
        Systems that the scores have, of which these are two.
    error_ratio : float
        Standard error over that of independent topics; 1 where topics have no groups.
    discordant : (int, int), optional
        Topics that favour the new system, and the baseline, where scores are 0 or 1 and topics have no groups.
    """

    request: Request
    matrix: ScoreMatrix = field(repr=False)
    differences: ScoreMatrix = field(repr=False)
    difference: float
    variance: float
    low: float
    high: float
    p_value: float
    n_effective: float
    standard_error: float
    shrinkage: float
    n_systems: int
    error_ratio: float = 1.0
    discordant: tuple[int, int] | None = None

    @property
    def baseline(self) -> str:
        """Name of the baseline."""
        return self.matrix.systems[0]

    @property
    def new(self) -> str:
        """Name of the new system."""
        return self.matrix.systems[1]

    @property
    def is_by_t(self) -> bool:
        """Whether the test is the paired t test over topics."""
        return self.discordant is None and not self.n_groups

    @property
    def n_topics(self) -> int:
        """Number of topics."""
        return self.matrix.n_topics

    @property
    def n_groups(self) -> int:
        """Number of groups of topics; 0 where topics have none."""
        return len(self.matrix.group_sizes)

    @cached_property
    def means(self) -> tuple[float, float]:
        """Mean of the baseline and of the new system."""
        baseline, new = system_means(self.matrix, self.request.mean).tolist()
        return baseline, new

    @property
    def better_equal_worse(self) -> tuple[int, int, int]:
        """Topics on which the new system scores better, equally and worse."""
        difference = self.differences.scores[:, 0]
        better, worse = int((difference > 0).sum()), int((difference < 0).sum())
        return better, self.n_topics - better - worse, worse

    @cached_property
    def by_other_mean(self) -> float | None:
        """The difference by the other mean, over topics or of group means; None where groups are equally large."""
        are_unequal = len({*self.matrix.group_sizes.values()}) > 1
        other = OTHER[self.request.mean or ""]
        return float(system_means(self.differences, other)[0]) if are_unequal else None

    @cached_property
    def same_groups(self) -> tuple[float, float] | None:
        """Ends of the interval for other topics of the same groups; None without groups, or a variance in each."""
        asked = self.request
        return for_same_groups(self.differences, asked.alpha, asked.mean) if self.n_groups else None

    @cached_property
    def groups(self) -> tuple[OfGroup, ...]:
        """The difference in each group; empty without groups."""
        if not self.n_groups:
            return ()
        asked = self.request
        return by_group(self.differences, asked.alpha, asked.beta, asked.margin, _rounding(self.matrix))

    @property
    def verdict(self) -> Verdict:
        """The first row of the table that holds."""
        if self._is_different and self.difference > 0:
            return "better"
        if self.request.margin is not None and self.low > -self.request.margin:
            return "not worse"
        return "worse" if self.is_worse else "inconclusive"

    @property
    def is_equal(self) -> bool:
        """Whether both systems have the same score on every topic."""
        return self.variance == self.difference == 0

    @property
    def is_worse(self) -> bool:
        """Whether the new system is shown to be worse, if only by less than the margin."""
        return self._is_different and self.difference < 0

    @property
    def _is_different(self) -> bool:
        return self.p_value <= self.request.alpha if self.discordant else self.is_without_0

    @property
    def is_without_0(self) -> bool:
        """Whether the interval does not contain 0."""
        return self.low > 0 or self.high < 0

    @cached_property
    def caution(self) -> str:
        """What to check where a system has one score on all topics; "" of others."""
        return caution_on_constant_runs(self.matrix)

    @property
    def status(self) -> int:
        """Exit status of the command."""
        return STATUS[self.verdict]

    @cached_property
    def topics(self) -> int | None:
        """Topics that show "not worse" with power 1 - beta at a true difference of 0; None without a margin."""
        return self._topics([one_way(self._rows)])[0]

    @cached_property
    def topics_range(self) -> tuple[int | None, int | None]:
        """The same at both ends of the interval of the variance."""
        spread = self.variance_interval
        low, high = self._topics([spread.low, spread.high]) if spread else (None, None)
        return low, high

    def _topics(self, variances: list[float]) -> list[int | None]:
        """Return the topics that decide at each variance: groups of the mean size where topics have groups."""
        if self._plan is None:
            return [None] * len(variances)
        size = self.n_topics / (self.n_groups or self.n_topics)
        of_one = 1.0 if self.request.mean == "groups" else self.error_ratio**2 / size
        needed = self._plan.topics_of_variances([of_one * variance for variance in variances])
        return [None if n is None else math.ceil(n * size - _ROUNDING * n) for n in needed]

    @property
    def _rows(self) -> ScoreMatrix:
        """The differences whose variance decides: of group means, or of topics."""
        return self.differences.group_means() if self.request.mean == "groups" else self.differences

    @cached_property
    def variance_interval(self) -> VarianceInterval | None:
        """The interval of the variance, of group means where these are averaged; None where it is 0."""
        return variance_interval([self._rows], ONE_WAY, [1]) if self.variance > 0 else None

    @cached_property
    def detectable(self) -> float | None:
        """The true difference that as many topics detect with power 1 - beta; None where the variance is 0."""
        if self.variance == 0:
            return None
        levels: dict[str, Any] = {"alpha": self.request.alpha, "beta": self.request.beta}
        if self.n_groups:
            error, df = _error_by_groups(self.differences, self.request.mean)
            least = FTest(1, 1).required_noncentrality(np.array([df + 1]), **levels)[0]
            return None if math.isinf(least) else error * math.sqrt(least)
        plan = (mcnemar.DESIGN if self.discordant else paired_t.DESIGN).plan(**levels)
        with suppress(NoSolution):  # few topics detect no difference of shares
            return float(plan.detected(self.n_topics, self.variance))
        return None

    @cached_property
    def topics_again(self) -> int | None:
        """New topics, or groups, that show the difference again with power 1 - beta; None where none do."""
        asked, n = self.request, self.n_groups or self.n_topics
        return again.new_topics(
            self.difference, self.standard_error, n, self.shrinkage, alpha=asked.alpha, beta=asked.beta
        )

    @cached_property
    def _plan(self) -> Plan | None:
        """The test for the margin, at a true difference of 0."""
        asked = self.request
        if asked.margin is None or self.variance == 0:
            return None
        given: dict[str, Any] = {
            "alpha": asked.alpha / 2,
            "beta": asked.beta,
            "margin": asked.margin,
            "true_difference": 0.0,
        }
        plan = non_inferiority.DESIGN.plan(**given, topics="shared")
        if self.discordant and asked.margin < 1 and (plan.topics_of(self.variance) or _MANY) < _MANY:
            return non_inferior_shares.DESIGN.plan(**given)
        return plan

    def record(self) -> dict[str, Any]:
        """Return the answer for a record."""
        return {
            "analysis": "two systems",
            **attributes(self, "verdict status baseline new n_topics better_equal_worse"),
            **fields_of(self, "request", "matrix", "differences", "error_ratio", "discordant"),
            **(
                {}
                if self.matrix.groups is None
                else {"estimand": ESTIMANDS[self.request.mean or ""]}
                | attributes(self, "n_groups error_ratio same_groups by_other_mean groups")
            ),
            **({"constant_runs": constant_runs(self.matrix)} if self.caution else {}),
            **({} if self.discordant is None else attributes(self, "discordant")),
            **attributes(self, "topics topics_range detectable topics_again"),
        }


def compare_two(scores: ScoreMatrix, request: Request | None = None) -> Answer:
    """Compare a new system with a baseline on the same topics.

    Parameters
    ----------
    scores : ScoreMatrix
        Two systems, the baseline first, or more of which the request names two.
    request : Request, optional
        Margin and error probabilities.

    Returns
    -------
    Answer
        Verdict and interval, and the topics that would decide.

    Raises
    ------
    InputError
        If there are not two systems, their difference is the same on every topic and not 0, or the margin is
        beyond the range of the measure.
    """
    request = request or Request()
    request = replace(request, mean=mean_of(scores, request.mean))
    if request.pair is None and scores.n_systems != 2:
        rule = f"must name two of the {scores.n_systems} systems of {scores.name}"
        raise InputError(PAIR.name, None, rule)
    baseline, new = request.pair or scores.systems
    better = difference_of(scores, *((baseline, new) if request.lower_is_better else (new, baseline)))
    d, n = better.scores[:, 0], better.n_topics
    matrix = scores.taken(range(n), pair_of(scores.systems, baseline, new))
    if request.margin is not None:
        check_in_range(MARGIN, request.margin, matrix.measure, [matrix])
    rounding = _rounding(matrix)
    is_exact = matrix.is_binary and better.groups is None
    if np.ptp(d) <= rounding and not is_exact:
        if abs(d[0]) > rounding:
            rule = (
                f"is the difference of {quoted(new)} and {quoted(baseline)} on every topic: without variance it "
                f"cannot be tested. {caution_on_constant_runs(matrix)}"
            )
            raise InputError("difference", float(d[0]), rule.removesuffix(". ").removesuffix("."))
        better = replace(better, scores=np.zeros((n, 1)))
        d = better.scores[:, 0]
    mean, variance = float(system_means(better, request.mean)[0]), one_way(better)
    error, df = math.sqrt(variance / n), float(n - 1)
    if better.groups is not None:
        error, df = _error_by_groups(better, request.mean)
        if error <= rounding and variance > 0:
            rule = f"is the mean difference of {quoted(new)} and {quoted(baseline)} in every group of topics:"
            raise InputError(
                "difference", mean, f"{rule} without variance between groups it cannot be tested"
            )
    reach = float(critical_t(df, request.alpha)) * error
    low, high = mean - reach, mean + reach
    p, discordant = f_tail((mean / error) ** 2, 1, df) if error > 0 else 1.0, None
    if is_exact:
        discordant = int((d > 0).sum()), int((d < 0).sum())
        low, high = map(float, tango_interval(*discordant, n, request.alpha))
        p = float(two_sided_p(min(discordant), sum(discordant)))
    weighted = d * topic_weights(better, request.mean)
    squares = np.square(weighted / (np.abs(weighted).max() or 1.0))  # fourth powers of large scores overflow
    return Answer(
        request=request,
        matrix=matrix,
        differences=better,
        difference=mean,
        variance=variance,
        low=low,
        high=high,
        p_value=p,
        n_effective=float(squares.sum() ** 2 / np.square(squares).sum()) if error > 0 else float(n),
        standard_error=error,
        n_systems=scores.n_systems,
        shrinkage=again.remaining_share(rows_of(scores, request.mean), error) if mean and error else 0.0,
        error_ratio=error / math.sqrt(variance / n) if better.groups is not None and variance > 0 else 1.0,
        discordant=discordant,
    )


def _error_by_groups(differences: ScoreMatrix, mean: str | None) -> tuple[float, float]:
    """Return the standard error of the mean for other groups like these, and its degrees of freedom."""
    if mean == "groups":
        of_means = for_other_groups(differences)
        return float(of_means.errors[0]), float(of_means.df[0])
    errors, df = clustered_errors(differences)
    return float(errors[0]), df


def _rounding(matrix: ScoreMatrix) -> float:
    return _ROUNDING * float(np.abs(matrix.scores).max())
