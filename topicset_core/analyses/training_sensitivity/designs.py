"""Fewer judgments a topic, or fewer topics? Required topics at each level of completeness.

With a part of the judgments scores vary otherwise, and a design asks for other numbers of topics. Two
answers are given. One takes the same smallest difference at every level, as Sakai 2016 (section 6.3)
does for shallower pools. But incomplete judgments shrink scores, differences with them: AP of 1 % of the
judgments needs few topics to detect a difference of .1 only because no two runs differ so much. The other,
to weigh designs by, asks for the same pair of systems: the smallest difference is multiplied by the
slope of run means by these judgments on run means by all, over the runs of the sweep.

Topics that would be left without a relevant document are of no use, and must be judged all the same to
find that out; they are in the costs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

import numpy as np

from topicset_core.analyses.training_sensitivity.request import COMPLETE
from topicset_core.analyses.training_sensitivity.result import Trained, TrainingSensitivity
from topicset_core.analyses.variance_topics import TopicsRule
from topicset_core.errors import InputError, NoSolution
from topicset_core.variance import conservative_difference_variance

RuleAt = Callable[[float], TopicsRule]
"""From a smallest difference worth detecting (or a width) to the design that asks for it."""


@dataclass(frozen=True, kw_only=True)
class CompletenessDesign:
    """Topics and judgments at one level, by one measure.

    Parameters
    ----------
    level : float
        Percent of the judgments; 100 for all.
    measure : str
        Name of the measure.
    judged_per_topic : float
        Judgments a topic.
    lost_share : float
        Topics left without a relevant document, over all.
    within_system_variance : float or None
        Of the others, mean over samples; None where no sample leaves two of them.
    slope : float or None
        How much of a difference by all judgments shows by these.
    required_topics : int or None
        Usable topics to detect the difference that is asked for, on the scale of these scores.
    required_topics_same_systems : int or None
        Usable topics to detect the difference of the same systems.
    """

    level: float
    measure: str
    judged_per_topic: float
    lost_share: float
    within_system_variance: float | None
    slope: float | None
    required_topics: int | None
    required_topics_same_systems: int | None

    @property
    def topics_to_judge(self) -> int | None:
        """Topics to judge so that on average as many are usable as the same systems need."""
        needed = self.required_topics_same_systems
        return None if needed is None else ceil(needed / (1 - self.lost_share) - 1e-9)

    @property
    def total_judgments(self) -> int | None:
        """Judgments of all these topics."""
        topics = self.topics_to_judge
        return None if topics is None else ceil(topics * self.judged_per_topic - 1e-9)


def completeness_designs(
    found: TrainingSensitivity, rule_at: RuleAt, difference: float
) -> tuple[CompletenessDesign, ...]:
    """Return the designs of every level and measure, all judgments last.

    Parameters
    ----------
    found : TrainingSensitivity
        The experiment.
    rule_at : callable
        The design without its difference and variance, for example
        ``lambda d: paired_t_topics(alpha=.05, beta=.2, min_d=d)``.
    difference : float
        The smallest difference worth detecting by all judgments, above 0.

    Raises
    ------
    InputError
        If the difference or another requirement breaks its rule.
    """
    if not difference > 0:
        raise InputError("min_d", difference, "must be above 0")
    parts = [(level, found.trained, place) for place, level in enumerate(found.levels) if level != COMPLETE]
    parts.append((COMPLETE, found.complete, 0))
    designs = []
    for level, trained, place in parts:
        for number, measure in enumerate(found.measures):
            designs.append(_design(found, level, trained, (place, number), measure, rule_at, difference))
    return tuple(designs)


def _design(
    found: TrainingSensitivity,
    level: float,
    trained: Trained,
    at: tuple[int, int],
    measure: str,
    rule_at: RuleAt,
    difference: float,
) -> CompletenessDesign:
    place, number = at
    variances = trained.variances[place, :, number]
    known = variances[~np.isnan(variances)]
    variance = float(known.mean()) if known.size else None
    covariance, spread = trained.slope_parts[place, :, number].sum(axis=0).tolist()
    slope = covariance / spread if spread > 0 else None
    same_systems = None
    if slope is not None and slope > 0:
        same_systems = _topics(rule_at(difference * slope), variance)
    n_topics = len(found.topics)
    return CompletenessDesign(
        level=level,
        measure=measure,
        judged_per_topic=float(trained.n_judged[place].mean()) / n_topics,
        lost_share=float(trained.n_lost[place].mean()) / n_topics,
        within_system_variance=variance,
        slope=slope,
        required_topics=_topics(rule_at(difference), variance),
        required_topics_same_systems=same_systems,
    )


def _topics(rule: TopicsRule, variance: float | None) -> int | None:
    """Return the topics that a variance needs; None without variance, or beyond the limits."""
    if not variance:
        return None
    needed = conservative_difference_variance(variance) if rule.takes == "difference" else variance
    try:
        return int(rule.topics([needed])[0])
    except NoSolution:
        return None
