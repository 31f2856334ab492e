"""How deep should documents be pooled? Many topics judged shallowly, or few judged deeply.

Shallow pools are cheaper by topic but their scores vary more, so that more topics are needed: the
product decides. From runs and deep judgments this makes the judgments of every shallower pool.

References
----------
T. Sakai. Topic set size design. Information Retrieval Journal 19 (2016), 256-283, section 6.3.
doi:10.1007/s10791-015-9273-z
"""

from topicset_core.analyses.pool_depth.budget import Choice, choose
from topicset_core.analyses.pool_depth.cost import Effort, total_judgments
from topicset_core.analyses.pool_depth.designs import DepthDesign
from topicset_core.analyses.pool_depth.judged_depth import JudgedDepth, judged_depth, usual_depths
from topicset_core.analyses.pool_depth.new_systems import LeftOut, hardest_hit, leave_teams_out
from topicset_core.analyses.pool_depth.study import DepthStudy, study
from topicset_core.analyses.pool_depth.teams import guessed_teams
from topicset_core.analyses.pool_depth.without_judgments import designs_before_judging

__all__ = [
    "Choice",
    "DepthDesign",
    "DepthStudy",
    "Effort",
    "JudgedDepth",
    "LeftOut",
    "choose",
    "designs_before_judging",
    "guessed_teams",
    "hardest_hit",
    "judged_depth",
    "leave_teams_out",
    "study",
    "total_judgments",
    "usual_depths",
]
