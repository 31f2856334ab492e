"""Topics in groups: variance between and within groups, intraclass correlation and design effect.

Turns of a conversation, questions on a passage or topics of a dataset resemble each other. The variance sigma^2 of
a score, or of the difference of two systems, is then a sum of two components, and topics of one group correlate:

    x_ij = mu + b_i + e_ij,    sigma^2 = sigma_b^2 + sigma_w^2,    rho = sigma_b^2 / sigma^2.

With g groups of n_i topics, N in all, the estimates are those of the analysis of variance [1], also where
negative:

    sigma_w^2 = MS_w,    sigma_b^2 = (MS_b - MS_w) / n_0,    n_0 = (N - sum n_i^2 / N) / (g - 1).

The mean over N topics varies ``1 + (k - 1) rho`` times as much as that of independent topics: the design effect,
with k = sum n_i^2 / N the group size of an average topic. Scores of several systems add up their sums of squares:
after taking out the means of systems (one-way) or of systems and topics (two-way; half the mean over all pairs of
systems).

The interval of rho is Wald's [2], exact for one system, normal effects and any group sizes: with theta = sigma_b^2
/ sigma_w^2, w_i = n_i / (1 + n_i theta) and the mean weighted by them, ``sum w_i (xbar_i - xbar)^2 / (g - 1)``
over MS_w has the distribution F(g - 1, N - g), and falls as theta rises. Of equal groups it is the usual interval.
Degrees of freedom are those of squares that vary as much. Systems on the same topics count as tr(S)^2 / tr(S^2)
independent ones (Box 1954), the lesser of S within and between groups, each corrected for its bias; and where
squares of topics or of groups vary more than normal ones would, degrees of freedom fall.

Coverage of the interval in simulation is in docs/evidence/variance.md.

References
----------
.. [1] S. R. Searle, G. Casella, C. E. McCulloch. Variance components. Wiley, 1992, section 3.6.
.. [2] A. Wald. A note on the analysis of variance with unequal class frequencies. Annals of Mathematical
   Statistics 11, 96-100 (1940). https://doi.org/10.1214/aoms/1177731946
"""

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.variance.choices import TWO_WAY, Estimate
from topicset_core.variance.estimates import (
    Floats,
    left,
    less_system_means,
    membership,
    others,
    require_two_systems,
)
from topicset_core.variance.intervals import DEFAULT_LEVEL, check_level

Effects = Literal["one-way", "two-way"]
"""What is taken out before groups are compared: means of systems, or of systems and topics."""


COVERS = (73, 100)
"""Per cent of simulated collections whose 90 % interval held rho: the least and the most of any setting."""


@dataclass(frozen=True, kw_only=True)
class Interval:
    """An interval with its nominal coverage."""

    level: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class GroupComponents:
    """Variance of one score between and within groups of topics.

    Parameters
    ----------
    n_groups, n_topics : int
        g and N.
    group_size : float
        k, of the group that an average topic is in: sum n_i^2 / N.
    between, within : float
        sigma_b^2, as estimated, also below 0, and sigma_w^2, in squared units of the measure.
    intraclass_correlation : float
        rho, as estimated, also below 0, but not below its least, -1 / (max n_i - 1).
    intraclass_correlation_interval : Interval
        Wald's interval of rho.
    """

    n_groups: int
    n_topics: int
    group_size: float
    between: float
    within: float
    intraclass_correlation: float
    intraclass_correlation_interval: Interval

    @property
    def design_effect(self) -> float:
        """How many times as much the mean over these topics varies as over independent topics."""
        return design_effect(self.group_size, self.intraclass_correlation)

    @property
    def design_effect_interval(self) -> Interval:
        """The interval of the design effect, from that of rho."""
        of = self.intraclass_correlation_interval
        low, high = (design_effect(self.group_size, end) for end in (of.low, of.high))
        return Interval(level=of.level, low=low, high=high)

    @property
    def understatement(self) -> float:
        """E(s^2) / sigma^2 of the variance s^2 over all topics: ``1 - rho (k - 1) / (N - 1)``, with rho from 0."""
        return 1 - max(self.intraclass_correlation, 0.0) * (self.group_size - 1) / (self.n_topics - 1)


