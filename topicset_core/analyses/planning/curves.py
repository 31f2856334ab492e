"""The curves around one answer: topics against the difference, power against topics, lines of equal n.

Each point is an exact integer, power or difference; nothing is interpolated.
"""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from topicset_core.designs import (
    Design,
    Plan,
    against_baseline,
    all_pairs,
    blocked_anova,
    one_way_anova,
)
from topicset_core.designs.search import Floats, Integers
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import MOST_TOPICS, N_SYSTEMS, RESIDUAL_VARIANCE, WITHIN_SYSTEM_VARIANCE

_OTHER_SYSTEMS = (2, 10, 30, 100)  # drawn next to the user's m


SYSTEMS = (2, 3, 4, 5, 7, 10, 13, 16, 20, 30, 50, 70, 100)
"""Numbers of systems for which designs are compared."""


@dataclass(frozen=True)
class SystemsLine:
    """Required topics of one design against the number of systems."""

    label: str  # the design or procedure
    systems: tuple[int, ...]
    topics: tuple[int, ...]


def systems_lines(
    alpha: float, beta: float, min_d: float, variances: Mapping[str, float], taken: str
) -> tuple[SystemsLine, ...]:
    """Return required topics against the number of systems for ANOVA, blocked ANOVA and multiple comparisons."""
    topics = "separate" if taken == WITHIN_SYSTEM_VARIANCE.name else "shared"
    requested: list[tuple[str, Design, str, dict[str, str]]] = [
        ("one-way ANOVA", one_way_anova.DESIGN, WITHIN_SYSTEM_VARIANCE.name, {}),
        ("two-way ANOVA", blocked_anova.DESIGN, RESIDUAL_VARIANCE.name, {}),
        ("all pairs, Bonferroni", all_pairs.DESIGN, taken, {"procedure": "bonferroni", "topics": topics}),
        ("all pairs, Tukey HSD", all_pairs.DESIGN, taken, {"procedure": "tukey", "topics": topics}),
        ("baseline, Dunnett", against_baseline.DESIGN, taken, {"procedure": "dunnett", "topics": topics}),
    ]
    lines = []
    for label, design, variance, choices in requested:
        if variance not in variances:
            continue
        given: dict[str, Any] = {"min_d": min_d, variance: variances[variance]} | choices
        results = []
        with suppress(NoSolution):
            for m in SYSTEMS:
                plan = design.plan(alpha=alpha, beta=beta, n_systems=m, **given)
                results.append(plan.required_topics().required_topics)
        if results:
            lines.append(SystemsLine(label, SYSTEMS[: len(results)], tuple(results)))
    return tuple(lines)


CURVE = tuple(float(step) for step in np.geomspace(0.25, 4.0, 121))
"""Multiples of the user's difference at which a curve is drawn; the middle one is 1."""

TABLE = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
"""Multiples of the user's difference that a table shows."""

ROUND, FEW_ROUND = range(10, 100), (10, 15, 20, 25, 30, 40, 50, 60, 70, 80)
"""Two digits of the round differences of a file; few where each takes milliseconds."""

VARIANCES = tuple(float(step) for step in np.linspace(0.2, 2.0, 61))
"""Multiples of the user's variance over which lines of equal n are drawn."""

SHARES = tuple(float(step) for step in np.linspace(0, 2, 41))
"""Multiples of the user's share of topics over which required topics are drawn."""

LEVELS = (10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 10_000)
"""Topic set sizes that lines of equal n may be drawn for."""

COMMON_SIZES = (25, 50, 75, 100)
"""Sizes of topic sets as tasks build them."""

POWER_POINTS, FEW_POINTS = 241, 61
"""Topic set sizes at which a curve of power is drawn; few where each power takes milliseconds."""

_MANY_TOPICS = 1000
"""Topics beyond which numbers for shares take long, and steps of a curve cannot be seen."""

_FEW_TOPICS, _JUST_BELOW = 100, 5e-4  # steps to fewer can be seen; a share that changes the fourth digit


