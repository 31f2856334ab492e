"""How deep should documents be pooled? Many topics judged shallowly, or few judged deeply.

Shallow pools cost less per topic, but their scores vary more, so that more topics are needed: the product
decides (Sakai 2016, section 6.3). From runs and deep judgments this makes the judgments of every shallower pool.

`depth_study` takes collections of runs and judgments, the runs, and a `Request`, and returns a `DepthStudy` of
one `DepthDesign` per depth and measure; `choose` picks one of these within a budget, and `purchases` lists the
results of a budget that is too small for any.
"""

from topicset_core.analyses.pool_depth.designs import Choice, DepthDesign
from topicset_core.analyses.pool_depth.pools import grades_at
from topicset_core.analyses.pool_depth.study import DepthStudy, Request, depth_study, study_before_judging

__all__ = [
    "Choice",
    "DepthDesign",
    "DepthStudy",
    "Request",
    "depth_study",
    "grades_at",
    "study_before_judging",
]
