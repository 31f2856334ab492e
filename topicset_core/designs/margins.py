"""Common parts of the designs for equivalence and for non-inferiority: two t tests against a margin.

A test of a difference cannot show that two systems are equally good: not significant is not equal. These
tests can. With the mean difference dbar of n topics and its standard error se, estimated with nu degrees of
freedom,

=============== ============================================= ==========================================
claim           rejected hypothesis                           decision, c = upper alpha quantile of t_nu
=============== ============================================= ==========================================
equivalence     the difference is -margin or less, or margin  (dbar + margin)/se >= c and
                or more                                       (dbar - margin)/se <= -c
non-inferiority the difference is -margin or less             (dbar + margin)/se >= c
=============== ============================================= ==========================================

Both tests of equivalence are made at level alpha (Schuirmann 1987); the decision is that the interval with
confidence 1 - 2 alpha lies within the margin. Shared topics make it a paired test: se^2 = sigma_t^2 / n and
nu = n - 1. Separate topics make it a two-sample test: se^2 = 2 sigma^2 / n and nu = 2n - 2.

With a true difference theta, s = S / sigma and its density f_nu, the power of both tests is

    int_0^{margin / (c se)} f_nu(s) [Phi((margin - theta)/se - c s) - Phi((-margin - theta)/se + c s)] ds,

which equals a difference of two of the Q functions of Owen (1965). It is integrated up to exactly that end, where
the integrand has a kink. The power for non-inferiority is a tail of the noncentral t distribution.
"""

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.design import Design
from topicset_core.designs.distributions import critical_t, legendre, noncentral_t_tail, upper_normal
from topicset_core.designs.requirements import Required, checked_values, counted_topics
from topicset_core.designs.results import Method, PowerResult, check_exact
from topicset_core.designs.search import (
    MARGIN_REACHED,
    Booleans,
    Floats,
    Integers,
    least_roots,
    smallest_integers,
)
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DIFFERENCE_VARIANCE,
    LARGEST_EFFECT,
    MARGIN,
    TOPICS,
    TRUE_DIFFERENCE,
    WITHIN_SYSTEM_VARIANCE,
    ChoiceParameter,
    Parameter,
    check_error_probabilities,
    check_one_sided,
)

_NODES = 128  # of Gauss and Legendre; the tests show the error to be below 1e-12
_OUTSIDE = 1e-18  # probability beyond either end of the range of s
_MANY_DF = 100.0  # from here on the density's constant is a series, as gamma functions lose digits


