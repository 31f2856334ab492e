"""Whole curves around a requirement: topics against minD, power against topics.

Each point is an exact integer or an exact power; nothing is interpolated.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from topicset_core.designs import one_way_anova, paired_t
from topicset_core.designs.results import Method
from topicset_core.designs.search import FEWEST_TOPICS, Floats, Integers
from topicset_core.parameters import MOST_TOPICS

_RANGE = 4.0  # a curve goes from a quarter of the user's minD to four times it
_MIN_D_POINTS = 121
_POWER_POINTS = 241


@dataclass(frozen=True)
class TopicsCurve:
    """Required topics against the smallest difference to detect.

    Parameters
    ----------
    label : str
        What tells this curve from its neighbours, for example "m = 10".
    min_d : (k,) float array
        Rising, in units of the measure.
    topics : (k,) int array
        Required topics at each.
    is_yours : bool
        Whether it is the curve of the user's own requirements.
    """

    label: str
    min_d: Floats
    topics: Integers
    is_yours: bool


@dataclass(frozen=True)
class PowerCurve:
    """Power against the number of topics, by both methods.

    Parameters
    ----------
    n_topics : (k,) int array
        Rising.
    exact : (k,) float array
        Exact power.
    published : (k,) float array
        Power by the published approximation; NaN where that has no value.
    """

    n_topics: Integers
    exact: Floats
    published: Floats


def anova_topics_curves(
    requirements: one_way_anova.Requirements, other_systems: tuple[int, ...] = (2, 10, 30, 100)
) -> tuple[TopicsCurve, ...]:
    """Return exact topics against minD for the user's m and some others, by rising m.

    `requirements` must give minD and a variance.
    """
    min_d, variance = _given(requirements.min_d), _given(requirements.within_system_variance)
    alpha, beta = requirements.alpha, requirements.beta
    curves = []
    for m in sorted({requirements.n_systems, *other_systems}):
        fewest = one_way_anova.detectable_delta(MOST_TOPICS, alpha=alpha, beta=beta, n_systems=m)
        differences = _differences(min_d, float(one_way_anova.min_d_of(fewest, variance)))
        effects = one_way_anova.min_delta_of(differences, variance)
        topics = one_way_anova.required_topics_grid(effects, alpha=alpha, beta=beta, n_systems=m)
        curves.append(TopicsCurve(f"m = {m}", differences, topics, m == requirements.n_systems))
    return tuple(curves)


def paired_topics_curve(requirements: paired_t.Requirements) -> TopicsCurve:
    """Return exact topics against minD for the paired t test; minD and a variance must be given."""
    min_d, variance = _given(requirements.min_d), _given(requirements.difference_variance)
    alpha, beta = requirements.alpha, requirements.beta
    fewest = paired_t.detectable_delta(MOST_TOPICS, alpha=alpha, beta=beta)
    differences = _differences(min_d, float(paired_t.min_d_of(fewest, variance)))
    effects = paired_t.min_delta_of(differences, variance)
    topics = paired_t.required_topics_grid(effects, alpha=alpha, beta=beta)
    return TopicsCurve("paired t test", differences, topics, is_yours=True)


def anova_power_curve(requirements: one_way_anova.Requirements, required_topics: int) -> PowerCurve:
    """Return power against n, from 2 to well beyond the required topics."""
    alpha, effect, m = requirements.alpha, requirements.effect_size, requirements.n_systems
    return _power_curve(
        required_topics,
        lambda n, method: one_way_anova.power(n, effect, alpha=alpha, n_systems=m, method=method),
    )


def paired_power_curve(requirements: paired_t.Requirements, required_topics: int) -> PowerCurve:
    """Return power against n, from 2 to well beyond the required topics."""
    alpha, effect = requirements.alpha, requirements.effect_size
    return _power_curve(
        required_topics, lambda n, method: paired_t.power(n, effect, alpha=alpha, method=method)
    )


def _power_curve(required_topics: int, power: Callable[[Integers, Method], Floats]) -> PowerCurve:
    last = min(max(2 * required_topics, FEWEST_TOPICS + 10), MOST_TOPICS)
    n = np.unique(np.linspace(FEWEST_TOPICS, last, _POWER_POINTS).round().astype(np.int64))
    n = np.unique(np.append(n, [required_topics, max(required_topics - 1, FEWEST_TOPICS)]))
    return PowerCurve(n, power(n, "exact"), power(n, "published"))


def _differences(min_d: float, smallest_possible: float) -> Floats:
    """Return differences around `min_d`, none so small that ten million topics miss it."""
    low = max(min_d / _RANGE, smallest_possible * (1 + 1e-9))
    around = np.geomspace(low, max(min_d * _RANGE, low), _MIN_D_POINTS)
    return np.unique(np.append(around, min_d)) if min_d >= low else around


def _given(value: float | None) -> float:
    if value is None:
        raise ValueError("a curve in units of the measure needs minD and a variance, not minDelta")
    return value