@dataclass(frozen=True)
class TopicsCurve:
    """Required topics against the difference."""

    label: str  # label of this curve among its neighbours, for example "m = 10"
    plan: Plan
    difference: Floats  # rising, in units of the measure: minD, or the width of an interval
    topics: Integers
    is_yours: bool  # whether it is the curve of the user's own requirements

    def drawn(self) -> tuple[Floats, Floats]:
        """Return the points of the curve, with a corner before and at each of its last steps, to few topics."""
        if self.plan.design.is_slow(
            self.plan.fixed
        ):  # finding where steps begin would take longer than all else
            return self.difference, self.topics.astype(float)
        return _stepped(self.plan, None, self.difference, self.topics)

    def at(self, differences: Floats) -> list[int | None]:
        """Return the topics for differences, rising ones; None beyond the ends of the curve."""
        inside = _within(differences, self.difference)
        if self.plan.design.shares:
            topics = [int(self.plan.topics(one)) for one in inside]
        else:
            topics = self.plan.topics(inside).tolist() if inside.size else []
        return _placed(topics, inside, differences)


def _stepped(plan: Plan, variance: float | None, rising: Floats, topics: Integers) -> tuple[Floats, Floats]:
    """Return points of topics against the difference, with the corners of the steps that can be seen."""
    few = np.arange(topics.min(), min(topics.max(), _FEW_TOPICS))
    begins = plan.detected(few, variance)
    x = np.concatenate([rising, begins * (1 - _JUST_BELOW), begins])
    y = np.concatenate([topics, few + 1, few]).astype(float)
    order = np.lexsort((-y, x))
    return x[order], y[order]


def _within(differences: Floats, drawn: Floats) -> Floats:
    """Return the differences that are not beyond the ends of a curve but by rounding."""
    nearly = 1e-12
    inside = (differences >= drawn[0] * (1 - nearly)) & (differences <= drawn[-1] * (1 + nearly))
    within: Floats = differences[inside]
    return within


def _placed(topics: Sequence[int], inside: Floats, differences: Floats) -> list[int | None]:
    """Return topics for some of the differences at their places."""
    known = dict(zip(inside.tolist(), topics, strict=True))
    return [known.get(one) for one in differences.tolist()]


def round_values(low: float, high: float, yours: float, digits: Sequence[int] = ROUND) -> Floats:
    """Return the values of these two digits from the lower to the higher end, and yours."""
    powers = range(math.floor(math.log10(low)), math.floor(math.log10(high)) + 1)
    every = {float(f"{two}e{power - 1}") for power in powers for two in digits}
    within = _within(np.array(sorted(every)), np.array([low, high])).tolist()
    is_round = any(math.isclose(one, yours, rel_tol=1e-9) for one in within)
    return np.array(within if is_round else sorted([*within, yours]))


@dataclass(frozen=True)
class SizeCurve:
    """Result of a topic set of each size, by both methods: power, or the width of the interval."""

    n_topics: Integers
    exact: Floats
    published: Floats


@dataclass(frozen=True)
class ShareCurve:
    """Required topics over a share of topics that decides the variance, the difference held."""

    share: float  # the user's own
    shares: tuple[float, ...]
    topics: tuple[int, ...]


@dataclass(frozen=True)
class EqualTopics:
    """The differences that n topics detect, over a range of variances: a line of equal n."""

    n_topics: int
    # Points of the line
    difference: Floats
    variance: Floats


def topics_curves(
    plans: Sequence[Plan], yours: Plan, multiples: tuple[float, ...] = CURVE
) -> tuple[TopicsCurve, ...]:
    """Return exact topics against the difference for several plans by one design.

    All curves share their differences. Plans that would need more than ten million topics at the
    user's own difference are left out, so that yours always has a curve, and then multiples for which
    even ten million topics would not do in one of the others.
    """
    all_differences = yours.difference * np.asarray(multiples)
    all_differences = all_differences[all_differences <= yours.design.largest(yours.values)]
    if yours.design.shares:
        return (_one_by_one(yours, yours.label, all_differences, is_yours=True),)
    if len(plans) == 1:
        with suppress(NoSolution):  # as a rule all have one, and what ten million topics detect takes long
            topics = yours.topics(all_differences)
            return (TopicsCurve(yours.label, yours, all_differences, topics, is_yours=True),)
    limits = [float(plan.detected(MOST_TOPICS)) for plan in plans]
    drawn = [
        (plan, limit)
        for plan, limit in zip(plans, limits, strict=True)
        if plan is yours or limit <= yours.difference
    ]
    differences = all_differences[all_differences > max(limit for _, limit in drawn) * (1 + 1e-9)]
    return tuple(
        TopicsCurve(plan.label, plan, differences, plan.topics(differences), plan is yours)
        for plan, _ in drawn
    )


