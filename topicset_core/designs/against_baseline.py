"""How many topics to compare m - 1 systems with one baseline?

Each system is tested against the baseline, and the probability of even one difference that is not there is
alpha. The design finds the smallest n with which a system that truly differs from the baseline by minD is
detected with probability 1 - beta; or at least one of these systems, or all of them. This takes fewer topics
than every pair.

Model, statistic and degrees of freedom are as in `pairwise`. Procedures: Dunnett's (1955); Bonferroni's; Holm's,
which to find all that differ needs 14 to 38 % fewer topics than Bonferroni's (`holm`).

Examples
--------
>>> wanted = Requirements(alpha=0.05, beta=0.20, min_d=0.10, n_systems=10, residual_variance=0.01285)
>>> required_topics(wanted).required_topics
33
"""

from dataclasses import dataclass, replace

from topicset_core.designs import all_pairs
from topicset_core.designs.pairwise import PairwiseDesign, PairwiseRequirements
from topicset_core.references import DUNNETT_1955, HOLM_1979, SAKAI_2016

PROCEDURE = replace(
    all_pairs.PROCEDURE,
    options={"dunnett": "Dunnett", "bonferroni": "Bonferroni", "holm": "Holm"},
    default="dunnett",
)

MEANS = replace(
    all_pairs.MEANS,
    options={
        "one-differs": "one system differs from the baseline",
        "all-differ": "all differ from it by the same",
    },
)


@dataclass(frozen=True, kw_only=True)
class Requirements(PairwiseRequirements):
    """Requirements of the comparison with a baseline."""

    procedure: str = "dunnett"


DESIGN = PairwiseDesign(
    slug="against-baseline",
    name="Against a baseline",
    family="baseline",
    procedure=PROCEDURE,
    means=MEANS,
    usual_means={"pair": "", "any": "one-differs", "all": "all-differ"},
    requirements=Requirements,
    claim="{procedure} of m = {n_systems} systems, one of them the baseline, with topics {topics}, finds {detect}, "
    "minD = {min_d:g} in {measure}, with {power:.10g} % power at familywise error rate α = {alpha:g}",
    works=(SAKAI_2016,),
    works_by_choice={"dunnett": (DUNNETT_1955,), "holm": (HOLM_1979,)},
)

required_topics, required_topics_grid = DESIGN.required_topics, DESIGN.required_topics_grid
power, detectable_delta = DESIGN.power_of, DESIGN.detectable_delta
