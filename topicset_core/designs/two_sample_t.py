"""How many topics for a two-sample (unpaired) t test?

Each of two systems is run on its own n topics, or the pairing is not to be used, and the difference
of the means is tested two-sided. The design finds the smallest n per system with which a true
difference of minD or more is missed with probability beta at most.

Model (Sakai 2018): scores are independent and normal with a common variance sigma^2. Under the alternative, t0
has a noncentral t distribution with phi = 2n - 2 degrees of freedom and noncentrality sqrt(n / 2) Delta. Delta is
in standard deviations of one system's scores, so it does not compare with that of the paired t test. This is
one-way ANOVA with m = 2: the exact answers are the same.

Examples
--------
>>> required_topics(Requirements(alpha=0.05, beta=0.20, min_delta=0.5)).required_topics
64
"""

from dataclasses import dataclass

from topicset_core.designs.design import detects
from topicset_core.designs.power_search import TTest
from topicset_core.designs.requirements import PowerRequirements
from topicset_core.parameters import WITHIN_SYSTEM_VARIANCE
from topicset_core.references import SAKAI_2016, SAKAI_2018

NAME = "Two-sample t test"


@dataclass(frozen=True, kw_only=True)
class Requirements(PowerRequirements):
    """Requirements of the two-sample t test."""

    within_system_variance: float | None = None


DESIGN = TTest(
    slug="two-sample-t",
    name=NAME,
    label="two-sample t test",
    groups=2,
    variance=WITHIN_SYSTEM_VARIANCE,
    requirements=Requirements,
    claim=detects("a two-sided two-sample t test", "a difference of minD = {min_d:g} in {measure}"),
    works=(SAKAI_2016, SAKAI_2018),
)

required_topics, required_topics_grid = DESIGN.required_topics, DESIGN.required_topics_grid
power, detectable_delta = DESIGN.power_of, DESIGN.detectable_delta
