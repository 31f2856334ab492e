"""How many topics for a narrow confidence interval of the difference of two paired shares?

Scores are 0 or 1. The design finds the smallest n with which Tango's score interval of the difference is expected
to be at most delta wide. The width is random, so about half of all realised intervals are wider.

Model: that of `shares`; interval: that of `score_test`; expectation: that of `share_width`.

Examples
--------
>>> wanted = Requirements(alpha=0.05, max_width=0.10, true_difference=0.05, difference_variance=0.1075)
>>> required_topics(wanted).required_topics
184
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from topicset_core.designs.requirements import Required
from topicset_core.designs.score_test import tango_interval
from topicset_core.designs.share_width import ShareWidthDesign, nodes, quadrature
from topicset_core.designs.shares import PairedShares, check_shares, discordant_share
from topicset_core.parameters import ALPHA, DIFFERENCE_VARIANCE, MAX_WIDTH, TRUE_DIFFERENCE
from topicset_core.references import TANGO_1998


@dataclass(frozen=True, kw_only=True)
class Requirements(Required):
    """How narrow the interval must be.

    Parameters
    ----------
    alpha : float
        1 minus the confidence level, 0 to 1.
    max_width : float
        Widest interval allowed, as a difference of shares.
    true_difference : float
        Difference of the shares.
    difference_variance : float
        Variance of the per-topic difference: p10 + p01 - true_difference^2.

    Raises
    ------
    InputError
        If a value breaks its rule, or scores of 0 and 1 cannot have a variance as large.
    """

    alpha: float
    max_width: float
    true_difference: float = 0.0
    difference_variance: float

    def __post_init__(self) -> None:
        ALPHA.check(self.alpha)
        MAX_WIDTH.check(self.max_width)
        TRUE_DIFFERENCE.check(self.true_difference)
        DIFFERENCE_VARIANCE.check(self.difference_variance)
        check_shares(self.true_difference, self.difference_variance, TRUE_DIFFERENCE)


def expected_width(n: int, variance: float, *, alpha: float, true_difference: float = 0.0) -> float:
    """Return the expected width of Tango's interval of n topics."""
    psi = float(discordant_share(true_difference, variance))
    share = min(max((psi + true_difference) / (2 * psi), 0.0), 1.0)
    m, weights = nodes(n, psi)
    if np.all(m == np.rint(m)):
        parts = [nodes(int(size), share) for size in m]
        b, of_b = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        sizes = np.array([counts.size for counts, _ in parts])
    else:
        counts, chances = quadrature(m, share)
        b, of_b, sizes = counts.ravel(), chances.ravel(), np.full(m.size, counts.shape[1])
    total, probability = np.repeat(m, sizes), np.repeat(weights, sizes) * of_b
    low, high = tango_interval(b, total - b, n, alpha)
    return float(probability @ (high - low))


@dataclass(frozen=True, kw_only=True, eq=False)
class _PairedSharesInterval(ShareWidthDesign, PairedShares):
    def is_slow(self, fixed: Mapping[str, Any]) -> bool:  # noqa: ARG002 - it always is
        """Return that its curve has few points: each width is a sum over widths."""
        return True


DESIGN = _PairedSharesInterval(
    slug="paired-shares-ci",
    name="Confidence interval of paired shares",
    label="paired shares",
    parameters=(ALPHA, MAX_WIDTH, TRUE_DIFFERENCE),
    variance=DIFFERENCE_VARIANCE,
    headline="give a {confidence:g} % interval of width {difference:g} of the difference in {measure}",
    requirements=Requirements,
    claim="Tango's {confidence:.10g} % confidence interval of the difference of two systems in {measure} is "
    "expected to be at most δ = {max_width:g} wide at a true difference of {true_difference:g}",
    works=(TANGO_1998,),
    width=expected_width,
)

required_topics, required_topics_grid = DESIGN.required_topics, DESIGN.topics
width = DESIGN.difference
