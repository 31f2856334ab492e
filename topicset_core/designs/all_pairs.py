"""How many topics to compare every pair of m systems?

All m (m - 1) / 2 pairs are tested, and the probability of even one difference that is not there is alpha.
ANOVA shows that there is a difference somewhere; this finds the pairs. The design finds the smallest n with
which the pair that truly differs by minD is detected with probability 1 - beta; or some pair, or every pair
that differs by minD.

Model, statistic and degrees of freedom are as in `pairwise`. Procedures: Tukey's HSD (1953), whose critical
value is that of the studentised range over root 2; Bonferroni's; Holm's (`holm`). Randomised Tukey HSD
(Carterette 2012), which permutes the scores of each topic, is sized by Tukey's on shared topics; simulation puts
it within a topic or two of that.

Examples
--------
>>> wanted = Requirements(alpha=0.05, beta=0.20, min_d=0.10, n_systems=10, residual_variance=0.01285)
>>> required_topics(wanted).required_topics
42
"""

from dataclasses import dataclass

from topicset_core.designs.pairwise import PairwiseDesign, PairwiseRequirements
from topicset_core.parameters import ChoiceParameter
from topicset_core.references import HOLM_1979, SAKAI_2016, TUKEY_1953

PROCEDURE = ChoiceParameter(
    name="procedure",
    label="Procedure",
    help="How the familywise error rate is controlled: the probability of one or more false differences.",
    options={"tukey": "Tukey HSD", "bonferroni": "Bonferroni", "holm": "Holm"},
    default="tukey",
)

MEANS = ChoiceParameter(
    name="means",
    label="True means",
    help="Configuration of true means; it determines the power to detect any or all differences.",
    options={
        "two-extremes": "one best, one worst, others between",
        "one-better": "one better than all others",
        "halves": "one half better than the other",
        "ladder": "each better than the next, by minD",
        "equally-spaced": "equally spaced over a range of minD",
    },
)


@dataclass(frozen=True, kw_only=True)
class Requirements(PairwiseRequirements):
    """Requirements of the comparison of every pair."""

    procedure: str = "tukey"


DESIGN = PairwiseDesign(
    slug="all-pairs",
    name="All pairs",
    family="pairs",
    procedure=PROCEDURE,
    means=MEANS,
    usual_means={"pair": "", "any": "two-extremes"},
    requirements=Requirements,
    claim="{procedure} over all pairs of m = {n_systems} systems, with topics {topics}, finds {detect}, "
    "minD = {min_d:g} in {measure}, with {power:.10g} % power at familywise error rate α = {alpha:g}",
    works=(SAKAI_2016,),
    works_by_choice={"tukey": (TUKEY_1953,), "holm": (HOLM_1979,)},
)

required_topics, required_topics_grid = DESIGN.required_topics, DESIGN.required_topics_grid
power, detectable_delta = DESIGN.power_of, DESIGN.detectable_delta