@dataclass(frozen=True, kw_only=True, eq=False)
class MarginDesign(Design):
    """Tests of one claim; `equivalence` and `non_inferiority` are it."""

    has_power = True
    is_compared = False
    difference_parameter = MARGIN
    detects = "are enough for margins of"
    event = "showing the claim"
    detected_name, detected_words = MARGIN.name, "smallest margin"

    is_two_sided: bool  # whether the difference must stay within the margin on both sides
    parameters: tuple[Parameter, ...] = field(default=(ALPHA, BETA, MARGIN, TRUE_DIFFERENCE))
    choices: tuple[ChoiceParameter, ...] = field(default=(TOPICS,))
    variance: Parameter = DIFFERENCE_VARIANCE
    is_published: bool = False

    def required_topics(
        self, requirements: "MarginRequirements", *, method: Method = "exact", size_cv: float = 0.0
    ) -> PowerResult:
        """Return the smallest number of topics that meets the requirements.

        Parameters
        ----------
        requirements : Requirements
            Requirements of the tests.
        method : {"exact"}
            The Excel tools do not cover this design.
        size_cv : float
            Coefficient of variation of the sizes of groups, where topics are groups of unequal size.

        Raises
        ------
        NoSolution
            If more than ten million topics would be needed.
        """
        plan = replace(requirements.plan(method), size_cv=size_cv)
        n = int(plan.topics())
        return PowerResult(
            design=self.name,
            method=method,
            requirements=requirements,
            required_topics=n,
            attained_power=float(plan.power(n)),
            power_one_topic_fewer=None if n == plan.fewest_topics else float(plan.power(n - 1)),
            effect_size=requirements.effect_size,
        )

    def power(
        self,
        n_topics: ArrayLike,
        difference: ArrayLike,
        variance: ArrayLike,
        *,
        alpha: float,
        beta: float | None = None,  # noqa: ARG002 - given with the other keywords
        size_cv: float = 0.0,
        **case: Any,
    ) -> Floats:
        """Return the probability that n topics show the claim; arrays broadcast."""
        groups, theta, variances = _checked(variance, alpha, **case)
        n, limit = counted_topics(n_topics, size_cv), checked_values(MARGIN, difference)
        error = np.sqrt(groups * variances / n)
        return self._power(n, limit / error, theta / error, alpha, groups)

    def topics(
        self, difference: ArrayLike, variance: ArrayLike, *, alpha: float, beta: float, **case: Any
    ) -> Integers:
        """Return the required topics; arrays broadcast."""
        check_error_probabilities(alpha, beta)
        groups, theta, variances = _checked(variance, alpha, **case)
        limits, variances = np.broadcast_arrays(checked_values(MARGIN, difference), variances)
        per_topic = np.sqrt(groups * variances.ravel())  # standard error times the root of n
        limit, distance = limits.ravel() / per_topic, theta / per_topic
        room = limit + (-np.abs(distance) if self.is_two_sided else distance)
        if np.any(room <= 0):
            raise NoSolution(MARGIN_REACHED)
        both = self.is_two_sided and theta == 0
        start = np.square((upper_normal(alpha) + upper_normal(beta / 2 if both else beta)) / room)

        def enough(n: Integers, cells: Integers) -> Booleans:
            root = np.sqrt(n)
            result = self._power(
                n.astype(np.float64), limit[cells] * root, distance[cells] * root, alpha, groups
            )
            return np.asarray(result >= 1 - beta)

        return smallest_integers(enough, start).reshape(limits.shape)

    def difference(
        self,
        n_topics: ArrayLike,
        variance: ArrayLike,
        *,
        alpha: float,
        beta: float,
        size_cv: float = 0.0,
        **case: Any,
    ) -> Floats:
        """Return the smallest margin that n topics show; arrays broadcast."""
        check_error_probabilities(alpha, beta)
        groups, theta, variances = _checked(variance, alpha, **case)
        n, variances = np.broadcast_arrays(counted_topics(n_topics, size_cv), variances)
        error = np.sqrt(groups * variances / n).ravel()
        flat, distance = n.ravel(), theta / error
        least = np.abs(distance) if self.is_two_sided else np.maximum(-distance, 0.0)

        def excess(room: Floats, cells: Integers) -> Floats:
            margin = least[cells] + room
            return self._power(flat[cells], margin, distance[cells], alpha, groups) - (1 - beta)

        most = LARGEST_EFFECT * np.sqrt(flat)
        room = least_roots(excess, critical_t(groups * (flat - 1), 2 * alpha) + 4.0, most, 1e-13)
        if np.isinf(room).any():
            raise NoSolution(
                f"{int(flat.min())} topics show no margin of up to {LARGEST_EFFECT:g} standard deviations with "
                f"alpha = {alpha:g} and beta = {beta:g}"
            )
        return np.asarray(((least + room) * error).reshape(n.shape))

    def _power(self, n: Floats, limit: Floats, distance: Floats, alpha: float, groups: int) -> Floats:
        """Return the power where margin and true difference are in standard errors."""
        df = groups * (n - 1)
        critical = critical_t(df, 2 * alpha)
        if not self.is_two_sided:
            return noncentral_t_tail(critical, df, limit + distance)
        return _of_both(critical, df, limit, distance)


