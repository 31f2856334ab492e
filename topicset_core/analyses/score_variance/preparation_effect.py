"""What does a preparation of the scores do to the variance, and to the topics that it asks for?

Required topics compare before and after only on one scale. A difference of 0.10 in AP is not one of
0.10 in log AP or in standard deviations, so where the scale changed there is no number of topics
afterwards: a new smallest difference has to be decided on first.
"""

from dataclasses import dataclass

from topicset_core.collection import ScoreMatrix
from topicset_core.designs import Plan, one_way_anova
from topicset_core.parameters import ALPHA, BETA, MIN_D, N_SYSTEMS
from topicset_core.variance.estimates import one_way


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
    variances = one_way(before), one_way(after)
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
