"""How many topics: the one answer that pages, commands, comparisons and exports read.

`planned` answers a `PlanRequest` with the variance of a `Source`; `report` is what terminals and exports say of it.
"""

from topicset_core.analyses.planning.plan import Planned, planned
from topicset_core.analyses.planning.request import PlanRequest
from topicset_core.analyses.planning.source import Scores, Shares, Similar, Source, Stated, Variance

__all__ = [
    "PlanRequest",
    "Planned",
    "Scores",
    "Shares",
    "Similar",
    "Source",
    "Stated",
    "Variance",
    "planned",
]
