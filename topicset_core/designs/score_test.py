"""Tango's score test and interval for the difference of two paired shares, and designs by the test.

Of n topics b favour the first system, and c the second. The hypothesis that the difference of the shares is lambda
is tested by

    T(lambda) = (b - c - n lambda) / sqrt(n (2 q + lambda (1 - lambda))),

where q, the maximum likelihood estimate of p01 under the hypothesis, is the larger root of

    2 n q^2 + (lambda (2 n - b + c) - b - c) q - c lambda (1 - lambda) = 0            (Tango 1998, section 3).

At lambda = 0 it is McNemar's statistic. The interval has all lambda with |T| below the normal quantile.

=============== ==========================================================
claim           shown where, z = upper alpha quantile of the normal
=============== ==========================================================
non-inferiority T(-margin) >= z
equivalence     T(-margin) >= z and T(margin) <= -z   (Liu et al. 2002)
=============== ==========================================================

Given m = b + c discordant topics, T rises with b: the claim is shown from one b on, in equivalence up to m less it.
So the power is that of `shares`, exact for this approximate test. The true probability of a false claim may differ
from alpha; the largest at the planned number of topics is computed and stated.

The smallest b that shows the claim falls by one every 2 / (margin + true difference) topics; the largest m that
shows it with few b rises by less than one per topic, and stands still every 1 / (1 - margin). The power rises and
falls with both. All numbers of topics within these distances of where the power is reached are computed; of many
thousands, for margins of some thousandths, every second or a few less.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.distributions import upper_normal
from topicset_core.designs.requirements import Required, checked_topics, checked_values
from topicset_core.designs.results import Method, check_exact
from topicset_core.designs.search import (
    FEWEST_TOPICS,
    MARGIN_REACHED,
    NONE_IS_ENOUGH,
    Booleans,
    Floats,
    Integers,
)
from topicset_core.designs.shares import (
    PairedShares,
    SharesResult,
    at_least,
    binomial,
    check_shares,
    discordant_share,
    notes_of,
    shares_of,
)
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DIFFERENCE_VARIANCE,
    MARGIN,
    MOST_TOPICS,
    ONLY_A,
    ONLY_B,
    TRUE_DIFFERENCE,
    Parameter,
    check_error_probabilities,
    check_one_sided,
)

_DIGITS = 1e-6  # of a margin that is searched, relative
_DIGITS_OF_LIMIT = 1e-13
_ROUNDING = 1e-12
_SECANTS = 8
_BELOW = 1e-12  # the observed difference begins the search of a limit
_LEVELS = 50  # discordant shares at which the level is computed
_CELLS = 1_000_000  # discordant counts of all numbers of topics that a search computes together
_FEW = 100  # topics that count at most for a margin near 1, which few topics show


@dataclass(frozen=True, kw_only=True)
class ScoreTestRequirements(Required):
    """Error probabilities, a margin, a true difference of shares, and its variance.

    Parameters
    ----------
    alpha, beta : float
        Level of each one-sided test, and 1 minus the power; 0 < alpha < .5 and 0 < beta < 1 - alpha.
    margin : float
        Least difference of shares that matters; above 0 and below 1.
    true_difference : float
        By how much the system is truly better: above -margin, for equivalence also below margin.
    difference_variance : float
        Variance of the per-topic difference: p10 + p01 - true_difference^2.

    Raises
    ------
    InputError
        If a value breaks its rule, or scores of 0 and 1 cannot have a variance as large.
    """

    alpha: float
    beta: float
    margin: float
    true_difference: float = 0.0
    difference_variance: float

    def __post_init__(self) -> None:
        check_error_probabilities(self.alpha, self.beta)
        check_one_sided(self.alpha)
        if MARGIN.check(self.margin) >= 1:
            raise InputError(MARGIN.name, self.margin, "must be below 1, as scores are 0 or 1")
        TRUE_DIFFERENCE.check(self.true_difference)
        DIFFERENCE_VARIANCE.check(self.difference_variance)
        is_two_sided = getattr(self.design, "is_two_sided", False)
        loss = abs(self.true_difference) if is_two_sided else -self.true_difference
        if loss >= self.margin * (1 - _ROUNDING):  # a difference of shares is rounded
            rule = f"must be {'within' if is_two_sided else 'above minus'} the margin of {self.margin:g}"
            raise InputError(
                TRUE_DIFFERENCE.name, self.true_difference, f"{rule}, or no number of topics shows the claim"
            )
        check_shares(self.true_difference, self.difference_variance, TRUE_DIFFERENCE)


@dataclass(frozen=True, kw_only=True)
class ScoreTestResult(SharesResult):
    """The topics of a score test, with its true level.

    Attributes
    ----------
    largest_level : float
        Largest probability that the required topics show the claim where the true difference is the margin.
    """

    largest_level: float

    @property
    def about_test(self) -> str:
        """The discordant shares and the level, as sentences."""
        level = f"{100 * self.largest_level:.3g} %"
        return f"{super().about_test} The level of the score test is at most {level} there."


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreTestDesign(PairedShares):
    """Score tests of one claim about two paired shares."""

    has_power = True
    is_compared = False
    difference_parameter = MARGIN
    detects = "are enough for margins of"
    event = "showing the claim"
    detected_name, detected_words = MARGIN.name, "smallest margin"

    is_two_sided: bool  # whether the difference must stay within the margin on both sides
    parameters: tuple[Parameter, ...] = field(default=(ALPHA, BETA, MARGIN, TRUE_DIFFERENCE))
    variance: Parameter = DIFFERENCE_VARIANCE
    is_published: bool = False

    def is_slow(self, fixed: Mapping[str, Any]) -> bool:  # noqa: ARG002 - it always is
        """Return that only the user's own curve is drawn, without the places of its steps."""
        return True

    shares = tuple(replace(parameter, default=0.05) for parameter in (ONLY_A, ONLY_B))  # equal systems

    def in_axis(self, values: Mapping[str, Any]) -> str:
        """Return both discordant shares."""
        given = zip(self.shares, self.as_shares(values), strict=True)
        return ", ".join(f"{parameter.symbol} = {share:.3g}" for parameter, share in given)

    def largest(self, values: Mapping[str, Any]) -> float:  # noqa: ARG002 - the same for all
        """Return the largest margin: below 1."""
        return math.nextafter(1.0, 0.0)

    def required_topics(
        self, requirements: ScoreTestRequirements, *, method: Method = "exact"
    ) -> ScoreTestResult:
        """Return the number of topics from which on the power stays reached, and the least that reaches it.

        Parameters
        ----------
        requirements : Requirements
            Requirements of the test.
        method : {"exact"}
            The Excel tools do not cover this design.

        Raises
        ------
        NoSolution
            If more than ten million topics would be needed.
        """
        check_exact(method)
        theta, variance = requirements.true_difference, requirements.difference_variance
        psi = float(discordant_share(theta, variance))
        least, n = self._search(requirements.margin, theta, psi, requirements.alpha, requirements.beta)
        fewer, power = self._powers(
            np.array([max(n - 1, 1), n]), requirements.margin, theta, psi, requirements.alpha
        )
        return ScoreTestResult(
            design=self.name,
            method=method,
            requirements=requirements,
            required_topics=n,
            least_topics=least,
            notes=notes_of(theta, variance),
            discordant_shares=shares_of(theta, variance),
            attained_power=float(power),
            power_one_topic_fewer=None if n == FEWEST_TOPICS else float(fewer),
            effect_size=requirements.margin / math.sqrt(variance),
            largest_level=self.level(n, requirements.margin, requirements.alpha),
        )

    def topics(
        self,
        difference: ArrayLike,
        variance: ArrayLike,
        *,
        alpha: float,
        beta: float,
        true_difference: float = 0.0,
        method: Method = "exact",
    ) -> Integers:
        """Return the topics from which on the power stays reached; arrays broadcast."""
        check_error_probabilities(alpha, beta)
        check_exact(method)
        margins, v = np.broadcast_arrays(
            checked_values(MARGIN, difference), checked_values(DIFFERENCE_VARIANCE, variance)
        )
        psi = discordant_share(true_difference, v)
        cells = zip(margins.ravel().tolist(), psi.ravel().tolist(), strict=True)
        sizes = [self._search(margin, true_difference, share, alpha, beta)[1] for margin, share in cells]
        return np.array(sizes, dtype=np.int64).reshape(margins.shape)

    def power(
        self,
        n_topics: ArrayLike,
        difference: ArrayLike,
        variance: ArrayLike,
        *,
        alpha: float,
        beta: float | None = None,  # noqa: ARG002 - given with the other keywords
        true_difference: float = 0.0,
        method: Method = "exact",
    ) -> Floats:
        """Return the probability that n topics show the claim; arrays broadcast."""
        check_exact(method)
        n, margins, v = np.broadcast_arrays(
            checked_topics(n_topics),
            checked_values(MARGIN, difference),
            checked_values(DIFFERENCE_VARIANCE, variance),
        )
        psi, flat = discordant_share(true_difference, v).ravel(), n.ravel().astype(np.int64)
        result, pairs = np.empty(flat.size), np.stack([margins.ravel(), psi], axis=1)
        for pair in np.unique(pairs, axis=0):
            cells = np.flatnonzero((pairs == pair).all(axis=1))
            result[cells] = self._powers(flat[cells], float(pair[0]), true_difference, float(pair[1]), alpha)
        return result.reshape(n.shape)

    def difference(
        self,
        n_topics: ArrayLike,
        variance: ArrayLike,
        *,
        alpha: float,
        beta: float,
        true_difference: float = 0.0,
        method: Method = "exact",
    ) -> Floats:
        """Return the smallest margin that n topics show; arrays broadcast."""
        check_error_probabilities(alpha, beta)
        check_exact(method)
        n, v = np.broadcast_arrays(checked_topics(n_topics), checked_values(DIFFERENCE_VARIANCE, variance))
        theta = -abs(true_difference) if self.is_two_sided else true_difference
        out = max(-theta, 0.0)

        def shown(topics: int, psi: float) -> float:
            def is_enough(margin: float) -> bool:
                power = self._powers(np.array([topics]), margin, true_difference, psi, alpha)
                return bool(power[0] >= 1 - beta)

            z = upper_normal(alpha) + upper_normal(beta)
            low = high = min(max(z * math.sqrt(psi / topics) - theta, 1 / topics), 1 - 1e-9)
            while not is_enough(high):
                if high >= 1 - 1e-9:
                    raise NoSolution(f"{topics:,} topics show no margin below 1")
                low, high = high, min(1.05 * high, 1 - 1e-9)
            while low > out and is_enough(low):
                low, high = max(0.95 * low - _DIGITS, out), low
            while high - low > _DIGITS * high:
                middle = (low + high) / 2
                low, high = (low, middle) if is_enough(middle) else (middle, high)
            return high

        psi = discordant_share(true_difference, v)
        cells = zip(n.ravel().astype(np.int64).tolist(), psi.ravel().tolist(), strict=True)
        return np.array([shown(*cell) for cell in cells]).reshape(n.shape)

    def level(self, n_topics: int, margin: float, alpha: float) -> float:
        """Return the largest probability that n topics show the claim where the true difference is -margin."""
        low, high, n, levels = math.asin(math.sqrt(margin)), math.pi / 2, np.array([n_topics]), [0.0]
        for _ in range(2):  # on all shares, then around the largest
            angles = np.linspace(low, high, _LEVELS)
            shares = np.square(np.sin(angles)).tolist()
            levels = [float(self._powers(n, margin, -margin, psi, alpha)[0]) for psi in shares]
            place = int(np.argmax(levels))
            low, high = angles[max(place - 1, 0)], angles[min(place + 1, _LEVELS - 1)]
        return max(levels)

    def _powers(self, n: Integers, margin: float, theta: float, psi: float, alpha: float) -> Floats:
        """Return the power of each n: the sum over discordant topics and those that favour the first system."""
        share = min(max((psi + theta) / (2 * psi), 0.0), 1.0)
        windows = [binomial(topics, psi) for topics in n.tolist()]
        sizes = np.array([w.size for _, w in windows])
        m = np.concatenate([np.arange(first, first + w.size) for first, w in windows])
        k = smallest_count(np.repeat(n, sizes), m, margin, upper_normal(alpha))
        pairs, place = np.unique(m * (int(m.max()) + 2) + k, return_inverse=True)
        of_m, of_k = np.divmod(pairs, int(m.max()) + 2)
        share_shown = at_least(of_k, of_m, share)
        if self.is_two_sided:
            share_shown = np.maximum(share_shown - at_least(of_m - of_k + 1, of_m, share), 0.0)
        weights = np.concatenate([w for _, w in windows])
        return np.add.reduceat(weights * share_shown[place], np.concatenate([[0], np.cumsum(sizes)[:-1]]))

    def _search(self, margin: float, theta: float, psi: float, alpha: float, beta: float) -> tuple[int, int]:
        """Return the least topics that reach the power, and those from which on all do."""
        room = margin - abs(theta) if self.is_two_sided else margin + theta
        if room <= 0:
            raise NoSolution(MARGIN_REACHED)
        both = self.is_two_sided and theta == 0
        z = upper_normal(alpha) + upper_normal(beta / 2 if both else beta)
        start = psi * (z / room) ** 2
        if start > 1.5 * MOST_TOPICS:
            raise NoSolution(NONE_IS_ENOUGH)

        def reached(n: Integers) -> Booleans:
            return np.asarray(self._powers(n, margin, theta, psi, alpha) >= 1 - beta)

        def is_enough(n: int) -> bool:
            return bool(reached(np.array([n]))[0])

        low = high = max(min(int(start), MOST_TOPICS), FEWEST_TOPICS)
        while high < MOST_TOPICS and not is_enough(high):
            low, high = high, min(int(1.1 * high) + 2, MOST_TOPICS)
        while low > 1 and is_enough(low):
            low, high = int(0.9 * low) - 1, low
        if high == MOST_TOPICS and not is_enough(high):
            raise NoSolution(NONE_IS_ENOUGH)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if is_enough(middle) else (middle, high)
        apart = math.ceil(2 / (margin + abs(theta)) + min(2 / (1 - margin), _FEW)) + 2
        step = 1 + 2 * apart * binomial(high, psi)[1].size // _CELLS
        first = last = high
        while True:
            near = np.arange(max(first - apart, FEWEST_TOPICS), last + apart + step, step)
            met = reached(near)
            least, failing = int(near[np.argmax(met)]), near[~met]
            beyond = int(failing[-1]) + step if failing.size else FEWEST_TOPICS
            if (least - near[0] >= apart or near[0] == FEWEST_TOPICS) and near[-1] - beyond >= apart - 1:
                return least, beyond
            first, last = min(first, least), max(last, beyond)


