"""Assurance: the power that topics really have if the variance they were planned with is an estimate.

A design takes the variance as known. With the estimate itself the power reaches 1 - beta in about half of all
pilots, and is less than that on average. Two numbers of topics repair this. The first has an *expected power* of
1 - beta, where the power is averaged over possible values of the variance. The second reaches that power with a
stated *certainty*, as it is planned with an upper limit of the variance (Browne, Statistics in Medicine 14,
1933-1940, 1995); that holds for any design whose n rises with the variance.

Given an estimate v, the variance is v nu / chi^2_nu. Its degrees of freedom nu are measured on scores
(`topicset_core.variance.intervals`), so that the limit is the upper end of an interval of the variance; or the user
states them. As runs share their topics, they are about the number of pilot topics less 1, never m (n - 1)
(docs/evidence/planning.md).

A pilot costs topics, too: the total of `pilot_totals` has a least value.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from topicset_core.designs import Plan
from topicset_core.designs.distributions import noncentral_t_quantile, upper_normal
from topicset_core.designs.search import Floats, Integers, smallest_integers
from topicset_core.designs.studentised import spread_of
from topicset_core.errors import NoSolution
from topicset_core.parameters import ALPHA, BETA, CERTAINTY, EFFECTIVE_DF, WITHIN_SYSTEM_VARIANCE, Setting
from topicset_core.variance.intervals import Simulated, inflation
from topicset_core.wording import number_or

_NODES = 128  # of the chi-square distribution: the mean power is right to 1e-12


@dataclass(frozen=True, kw_only=True)
class AssuranceRequest:
    """A design without its variance, an estimate of it, and the degrees of freedom of the estimate."""

    plan: Plan  # the design with its requirements, its variance left open
    variance: float  # the estimate, of the kind that the design takes
    effective_df: float  # its degrees of freedom, from 1
    certainty: float = 0.80  # with which the power is to be reached, above 0 and below 1
    # Where they are of scores, the per cent of pilots in which a certainty of .80 held, see
    # `VarianceInterval`
    holds: Simulated | None = None

    def __post_init__(self) -> None:
        EFFECTIVE_DF.check(self.effective_df)
        CERTAINTY.check(self.certainty)
        WITHIN_SYSTEM_VARIANCE.check(self.variance)


@dataclass(frozen=True, kw_only=True)
class Assurance:
    """What topics do if the variance is an estimate."""

    design: str
    variance: float
    certainty: float
    wanted_power: float | None  # 1 - beta
    plug_in_topics: int | None  # required topics at the estimate
    expected_power: float | None  # power of these topics, averaged over possible values of the variance
    topics_for_expected_power: int | None  # the smallest n with an expected power of 1 - beta
    # The smallest n that meets the requirements with the certainty asked for
    topics_for_certainty: int | None
    upper_limit: float  # the variance that `topics_for_certainty` are planned with
    effective_df: float  # degrees of freedom that the estimate amounts to
    holds: Simulated | None
    unit: str  # what is counted: "topic" or "group"

    @property
    def settings(self) -> list[Setting]:
        """What it was asked with."""
        return [Setting(CERTAINTY, self.certainty), Setting(EFFECTIVE_DF, self.effective_df)]

    @property
    def sentence(self) -> str:
        """The answer in words."""
        certain = f"with {100 * self.certainty:g} % certainty"
        if self.holds is not None and self.certainty == CERTAINTY.default:
            certain += f" ({self.holds.in_words})"
        if self.wanted_power is None or self.expected_power is None:
            return f"{self._counted(self.topics_for_certainty)} are enough {certain}"
        power = f"{100 * self.wanted_power:g} %"
        return (
            f"{self._counted(self.topics_for_certainty)} have {power} power {certain}; "
            f"{self._counted(self.plug_in_topics)} have an expected power of {100 * self.expected_power:.1f} %, "
            f"{self._counted(self.topics_for_expected_power)} of {power}"
        )

    def _counted(self, n: int | None) -> str:
        return f"{number_or('no number of', n)} {self.unit}s"


def assurance(request: AssuranceRequest) -> Assurance:
    """Return the expected power, and the topics that the uncertainty of the variance asks for.

    Examples
    --------
    >>> from topicset_core.designs import paired_t
    >>> plan = paired_t.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.2)
    >>> found = assurance(AssuranceRequest(plan=plan, variance=1.0, effective_df=24))
    >>> found.plug_in_topics, found.topics_for_expected_power, found.topics_for_certainty
    (199, 213, 263)
    """
    plan, variance = request.plan, request.variance
    limit = variance * float(inflation(request.effective_df, request.certainty))
    at_estimate = plan.topics_of(variance)
    target_power = 1 - plan.values[BETA.name] if plan.design.has_power else None
    expected = on_average = None
    if target_power is not None and at_estimate is not None:
        nodes, weights = (one[0] for one in spread_of(np.asarray([request.effective_df]), _NODES))
        values = variance / np.square(nodes)

        def mean_power(n: int) -> float:
            return float(weights @ plan.power(max(n, plan.fewest_topics), variance=values))

        # No design takes fewer than with the least of these variances; a test with looks has no power below.
        fewest = plan.topics_of(float(values.min())) or plan.fewest_topics
        expected = mean_power(at_estimate)
        on_average = _topics_on_average(mean_power, target_power, fewest, at_estimate)
    return Assurance(
        design=plan.design.name,
        variance=variance,
        certainty=request.certainty,
        wanted_power=target_power,
        plug_in_topics=at_estimate,
        expected_power=expected,
        topics_for_expected_power=on_average,
        topics_for_certainty=plan.topics_of(limit),
        upper_limit=limit,
        effective_df=request.effective_df,
        holds=request.holds,
        unit=plan.unit,
    )


def _topics_on_average(
    expected: Callable[[int], float], target_power: float, fewest: int, start: int
) -> int | None:
    def enough(n: Integers, _: Integers) -> "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]":
        return np.asarray([expected(int(one)) >= target_power for one in n], dtype=np.bool_)

    try:
        return max(fewest, int(smallest_integers(enough, np.asarray([float(start)]))[0]))
    except NoSolution:
        return None


@dataclass(frozen=True, kw_only=True, eq=False)
class PilotTotals:
    """Topics of pilot and experiment together, against the topics of the pilot."""

    pilot: Integers  # topics of the pilot, rising
    total: Floats  # these, and the topics that the experiment is then expected to need

    @property
    def best(self) -> int:
        """The pilot with the least total; the smallest of several."""
        return int(self.pilot[np.argmin(self.total)])

    @property
    def least(self) -> float:
        """That total."""
        return float(self.total.min())

    @property
    def nearly_best(self) -> tuple[int, int]:
        """The smallest and the largest pilot with a total within 1 % of the least."""
        near = self.pilot[self.total <= 1.01 * self.least]
        return int(near[0]), int(near[-1])


def pilot_totals(
    topics: float,
    *,
    certainty: float | None = None,
    alpha: float = ALPHA.default,
    beta: float = BETA.default,
    most: int = 0,
) -> PilotTotals:
    """Return the total topics against the size of the pilot, with one degree of freedom per topic after the first.

    Required topics are taken as proportional to the variance. Without a certainty the experiment is planned for
    expected power, by the factor of a two-sided z test (Julious and Owen 2006); with one, by the upper limit.
    """
    last = most or max(60, int(8 * math.sqrt(topics)))
    pilot = np.arange(4, last + 1)
    df = (pilot - 1).astype(np.float64)
    factor = (
        inflation_for_expected_power(df, alpha, beta)
        if certainty is None
        else inflation(df, CERTAINTY.check(certainty))
    )
    return PilotTotals(pilot=pilot, total=pilot + topics * factor)


def inflation_for_expected_power(df: Floats, alpha: float, beta: float) -> Floats:
    """Return topics for expected power over topics with a known variance, of a two-sided z test.

    From Pr{sqrt(n) minD sqrt(chi^2/nu) / s > z + Z}: n = (t'^-1(1 - beta; nu, z) s / minD)^2, a quantile of the
    noncentral t distribution with noncentrality z.
    """
    z = upper_normal(alpha / 2)
    return np.square(noncentral_t_quantile(df, z, 1 - beta) / (z + upper_normal(beta)))
