"""How many topics for a paired t test?

Two systems are run on the same n topics, and their mean difference is tested two-sided. The design
finds the smallest n with which a true difference of minD or more is missed with probability beta
at most.

Model (Sakai 2016, section 3.1): the per-topic differences d_j are independent and normal with mean mu_X - mu_Y
and variance sigma_t^2. Under the alternative, t0 = dbar / sqrt(V/n) has a noncentral t distribution with
phi = n - 1 degrees of freedom and noncentrality sqrt(n) Delta_t, Delta_t = (mu_X - mu_Y) / sigma_t.

Examples
--------
>>> required_topics(Requirements(alpha=0.05, beta=0.20, min_delta=0.5)).required_topics
34
"""

from dataclasses import dataclass

from topicset_core.designs.design import detects
from topicset_core.designs.power_search import TTest
from topicset_core.designs.requirements import PowerRequirements
from topicset_core.parameters import DIFFERENCE_VARIANCE
from topicset_core.references import SAKAI_2016

NAME = "Paired t test"


@dataclass(frozen=True, kw_only=True)
class Requirements(PowerRequirements):
    """Requirements of the paired t test."""

    difference_variance: float | None = None


DESIGN = TTest(
    slug="paired-t",
    name=NAME,
    label="paired t test",
    groups=1,
    variance=DIFFERENCE_VARIANCE,
    requirements=Requirements,
    claim=detects("a two-sided paired t test", "a difference of minD = {min_d:g} in {measure}"),
    works=(SAKAI_2016,),
)

required_topics, required_topics_grid = DESIGN.required_topics, DESIGN.required_topics_grid
power, detectable_delta = DESIGN.power_of, DESIGN.detectable_delta
