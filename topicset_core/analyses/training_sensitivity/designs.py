"""Fewer judgments per topic, or fewer topics? Required topics at each level of completeness.

The variance of scores depends on the share of judgments, and so do required topics. Two
answers are given. One takes the same smallest difference at every level, as Sakai 2016 (section 6.3)
does for shallower pools. But incomplete judgments shrink scores, differences with them: AP of 1 % of the
judgments needs few topics to detect a difference of .1 only because no two runs differ by that much. The other,
to weigh designs by, asks for the same pair of systems: the smallest difference is multiplied by the
slope of run means by these judgments on run means by all, over the runs of the sweep.

Topics that would be left without a relevant document are of no use, and must be judged all the same to
find that out; they are in the costs.

The cost of a design goes with the within-system variance over the squared slope. Both are estimated from a
few samples of judgments, and where the runs of a sweep hardly differ the slope of a single level is far from
determined: of sixteen levels some look cheap by chance. Its interval is a jackknife over samples (Efron and
Tibshirani, An Introduction to the Bootstrap, 1993, equation 11.5), on the log scale, on which a cost that may be
half may as well be double.

So a level can be planned with, and be called the cheapest, only if a topic keeps at least `LEAST_JUDGED`
judged and `LEAST_RELEVANT` relevant documents on average, if its cost is known within a factor of
`MOST_UNCERTAIN` either way, and if the levels next to it that keep as many documents agree: their intervals
overlap with its own, or their costs are within that factor of its own.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from topicset_core.analyses.training_sensitivity.experiment import Floats, TrainingSensitivity
from topicset_core.analyses.training_sensitivity.request import COMPLETE
from topicset_core.analyses.training_sensitivity.tables import CONFIDENCE, level_facts
from topicset_core.designs import Plan
from topicset_core.parameters import BETA
from topicset_core.wording import counted

LEAST_JUDGED, LEAST_RELEVANT = 10.0, 3.0
"""Documents per topic, on average, below which scores are too noisy to plan with.

Buckley and Voorhees (SIGIR 2004) kept at least 10 judged not relevant; with 1 or 2 relevant documents a score
is little else than the rank of one.
"""

MOST_UNCERTAIN = 2.0
"""Factor either way within which a cost must be known."""

_MOST_FACTOR = 1000.0  # beyond it the cost is too uncertain to be shown
_WHOLE_FROM = 100
_OF_LEVEL = ("level", "judged_per_topic", "relevant_per_topic", "lost_share")


@dataclass(frozen=True, kw_only=True)
class CompletenessDesign:
    """Topics and judgments at one level, by one measure."""

    level: float  # percent of the judgments
    measure: str
    # Judgments per topic, and relevant documents among them
    judged_per_topic: float
    relevant_per_topic: float
    lost_share: float  # topics left without a relevant document, over all
    within_system_variance: float | None  # of the others, mean over samples
    slope: float | None  # how much of a difference by all judgments shows by these
    # Usable topics to detect the difference that is asked for, on the scale of these scores
    required_topics: int | None = None
    required_topics_same_systems: int | None = None  # usable topics to detect that of the same systems
    cost_factor: float | None = None  # see the function of this name

    @property
    def topics_to_judge(self) -> int | None:
        """Topics to score so that on average as many are usable as the same systems need."""
        needed = self.required_topics_same_systems
        return None if needed is None else math.ceil(needed / (1 - self.lost_share) - 1e-9)

    @property
    def total_judgments(self) -> int | None:
        """Judgments of all these topics."""
        topics = self.topics_to_judge
        return None if topics is None else math.ceil(topics * self.judged_per_topic - 1e-9)

    @property
    def likely_judgments(self) -> tuple[int, int] | None:
        """95 % confidence interval of the judgments, over samples; None where that is not known."""
        total = self.total_judgments
        if total is None or self.cost_factor is None or self.cost_factor > _MOST_FACTOR:
            return None
        return round(total / self.cost_factor), round(total * self.cost_factor)

    @property
    def has_enough_documents(self) -> bool:
        """Whether topics keep enough judged and relevant documents; with all judgments there is no more to have."""
        enough = self.judged_per_topic >= LEAST_JUDGED and self.relevant_per_topic >= LEAST_RELEVANT
        return enough or self.level == COMPLETE

    def agrees_with(self, neighbour: "CompletenessDesign") -> bool:
        """Return whether the cost at the next level does not contradict this one's."""
        own, other = self.total_judgments, neighbour.total_judgments
        if own is None or other is None:
            return False
        if max(own, other) <= MOST_UNCERTAIN * min(own, other):
            return True
        (low, high), (other_low, other_high) = (
            design.likely_judgments or (total, total) for design, total in ((self, own), (neighbour, other))
        )
        return low <= other_high and other_low <= high


def completeness_designs(sensitivity: TrainingSensitivity, rule: Plan) -> tuple[CompletenessDesign, ...]:
    """Return the designs of every level and measure by a plan for the difference to detect, all judgments last."""
    designs = []
    for facts in level_facts(sensitivity):
        is_whole = facts["level"] == COMPLETE
        trained = sensitivity.complete if is_whole else sensitivity.trained
        place = 0 if is_whole else sensitivity.levels.index(facts["level"])
        for number, measure in enumerate(sensitivity.measures):
            variances, slope_parts = (
                trained.variances[place, :, number],
                trained.slope_parts[place, :, number],
            )
            known = variances[~np.isnan(variances)]
            covariance, spread = slope_parts.sum(axis=0).tolist()
            designs.append(
                CompletenessDesign(
                    **{name: facts[name] for name in _OF_LEVEL},
                    measure=measure,
                    within_system_variance=float(known.mean()) if known.size else None,
                    slope=covariance / spread if spread > 0 else None,
                    cost_factor=None if is_whole else cost_factor(variances, slope_parts),
                )
            )
    # All together: the search is over arrays, and one call costs as much as a hundred topics.
    topics = _topics(rule, [design.within_system_variance for design in designs])
    same_systems = _topics(rule, [_of_same_systems(design) for design in designs])
    return tuple(
        replace(design, required_topics=needed, required_topics_same_systems=same)
        for design, needed, same in zip(designs, topics, same_systems, strict=True)
    )


