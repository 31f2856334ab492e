"""The choice of the measure by which a retrieval system is trained on few judgments.

`training_sensitivity` runs the experiment of He, Macdonald and Ounis (SIGIR 2008) on a sweep; `Answer` holds
conclusions, and `report.report` makes all that a user exports.

::

    sweep = sweep_of(runs, qrels, settings)
    tasks = split(usable_topics(sweep.runs), seed=0)
    found = training_sensitivity(sweep, tasks, Request(n_samples=20))
    print(recommendation(found).sentence)
"""

from topicset_core.analyses.training_sensitivity.answer import (
    Answer,
    gains_by_level,
    recommendation,
)
from topicset_core.analyses.training_sensitivity.experiment import (
    TrainingSensitivity,
    cpu_seconds,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.other_trainings import (
    ShallowTraining,
    paper_tables,
    shallow_trainings,
)
from topicset_core.analyses.training_sensitivity.request import (
    ALTERNATIVES,
    N_SAMPLES,
    N_SPLITS,
    PAPER_LEVELS,
    REFERENCE,
    WORTHWHILE,
    AssumedPool,
    Optimiser,
    Request,
    Task,
    exchanged,
    levels_of,
    split,
)
from topicset_core.analyses.training_sensitivity.sweep import (
    EXPANSIONS,
    Sweep,
    sweep_collection,
    sweep_of,
)
from topicset_core.analyses.training_sensitivity.tables import collection_facts, comparisons, level_facts

__all__ = [
    "ALTERNATIVES",
    "EXPANSIONS",
    "N_SAMPLES",
    "N_SPLITS",
    "PAPER_LEVELS",
    "REFERENCE",
    "WORTHWHILE",
    "Answer",
    "AssumedPool",
    "Optimiser",
    "Request",
    "ShallowTraining",
    "Sweep",
    "Task",
    "TrainingSensitivity",
    "collection_facts",
    "comparisons",
    "cpu_seconds",
    "exchanged",
    "gains_by_level",
    "level_facts",
    "levels_of",
    "paper_tables",
    "recommendation",
    "shallow_trainings",
    "split",
    "sweep_collection",
    "sweep_of",
    "training_sensitivity",
    "usable_topics",
]
