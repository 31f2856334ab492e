"""The uncertainty of the number of topics, given that the variance was estimated.

A design takes the variance as known. It comes from collections whose topics might have been others:
`topicset_core.variance.intervals` has the interval of the variance, whose ends give those of the topics. It
does not include other runs and another task.

Sakai (2016, section 7) hopes that tasks will pool the variances observed in their past rounds, and that the
required topics will stabilise after a few. `rounds` takes the collections of a task in the order of its rounds
and shows just that: each round's own variance, the variance pooled so far, and the topics that each would have
asked for in the next round.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from topicset_core.collection import ScoreMatrix
from topicset_core.designs import Plan, one_way_anova
from topicset_core.designs.design import SMALLEST_VARIANCE
from topicset_core.designs.grouped import GroupedPlan
from topicset_core.errors import InputError
from topicset_core.parameters import ALPHA, BETA, MIN_D, MOST_TOPICS, N_SYSTEMS
from topicset_core.variance.atlas import SimilarTask, caution, disagree, public_range
from topicset_core.variance.choices import ONE_WAY, TWO_WAY, Estimate
from topicset_core.variance.components import Components
from topicset_core.variance.group_components import of_group_means
from topicset_core.variance.intervals import DEFAULT_LEVEL, VarianceInterval
from topicset_core.variance.pooling import Weights, checked_collections, pooled, pooled_interval
from topicset_core.variance.sums_of_squares import mean_squares
from topicset_core.wording import joined, number_or


@dataclass(frozen=True, kw_only=True)
class VarianceUncertainty:
    """A variance, the topics it asks for, and how far both depend on the topics that were there.

    Parameters
    ----------
    estimate : Estimate or None
        How the variance is taken from a matrix; None of a stated one.
    measure : str
        Measure of the scores.
    variance : float
        The estimate, pooled.
    interval : VarianceInterval
        Of the variance.
    topics : int or None
        Required topics at the estimate; None where it is 0 or needs more than ten million, here and below.
    topics_interval : (int or None, int or None)
        Required topics at the two ends of the interval.
    unit : str
        What is counted: "topic" or "group".
    """

    estimate: Estimate | None
    measure: str
    variance: float
    interval: VarianceInterval
    topics: int | None
    topics_interval: tuple[int | None, int | None]
    unit: str = "topic"

    @property
    def sentence(self) -> str:
        """The answer in words, as "149 topics (90 % confidence interval: 121 to 183, covers ...)"."""
        at_estimate = "any number of" if self.variance == 0 else topics_in_words(self.topics, self.variance)
        return f"{at_estimate} {self.unit}s ({self.interval.in_words(*self.ends)})"

    @property
    def counted(self) -> str:
        """The topics with their interval, as "149 topics (121 to 183)"."""
        low, high = self.ends
        return f"{topics_in_words(self.topics, self.variance)} {self.unit}s ({low} to {high})"

    @property
    def ends(self) -> tuple[str, str]:
        """Required topics at the two ends of the interval, in words."""
        low, high = zip(self.topics_interval, (self.interval.low, self.interval.high), strict=True)
        return topics_in_words(*low), topics_in_words(*high)


def topics_in_words(topics: int | None, variance: float) -> str:
    """Return the topics of a variance as "149", "any number" (no variance) or "more than 10,000,000"."""
    if topics is not None:
        return f"{topics:,}"
    return "any number" if variance < SMALLEST_VARIANCE else f"more than {MOST_TOPICS:,}"


@dataclass(frozen=True, kw_only=True)
class Round:
    """One round of a task."""

    name: str
    n_topics: int
    n_systems: int
    own: VarianceUncertainty
    so_far: VarianceUncertainty  # from this and all earlier rounds, pooled: the plan for the next round


def variance_uncertainty(
    matrices: Iterable[ScoreMatrix],
    plan: Plan,
    *,
    estimate: Estimate = ONE_WAY,
    weights: Weights = "topics",
    level: float = DEFAULT_LEVEL,
) -> VarianceUncertainty:
    """Return a pooled variance and its required topics, each with an interval.

    Parameters
    ----------
    matrices : iterable of ScoreMatrix
        At least one, all of one measure.
    plan : Plan
        The design with its requirements, made by `Design.plan`; its variance does not count.
    estimate : Estimate
        Of the kind that the design takes.
    weights : {"topics", "degrees-of-freedom"}
        How collections are pooled.
    level : float
        Nominal coverage of the interval, above 0 and below 1.

    Raises
    ------
    InputError
        If a value breaks its rule, the matrices cannot be pooled, the estimate refuses one, or the
        estimate is of another kind than the design takes.
    """
    collections = checked_collections(matrices)
    if estimate.kind != plan.takes:
        target = {"difference": "the variance of a difference", "within-system": "a within-system variance"}
        raise InputError("estimate", estimate.name, f"must be {target[plan.takes]} for {plan.design.name}")
    variance = pooled(collections, estimate, weights)
    interval = pooled_interval(collections, estimate, weights, level)
    return uncertainty_at(plan, estimate, collections[0].measure, variance, interval)


def uncertainty_in_groups(
    uncertain: VarianceUncertainty,
    grouped: GroupedPlan,
    matrices: Sequence[ScoreMatrix] = (),
    weights: Weights = "topics",
) -> VarianceUncertainty:
    """Return the variance of means of groups and its required groups, from the uncertainty of that of one topic."""
    # With `matrices`, whose groups give the correlation, the interval counts the uncertainty of the correlation,
    # too.
    plan = grouped.plan.without_variance
    if matrices and uncertain.estimate is not None:
        estimate = of_group_means(uncertain.estimate, grouped.counted_size)
        return variance_uncertainty(matrices, plan, estimate=estimate, weights=weights)
    factor = grouped.plan.variance / uncertain.variance if uncertain.variance else 1.0
    of = uncertain.interval
    interval = replace(of, low=of.low * factor, high=of.high * factor)
    return uncertainty_at(plan, uncertain.estimate, uncertain.measure, grouped.plan.variance, interval)


STABILITY = 0.95
"""E rho^2 that topics are counted for: where topics are many enough for a ranking of the systems."""


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """Topics for a ranking of the systems by their own spread, next to the topics for a difference minD."""

    name: str
    topics: int | None  # for E rho^2 = .95; None where the systems do not differ
    caution: str  # how the variance differs from those of public collections; "" where it does not
    # The least and the most two-way variance of public collections; None where there are none
    public_two_way: tuple[float, float] | None


def rankings(matrices: Iterable[ScoreMatrix]) -> list[Ranking]:
    """Return the topics for a ranking by each matrix of two runs or more."""
    result = []
    for one in matrices:
        if one.n_systems > 1:
            parts = Components.from_mean_squares(mean_squares(one))
            interval = pooled_interval([one], TWO_WAY)
            text = caution(one.measure, float(one.scores.mean()), parts.residual, interval, one.n_systems)
            result.append(
                Ranking(
                    name=one.name,
                    topics=parts.topics_for(STABILITY),
                    caution=text,
                    public_two_way=public_range(one.measure),
                )
            )
    return result


def rankings_in_words(found: Sequence[Ranking]) -> str:
    """Return how many topics rank the systems, in a sentence; "" where no matrix has two runs."""
    several = len(found) > 1
    parts = [f"{number_or('no number', one.topics)}{f' by {one.name}' * several}" for one in found]
    what = f"Topics that rank these systems by their own spread (Eρ² = {STABILITY:g})"
    return f"{what}: {joined(parts)}" if parts else ""


def combination(similar: SimilarTask, pilot: VarianceUncertainty) -> str:
    """Return how a similar task and the user's own scores go together, in words."""
    own, df = pilot.variance, pilot.interval.effective_df
    return (
        f"Your scores alone: variance {own:.3g}, {pilot.sentence}. "
        f"Weights are degrees of freedom: {df:.3g} of your scores, {similar.effective_df:.3g} of the similar task"
    )


