"""How many topics for a narrow confidence interval of a paired difference?

Two systems are run on the same n topics. The design finds the smallest n with which the
100 (1 - alpha) % confidence interval of the mean difference is at most delta wide. The width
2 MOE is itself random, so the requirement is on its expectation: about half of all realised
intervals are still wider.

Model: that of the paired t test; E(2 MOE) from Sakai (2016), Eqs. 30 to 33.

Examples
--------
>>> wanted = Requirements(alpha=0.05, max_width=0.10, difference_variance=0.0942)
>>> required_topics(wanted).required_topics
147
"""

from dataclasses import dataclass

from topicset_core.designs.interval_width import IntervalDesign, IntervalRequirements
from topicset_core.parameters import DIFFERENCE_VARIANCE
from topicset_core.references import SAKAI_2016


@dataclass(frozen=True, kw_only=True)
class Requirements(IntervalRequirements):
    """How narrow the interval must be."""

    difference_variance: float


DESIGN = IntervalDesign(
    slug="ci",
    name="Confidence interval, paired",
    label="paired interval",
    groups=1,
    variance=DIFFERENCE_VARIANCE,
    requirements=Requirements,
    claim="the {confidence:.10g} % confidence interval of a paired difference of two systems in {measure} is "
    "expected to be at most δ = {max_width:g} wide",
    works=(SAKAI_2016,),
)

required_topics, required_topics_grid = DESIGN.required_topics, DESIGN.topics
width = DESIGN.difference