def plannable(designs: Sequence[CompletenessDesign], measure: str) -> tuple[CompletenessDesign, ...]:
    """Return the designs of a measure that can be planned with, ascending; one of them has all judgments."""
    enough = sorted(
        (design for design in designs if design.measure == measure and design.has_enough_documents),
        key=lambda design: design.level,
    )
    kept = []
    for place, design in enumerate(enough):
        known = design.cost_factor is not None and design.cost_factor <= MOST_UNCERTAIN
        neighbours = [*enough[max(place - 1, 0) : place], *enough[place + 1 : place + 2]]
        agreed = [design.agrees_with(other) for other in neighbours if other.level != COMPLETE]
        if design.total_judgments is not None and (design.level == COMPLETE or (known and all(agreed))):
            kept.append(design)
    return tuple(kept)


def cheapest(designs: Sequence[CompletenessDesign], measure: str) -> CompletenessDesign | None:
    """Return the design with the fewest judgments among the reliable ones, of equals the most complete, or None."""
    known = plannable(designs, measure)
    whole = next((design.total_judgments for design in known if design.level == COMPLETE), None)
    surely = [  # cheaper than all judgments only if its whole interval is
        design
        for design in known
        if design.level == COMPLETE
        or whole is None
        or (design.likely_judgments and design.likely_judgments[1] < whole)
    ]
    return min(surely, key=lambda design: (design.total_judgments or 0, -design.level), default=None)


def cheapest_sentence(designs: Sequence[CompletenessDesign], measure: str, difference: float) -> str:
    """Return the cost of the cheapest design of a measure, of the one with all judgments, and the noisy levels."""
    least, known = cheapest(designs, measure), plannable(designs, measure)
    whole = next(design for design in designs if design.measure == measure and design.level == COMPLETE)
    power = f"{100 * (1 - BETA.default):g} % power"
    pair = f"To detect a difference of {difference:g} {measure} (by all judgments) with {power}"
    sparser = sorted(design.level for design in designs if design.measure == measure and design is not whole)
    none = "no number of topics within the limits is enough at any level"
    if all(design.total_judgments is None for design in designs if design.measure == measure):
        return f"{pair}, {none}."
    if least is None:
        text = f"{pair}, {none} that can be planned with."
    elif least is whole:
        text = f"{pair}, judging whole pools takes {_design(whole)}."
        if len(known) > 1:
            text += " No level with fewer judgments is reliably cheaper."
    else:
        low, high = least.likely_judgments or (least.total_judgments, least.total_judgments)
        others = "with whole pools no number of topics within the limits is enough"
        if whole.total_judgments is not None:
            others = f"whole pools take {_design(whole)}"
        text = (
            f"{pair}, judging {least.level:g} % of each pool costs least: {_design(least)} (95 % confidence "
            f"interval over samples of judgments: {low:,} to {high:,}); {others}."
        )
    first = min((design.level for design in known), default=COMPLETE)
    if sparser and sparser[0] < first:
        text += (
            f" Levels below {first:g} % are too noisy to plan with: a topic keeps fewer than {LEAST_JUDGED:g} "
            f"judged or {LEAST_RELEVANT:g} relevant documents on average, or the cost is not known within a factor "
            f"of {MOST_UNCERTAIN:g} or does not agree with the cost of the next levels."
        )
    return text


def documents_text(design: CompletenessDesign) -> str:
    """Write judged documents per topic: in three digits, or whole where there are more."""
    documents = design.judged_per_topic
    return f"{documents:,.0f}" if documents >= _WHOLE_FROM else f"{documents:.3g}"


def cost_factor(variances: Floats, slope_parts: Floats) -> float | None:
    """Return f: with 95 % confidence the cost lies between that found over f and f times that found."""
    from scipy.special import stdtrit

    known = ~np.isnan(variances)
    n_samples = int(known.sum())
    if n_samples < 2:
        return None
    own, parts = variances[known], slope_parts[known]
    others = (own.sum() - own) / (n_samples - 1)
    covariance, spread = (parts.sum(axis=0) - parts).T  # each without one sample
    if not ((others > 0) & (covariance > 0) & (spread > 0)).all():
        return None
    logs = np.log(others) - 2 * np.log(covariance / spread)
    error = math.sqrt((n_samples - 1) / n_samples * float(((logs - logs.mean()) ** 2).sum()))
    return math.exp(-float(stdtrit(n_samples - 1, (1 - CONFIDENCE) / 2)) * error)


def _of_same_systems(design: CompletenessDesign) -> float | None:
    """Return the variance over the squared slope: that on the scale of all judgments."""
    if design.within_system_variance is None or design.slope is None or design.slope <= 0:
        return None
    return design.within_system_variance / design.slope**2


def _topics(rule: Plan, variances: Sequence[float | None]) -> list[int | None]:
    """Return the topics that each variance needs; None without variance, or beyond the limits."""
    return rule.topics_of_variances([rule.variance_for(variance or 0.0) for variance in variances])


def _design(design: CompletenessDesign) -> str:
    return (
        f"{counted(design.topics_to_judge or 0, 'topic')} with about {documents_text(design)} judged documents "
        f"each, {design.total_judgments:,} judgments in all"
    )
