"""The figures of training sensitivity."""

from topicset_core.analyses.training_sensitivity.charts.by_completeness import (
    agreement_by_completeness,
    effectiveness_by_completeness,
    gains_by_completeness,
    judgments_by_completeness,
)
from topicset_core.analyses.training_sensitivity.charts.training_surfaces import (
    measures_in_training,
    training_surface,
)

__all__ = [
    "agreement_by_completeness",
    "effectiveness_by_completeness",
    "gains_by_completeness",
    "judgments_by_completeness",
    "measures_in_training",
    "training_surface",
]