def score(b: ArrayLike, c: ArrayLike, n: ArrayLike, difference: ArrayLike) -> Floats:
    """Return T, Tango's statistic for the hypothesis of this difference of shares; arrays broadcast."""
    above, spread = _score(*(np.asarray(array, dtype=np.float64) for array in (b, c, n, difference)))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(spread > 0, above / spread, np.sign(above) * np.inf)


def _score(b: Floats, c: Floats, n: Floats, d: Floats | float) -> tuple[Floats, Floats]:
    """Return numerator and denominator of T."""
    m, x, room = b + c, b - c, d * (1 - d)
    linear = d * (2 * n - x) - m
    root = np.sqrt(np.maximum(linear * linear + 8 * room * n * c, 0.0))
    return x - n * d, np.sqrt(np.maximum((root - linear) / 2 + n * room, 0.0))  # 2 n q is (root - linear) / 2


def smallest_count(n: Integers, m: Integers, margin: float, critical: float) -> Integers:
    """Return the smallest b of m discordant topics with T(-margin) >= critical; m + 1 if there is none."""
    topics, discordant = n.astype(np.float64), m.astype(np.float64)
    # The spread at the boundary is about that of m discordant topics with a difference of -margin.
    spread = np.sqrt(np.maximum(discordant - topics * margin**2, topics * margin * (1 - margin)))
    count = np.clip((discordant + critical * spread - topics * margin) / 2, 0, discordant)
    above, spread = _score(count, discordant - count, topics, -margin)
    count = np.clip(np.ceil(count + (critical * spread - above) / 2), 0, discordant + 1)

    def shows(k: Floats, cells: Integers) -> Booleans:
        of, total = discordant[cells], topics[cells]
        above, spread = _score(k, of - k, total, -margin)
        return np.asarray(((above >= critical * spread) | (k > of)) & (k >= 0))

    cells: Integers = np.arange(m.size, dtype=np.int64)
    while cells.size:  # at most a few are one count away
        k = count[cells]
        low, high = shows(k - 1, cells), shows(k, cells)
        count[cells] = np.where(low, k - 1, np.where(high, k, k + 1))
        cells = cells[low | ~high]
    return np.asarray(count, dtype=np.int64)


