"""How many topics, so that two experiments seldom contradict each other?

Two systems are compared twice, each time on n topics of its own. The retrieval experiment error
rate (REER) is the chance that the two mean differences have opposite signs. The design finds the smallest
n with which it is at most `max_error`.

Model (Lin and Hauptmann 2005, whose equations are cited here): mean differences D_1, D_2 are independent and, by
the central limit theorem, normal with mean mu_A - mu_B and variance (sigma_A^2 + sigma_B^2) / n. The paper takes
the two systems' scores as independent of each other; where both run on the same topics, the variance of their
per-topic difference is in place of the sum, and is as a rule a third of it or less. The design takes
whichever variance it is given.

The paper names three factors: topics, difference and variance. `factor_curves` has the error rate over each.

Eq. 12 of the paper is misprinted: Williams' approximation is Erf(x) ~ sqrt(1 - exp(-4 x^2 / pi)),
where it prints -2 x^2 / pi. Eq. 13 follows from the right form, and is right.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from topicset_core.designs.design import Design
from topicset_core.designs.distributions import normal_cdf, upper_normal
from topicset_core.designs.requirements import Required, checked_topics, checked_values
from topicset_core.designs.results import ErrorRateResult, Method, check_method
from topicset_core.designs.search import NONE_IS_ENOUGH, Floats, Integers
from topicset_core.errors import NoSolution
from topicset_core.parameters import DIFFERENCE_VARIANCE, MAX_ERROR, MIN_D, MOST_TOPICS, N_TOPICS
from topicset_core.references import LIN_HAUPTMANN_2005

SET_SIZE = replace(N_TOPICS, lower=1)
"""Topics of one experiment: a single topic has a sign, but no variance."""

DIFFERENCE = replace(MIN_D, name="difference", lower=-math.inf)
"""A true difference; its sign does not matter, and at 0 the error rate is .5."""

_MULTIPLES = tuple(float(step) for step in np.linspace(0.0, 3.0, 121))
"""Multiples of the user's value over which a factor runs; one of them is 1."""

PUBLISHED_NOTE = (
    "The published method is Eq. 13 of Lin and Hauptmann (2005), an exponential that lies below the error "
    "rate of Eq. 8 by up to .0057 and requires fewer topics."
)


@dataclass(frozen=True, kw_only=True)
class Requirements(Required):
    """Differences that a collection must distinguish.

    Parameters
    ----------
    max_error : float
        Tolerated error rate, above 0 and below .5.
    min_d : float
        Difference of the two systems' true means, above 0.
    difference_variance : float
        Variance per topic of the difference of their scores, above 0; for Eq. 8 as printed the sum of
        both systems' variances.

    Raises
    ------
    InputError
        If a value breaks its rule.
    """

    max_error: float
    min_d: float
    difference_variance: float

    def __post_init__(self) -> None:
        MAX_ERROR.check(self.max_error)
        MIN_D.check(self.min_d)
        DIFFERENCE_VARIANCE.check(self.difference_variance)


def required_topics(requirements: Requirements, *, method: Method = "exact") -> ErrorRateResult:
    """Return the smallest number of topics that meets the requirements.

    Parameters
    ----------
    requirements : Requirements
        Requirements of the collection.
    method : {"exact", "published"}
        The error rate of Eq. 8, or its exponential approximation, Eq. 13.

    Raises
    ------
    NoSolution
        If more than ten million topics would be needed.

    Examples
    --------
    >>> wanted = Requirements(max_error=0.05, min_d=0.05, difference_variance=0.0942)
    >>> required_topics(wanted).required_topics
    144
    """
    min_d, variance = requirements.min_d, requirements.difference_variance
    n = int(required_topics_grid(min_d, variance, max_error=requirements.max_error, method=method))
    of_pair = {"difference": min_d, "difference_variance": variance}
    error = reer if method == "exact" else approximate_reer
    return ErrorRateResult(
        design=requirements.design.name,
        method=method,
        requirements=requirements,
        required_topics=n,
        attained_error=float(error(n_topics=n, **of_pair)),
        error_one_topic_fewer=float(error(n_topics=n - 1, **of_pair)) if n > 1 else None,
        notes=(PUBLISHED_NOTE,) if method == "published" else (),
    )


def required_topics_grid(
    min_d: ArrayLike, difference_variance: ArrayLike, *, max_error: float, method: Method = "exact"
) -> Integers:
    """Return the smallest n with an error rate of at most `max_error`; arrays broadcast."""
    z = _deviations_for(max_error, method)
    distance = checked_values(MIN_D, min_d)
    spread = np.sqrt(checked_values(DIFFERENCE_VARIANCE, difference_variance))
    with np.errstate(over="ignore"):
        n = np.maximum(np.ceil(np.square(z * spread / distance)), 1.0)  # Eq. 7 solved for the topics
    error = _error_at if method == "exact" else _approximate_error_at

    def enough(topics: Floats) -> NDArray[np.bool_]:
        return error(distance * np.sqrt(topics) / spread) <= max_error

    # Rounding may have put a whole number on the wrong side; what n itself gives decides.
    n = np.where(n <= MOST_TOPICS, np.where(enough(n), n, n + 1), math.inf)
    one_fewer = np.maximum(n - 1, 1.0)
    n = np.where(enough(one_fewer), one_fewer, n)
    if np.any(n > MOST_TOPICS):
        raise NoSolution(NONE_IS_ENOUGH)
    return np.asarray(n, dtype=np.int64)


