"""Which measure to train a retrieval system by, when few judgments are there: see `experiment`."""

from topicset_core.analyses.training_sensitivity.agreement import Agreement, agreements, spearman
from topicset_core.analyses.training_sensitivity.cheapest_design import cheapest, cheapest_sentence
from topicset_core.analyses.training_sensitivity.collection_facts import (
    CollectionFacts,
    LevelFacts,
    collection_facts,
    level_facts,
)
from topicset_core.analyses.training_sensitivity.cost import cpu_seconds
from topicset_core.analyses.training_sensitivity.designs import CompletenessDesign, completeness_designs
from topicset_core.analyses.training_sensitivity.effectiveness import (
    CompleteComparison,
    CurvePoint,
    complete_comparisons,
    curves,
)
from topicset_core.analyses.training_sensitivity.experiment import training_sensitivity, usable_topics
from topicset_core.analyses.training_sensitivity.request import (
    ALTERNATIVES,
    LOW,
    N_SAMPLES,
    PAPER_LEVELS,
    REFERENCE,
    Request,
    levels_of,
)
from topicset_core.analyses.training_sensitivity.result import TrainingSensitivity
from topicset_core.analyses.training_sensitivity.sentence import Recommendation, recommendation
from topicset_core.analyses.training_sensitivity.shallow_pools import ShallowTraining, shallow_trainings
from topicset_core.analyses.training_sensitivity.sign_test import SignTest
from topicset_core.analyses.training_sensitivity.stability import (
    Comparison,
    Stability,
    comparisons,
    stability,
)
from topicset_core.analyses.training_sensitivity.surface import Surface, surface
from topicset_core.analyses.training_sensitivity.sweep import AssumedPool, Sweep, sweep_of
from topicset_core.analyses.training_sensitivity.tasks import N_SPLITS, Task, split, swapped

__all__ = [
    "ALTERNATIVES",
    "LOW",
    "N_SAMPLES",
    "N_SPLITS",
    "PAPER_LEVELS",
    "REFERENCE",
    "Agreement",
    "AssumedPool",
    "CollectionFacts",
    "Comparison",
    "CompleteComparison",
    "CompletenessDesign",
    "CurvePoint",
    "LevelFacts",
    "Recommendation",
    "Request",
    "ShallowTraining",
    "SignTest",
    "Stability",
    "Surface",
    "Sweep",
    "Task",
    "TrainingSensitivity",
    "agreements",
    "cheapest",
    "cheapest_sentence",
    "collection_facts",
    "comparisons",
    "complete_comparisons",
    "completeness_designs",
    "cpu_seconds",
    "curves",
    "level_facts",
    "levels_of",
    "recommendation",
    "shallow_trainings",
    "spearman",
    "split",
    "stability",
    "surface",
    "swapped",
    "sweep_of",
    "training_sensitivity",
    "usable_topics",
]
