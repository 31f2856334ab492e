"""How many more topics after a pilot, if its variance is all that is known?

Two-stage test of Stein (1945). n0 topics are scored first; their variance s0^2 of the per-topic difference decides
the number of topics N. The test uses the mean over all N topics, but s0 and its n0 - 1 degrees of freedom
throughout: then the Type I error probability is alpha and the power 1 - beta exactly, whatever the true
variance is. (An ordinary t test at the end has .05 to .06 instead of .05, with 10 topics in the pilot up to
.064.)

Model: as of `paired_t`. With xi = (minD / (t_{n0-1; a/2} + t_{n0-1; b}))^2, one-sided points,
N = max(n0, ceil(s0^2 / xi)), and sqrt(N) dbar / s0 is compared with t_{n0-1; a/2}.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.design import detects
from topicset_core.designs.distributions import critical_t
from topicset_core.designs.power_search import PowerDesign
from topicset_core.designs.requirements import PowerRequirements, checked_topics, checked_values
from topicset_core.designs.results import Method, PowerResult, check_exact
from topicset_core.designs.search import NONE_IS_ENOUGH, Floats, Integers
from topicset_core.errors import NoSolution
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DIFFERENCE_VARIANCE,
    MIN_D,
    MIN_DELTA,
    MOST_TOPICS,
    PILOT_TOPICS,
    check_error_probabilities,
)
from topicset_core.references import STEIN_1945, WEBBER_2008

_SLACK = 1e-12  # of a quotient that should be whole


@dataclass(frozen=True, kw_only=True)
class Requirements(PowerRequirements):
    """Requirements of the test, and results of the pilot.

    Parameters
    ----------
    difference_variance : float, optional
        s0^2, the variance in the pilot.
    pilot_topics : int
        n0, from 2.
    """

    difference_variance: float | None = None
    pilot_topics: int = 20

    def __post_init__(self) -> None:
        super().__post_init__()
        PILOT_TOPICS.check(self.pilot_topics)


@dataclass(frozen=True, kw_only=True)
class TwoStageResult(PowerResult):
    """The topics in all, and how to test with them.

    Attributes
    ----------
    more_topics : int
        Topics to add to the pilot.
    critical_t : float
        ``sqrt(N) abs(dbar) / s0`` at or above this is significant; s0 is the pilot's.
    expected_topics : float
        Expected N if the true variance is the one given.
    """

    more_topics: int
    critical_t: float
    expected_topics: float

    @property
    def in_words(self) -> str:
        """What to add and how to test."""
        return (
            f"{self.more_topics} more after the pilot\nsignificant if sqrt(N) |mean difference| / s0 >= "
            f"{self.critical_t:.4f}, s0 of the pilot\nexpected topics {self.expected_topics:.1f}, if this is the "
            "true variance"
        )

    @property
    def about_test(self) -> str:
        """How to test with the topics."""
        requirements: Requirements = self.requirements
        return (
            f"The variance is that of a pilot of {requirements.pilot_topics:,} topics, to which "
            f"{self.more_topics:,} are "
            "added; the mean difference over all topics times √N over the standard deviation of the pilot alone "
            f"is significant from {self.critical_t:.3f} on. If the pilot's variance is the true variance, "
            f"{self.expected_topics:.1f} topics are expected before the pilot."
        )


def required_topics(requirements: Requirements, *, method: Method = "exact") -> TwoStageResult:
    """Return the topics in all.

    Parameters
    ----------
    requirements : Requirements
        Requirements of the test, and results of the pilot.
    method : {"exact"}
        There is no other.

    Raises
    ------
    InputError
        For another method.
    NoSolution
        If more than ten million topics would be needed.

    Examples
    --------
    >>> found = required_topics(Requirements(alpha=0.05, beta=0.20, min_delta=0.3, pilot_topics=20))
    >>> found.required_topics, round(found.expected_topics, 3)
    (97, 97.455)
    """
    effect, alpha, pilot = requirements.effect_size, requirements.alpha, requirements.pilot_topics
    given: dict[str, Any] = {"alpha": alpha, "beta": requirements.beta, "pilot_topics": pilot}
    n = int(required_topics_grid(effect, **given, method=method))
    return TwoStageResult(
        design=requirements.design.name,
        method=method,
        requirements=requirements,
        required_topics=n,
        attained_power=float(_power(n, effect, alpha, pilot)),
        power_one_topic_fewer=float(_power(n - 1, effect, alpha, pilot)) if n > pilot else None,
        effect_size=effect,
        notes=("A pilot of at least 20 topics costs few topics more than a known variance.",)
        if pilot < 20
        else (),
        more_topics=n - pilot,
        critical_t=float(critical_t(pilot - 1, alpha)),
        expected_topics=expected_topics(effect, **given),
    )


def required_topics_grid(
    min_delta: ArrayLike, *, alpha: float, beta: float, pilot_topics: int = 20, method: Method = "exact"
) -> Integers:
    """Return the topics in all for effect sizes in standard deviations of the pilot, of any shape."""
    check_exact(method)
    points = _points(alpha, beta, pilot_topics)
    with np.errstate(over="ignore"):
        real = np.square(points / checked_values(MIN_DELTA, min_delta))
    result = np.maximum(np.ceil(real * (1 - _SLACK)), pilot_topics)
    if np.any(result > MOST_TOPICS):
        raise NoSolution(NONE_IS_ENOUGH)
    return result.astype(np.int64)


def expected_topics(min_delta: float, *, alpha: float, beta: float, pilot_topics: int) -> float:
    """Return E(N), the topics in all on average over pilots: n0 + sum over k >= n0 of Pr{N > k}."""
    from scipy import special

    degrees = pilot_topics - 1
    # In units of the true variance
    xi = (MIN_DELTA.check(min_delta) / _points(alpha, beta, pilot_topics)) ** 2
    total, k = float(pilot_topics), pilot_topics
    block = 4096
    while k * xi < 1e9:
        tail = special.chdtrc(degrees, np.arange(k, k + block) * xi * degrees)
        total += float(tail.sum())
        k += block
        if tail[-1] < 1e-17:
            return total
        if k > 64 * block:  # a smooth sum: N is s0^2 / xi rounded up, half a topic above on average
            x = k * xi * degrees
            return total + float(special.chdtrc(degrees + 2, x) / xi - (k - 0.5) * special.chdtrc(degrees, x))
    return total


def _points(alpha: float, beta: float, pilot_topics: int) -> float:
    """Return t_{n0-1; a/2} + t_{n0-1; b}, one-sided points."""
    from scipy import special

    check_error_probabilities(alpha, beta)
    degrees = int(PILOT_TOPICS.check(pilot_topics)) - 1
    return float(critical_t(degrees, alpha)) - float(special.stdtrit(degrees, beta))


def _power(n_topics: ArrayLike, effect: ArrayLike, alpha: float, pilot_topics: int) -> Floats:
    """Return the power given s0: sqrt(N) (dbar - D) / s0 is t-distributed with n0 - 1 degrees of freedom."""
    from scipy import special

    degrees = pilot_topics - 1
    bound = critical_t(degrees, alpha)
    shift = np.sqrt(np.asarray(n_topics, dtype=np.float64)) * np.asarray(effect, dtype=np.float64)
    tails = special.stdtr(degrees, shift - bound) + special.stdtr(degrees, -shift - bound)
    return np.asarray(tails, dtype=np.float64)


class _TwoStage(PowerDesign):
    required_topics = staticmethod(required_topics)
    required_topics_grid = staticmethod(required_topics_grid)

    @staticmethod
    def detectable_delta(
        n_topics: ArrayLike, *, alpha: float, beta: float, pilot_topics: int, method: Method = "exact"
    ) -> Floats:
        """Return the smallest effect that N topics detect after this pilot."""
        check_exact(method)
        return np.asarray(_points(alpha, beta, pilot_topics) / np.sqrt(checked_topics(n_topics)))

    @staticmethod
    def power_of(
        n_topics: ArrayLike, min_delta: ArrayLike, *, method: Method = "exact", **given: Any
    ) -> Floats:
        """Return the power of N topics for each effect."""
        check_exact(method)
        return _power(checked_topics(n_topics), min_delta, **given)


DESIGN = _TwoStage(
    slug="top-up",
    name="Two-stage t test",
    label="two-stage t test, pilot of {pilot_topics}",
    parameters=(ALPHA, BETA, MIN_D, PILOT_TOPICS),
    variance=DIFFERENCE_VARIANCE,
    requirements=Requirements,
    claim=detects(
        "Stein's two-sided two-stage t test after a pilot of {pilot_topics} topics",
        "a difference of minD = {min_d:g} in {measure}",
    ),
    works=(STEIN_1945, WEBBER_2008),
    is_published=False,
    has_uncertain_variance=True,
)
