"""How many topics does a comparison of systems need: designs answered, compared, and read backwards.

`variance_topics` asks one design about many variances, `comparison` several designs about several
measures, `reported_result` what a published t or F could have shown; `curves` and `report` are what
pages show and hand over of them. The designs themselves are in `topicset_core.designs`.
"""

from topicset_core.analyses.sizing.comparison import (
    DIFFERENCES,
    SPOKEN_DIFFERENCE,
    STAND_IN_SYSTEMS,
    ComparisonTable,
    MethodLine,
    compare_designs,
    method_lines,
    spoken_of,
)
from topicset_core.analyses.sizing.curves import Curves, curves_around
from topicset_core.analyses.sizing.reported_result import (
    ReportedResult,
    from_one_way_f,
    from_paired_t,
    from_two_sample_t,
    replication_curve,
)
from topicset_core.analyses.sizing.variance_topics import (
    AnsweredTopics,
    TopicsRule,
    topics_of_variances,
    topics_rule,
)

__all__ = [
    "DIFFERENCES",
    "SPOKEN_DIFFERENCE",
    "STAND_IN_SYSTEMS",
    "AnsweredTopics",
    "ComparisonTable",
    "Curves",
    "MethodLine",
    "ReportedResult",
    "TopicsRule",
    "compare_designs",
    "curves_around",
    "from_one_way_f",
    "from_paired_t",
    "from_two_sample_t",
    "method_lines",
    "replication_curve",
    "spoken_of",
    "topics_of_variances",
    "topics_rule",
]