@dataclass(frozen=True, kw_only=True)
class MarginRequirements(Required):
    """Error probabilities, a margin, and a variance that decides whether topics are shared.

    Parameters
    ----------
    alpha, beta : float
        Level of each one-sided test, and 1 minus the power; 0 < alpha < .5 and 0 < beta < 1 - alpha.
    margin : float
        Least difference that matters, in units of the measure; above 0.
    true_difference : float
        By how much the system is truly better: above -margin, for equivalence also below margin.
    difference_variance : float, optional
        sigma_t^2, where both systems share the topics.
    within_system_variance : float, optional
        Instead: sigma^2, where each system has topics of its own.
    topics : {"shared", "separate"}, optional
        Which of them is given; follows from it by default.

    Raises
    ------
    InputError
        If a value breaks its rule, or not exactly one variance is given.
    """

    alpha: float
    beta: float
    margin: float
    true_difference: float = 0.0
    difference_variance: float | None = None
    within_system_variance: float | None = None
    topics: str = ""

    design: ClassVar[MarginDesign]

    def __post_init__(self) -> None:
        check_error_probabilities(self.alpha, self.beta)
        check_one_sided(self.alpha)
        MARGIN.check(self.margin)
        TRUE_DIFFERENCE.check(self.true_difference)
        self._take_variance()
        out = abs(self.true_difference) if self.design.is_two_sided else -self.true_difference
        if out >= self.margin:
            rule = f"must be above {-self.margin:g}"
            if self.design.is_two_sided:
                rule = f"must be between {-self.margin:g} and {self.margin:g}"
            raise InputError(
                TRUE_DIFFERENCE.name, self.true_difference, f"{rule}, or no number of topics shows the claim"
            )
        if self.effect_size > LARGEST_EFFECT:
            deviations = f"{self.effect_size:.4g} standard deviations"
            raise InputError(
                MARGIN.name, self.margin, f"is {deviations}, above the limit of {LARGEST_EFFECT:g}"
            )

    def _take_variance(self) -> None:
        paired, own = self.difference_variance, self.within_system_variance
        if not self.topics:
            object.__setattr__(self, "topics", "separate" if paired is None and own is not None else "shared")
        TOPICS.check(self.topics)
        for parameter in (DIFFERENCE_VARIANCE, WITHIN_SYSTEM_VARIANCE):
            value, is_required = getattr(self, parameter.name), parameter is self.variance_parameter
            if is_required and value is None:
                raise InputError(parameter.name, None, f"must be given where topics are {self.topics}")
            if not is_required and value is not None:
                rule = f"must be left out where topics are {self.topics}: give {self.variance_parameter.name}"
                raise InputError(parameter.name, value, rule)
            if is_required:
                parameter.check(value)

    @property
    def effect_size(self) -> float:
        """The margin in standard deviations."""
        return self.margin / math.sqrt(self.variance or 0.0)


def _of_both(critical: Floats, df: Floats, limit: Floats, distance: Floats) -> Floats:
    """Return the power of both one-sided tests, by Gauss and Legendre in s = S / sigma."""
    from scipy import special

    c, nu, room, theta = np.broadcast_arrays(critical, df, limit, distance)
    c, nu, room, theta = (array[..., np.newaxis] for array in (c, nu, room, theta))
    x, w = legendre(_NODES)
    low = np.sqrt(special.gammaincinv(nu / 2, _OUTSIDE) * 2 / nu)
    high = np.minimum(np.sqrt(special.gammainccinv(nu / 2, _OUTSIDE) * 2 / nu), room / c)
    half = np.maximum(high - low, 0.0) / 2  # 0 where no variance is small enough
    s = (low + half) + half * x
    inside = special.ndtr(room - theta - c * s) - special.ndtr(-room - theta + c * s)
    with np.errstate(divide="ignore"):
        density = np.exp(_log_constant(nu) + (nu - 1) * np.log(s) - nu * (np.square(s) - 1) / 2)
    return np.asarray(np.sum(w * half * density * np.maximum(inside, 0.0), axis=-1))


def _log_constant(nu: Floats) -> Floats:
    """Return the log of the density of s at 1: log(2 (nu/2)^(nu/2) e^(-nu/2) / Gamma(nu/2))."""
    from scipy import special

    a = nu / 2
    exact = math.log(2) + a * np.log(a) - a - special.gammaln(a)
    # Stirling's series of the same, without large terms that cancel.
    series = math.log(2) + np.log(a / (2 * math.pi)) / 2 - 1 / (12 * a) + 1 / (360 * a**3) - 1 / (1260 * a**5)
    return np.where(nu < _MANY_DF, exact, series)


def _checked(
    variance: ArrayLike,
    alpha: float,
    *,
    true_difference: float = 0.0,
    topics: str = "shared",
    method: Method = "exact",
) -> tuple[int, float, Floats]:
    """Return the groups of topics, 1 or 2, the true difference, and the variances."""
    check_one_sided(alpha)
    check_exact(method)
    is_shared = TOPICS.check(topics) == "shared"
    parameter = DIFFERENCE_VARIANCE if is_shared else WITHIN_SYSTEM_VARIANCE
    return 1 if is_shared else 2, TRUE_DIFFERENCE.check(true_difference), checked_values(parameter, variance)
