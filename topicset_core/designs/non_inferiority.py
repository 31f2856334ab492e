"""How many topics to show that a system is at least as good as another, but for a margin?

The new system may be cheaper or faster, and must be shown not to be worse by a margin or more. The design finds the
smallest n with which a one-sided t test at level alpha shows that with probability 1 - beta, if the new system is
truly better by theta. Model, statistic and formulas are those of `margins`.

Examples
--------
>>> wanted = Requirements(alpha=0.05, beta=0.20, margin=0.05, difference_variance=0.0257)
>>> required_topics(wanted).required_topics
65
"""

from dataclasses import dataclass

from topicset_core.designs.design import detects
from topicset_core.designs.margins import MarginDesign, MarginRequirements
from topicset_core.references import SCHUIRMANN_1987


@dataclass(frozen=True, kw_only=True)
class Requirements(MarginRequirements):
    """Requirements of the one-sided test."""


DESIGN = MarginDesign(
    slug="non-inferiority",
    name="Non-inferiority",
    label="non-inferiority",
    is_two_sided=False,
    headline="show a loss below {difference:g} {measure} with {power:g} % power",
    requirements=Requirements,
    claim=detects(
        "a one-sided t test, with topics {topics},",
        "that the system is not worse by {margin:g} or more in {measure}, at a true difference of "
        "{true_difference:g},",
    ).replace(" detects ", " shows "),
    works=(SCHUIRMANN_1987,),
)

required_topics, required_topics_grid = DESIGN.required_topics, DESIGN.topics
power, detectable_delta = DESIGN.power, DESIGN.difference