def _one_by_one(plan: Plan, label: str, rising: Floats, *, is_yours: bool) -> TopicsCurve:
    """Return topics for the differences that have any, where what ten million topics detect takes longer."""
    found: list[int] = []
    with suppress(NoSolution):
        for one in rising[::-1]:
            found.insert(0, int(plan.topics(one)))
    return TopicsCurve(label, plan, rising[rising.size - len(found) :], np.array(found), is_yours)


def size_curve(plan: Plan, required_topics: int, n_points: int = POWER_POINTS) -> SizeCurve:
    """Return power (or width) against n, from 2 to well beyond the required topics."""
    last = min(max(2 * required_topics, plan.fewest_topics + 10), MOST_TOPICS)
    step = round_step((last - plan.fewest_topics) / (n_points - 1))
    ends = [plan.fewest_topics, last, required_topics, max(required_topics - 1, plan.fewest_topics)]
    n = np.unique([*range(math.ceil(plan.fewest_topics / step) * step, last, step), *ends])
    exact = plan.attained(n)
    published = replace(plan, method="published").attained(n) if plan.design.is_published else exact * np.nan
    return SizeCurve(n, exact, published)


def round_step(at_least: float) -> int:
    """Return the next whole number of these: 1, 2, 5, 10, 20 and so on."""
    power = int(10 ** max(math.ceil(math.log10(max(at_least, 1))) - 1, 0))
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= at_least)


def equal_topics(plan: Plan, required_topics: int) -> tuple[EqualTopics, ...]:
    """Return lines of equal n around the user's point: the levels from a fifth to five times n.

    A level that detects no difference up to a thousand standard deviations, as with a tiny alpha,
    has no line.
    """
    variances = plan.variance * np.asarray(VARIANCES)
    levels = [
        n for n in LEVELS if max(required_topics / 5, plan.fewest_topics) <= n <= required_topics * 5
    ] or [required_topics]
    lines = []
    for n in levels:
        with suppress(NoSolution):
            lines.append(EqualTopics(n, plan.detected(n, variances), variances))
    return tuple(lines)


def share_curve(plan: Plan, multiples: tuple[float, ...] = SHARES) -> ShareCurve:
    """Return required topics over the last share of a design for scores of 0 and 1, where there are such scores."""
    *others, share = plan.design.as_shares(plan.values)
    steps = (share or max(map(abs, others))) * np.asarray(multiples)
    variances: dict[float, float] = {}
    for one in steps.tolist():
        with suppress(InputError):  # no share, or no scores that vary
            given = plan.design.of_shares([*(other - share + one for other in others), one])
            variances[one] = given[plan.variance_parameter.name]
    topics = zip(variances, plan.topics_of_variances([*variances.values()]), strict=True)
    return ShareCurve(share, *zip(*((one, n) for one, n in topics if n is not None), strict=True))


@dataclass(frozen=True)
class Band:
    """Required topics against the difference at the two ends of the interval of the variance."""

    difference: Floats  # rising
    low: Integers
    high: Integers
    plan: Plan
    variances: tuple[float, float]  # the ends of the interval

    def at(self, differences: Floats) -> tuple[list[int | None], list[int | None]]:
        """Return both ends for differences; None beyond the ends of the band."""
        inside = _within(differences, self.difference)
        low, high = (self.plan.topics(inside, end).tolist() for end in self.variances)
        return _placed(low, inside, differences), _placed(high, inside, differences)

    def drawn(self) -> tuple[Floats, Floats]:
        """Return the outline of the band: along its upper edge, and back along its lower one."""
        (x_low, low), (x_high, high) = (
            _stepped(self.plan, end, self.difference, topics)
            for end, topics in zip(self.variances, (self.low, self.high), strict=True)
        )
        return np.concatenate([x_high, x_low[::-1]]), np.concatenate([high, low[::-1]])


