"""How many topics for a narrow confidence interval of an unpaired difference?

Each of two systems is run on its own n topics, or the pairing is not to be used. The design finds
the smallest n per system with which the 100 (1 - alpha) % confidence interval of the difference of
the means is expected to be at most delta wide.

Model: that of the two-sample t test, phi = 2n - 2; E(2 MOE) as for the paired interval (Sakai 2016, Eqs. 30
to 33) with the variance 2 sigma^2 of one topic's difference, as in the tool of Sakai (2018).

Examples
--------
>>> wanted = Requirements(alpha=0.05, max_width=0.10, within_system_variance=0.0471)
>>> required_topics(wanted).required_topics
146
"""

from dataclasses import dataclass

from topicset_core.designs.interval_width import IntervalDesign, IntervalRequirements
from topicset_core.parameters import WITHIN_SYSTEM_VARIANCE
from topicset_core.references import SAKAI_2016, SAKAI_2018


@dataclass(frozen=True, kw_only=True)
class Requirements(IntervalRequirements):
    """How narrow the interval must be."""

    within_system_variance: float


DESIGN = IntervalDesign(
    slug="two-sample-ci",
    name="Confidence interval, two-sample",
    label="two-sample interval",
    groups=2,
    variance=WITHIN_SYSTEM_VARIANCE,
    requirements=Requirements,
    claim="the {confidence:.10g} % confidence interval of an unpaired difference of two systems in {measure} is "
    "expected to be at most δ = {max_width:g} wide",
    works=(SAKAI_2016, SAKAI_2018),
)

required_topics, required_topics_grid = DESIGN.required_topics, DESIGN.topics
width = DESIGN.difference