def disagreement_with(similar: SimilarTask, pilot: VarianceUncertainty) -> str:
    """Return a warning where scores and a similar task differ by more than chance; "" where they may not."""
    own, df = pilot.variance, pilot.interval.effective_df
    if not disagree(similar.median, similar.effective_df, own, df):
        return ""
    return (
        f"The variance of your scores ({own:.3g}) and of the similar task ({similar.median:.3g}) differ by more "
        "than chance allows (5 % level): is the task similar?"
    )


def uncertainty_at(
    plan: Plan, estimate: Estimate | None, measure: str, variance: float, interval: VarianceInterval
) -> VarianceUncertainty:
    """Return a variance with its interval, and the topics that each asks a plan for."""
    return VarianceUncertainty(
        estimate=estimate,
        measure=measure,
        variance=variance,
        interval=interval,
        topics=plan.topics_of(variance),
        topics_interval=(plan.topics_of(interval.low), plan.topics_of(interval.high)),
        unit=plan.unit,
    )


def rounds(matrices: Iterable[ScoreMatrix], plan: Plan) -> tuple[Round, ...]:
    """Return one `Round` for each matrix, in the order given, the order of the task's rounds."""
    collections = checked_collections(matrices)
    return tuple(
        Round(
            name=matrix.name,
            n_topics=matrix.n_topics,
            n_systems=matrix.n_systems,
            own=variance_uncertainty([matrix], plan),
            so_far=variance_uncertainty(collections[: place + 1], plan),
        )
        for place, matrix in enumerate(collections)
    )