@dataclass(frozen=True)
class Curves:
    """All that is drawn and tabulated around one answer; what a closed tab shows is computed when it opens."""

    plan: Plan
    required_topics: int
    topics: tuple[TopicsCurve, ...]  # required topics against the difference
    beside: tuple[TopicsCurve, ...] = ()  # of other plans, to compare with
    ends: tuple[float, float] | None = None  # of the interval of the variance, where it is known

    @cached_property
    def band(self) -> Band | None:
        """The band of the interval; None where it is not known, or where each point of a curve takes long."""
        plan = self.plan
        if self.ends is None or plan.design.shares or plan.design.is_slow(plan.fixed):
            return None
        low, high = self.ends
        differences = self.topics[0].difference
        with suppress(NoSolution):
            differences = differences[differences > float(plan.detected(MOST_TOPICS, high)) * (1 + 1e-9)]
            if differences.size and low > 0:
                fewest, most = (plan.topics(differences, end) for end in (low, high))
                return Band(differences, fewest, most, plan, (low, high))
        return None

    @property
    def drawn(self) -> tuple[TopicsCurve, ...]:
        """All curves of required topics, those of other plans last."""
        return (*self.topics, *self.beside)

    @cached_property
    def few_differences(self) -> Floats:
        """The few differences of a table."""
        yours = self.plan.difference
        # Yours keeps its digits: a little less may take one topic more.
        values = [yours if one == 1 else float(f"{yours * one:.12g}") for one in TABLE]
        return _within(np.array(values), self.topics[0].difference)

    @cached_property
    def round_differences(self) -> Floats:
        """The round differences of the curve, and the user's own."""
        within = self.topics[0].difference
        is_slow = bool(self.plan.design.shares) or self.plan.design.is_slow(self.plan.fixed)
        return round_values(
            float(within[0]), float(within[-1]), self.plan.difference, FEW_ROUND if is_slow else ROUND
        )

    @cached_property
    def sizes(self) -> SizeCurve:
        """Power or width of a topic set of each size."""
        is_slow = self.plan.design.is_slow(self.plan.fixed) or _takes_long(self.plan, self.required_topics)
        return size_curve(self.plan, self.required_topics, FEW_POINTS if is_slow else POWER_POINTS)

    @cached_property
    def over_share(self) -> ShareCurve:
        """Required topics over a share of topics, of a design for scores of 0 and 1."""
        return share_curve(self.plan, SHARES[:: 4 if _takes_long(self.plan, self.required_topics) else 1])

    @cached_property
    def equal(self) -> tuple[EqualTopics, ...]:
        """Lines of equal n over the variance."""
        return equal_topics(self.plan, self.required_topics)


def _takes_long(plan: Plan, required_topics: int) -> bool:
    """Return whether curves have few points, as each takes tens of milliseconds."""
    return bool(plan.design.shares) and required_topics > _MANY_TOPICS


def curves_around(plan: Plan, required_topics: int) -> Curves:
    """Return the curves around one answer."""
    every = 1  # middle and ends of a curve stay
    if plan.design.shares:
        is_slow = plan.design.is_slow(plan.fixed)
        every = 12 if _takes_long(plan, required_topics) else 6 if is_slow else 1
    return Curves(plan, required_topics, topics_curves(_plans(plan), plan, CURVE[::every]))


def _plans(plan: Plan) -> Sequence[Plan]:
    """Return the plan, or it and those for other numbers of systems."""
    m = plan.fixed.get(N_SYSTEMS.name)
    others = set() if plan.design.is_slow(plan.fixed) else {*_OTHER_SYSTEMS}
    return (plan,) if m is None else plan.vary(N_SYSTEMS, sorted({m} | others))


def with_beside(curves: Curves, plan: Plan, label: str) -> Curves:
    """Return curves with that of another plan, at the same differences where it has topics for them."""
    differences = curves.topics[0].difference
    if plan.design.shares:
        one = _one_by_one(plan, label, differences, is_yours=False)
    else:
        differences = differences[differences > float(plan.detected(MOST_TOPICS)) * (1 + 1e-9)]
        one = TopicsCurve(label, plan, differences, plan.topics(differences), is_yours=False)
    return replace(curves, beside=(*curves.beside, one) if one.difference.size else curves.beside)