def design_effect(group_size: float, intraclass_correlation: float) -> float:
    """Return ``1 + (k - 1) rho``."""
    return 1 + (group_size - 1) * intraclass_correlation


def group_components(
    matrix: ScoreMatrix, effects: Effects = "two-way", level: float = DEFAULT_LEVEL
) -> GroupComponents:
    """Return the components of the variance between and within groups of topics.

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores with the group of each topic, from 2 groups, one of which has 2 topics or more.
    effects : {"two-way", "one-way"}
        Of differences of systems, which topics' difficulty cancels from, or of scores of a system.
    level : float
        Nominal coverage of the intervals, above 0 and below 1.

    Raises
    ------
    InputError
        If topics have no groups or too few, scores do not vary within groups, or two-way effects are asked of one
        system.
    """
    check_level(level)
    if effects not in get_args(Effects):
        raise InputError("effects", effects, f"must be one of {', '.join(get_args(Effects))}")
    if effects == "two-way":
        require_two_systems(matrix)
    members = membership(matrix)
    x = less_system_means(matrix)
    if effects == "two-way":
        x -= x.mean(axis=1, keepdims=True)
    free = matrix.n_systems - (effects == "two-way")  # systems that are free to vary
    sizes = members.sum(axis=0)
    n, g = matrix.n_topics, sizes.size
    means = members.T @ x / sizes[:, np.newaxis]
    inside = x - members @ means
    between_df, within_df = g - 1, n - g
    between_square = float((sizes @ np.square(means)).sum()) / (free * between_df)
    within_square = float(np.square(inside).sum()) / (free * within_df)
    if within_square <= _ROUNDING * float(np.square(x).sum()):
        vary = "have differences of systems that vary" if effects == "two-way" else "vary"
        raise InputError(
            "scores", matrix.name, f"must {vary} within groups; otherwise topics of a group are one"
        )
    n_0 = (n - float(np.square(sizes).sum()) / n) / between_df
    between = (between_square - within_square) / n_0
    if abs(between) <= _NEAR * within_square:  # rounding error
        between = 0.0
    df = _degrees_of_freedom(sizes, means, inside, members, free, max(between / within_square, 0.0))
    thetas = _wald(sizes, means, free * within_square, df, level)
    low, high = (theta / (1 + theta) for theta in thetas)  # rho
    return GroupComponents(
        n_groups=g,
        n_topics=n,
        group_size=float(np.square(sizes).sum()) / n,
        between=between,
        within=within_square,
        intraclass_correlation=max(between / (between + within_square), -1 / (float(sizes.max()) - 1)),
        intraclass_correlation_interval=Interval(level=level, low=low, high=high),
    )


_ROUNDING = 1e-24  # relative: a sum of squares that falls below this share of its total is rounding error


def _degrees_of_freedom(
    sizes: Floats, means: Floats, inside: Floats, members: Any, free: int, theta: float
) -> tuple[float, float]:
    """Return the degrees of freedom of MS_b and MS_w: 2 over the variance of their logarithm."""
    between_df, within_df = sizes.size - 1, len(inside) - sizes.size
    weighted = np.sqrt(sizes)[:, np.newaxis] * means
    systems = min(
        _independent_systems(weighted, between_df, free), _independent_systems(inside, within_df, free)
    )
    own = members @ sizes  # the size of each topic's group
    squares = np.square(inside[own > 1]).sum(axis=1) / (1 - 1 / own[own > 1])
    excess = max(_relative_variance(squares) - 2 / systems, 0.0)
    share = 1 / (1 + sizes * theta)  # of topics in the square of a mean, which has 1 / n_i of their excess
    of_means = 2 / systems + excess * float(np.mean(np.square(share) / sizes))
    of_groups = _relative_variance(np.square(weighted).sum(axis=1) * share)
    return 2 * between_df / max(of_means, of_groups), 2 * within_df / (2 / systems + excess)


