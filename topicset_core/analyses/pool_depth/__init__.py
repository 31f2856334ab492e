"""How deep should documents be pooled? Many topics judged shallowly, or few judged deeply.

Shallow pools cost less per topic, but their scores vary more, so that more topics are needed: the product
decides. From runs and deep judgments this makes the judgments of every shallower pool.

`depth_study` takes collections of runs and judgments, the runs, and a `Request`, and returns a `DepthStudy` of one
`DepthDesign` per depth and measure; `choose` picks one of these within a budget, and `purchases` lists the
results of a budget that is too small for any.

References
----------
T. Sakai. Topic set size design. Information Retrieval Journal 19 (2016), 256-283, section 6.3.
doi:10.1007/s10791-015-9273-z
"""

from topicset_core.analyses.pool_depth.designs import (
    MIN_JUDGED_SHARE,
    Choice,
    DepthDesign,
    Effort,
    Purchase,
    choose,
    purchases,
    total_judgments,
)
from topicset_core.analyses.pool_depth.new_systems import LeftOut, hardest_hit, leave_teams_out
from topicset_core.analyses.pool_depth.pools import JudgedDepth, grades_at, judged_depth, usual_depths
from topicset_core.analyses.pool_depth.study import (
    LOST_TOPICS,
    DepthStudy,
    LostTopics,
    Request,
    depth_study,
    pool_of,
    study_before_judging,
)
from topicset_core.collection.units import guessed_teams

__all__ = [
    "LOST_TOPICS",
    "MIN_JUDGED_SHARE",
    "Choice",
    "DepthDesign",
    "DepthStudy",
    "Effort",
    "JudgedDepth",
    "LeftOut",
    "LostTopics",
    "Purchase",
    "Request",
    "choose",
    "depth_study",
    "grades_at",
    "guessed_teams",
    "hardest_hit",
    "judged_depth",
    "leave_teams_out",
    "pool_of",
    "purchases",
    "study_before_judging",
    "total_judgments",
    "usual_depths",
]