def reer(*, difference: ArrayLike, difference_variance: ArrayLike, n_topics: ArrayLike) -> Floats:
    """Return the error rate of Lin and Hauptmann (2005), Eq. 8: 2 Phi(-z) (1 - Phi(-z)); arrays broadcast.

    Parameters
    ----------
    difference : array_like
        True difference of the two systems, in units of the measure; the sign does not matter.
    difference_variance : array_like
        Variance of the difference of their scores on a topic, above 0.
    n_topics : array_like
        Topics of each of the two experiments, whole numbers from 1.

    Returns
    -------
    ndarray of float64
        Above 0, and .5 at a difference of 0; correct to the last digits however small.

    Raises
    ------
    InputError
        If a value breaks its rule.

    Examples
    --------
    >>> round(float(reer(difference=0.05, difference_variance=0.0942, n_topics=144)), 6)
    0.049314
    """
    return _error_at(_deviations(difference, difference_variance, n_topics))


def approximate_reer(*, difference: ArrayLike, difference_variance: ArrayLike, n_topics: ArrayLike) -> Floats:
    """Return exp(-2 z^2 / pi) / 2, which never exceeds `reer`, Eq. 13; arrays broadcast."""
    return _approximate_error_at(_deviations(difference, difference_variance, n_topics))


def resolved_difference_of(
    n_topics: ArrayLike, difference_variance: ArrayLike, *, max_error: float, method: Method = "exact"
) -> Floats:
    """Return the true difference from which on n topics err at most `max_error`; arrays broadcast."""
    z = _deviations_for(max_error, method)
    variance = checked_values(DIFFERENCE_VARIANCE, difference_variance)
    return np.asarray(z * np.sqrt(variance / checked_topics(n_topics, SET_SIZE)))


@dataclass(frozen=True, kw_only=True, eq=False)
class FactorCurve:
    """The error rate over one factor, with the other two fixed."""

    factor: str  # "n_topics", "difference" or "difference_variance"
    values: Floats
    errors: Floats  # error rate at each, above 0 and at most .5


def factor_curves(
    *, difference: float, difference_variance: float, n_topics: int
) -> tuple[FactorCurve, FactorCurve, FactorCurve]:
    """Return the curves over topics, difference and variance that cross at the given point."""
    point = {
        "n_topics": SET_SIZE.check(n_topics),
        "difference": MIN_D.check(difference),
        "difference_variance": DIFFERENCE_VARIANCE.check(difference_variance),
    }
    curves = []
    for factor, value in point.items():
        values = value * np.array(_MULTIPLES[0 if factor == "difference" else 1 :])
        if factor == "n_topics":
            values = np.unique(np.clip(np.rint(values), 1, SET_SIZE.upper))
        curves.append(FactorCurve(factor=factor, values=values, errors=reer(**(point | {factor: values}))))
    topics, differences, variances = curves
    return topics, differences, variances


def _deviations(difference: ArrayLike, difference_variance: ArrayLike, n_topics: ArrayLike) -> Floats:
    """Return |z|, the difference in standard deviations of the mean difference, Eq. 7."""
    distance = np.abs(checked_values(DIFFERENCE, difference))
    spread = np.sqrt(checked_values(DIFFERENCE_VARIANCE, difference_variance))
    with np.errstate(over="ignore"):
        return np.asarray(distance * np.sqrt(checked_topics(n_topics, SET_SIZE)) / spread)


def _error_at(deviations: Floats) -> Floats:
    return np.asarray(2 * normal_cdf(-deviations) * normal_cdf(deviations))  # no 1 - Phi: it loses digits


def _approximate_error_at(deviations: Floats) -> Floats:
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.exp(-2 / math.pi * np.square(deviations)) / 2)


def _deviations_for(max_error: float, method: Method) -> float:
    """Return the z at which the error rate is `max_error`."""
    check_method(method)
    MAX_ERROR.check(max_error)
    if method == "published":
        return math.sqrt(math.pi / 2 * -math.log(2 * max_error))
    # p (1 - p) = max_error / 2 for p = Phi(-z); this root of the quadratic loses no digits.
    return upper_normal(max_error / (1 + math.sqrt(1 - 2 * max_error)))


class _ErrorRate(Design):
    has_curves = False  # `factor_curves` are its own
    required_topics = staticmethod(required_topics)
    topics = staticmethod(required_topics_grid)
    difference = staticmethod(resolved_difference_of)


DESIGN = _ErrorRate(
    slug="error-rate",
    name="Error rate",
    label="error rate",
    headline="keep the error rate at a true difference of {difference:g} {measure} at or below {power:g} %",
    parameters=(MAX_ERROR, MIN_D),
    variance=DIFFERENCE_VARIANCE,
    requirements=Requirements,
    claim="two experiments contradict each other about a difference of minD = {min_d:g} in {measure} with a "
    "probability of {max_error:g} at most",
    works=(LIN_HAUPTMANN_2005,),
)