def tango_interval(b: ArrayLike, c: ArrayLike, n: ArrayLike, alpha: float) -> tuple[Floats, Floats]:
    """Return the score interval of the difference of two paired shares; arrays broadcast.

    Parameters
    ----------
    b, c : array_like
        Topics on which only the first, and only the second system has a 1.
    n : array_like
        All topics.
    alpha : float
        1 minus the confidence level.

    Returns
    -------
    (ndarray, ndarray)
        Lower and upper limit of the difference, first less second (Tango 1998).
    """
    z = upper_normal(ALPHA.check(alpha) / 2)
    b, c, n = np.broadcast_arrays(*(np.asarray(array, dtype=np.float64) for array in (b, c, n)))
    limits = _lower_limits(np.stack([b, c]), np.stack([c, b]), np.stack([n, n]), z)
    return limits[0], -limits[1]


def _lower_limits(b: Floats, c: Floats, n: Floats, z: float) -> Floats:
    """Return the difference below the observed one at which T is z: by the secant method, else within a bracket."""
    from scipy.optimize import elementwise

    def excess(difference: Floats, /, b: Floats, c: Floats, n: Floats) -> Floats:
        above, spread = _score(b, c, n, difference)
        return np.asarray((above - z * spread) / n)

    observed = (b - c) / n
    before, at_before = observed, excess(observed, b, c, n)
    point = observed + at_before  # the spread changes slowly with the difference
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for _ in range(_SECANTS):
            at_point = excess(point, b, c, n)
            step = at_point * (point - before) / (at_point - at_before)
            before, at_before, point = point, at_point, np.where(step == step, point - step, point)
        off = ~(np.abs(step) <= _DIGITS_OF_LIMIT) & (at_before != 0) | ~((point > -1) & (point < observed))
    if not off.any():
        return point
    b, c, n = (np.broadcast_to(array, point.shape)[off] for array in (b, c, n))
    # Where no topic is discordant, or all favour one system, T is 0 / 0 at the observed difference.
    low, high = np.full(b.shape, -1.0), np.maximum((b - c) / n - _BELOW, -1.0)
    roots = elementwise.find_root(
        excess,
        (low, high),
        args=(b, c, n),
        tolerances={"xatol": _DIGITS_OF_LIMIT, "xrtol": 0, "fatol": 0, "frtol": 0},
    ).x
    point[off] = np.where(excess(low, b, c, n) <= 0, -1.0, roots)
    return point
