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

CURVE = tuple(float(step) for step in np.geomspace(0.25, 4.0, 121))
"""Multiples of the user's minD at which a curve is drawn; the middle one is 1."""

TABLE = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
"""Multiples of the user's minD that a table shows."""

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
    requirements: one_way_anova.Requirements,
    multiples: tuple[float, ...] = CURVE,
    other_systems: tuple[int, ...] = (2, 10, 30, 100),
) -> tuple[TopicsCurve, ...]:
    """Return exact topics against minD for the user's m and some others, by rising m.

    `requirements` must give minD and a variance. All curves share their minD; multiples for which
    even ten million topics would not do are left out.
    """
    min_d, variance = _given(requirements.min_d), _given(requirements.within_system_variance)
    alpha, beta = requirements.alpha, requirements.beta
    systems = sorted({requirements.n_systems, *other_systems})
    most_demanding = one_way_anova.detectable_delta(
        MOST_TOPICS, alpha=alpha, beta=beta, n_systems=systems[-1]
    )
    differences = _possible(min_d, multiples, float(one_way_anova.min_d_of(most_demanding, variance)))
    effects = one_way_anova.min_delta_of(differences, variance)
    return tuple(
        TopicsCurve(
            f"m = {m}",
            differences,
            one_way_anova.required_topics_grid(effects, alpha=alpha, beta=beta, n_systems=m),
            m == requirements.n_systems,
        )
        for m in systems
    )


def paired_topics_curve(
    requirements: paired_t.Requirements, multiples: tuple[float, ...] = CURVE
) -> TopicsCurve:
    """Return exact topics against minD for the paired t test; minD and a variance must be given."""
    min_d, variance = _given(requirements.min_d), _given(requirements.difference_variance)
    alpha, beta = requirements.alpha, requirements.beta
    fewest = paired_t.detectable_delta(MOST_TOPICS, alpha=alpha, beta=beta)
    differences = _possible(min_d, multiples, float(paired_t.min_d_of(fewest, variance)))
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


def _possible(min_d: float, multiples: tuple[float, ...], smallest: float) -> Floats:
    """Return those multiples of `min_d` that ten million topics can tell apart."""
    differences = min_d * np.asarray(multiples)
    return differences[differences > smallest * (1 + 1e-9)]


def _given(value: float | None) -> float:
    if value is None:
        raise ValueError("a curve in units of the measure needs minD and a variance, not minDelta")
    return value
