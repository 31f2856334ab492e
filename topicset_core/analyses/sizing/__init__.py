"""How many topics does a comparison of systems need: designs answered, compared, and read backwards.

`comparison` asks several designs about several measures, `separation` the run pairs that each measure
distinguishes, `reported_result` what a published t or F could have shown; `curves` and `report` are what pages show
and hand over of them. The designs themselves are in `topicset_core.designs`.
"""

from topicset_core.analyses.sizing.comparison import (
    DIFFERENCES,
    EFFECTS,
    SPOKEN_DIFFERENCE,
    STAND_IN_SYSTEMS,
    SYSTEMS,
    ComparisonTable,
    EffectTable,
    MethodLine,
    anova_label,
    compare_designs,
    effect_table,
    method_lines,
    spoken_of,
)
from topicset_core.analyses.sizing.curves import Curves, curves_around
from topicset_core.analyses.sizing.reported_result import (
    ReportedResult,
    from_one_way_f,
    from_paired_t,
    from_two_sample_t,
)
from topicset_core.analyses.sizing.separation import Separation, Separations, Share, separations

__all__ = [
    "DIFFERENCES",
    "EFFECTS",
    "SPOKEN_DIFFERENCE",
    "STAND_IN_SYSTEMS",
    "SYSTEMS",
    "ComparisonTable",
    "Curves",
    "EffectTable",
    "MethodLine",
    "ReportedResult",
    "Separation",
    "Separations",
    "Share",
    "anova_label",
    "compare_designs",
    "curves_around",
    "effect_table",
    "from_one_way_f",
    "from_paired_t",
    "from_two_sample_t",
    "method_lines",
    "separations",
    "spoken_of",
]