@dataclass(frozen=True, kw_only=True)
class PreparationEffect:
    """Size, variance and required topics of a matrix before and after."""

    topics_before: int
    topics_after: int
    systems_before: int
    systems_after: int
    # Within-system variance, one-way (Sakai 2016, Eqs. 36 and 37)
    variance_before: float
    variance_after: float
    required_before: int | None
    required_after: int | None
    changes_scale: bool  # whether scores have another unit afterwards

    @property
    def sentence(self) -> str:
        """Before and after in words."""
        text = f"Within-system variance {self.variance_before:.4g} before, {self.variance_after:.4g} after"
        if self.changes_scale:
            return f"{text}, on another scale: required topics do not compare."
        before, after = (
            "no number of" if required is None else f"{required:,}"
            for required in (self.required_before, self.required_after)
        )
        return f"{text}; {before} topics before, {after} after ({STANDARD_QUESTION})."


STANDARD_QUESTION = (
    f"one-way ANOVA, alpha {ALPHA.default:g}, beta {BETA.default:g}, minD {MIN_D.default:g}, "
    f"m = {N_SYSTEMS.default:g}"
)
"""What `standard_plan` asks, in words."""


def standard_plan() -> Plan:
    """Return the question that all design pages begin with, for comparisons that need one."""
    return one_way_anova.DESIGN.plan(
        alpha=ALPHA.default,
        beta=BETA.default,
        min_d=MIN_D.default,
        n_systems=int(N_SYSTEMS.default),
    )


def preparation_effect(before: ScoreMatrix, after: ScoreMatrix, *, changes_scale: bool) -> PreparationEffect:
    """Compare a matrix with the original, by the question of `standard_plan`."""
    plan = standard_plan()
    variances = ONE_WAY(before), ONE_WAY(after)
    return PreparationEffect(
        topics_before=before.n_topics,
        topics_after=after.n_topics,
        systems_before=before.n_systems,
        systems_after=after.n_systems,
        variance_before=variances[0],
        variance_after=variances[1],
        required_before=plan.topics_of(variances[0]),
        required_after=None if changes_scale else plan.topics_of(variances[1]),
        changes_scale=changes_scale,
    )
