r"""Assurance: the power that topics really have if the variance they were planned with is an estimate.

A design takes the variance as known. With the estimate itself the power reaches 1 - beta in about half of all
pilots, and is less than that on average. Two numbers of topics repair this. The first has an *expected power* of
1 - beta, where the power is averaged over possible values of the variance. The second reaches that power with
a stated
*certainty*, as it is planned with an upper limit of the variance [1]_; that holds for any design whose n rises with
the variance.

What the variance may be, given an estimate v:

* From scores: v^2 / v* over variances v* of resampled topics. Resamples scatter about v as v does about the truth;
  so the truth lies on the other side of v, and resamples are *reflected*. Were they v chi^2 / nu, this would be
  v nu / chi^2 exactly.
* From a number alone: v nu / chi^2_nu, with nu degrees of freedom that the user states. As runs share their topics,
  nu is about the number of pilot topics less 1, never m (n - 1).

A pilot costs topics, too: the total of `pilot_totals` has a least value.

References
----------
.. [1] R. H. Browne. On the use of a pilot sample for sample size determination. Statistics in Medicine 14,
   1933-1940 (1995). https://doi.org/10.1002/sim.4780141709
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from topicset_core.analyses.score_variance.uncertainty import VarianceUncertainty
from topicset_core.analyses.sizing import TopicsRule, topics_of_variances
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.distributions import upper_normal
from topicset_core.designs.search import FEWEST_TOPICS, Floats, Integers, smallest_integers
from topicset_core.designs.studentised import spread_of
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import ALPHA, BETA, CERTAINTY, EFFECTIVE_DF, WITHIN_SYSTEM_VARIANCE

FEWEST_REFLECTED = 25
"""Topics from which on resamples are reflected; with fewer a chi-square distribution is taken."""

COVERAGE_NOTE = (
    "This was checked on AP of Robust 2004, ERR@20 of Web 2012 and nDCG@10 of the 2019 Deep Learning track, with "
    "one-way and two-way variances. Of 500 pilots of 25, 50 and 100 topics drawn from each, 71 to 85 % had a limit "
    "with certainty .80 that was high enough. Where half of the topics were the pilot, the limit was no lower than "
    "the variance of the other half, itself an estimate, in 68 to 76 %."
)
"""Share of pilots in which the limit with certainty .80 is no lower than the variance, as measured."""

_NONE = 1e-9  # share of the largest resample below which another has no variance
_MANY_DF = 1e9  # where resamples do not vary
_NODES = 128  # of the chi-square distribution: the mean power is right to 1e-12
_CHEBYSHEV = 32  # points in the log of the variance between which the power is interpolated


@dataclass(frozen=True, eq=False)
class Reflected:
    """The variance is v^2 / v* for variances v* of resamples.

    Parameters
    ----------
    resamples : (n_resamples,) float array
        Pooled variances of resampled topics, from 0; those of 0 are left out and counted.
    """

    resamples: Floats

    @property
    def _with_variance(self) -> Floats:
        return np.asarray(self.resamples[self.resamples > _NONE * self.resamples.max(initial=0.0)])

    @property
    def n_without_variance(self) -> int:
        """How many resamples have no variance."""
        return int(self.resamples.size - self._with_variance.size)

    @property
    def effective_df(self) -> float:
        """2 / CV^2: the degrees of freedom of a chi-square distribution that varies as much."""
        mean, spread = float(np.mean(self.resamples)), float(np.var(self.resamples))
        return 2 * mean * mean / max(spread, 2 * mean * mean / _MANY_DF) if mean > 0 else _MANY_DF

    def variances(self, variance: float) -> tuple[Floats, Floats]:
        """Return values of the true variance and their weights, which sum to 1."""
        positive = self._with_variance
        if not positive.size:
            raise InputError("resamples", 0, "must have at least one with a variance above 0")
        return variance * (variance / positive), np.full(positive.size, 1 / positive.size)

    def upper_limit(self, variance: float, certainty: float) -> float:
        """Return the variance that the true one does not exceed with this certainty."""
        values = np.sort(self.variances(variance)[0])
        return float(values[min(math.ceil(certainty * values.size), values.size) - 1])


@dataclass(frozen=True)
class ScaledInverseChiSquare:
    """The variance is v df / chi^2.

    Parameters
    ----------
    df : float
        Degrees of freedom of the estimate, above 0: about its number of topics less 1.
    """

    df: float

    def __post_init__(self) -> None:
        EFFECTIVE_DF.check(self.df)

    @property
    def effective_df(self) -> float:
        """The same as `df`."""
        return self.df

    @property
    def n_without_variance(self) -> int:
        """0."""
        return 0

    def variances(self, variance: float) -> tuple[Floats, Floats]:
        """Return values of the true variance and their weights, which sum to 1."""
        nodes, weights = spread_of(np.asarray([self.df]), _NODES)
        return variance / np.square(nodes[0]), weights[0]

    def upper_limit(self, variance: float, certainty: float) -> float:
        """Return the variance that the true one does not exceed with this certainty."""
        return variance * float(inflation_for_certainty(np.asarray([self.df]), certainty)[0])


@dataclass(frozen=True, kw_only=True)
class AssuranceRequest:
    """A design without its variance, an estimate of it, and possible values of the variance.

    Parameters
    ----------
    rule : TopicsRule
        The design with its requirements.
    variance : float
        The estimate, of the kind that the design takes; above 0.
    distribution : Reflected or ScaledInverseChiSquare
        Possible values of the variance.
    certainty : float
        With which the power is to be reached, above 0 and below 1.

    Raises
    ------
    InputError
        If a value breaks its rule.
    """

    rule: TopicsRule
    variance: float
    distribution: Reflected | ScaledInverseChiSquare
    certainty: float = 0.80

    def __post_init__(self) -> None:
        CERTAINTY.check(self.certainty)
        WITHIN_SYSTEM_VARIANCE.check(self.variance)


@dataclass(frozen=True, kw_only=True)
class Assurance:
    """What topics do if the variance is an estimate.

    Attributes
    ----------
    design : str
        Name of the design.
    variance : float
        The estimate.
    certainty : float
        As asked for.
    wanted_power : float or None
        1 - beta; None for intervals, which have no power.
    plug_in_topics : int or None
        Required topics at the estimate; None beyond ten million, here and below.
    expected_power : float or None
        Power of these topics, averaged over possible values of the variance.
    topics_for_expected_power : int or None
        The smallest n with an expected power of 1 - beta.
    topics_for_certainty : int or None
        The smallest n that meets the requirements with the certainty asked for.
    upper_limit : float
        The variance that `topics_for_certainty` are planned with.
    effective_df : float
        Degrees of freedom that the estimate amounts to.
    standard_error : float or None
        Of `expected_power`, where the variance is resampled.
    n_without_variance : int
        Resamples that were left out, as they have no variance.
    is_resampled : bool
        Whether resamples were reflected.
    """

    design: str
    variance: float
    certainty: float
    wanted_power: float | None
    plug_in_topics: int | None
    expected_power: float | None
    topics_for_expected_power: int | None
    topics_for_certainty: int | None
    upper_limit: float
    effective_df: float
    standard_error: float | None
    n_without_variance: int
    is_resampled: bool

    @property
    def sentence(self) -> str:
        """The answer in words."""
        certain = f"with {100 * self.certainty:g} % certainty"
        if self.wanted_power is None or self.expected_power is None:
            return f"{_counted(self.topics_for_certainty)} are enough {certain}"
        return (
            f"{_counted(self.plug_in_topics)} have an expected power of {100 * self.expected_power:.1f} %; "
            f"{_counted(self.topics_for_expected_power)} have {100 * self.wanted_power:g} % on average, "
            f"{_counted(self.topics_for_certainty)} {certain}"
        )

    def record(self) -> dict[str, Any]:
        """Return the answer as plain values for JSON."""
        return asdict(self)


def _counted(topics: int | None) -> str:
    return "no number of topics" if topics is None else f"{topics:,} topics"


def assurance(request: AssuranceRequest) -> Assurance:
    """Return the expected power, and the topics that the uncertainty of the variance asks for.

    Parameters
    ----------
    request : AssuranceRequest
        The design, the estimate, and possible values of the variance.

    Raises
    ------
    InputError
        If no resample has a variance.

    Examples
    --------
    >>> from topicset_core.analyses.sizing import topics_rule
    >>> rule = topics_rule("paired-t", alpha=0.05, beta=0.20, min_d=0.2)
    >>> found = assurance(AssuranceRequest(rule=rule, variance=1.0, distribution=ScaledInverseChiSquare(24)))
    >>> found.plug_in_topics, found.topics_for_expected_power, found.topics_for_certainty
    (199, 213, 263)
    """
    rule, distribution, variance = request.rule, request.distribution, request.variance
    values, weights = distribution.variances(variance)
    limit = distribution.upper_limit(variance, request.certainty)
    at_estimate, at_limit = (
        topics_of_variances(rule, np.asarray([one])).quantile(1.0) for one in (variance, limit)
    )
    target_power = 1 - rule.values[BETA.name] if rule.power is not None else None
    expected = error = on_average = None
    if target_power is not None and at_estimate is not None:
        powers = _powers(rule, at_estimate, values)
        expected = float(weights @ powers)
        if isinstance(distribution, Reflected):
            error = float(powers.std()) / math.sqrt(powers.size)
        on_average = _topics_on_average(rule, values, weights, target_power, at_estimate)
    return Assurance(
        design=rule.design,
        variance=variance,
        certainty=request.certainty,
        wanted_power=target_power,
        plug_in_topics=at_estimate,
        expected_power=expected,
        topics_for_expected_power=on_average,
        topics_for_certainty=at_limit,
        upper_limit=limit,
        effective_df=distribution.effective_df,
        standard_error=error,
        n_without_variance=distribution.n_without_variance,
        is_resampled=isinstance(distribution, Reflected),
    )


def distribution_of(
    matrices: Sequence[ScoreMatrix], uncertain: VarianceUncertainty
) -> Reflected | ScaledInverseChiSquare:
    """Return the distribution of the variance of scores.

    From 25 topics on, over all matrices, the resamples are reflected. With fewer a chi-square distribution is
    taken. Its degrees of freedom are the topics of each matrix less 1, or those of the resamples if they are fewer.

    Parameters
    ----------
    matrices : sequence of ScoreMatrix
        Where the estimate is from.
    uncertain : VarianceUncertainty
        The estimate and its resamples.
    """
    reflected = Reflected(uncertain.resampled_variances)
    if sum(matrix.n_topics for matrix in matrices) >= FEWEST_REFLECTED:
        return reflected
    df = sum(matrix.n_topics - 1 for matrix in matrices)
    return ScaledInverseChiSquare(min(float(df), reflected.effective_df))


def _powers(rule: TopicsRule, n_topics: int, variances: Floats) -> Floats:
    """Return the power at each variance, by a polynomial in the log of the variance where they are many."""
    if rule.power is None:
        raise InputError("rule", rule.design, "must be a design by power")
    if variances.size <= _NODES:
        return rule.power(n_topics, variances)
    logs = np.log(variances)
    low, high = float(logs.min()), float(logs.max())
    if high - low < 1e-9:
        return np.full(variances.size, rule.power(n_topics, variances[:1])[0])
    fit = np.polynomial.Chebyshev.interpolate(
        lambda at: rule.power(n_topics, np.exp(at)),  # type: ignore[misc]
        _CHEBYSHEV,
        domain=[low, high],
    )
    return np.asarray(fit(logs))


def _topics_on_average(
    rule: TopicsRule, values: Floats, weights: Floats, target_power: float, start: int
) -> int | None:
    def enough(n: Integers, _: Integers) -> "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]":
        return np.asarray([float(weights @ _powers(rule, int(one), values)) >= target_power for one in n])

    # No design takes fewer than with the least of these variances; a test with looks has no power below its fewest.
    fewest = topics_of_variances(rule, np.asarray([values.min()])).quantile(1.0) or FEWEST_TOPICS
    try:
        return max(fewest, int(smallest_integers(enough, np.asarray([float(start)]))[0]))
    except NoSolution:
        return None


@dataclass(frozen=True, kw_only=True, eq=False)
class PilotTotals:
    """Topics of pilot and experiment together, against the topics of the pilot.

    Attributes
    ----------
    pilot : (k,) int array
        Topics of the pilot, rising.
    total : (k,) float array
        These, and the topics that the experiment is then expected to need.
    """

    pilot: Integers
    total: Floats

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

    Parameters
    ----------
    topics : float
        Required topics if the variance were known.
    certainty : float, optional
        With which the power is to be reached; None for expected power.
    alpha, beta : float
        Error probabilities of the design, for expected power.
    most : int
        Largest pilot that is tried; by default well beyond the best.
    """
    last = most or max(60, int(8 * math.sqrt(topics)), 12)
    pilot = np.arange(4, last + 1)
    df = (pilot - 1).astype(np.float64)
    factor = (
        inflation_for_expected_power(df, alpha, beta)
        if certainty is None
        else inflation_for_certainty(df, certainty)
    )
    return PilotTotals(pilot=pilot, total=pilot + topics * factor)


def inflation_for_certainty(df: Floats, certainty: float) -> Floats:
    """Return nu / chi^2_{nu; 1 - certainty}: the upper limit of a variance over its estimate.

    Parameters
    ----------
    df : float array
        nu.
    certainty : float
        Above 0 and below 1.
    """
    from scipy import special

    return np.asarray(df / (2 * special.gammaincinv(df / 2, 1 - CERTAINTY.check(certainty))))


def inflation_for_expected_power(df: Floats, alpha: float, beta: float) -> Floats:
    """Return topics for expected power over topics with a known variance, of a two-sided z test.

    From Pr{sqrt(n) minD sqrt(chi^2/nu) / s > z + Z}: n = (t'^-1(1 - beta; nu, z) s / minD)^2, a quantile of the
    noncentral t distribution with noncentrality z.

    Parameters
    ----------
    df : float array
        nu.
    alpha, beta : float
        Error probabilities.
    """
    from scipy import stats

    z = upper_normal(alpha / 2)
    return np.asarray(np.square(stats.nct.ppf(1 - beta, df, z) / (z + upper_normal(beta))))