def _relative_variance(squares: Floats) -> float:
    mean = float(squares.mean())
    return float(squares.var()) / mean**2 if mean > 0 else 0.0


def _independent_systems(deviations: Floats, df: int, most: int) -> float:
    """Return tr(S)^2 / tr(S^2) of the covariance of systems, the moments freed from the bias of few rows."""
    rows, columns = deviations.shape
    gram = deviations @ deviations.T if rows < columns else deviations.T @ deviations
    trace, squared = float(np.trace(gram)), float(np.square(gram).sum())
    if df < 2 or trace <= 0:
        return 1.0
    # Of Wishart matrices: E tr(W)^2 = nu^2 T^2 + 2 nu Q and E tr(W^2) = nu (nu + 1) Q + nu T^2.
    of_squares = (df * squared - trace**2) / (df * (df - 1) * (df + 2))
    of_trace = (trace**2 * (df + 1) - 2 * squared) / (df * (df - 1) * (df + 2))
    return float(np.clip(of_trace / of_squares, 1.0, most)) if of_squares > 0 else float(most)


def _wald(
    sizes: Floats, means: Floats, within: float, df: tuple[float, float], level: float
) -> tuple[float, float]:
    """Return the ends of Wald's interval of theta, which is above ``-1 / max n_i``, where a w_i is infinite."""
    from scipy.optimize import brentq
    from scipy.special import fdtri

    least = -1 / float(sizes.max())

    def ratio(theta: float) -> float:
        weights = sizes / (1 + sizes * theta)
        about = means - weights @ means / weights.sum()
        return float((weights @ np.square(about)).sum()) / ((sizes.size - 1) * within)

    def end(probability: float) -> float:
        target = float(fdtri(*df, probability))
        low, high = least * (1 - _NEAR), 1.0
        if ratio(low) <= target:
            return least
        while ratio(high) > target:
            high *= 2
        return float(brentq(lambda theta: ratio(theta) - target, low, high, xtol=_NEAR, rtol=_NEAR))

    return end((1 + level) / 2), end((1 - level) / 2)


_NEAR = 1e-12  # to the pole, and of the ends


def effects_of(estimate: Estimate, matrix: ScoreMatrix) -> Effects:
    """Return the effects whose correlation goes with a variance: of scores of a system, or of differences."""
    is_of_scores = estimate.kind == "within-system" and estimate is not TWO_WAY
    return "one-way" if is_of_scores or matrix.n_systems == 1 else "two-way"


def of_group_means(estimate: Estimate, size: float) -> Estimate:
    """Return the estimate of how much means of groups of k topics vary.

    ``v (1 + (k - 1) rho) / (k u)``, with v the variance over all topics, u its `understatement` and rho from 0. Of
    a sum of squares that is sigma_b^2 + sigma_w^2 / k.
    """

    def of(matrix: ScoreMatrix) -> float:
        components = group_components(matrix, effects_of(estimate, matrix))
        rho = max(components.intraclass_correlation, 0.0)
        return estimate(matrix) / components.understatement * design_effect(size, rho) / size

    def without_each(matrix: ScoreMatrix) -> Floats:
        """Return the same without each group."""
        members = membership(matrix)
        x = less_system_means(matrix)
        if effects_of(estimate, matrix) == "two-way":
            x -= x.mean(axis=1, keepdims=True)
        sizes, n = members.sum(axis=0), left(matrix)
        inside = np.square(x - members @ (members.T @ x / sizes[:, np.newaxis])).sum(axis=1)
        within = inside.sum() - members.T @ inside
        between_df, within_df = sizes.size - 2, n - (sizes.size - 1)
        k = (np.square(sizes).sum() - np.square(sizes)) / n
        within_square = within / np.maximum(within_df, 1)
        between = ((others(matrix, x) - within) / between_df - within_square) * between_df / (n - k)
        rho = np.maximum(between, 0) / np.maximum(between + within_square, 1e-300)
        factor: Floats = (1 + (size - 1) * rho) / size / (1 - rho * (k - 1) / (n - 1))
        return estimate.without_each(matrix) * factor

    return replace(estimate, of=of, without_each=without_each)
