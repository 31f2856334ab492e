"""How many topics does a comparison of systems need: designs answered, compared, and read backwards.

`comparison` asks several designs about several measures, `separation` the run pairs that each measure
distinguishes, `reported_result` what a published t or F could have shown; `curves` and `report` are what pages show
and hand over of them. The designs themselves are in `topicset_core.designs`.
"""

from topicset_core.analyses.sizing.comparison import (
    DIFFERENCES,
    EFFECTS,
    SYSTEMS,
    ComparisonTable,
    compare_designs,
)
from topicset_core.analyses.sizing.reported_result import (
    ReportedResult,
    from_one_way_f,
    from_paired_t,
    from_two_sample_t,
)
from topicset_core.analyses.sizing.separation import separations

__all__ = [
    "DIFFERENCES",
    "EFFECTS",
    "SYSTEMS",
    "ComparisonTable",
    "ReportedResult",
    "compare_designs",
    "from_one_way_f",
    "from_paired_t",
    "from_two_sample_t",
    "separations",
]
