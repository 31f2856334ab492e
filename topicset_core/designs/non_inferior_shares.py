"""How many topics to show that a system is right on at least as many topics as another, but for a margin?

Scores are 0 or 1. The design finds the n from which on the one-sided score test of Tango (1998) shows with
probability 1 - beta that the share of topics on which the new system is right is not lower by the margin or more.
Model, statistic and search are those of `score_test`.

Examples
--------
>>> wanted = Requirements(alpha=0.05, beta=0.20, margin=0.10, difference_variance=0.11)
>>> required_topics(wanted).required_topics
82
"""

from dataclasses import dataclass

from topicset_core.designs.design import detects
from topicset_core.designs.score_test import ScoreTestDesign, ScoreTestRequirements
from topicset_core.references import LIU_2002, TANGO_1998


@dataclass(frozen=True, kw_only=True)
class Requirements(ScoreTestRequirements):
    """Requirements of the score test."""


DESIGN = ScoreTestDesign(
    slug="non-inferior-shares",
    name="Non-inferiority of shares",
    label="non-inferiority of shares",
    is_two_sided=False,
    headline="show a loss below {difference:g} in {measure} with {power:g} % power",
    requirements=Requirements,
    claim=detects(
        "a one-sided score test of paired shares",
        "that the system is not worse by {margin:g} or more in {measure}, at a true difference of "
        "{true_difference:g},",
    ).replace(" detects ", " shows "),
    works=(TANGO_1998, LIU_2002),
)

required_topics, required_topics_grid = DESIGN.required_topics, DESIGN.topics
power, smallest_margin = DESIGN.power, DESIGN.difference
