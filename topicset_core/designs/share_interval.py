"""How many topics for a narrow confidence interval of the share of topics on which one system is right?

Scores are 0 or 1. With the share p, their variance over topics is p (1 - p), at most .25; a share and 1 minus it
have the same variance and the same widths. The design finds the smallest n with which the interval is expected to
be at most delta wide:

=============== ==========================================================================================
Wilson          all p whose score test does not reject: |x - n p| <= z sqrt(n p (1 - p)) (Wilson 1927)
Clopper-Pearson all p that neither exact one-sided test at alpha / 2 rejects: covers at least 1 - alpha
=============== ==========================================================================================

Examples
--------
>>> wanted = Requirements(alpha=0.05, max_width=0.10, within_system_variance=0.21)
>>> required_topics(wanted).required_topics
319
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.distributions import upper_normal
from topicset_core.designs.requirements import Required
from topicset_core.designs.results import Method
from topicset_core.designs.search import Floats
from topicset_core.designs.share_width import ShareWidthDesign, nodes
from topicset_core.errors import InputError
from topicset_core.parameters import (
    ALPHA,
    MAX_WIDTH,
    SHARE_RIGHT,
    SHARES,
    WITHIN_SYSTEM_VARIANCE,
    ChoiceParameter,
)
from topicset_core.references import CLOPPER_PEARSON_1934, WILSON_1927

INTERVAL = ChoiceParameter(
    name="interval",
    label="Interval",
    help="How the interval of a share is made.",
    options={"wilson": "Wilson", "clopper-pearson": "Clopper-Pearson, exact"},
    default="wilson",
)
LARGEST_VARIANCE = 0.25
"""Variance of scores of 0 and 1 of which half are 1."""


@dataclass(frozen=True, kw_only=True)
class Requirements(Required):
    """How narrow the interval must be.

    Parameters
    ----------
    alpha : float
        1 minus the confidence level, 0 to 1.
    max_width : float
        Widest interval allowed.
    within_system_variance : float
        Variance of the scores over topics: p (1 - p).
    interval : {"wilson", "clopper-pearson"}
        How the interval is made.

    Raises
    ------
    InputError
        If a value breaks its rule.
    """

    alpha: float
    max_width: float
    within_system_variance: float
    interval: str = "wilson"

    def __post_init__(self) -> None:
        ALPHA.check(self.alpha)
        MAX_WIDTH.check(self.max_width)
        INTERVAL.check(self.interval)
        # The unbiased variance of n topics, half of them right, is .25 n / (n - 1).
        if WITHIN_SYSTEM_VARIANCE.check(self.within_system_variance) > 2 * LARGEST_VARIANCE:
            rule = f"must be at most {2 * LARGEST_VARIANCE:g} where scores are 0 or 1"
            raise InputError(WITHIN_SYSTEM_VARIANCE.name, self.within_system_variance, rule)


def share_interval(
    right: ArrayLike, n_topics: ArrayLike, alpha: float, interval: str = "wilson"
) -> tuple[Floats, Floats]:
    """Return the confidence interval of a share; arrays broadcast.

    Parameters
    ----------
    right : array_like
        Topics with a score of 1.
    n_topics : array_like
        All topics.
    alpha : float
        1 minus the confidence level.
    interval : {"wilson", "clopper-pearson"}
        How the interval is made.

    Returns
    -------
    (ndarray, ndarray)
        Lower and upper limit.
    """
    from scipy import special

    INTERVAL.check(interval)
    x, n = np.broadcast_arrays(np.asarray(right, dtype=np.float64), np.asarray(n_topics, dtype=np.float64))
    if interval == "wilson":
        z = upper_normal(ALPHA.check(alpha) / 2)
        centre, half = x + z * z / 2, z * np.sqrt(x * (n - x) / n + z * z / 4)
        return np.maximum(centre - half, 0) / (n + z * z), np.minimum(centre + half, n + z * z) / (n + z * z)
    low = special.betaincinv(np.maximum(x, 1e-300), n - x + 1, alpha / 2)
    high = special.betainccinv(x + 1, np.maximum(n - x, 1e-300), alpha / 2)
    return np.where(x > 0, low, 0.0), np.where(x < n, high, 1.0)


def share_of(variance: float) -> float:
    """Return p, at most .5, with the variance p (1 - p); a larger variance than .25 counts as .25."""
    return (1 - math.sqrt(max(1 - 4 * variance, 0.0))) / 2


def expected_width(n: int, variance: float, *, alpha: float, interval: str = "wilson") -> float:
    """Return the expected width of the interval of n topics."""
    counts, weights = nodes(n, share_of(variance))
    low, high = share_interval(counts, n, alpha, interval)
    return float(weights @ (high - low))


@dataclass(frozen=True, kw_only=True, eq=False)
class _ShareInterval(ShareWidthDesign):
    choices: tuple[ChoiceParameter, ...] = field(default=(INTERVAL,))
    shares = (SHARE_RIGHT,)

    def of_shares(self, shares: Sequence[float]) -> dict[str, float]:
        """Return the variance of the share of right topics."""
        if len(shares) != 1:
            raise InputError(
                SHARES.name, shares, "must be one share of topics: those on which the system has a 1"
            )
        share = SHARES.check(shares[0])
        if share in (0, 1):
            raise InputError(SHARES.name, shares, "must be above 0 and below 1, or scores do not vary")
        return {WITHIN_SYSTEM_VARIANCE.name: share * (1 - share)}

    def as_shares(self, values: Mapping[str, Any]) -> tuple[float]:
        """Return the share of right topics with this variance, the smaller one of two."""
        return (share_of(values[WITHIN_SYSTEM_VARIANCE.name]),)

    def notes(self, requirements: Required, method: Method) -> tuple[str, ...]:  # noqa: ARG002 - always exact
        """Return a note where a sample of scores varies more than all scores of 0 and 1 can."""
        variance = requirements.variance or 0.0
        more = f"A share has a variance of at most {LARGEST_VARIANCE:g}, which is used in place of {variance:.4g}"
        return (more,) if variance > LARGEST_VARIANCE else ()


DESIGN = _ShareInterval(
    slug="share-ci",
    name="Confidence interval of a share",
    label="one share",
    variance=WITHIN_SYSTEM_VARIANCE,
    headline="give a {confidence:g} % interval of width {difference:g} of {measure} of one system",
    requirements=Requirements,
    claim="the {confidence:.10g} % confidence interval ({interval}) of one system's share in {measure} is expected "
    "to be at most δ = {max_width:g} wide",
    works=(),
    works_by_choice={"wilson": (WILSON_1927,), "clopper-pearson": (CLOPPER_PEARSON_1934,)},
    width=expected_width,
)

required_topics, required_topics_grid = DESIGN.required_topics, DESIGN.topics
width = DESIGN.difference
