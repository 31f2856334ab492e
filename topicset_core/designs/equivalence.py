"""How many topics to show that two systems are equally good, within a margin?

The cheaper system, or the automatic judge, must be shown to be as good as the other: no more than a margin apart.
The design finds the smallest n with which two one-sided t tests, each at level alpha, show that with probability
1 - beta, if the true difference is theta. Model, statistic and formulas are those of `margins`.

Examples
--------
>>> wanted = Requirements(alpha=0.05, beta=0.20, margin=0.05, difference_variance=0.0257)
>>> required_topics(wanted).required_topics
90
"""

from dataclasses import dataclass

from topicset_core.designs.design import detects
from topicset_core.designs.margins import MarginDesign, MarginRequirements
from topicset_core.references import OWEN_1965, SCHUIRMANN_1987


@dataclass(frozen=True, kw_only=True)
class Requirements(MarginRequirements):
    """Requirements of the two one-sided tests."""


DESIGN = MarginDesign(
    slug="equivalence",
    name="Equivalence",
    label="equivalence",
    is_two_sided=True,
    headline="show a difference below {difference:g} {measure} with {power:g} % power",
    requirements=Requirements,
    claim=detects(
        "a pair of one-sided t tests (TOST), with topics {topics},",
        "equivalence within a margin of {margin:g} in {measure}, at a true difference of {true_difference:g},",
    ).replace(" detects ", " shows "),
    works=(SCHUIRMANN_1987, OWEN_1965),
)

required_topics, required_topics_grid = DESIGN.required_topics, DESIGN.topics
power, detectable_delta = DESIGN.power, DESIGN.difference
