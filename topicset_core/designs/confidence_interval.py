"""How many topics for a narrow confidence interval of a paired difference?

Two systems are run on the same n topics. The design finds the smallest n with which the
100 (1 - alpha) % confidence interval of the mean difference is at most delta wide. The width
2 MOE is itself random, so the requirement is on its expectation: about half of all realised
intervals are still wider.

Model: that of the paired t test; E(2 MOE) from [1], Eqs. 30 to 33.

============ ========================= ==========================================================
paper        here                      meaning
============ ========================= ==========================================================
alpha        alpha                     1 minus the confidence level, 0 to 1
delta        max_width                 whole width allowed, in units of the measure
sigma_t^2    difference_variance       variance of the per-topic difference
n            required_topics           number of topics
============ ========================= ==========================================================

References
----------
.. [1] T. Sakai. Topic set size design. Information Retrieval Journal 19, 256-283 (2016), section 3.3.
   https://doi.org/10.1007/s10791-015-9273-z

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

NAME = "Confidence interval, paired"


@dataclass(frozen=True, kw_only=True)
class Requirements(IntervalRequirements):
    """How narrow the interval must be."""

    difference_variance: float


DESIGN = IntervalDesign(
    slug="ci",
    name=NAME,
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
