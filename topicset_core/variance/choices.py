"""The estimates that a user can choose from, each with all that is computed from its choice.

An `Estimate` is called like the function it names, ``ONE_WAY(matrix) == one_way(matrix)``, and also
knows its values without each topic or group, its degrees of freedom, and whether it is the variance of
one system's scores or of a difference of two: a design takes one kind only, and mistaking one for
the other is a factor of 2 in the number of topics.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from topicset_core.collection import ScoreMatrix
from topicset_core.parameters import (
    DIFFERENCE_VARIANCE,
    RESIDUAL_VARIANCE,
    WITHIN_SYSTEM_VARIANCE,
    Parameter,
)
from topicset_core.variance.estimates import (
    Floats,
    conservative_difference_variance,
    one_way,
    one_way_without,
    pair_percentile_without,
    total,
    total_without,
    two_way,
    two_way_without,
)
from topicset_core.variance.pair_differences import (
    WEBBER_PERCENTILE,
    check_percentile,
    chosen_pair_difference_variance,
    difference_of,
    mean_pair_difference_variance,
    percentile_pair_difference_variance,
)

Kind = Literal["within-system", "difference"]
"""What varies: one system's scores (sigma^2), or the difference of two (sigma_t^2)."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """One way to get a variance from a score matrix.

    Parameters
    ----------
    name : str
        As in links and records.
    label : str
        As on a page.
    kind : {"within-system", "difference"}
        What varies.
    of : callable
        ``of(matrix)``: the estimate.
    without_each : callable
        ``without_each(matrix)``: the estimate without each topic in turn, or each group where topics have groups,
        (n,); from 3 of them on.
    degrees_of_freedom : callable, optional
        ``degrees_of_freedom(matrix)``; None for a percentile, which has no degrees of freedom.
    advice : str
        What to know before planning with it, empty where nothing.
    """

    name: str
    label: str
    kind: Kind
    of: Callable[[ScoreMatrix], float]
    without_each: Callable[[ScoreMatrix], Floats]
    degrees_of_freedom: Callable[[ScoreMatrix], int] | None
    advice: str = ""

    def __call__(self, matrix: ScoreMatrix) -> float:
        """Return the estimate from one matrix."""
        return self.of(matrix)


def _one_way_df(matrix: ScoreMatrix) -> int:
    return matrix.n_systems * (matrix.n_topics - 1)  # phi_E of one-way ANOVA, Sakai 2016, Eq. 14


def _two_way_df(matrix: ScoreMatrix) -> int:
    return (matrix.n_systems - 1) * (matrix.n_topics - 1)  # phi_E of two-way ANOVA


ONE_WAY = Estimate(
    name="one-way",
    label="σ², one-way ANOVA residual",
    kind="within-system",
    of=one_way,
    without_each=one_way_without,
    degrees_of_freedom=_one_way_df,
)

TWO_WAY = Estimate(
    name="two-way",
    label="σₑ², two-way ANOVA residual",
    kind="within-system",
    of=two_way,
    without_each=two_way_without,
    degrees_of_freedom=_two_way_df,
)

TOTAL = Estimate(
    name="total",
    label="Total variance (for comparison only)",
    kind="within-system",
    of=total,
    without_each=total_without,
    degrees_of_freedom=lambda matrix: matrix.n_systems * matrix.n_topics - 1,
    advice="Sakai's 2014 papers used this as the within-system variance by mistake; do not plan with it.",
)

CONSERVATIVE_DIFFERENCE = Estimate(
    name="twice-one-way",
    label="2σ², Sakai's value",
    kind="difference",
    of=lambda matrix: conservative_difference_variance(one_way(matrix)),
    without_each=lambda matrix: 2 * one_way_without(matrix),
    degrees_of_freedom=_one_way_df,
)

MEAN_PAIR_DIFFERENCE = Estimate(
    name="mean-of-pairs",
    label="mean of pairs of runs",
    kind="difference",
    of=mean_pair_difference_variance,
    # Twice the two-way estimate, by the identity that `pair_differences` states.
    without_each=lambda matrix: 2 * two_way_without(matrix),
    degrees_of_freedom=_two_way_df,
    advice="About half of all pairs vary more: their tests have less power, their intervals are wider.",
)


def pair_percentile(percentile: float = WEBBER_PERCENTILE) -> Estimate:
    """Return the estimate that takes a percentile over pairs of runs, 95 as Webber et al. (2008) do."""
    check_percentile(percentile)
    return Estimate(
        name=f"percentile-{percentile:g}-of-pairs",
        label=f"{percentile:g}th percentile of pairs of runs (Webber et al. 2008)",
        kind="difference",
        of=lambda matrix: percentile_pair_difference_variance(matrix, percentile),
        without_each=lambda matrix: pair_percentile_without(matrix, percentile),
        degrees_of_freedom=None,
    )


PAIR_PERCENTILE = pair_percentile()
"""Webber, Moffat and Zobel's 95th percentile."""


def chosen_pair(first: str, second: str) -> Estimate:
    """Return the estimate of the variance of the difference of two named runs; it refuses scores without them."""
    return Estimate(
        name="chosen-pair",
        label=f"σₜ² of {first} and {second}",
        kind="difference",
        of=lambda matrix: chosen_pair_difference_variance(matrix, first, second),
        without_each=lambda matrix: one_way_without(difference_of(matrix, first, second)),
        degrees_of_freedom=lambda matrix: matrix.n_topics - 1,
    )


ESTIMATES = (ONE_WAY, TWO_WAY, TOTAL, CONSERVATIVE_DIFFERENCE, MEAN_PAIR_DIFFERENCE, PAIR_PERCENTILE)
"""All estimates that need nothing but a matrix, in the order in which they are shown."""

OFFERED = {
    WITHIN_SYSTEM_VARIANCE: (ONE_WAY,),
    RESIDUAL_VARIANCE: (TWO_WAY,),
    DIFFERENCE_VARIANCE: (MEAN_PAIR_DIFFERENCE, PAIR_PERCENTILE, CONSERVATIVE_DIFFERENCE),
}
"""How scores give the variance that a design takes; the first is usual, the last is all that a single run gives.

The usual estimate of a difference is twice the two-way variance, so that all designs on shared topics rest on one
number.
"""


def usual_estimate(variance: Parameter, matrices: Iterable[ScoreMatrix]) -> Estimate:
    """Return how these scores give a variance, if the user does not choose: of pairs, where there are pairs."""
    has_pairs = all(matrix.n_systems > 1 for matrix in matrices)
    return OFFERED[variance][0 if has_pairs else -1]


def estimate_of(function: Callable[[ScoreMatrix], float]) -> Estimate | None:
    """Return the `Estimate` of a plain function such as `one_way`; None for any other."""
    if isinstance(function, Estimate):
        return function
    return next((estimate for estimate in ESTIMATES if estimate.of is function), None)
