"""How wide a confidence interval for the difference of two means is expected to be (Sakai 2016, section 3.3).

Shared by the paired and the two-sample interval, which differ in the degrees of freedom that a
topic adds (`groups`, 1 or 2) and in the variance of one topic's difference.
"""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.design import Design
from topicset_core.designs.distributions import critical_t, mean_of_root_variance, upper_normal
from topicset_core.designs.requirements import Required, checked_values, counted_topics
from topicset_core.designs.results import Method, WidthResult, check_method
from topicset_core.designs.search import Floats, Integers, smallest_integers
from topicset_core.parameters import ALPHA, MAX_WIDTH, Parameter

LAST_TOPICS_OF_2016_SHEET = 343
"""Excel's GAMMA overflows above 171, so the 2016 sheet could not compute n beyond 2 x 171.5."""

PUBLISHED_NOTE = (
    "The published method is that of the 2018 sheet, which replaces the ratio of Gamma functions by "
    "1 - 1/(4 phi). The 2016 sheet computed the ratio itself and stopped at "
    f"n = {LAST_TOPICS_OF_2016_SHEET}, where Excel's GAMMA overflows."
)


@dataclass(frozen=True, kw_only=True)
class IntervalRequirements(Required):
    """How narrow an interval must be; a design adds its variance under its own name.

    Parameters
    ----------
    alpha : float
        1 minus the confidence level, 0 to 1.
    max_width : float
        Widest interval allowed, in units of the measure.
    difference_variance, within_system_variance : float
        sigma_t^2 of a paired difference, or sigma^2 of one system.

    Raises
    ------
    InputError
        If a value breaks its rule.
    """

    alpha: float
    max_width: float

    def __post_init__(self) -> None:
        ALPHA.check(self.alpha)
        MAX_WIDTH.check(self.max_width)
        self.variance_parameter.check(self.variance)


@dataclass(frozen=True, kw_only=True, eq=False)
class WidthDesign(Design):
    """A confidence interval that is expected to be narrow enough; a design has its own expected width."""

    difference_parameter = MAX_WIDTH
    detects = "give an expected width of"
    headline: str = "give a {confidence:g} % interval of width {difference:g} {measure}"
    detected_name, detected_words = "expected_width", "expected width"

    parameters: tuple[Parameter, ...] = field(default=(ALPHA, MAX_WIDTH))

    def required_topics(
        self, requirements: Required, *, method: Method = "exact", size_cv: float = 0.0
    ) -> WidthResult:
        """Return the smallest number of topics, per system where they are separate, that is narrow enough.

        Parameters
        ----------
        requirements : Requirements
            How narrow the interval must be.
        method : {"exact", "published"}
            The Gamma ratio of Sakai (2016), Eq. 33, or the 2018 sheet's 1 - 1/(4 phi) for it.
        size_cv : float
            Coefficient of variation of the sizes of groups, where topics are groups of unequal size.

        Raises
        ------
        NoSolution
            If more than ten million topics would be needed.
        """
        plan = replace(requirements.plan(method), size_cv=size_cv)
        n = int(plan.topics())
        return WidthResult(
            design=self.name,
            method=method,
            requirements=requirements,
            required_topics=n,
            attained_width=float(plan.detected(n)),
            width_one_topic_fewer=float(plan.detected(n - 1)) if n > plan.fewest_topics else None,
            notes=self.notes(requirements, method),
        )

    def notes(self, requirements: Required, method: Method) -> tuple[str, ...]:  # noqa: ARG002 - of a design with some
        """Return notes for a reader of the number."""
        return (PUBLISHED_NOTE,) if method == "published" else ()


@dataclass(frozen=True, kw_only=True, eq=False)
class IntervalDesign(WidthDesign):
    """A confidence interval of a difference, paired (phi = n - 1) or of two samples (phi = 2n - 2)."""

    groups: int

    def difference(
        self,
        n_topics: ArrayLike,
        variance: ArrayLike,
        *,
        alpha: float,
        method: Method = "exact",
        size_cv: float = 0.0,
    ) -> Floats:
        """Return the expected width E(2 MOE) at n topics; arrays broadcast."""
        check_method(method)
        ALPHA.check(alpha)
        n = counted_topics(n_topics, size_cv)
        return self._width_in_deviations(n, alpha, method) * self._spread(variance)

    def topics(
        self, difference: ArrayLike, variance: ArrayLike, *, alpha: float, method: Method = "exact"
    ) -> Integers:
        """Return the smallest n with an E(2 MOE) of at most that width; arrays broadcast."""
        check_method(method)
        ALPHA.check(alpha)
        with np.errstate(over="ignore"):
            deviations = np.asarray(checked_values(MAX_WIDTH, difference) / self._spread(variance))
        target = np.clip(deviations.ravel(), 1e-150, 1e150)  # the range that can be squared
        z_alpha = upper_normal(alpha / 2)
        start = np.minimum(4 * z_alpha**2 / np.square(target), 1e18)  # Eq. 35
        start += z_alpha**2 / (2 * self.groups)  # what t asks for beyond z, to first order in 1/n
        topics = smallest_integers(
            lambda n, cells: self._width_in_deviations(n, alpha, method) <= target[cells], start
        )
        return topics.reshape(deviations.shape)

    def _spread(self, variance: ArrayLike) -> Floats:
        """Return the standard deviation of one topic's difference; of two samples it has variance 2 sigma^2."""
        return np.sqrt(self.groups * checked_values(self.variance, variance))

    def _width_in_deviations(self, n_topics: ArrayLike, alpha: float, method: Method) -> Floats:
        n = np.asarray(n_topics, dtype=np.float64)
        phi = self.groups * (n - 1)
        shrinkage = mean_of_root_variance(phi) if method == "exact" else 1 - 1 / (4 * phi)
        return np.asarray(2 * critical_t(phi, alpha) * shrinkage / np.sqrt(n))  # Eqs. 30, 31, 33
