"""The choice of the measure by which a retrieval system is trained on few judgments.

`training_sensitivity` runs the experiment of He, Macdonald and Ounis (SIGIR 2008) on a sweep; `Answer` holds
conclusions, and `report.report` makes all that a user exports. In order of dependence: `request`,
`sweep`, `experiment` (with `sampling` and `optimisers`), `other_trainings`, `resampling`, `answer`.

::

    sweep = sweep_of(runs, qrels, settings)
    tasks = split(usable_topics(sweep.runs), seed=0)
    found = training_sensitivity(sweep, tasks, Request(n_samples=20))
    print(recommendation(found).sentence)
"""

from topicset_core.analyses.training_sensitivity.answer import (
    WORTHWHILE,
    Answer,
    Gain,
    Recommendation,
    gain,
    gains_by_level,
    recommendation,
)
from topicset_core.analyses.training_sensitivity.designs import (
    CompletenessDesign,
    cheapest,
    cheapest_sentence,
    completeness_designs,
    plannable,
)
from topicset_core.analyses.training_sensitivity.experiment import (
    TrainingSensitivity,
    cpu_seconds,
    trained_on_all,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.other_trainings import (
    PaperBlock,
    ShallowTraining,
    paper_table,
    paper_tables,
    shallow_trainings,
)
from topicset_core.analyses.training_sensitivity.request import (
    ALTERNATIVES,
    LOW,
    N_SAMPLES,
    N_SPLITS,
    PAPER_LEVELS,
    REFERENCE,
    Optimiser,
    Request,
    Task,
    exchanged,
    levels_of,
    split,
)
from topicset_core.analyses.training_sensitivity.significance import SignTest
from topicset_core.analyses.training_sensitivity.surfaces import (
    Agreement,
    Surface,
    agreements,
    spearman,
    surface,
)
from topicset_core.analyses.training_sensitivity.sweep import (
    EXPANSIONS,
    AssumedPool,
    CollectionSweep,
    Sweep,
    sweep_collection,
    sweep_of,
)
from topicset_core.analyses.training_sensitivity.tables import (
    CollectionFacts,
    Comparison,
    CompleteComparison,
    CurvePoint,
    LevelFacts,
    Stability,
    collection_facts,
    comparisons,
    complete_comparisons,
    curves,
    level_facts,
    stability,
)

__all__ = [
    "ALTERNATIVES",
    "EXPANSIONS",
    "LOW",
    "N_SAMPLES",
    "N_SPLITS",
    "PAPER_LEVELS",
    "REFERENCE",
    "WORTHWHILE",
    "Agreement",
    "Answer",
    "AssumedPool",
    "CollectionFacts",
    "CollectionSweep",
    "Comparison",
    "CompleteComparison",
    "CompletenessDesign",
    "CurvePoint",
    "Gain",
    "LevelFacts",
    "Optimiser",
    "PaperBlock",
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
    "exchanged",
    "gain",
    "gains_by_level",
    "level_facts",
    "levels_of",
    "paper_table",
    "paper_tables",
    "plannable",
    "recommendation",
    "shallow_trainings",
    "spearman",
    "split",
    "stability",
    "surface",
    "sweep_collection",
    "sweep_of",
    "trained_on_all",
    "training_sensitivity",
    "usable_topics",
]
