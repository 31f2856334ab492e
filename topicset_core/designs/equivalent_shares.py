"""How many topics to show that two systems are right on equally many topics, but for a margin?

Scores are 0 or 1. The design finds the n from which on two one-sided score tests show with probability 1 - beta
that the shares of topics on which the systems are right differ by less than the margin (Liu et al. 2002). Model,
statistic and search are those of `score_test`.

Examples
--------
>>> wanted = Requirements(alpha=0.05, beta=0.20, margin=0.10, difference_variance=0.11)
>>> required_topics(wanted).required_topics
108
"""

from dataclasses import dataclass

from topicset_core.designs.design import detects
from topicset_core.designs.score_test import ScoreTestDesign, ScoreTestRequirements
from topicset_core.references import LIU_2002, TANGO_1998


@dataclass(frozen=True, kw_only=True)
class Requirements(ScoreTestRequirements):
    """Requirements of the score test."""


DESIGN = ScoreTestDesign(
    slug="equivalent-shares",
    name="Equivalence of shares",
    label="equivalence of shares",
    is_two_sided=True,
    headline="show a difference below {difference:g} in {measure} with {power:g} % power",
    requirements=Requirements,
    claim=detects(
        "two one-sided score tests of paired shares",
        "that two systems differ by less than {margin:g} in {measure}, at a true difference of "
        "{true_difference:g},",
    ).replace(" detects ", " show "),
    works=(TANGO_1998, LIU_2002),
)

required_topics, required_topics_grid = DESIGN.required_topics, DESIGN.topics
power, smallest_margin = DESIGN.power, DESIGN.difference
