"""The requirements that designs share: their variance, two error probabilities, and a difference."""

import math
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.design import Design, Plan
from topicset_core.designs.results import Method
from topicset_core.designs.search import Floats, equal_groups, fewest_topics
from topicset_core.errors import InputError
from topicset_core.parameters import (
    LARGEST_EFFECT,
    MIN_D,
    MIN_DELTA,
    N_TOPICS,
    Parameter,
    check_error_probabilities,
)


@dataclass(frozen=True, kw_only=True)
class Required:
    """Requirements of any design, which names its fields."""

    design: ClassVar[Design]

    @property
    def variance_parameter(self) -> Parameter:
        """The variance that the design takes."""
        return self.design.variance_of(vars(self))

    @property
    def variance(self) -> float | None:
        """The variance under the name that the design gives it."""
        value: float | None = getattr(self, self.variance_parameter.name)
        return value

    @property
    def difference(self) -> float | None:
        """The difference in units of the measure."""
        value: float | None = getattr(self, self.design.difference_parameter.name)
        return value

    def plan(self, method: Method = "exact") -> Plan:
        """Return the plan with these requirements."""
        return self.design.plan(
            method=method, **{field.name: getattr(self, field.name) for field in fields(self)}
        )


@dataclass(frozen=True, kw_only=True)
class PowerRequirements(Required):
    """Error probabilities, and a difference given once: as minDelta, or as minD and a variance.

    A design adds the variance under its own name; minDelta is minD over its root, of an ANOVA otherwise.

    Parameters
    ----------
    alpha, beta : float
        Error probabilities, 0 < alpha < 1 and 0 < beta < 1 - alpha.
    min_delta : float, optional
        Smallest effect size to detect: the difference in standard deviations, of an ANOVA half its square.
    min_d, difference_variance, within_system_variance, residual_variance : float, optional
        Instead of `min_delta`: the difference in units of the measure, and the variance that the design takes.

    Raises
    ------
    InputError
        If a value breaks its rule, or the difference is not given exactly once.
    """

    alpha: float
    beta: float
    min_delta: float | None = None
    min_d: float | None = None

    def __post_init__(self) -> None:
        check_error_probabilities(self.alpha, self.beta)
        self._check_difference_given_once()
        if self.standardised_difference > LARGEST_EFFECT:
            blamed, value = (MIN_D, self.min_d) if self.min_delta is None else (MIN_DELTA, self.min_delta)
            deviations = f"{self.standardised_difference:.4g} standard deviations"
            raise InputError(blamed.name, value, f"is {deviations}, above the limit of {LARGEST_EFFECT:g}")

    @property
    def effect_size(self) -> float:
        """minDelta, as given or converted from minD and the variance."""
        if self.min_d is None or self.variance is None:
            return float(self.min_delta or 0.0)
        return self._effect_size_of(self.min_d, self.variance)

    @property
    def standardised_difference(self) -> float:
        """The difference in standard deviations: minDelta itself, but for an ANOVA."""
        return self.effect_size

    def _effect_size_of(self, min_d: float, variance: float) -> float:
        return min_d / math.sqrt(variance)

    def _check_difference_given_once(self) -> None:
        variance_name = self.variance_parameter.name
        if self.min_delta is not None:
            for name, value in ((MIN_D.name, self.min_d), (variance_name, self.variance)):
                if value is not None:
                    raise InputError(name, value, "must be left out if min_delta is given, which replaces it")
            MIN_DELTA.check(self.min_delta)
        elif self.min_d is None:
            rule = f"must be given together with {variance_name}, or min_delta instead of both"
            raise InputError(MIN_D.name, None, rule)
        elif self.variance is None:
            raise InputError(variance_name, None, "must be given where min_d is")
        else:
            MIN_D.check(self.min_d)
            self.variance_parameter.check(self.variance)


def checked_values(parameter: Parameter, values: ArrayLike) -> Floats:
    """Return an array of values of one parameter as floats."""
    given = np.asarray(values)
    if given.dtype.kind not in "iuf":  # text, truth values, complex numbers, None
        raise InputError(parameter.name, values, parameter.rule)
    array = given.astype(np.float64)
    suspects = array[~np.isfinite(array)] if array.size else array
    for suspect in suspects[:1] if suspects.size else ((array.min(), array.max()) if array.size else ()):
        parameter.check(float(suspect))
    return array


def checked_topics(n_topics: ArrayLike, parameter: Parameter = N_TOPICS) -> Floats:
    """Return topic set sizes as floats."""
    n = checked_values(parameter, n_topics)
    broken = n[n != np.rint(n)]
    if broken.size:
        raise InputError(parameter.name, float(broken[0]), parameter.rule)
    return n


def counted_topics(n_topics: ArrayLike, size_cv: float) -> Floats:
    """Return topic set sizes as floats; of groups of unequal size, how many of equal size they count as."""
    n, least = checked_topics(n_topics), fewest_topics(size_cv)
    if n.size and n.min() < least:
        rule = f"must be at least {least} groups where their sizes have a coefficient of variation of {size_cv:g}"
        raise InputError(N_TOPICS.name, float(n.min()), rule)
    return equal_groups(n, size_cv)
